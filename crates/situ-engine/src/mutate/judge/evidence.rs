//! Decides whether a test's failure with a mutant is evidence that it detects the mutant.
//!
//! A flaky test also fails with mutants that it does not detect. So does a test that needs other
//! tests before it, or that others disturb. A failure counts if the test has passed alone without a
//! mutant several times in this run, and if either another test fails with the mutant too or the
//! same test fails again.

use super::super::stability::{CLEAN_RUNS, MORE_CLEAN_RUNS};
use super::group::FUEL;
use super::{Answer, Court, Notice};
use crate::programs::harness::{NO_MUTANT, Workplace};
use anyhow::Result;
use std::sync::PoisonError;
use std::time::Duration;

/// Time above which kills by a test are only sampled for a second try.
const SLOW: Duration = Duration::from_millis(100);

/// Meaning of a failure with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The test fails with the mutant and passes without it.
    Kill,
    /// The test fails with the mutant in some runs, and passes without it in all.
    Sometimes,
    /// The failure is no evidence.
    Nothing,
}

impl Court<'_> {
    /// Evaluates the failure of a test in a process that ran `group` and returned `answer`.
    pub(super) fn evidence(
        &self,
        mutant: u32,
        notice: &Notice,
        (group, answer): (&[usize], &Answer),
        place: &Workplace,
    ) -> Result<Evidence> {
        let test = notice.test;
        if !self.passes_alone(test, CLEAN_RUNS, place)? {
            return Ok(Evidence::Nothing);
        }
        let was_alone = group.len() == 1;
        let is_plain =
            was_alone && self.is_plain(notice) || self.is_confirmed(test, group, answer, place)?;
        if is_plain || self.fails(mutant, test, &[test], place)? {
            return Ok(Evidence::Kill);
        }
        if !was_alone {
            if !self.passes_together(group, place)? {
                // The failure is caused by other tests.
                self.stability.set_apart(test);
                return Ok(Evidence::Nothing);
            }
            if self.fails(mutant, test, group, place)? {
                return Ok(Evidence::Kill);
            }
        }
        let is_random = self.passes_alone(test, MORE_CLEAN_RUNS, place)?;
        Ok(if is_random {
            Evidence::Sometimes
        } else {
            Evidence::Nothing
        })
    }

    /// Returns whether a second try is not worth its time: exceeding the fuel is no coincidence,
    /// and slow tests are only sampled.
    fn is_plain(&self, notice: &Notice) -> bool {
        let is_slow = self.test(notice.test).time >= SLOW;
        notice.how == FUEL || is_slow && !self.stability.is_sampled(notice.test)
    }

    /// Returns whether another test failed in the same process, and the tests do not disturb each
    /// other.
    fn is_confirmed(
        &self,
        test: usize,
        group: &[usize],
        answer: &Answer,
        place: &Workplace,
    ) -> Result<bool> {
        for other in answer.noticed.iter().filter(|notice| notice.test != test) {
            if self.passes_alone(other.test, CLEAN_RUNS, place)? {
                return self.passes_together(group, place);
            }
        }
        Ok(false)
    }

    /// Returns whether a test passes in its own process without a mutant, `times` times in this
    /// run.
    pub(super) fn passes_alone(
        &self,
        test: usize,
        times: usize,
        place: &Workplace,
    ) -> Result<bool> {
        self.stability.has_passed(test, times, || {
            Ok(self
                .run_group(NO_MUTANT, &[test], place)?
                .noticed
                .is_empty())
        })
    }

    /// Returns whether all of these tests pass in one process without a mutant.
    fn passes_together(&self, group: &[usize], place: &Workplace) -> Result<bool> {
        let known = self
            .together
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(group)
            .copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let passes = self.run_group(NO_MUTANT, group, place)?.noticed.is_empty();
        self.together
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(group.to_vec(), passes);
        Ok(passes)
    }

    fn fails(&self, mutant: u32, test: usize, group: &[usize], place: &Workplace) -> Result<bool> {
        let answer = self.run_group(mutant, group, place)?;
        Ok(answer.noticed.iter().any(|notice| notice.test == test))
    }
}
