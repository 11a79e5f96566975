//! Execution of statements with generated inputs: their outputs, and the mutants that these kill.

use super::matrix::{self, Judgement};
use super::observer_tests::{Told, panics, run_number, said_by_panic};
use crate::cargo::workspace::Workspace;
use crate::generate::extract::candidate::clauses::Writing;
use crate::generate::extract::candidate::statement::{Statement, StatementIdx};
use crate::generate::extract::candidate::untaken_exits;
use crate::generate::extract::candidate::{Candidate, CandidateIdx, Claim};
use crate::generate::extract::choose::Passing;
use crate::generate::extract::compile::settle::{Settled, Settling, Written};
use crate::generate::extract::table::rows::{Group, GroupIdx, RowIdx, shape};
use crate::mutate::rows::Matrix;
use crate::record::observe::{Observations, observe};
use crate::record::plan::Wanted;
use crate::source::row_name::{ROWS_NAME, number_and_rows};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Generated inputs of a statement, and their results.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The row that it was derived from.
    pub of: Passing,
    /// The inputs; the claims are those of the row until they are observed.
    pub candidate: Candidate,
    /// The mutants that it kills, once that is known.
    pub kills: BTreeSet<u32>,
    /// The group in which it was judged, if its claims differ from those of the recorded rows.
    pub judged_as: Option<Group>,
}

impl Variant {
    /// Other inputs for a row, or for rows that leave otherwise, as nobody has seen them yet.
    pub(crate) fn new(of: Passing, candidate: Candidate) -> Variant {
        Variant {
            of,
            candidate,
            kills: BTreeSet::new(),
            judged_as: None,
        }
    }
}

/// The context of such executions.
#[derive(Clone, Copy)]
pub(crate) struct Rerun<'r> {
    /// The workspace, and how tests are written.
    pub settling: &'r Settling<'r>,
    /// The groups of the recorded rows, and groups without rows for untaken exits.
    pub groups: &'r [Group],
    /// What mutants there are.
    pub judgement: &'r Judgement,
    /// What was recorded: branches then have the same marks.
    pub wanted: &'r Wanted,
    /// The command `cargo-situ`.
    pub program: &'r Path,
}

