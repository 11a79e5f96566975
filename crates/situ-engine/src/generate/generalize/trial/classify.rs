//! The classes of candidates, as the paper on Proze has them.

use super::mirror_file::Dropped;
use super::trials::{RowOutcome, Trial, Trials};
use crate::generate::generalize::pair::candidate::{Candidates, Material, Target};
use serde::Serialize;
use std::collections::BTreeSet;

/// How far an assertion depends on the original arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It holds for the original arguments only.
    StronglyCoupled,
    /// It holds for the original arguments and some others, and fails for the rest.
    FalsifiablyCoupled,
    /// It holds for all.
    Decoupled,
    /// It does not hold even for the original arguments, because the copy omits something that it
    /// needs.
    IllFormed,
}

impl Class {
    /// Returns the name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::StronglyCoupled => "strongly-coupled",
            Class::FalsifiablyCoupled => "falsifiably-coupled",
            Class::Decoupled => "decoupled",
            Class::IllFormed => "ill-formed",
        }
    }
}

/// A candidate that has a class.
#[derive(Clone, Debug)]
pub(crate) struct Classified {
    pub candidate: usize,
    pub class: Class,
    /// The rows of the test's own arguments.
    pub original: BTreeSet<usize>,
    /// The rows for which the assertion holds.
    pub valid: BTreeSet<usize>,
    /// The rows for which it fails.
    pub falsifying: BTreeSet<usize>,
    /// The number of rows for which it holds and which the test does not have.
    pub others: usize,
    /// The number of rows for which the assertion itself fails; others may only prevent the copy
    /// from reaching it.
    pub failing: usize,
    /// Whether the assertion kills a mutant of the function, if it fails for no row.
    pub is_general: bool,
}

/// The number of other arguments for which an assertion must hold not to be chance.
const ENOUGH_OTHERS: usize = 2;
/// With fewer, it must hold for one of so many that were tried.
const ENOUGH_OF: usize = 4;

impl Classified {
    /// Returns whether an assertion that fails for some arguments holds for so few others that it
    /// may be chance: of ten bit counts, one happens to give the expected zero.
    pub(crate) fn may_be_chance(&self) -> bool {
        let tried = self.others + self.failing;
        self.class == Class::FalsifiablyCoupled
            && self.others < ENOUGH_OTHERS
            && self.others * ENOUGH_OF < tried
    }

    /// Returns whether nothing shows yet that the assertion depends on the function.
    pub(crate) fn is_open(&self) -> bool {
        self.class == Class::Decoupled
            || self.class == Class::FalsifiablyCoupled && self.failing == 0
    }
}

/// Classifies every candidate that was tried; those without any information have no class.
pub(crate) fn classify(
    material: &Material<'_>,
    made: &Candidates,
    dropped: &Dropped,
    trials: &Trials,
) -> Vec<Classified> {
    let classified = trials
        .of_candidates
        .iter()
        .filter_map(|(candidate, trial)| {
            let target = made.all[*candidate].target;
            let calls = Calls {
                material,
                made,
                trials,
                trial,
                target,
            };
            let classified = classified(*candidate, calls.original(), &calls.own(), trial)?;
            // A generic function that is called with another type here than in the rows.
            let is_of_other_type = material
                .function(made, &made.targets[target])
                .function
                .is_generic
                && dropped.notes.contains_key(&target);
            // Arguments that were random may need the state at that time.
            let is_lost =
                classified.class == Class::IllFormed && (calls.is_by_chance() || is_of_other_type);
            (!is_lost).then_some(classified)
        });
    classified.collect()
}

/// The arguments with which a test calls a function.
struct Calls<'c> {
    material: &'c Material<'c>,
    made: &'c Candidates,
    trials: &'c Trials,
    trial: &'c Trial,
    target: usize,
}

