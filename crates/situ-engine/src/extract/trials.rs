//! Tests of which some are to blame for an error that does not say which: they are set aside, and come back in parts.

use super::rows::Group;
use std::collections::BTreeMap;

/// So many times tests come back.
const MOST_TRIALS: usize = 24;

/// What a group is while it is looked for the one that is to blame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trial {
    /// Nobody suspects it.
    #[default]
    None,
    /// It waits for the part of this number to come back.
    Aside(usize),
    /// It has come back, and nothing else has changed.
    On,
}

/// The parts that wait.
#[derive(Default)]
pub struct Trials {
    /// How often a part has come back.
    pub count: usize,
    /// How many parts there have been.
    parts: usize,
    /// Part → what the error says.
    waiting: BTreeMap<usize, String>,
}

impl Trials {
    /// Everything compiles: what came back is not to blame, and the next part does. Says whether there is one.
    pub fn next(&mut self, groups: &mut [Group]) -> bool {
        groups.iter_mut().filter(|group| group.trial == Trial::On).for_each(|group| group.trial = Trial::None);
        let Some((part, reason)) = self.waiting.pop_first() else { return false };
        self.count += 1;
        let own = || Trial::Aside(part);
        if self.count > MOST_TRIALS {
            groups.iter_mut().filter(|group| group.trial == own()).for_each(|group| group.give_up(&reason));
            return self.next(groups);
        }
        groups.iter_mut().filter(|group| group.trial == own()).for_each(|group| group.trial = Trial::On);
        true
    }

    /// Sets suspects aside in two parts; one alone is to blame. Says whether there are any.
    pub fn set_aside(&mut self, suspects: &[(usize, String)], groups: &mut [Group]) -> bool {
        // Without what has come back there was no such error.
        let back: Vec<usize> = (0..groups.len()).filter(|at| groups[*at].is_on_trial()).collect();
        let Some((_, reason)) = suspects.first() else { return false };
        let suspected = if back.is_empty() { suspects.iter().map(|(at, _)| *at).collect() } else { back };
        if let [only] = suspected.as_slice() {
            groups[*only].give_up(reason);
            return true;
        }
        for half in suspected.chunks(suspected.len().div_ceil(2)) {
            self.parts += 1;
            self.waiting.insert(self.parts, reason.clone());
            half.iter().for_each(|at| groups[*at].trial = Trial::Aside(self.parts));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(number: usize) -> Group {
        let (rows, comparisons, generics) = (vec![0], Vec::new(), Vec::new());
        Group { number, statement: 0, rows, comparisons, generics, refused: None, trial: Trial::None }
    }

    /// Which of so many groups are given up, where these are to blame, and how often a part came back.
    fn given_up(all: usize, to_blame: &[usize]) -> (Vec<usize>, usize) {
        let mut groups: Vec<Group> = (0..all).map(group).collect();
        let mut trials = Trials::default();
        loop {
            let standing: Vec<usize> = (0..all).filter(|at| groups[*at].stands()).collect();
            let is_bad = standing.iter().any(|at| to_blame.contains(at));
            let suspects: Vec<(usize, String)> = standing.into_iter().map(|at| (at, "an error".to_owned())).collect();
            match is_bad {
                true => assert!(trials.set_aside(&suspects, &mut groups)),
                false if trials.next(&mut groups) => {}
                false => break,
            }
        }
        let refused = groups.iter().filter(|group| group.refused.is_some()).map(|group| group.number).collect();
        (refused, trials.count)
    }

    #[test]
    fn only_what_is_to_blame_is_given_up() {
        assert_eq!(given_up(8, &[5]).0, [5]);
        assert_eq!(given_up(7, &[0, 6]).0, [0, 6]);
        assert_eq!(given_up(1, &[0]), (vec![0], 0));
        assert_eq!(given_up(3, &[]).0, [0; 0]);
    }

    #[test]
    fn the_search_has_an_end_that_gives_up_too_much_rather_than_too_little() {
        let all: Vec<usize> = (0..64).collect();
        let (refused, count) = given_up(64, &all);
        assert_eq!(refused, all);
        assert!(count > MOST_TRIALS, "{count}");
    }
}
