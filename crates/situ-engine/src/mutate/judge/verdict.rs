//! What became of a mutant, and why.

use super::Notice;
use super::untried::Untried;
use serde::{Deserialize, Serialize};

/// What became of a mutant, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A test noticed it.
    Killed,
    /// A test did not come to its end with it.
    TimedOut,
    /// No test that reaches it noticed.
    Survived,
    /// No test reaches it.
    Unreached,
}

/// A judgement with its reasons.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// What became of it.
    pub status: Status,
    /// The tests that noticed it: the first one, or all where the whole matrix was asked for.
    pub killed_by: Vec<String>,
    /// How the first one noticed: `failed`, `stack overflow`, `out of memory`, `aborted`, `SIGSEGV`, `fuel`, `time`.
    pub how: Option<String>,
    /// Whether another run could judge otherwise: a survivor is reached by tests that fail without it or that do not do the same
    /// each time, or a test that noticed it does not always.
    pub is_unstable: bool,
    /// The tests that reach it and whose failures do not count, because they fail without it too.
    #[serde(default)]
    pub unstable_tests: Vec<String>,
    /// Which kinds of tests reach it and have not been run with it.
    #[serde(default = "Untried::unknown")]
    pub untried: Untried,
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict::new(Status::Unreached)
    }
}

impl Verdict {
    /// A verdict for which no test has spoken yet.
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