impl Rerun<'_> {
    /// Returns the mutants that recorded rows of a statement kill.
    pub(crate) fn killed(&self, statement: usize) -> BTreeSet<u32> {
        let own = self
            .groups
            .iter()
            .filter(|group| group.statement.at() == statement);
        let matrices = own.filter_map(|group| self.judgement.of_groups.get(&group.number));
        let killed = matrices
            .flat_map(|matrix| &matrix.killed_by)
            .filter(|(_, rows)| !rows.is_empty());
        killed.map(|(mutant, _)| *mutant).collect()
    }

    /// Returns the variants that a test can be generated from, with their observed claims and their
    /// kills.
    pub(crate) fn judged(
        &self,
        variants: Vec<Variant>,
        step: &dyn Fn(&str),
    ) -> Result<Vec<Variant>> {
        let mut batch = Batch::new(self.settling.statements, variants);
        step("running statements with generated values");
        let groups = batch.groups(self.groups);
        let Some(groups) = self.observed(&mut batch, groups)? else {
            return Ok(Vec::new());
        };
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        step("judging the generated values");
        let (groups, matrices) = self.matrices(&batch, groups)?;
        let mut judged = Vec::new();
        for group in groups.iter().filter(|group| group.refused.is_none()) {
            let Some(matrix) = matrices.get(&group.number) else {
                continue;
            };
            for (row, at) in group
                .rows
                .iter()
                .enumerate()
                .filter(|(row, _)| matrix.passing.contains(row))
            {
                let mut variant = batch.variants[batch.numbers[&(group.statement, *at)]].clone();
                let killed = matrix
                    .killed_by
                    .iter()
                    .filter(|(_, rows)| rows.contains(&row));
                variant.kills = killed.map(|(mutant, _)| *mutant).collect();
                let own =
                    &self.settling.statements[group.statement].candidates[variant.of.candidate];
                let is_apart = batch.apart.contains(&(group.statement, *at))
                    || said_of_calls(&variant.candidate) != said_of_calls(own);
                let is_as_before = !is_apart && group.says_as(&self.groups[variant.of.group]);
                variant.judged_as = (!is_as_before).then(|| Group {
                    rows: Vec::new(),
                    ..group.clone()
                });
                judged.push(variant);
            }
        }
        Ok(judged)
    }

    /// Returns the variants whose results could be observed, with these.
    pub(crate) fn seen(&self, variants: Vec<Variant>) -> Result<Vec<Variant>> {
        let mut batch = Batch::new(self.settling.statements, variants);
        let groups = batch.groups(self.groups);
        let groups = self.observed(&mut batch, groups)?.unwrap_or_default();
        let rows = groups
            .iter()
            .flat_map(|group| group.rows.iter().map(|at| (group.statement, *at)));
        Ok(rows
            .map(|row| batch.variants[batch.numbers[&row]].clone())
            .collect())
    }

    /// Observes the statements. Returns the groups with the rows that can be tested, and their
    /// claims; empty if the copy cannot be built.
    fn observed(&self, batch: &mut Batch, mut groups: Vec<Group>) -> Result<Option<Vec<Group>>> {
        let settling = batch.settling(self.settling);
        let written = |told: Told| {
            move |group: &Group, candidates: &[Candidate], writing: &Writing<'_>| {
                group.observing(candidates, writing, told)
            }
        };
        // Otherwise the recorder would search long and in vain for a probe to blame for errors of
        // these tests.
        let next = highest(&groups);
        groups = settling
            .settle_groups(groups, next, &written(Told::Nobody), &|_| {})?
            .groups;
        let observations = self.observations(&settling, &mut groups, &written(Told::Recorder))?;
        let Some(observations) = observations else {
            return Ok(None);
        };
        batch.take_in(&mut groups, &observations, self.settling);
        Ok(Some(groups))
    }

    fn observations(
        &self,
        settling: &Settling<'_>,
        groups: &mut Vec<Group>,
        written: &Written<'_>,
    ) -> Result<Option<Observations>> {
        groups.retain(|group| group.refused.is_none());
        let mirror = settling.mirror_with(groups, written)?;
        let rows = groups
            .iter()
            .map(|group| group.rows.len())
            .max()
            .unwrap_or(0);
        observe(&mirror, self.wanted, self.program, ROWS_NAME, rows)
    }

    /// Returns the mutants that rows of these groups kill, and the groups as they are judged.
    fn matrices(
        &self,
        batch: &Batch,
        mut groups: Vec<Group>,
    ) -> Result<(Vec<Group>, BTreeMap<usize, Matrix>)> {
        let settling = batch.settling(self.settling);
        let judge = |mirror: &Workspace, groups: &[Group]| {
            matrix::judge_again(
                mirror,
                &batch.statements,
                groups,
                self.judgement,
                self.program,
            )
        };
        let mirror = settling.mirror_with(&mut groups, &Group::test)?;
        if let Ok(matrices) = judge(&mirror, &groups) {
            return Ok((groups, matrices));
        }
        let next = highest(&groups);
        let Settled { mirror, groups } =
            settling.settle_groups(groups, next, &Group::test, &|_| {})?;
        let matrices = judge(&mirror, &groups)?;
        Ok((groups, matrices))
    }
}

/// The extraction so far, to which rows of generated inputs are added.
pub(crate) struct Rows<'r> {
    /// The statements with their candidates.
    pub statements: &'r mut [Statement],
    pub groups: &'r mut Vec<Group>,
    /// What their rows kill.
    pub judgement: &'r mut Judgement,
}

impl Rows<'_> {
    /// Adds a group for further rows; returns its index.
    pub(crate) fn add_group(&mut self, group: Group) -> GroupIdx {
        let number = highest(self.groups) + 1;
        self.groups.push(Group { number, ..group });
        GroupIdx::new(self.groups.len() - 1)
    }

    /// Adds a variant beside the row that it was derived from.
    pub(crate) fn add(&mut self, variant: &Variant) -> Passing {
        let group = &mut self.groups[variant.of.group];
        let candidates = &mut self.statements[group.statement].candidates;
        candidates.push(variant.candidate.clone());
        let candidate = CandidateIdx::new(candidates.len() - 1);
        group.rows.push(candidate);
        let row = group.rows.len() - 1;
        let matrix = self.judgement.of_groups.entry(group.number).or_default();
        matrix.passing.insert(row);
        for mutant in &variant.kills {
            matrix.killed_by.entry(*mutant).or_default().insert(row);
        }
        Passing {
            group: variant.of.group,
            row: RowIdx::new(row),
            candidate,
        }
    }
}

/// Returns the highest number of a group.
pub(crate) fn highest(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.number).max().unwrap_or(0)
}

