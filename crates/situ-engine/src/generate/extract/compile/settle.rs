//! Puts all rows into a mirror of the workspace and drops what the compiler does not accept, until it accepts the rest.

use super::bisect::Trials;
use super::blame::Blame;
use super::recheck::{Shown, Standing};
use crate::base::diagnostics::Diagnostic;
use crate::cargo::manifest::SituSource;
use crate::cargo::prebuilt::Lending;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, Proposal};
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::candidate::clauses::Writing;
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::table::rows::{Group, RowsTest};
use crate::trial::compile::{self, Build};
use crate::values::TypeTable;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// After so many rounds of errors whatever still fails is given up by the file.
const MAX_ROUNDS: usize = 20;

/// From this round on a test that loses a row is split into its rows: the compiler names one bad row of a test at a time.
const FIRST_ROUND_OF_SINGLES: usize = 3;

/// A mirror that compiles, with the groups whose rows are in it.
pub(crate) struct Settled {
    /// The mirror.
    pub mirror: Workspace,
    /// All groups, those given up too.
    pub groups: Vec<Group>,
}

/// What all copies of a workspace have in common.
#[derive(Clone, Copy)]
pub(crate) struct Copies<'c> {
    /// The user's workspace.
    pub workspace: &'c Workspace,
    /// The types of each crate.
    pub types: &'c BTreeMap<String, TypeTable>,
    /// Where the dependency comes from.
    pub situ: &'c SituSource,
    /// What lends it to copies, where that is possible.
    pub lending: Option<&'c Lending>,
}

impl<'c> Copies<'c> {
    /// With tests of these statements.
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

/// What settling works on.
pub(crate) struct Settling<'s> {
    /// The user's workspace.
    pub workspace: &'s Workspace,
    /// The statements.
    pub statements: &'s [Statement],
    /// The types of each crate.
    pub types: &'s BTreeMap<String, TypeTable>,
    /// Where the dependency comes from.
    pub situ: &'s SituSource,
    /// What lends it to copies, where that is possible.
    pub lending: Option<&'s Lending>,
}

/// How the test of a group is written, or why there is none.
pub(crate) type Written<'w> =
    dyn Fn(&Group, &[Candidate], &Writing<'_>) -> Result<RowsTest, &'static str> + 'w;

/// A test that stands in the copy.
pub(crate) struct Placed {
    /// Its group, by its place in the list.
    pub group: usize,
    /// Its statement.
    pub statement: usize,
    /// What is written there.
    pub test: RowsTest,
    /// The file that it stands in.
    pub file: PathBuf,
}

impl Settling<'_> {
    /// How the expressions of a statement are written.
    pub(crate) fn writing<'w>(&'w self, statement: &'w Statement) -> Writing<'w> {
        Writing {
            here: &statement.here,
            types: &self.types[&statement.here.krate],
            spot: &statement.spot,
        }
    }

    /// A copy of the workspace with these changes. Where `situ` is lent, no manifest changes.
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

    /// Settles all candidates.
    pub(crate) fn settle(&self, step: &dyn Fn(&str)) -> Result<Settled> {
        let mut next = 0;
        let mut groups: Vec<Group> = Vec::new();
        for (at, statement) in self.statements.iter().enumerate() {
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

    /// Settles groups that are written in this way. Groups that are made on the way get numbers after `next`.
    pub(crate) fn settle_groups(
        &self,
        mut groups: Vec<Group>,
        mut next: usize,
        test: &Written<'_>,
        step: &dyn Fn(usize),
    ) -> Result<Settled> {
        let mut trials = Trials::default();
        let mut shown = Shown::Everything;
        for round in 1.. {
            step(round);
            let (placed, mirror, texts) = self.place(&mut groups, &shown, test)?;
            let Build { errors, .. } = compile::check(&mirror)?;
            if errors.is_empty() {
                match shown.next(&mut trials, &mut groups) {
                    Some(next) => shown = next,
                    None => return Ok(Settled { mirror, groups }),
                }
                continue;
            }
            let known = errors.len();
            let before = Standing::of(&groups);
            let rows_before: BTreeMap<usize, usize> = groups
                .iter()
                .map(|group| (group.number, group.rows.len()))
                .collect();
            let blame = Blame {
                settling: self,
                placed: &placed,
                texts: &texts,
                mirror: &mirror,
            };
            let mut changed = blame.apply(&errors, &mut groups, &mut next);
            if !changed {
                changed = trials.set_aside(&blame.suspects(&errors, &groups), &mut groups);
            }
            if !changed && blame.all_are_elsewhere(&errors) {
                changed = trials.set_aside(&everybody(&errors, &groups), &mut groups);
            }
            if !changed || round >= MAX_ROUNDS + trials.count {
                changed |= blame.give_up_files(&errors, &mut groups);
            }
            if !changed {
                let first = errors
                    .into_iter()
                    .find_map(|error| error.rendered)
                    .unwrap_or_default();
                bail!(
                    "errors in the copy with candidates that belong to none of them: {known}; the first is:\n{first}"
                );
            }
            if round >= FIRST_ROUND_OF_SINGLES {
                split_shrinking(&mut groups, &rows_before, &mut next);
            }
            shown = before.changed(&mut trials, &mut groups);
        }
        bail!("the candidates do not settle")
    }

    /// A mirror with the tests of groups that are written in this way.
    pub(crate) fn mirror_with(
        &self,
        groups: &mut [Group],
        test: &Written<'_>,
    ) -> Result<Workspace> {
        self.place(groups, &Shown::Everything, test)
            .map(|(_, mirror, _)| mirror)
    }

    fn place(
        &self,
        groups: &mut [Group],
        shown: &Shown,
        test: &Written<'_>,
    ) -> Result<(Vec<Placed>, Workspace, BTreeMap<PathBuf, String>)> {
        let mut placed = Vec::new();
        let mut proposals = Vec::new();
        for (at, group) in groups
            .iter_mut()
            .enumerate()
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
                Err(reason) => group.refused = Some(reason.to_owned()),
            }
        }
        let changes = ChangeSet::verbatim(self.workspace, &proposals, self.situ)?;
        let mirror = self.mirror(&changes)?;
        let texts = changes
            .files
            .into_iter()
            .map(|file| (file.path, file.after))
            .collect();
        Ok((placed, mirror, texts))
    }
}

/// All groups that stand: nothing says which of them an error is about.
fn everybody(errors: &[Diagnostic], groups: &[Group]) -> Vec<(usize, String)> {
    let said = errors
        .first()
        .map(|error| error.message.clone())
        .unwrap_or_default();
    let standing = (0..groups.len()).filter(|at| groups[*at].stands());
    standing
        .map(|at| (at, format!("the compiler rejects it: {said}")))
        .collect()
}

/// Splits groups that have lost rows since, so that each of their rows is judged by itself.
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