impl Calls<'_> {
    /// Returns the rows of the test at this call.
    fn original(&self) -> BTreeSet<usize> {
        let noted = self.noted(self.target).filter(|_| !self.is_by_chance());
        noted.unwrap_or_else(|| self.recorded())
    }

    /// Returns whether the test's arguments are random: the recording has others.
    fn is_by_chance(&self) -> bool {
        self.noted(self.target).is_some_and(|rows| rows.is_empty()) && self.is_only_call()
    }

    /// Returns whether the test calls the function nowhere else.
    fn is_only_call(&self) -> bool {
        let of = &self.made.targets[self.target];
        let place = |target: &Target| self.material.call(target).range.start;
        let mut same = self
            .made
            .targets
            .iter()
            .filter(|other| other.test == of.test && other.table == of.table);
        same.all(|other| place(other) == place(of))
    }

    /// Returns the rows of the test at any call of the function.
    fn own(&self) -> BTreeSet<usize> {
        let of = &self.made.targets[self.target];
        let targets = self.made.targets.iter().enumerate();
        let same = targets.filter(|(_, other)| other.test == of.test && other.table == of.table);
        let noted = same.filter_map(|(other, _)| self.noted(other)).flatten();
        noted.chain(self.recorded()).collect()
    }

    /// Returns the rows that the test logged, or `None` if its arguments cannot be distinguished.
    fn noted(&self, target: usize) -> Option<BTreeSet<usize>> {
        let calls = self.trials.notes.get(&target)?;
        let is_clear = calls.iter().flatten().all(|digest| digest != "-");
        let is_noted = |row: &&usize| {
            self.trial
                .digests
                .get(*row)
                .is_some_and(|digests| calls.contains(digests))
        };
        let rows: BTreeSet<usize> = self
            .trial
            .outcomes
            .keys()
            .filter(is_noted)
            .copied()
            .collect();
        is_clear.then(|| self.without_look_alikes(rows))
    }

    /// Returns, of rows with the same `Debug` output, those that were recorded in the test.
    fn without_look_alikes(&self, rows: BTreeSet<usize>) -> BTreeSet<usize> {
        let digests = &self.trial.digests;
        let is_alone = |row: &usize| {
            rows.iter()
                .filter(|other| digests.get(other) == digests.get(row))
                .count()
                == 1
        };
        let recorded = self.recorded();
        let kept: BTreeSet<usize> = rows
            .iter()
            .filter(|row| is_alone(row) || recorded.contains(row))
            .copied()
            .collect();
        if kept.is_empty() { rows } else { kept }
    }

    /// Returns the rows that were recorded in the test.
    fn recorded(&self) -> BTreeSet<usize> {
        let target = &self.made.targets[self.target];
        let is_own = |row: &&usize| self.material.is_of_test(self.made, target, **row);
        self.trial.outcomes.keys().filter(is_own).copied().collect()
    }
}

