//! Orders the tests of a mutant, and groups those that share a process.

use super::{Case, Court};
use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;

/// Tests that take less than this share a process.
const QUICK: Duration = Duration::from_millis(10);
/// Target time for a process of quick tests.
const GROUP: Duration = Duration::from_millis(500);
/// Number of tests that killed neighbours and are tried first.
pub(super) const RECENT: usize = 3;

impl Court<'_> {
    /// Records that a test killed a mutant of this neighbourhood.
    pub(super) fn remember(&self, neighbourhood: usize, test: usize) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = recent.entry(neighbourhood).or_default();
        recent.retain(|other| *other != test);
        recent.insert(0, test);
        recent.truncate(RECENT);
    }

    /// Returns the reliable tests of a case in the order of execution: quick ones that killed
    /// neighbours, the other quick ones in groups, then slow ones, where those that killed
    /// neighbours and fast ones come first.
    pub(super) fn groups(&self, case: &Case) -> Vec<Vec<usize>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let first = recent.get(&case.neighbourhood).cloned().unwrap_or_default();
        drop(recent);
        let tests: Vec<usize> = case
            .tests
            .iter()
            .copied()
            .filter(|test| self.is_reliable(*test))
            .collect();
        let first: Vec<usize> = first
            .into_iter()
            .filter(|test| tests.contains(test))
            .collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let is_quick = |test: &usize| self.is_merged(*test) || self.test(*test).time < QUICK;
        let is_steady = |test: &usize| !self.test(*test).varies;
        if tests.len() > RECENT {
            // A slow test first would cost more than all quick ones after it.
            let known = first
                .iter()
                .copied()
                .filter(|test| is_quick(test) && is_steady(test));
            groups.extend(self.by_program(known.collect()));
        }
        let tried: Vec<usize> = groups.concat();
        let rest: Vec<usize> = tests
            .into_iter()
            .filter(|test| !tried.contains(test))
            .collect();
        let (quick, mut slow): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_quick);
        // The failure of a random test counts only if no other test fails.
        let (quick, random): (Vec<usize>, Vec<usize>) = quick.into_iter().partition(is_steady);
        groups.extend(self.by_program(quick));
        groups.extend(self.by_program(random));
        slow.sort_by_key(|test| {
            (
                !is_steady(test),
                !first.contains(test),
                self.test(*test).time,
            )
        });
        groups.extend(slow.into_iter().map(|test| vec![test]));
        groups
    }

    fn by_program(&self, tests: Vec<usize>) -> Vec<Vec<usize>> {
        let (apart, tests): (Vec<usize>, Vec<usize>) = tests
            .into_iter()
            .partition(|test| self.stability.is_apart(*test));
        let mut programs: BTreeMap<(usize, u128), Vec<usize>> = BTreeMap::new();
        let mut times: BTreeMap<usize, Duration> = BTreeMap::new();
        for test in tests {
            let time = times.entry(self.test(test).program).or_default();
            // Merged doctests run in one process anyway.
            *time += if self.is_merged(test) {
                Duration::ZERO
            } else {
                self.test(test).time
            };
            let part = time.as_millis() / GROUP.as_millis();
            programs
                .entry((self.test(test).program, part))
                .or_default()
                .push(test);
        }
        programs
            .into_values()
            .chain(apart.into_iter().map(|test| vec![test]))
            .collect()
    }
}
