//! Compilation of all rows in a mirror of the workspace, dropping what the compiler rejects until
//! it accepts the rest.

use super::bisect::Trials;
use super::blame::Blame;
use super::recheck::{Shown, Standing};
use crate::base::diagnostics::Diagnostic;
use crate::base::idx::{enumerated, indices};
use crate::cargo::manifest::SituSource;
use crate::cargo::prebuilt::Lending;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, Proposal};
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::candidate::clauses::Writing;
use crate::generate::extract::candidate::statement::{Statement, StatementIdx};
use crate::generate::extract::table::group_refusal::GroupRefusal;
use crate::generate::extract::table::rows::{Group, GroupIdx, RowsTest};
use crate::trial::compile;
use crate::trial::owned_text::is_about_file;
use crate::trial::settle::{Round, Settle, settle};
use crate::values::TypeTable;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of rounds after which everything in a file with errors is dropped.
const MAX_ROUNDS: usize = 20;

/// The round from which on a test that loses a row is split into its rows, because the compiler
/// reports one bad row of a test at a time.
const FIRST_ROUND_OF_SINGLES: usize = 3;

/// A mirror that compiles, with the groups whose rows are in it.
pub(crate) struct Settled {
    pub mirror: Workspace,
    /// All groups, including the dropped ones.
    pub groups: Vec<Group>,
}

/// What all copies of a workspace share.
#[derive(Clone, Copy)]
pub(crate) struct Copies<'c> {
    /// The user's workspace.
    pub workspace: &'c Workspace,
    /// The types of each crate.
    pub types: &'c BTreeMap<String, TypeTable>,
    /// Where the dependency comes from.
    pub situ: &'c SituSource,
    /// The prebuilt library for copies, if it can be used.
    pub lending: Option<&'c Lending>,
}

impl<'c> Copies<'c> {
    /// Returns the input for tests of these statements.
    pub(crate) fn settling(self, statements: &'c [Statement]) -> Settling<'c> {
        let Copies {
            workspace,
            types,
            situ,
            lending,
        } = self;
        Settling {
            workspace,
            statements,
            types,
            situ,
            lending,
        }
    }
}

/// The input of the compilation.
pub(crate) struct Settling<'s> {
    /// The user's workspace.
    pub workspace: &'s Workspace,
    pub statements: &'s [Statement],
    /// The types of each crate.
    pub types: &'s BTreeMap<String, TypeTable>,
    /// Where the dependency comes from.
    pub situ: &'s SituSource,
    /// The prebuilt library for copies, if it can be used.
    pub lending: Option<&'s Lending>,
}

