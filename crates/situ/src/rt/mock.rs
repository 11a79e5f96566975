//! Mocked calls: which answer is next, how often each was asked.

use super::check::count;
use super::run::Run;
use std::sync::atomic::Ordering;

impl Run {
    /// Whether this mock answers; counts it if so.
    pub fn answers(&self, mock: usize, arguments_agree: bool) -> bool {
        if arguments_agree {
            self.calls[mock].fetch_add(1, Ordering::Relaxed);
        }
        arguments_agree
    }

    /// Which of `many` values in a row is next for this mock.
    #[track_caller]
    pub fn next_answer(&self, mock: usize, many: u32, clause: &'static str) -> u32 {
        let next = self.calls[mock].fetch_add(1, Ordering::Relaxed);
        if next >= many {
            let found = format!("call number {}", next + 1);
            self.fail_for_good(clause, &[("expected", format!("at most {}", count(many, "call"))), ("found", found)]);
        }
        next
    }

    /// A mocked call whose arguments fit no mock.
    #[cold]
    #[track_caller]
    pub fn no_answer(&self, call: &'static str, arguments: &[String]) -> ! {
        let found = arguments.join(", ");
        self.fail_for_good(call, &[("expected", "the arguments of a mock".into()), ("found", found)])
    }

    /// The mocks must have answered this often, together.
    #[track_caller]
    pub fn check_called(&self, oracle: &'static str, mocks: &[usize], times: u32) {
        let found: u32 = mocks.iter().map(|mock| self.calls[*mock].load(Ordering::Relaxed)).sum();
        if found != times {
            self.fail(oracle, &[("expected", count(times, "call")), ("found", found.to_string())]);
        }
    }
}
