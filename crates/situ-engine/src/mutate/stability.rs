//! Decides which tests are stable: a test that fails without a mutant is no evidence for any
//! mutant.

use super::baseline::Baseline;
use anyhow::Result;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of times that a test must pass alone without a mutant before its first kill counts.
pub(crate) const CLEAN_RUNS: usize = 3;
/// Number of times that a test must pass in all, once it has both failed and passed with the same
/// mutant.
pub(crate) const MORE_CLEAN_RUNS: usize = 13;
/// Sampling interval: after the first few, every fourth kill by a slow test is tried again.
const SAMPLED: usize = 4;

/// Reason why the failures of a test do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instability {
    /// The test failed in a run of all tests without a mutant, and passed in another one.
    FailsWithOthers,
    /// The test failed in its own process without a mutant.
    FailsAlone {
        /// Number of failures.
        failures: usize,
        /// Number of runs.
        runs: usize,
    },
}

impl fmt::Display for Instability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instability::FailsWithOthers => {
                formatter.write_str("fails in some runs of all tests, without a mutant")
            }
            Instability::FailsAlone { failures, runs } => {
                write!(
                    formatter,
                    "failed in {failures} of {runs} runs alone, without a mutant"
                )
            }
        }
    }
}

/// Results of one test without a mutant.
#[derive(Clone, Copy, Debug, Default)]
struct CleanRuns {
    passed: usize,
    /// Number of kills by the test that were considered for a second try.
    kills: usize,
    /// Whether the test must be alone in its process, because other tests make it fail.
    is_apart: bool,
    instability: Option<Instability>,
}

/// Stability of a baseline's tests in this run, by index.
pub(crate) struct Stability {
    tests: Vec<Mutex<CleanRuns>>,
    /// Whether tests cannot be run without a mutant any more.
    is_final: bool,
}

impl Stability {
    /// Takes over the results of the baseline.
    pub(crate) fn new(baseline: &Baseline) -> Stability {
        let known = baseline.tests.iter().map(|test| {
            let instability = test.fails_sometimes.then_some(Instability::FailsWithOthers);
            Mutex::new(CleanRuns {
                is_apart: test.is_apart,
                instability,
                ..CleanRuns::default()
            })
        });
        Stability {
            tests: known.collect(),
            is_final: false,
        }
    }

    /// Returns the stability of these tests for programs in which they cannot be run without a
    /// mutant.
    pub(crate) fn to_final(&self, tests: &[usize]) -> Stability {
        Stability {
            tests: tests
                .iter()
                .map(|test| Mutex::new(*self.lock(*test)))
                .collect(),
            is_final: true,
        }
    }

    /// Returns whether a test passes each time in its own process, so that its failures count.
    /// Calls `run`, which runs the test once, until it has passed `wanted` times in all. Other
    /// threads that ask for the same test wait.
    pub(crate) fn has_passed(
        &self,
        test: usize,
        wanted: usize,
        mut run: impl FnMut() -> Result<bool>,
    ) -> Result<bool> {
        let mut known = self.lock(test);
        let runs = wanted.saturating_sub(known.passed);
        if known.instability.is_some() || runs == 0 || self.is_final {
            return Ok(known.instability.is_none());
        }
        let mut failures = 0;
        for _ in 0..runs {
            failures += usize::from(!run()?);
        }
        let earlier = known.passed;
        known.passed += runs - failures;
        if failures > 0 {
            known.instability = Some(Instability::FailsAlone {
                failures,
                runs: earlier + runs,
            });
        }
        Ok(failures == 0)
    }

    /// Counts a kill of a slow test. Returns whether it must be tried again: the first few are,
    /// then one of several.
    pub(crate) fn is_sampled(&self, test: usize) -> bool {
        let mut known = self.lock(test);
        known.kills += 1;
        known.kills <= CLEAN_RUNS || known.kills.is_multiple_of(SAMPLED)
    }

    /// Makes a test run alone in its process from now on.
    pub(crate) fn set_apart(&self, test: usize) {
        self.lock(test).is_apart = true;
    }

    /// Returns whether a test must run alone in its process.
    pub(crate) fn is_apart(&self, test: usize) -> bool {
        self.lock(test).is_apart
    }

    /// Returns why the failures of a test do not count, or `None` if they do, as far as is known.
    pub(crate) fn instability(&self, test: usize) -> Option<Instability> {
        self.lock(test).instability
    }

    /// Returns the tests whose failures do not count.
    pub(crate) fn unstable(&self) -> Vec<(usize, Instability)> {
        (0..self.tests.len())
            .filter_map(|test| Some((test, self.instability(test)?)))
            .collect()
    }

    fn lock(&self, test: usize) -> MutexGuard<'_, CleanRuns> {
        self.tests[test]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::baseline::Test;
    use super::*;

    fn stability(fails_sometimes: bool) -> Stability {
        Stability::new(&Baseline {
            tests: vec![Test {
                fails_sometimes,
                ..Test::default()
            }],
            workers: 1,
        })
    }

    #[test]
    fn a_test_is_run_as_often_as_it_has_to_pass_and_not_again() {
        let (stability, mut runs) = (stability(false), 0);
        let mut pass = |wanted| {
            let passes = stability.has_passed(0, wanted, || {
                runs += 1;
                Ok(true)
            });
            (passes.unwrap(), runs)
        };
        assert_eq!(pass(CLEAN_RUNS), (true, 3));
        assert_eq!(pass(CLEAN_RUNS), (true, 3));
        assert_eq!(pass(MORE_CLEAN_RUNS), (true, 13));
        assert_eq!(stability.unstable(), []);
    }

    #[test]
    fn one_failure_is_held_against_it_for_good() {
        let (stability, mut runs) = (stability(false), 0);
        let mut fail_second = || {
            runs += 1;
            Ok(runs != 2)
        };
        assert!(
            !stability
                .has_passed(0, CLEAN_RUNS, &mut fail_second)
                .unwrap()
        );
        assert!(
            !stability
                .has_passed(0, CLEAN_RUNS, || panic!("it is not run again"))
                .unwrap()
        );
        assert_eq!(
            stability.unstable(),
            [(
                0,
                Instability::FailsAlone {
                    failures: 1,
                    runs: 3
                }
            )]
        );
    }

    #[test]
    fn a_failure_in_the_baseline_counts() {
        assert_eq!(
            stability(true).unstable(),
            [(0, Instability::FailsWithOthers)]
        );
    }
}
