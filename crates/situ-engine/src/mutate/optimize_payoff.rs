//! Whether an optimized build pays: it takes longer, and every mutant that lives meets all its slow tests.

use super::baseline::Baseline;
use std::collections::BTreeMap;
use std::time::Duration;

/// Tests below this are ruled by the start of their process, which no optimization makes shorter.
const SLOW: Duration = Duration::from_millis(10);
/// The share of mutants that meet all their tests.
const LIVING: f64 = 0.08;
/// The share of a slow test's time that optimization of the user's own crates saves.
const SAVED: f64 = 0.35;
/// How many times what it costs an optimized build has to save.
const MARGIN: f64 = 2.0;

/// Whether building again with optimization saves more than it costs. The build took so many seconds; `reached_by` are the
/// tests of each mutant that is to be judged.
pub(super) fn pays(
    seconds: f64,
    baseline: &Baseline,
    reached_by: &BTreeMap<u32, Vec<usize>>,
) -> bool {
    let slow = |test: &usize| Some(baseline.tests[*test].time).filter(|time| *time >= SLOW);
    let meeting: Duration = reached_by.values().flatten().filter_map(slow).sum();
    let suite: Duration = baseline.tests.iter().map(|test| test.time).sum();
    let saved = meeting.as_secs_f64() * LIVING * SAVED;
    // An optimized unit takes up to twice as long; then its tests have to pass once more.
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