/// A function that writes the test of a group, or returns why there is none.
pub(crate) type Written<'w> =
    dyn Fn(&Group, &[Candidate], &Writing<'_>) -> Result<RowsTest, GroupRefusal> + 'w;

/// A test in the copy.
pub(crate) struct Placed {
    /// Its group, by its place in the list.
    pub group: GroupIdx,
    pub statement: StatementIdx,
    /// What is written there.
    pub test: RowsTest,
    /// The file that it stands in.
    pub file: PathBuf,
}

impl Settling<'_> {
    /// Returns how the expressions of a statement are written.
    pub(crate) fn writing<'w>(&'w self, statement: &'w Statement) -> Writing<'w> {
        Writing {
            here: &statement.here,
            types: &self.types[&statement.here.krate],
            spot: &statement.spot,
        }
    }

    /// Creates a copy of the workspace with these changes. With a prebuilt `situ` no manifest
    /// changes.
    pub(crate) fn mirror(&self, changes: &ChangeSet) -> Result<Workspace> {
        let is_manifest = |path: &Path| path.file_name().is_some_and(|name| name == "Cargo.toml");
        let wanted = changes
            .files
            .iter()
            .filter(|file| self.lending.is_none() || !is_manifest(&file.path));
        let files: Vec<(PathBuf, String)> = wanted
            .map(|file| (file.path.clone(), file.after.clone()))
            .collect();
        let mirror = self.workspace.mirror("extract", &files)?;
        Ok(match self.lending {
            Some(lending) => mirror.with_situ(lending),
            None => mirror,
        })
    }

    /// Compiles all candidates until the rest is accepted.
    pub(crate) fn settle(&self, step: &dyn Fn(&str)) -> Result<Settled> {
        let mut next = 0;
        let mut groups: Vec<Group> = Vec::new();
        for (at, statement) in enumerated(self.statements) {
            groups.extend(crate::generate::extract::table::rows::groups(
                at,
                &statement.candidates,
                &self.writing(statement),
                &mut next,
            ));
        }
        self.settle_groups(groups, next, &Group::test, &|round| {
            step(&format!("compiling the candidates, round {round}"))
        })
    }

    /// Compiles groups that `test` writes until the rest is accepted. Groups created on the way get
    /// numbers after `next`.
    pub(crate) fn settle_groups(
        &self,
        groups: Vec<Group>,
        next: usize,
        test: &Written<'_>,
        step: &dyn Fn(usize),
    ) -> Result<Settled> {
        let mut rounds = Rounds {
            settling: self,
            test,
            step,
            groups,
            next,
            trials: Trials::default(),
            shown: Shown::Everything,
            placed: None,
            before: None,
        };
        match settle(&mut rounds)? {
            Ok(mirror) => Ok(Settled {
                mirror,
                groups: rounds.groups,
            }),
            Err(unsettled) => bail!(
                "errors in the copy with candidates that are in none of them: {}; the first is:\n{}",
                unsettled.0.len(),
                unsettled.first()
            ),
        }
    }

    /// Creates a mirror with the tests of groups.
    pub(crate) fn mirror_with(
        &self,
        groups: &mut [Group],
        test: &Written<'_>,
    ) -> Result<Workspace> {
        self.place(groups, &Shown::Everything, test)
            .map(|tests| tests.mirror)
    }

    fn place(
        &self,
        groups: &mut [Group],
        shown: &Shown,
        test: &Written<'_>,
    ) -> Result<PlacedTests> {
        let mut placed = Vec::new();
        let mut proposals = Vec::new();
        for (at, group) in groups
            .iter_mut()
            .enumerate()
            .map(|(at, group)| (GroupIdx::new(at), group))
            .filter(|(_, group)| shown.holds(group))
        {
            let statement = &self.statements[group.statement];
            match test(group, &statement.candidates, &self.writing(statement)) {
                Ok(test) => {
                    let file = PathBuf::from(&statement.site.file);
                    proposals.push(Proposal {
                        file: file.clone(),
                        place: statement.spot.place,
                        text: test.text.clone(),
                    });
                    placed.push(Placed {
                        group: at,
                        statement: group.statement,
                        test,
                        file,
                    });
                }
                Err(reason) => group.refused = Some(reason),
            }
        }
        let changes = ChangeSet::verbatim(self.workspace, &proposals, self.situ)?;
        let mirror = self.mirror(&changes)?;
        let texts = changes
            .files
            .into_iter()
            .map(|file| (file.path, file.after))
            .collect();
        Ok(PlacedTests {
            placed,
            mirror,
            texts,
        })
    }
}

/// A copy of the workspace with the tests of one round.
pub(crate) struct PlacedTests {
    /// The tests.
    pub placed: Vec<Placed>,
    /// The copy.
    pub mirror: Workspace,
    /// The texts of the files that hold them.
    pub texts: BTreeMap<PathBuf, String>,
}

/// Groups that are compiled in rounds.
struct Rounds<'r> {
    settling: &'r Settling<'r>,
    test: &'r Written<'r>,
    step: &'r dyn Fn(usize),
    groups: Vec<Group>,
    next: usize,
    trials: Trials,
    shown: Shown,
    /// The tests of the current round.
    placed: Option<PlacedTests>,
    /// The groups before the errors of the last round changed them.
    before: Option<GroupsBefore>,
}

