//! Bisection of tests for an error that does not show which test causes it: suspects are set aside,
//! and compiled again in parts.

use crate::base::idx::indices;
use crate::generate::extract::candidate::statement::StatementIdx;
use crate::generate::extract::table::group_refusal::GroupRefusal;
use crate::generate::extract::table::rows::{Group, GroupIdx};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of trials.
const MAX_TRIALS: usize = 24;

/// The state of a group during the bisection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Trial {
    /// It is not suspected.
    #[default]
    None,
    /// It waits for the trial of the part with this number.
    Aside(usize),
    /// It is the only change since the last successful compilation.
    On,
}

/// The parts that wait for their trial.
#[derive(Default)]
pub(crate) struct Trials {
    /// The number of trials so far.
    pub count: usize,
    /// The number of parts so far.
    parts: usize,
    /// The error of each part.
    waiting: BTreeMap<usize, GroupRefusal>,
}

impl Trials {
    /// Acquits the groups on trial after a successful compilation, and starts the next trial;
    /// returns whether there is one.
    pub(crate) fn next(&mut self, groups: &mut [Group]) -> bool {
        groups
            .iter_mut()
            .filter(|group| group.trial == Trial::On)
            .for_each(|group| group.trial = Trial::None);
        let Some((part, reason)) = self.waiting.pop_first() else {
            return false;
        };
        self.count += 1;
        let own = || Trial::Aside(part);
        if self.count > MAX_TRIALS {
            groups
                .iter_mut()
                .filter(|group| group.trial == own())
                .for_each(|group| group.give_up(&reason));
            return self.next(groups);
        }
        groups
            .iter_mut()
            .filter(|group| group.trial == own())
            .for_each(|group| group.trial = Trial::On);
        true
    }

    /// Sets suspects aside in two parts; a single suspect is to blame. Returns whether there are
    /// any.
    pub(crate) fn set_aside(
        &mut self,
        suspects: &[(GroupIdx, GroupRefusal)],
        groups: &mut [Group],
    ) -> bool {
        // Without the groups on trial there was no such error.
        let back: Vec<GroupIdx> = indices(groups)
            .filter(|at| groups[*at].is_on_trial())
            .collect();
        let Some((_, reason)) = suspects.first() else {
            return false;
        };
        let suspected = if back.is_empty() {
            suspects.iter().map(|(at, _)| *at).collect()
        } else {
            back
        };
        if let [only] = suspected.as_slice() {
            groups[*only].give_up(reason);
            return true;
        }
        let Some(parts) = split(&suspected, reason, groups) else {
            suspected.iter().for_each(|at| groups[*at].give_up(reason));
            return true;
        };
        for part in parts {
            self.parts += 1;
            self.waiting.insert(self.parts, reason.clone());
            part.iter()
                .for_each(|at| groups[*at].trial = Trial::Aside(self.parts));
        }
        true
    }
}

/// Splits suspects: half of their statements each, or of one statement the first group and the
/// others. Returns `None` if a group of that statement was already to blame, because the others
/// mostly have the same fault.
fn split(
    suspected: &[GroupIdx],
    reason: &GroupRefusal,
    groups: &[Group],
) -> Option<[Vec<GroupIdx>; 2]> {
    let statements: BTreeSet<StatementIdx> =
        suspected.iter().map(|at| groups[*at].statement).collect();
    let middle = statements.iter().nth(statements.len() / 2)?;
    let (one, other): (Vec<GroupIdx>, Vec<GroupIdx>) = match statements.len() {
        1 => {
            let is_bad = |group: &Group| {
                group.statement == *middle && group.refused.as_ref() == Some(reason)
            };
            if groups.iter().any(is_bad) {
                return None;
            }
            suspected.iter().partition(|at| **at == suspected[0])
        }
        _ => suspected
            .iter()
            .partition(|at| groups[**at].statement < *middle),
    };
    Some([one, other])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::extract::candidate::CandidateIdx;

    fn group(number: usize, statement: usize) -> Group {
        let (rows, comparisons, generics) = (vec![CandidateIdx::new(0)], Vec::new(), Vec::new());
        Group {
            number,
            statement: StatementIdx::new(statement),
            rows,
            comparisons,
            generics,
            traits: Vec::new(),
            refused: None,
            trial: Trial::None,
        }
    }

    /// Returns which of `all` groups, `of_one` for each statement, are dropped if these are to
    /// blame, and the number of trials.
    fn given_up(all: usize, of_one: usize, to_blame: &[usize]) -> (Vec<usize>, usize) {
        let mut groups: Vec<Group> = (0..all)
            .map(|number| group(number, number / of_one))
            .collect();
        let mut trials = Trials::default();
        loop {
            let standing: Vec<GroupIdx> =
                indices(&groups).filter(|at| groups[*at].stands()).collect();
            let is_bad = standing.iter().any(|at| to_blame.contains(&at.at()));
            let suspects: Vec<(GroupIdx, GroupRefusal)> = standing
                .into_iter()
                .map(|at| (at, GroupRefusal::Rejected("an error".to_owned())))
                .collect();
            match is_bad {
                true => assert!(trials.set_aside(&suspects, &mut groups)),
                false if trials.next(&mut groups) => {}
                false => break,
            }
        }
        let refused = groups
            .iter()
            .filter(|group| group.refused.is_some())
            .map(|group| group.number)
            .collect();
        (refused, trials.count)
    }

    #[test]
    fn only_what_is_to_blame_is_given_up() {
        assert_eq!(given_up(8, 1, &[5]).0, [5]);
        assert_eq!(given_up(7, 1, &[0, 6]).0, [0, 6]);
        assert_eq!(given_up(1, 1, &[0]), (vec![0], 0));
        assert_eq!(given_up(3, 1, &[]).0, [0; 0]);
        assert_eq!(given_up(4, 2, &[2]).0, [2]);
    }

    #[test]
    fn a_statement_of_which_two_parts_are_to_blame_is_given_up_soon() {
        let (refused, count) = given_up(40, 20, &(20..40).collect::<Vec<_>>());
        assert_eq!(refused, (20..40).collect::<Vec<_>>());
        assert!(count <= 4, "{count}");
    }

    #[test]
    fn the_search_has_an_end_that_gives_up_too_much_rather_than_too_little() {
        let all: Vec<usize> = (0..64).collect();
        let (refused, count) = given_up(64, 1, &all);
        assert_eq!(refused, all);
        assert!(count > MAX_TRIALS, "{count}");
    }
}
