//! The report of carving: the tests, the summary, and the refusals.

pub(crate) mod tree;

use super::write::call_checks::Unchecked;
use super::write::place::PlacedTest;
use crate::edit::{ChangeSet, Proposal};
use crate::record::Lost;
use serde::Serialize;
use std::collections::BTreeMap;
use tree::Node;

/// The numbers.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct Summary {
    /// Functions of the chosen modules that the command executed.
    pub functions_seen: usize,
    /// Those of them that have a test that is shown.
    pub functions_with_tests: usize,
    /// Distinct calls of these functions.
    pub calls: usize,
    /// Calls that take the same path as another that was attempted.
    pub duplicates: usize,
    /// Passing tests that kill no mutant that others of the same function miss.
    pub say_nothing_new: usize,
    /// Attempted tests: one for each behaviour of each function, without redundant ones.
    pub attempted: usize,
    /// Attempts whose inputs and outputs are all known exactly.
    pub rebuildable: usize,
    /// Shown tests whose inputs and outputs are all known exactly.
    pub rebuildable_shown: usize,
    pub shown: usize,
    /// Shown tests with mocked calls.
    pub with_mocks: usize,
    /// Shown tests with doubles of collaborators.
    pub with_doubles: usize,
    /// Arguments and orders of outgoing calls that the shown tests do not check.
    pub unchecked: usize,
    /// Tests that exist in the sources.
    pub already_there: usize,
    /// Reason → how many attempts.
    pub refused: BTreeMap<String, usize>,
    /// Branches that the command executed in these functions, and those that the tests cover.
    pub branches: usize,
    pub branches_taken: usize,
    /// Branches that the existing tests cover, and those that only the shown tests cover; `None`
    /// without tests or with `--quick`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_of_existing_tests: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_new_to_tests: Option<usize>,
    /// Bytes of the tests.
    pub test_bytes: usize,
    /// Seconds of the recorded command, elapsed and of the processor; zero for an existing
    /// recording.
    pub command_seconds: f64,
    pub command_processor_seconds: f64,
    /// Bytes of the recording.
    pub recording_bytes: u64,
    /// Seconds in total, and of each phase.
    pub seconds: f64,
    pub phases: BTreeMap<String, f64>,
}

/// A test that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Carved {
    /// The file.
    pub file: String,
    /// The line of the function.
    pub line: usize,
    /// The function.
    pub function: String,
    /// The test's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it does not check of its mocked calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// The place of the test.
    #[serde(skip)]
    pub form: Form,
}

/// The place of a test.
#[derive(Clone, Debug)]
pub enum Form {
    /// A test function in a module of its own.
    Unit(PlacedTest),
    /// An in-situ test of the whole body.
    InSitu(InPlace),
}

/// A test that stands in the function itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// The test and where it goes.
    pub proposal: Proposal,
    /// The files that it includes, relative to the source, with their content.
    pub files: Vec<(String, String)>,
}

/// A rejected attempt.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    /// The file.
    pub file: String,
    /// The line of the function.
    pub line: usize,
    /// The function.
    pub function: String,
    /// Why.
    pub reason: String,
    /// What the compiler said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Everything.
#[derive(Debug, Default)]
pub struct Report {
    /// The tests.
    pub tests: Vec<Carved>,
    /// The rejected attempts.
    pub refused: Vec<Refused>,
    /// The call tree of each scenario.
    pub trees: Vec<Node>,
    /// The numbers.
    pub summary: Summary,
    /// The change of the user's files.
    pub changes: ChangeSet,
    /// The unreadable parts of the recording.
    pub lost: Vec<Lost>,
}