/// Classifies a candidate with these original rows. `own` are the rows at any call of the function
/// in the test, which do not count as other arguments.
fn classified(
    candidate: usize,
    original: BTreeSet<usize>,
    own: &BTreeSet<usize>,
    trial: &Trial,
) -> Option<Classified> {
    let with = |wanted: bool| {
        let is_wanted = |outcome: &RowOutcome| match outcome {
            RowOutcome::Skips => false,
            outcome => (*outcome == RowOutcome::Passes) == wanted,
        };
        let rows = trial
            .outcomes
            .iter()
            .filter(move |(_, outcome)| is_wanted(outcome));
        rows.map(|(row, _)| *row).collect::<BTreeSet<usize>>()
    };
    let (valid, falsifying) = (with(true), with(false));
    let is_made = |row: &usize| valid.contains(row) || falsifying.contains(row);
    let original: BTreeSet<usize> = original.into_iter().filter(is_made).collect();
    let is_other = |row: &&usize| !original.contains(*row) && !own.contains(*row);
    if original.is_empty()
        || !valid
            .iter()
            .chain(&falsifying)
            .any(|row| !original.contains(row))
    {
        return None;
    }
    let class = match () {
        () if original.iter().any(|row| falsifying.contains(row)) => Class::IllFormed,
        () if !valid.iter().any(|row| is_other(&row)) => Class::StronglyCoupled,
        () if falsifying.is_empty() => Class::Decoupled,
        () => Class::FalsifiablyCoupled,
    };
    let others = valid.iter().filter(is_other).count();
    let failing = trial
        .outcomes
        .values()
        .filter(|outcome| **outcome == RowOutcome::Fails)
        .count();
    Some(Classified {
        candidate,
        class,
        original,
        valid,
        falsifying,
        others,
        failing,
        is_general: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(outcomes: &[(usize, RowOutcome)], original: &[usize], own: &[usize]) -> Option<Class> {
        let trial = Trial {
            outcomes: outcomes.iter().copied().collect(),
            ..Trial::default()
        };
        let own = own.iter().copied().collect();
        classified(0, original.iter().copied().collect(), &own, &trial)
            .map(|classified| classified.class)
    }

    #[test]
    fn classes_are_those_of_the_paper() {
        use RowOutcome::{Dies, Fails, PanicsBefore, Passes};
        assert_eq!(
            class(&[(0, Passes), (1, Fails), (2, Dies)], &[0], &[]),
            Some(Class::StronglyCoupled)
        );
        assert_eq!(
            class(&[(0, Passes), (1, Passes), (2, PanicsBefore)], &[0], &[]),
            Some(Class::FalsifiablyCoupled)
        );
        assert_eq!(
            class(&[(0, Passes), (1, Passes)], &[0], &[]),
            Some(Class::Decoupled)
        );
        assert_eq!(
            class(&[(0, Fails), (1, Passes)], &[0], &[]),
            Some(Class::IllFormed)
        );
        let all_originals_count = class(&[(0, Passes), (1, Fails), (2, Fails)], &[0, 1], &[]);
        assert_eq!(all_originals_count, Some(Class::IllFormed));
    }

    #[test]
    fn what_the_test_has_at_another_call_is_no_other_argument() {
        use RowOutcome::{Fails, Passes};
        assert_eq!(
            class(&[(0, Passes), (1, Passes), (2, Fails)], &[0], &[0, 1]),
            Some(Class::StronglyCoupled)
        );
        assert_eq!(
            class(&[(0, Passes), (1, Fails), (2, Passes)], &[0], &[0, 1]),
            Some(Class::FalsifiablyCoupled)
        );
        assert_eq!(
            class(&[(0, Passes), (1, Passes)], &[0], &[0, 1]),
            Some(Class::StronglyCoupled)
        );
    }

    #[test]
    fn where_the_assertion_is_not_made_it_says_nothing() {
        use RowOutcome::{Fails, Passes, Skips};
        assert_eq!(
            class(&[(0, Passes), (1, Skips), (2, Fails)], &[0], &[]),
            Some(Class::StronglyCoupled)
        );
        assert_eq!(
            class(&[(0, Passes), (1, Skips), (2, Passes)], &[0], &[]),
            Some(Class::Decoupled)
        );
        assert_eq!(class(&[(0, Skips), (1, Passes)], &[0], &[]), None);
    }

    #[test]
    fn one_other_argument_of_many_may_be_chance() {
        use RowOutcome::{Fails, PanicsBefore, Passes};
        let may_be_chance = |others: &[RowOutcome]| {
            let outcomes = [Passes]
                .into_iter()
                .chain(others.iter().copied())
                .enumerate()
                .collect();
            let trial = Trial {
                outcomes,
                ..Trial::default()
            };
            classified(0, BTreeSet::from([0]), &BTreeSet::new(), &trial)
                .unwrap()
                .may_be_chance()
        };
        assert!(may_be_chance(&[Passes, Fails, Fails, Fails, Fails]));
        assert!(!may_be_chance(&[Passes, Fails, Fails, Fails]));
        assert!(!may_be_chance(&[
            Passes, Passes, Fails, Fails, Fails, Fails, Fails, Fails, Fails
        ]));
        assert!(!may_be_chance(&[Passes]), "it does not fail at all");
        assert!(
            !may_be_chance(&[Passes, Fails, PanicsBefore, PanicsBefore, PanicsBefore]),
            "it is seldom made"
        );
    }

    #[test]
    fn without_original_or_without_other_arguments_there_is_no_class() {
        assert_eq!(class(&[(0, RowOutcome::Passes)], &[0], &[]), None);
        assert_eq!(class(&[(0, RowOutcome::Passes)], &[], &[]), None);
    }
}