/// Returns what all rows of one test have in common about calls: which are mocked, with which
/// values if these are no column, and how often they happen.
fn said_of_calls(candidate: &Candidate) -> Vec<String> {
    let mocked = candidate.mocks.iter().map(|mock| match mock.may_vary {
        true => mock.call.clone(),
        false => format!("{mock:?}"),
    });
    let counted = candidate.claims.iter().filter_map(|claim| match claim {
        Claim::Called(call, times) => Some(format!("{times} {call}")),
        _ => None,
    });
    mocked.chain(counted).collect()
}

/// Variants as candidates of their statements.
struct Batch {
    statements: Vec<Statement>,
    variants: Vec<Variant>,
    /// Statement and candidate → the variant.
    numbers: BTreeMap<(StatementIdx, CandidateIdx), usize>,
    /// Variants whose claims differ from those of their row.
    apart: BTreeSet<(StatementIdx, CandidateIdx)>,
}

impl Batch {
    fn new(statements: &[Statement], variants: Vec<Variant>) -> Batch {
        Batch {
            statements: statements.to_vec(),
            variants,
            numbers: BTreeMap::new(),
            apart: BTreeSet::new(),
        }
    }

    fn settling<'b>(&'b self, settling: &'b Settling<'b>) -> Settling<'b> {
        Settling {
            statements: &self.statements,
            ..*settling
        }
    }

    /// Returns groups of variants, each like that of the original rows.
    fn groups(&mut self, groups: &[Group]) -> Vec<Group> {
        // Rows of one test have the same panic message, mock the same calls, and count them
        // equally.
        let mut of_groups: BTreeMap<(GroupIdx, Option<String>, Vec<String>), Vec<CandidateIdx>> =
            BTreeMap::new();
        for (number, variant) in self.variants.iter().enumerate() {
            let statement = groups[variant.of.group].statement;
            let candidates = &mut self.statements[statement].candidates;
            candidates.push(variant.candidate.clone());
            let candidate = CandidateIdx::new(candidates.len() - 1);
            self.numbers.insert((statement, candidate), number);
            let key = (
                variant.of.group,
                said_by_panic(&variant.candidate),
                said_of_calls(&variant.candidate),
            );
            of_groups.entry(key).or_default().push(candidate);
        }
        let mut next = highest(groups);
        let mut numbers = BTreeSet::new();
        let made = of_groups.into_iter().map(|((group, ..), rows)| {
            let group = &groups[group];
            let number = if numbers.insert(group.number) {
                group.number
            } else {
                next + 1
            };
            next = next.max(number);
            Group {
                number,
                rows,
                ..group.clone()
            }
        });
        made.collect()
    }

    /// Takes in what was seen: claims that hold, the way that was taken. Rows that tell nothing are dropped; those that do not tell
    /// what the rows tell that they were made from have groups of their own.
    fn take_in(
        &mut self,
        groups: &mut Vec<Group>,
        observations: &Observations,
        settling: &Settling<'_>,
    ) {
        let passed: BTreeSet<u64> = observations
            .passed
            .iter()
            .filter_map(|(test, row)| Some(run_number(number_and_rows(test)?.0, *row)))
            .collect();
        let mut next = highest(groups);
        let mut seen_groups = Vec::new();
        for mut group in std::mem::take(groups) {
            let statement = &mut self.statements[group.statement];
            let writing = settling.writing(statement);
            let first = group.rows.first().map(|at| &statement.candidates[*at]);
            let own_shape = first
                .filter(|first| !untaken_exits::is_open(first))
                .map(|first| shape(first, &writing));
            let mut rows = Vec::new();
            for (row, at) in group.rows.iter().enumerate() {
                let run = run_number(group.number, row);
                if !passed.contains(&run) {
                    continue;
                }
                let own = &statement.candidates[*at];
                let seen = match panics(own) {
                    true => Some(own.clone()),
                    false => observations
                        .seen
                        .get(&run)
                        .and_then(|seen| group.as_seen(own, seen)),
                };
                let Some(seen) = seen else { continue };
                self.variants[self.numbers[&(group.statement, *at)]].candidate = seen.clone();
                statement.candidates[*at] = seen;
                rows.push(*at);
            }
            group.rows = rows;
            let writing = settling.writing(statement);
            for made in group.by_claims(
                own_shape.as_deref(),
                &statement.candidates,
                &writing,
                &mut next,
            ) {
                if made.number != group.number {
                    self.apart
                        .extend(made.rows.iter().map(|at| (group.statement, *at)));
                }
                seen_groups.push(made);
            }
        }
        *groups = seen_groups;
    }
}
