//! Which rows of each statement are worth a test.

pub(crate) mod outcome;
pub(crate) mod rank;
pub(crate) mod reduce;
pub(crate) mod shortlist;

use super::candidate::statement::{Statement, StatementIdx};
use super::candidate::{Candidate, CandidateIdx, Claim};
use super::judge::matrix::Judgement;
use super::table::rows::{Group, GroupIdx, RowIdx};
use crate::base::idx::enumerated;
use crate::record::plan::Position;
use outcome::with_other_outcomes;
use reduce::{Algorithm, Row, covering, reduce};
use serde::{Deserialize, Serialize};
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How far candidates are reduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// Not at all: every candidate that passes.
    Base,
    /// Those that add a branch of the statement or of what follows.
    Coverage,
    /// The fewest that kill every mutant that any candidate kills.
    #[default]
    Mutants,
}

/// A candidate that passes: its group and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Passing {
    /// The index of the group.
    pub group: GroupIdx,
    /// The index of the row in the group.
    pub row: RowIdx,
    /// The candidate of the statement.
    pub candidate: CandidateIdx,
}

/// The candidates of a statement that remain after each step.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// All that pass.
    pub passing: Vec<Passing>,
    /// Passing ones that claim less than others.
    pub weaker: Vec<Passing>,
    /// Those that coverage keeps.
    pub after_coverage: Vec<Passing>,
    /// The final choice.
    pub kept: Vec<Passing>,
}

/// Chooses rows for every statement. Mutants of operators in `held_back` do not count.
pub(super) fn choose(
    statements: &[Statement],
    groups: &[Group],
    judgement: &Judgement,
    keep: Keep,
    algorithm: Algorithm,
    held_back: &BTreeSet<String>,
) -> Vec<Choice> {
    let chosen = statements.iter().enumerate().map(|(at, statement)| {
        let all = passing(StatementIdx::new(at), groups, judgement);
        let passing = without_weaker(statement, all.clone());
        let weaker = all
            .into_iter()
            .filter(|row| !passing.contains(row))
            .collect();
        let seen: BTreeSet<u32> = judgement.mutants[at]
            .iter()
            .filter(|mutant| !held_back.contains(&mutant.operator))
            .map(|mutant| mutant.id)
            .collect();
        let cost = |row: &Passing| cost(statement, row);
        let covered = covering(
            algorithm,
            &rows_of(&passing, |row| branches(statement, row), cost),
        );
        let after_coverage: Vec<Passing> = covered.iter().map(|at| passing[*at]).collect();
        // Of two with the same kills, the one that covers more branches is more likely to kill
        // unforeseen mutants.
        let preferred = |row: &Passing| {
            let taken = statement.candidates[row.candidate]
                .context
                .len()
                .min(MAX_BRANCHES);
            cost(row) + (MAX_BRANCHES - taken) * BRANCH_WORTH
        };
        let worth = |row: &Passing| {
            let kills = kills(row, groups, judgement);
            let branches = own_branches(statement, &statement.candidates[row.candidate]);
            kills.intersection(&seen).copied().chain(branches).collect()
        };
        let by_kills = rows_of(&passing, worth, preferred);
        let reduced: Vec<Passing> = reduce(algorithm, &by_kills)
            .into_iter()
            .map(|at| passing[at])
            .collect();
        let kept = match keep {
            Keep::Base => passing.clone(),
            Keep::Coverage => after_coverage.clone(),
            Keep::Mutants => {
                let kept = if reduced.is_empty() {
                    after_coverage.clone()
                } else {
                    reduced
                };
                // For a fragment, each branch and exit counts already.
                if is_fragment(statement) {
                    kept
                } else {
                    with_other_outcomes(statement, &passing, kept)
                }
            }
        };
        Choice {
            passing,
            weaker,
            after_coverage,
            kept,
        }
    });
    chosen.collect()
}

/// Returns whether a statement is a fragment or a closure.
pub(super) fn is_fragment(statement: &Statement) -> bool {
    matches!(
        statement.site.position,
        Position::Fragment | Position::Closure
    )
}

/// How many chars a branch is worth, and how many branches count.
const BRANCH_WORTH: usize = 3;
const MAX_BRANCHES: usize = 40;

fn rows_of(
    passing: &[Passing],
    meets: impl Fn(&Passing) -> BTreeSet<u32>,
    cost: impl Fn(&Passing) -> usize,
) -> Vec<Row> {
    passing
        .iter()
        .map(|row| Row {
            meets: meets(row),
            cost: cost(row),
        })
        .collect()
}

