//! Events while tests run. All reports are made from this stream.

use crate::programs::catalog::Kind;
use serde::Serialize;
use std::path::PathBuf;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The test failed in at least one of its runs.
    Failed,
    Passed,
    /// The test is marked `#[ignore]`.
    Ignored,
    /// An assumption ended the test in every run before anything was checked.
    Skipped,
}

/// Result of a test, over all its runs.
#[derive(Clone, Debug, Serialize)]
pub struct Ended {
    /// Name, as the test runner prints it.
    pub name: String,
    pub kind: Kind,
    pub package: String,
    /// Kind and name of the target: `lib situ`.
    pub target: String,
    /// Path relative to the workspace root, if the test was found in the sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Line of the test, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// First and last line of the code under test.
    #[serde(skip)]
    pub about: Option<(usize, usize)>,
    pub tags: Vec<String>,
    pub outcome: Outcome,
    /// Number of runs.
    pub runs: usize,
    /// Number of failed runs.
    pub failures: usize,
    /// Output of a failed test, or the reason of a skipped one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Duration in seconds, if the runner reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Event of a test run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A step has begun.
    Step(&'a str),
    /// Some of all tests have ended.
    Advanced {
        /// Number of tests that have ended.
        done: usize,
        /// Number of all tests.
        of: usize,
        /// Number of tests that have failed.
        failed: usize,
    },
    /// Line of output of a test program that has arguments of the user.
    Said(&'a str),
    /// A test has ended, with all its repetitions.
    Ended(&'a Ended),
}

/// Counts of a whole test run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Tests that were run or ignored.
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
    /// Tests that an assumption ended before anything was checked.
    pub skipped: usize,
    /// In-situ tests among `tests`.
    pub in_situ: usize,
    /// Tests that were not selected.
    pub not_asked_for: usize,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Summary {
    pub fn add(&mut self, test: &Ended) {
        self.tests += 1;
        self.in_situ += usize::from(test.kind.is_in_situ());
        match test.outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Ignored => self.ignored += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }
}
