//! What came of an improvement.

use crate::edit::ChangeSet;
use crate::generate::worth::Kill;
use serde::{Deserialize, Serialize};

/// Where a new assertion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// In an existing test of the same function, in its own style.
    Case,
    /// In a new test beside the existing ones.
    Unit,
}

/// A proposed assertion or test.
#[derive(Clone, Debug, Serialize)]
pub struct Improvement {
    /// The file that it goes to.
    pub file: String,
    /// The line that it goes behind, as the file is now.
    pub line: usize,
    /// What is added.
    pub text: String,
    /// Where it stands.
    pub form: Form,
    /// Mutants that it kills and nothing else in the suite does.
    pub kills: Vec<Kill>,
    /// Why somebody should read it.
    pub why: String,
    /// The change of the file that it makes by itself.
    #[serde(skip)]
    pub(crate) splices: Vec<(usize, String)>,
}

/// The numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct Summary {
    /// Mutants that survive or that no test reaches.
    pub survivors: usize,
    /// Those of them that the proposed tests kill.
    pub killed_by_new: usize,
    /// Those that many executions reached without a difference.
    pub probably_equivalent: usize,
    /// All others.
    pub open: usize,
    pub tests: usize,
    pub lines_added: usize,
    /// Lines of the files that hold survivors.
    pub source_lines: usize,
    pub seconds: f64,
}

/// Everything.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The proposals, the best first.
    pub improvements: Vec<Improvement>,
    /// The numbers.
    pub summary: Summary,
    /// The change of the user's files.
    pub changes: ChangeSet,
}
