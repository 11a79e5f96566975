//! Verification: the final tests, compiled in a mirror of the crate and run in different
//! environments.

use super::settle::Settling;
use crate::base::diagnostics::{Diagnostic, Span};
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, Proposal};
use crate::generate::extract::candidate::statement::StatementIdx;
use crate::generate::extract::choose::Passing;
use crate::generate::extract::find::survey::survey_all;
use crate::generate::extract::table::rows::Group;
use crate::generate::extract::table::test_text::{Wording, text};
use crate::programs::harness::Outcome;
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use crate::record::plan::Site;
use crate::trial::compile::{self, Build};
use crate::trial::owned_text::{Owners, holds, is_in_file};
use crate::trial::settle::{Round, Settle, settle};
use crate::trial::{parts, ways};
use anyhow::{Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::slice;

/// The prefix of tests' names during verification.
const NAME: &str = "situ_verified_";

/// The prefix of the modules of in-situ tests.
const IN_SITU: &str = "situ_";

/// A test that is to be shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownTest {
    pub statement: StatementIdx,
    /// Its rows, as candidates of the statement.
    pub rows: Vec<Passing>,
    /// The common part of its rows.
    pub group: Group,
    /// Its wording.
    pub wording: Wording,
    /// Its name, where it has one.
    pub name: Option<String>,
}

impl ShownTest {
    /// Returns a test for each row.
    pub(crate) fn one_by_one(&self) -> Vec<ShownTest> {
        let single = |row: &Passing| ShownTest {
            rows: vec![*row],
            wording: Wording::Short,
            // It says what all rows have in common.
            name: None,
            ..self.clone()
        };
        self.rows.iter().map(single).collect()
    }
}

/// The tests that pass, and the reasons of the others.
pub(crate) struct Verified {
    /// The tests that hold.
    pub tests: Vec<ShownTest>,
    /// The number of dropped tests by reason.
    pub left_out: BTreeMap<String, usize>,
}

/// Verifies tests. Those that do not compile, fail or are unstable are dropped.
pub(crate) fn verify(
    settling: &Settling<'_>,
    tests: Vec<ShownTest>,
    step: &dyn Fn(&str),
) -> Result<Verified> {
    let mut compiling = Compiling {
        settling,
        tests,
        left_out: BTreeMap::new(),
        step,
        named: None,
    };
    let programs = match settle(&mut compiling)? {
        Ok(programs) => programs,
        Err(unsettled) => bail!(
            "an error in the copy with kept tests is in none of them:\n{}",
            unsettled.first()
        ),
    };
    let Compiling {
        tests,
        mut left_out,
        ..
    } = compiling;
    step("running the tests in different environments");
    let folder = settling.workspace.situ_folder().join("extract/runs");
    let unstable = ways::unstable(&programs, tests.len(), &folder, &number)?;
    let is_table = |at: &usize| tests[*at].rows.len() > 1;
    if unstable.keys().any(is_table) {
        // One row may be to blame for all of them.
        let apart =
            tests
                .into_iter()
                .enumerate()
                .flat_map(|(at, test)| match unstable.contains_key(&at) {
                    true => test.one_by_one(),
                    false => vec![test],
                });
        let mut verified = verify(settling, apart.collect(), step)?;
        for (reason, count) in left_out {
            *verified.left_out.entry(reason).or_default() += count;
        }
        return Ok(verified);
    }
    let mut kept = Vec::new();
    for (at, test) in tests.into_iter().enumerate() {
        match unstable.get(&at) {
            Some(reason) => *left_out.entry(reason.to_string()).or_default() += 1,
            None => kept.push(test),
        }
    }
    Ok(Verified {
        tests: kept,
        left_out,
    })
}

/// Tests that are compiled in rounds, each with a name of its own.
struct Compiling<'c> {
    settling: &'c Settling<'c>,
    tests: Vec<ShownTest>,
    /// The number of dropped tests by reason.
    left_out: BTreeMap<String, usize>,
    step: &'c dyn Fn(&str),
    /// The copy of the current round.
    named: Option<Composed>,
}

impl Settle for Compiling<'_> {
    type Accepted = Vec<Program>;

    fn attempt(&mut self, _: usize) -> Result<Round<Vec<Program>>> {
        (self.step)("compiling the chosen tests");
        let named = self
            .named
            .insert(Composed::named(self.settling, &self.tests)?);
        let build = compile::build(&named.mirror)?;
        Ok(match build.errors.is_empty() {
            true => Round::Accepted(build.programs),
            false => Round::Rejected(build.errors),
        })
    }

    fn blame(&mut self, errors: &[Diagnostic], _: usize) -> Result<bool> {
        let Some(named) = &self.named else {
            return Ok(false);
        };
        let owners = named.owners();
        let mut rejected: BTreeSet<usize> = errors
            .iter()
            .flat_map(|error| owners.pointed_into(error))
            .copied()
            .collect();
        if rejected.is_empty() {
            rejected = named.holding(self.settling, &self.tests, errors);
        }
        if rejected.is_empty() {
            rejected.extend(owners.nearest(errors));
        }
        if rejected.is_empty() {
            rejected = unnamed_culprits(self.settling, &self.tests)?;
        }
        let changed = !rejected.is_empty();
        self.tests = reworded(
            std::mem::take(&mut self.tests),
            &rejected,
            &mut self.left_out,
        );
        Ok(changed)
    }
}

