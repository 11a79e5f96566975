//! Verdict on a mutant, with its reasons.

use super::Notice;
use super::untried::Untried;
use serde::{Deserialize, Serialize};

/// Status of a mutant, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A test failed with the mutant.
    Killed,
    /// A test did not end with the mutant.
    TimedOut,
    /// No test that reaches the mutant failed.
    Survived,
    /// No test reaches the mutant.
    Unreached,
}

/// Verdict on a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    pub status: Status,
    /// Names of the tests that failed: the first one, or all if the whole matrix was requested.
    pub killed_by: Vec<String>,
    /// How the first test failed: `failed`, `stack overflow`, `out of memory`, `aborted`,
    /// `SIGSEGV`, `fuel`, `time`.
    pub how: Option<String>,
    /// Whether another run could judge differently: flaky or random tests reach a survivor, or a
    /// test that killed the mutant does not always fail.
    pub is_unstable: bool,
    /// Tests that reach the mutant and whose failures do not count, because they fail without it
    /// too.
    #[serde(default)]
    pub unstable_tests: Vec<String>,
    /// Kinds of tests that reach the mutant and have not been run with it.
    #[serde(default = "Untried::unknown")]
    pub untried: Untried,
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict::new(Status::Unreached)
    }
}

impl Verdict {
    /// Returns a verdict with this status and no tests.
    pub fn new(status: Status) -> Verdict {
        let (killed_by, unstable_tests) = (Vec::new(), Vec::new());
        Verdict {
            status,
            killed_by,
            how: None,
            is_unstable: false,
            unstable_tests,
            untried: Untried::NONE,
        }
    }

    pub(super) fn note(&mut self, notice: &Notice, test: String, is_doubtful: bool) {
        self.status = self.status.min(notice.status);
        if self.how.is_none() || notice.status == Status::Killed {
            self.how = Some(notice.how.clone());
        }
        self.killed_by.push(test);
        self.is_unstable |= is_doubtful;
    }
}
