//! Mocked calls: the next answer of each, its number of calls and their order.

use super::check::count;
use super::run::{Run, lock};
use std::sync::atomic::Ordering;

/// The maximum number of calls whose order is kept.
const MAX_IN_ORDER: usize = 10_000;

impl Run {
    fn called(&self, mock: usize) -> u32 {
        let mut answered = lock(&self.answered);
        if answered.len() < MAX_IN_ORDER {
            answered.push(mock);
        }
        self.calls[mock].fetch_add(1, Ordering::Relaxed)
    }

    /// Returns whether this mock answers, and counts the call if so.
    pub fn answers(&self, mock: usize, arguments_agree: bool) -> bool {
        if arguments_agree {
            self.called(mock);
        }
        arguments_agree
    }

    /// Returns the index of the next of `many` answers of this mock.
    #[track_caller]
    pub fn next_answer(&self, mock: usize, many: u32, clause: &'static str) -> u32 {
        let next = self.called(mock);
        if next >= many {
            let found = format!("call number {}", next + 1);
            self.fail_for_good(
                clause,
                &[
                    ("expected", format!("at most {}", count(many, "call"))),
                    ("found", found),
                ],
            );
        }
        next
    }

    /// Fails unless each of the `many` answers was used.
    #[track_caller]
    pub fn all_given(&self, mock: usize, many: u32, clause: &'static str) {
        let found = self.calls[mock].load(Ordering::Relaxed);
        if found < many {
            let found = format!(
                "{}, so {} left over",
                count(found, "call"),
                are(many - found)
            );
            self.fail(
                clause,
                &[("expected", count(many, "call")), ("found", found)],
            );
        }
    }

    /// Fails because the arguments of a mocked call match no mock.
    #[cold]
    #[track_caller]
    pub fn no_answer(&self, call: &'static str, arguments: &[String]) -> ! {
        let found = arguments.join(", ");
        self.fail_for_good(
            call,
            &[
                ("expected", "the arguments of a mock".into()),
                ("found", found),
            ],
        )
    }

    /// Fails unless the mocks answered this often, together.
    #[track_caller]
    pub fn check_called(&self, oracle: &'static str, mocks: &[usize], times: u32) {
        let found: u32 = mocks
            .iter()
            .map(|mock| self.calls[*mock].load(Ordering::Relaxed))
            .sum();
        if found != times {
            self.fail(
                oracle,
                &[
                    ("expected", count(times, "call")),
                    ("found", found.to_string()),
                ],
            );
        }
    }

    /// Fails unless the calls happened in this order, each as often as it is listed. Each call has
    /// its source and the mocks that answer it.
    #[track_caller]
    pub fn check_order(&self, oracle: &'static str, calls: &[(&'static str, &[usize])]) {
        let name = |mock: &usize| {
            calls
                .iter()
                .find(|(_, mocks)| mocks.contains(mock))
                .map(|(name, _)| *name)
        };
        let answered: Vec<usize> = lock(&self.answered)
            .iter()
            .copied()
            .filter(|mock| name(mock).is_some())
            .collect();
        let is_next = |(mock, (_, mocks)): (&usize, &(&str, &[usize]))| mocks.contains(mock);
        if answered.len() == calls.len() && answered.iter().zip(calls).all(is_next) {
            return;
        }
        let expected: Vec<&str> = calls.iter().map(|(name, _)| *name).collect();
        let found: Vec<&str> = answered.iter().filter_map(name).collect();
        let found = if found.is_empty() {
            "none of these calls".into()
        } else {
            found.join(", ")
        };
        self.fail(
            oracle,
            &[("expected", expected.join(", ")), ("found", found)],
        );
    }
}

fn are(number: u32) -> String {
    if number == 1 {
        "1 value is".into()
    } else {
        format!("{number} values are")
    }
}
