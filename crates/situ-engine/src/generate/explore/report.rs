//! The report of an exploration.

use crate::edit::ChangeSet;
use serde::Serialize;
use std::path::PathBuf;

/// A violated theory, with one input for each distinct failure.
#[derive(Clone, Debug, Serialize)]
pub struct Violation {
    /// The theory, by its path.
    pub theory: String,
    /// The arguments, as they are written in Rust.
    pub arguments: String,
    /// The message of the failure.
    pub message: String,
    /// Each argument by itself.
    pub argument_list: Vec<String>,
    /// The call of the theory.
    pub call: String,
    /// The file of the theory, relative to the workspace.
    pub file: PathBuf,
    /// Its line.
    pub line: usize,
    /// After how many seconds of searching it was found.
    pub found_after_seconds: f64,
    /// After how many executions.
    pub found_after_executions: u64,
    /// The data points that are proposed for it.
    pub points: Vec<String>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_points: Option<String>,
    /// The class of the failure.
    #[serde(skip)]
    pub class: String,
}

/// An input that holds on a path that no data point takes.
#[derive(Clone, Debug, Serialize)]
pub struct Passing {
    /// The theory, by its path.
    pub theory: String,
    /// The arguments, as they are written in Rust.
    pub passing: String,
    /// The number of edges that it adds.
    pub edges: u64,
    /// Each argument by itself.
    #[serde(skip)]
    pub argument_list: Vec<String>,
}

/// An assumption that rejects nearly all inputs.
#[derive(Clone, Debug, Serialize)]
pub struct Rejection {
    /// The theory, by its path.
    pub theory: String,
    /// The assumption.
    pub assumption: String,
    /// Its place.
    pub place: String,
    /// The number of rejected inputs.
    pub rejected: u64,
    /// One of them.
    pub example: String,
}

/// One theory.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TheoryReport {
    /// Its path.
    pub theory: String,
    /// All executions.
    pub executions: u64,
    /// Those that the theory holds for.
    pub held: u64,
    /// Edges taken.
    pub edges: u64,
    /// How long its processes ran, together.
    pub seconds: f64,
    /// The reason why it was not explored, if so.
    pub not_explored: Option<String>,
}

/// What the command prints at the end.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Explored theories.
    pub theories: usize,
    /// Those that are violated.
    pub violated: usize,
    /// All executions.
    pub executions: u64,
    /// How long the search took.
    pub seconds: f64,
    /// How long the build took.
    pub build_seconds: f64,
    /// The seed: the same one searches the same way.
    pub seed: u64,
}

/// Everything.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Violations, by theory.
    pub violations: Vec<Violation>,
    /// Inputs that pass on new paths, where they were asked for.
    pub passing: Vec<Passing>,
    /// Assumptions that reject nearly all inputs.
    pub rejections: Vec<Rejection>,
    /// Each theory.
    pub theories: Vec<TheoryReport>,
    /// The numbers.
    pub summary: Summary,
    /// The change that adds the data points.
    pub changes: ChangeSet,
    /// Each change alone, for a review.
    pub proposals: Vec<ChangeProposal>,
}

/// The data points of one violation or passing input, to accept or reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeProposal {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The module that they go into, where all its theories see them.
    pub module: Vec<String>,
    /// The byte offset.
    pub at: usize,
    /// Whether other data points precede it.
    pub is_after: bool,
    /// The items.
    pub items: Vec<String>,
}