/// Groups before errors change them.
struct GroupsBefore {
    standing: Standing,
    /// Number of a group → how many rows it has.
    rows: BTreeMap<usize, usize>,
}

impl Settle for Rounds<'_> {
    type Accepted = Workspace;

    fn attempt(&mut self, round: usize) -> Result<Round<Workspace>> {
        if let Some(before) = self.before.take() {
            if round > FIRST_ROUND_OF_SINGLES {
                split_shrinking(&mut self.groups, &before.rows, &mut self.next);
            }
            self.shown = before.standing.changed(&mut self.trials, &mut self.groups);
        }
        (self.step)(round);
        let tests = self
            .settling
            .place(&mut self.groups, &self.shown, self.test)?;
        let errors = compile::check(&tests.mirror)?.errors;
        if errors.is_empty() {
            let shown = std::mem::replace(&mut self.shown, Shown::Everything);
            return Ok(match shown.next(&mut self.trials, &mut self.groups) {
                Some(next) => {
                    self.shown = next;
                    Round::Partial
                }
                None => Round::Accepted(tests.mirror),
            });
        }
        self.placed = Some(tests);
        Ok(Round::Rejected(errors))
    }

    fn blame(&mut self, errors: &[Diagnostic], _: usize) -> Result<bool> {
        let Some(tests) = &self.placed else {
            return Ok(false);
        };
        let rows = self
            .groups
            .iter()
            .map(|group| (group.number, group.rows.len()));
        self.before = Some(GroupsBefore {
            standing: Standing::of(&self.groups),
            rows: rows.collect(),
        });
        let blame = Blame::new(self.settling, tests);
        let mut changed = blame.apply(errors, &mut self.groups, &mut self.next);
        if !changed {
            let suspects = blame.suspects(errors, &self.groups);
            changed = self.trials.set_aside(&suspects, &mut self.groups);
        }
        if !changed && blame.all_are_elsewhere(errors) {
            let everybody = everybody(errors, &self.groups);
            changed = self.trials.set_aside(&everybody, &mut self.groups);
        }
        Ok(changed)
    }

    fn give_up(&mut self, errors: &[Diagnostic]) -> Result<bool> {
        let placed = self.placed.iter().flat_map(|tests| &tests.placed);
        let mut changed = false;
        for placed in placed {
            let group = &mut self.groups[placed.group];
            let mut own = errors
                .iter()
                .filter(|error| is_about_file(error, &placed.file));
            if let (Some(error), None) = (own.next(), &group.refused) {
                group.refused = Some(GroupRefusal::ErrorInFile(error.message.clone()));
                changed = true;
            }
        }
        Ok(changed)
    }

    fn patience(&self) -> usize {
        MAX_ROUNDS + self.trials.count
    }
}

/// Returns all groups as suspects, if nothing shows which of them an error is about.
fn everybody(errors: &[Diagnostic], groups: &[Group]) -> Vec<(GroupIdx, GroupRefusal)> {
    let said = errors
        .first()
        .map(|error| error.message.clone())
        .unwrap_or_default();
    let standing = indices(groups).filter(|at| groups[*at].stands());
    standing
        .map(|at| (at, GroupRefusal::Rejected(said.clone())))
        .collect()
}

/// Splits groups that have lost rows, so that each of their rows is compiled separately.
fn split_shrinking(
    groups: &mut Vec<Group>,
    rows_before: &BTreeMap<usize, usize>,
    next: &mut usize,
) {
    let mut all = Vec::new();
    for group in groups.drain(..) {
        let shrank = rows_before
            .get(&group.number)
            .is_some_and(|before| group.rows.len() < *before);
        match shrank && group.rows.len() > 1 && group.refused.is_none() {
            true => all.extend(group.one_by_one(next)),
            false => all.push(group),
        }
    }
    *groups = all;
}
