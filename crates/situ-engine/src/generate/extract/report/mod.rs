//! The report of an extraction.

pub(crate) mod branches;
pub(crate) mod existing_branches;
pub(crate) mod setbacks;
pub(crate) mod summary;
pub(crate) mod worth;

use super::candidate::statement::WithoutTest;
use super::update::{FailingTest, Outdated};
use crate::edit::{ChangeSet, Proposal};
use crate::generate::worth::Worth;
use crate::record::Lost;
use serde::Serialize;
use setbacks::Setback;
use std::collections::BTreeMap;

/// A test that was extracted.
#[derive(Clone, Debug, Serialize)]
pub struct Extracted {
    /// The file.
    pub file: String,
    /// The line of its statement, as the file is now.
    pub line: usize,
    /// The test.
    pub text: String,
    /// The function around it.
    pub function: String,
    /// What the statement manipulates.
    pub kind: String,
    /// Whether it is about a statement or a fragment.
    pub level: Level,
    /// How many value sets it has.
    pub rows: usize,
    /// Mutants that it kills and that survive the crate's own tests.
    pub kills_only_here: usize,
    /// What it adds to the suite; nothing where everything that holds was asked for.
    #[serde(flatten)]
    pub worth: Worth,
    /// Where it goes.
    #[serde(skip)]
    pub proposal: Proposal,
}

/// The kind of target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Single statements and headers.
    #[default]
    Inline,
    /// Blocks of several statements, and closures.
    Block,
}

/// The numbers.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct Summary {
    pub statements_found: usize,
    pub statements_reached: usize,
    pub statements_with_tests: usize,
    /// Statements that had a test before.
    pub statements_tested_already: usize,
    /// Tests that failed and were removed.
    pub tests_taken_out: usize,
    /// Failing tests that people wrote or edited: `--update` does not change them.
    pub specified_failing: Vec<FailingTest>,
    pub candidates: usize,
    /// Candidates that pass, from which the reduction starts.
    pub passing: usize,
    pub after_coverage: usize,
    pub after_mutants: usize,
    /// Tests that are shown: one may hold several value sets.
    pub tests: usize,
    /// Tests that hold as well and are not shown: others do all that they do, or there is no room for them.
    pub others: usize,
    /// The value sets in them.
    pub rows: usize,
    /// Value sets that were too long to read and are shown with shorter inputs.
    pub rows_shortened: usize,
    /// Value sets with generated inputs, each of which kills a further mutant.
    pub rows_nearby: usize,
    pub mutants: usize,
    /// Those of statements that have tests now.
    pub mutants_of_tested: usize,
    /// Mutants of tested statements that survive the crate's own tests.
    pub survivors_of_tested: usize,
    pub killed_by_unit: usize,
    /// Mutants that survive the crate's fast tests, without time to try the slow ones.
    pub open_by_unit: usize,
    pub killed_by_extracted: usize,
    pub killed_by_either: usize,
    /// Mutants that any recorded candidate kills.
    pub killed_by_candidates: usize,
    /// Mutants that a candidate kills and no shown test does: none, unless a test was dropped in
    /// the end. Held-back mutants do not count.
    pub killed_and_lost: usize,
    /// Mutants killed by the rows that coverage keeps.
    pub killed_by_coverage: usize,
    /// Mutants that only the extracted tests kill.
    pub killed_only_by_extracted: Vec<String>,
    /// Mutants that only the crate's own tests kill.
    pub killed_only_by_unit: Vec<String>,
    /// Mutants that neither kill.
    pub killed_by_nobody: Vec<String>,
    /// Mutants of held-back operators.
    pub held_back_mutants: usize,
    pub held_back_killed_by_unit: usize,
    pub held_back_killed_by_extracted: usize,
    pub held_back_killed_by_candidates: usize,
    /// Branches in the executed fragments, those taken while recording, and those that tests cover.
    pub fragment_branches: usize,
    pub fragment_branches_reached: usize,
    pub fragment_branches_covered: usize,
    /// Branches that existing in-situ tests cover and no new test does.
    pub fragment_branches_covered_before: usize,
    /// Fragments with tests and branches; those whose own tests cover all branches; those whose
    /// branches were all taken while recording.
    pub branching_fragments: usize,
    pub branching_fragments_covered: usize,
    pub branching_fragments_reached: usize,
    /// The sums over these fragments of the shares of branches that their own tests cover, and that
    /// the recording took.
    pub branch_coverage_sum: f64,
    pub branch_reach_sum: f64,
    /// Branches in executed fragments that no test covers: file and line of each.
    pub untaken_branches: Vec<String>,
    /// Seconds in total.
    pub seconds: f64,
    /// Seconds of each phase.
    pub phases: BTreeMap<String, f64>,
    /// Phases without any result, with the reasons.
    pub setbacks: Vec<Setback>,
    /// Statements without a test, by reason.
    pub statements_refused: BTreeMap<String, usize>,
    /// Dropped value sets and tests, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// The statements by what they manipulate.
    pub kinds: BTreeMap<String, OfKind>,
    /// What is left at each statement that has candidates.
    pub statements: Vec<OfStatement>,
}

/// The numbers of the statements that manipulate one kind of thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book tells of"
)]
pub struct OfKind {
    pub found: usize,
    pub reached: usize,
    pub with_tests: usize,
}

/// The numbers of one statement.
#[derive(Clone, Debug, Serialize)]
pub struct OfStatement {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
    /// Unique value sets in the recording.
    pub value_sets: usize,
    /// Candidates that pass.
    pub passing: usize,
    /// Those that coverage keeps.
    pub after_coverage: usize,
    /// Those that are shown.
    pub tests: usize,
    /// Its mutants.
    pub mutants: usize,
    /// The branches in a fragment that has tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branches: Option<usize>,
    /// The lines of those that its own tests do not take.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untaken_branches: Vec<usize>,
}

/// Everything.
#[derive(Debug)]
pub struct Report {
    /// The tests: those that are worth most first, or in the order of the sources where all were asked for.
    pub tests: Vec<Extracted>,
    /// Executed statements without a test, in source order.
    pub without: Vec<WithoutTest>,
    /// The numbers.
    pub summary: Summary,
    /// The change of the user's files.
    pub changes: ChangeSet,
    /// The unreadable parts of the recording.
    pub lost: Vec<Lost>,
    /// The tests removed before; places of tests are byte offsets after that.
    pub outdated: Outdated,
}
