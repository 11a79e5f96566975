//! Verification: the tests as they will stand, compiled in a mirror of the crate and run in different ways.

use super::settle::Settling;
use crate::base::diagnostics::{Diagnostic, Span};
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, Proposal};
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

/// How tests are called while they are verified, before their number.
const NAME: &str = "situ_verified_";

/// What the modules of in-situ tests are called, before the name of their item.
const IN_SITU: &str = "situ_";

/// A test that is to be shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownTest {
    /// The statement.
    pub statement: usize,
    /// Its rows, as candidates of the statement.
    pub rows: Vec<Passing>,
    /// What its rows have in common.
    pub group: Group,
    /// How it is written.
    pub wording: Wording,
    /// Its name, where it has one.
    pub name: Option<String>,
}

impl ShownTest {
    /// A test for each row.
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

/// Tests that hold, and those that do not with the reason.
pub(crate) struct Verified {
    /// The tests that hold.
    pub tests: Vec<ShownTest>,
    /// Reason → how many were left out.
    pub left_out: BTreeMap<String, usize>,
}

/// Verifies tests: what does not compile, fail or prove unstable is left out.
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
            "an error in the copy with kept tests belongs to none of them:\n{}",
            unsettled.first()
        ),
    };
    let Compiling {
        tests,
        mut left_out,
        ..
    } = compiling;
    step("running the tests in different ways");
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
    /// Reason → how many were left out.
    left_out: BTreeMap<String, usize>,
    step: &'c dyn Fn(&str),
    /// The copy of the current round.
    named: Option<Composed>,
}

impl Settle for Compiling<'_> {
    type Accepted = Vec<Program>;

    fn attempt(&mut self, _: usize) -> Result<Round<Vec<Program>>> {
        (self.step)("compiling the tests that are kept");
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

/// The change of the user's files with all tests, if it compiles and every in-situ test holds in every way of running it.
/// This is the rule, and nothing has to be told apart then.
pub(crate) fn verify_at_once(
    settling: &Settling<'_>,
    tests: &[ShownTest],
    step: &dyn Fn(&str),
) -> Result<Option<ChangeSet>> {
    step("compiling the tests that are kept");
    let composed = Composed::shown(settling, tests)?;
    let Build {
        errors, programs, ..
    } = compile::build(&composed.mirror)?;
    if !errors.is_empty() || composed.proposals.iter().any(Option::is_none) {
        return Ok(None);
    }
    step("running the tests in different ways");
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

/// The tests without which the copy compiles, where no error says whose it is: none if that is not for the tests.
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

/// The change of the user's files with those of the tests that hold exactly as they will stand, and these tests.
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
            .entry("does not hold in the file as it would be written".to_owned())
            .or_default() += lost.len();
    }
    let changes = match tests.is_empty() {
        true => ChangeSet::default(),
        false => Composed::shown(settling, &tests)?.changes,
    };
    Ok((changes, Verified { tests, left_out }))
}

/// Whether the change of the user's files compiles and all in-situ tests in it come to an end and pass.
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

/// The proposal of a test.
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
    /// With names by which the tests can be told apart in a run, and exactly as they are written.
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

    /// As a reader sees them.
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

    /// The bytes of each test in its file.
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

    /// The tests of the statements that errors point into. Of fragments that stand in one another the inner one knows
    /// least of its surroundings.
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

/// Rejected tests in other words, or as one test for each row; where nothing is left to try they are left out.
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