/// Returns the change with all tests, if it compiles and every in-situ test passes in every
/// environment. This is the usual case, in which nothing has to be attributed.
pub(crate) fn verify_at_once(
    settling: &Settling<'_>,
    tests: &[ShownTest],
    step: &dyn Fn(&str),
) -> Result<Option<ChangeSet>> {
    step("compiling the chosen tests");
    let composed = Composed::shown(settling, tests)?;
    let Build {
        errors, programs, ..
    } = compile::build(&composed.mirror)?;
    if !errors.is_empty() || composed.proposals.iter().any(Option::is_none) {
        return Ok(None);
    }
    step("running the tests in different environments");
    let folder = settling.workspace.situ_folder().join("extract/runs");
    let mut found = 0;
    for program in &programs {
        let names: Vec<String> = list_tests(program)?
            .into_iter()
            .filter(|name| name.contains(IN_SITU))
            .collect();
        found += names.len();
        let number = |name: &str| names.iter().position(|own| own == name);
        if !ways::unstable(slice::from_ref(program), names.len(), &folder, &number)?.is_empty() {
            return Ok(None);
        }
    }
    Ok((found >= tests.len()).then_some(composed.changes))
}

/// Returns the tests without which the copy compiles, if no error has an owner; empty if the tests
/// are not the cause.
fn unnamed_culprits(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<BTreeSet<usize>> {
    let compiles = |some: &[usize]| -> Result<bool> {
        let some: Vec<ShownTest> = some.iter().map(|at| tests[*at].clone()).collect();
        Ok(compile::check(&Composed::named(settling, &some)?.mirror)?
            .errors
            .is_empty())
    };
    if !compiles(&[])? {
        return Ok(BTreeSet::new());
    }
    let all: Vec<usize> = (0..tests.len()).collect();
    let (_, rejected) = parts::that_hold(&all, &mut { compiles })?;
    Ok(rejected.into_iter().collect())
}

/// Returns the change with those tests that pass exactly as they will be written, and these tests.
pub(crate) fn confirm(
    settling: &Settling<'_>,
    verified: Verified,
) -> Result<(ChangeSet, Verified)> {
    let Verified {
        tests,
        mut left_out,
    } = verified;
    let (tests, lost) = parts::that_hold(&tests, &mut |some: &[ShownTest]| {
        holds_as_it_is(settling, some)
    })?;
    if !lost.is_empty() {
        *left_out
            .entry("fails in the file as it would be written".to_owned())
            .or_default() += lost.len();
    }
    let changes = match tests.is_empty() {
        true => ChangeSet::default(),
        false => Composed::shown(settling, &tests)?.changes,
    };
    Ok((changes, Verified { tests, left_out }))
}

/// Returns whether the change compiles and all in-situ tests in it finish and pass.
fn holds_as_it_is(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<bool> {
    let Build {
        errors, programs, ..
    } = compile::build(&Composed::shown(settling, tests)?.mirror)?;
    if !errors.is_empty() {
        return Ok(false);
    }
    let folder = settling.workspace.situ_folder().join("extract/runs");
    let mut passed = 0;
    for program in &programs {
        let ended = ways::run(program, &folder, &[IN_SITU])?;
        if ended
            .iter()
            .any(|(_, outcome, _)| *outcome == Outcome::Failed)
        {
            return Ok(false);
        }
        passed += ended
            .iter()
            .filter(|(_, outcome, _)| *outcome == Outcome::Passed)
            .count();
    }
    Ok(passed >= tests.len())
}

/// Returns the proposal of a test.
pub(crate) fn proposal(
    settling: &Settling<'_>,
    test: &ShownTest,
    name: Option<&str>,
) -> Option<Proposal> {
    let statement = &settling.statements[test.statement];
    let candidates: Vec<_> = test
        .rows
        .iter()
        .map(|row| &statement.candidates[row.candidate])
        .collect();
    let text = text(
        &candidates,
        &test.group,
        test.wording,
        name.or(test.name.as_deref()),
        &settling.writing(statement),
    )?;
    Some(Proposal {
        file: PathBuf::from(&statement.site.file),
        place: statement.spot.place,
        text,
    })
}

/// A copy of the workspace with the tests under names that [`number`] reads.
pub(crate) fn numbered(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<Workspace> {
    Ok(Composed::named(settling, tests)?.mirror)
}

/// The change of the user's files with these tests.
pub(crate) fn changes(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<ChangeSet> {
    Ok(Composed::shown(settling, tests)?.changes)
}

struct Composed {
    mirror: Workspace,
    changes: ChangeSet,
    /// Test → its proposal.
    proposals: Vec<Option<Proposal>>,
}

impl Composed {
    /// Composes the tests with unique names, otherwise exactly as they will be written.
    fn named(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<Composed> {
        let tests = tests.iter().enumerate();
        let named = tests.map(|(at, test)| proposal(settling, test, Some(&format!("{NAME}{at}"))));
        let proposals: Vec<Option<Proposal>> = named.collect();
        let all: Vec<Proposal> = proposals.iter().flatten().cloned().collect();
        Composed::of(
            settling,
            proposals,
            ChangeSet::verbatim(settling.workspace, &all, settling.situ)?,
        )
    }

    /// Composes the tests in their final form.
    fn shown(settling: &Settling<'_>, tests: &[ShownTest]) -> Result<Composed> {
        let proposals: Vec<Option<Proposal>> = tests
            .iter()
            .map(|test| proposal(settling, test, None))
            .collect();
        let all: Vec<Proposal> = proposals.iter().flatten().cloned().collect();
        Composed::of(
            settling,
            proposals,
            ChangeSet::new(settling.workspace, &all, settling.situ)?,
        )
    }

    fn of(
        settling: &Settling<'_>,
        proposals: Vec<Option<Proposal>>,
        changes: ChangeSet,
    ) -> Result<Composed> {
        let mirror = settling.mirror(&changes)?;
        Ok(Composed {
            mirror,
            changes,
            proposals,
        })
    }

    /// Returns the bytes of each test in its file.
    fn owners(&self) -> Owners<usize> {
        let texts: BTreeMap<&Path, &str> = self
            .changes
            .files
            .iter()
            .map(|file| (file.path.as_path(), file.after.as_str()))
            .collect();
        let mut owners = Owners::default();
        for (at, proposal) in self.proposals.iter().enumerate() {
            let Some(proposal) = proposal else {
                continue;
            };
            let text = texts.get(proposal.file.as_path()).copied();
            if let Some(start) = text.and_then(|text| text.find(&proposal.text)) {
                owners.add(&proposal.file, start..start + proposal.text.len(), at);
            }
        }
        owners
    }

    fn is_beside(&self, at: usize, span: &Span) -> bool {
        self.proposals[at]
            .as_ref()
            .is_some_and(|proposal| is_in_file(span, &proposal.file))
    }

    /// Returns the tests of the statements that errors point into. Of nested fragments, the inner
    /// one knows least of its surroundings.
    fn holding(
        &self,
        settling: &Settling<'_>,
        tests: &[ShownTest],
        errors: &[Diagnostic],
    ) -> BTreeSet<usize> {
        let survey = survey_all(&self.mirror);
        let range = |at: &usize| {
            survey
                .sites
                .get(&settling.statements[tests[*at].statement].identity)
                .map(Site::range)
        };
        let mut holding = BTreeSet::new();
        for span in errors
            .iter()
            .flat_map(Diagnostic::all_spans)
            .filter(|span| span.is_primary)
        {
            let is_around = |at: &usize| {
                let range = range(at).unwrap_or_default();
                self.is_beside(*at, span) && holds(&range, span)
            };
            let inner = (0..tests.len())
                .filter(is_around)
                .min_by_key(|at| range(at).map(|range| range.len()));
            let Some(statement) = inner.map(|at| tests[at].statement) else {
                continue;
            };
            holding.extend((0..tests.len()).filter(|at| tests[*at].statement == statement));
        }
        holding
    }
}

/// Rewords rejected tests, or splits them into one test for each row, or drops them if nothing is
/// left to try.
fn reworded(
    tests: Vec<ShownTest>,
    rejected: &BTreeSet<usize>,
    left_out: &mut BTreeMap<String, usize>,
) -> Vec<ShownTest> {
    let mut all = Vec::new();
    for (at, test) in tests.into_iter().enumerate() {
        if !rejected.contains(&at) {
            all.push(test);
        } else if test.wording == Wording::Short {
            all.push(ShownTest {
                wording: Wording::Typed,
                ..test
            });
        } else if test.rows.len() > 1 {
            all.extend(test.one_by_one());
        } else {
            *left_out
                .entry("does not compile as it would be shown".to_owned())
                .or_default() += 1;
        }
    }
    all
}

/// The number of a test in a copy that [`numbered`] made.
pub(crate) fn number(test: &str) -> Option<usize> {
    test.rsplit_once(NAME)?.1.parse().ok()
}
