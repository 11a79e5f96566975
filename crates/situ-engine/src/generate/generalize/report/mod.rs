//! The report of a generalization: the summary, and the tables of the paper on Proze.

pub(crate) mod report_builder;

use super::trial::classify::Class;
use crate::edit::{ChangeSet, NewItem};
use crate::record::Lost;
use serde::Serialize;
use std::collections::BTreeMap;

/// The numbers.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct Summary {
    pub target_functions: usize,
    /// Tests that could be generalized: neither ignored nor expected to panic, nor with cases of
    /// their own.
    pub tests_considered: usize,
    /// Those of them that have a candidate.
    pub tests_with_candidates: usize,
    /// Those of them that have become a parameterized test that is shown.
    pub tests_generalized: usize,
    /// Tests that are not compiled in this configuration.
    pub tests_not_built: usize,
    pub candidates: usize,
    /// Pairs of a call and an assertion that were skipped in tests with too many.
    pub candidates_not_tried: usize,
    pub strongly_coupled: usize,
    pub falsifiably_coupled: usize,
    /// Candidates that hold for every argument, general or not.
    pub decoupled: usize,
    /// Decoupled candidates that kill a mutant of the function.
    pub general: usize,
    /// Decoupled candidates that kill none.
    pub independent: usize,
    pub ill_formed: usize,
    /// Those of them that do not compile.
    pub not_compiling: usize,
    pub emitted: usize,
    /// Cases in the tests that are shown.
    pub cases: usize,
    /// Argument sets of target functions in the tests that call them, and in all recordings.
    pub original_arguments: usize,
    pub captured_arguments: usize,
    /// The median number of original argument sets of a function.
    pub median_original_arguments: f64,
    pub median_captured_arguments: f64,
    /// Executions of a candidate with an argument set.
    pub trials: usize,
    /// Seconds in total, and of each phase.
    pub seconds: f64,
    pub phases: BTreeMap<String, f64>,
    /// Tests without a candidate, by reason.
    pub tests_without: BTreeMap<String, usize>,
    /// Parameterized tests that were dropped, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Ill-formed candidates, by reason.
    pub ill_formed_because: BTreeMap<String, usize>,
}

/// A row of Table II: a function that tests call.
#[derive(Clone, Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct TargetFunction {
    pub package: String,
    pub function: String,
    pub tests: usize,
    pub original_arguments: usize,
    pub candidates: usize,
    pub captured_arguments: usize,
}

/// A row of Table III: the classes of a package.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct ClassesOfPackage {
    pub package: String,
    pub candidates: usize,
    pub strongly_coupled: usize,
    pub falsifiably_coupled: usize,
    pub decoupled: usize,
    pub general: usize,
}

/// A candidate with its class.
#[derive(Clone, Debug, Serialize)]
pub struct OfCandidate {
    /// The file of the test.
    pub file: String,
    /// The line of the assertion.
    pub line: usize,
    /// The test.
    pub test: String,
    /// The function.
    pub function: String,
    /// The call.
    pub call: String,
    /// The assertion.
    pub assertion: String,
    /// The class.
    pub class: Class,
    /// Whether it kills a mutant of the function, if it is decoupled.
    pub general: bool,
    /// The number of argument sets of the test.
    pub original: usize,
    /// Argument sets for which it holds.
    pub valid: usize,
    /// Argument sets for which it fails.
    pub falsifying: usize,
    /// Argument sets with which the function panicked when it was recorded.
    pub panicking: usize,
    /// Why it is ill-formed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A parameterized test that is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Emitted {
    /// The file.
    pub file: String,
    /// The line of the test that it is made from.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// The test that it is made from.
    pub test: String,
    /// All tests that it is made from: those with the same assertion about the same function share one.
    pub tests: Vec<String>,
    /// The function that it is parameterized over.
    pub function: String,
    /// How many cases it has.
    pub cases: usize,
    /// The cases, each with the origin of its arguments.
    pub arguments: Vec<Case>,
    /// The number of argument sets for which it holds.
    pub valid: usize,
    /// How many of its assertions there are.
    pub assertions: usize,
    /// Whether it states for which arguments the assertion fails.
    pub negative: bool,
    /// Its text.
    pub text: String,
    /// The item to insert.
    #[serde(skip)]
    pub item: NewItem,
}

/// A case of a parameterized test.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The arguments, as Rust.
    pub values: Vec<String>,
    /// Whether the original test calls the function with these arguments.
    pub original: bool,
    /// The tests in which the function was called with these arguments.
    pub tests: Vec<String>,
    /// The workloads in which the function was called with these arguments.
    pub workloads: Vec<String>,
    /// Whether the function panicked when it was recorded.
    pub panicked: bool,
}

/// A test without a candidate.
#[derive(Clone, Debug, Serialize)]
pub struct Without {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The test.
    pub test: String,
    /// Why.
    pub reason: String,
}

/// Everything.
#[derive(Debug, Default)]
pub struct Report {
    /// The tests that are shown.
    pub tests: Vec<Emitted>,
    /// The candidates with their classes.
    pub candidates: Vec<OfCandidate>,
    /// Tests that have none.
    pub without: Vec<Without>,
    /// Table II.
    pub functions: Vec<TargetFunction>,
    /// Table III.
    pub packages: Vec<ClassesOfPackage>,
    /// The numbers.
    pub summary: Summary,
    /// The change of the user's files.
    pub changes: ChangeSet,
    /// The unreadable parts of the recording.
    pub lost: Vec<Lost>,
}
