//! Time limits of recorded programs, and messages about those that exceed them.

use crate::base::shortened::shortened;
use crate::base::user_error;
use crate::programs::outcomes::{self, Outcomes, TestProgram};
use anyhow::Result;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// Time limit of tests without recording, unless the user sets one.
const LONGEST_PLAIN_RUN: Duration = Duration::from_secs(3600);

/// Minimum time limit of a recorded test program.
const SHORTEST_LIMIT: Duration = Duration::from_secs(60);

/// Time limit of a recorded test program as a multiple of its original run.
const TIMES_PLAIN_RUN: u32 = 20;

/// Maximum number of bytes of test names in a message.
const LONGEST_NAMES: usize = 200;

/// Program that exceeded its time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedOut {
    /// Name of the test program, or the command.
    pub name: String,
    /// Tests that had not ended.
    pub tests: Vec<String>,
    pub limit: Duration,
}

impl fmt::Display for TimedOut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} did not end within {} s",
            self.name,
            self.limit.as_secs_f64()
        )?;
        if self.tests.is_empty() {
            return Ok(());
        }
        write!(
            formatter,
            "; not ended: {}",
            shortened(&self.tests.join(", "), LONGEST_NAMES)
        )
    }
}

/// Returns the time limit of a test program without recording.
pub(super) fn of_plain_run(timeout: Option<Duration>) -> Duration {
    timeout.unwrap_or(LONGEST_PLAIN_RUN)
}

/// Returns the time limit of a recorded test program. `plain` is the time that all of them take
/// without recording.
pub(super) fn of_recording(timeout: Option<Duration>, plain: Duration) -> Duration {
    timeout.unwrap_or_else(|| SHORTEST_LIMIT.max(plain.saturating_mul(TIMES_PLAIN_RUN)))
}

/// Returns an error if tests do not end without recording.
pub(super) fn must_have_ended(
    programs: &[TestProgram],
    plain: &Outcomes,
    limit: Duration,
) -> Result<()> {
    let Some(program) = programs
        .iter()
        .find(|program| plain.timed_out.contains(&program.name))
    else {
        return Ok(());
    };
    let all = outcomes::tests_of(program)?.into_iter().collect();
    let timed_out = TimedOut {
        name: program.name.clone(),
        tests: not_ended(&all, plain, &program.name),
        limit,
    };
    Err(user_error::user_code(format!(
        "{timed_out}, without recording; give them more time with --timeout"
    )))
}

/// Returns the recorded programs that exceeded their limit, with the tests that ended only without
/// recording.
pub(super) fn timed_out(plain: &Outcomes, recorded: &Outcomes, limit: Duration) -> Vec<TimedOut> {
    let tests = |program: &String| -> BTreeSet<String> {
        let of_program = plain
            .of_tests
            .iter()
            .filter(|((of, _), outcome)| of == program && *outcome != "ignored");
        of_program
            .map(|((_, test), _)| test.clone())
            .filter(|test| !test.is_empty())
            .collect()
    };
    let programs = recorded.timed_out.iter();
    programs
        .map(|name| TimedOut {
            name: name.clone(),
            tests: not_ended(&tests(name), recorded, name),
            limit,
        })
        .collect()
}

/// Returns the tests of a program that have no outcome.
fn not_ended(all: &BTreeSet<String>, outcomes: &Outcomes, program: &str) -> Vec<String> {
    let has_ended = |test: &String| {
        outcomes
            .of_tests
            .get(&(program.to_owned(), test.clone()))
            .is_some_and(|outcome| !outcome.is_empty())
    };
    all.iter()
        .filter(|test| !has_ended(test))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(tests: &[(&str, &str)], timed_out: bool) -> Outcomes {
        let of_tests = tests
            .iter()
            .map(|(test, ended)| (("p".to_owned(), (*test).to_owned()), (*ended).to_owned()));
        let names = if timed_out {
            vec!["p".to_owned()]
        } else {
            Vec::new()
        };
        Outcomes {
            of_tests: of_tests.collect(),
            timed_out: names.into_iter().collect(),
            ..Outcomes::default()
        }
    }

    #[test]
    fn the_tests_that_had_not_ended_are_named() {
        let plain = outcomes(
            &[
                ("a", "ok"),
                ("b", "ok"),
                ("c", "FAILED"),
                ("d", "ignored"),
                ("", "exit code 101"),
            ],
            false,
        );
        let recorded = outcomes(&[("a", "ok"), ("b", ""), ("", "timed out")], true);
        let told = timed_out(&plain, &recorded, Duration::from_secs(60));
        assert_eq!(
            told[0].to_string(),
            "p did not end within 60 s; not ended: b, c"
        );
        assert_eq!(timed_out(&plain, &plain, Duration::ZERO), []);
    }

    #[test]
    fn the_limit_grows_with_the_plain_run() {
        assert_eq!(
            of_recording(None, Duration::from_secs(1)),
            Duration::from_secs(60)
        );
        assert_eq!(
            of_recording(None, Duration::from_secs(10)),
            Duration::from_secs(200)
        );
        assert_eq!(
            of_recording(Some(Duration::from_secs(5)), Duration::from_secs(10)),
            Duration::from_secs(5)
        );
    }
}
