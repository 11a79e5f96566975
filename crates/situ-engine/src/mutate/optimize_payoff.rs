//! Decides whether an optimised build pays off. It takes longer, but each surviving mutant runs all
//! its slow tests.

use super::baseline::Baseline;
use std::collections::BTreeMap;
use std::time::Duration;

/// Time above which a test is worth optimising. Faster tests are dominated by the start of their
/// process, which optimisation does not speed up.
const SLOW: Duration = Duration::from_millis(10);
/// Assumed share of mutants that run all their tests.
const LIVING: f64 = 0.08;
/// Assumed share of a slow test's time that optimising the user's own crates saves.
const SAVED: f64 = 0.35;
/// Minimum ratio of saved time to cost.
const MARGIN: f64 = 2.0;

/// Returns whether building again with optimisation saves more time than it costs. The first build
/// took `seconds`; `reached_by` are the tests of each mutant to judge.
pub(super) fn pays(
    seconds: f64,
    baseline: &Baseline,
    reached_by: &BTreeMap<u32, Vec<usize>>,
) -> bool {
    let slow = |test: &usize| Some(baseline.tests[*test].time).filter(|time| *time >= SLOW);
    let meeting: Duration = reached_by.values().flatten().filter_map(slow).sum();
    let suite: Duration = baseline.tests.iter().map(|test| test.time).sum();
    let saved = meeting.as_secs_f64() * LIVING * SAVED;
    // An optimised unit takes up to twice as long; then its tests must pass once more.
    let cost = seconds * 2.0 + suite.as_secs_f64() * 2.0;
    saved > cost * MARGIN
}

#[cfg(test)]
mod tests {
    use super::super::baseline::Test;
    use super::*;

    fn baseline(milliseconds: u64) -> Baseline {
        let time = Duration::from_millis(milliseconds);
        let test = Test {
            time,
            ..Test::default()
        };
        Baseline {
            tests: vec![test],
            workers: 2,
        }
    }

    #[test]
    fn only_slow_tests_that_many_mutants_meet_are_worth_a_build() {
        let all = |count: u32| {
            (0..count)
                .map(|id| (id, vec![0]))
                .collect::<BTreeMap<_, _>>()
        };
        assert!(pays(5.0, &baseline(2000), &all(1000)));
        assert!(!pays(5.0, &baseline(2000), &all(50)), "few mutants");
        assert!(!pays(5.0, &baseline(9), &all(100_000)), "quick tests");
    }
}
