//! What is better than the kept rows: shorter inputs for long ones, and, where that is asked, inputs near recorded ones that kill
//! what nobody kills. All of them are tried at once.

use super::choose::{Choice, Passing};
use super::claims::Claim;
use super::near::near;
use super::reduce::{Algorithm, Row, reduce};
use super::rerun::{Rerun, Rows, Variant};
use super::shorten;
use anyhow::Result;
use std::collections::BTreeSet;

/// Rows of one statement that others are looked for near of.
const MOST_NEIGHBOURS: usize = 3;

/// What was found.
#[derive(Debug, Default)]
pub struct Improvements {
    shorter: Vec<(Passing, Variant)>,
    /// Statement → what is added to it.
    near: Vec<(usize, Variant)>,
}

/// Looks for improvements; inputs near recorded ones only where they are wanted. Where there is nothing to try, nothing is built.
pub fn improvements(
    rerun: &Rerun<'_>,
    choices: &[Choice],
    is_near_wanted: bool,
    step: &dyn Fn(&str),
) -> Result<Improvements> {
    let mut variants = shorten::variants(rerun.settling, rerun.groups, choices);
    if is_near_wanted {
        variants.extend(near_variants(rerun, choices));
    }
    if variants.is_empty() {
        return Ok(Improvements::default());
    }
    let judged = rerun.judged(variants, step)?;
    let (near, shorter): (Vec<Variant>, Vec<Variant>) =
        judged.into_iter().partition(|variant| variant.candidate.is_near);
    Ok(Improvements { shorter: shorten::better(rerun, &shorter), near: worthwhile(rerun, near) })
}

impl Improvements {
    /// Takes the improvements over. Gives how many rows became shorter, and how many inputs are new.
    pub fn take_in(self, rows: &mut Rows<'_>, choices: &mut [Choice]) -> (usize, usize) {
        let shortened = shorten::replace(&self.shorter, rows, choices);
        for (statement, variant) in &self.near {
            choices[*statement].kept.push(rows.add(variant));
        }
        (shortened, self.near.len())
    }
}

/// The mutants that a recorded row of a statement or a test of the crate kills.
fn known(rerun: &Rerun<'_>, statement: usize) -> BTreeSet<u32> {
    rerun.judgement.killed_by_unit.iter().copied().chain(rerun.killed(statement)).collect()
}

fn near_variants(rerun: &Rerun<'_>, choices: &[Choice]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        let known = known(rerun, at);
        if rerun.judgement.mutants[at].iter().all(|mutant| known.contains(&mutant.id)) {
            continue;
        }
        let statement = &rerun.settling.statements[at];
        // What panics is not shown, and what is long would be long again.
        let is_base = |row: &&Passing| {
            let panics = |claim: &Claim| matches!(claim, Claim::Panics(_));
            !statement.candidates[row.candidate].claims.iter().any(panics)
                && !shorten::is_long(rerun.settling, rerun.groups, row)
        };
        for row in choice.kept.iter().filter(is_base).take(MOST_NEIGHBOURS) {
            let made = near(&statement.candidates[row.candidate], &statement.tokens()).into_iter();
            variants.extend(made.map(|candidate| Variant { of: *row, candidate, kills: BTreeSet::new() }));
        }
    }
    variants
}

/// The fewest variants that kill every mutant that was alive and that any of them kills.
fn worthwhile(rerun: &Rerun<'_>, judged: Vec<Variant>) -> Vec<(usize, Variant)> {
    let statement = |variant: &Variant| rerun.groups[variant.of.group].statement;
    let statements: BTreeSet<usize> = judged.iter().map(statement).collect();
    let mut kept = Vec::new();
    for at in statements {
        let own: Vec<&Variant> = judged.iter().filter(|variant| statement(variant) == at).collect();
        let known = known(rerun, at);
        let rows = own.iter().map(|variant| Row {
            meets: variant.kills.difference(&known).copied().collect(),
            cost: variant.candidate.size(),
        });
        let rows: Vec<Row> = rows.collect();
        kept.extend(reduce(Algorithm::Greedy, &rows).into_iter().map(|row| (at, own[row].clone())));
    }
    kept
}
