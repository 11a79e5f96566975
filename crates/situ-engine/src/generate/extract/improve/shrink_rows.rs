//! Shortening of long rows: of the shorter inputs with the same kills on the same path, the
//! shortest.

use super::shrink_values::{longest, shorter};
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::choose::outcome::outcome;
use crate::generate::extract::choose::{Choice, Passing, kills};
use crate::generate::extract::compile::settle::Settling;
use crate::generate::extract::judge::rerun::{Rerun, Rows, Variant};
use crate::generate::extract::table::rows::Group;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The length from which on a string or list is too long to read, in chars.
const LONG: usize = 100;

/// The maximum number of rows that are shortened, longest first.
const MAX_ROWS: usize = 40;

/// The maximum total size of all variants, as candidates count it.
const MAX_LETTERS: usize = 600_000;

/// Returns how long the longest text or list of a row is.
fn length(settling: &Settling<'_>, groups: &[Group], row: &Passing) -> usize {
    longest(&settling.statements[groups[row.group].statement].candidates[row.candidate])
}

/// Returns whether a row has an input that is too long to read.
pub(crate) fn is_long(settling: &Settling<'_>, groups: &[Group], row: &Passing) -> bool {
    length(settling, groups, row) > LONG
}

/// Returns the rows for which a shorter variant is equally good, each with the shortest one. The
/// `hidden` mutants are ignored.
pub(crate) fn better(
    rerun: &Rerun<'_>,
    judged: &[Variant],
    hidden: &BTreeSet<u32>,
) -> Vec<(Passing, Variant)> {
    let rows: BTreeSet<Passing> = judged.iter().map(|variant| variant.of).collect();
    let better = rows
        .into_iter()
        .filter_map(|row| Some((row, best(rerun, &row, judged, hidden)?.clone())));
    better.collect()
}

/// Shorter inputs for the long ones of the kept rows.
pub(crate) fn variants(
    settling: &Settling<'_>,
    groups: &[Group],
    choices: &[Choice],
) -> Vec<Variant> {
    let kept = choices.iter().flat_map(|choice| &choice.kept);
    let mut long: Vec<(usize, &Passing)> = kept
        .map(|row| (length(settling, groups, row), row))
        .filter(|(length, _)| *length > LONG)
        .collect();
    long.sort_by_key(|(length, row)| (Reverse(*length), **row));
    long.truncate(MAX_ROWS);
    let mut variants = Vec::new();
    let mut letters = 0;
    for (_, row) in long {
        let statement = &settling.statements[groups[row.group].statement];
        let made = shorter(&statement.candidates[row.candidate], &statement.tokens());
        for candidate in made {
            letters += candidate.size();
            if letters > MAX_LETTERS {
                return variants;
            }
            variants.push(Variant::new(*row, candidate));
        }
    }
    variants
}

/// Replaces long rows by shorter ones; returns their number.
pub(crate) fn replace(
    better: &[(Passing, Variant)],
    rows: &mut Rows<'_>,
    choices: &mut [Choice],
) -> usize {
    let mut replaced = 0;
    for choice in choices {
        let mut kept: Vec<Passing> = Vec::new();
        for row in &choice.kept {
            let Some((_, variant)) = better.iter().find(|(long, _)| long == row) else {
                kept.push(*row);
                continue;
            };
            replaced += 1;
            // Two long rows may be equal when shortened, and a short one may exist already.
            let statement = rows.groups[row.group].statement;
            let is_there = |other: &Passing| {
                other.group == row.group
                    && same_inputs(
                        &rows.statements[statement].candidates[other.candidate],
                        &variant.candidate,
                    )
            };
            if !kept.iter().chain(&choice.kept).any(is_there) {
                kept.push(rows.add(variant));
            }
        }
        choice.kept = kept;
    }
    replaced
}

fn same_inputs(one: &Candidate, other: &Candidate) -> bool {
    one.givens == other.givens && one.arguments == other.arguments
}

/// Returns the shortest variant of a row that is equally good.
fn best<'v>(
    rerun: &Rerun<'_>,
    row: &Passing,
    judged: &'v [Variant],
    hidden: &BTreeSet<u32>,
) -> Option<&'v Variant> {
    let statement = &rerun.settling.statements[rerun.groups[row.group].statement];
    let candidate = &statement.candidates[row.candidate];
    let killed: BTreeSet<u32> = kills(row, rerun.groups, rerun.judgement)
        .difference(hidden)
        .copied()
        .collect();
    let is_worth_it = |variant: &&Variant| {
        variant.of == *row
            && killed.is_subset(&variant.kills)
            && outcome(&variant.candidate) == outcome(candidate)
            && takes_same_way(statement, row, variant, killed.is_empty())
            && variant.candidate.size() < candidate.size()
    };
    judged
        .iter()
        .filter(is_worth_it)
        .min_by_key(|variant| variant.candidate.size())
}

/// Returns whether a variant takes the branches of its row. Without mutants to judge the row,
/// branches in called functions count too.
fn takes_same_way(
    statement: &Statement,
    row: &Passing,
    variant: &Variant,
    all_count: bool,
) -> bool {
    let (before, now) = (
        &statement.candidates[row.candidate].target,
        &variant.candidate.target,
    );
    let own = |branches: &BTreeSet<u32>| {
        branches
            .intersection(&statement.branches)
            .copied()
            .collect::<BTreeSet<_>>()
    };
    own(before) == own(now) && (!all_count || before.is_subset(now))
}