fn passing(statement: StatementIdx, groups: &[Group], judgement: &Judgement) -> Vec<Passing> {
    let mut passing = Vec::new();
    for (at, group) in enumerated(groups) {
        let Some(matrix) = judgement.of_groups.get(&group.number) else {
            continue;
        };
        if group.statement != statement || group.refused.is_some() {
            continue;
        }
        let rows = matrix
            .passing
            .iter()
            .filter_map(|row| Some((RowIdx::new(*row), *group.rows.get(*row)?)));
        passing.extend(rows.map(|(row, candidate)| Passing {
            group: at,
            row,
            candidate,
        }));
    }
    passing
}

/// Drops rows that claim less if the row of the same value set that claims more passes: rows about
/// the first elements of a loop, or without the changes of mocked calls.
fn without_weaker(statement: &Statement, passing: Vec<Passing>) -> Vec<Passing> {
    let candidate = |row: &Passing| &statement.candidates[row.candidate];
    let is_weaker = |row: &Passing| {
        candidate(row).is_weaker
            || candidate(row)
                .claims
                .iter()
                .any(|claim| matches!(claim, Claim::FirstItems(_)))
    };
    let (weaker, mut strong): (Vec<Passing>, Vec<Passing>) =
        passing.into_iter().partition(is_weaker);
    let left = weaker.into_iter().filter(|row| {
        !strong.iter().any(|other| {
            candidate(other).givens == candidate(row).givens
                && candidate(other).context == candidate(row).context
        })
    });
    let left: Vec<Passing> = left.collect();
    strong.extend(left);
    strong
}

/// Returns the mutants that a row kills.
pub(super) fn kills(row: &Passing, groups: &[Group], judgement: &Judgement) -> BTreeSet<u32> {
    let Some(matrix) = judgement.of_groups.get(&groups[row.group].number) else {
        return BTreeSet::new();
    };
    matrix
        .killed_by
        .iter()
        .filter(|(_, rows)| rows.contains(&row.row.at()))
        .map(|(mutant, _)| *mutant)
        .collect()
}

/// Returns the branches of the statement, and those after it, distinguished by a bit.
fn branches(statement: &Statement, row: &Passing) -> BTreeSet<u32> {
    let candidate = &statement.candidates[row.candidate];
    // Called functions are tested at their own place.
    let context = candidate
        .context
        .intersection(&statement.context)
        .map(|branch| branch | 1 << 31);
    candidate.target.iter().copied().chain(context).collect()
}

/// Returns the branches and the exit of a candidate in a fragment, as numbers that no mutant has:
/// each is worth a row.
fn own_branches(statement: &Statement, candidate: &Candidate) -> Vec<u32> {
    if !is_fragment(statement) {
        return Vec::new();
    }
    let exit = match candidate.claims.first() {
        Some(Claim::Panics(_)) => 1,
        Some(Claim::Breaks(_)) => 2,
        Some(Claim::Continues(_)) => 3,
        Some(Claim::Returns(value)) if is_failure(value) => 4,
        Some(Claim::Returns(_)) => 5,
        _ => 0,
    };
    let taken = numbered_branches(statement, &candidate.target);
    taken.into_iter().chain([u32::MAX - exit]).collect()
}

/// Returns the given branches that are in a fragment, as numbers that no mutant has; empty for
/// statements.
pub(super) fn numbered_branches(statement: &Statement, branches: &BTreeSet<u32>) -> BTreeSet<u32> {
    if !is_fragment(statement) {
        return BTreeSet::new();
    }
    let own = statement
        .branches
        .iter()
        .enumerate()
        .filter(|(_, mark)| branches.contains(mark));
    own.map(|(number, _)| u32::MAX - EXITS - number as u32)
        .collect()
}

/// The number of distinguished kinds of exits.
const EXITS: u32 = 6;

/// Returns whether a fragment that returns this value most likely exited by `?`.
fn is_failure(value: &Value) -> bool {
    matches!(value, Value::Struct { variant: Some(variant), .. } if variant == "None" || variant == "Err")
}

/// Returns the length for a reader.
fn cost(statement: &Statement, row: &Passing) -> usize {
    statement.candidates[row.candidate].size()
}

/// Returns the mutants that rows kill together.
pub(super) fn killed_by(
    kept: &[Passing],
    groups: &[Group],
    judgement: &Judgement,
) -> BTreeSet<u32> {
    kept.iter()
        .flat_map(|row| kills(row, groups, judgement))
        .collect()
}

/// Kept rows by their group, in order.
pub(super) fn by_group(kept: &[Passing]) -> BTreeMap<GroupIdx, Vec<Passing>> {
    let mut groups: BTreeMap<GroupIdx, Vec<Passing>> = BTreeMap::new();
    for row in kept {
        groups.entry(row.group).or_default().push(*row);
    }
    groups
}
