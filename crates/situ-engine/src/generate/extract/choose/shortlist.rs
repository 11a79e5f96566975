//! Which of the kept rows are worth a reader's time: those that kill a mutant which the crate's own tests leave alive, or
//! take a branch that nothing took.

use super::{Choice, Passing, kills, numbered_branches};
use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::judge::matrix::Judgement;
use crate::generate::extract::table::rows::Group;
use crate::generate::worth::{Offer, choose};
use std::collections::{BTreeMap, BTreeSet};

/// What rows are chosen from.
pub(crate) struct Shortlist<'s> {
    /// The statements that have candidates.
    pub statements: &'s [Statement],
    /// Their groups.
    pub groups: &'s [Group],
    /// What the mutants said.
    pub judgement: &'s Judgement,
    /// Statements whose rows all stay: their tests are replaced.
    pub stays: &'s dyn Fn(&Statement) -> bool,
}

impl Shortlist<'_> {
    /// The choices with the fewest rows that together have all worth of the kept ones.
    pub(crate) fn of(&self, choices: &[Choice]) -> Vec<Choice> {
        let rows: Vec<(usize, Passing)> = choices
            .iter()
            .enumerate()
            .flat_map(|(at, choice)| choice.kept.iter().map(move |row| (at, *row)))
            .collect();
        let mut branches: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        let offers: Vec<Offer> = rows
            .iter()
            .map(|(at, row)| self.offer(*at, row, &mut branches))
            .collect();
        let chosen: BTreeSet<usize> = choose(&offers, usize::MAX).into_iter().collect();
        let is_kept = |at: usize, row: &Passing| {
            (self.stays)(&self.statements[at])
                || chosen.iter().any(|place| rows[*place] == (at, *row))
        };
        let kept = choices.iter().enumerate().map(|(at, choice)| Choice {
            kept: choice
                .kept
                .iter()
                .copied()
                .filter(|row| is_kept(at, row))
                .collect(),
            ..choice.clone()
        });
        kept.collect()
    }

    fn offer(&self, at: usize, row: &Passing, branches: &mut BTreeMap<(usize, u32), u32>) -> Offer {
        let statement = &self.statements[at];
        let candidate = &statement.candidates[row.candidate];
        let is_survivor = |id: &u32| {
            !self.judgement.killed_by_unit.contains(id) && !self.judgement.open_by_unit.contains(id)
        };
        let new: BTreeSet<u32> = candidate
            .target
            .difference(&statement.taken)
            .copied()
            .collect();
        let reaches = numbered_branches(statement, &new)
            .into_iter()
            .map(|branch| {
                let next = branches.len() as u32;
                *branches.entry((at, branch)).or_insert(next)
            })
            .collect();
        Offer {
            kills: kills(row, self.groups, self.judgement)
                .into_iter()
                .filter(is_survivor)
                .collect(),
            reaches,
            lines: 1,
            cost: candidate.size(),
        }
    }
}
