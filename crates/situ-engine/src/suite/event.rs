//! What happens while tests run: one stream, which every report is made from.

use crate::programs::catalog::Kind;
use serde::Serialize;
use std::path::PathBuf;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It failed, in at least one of its runs.
    Failed,
    /// It passed.
    Passed,
    /// It is marked as ignored.
    Ignored,
    /// An assumption ended it, each time it ran, before anything was checked.
    Skipped,
}

/// A test that has ended.
#[derive(Clone, Debug, Serialize)]
pub struct Ended {
    /// Its name, as the test runner says it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The package.
    pub package: String,
    /// The target: its kind and name.
    pub target: String,
    /// Where it stands, where the sources show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The line of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// First and last line of what it is about.
    #[serde(skip)]
    pub about: Option<(usize, usize)>,
    /// Its tags.
    pub tags: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// How often it ran, and how often it failed.
    pub runs: usize,
    /// How many of the runs failed.
    pub failures: usize,
    /// What it printed, where it failed; why, where it was skipped.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// How long it took, where the runner says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A step has begun.
    Step(&'a str),
    /// So many tests of so many have ended.
    Advanced {
        /// How many have ended.
        done: usize,
        /// How many there are.
        of: usize,
        /// How many have failed.
        failed: usize,
    },
    /// A test program that was given arguments of the user's has said this line.
    Said(&'a str),
    /// A test has ended for good.
    Ended(&'a Ended),
}

/// What all of it came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// How many tests were run or ignored.
    pub tests: usize,
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many are ignored.
    pub ignored: usize,
    /// How many an assumption ended before anything was checked.
    pub skipped: usize,
    /// How many of them stand in the code they check.
    pub in_situ: usize,
    /// How many there are that nobody asked for.
    pub not_asked_for: usize,
    /// How long it took.
    pub seconds: f64,
}

impl Summary {
    /// Counts a test.
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
