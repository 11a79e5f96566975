//! What came of carving: the tests, the numbers, and why there are no more.

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
    /// Functions of the chosen modules that the command came by.
    pub functions_seen: usize,
    /// Those of them that have a test that is shown.
    pub functions_with_tests: usize,
    /// Distinct calls of these functions.
    pub calls: usize,
    /// Calls that take the same path as another that was attempted.
    pub duplicates: usize,
    /// Tests that held, and that notice no mutant that others of the same function miss.
    pub say_nothing_new: usize,
    /// One for each behaviour of each function, without those.
    pub attempted: usize,
    /// Those of them of which everything that goes in and comes out is known exactly.
    pub rebuildable: usize,
    /// Those of these that are shown.
    pub rebuildable_shown: usize,
    pub shown: usize,
    /// Those of the shown tests in which values stand for calls that leave the program.
    pub with_mocks: usize,
    /// Those in which doubles stand for collaborators.
    pub with_doubles: usize,
    /// Arguments of outgoing calls, and orders of them, that the shown tests do not look at.
    pub unchecked: usize,
    /// Tests that stand in the sources already.
    pub already_there: usize,
    /// Reason → how many attempts.
    pub refused: BTreeMap<String, usize>,
    /// Branches that the command took in these functions, and those of them that the tests take.
    pub branches: usize,
    pub branches_taken: usize,
    /// Those that the existing tests take, and those that the shown tests take and they do not; none where there are no
    /// tests, or nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_of_existing_tests: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches_new_to_tests: Option<usize>,
    /// Bytes of the tests.
    pub test_bytes: usize,
    /// Seconds of the recorded command, by the clock and of the processor; none where a recording was there.
    pub command_seconds: f64,
    pub command_processor_seconds: f64,
    /// Bytes of the recording.
    pub recording_bytes: u64,
    /// Seconds of the whole, and of each phase.
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
    /// What it does not look at of the calls that it stands in for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// Where it goes.
    #[serde(skip)]
    pub form: Form,
}

/// How a test stands in the sources.
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
    /// The files that it includes, relative to the source, and what is in them.
    pub files: Vec<(String, String)>,
}

/// An attempt that came to nothing.
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
    /// What came to nothing.
    pub refused: Vec<Refused>,
    /// The call tree of each scenario.
    pub trees: Vec<Node>,
    /// The numbers.
    pub summary: Summary,
    /// The change of the user's files.
    pub changes: ChangeSet,
    /// What of the recording could not be read.
    pub lost: Vec<Lost>,
}
