//! The classes of candidates, as the paper on Proze has them.

use super::candidate::{Candidates, Material};
use super::trials::{RowOutcome, Trial, Trials};
use serde::Serialize;
use std::collections::BTreeSet;

/// How far an assertion is tied to the argument that the test was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It holds for the original arguments only.
    StronglyCoupled,
    /// It holds for the original arguments and some others, and fails for the rest.
    FalsifiablyCoupled,
    /// It holds for all.
    Decoupled,
    /// It does not even hold for the original arguments: without the rest of the test it says something else.
    IllFormed,
}

impl Class {
    /// As people read it.
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
pub struct Classified {
    /// The candidate, by number.
    pub candidate: usize,
    /// Its class.
    pub class: Class,
    /// The rows of the test's own arguments.
    pub original: BTreeSet<usize>,
    /// The rows for which the assertion holds.
    pub valid: BTreeSet<usize>,
    /// The rows for which it fails.
    pub falsifying: BTreeSet<usize>,
    /// Whether the assertion itself fails for some row; others may only keep the copy from coming to it.
    pub is_falsified: bool,
    /// Whether the assertion fails when the function is wrong, where no row makes it fail.
    pub is_general: bool,
}

impl Classified {
    /// Whether nothing shows yet that the assertion looks at what the function does.
    pub fn is_open(&self) -> bool {
        self.class == Class::Decoupled || self.class == Class::FalsifiablyCoupled && !self.is_falsified
    }
}

/// Gives every candidate that was tried its class; those that say nothing have none.
pub fn classify(material: &Material<'_>, made: &Candidates, trials: &Trials) -> Vec<Classified> {
    let classified = trials.of_candidates.iter().filter_map(|(candidate, trial)| {
        let original = originals(material, made, *candidate, trial, trials);
        classified(*candidate, original, trial)
    });
    classified.collect()
}

/// The rows that the test itself calls its target with.
fn originals(
    material: &Material<'_>,
    made: &Candidates,
    candidate: usize,
    trial: &Trial,
    trials: &Trials,
) -> BTreeSet<usize> {
    let target = made.all[candidate].target;
    let rows = trial.outcomes.keys().copied();
    let noted = trials.notes.get(&target);
    let is_clear = noted.is_some_and(|calls| calls.iter().flatten().all(|digest| digest != "-"));
    match noted {
        Some(calls) if is_clear => {
            rows.filter(|row| trial.digests.get(row).is_some_and(|digests| calls.contains(digests))).collect()
        }
        _ => rows.filter(|row| material.is_of_test(made, &made.targets[target], *row)).collect(),
    }
}

fn classified(candidate: usize, original: BTreeSet<usize>, trial: &Trial) -> Option<Classified> {
    let with = |wanted: bool| {
        let rows = trial.outcomes.iter().filter(move |(_, outcome)| (**outcome == RowOutcome::Passes) == wanted);
        rows.map(|(row, _)| *row).collect::<BTreeSet<usize>>()
    };
    let (valid, falsifying) = (with(true), with(false));
    let others = trial.outcomes.len() - original.len();
    if original.is_empty() || others == 0 {
        return None;
    }
    let class = match () {
        () if original.iter().any(|row| falsifying.contains(row)) => Class::IllFormed,
        () if valid.len() == original.len() => Class::StronglyCoupled,
        () if falsifying.is_empty() => Class::Decoupled,
        () => Class::FalsifiablyCoupled,
    };
    let is_falsified = trial.outcomes.values().any(|outcome| *outcome == RowOutcome::Fails);
    Some(Classified { candidate, class, original, valid, falsifying, is_falsified, is_general: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(outcomes: &[(usize, RowOutcome)], original: &[usize]) -> Option<Class> {
        let trial = Trial { outcomes: outcomes.iter().copied().collect(), ..Trial::default() };
        classified(0, original.iter().copied().collect(), &trial).map(|classified| classified.class)
    }

    #[test]
    fn classes_are_those_of_the_paper() {
        use RowOutcome::{Dies, Fails, PanicsBefore, Passes};
        assert_eq!(class(&[(0, Passes), (1, Fails), (2, Dies)], &[0]), Some(Class::StronglyCoupled));
        assert_eq!(class(&[(0, Passes), (1, Passes), (2, PanicsBefore)], &[0]), Some(Class::FalsifiablyCoupled));
        assert_eq!(class(&[(0, Passes), (1, Passes)], &[0]), Some(Class::Decoupled));
        assert_eq!(class(&[(0, Fails), (1, Passes)], &[0]), Some(Class::IllFormed));
        assert_eq!(
            class(&[(0, Passes), (1, Fails), (2, Fails)], &[0, 1]),
            Some(Class::IllFormed),
            "all originals count"
        );
    }

    #[test]
    fn without_original_or_without_other_arguments_there_is_no_class() {
        assert_eq!(class(&[(0, RowOutcome::Passes)], &[0]), None);
        assert_eq!(class(&[(0, RowOutcome::Passes)], &[]), None);
    }
}
