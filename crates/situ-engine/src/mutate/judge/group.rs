//! Runs a group of tests of one program in one process.

use super::super::baseline::Test;
use super::order::RECENT;
use super::{Answer, Court, Notice, Status};
use crate::base::process::{Finished, own_files, signal_of};
use crate::programs::harness::{Harness, Outcome, Switch, Workplace, has_passed, run_tests};
use anyhow::Result;
use std::collections::HashMap;
use std::time::Duration;

/// Time limit in addition to ten times the tests' own time. Starting a process may be slow on a
/// busy machine.
const PATIENCE: Duration = Duration::from_secs(3);
/// Exit code of a process that is out of fuel; the same number as in the recorder.
const OUT_OF_FUEL: i32 = 77;
/// How a test ends that passes far more sites than without the mutant.
pub(super) const FUEL: &str = "fuel";

impl Court<'_> {
    /// Returns the number of sites and the time of the tests that actually run. Merged doctests run
    /// either all together or one alone.
    fn cost(&self, group: &[usize]) -> (u64, Duration) {
        let sum = |(calls, time): (u64, Duration), test: &Test| {
            (calls + test.reached.calls, time + test.time)
        };
        if self.is_merged(group[0]) && group.len() > 1 {
            let program = self.test(group[0]).program;
            self.baseline
                .tests
                .iter()
                .filter(|test| test.program == program)
                .fold(Default::default(), sum)
        } else {
            group
                .iter()
                .map(|test| self.test(*test))
                .fold(Default::default(), sum)
        }
    }

    /// Runs tests of one program in one process, with a mutant or with [`NO_MUTANT`].
    pub(super) fn run_group(
        &self,
        mutant: u32,
        group: &[usize],
        place: &Workplace,
    ) -> Result<Answer> {
        let names: Vec<&str> = group
            .iter()
            .map(|test| self.test(*test).name.as_str())
            .collect();
        let (calls, time) = self.cost(group);
        let switch = Switch::Mutant {
            id: mutant,
            fuel: calls.saturating_mul(20) + 200_000,
        };
        let limit = time * 10 + PATIENCE;
        let program = &self.programs[self.test(group[0]).program];
        let alone = (self.is_merged(group[0]) && group.len() == 1)
            .then(|| program.doctest(self.test(group[0]).position));
        let program = alone.as_ref().unwrap_or(program);
        // A small group runs to its end, because a second failing test is evidence for the first.
        // Merged doctests cannot be selected, so a whole matrix needs all results of one process.
        let is_wanted_whole = group.len() <= RECENT
            || program.harness == Harness::MergedDoctests && self.whole_matrix;
        let (finished, transcript) = run_tests(
            program,
            &names,
            &switch,
            place,
            Some(limit),
            !is_wanted_whole,
        )?;
        if has_passed(program, &names, &finished, &transcript) {
            return Ok(Answer {
                noticed: Vec::new(),
                passed: group.to_vec(),
            });
        }
        let numbers: HashMap<&str, usize> =
            names.iter().copied().zip(group.iter().copied()).collect();
        let by_name = |name: &str| numbers.get(name).copied();
        let failed = transcript.failed().filter_map(by_name);
        let mut noticed: Vec<_> = failed
            .map(|test| Notice {
                test,
                status: Status::Killed,
                how: "failed".to_owned(),
            })
            .collect();
        // The process ended without reporting a failed test, so the running one is to blame.
        if noticed.is_empty() {
            let test = transcript
                .running
                .as_deref()
                .and_then(by_name)
                .unwrap_or(group[0]);
            let (status, how) = way_it_ended(&finished, place);
            noticed.push(Notice { test, status, how });
        }
        Ok(Answer {
            noticed,
            passed: transcript
                .with(Outcome::Passed)
                .filter_map(by_name)
                .collect(),
        })
    }
}

fn is_out_of_fuel(finished: &Finished) -> bool {
    finished.status.code() == Some(OUT_OF_FUEL)
}

/// Describes how a process ended that reported no failed test.
fn way_it_ended(finished: &Finished, place: &Workplace) -> (Status, String) {
    if finished.timed_out {
        return (Status::TimedOut, "time".to_owned());
    }
    if is_out_of_fuel(finished) {
        return (Status::TimedOut, FUEL.to_owned());
    }
    if let Some(exceeded) = finished.exceeded {
        return (Status::Killed, exceeded.to_string());
    }
    let said = own_files::read(&place.errors()).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let how = match signal_of(finished.status) {
        _ if said.contains("has overflowed its stack") => "stack overflow".to_owned(),
        _ if said.contains("memory allocation of") || said.contains("capacity overflow") => {
            "out of memory".to_owned()
        }
        Some(6) => "aborted".to_owned(),
        Some(11) => "SIGSEGV".to_owned(),
        Some(signal) => format!("signal {signal}"),
        None => "failed".to_owned(),
    };
    (Status::Killed, how)
}
