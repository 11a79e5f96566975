//! `cargo situ test --accept`: replaces the expected values of failing tests with what was found.

mod edits;
mod expression;
mod failure;

pub use expression::NotWritable;

use super::choose::{Kinds, Selection};
use super::event::{Ended, Event, Outcome};
use super::run::{self, Report, Request};
use crate::base::user_error::UserError;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, FileChange, Preview, preview_change};
use anyhow::Result;
use edits::{Edits, TestKey};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

/// Test whose expected values can be replaced. It passes with the new ones.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Name, as the test runner printed it.
    pub name: String,
    /// Path relative to the workspace root.
    pub file: PathBuf,
    /// Line of the test before the change.
    pub line: usize,
    /// Number of failures in the report: one for each test program that contains the test.
    pub failures: usize,
    key: TestKey,
}

/// Failing test whose expected values cannot be replaced.
#[derive(Clone, Debug)]
pub struct Refused {
    pub name: String,
    pub file: PathBuf,
    pub line: usize,
    pub reason: Refusal,
}

/// Reason why the expected values of a test cannot be replaced.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The test does not fail by an oracle, or not any more.
    NoOracle,
    /// The failed oracle has no expected value.
    NoValue,
    /// The expected value is computed from the element of an `each`.
    OfCase,
    /// Another run or another case finds another value.
    NotStable,
    /// The found value cannot be written as Rust source.
    NotWritable(NotWritable),
    /// The tests do not compile with the found values.
    NotCompiling(String),
    /// The changed test was not executed.
    NotRun,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoOracle => formatter.write_str("it fails in another way than by an oracle"),
            Refusal::NoValue => {
                formatter.write_str("the oracle that fails has no value that could be replaced")
            }
            Refusal::OfCase => {
                formatter.write_str("the expected value is computed from the elements of `each`")
            }
            Refusal::NotStable => {
                formatter.write_str("another run or another case finds another value")
            }
            Refusal::NotWritable(reason) => reason.fmt(formatter),
            Refusal::NotCompiling(said) => {
                write!(formatter, "with what was found, {said}")
            }
            Refusal::NotRun => formatter.write_str("it does not run with what was found"),
        }
    }
}

/// What can be accepted of a test run.
#[derive(Default)]
pub struct Acceptance {
    /// Tests to change; empty if one of the failing tests is refused.
    pub accepted: Vec<Accepted>,
    pub refused: Vec<Refused>,
    /// Names of failing tests that a person specified and the user did not name.
    pub specified: Vec<String>,
    edits: Edits,
}

impl Acceptance {
    /// Returns the changes of the user's files for these tests.
    pub fn changes(&self, accepted: &[Accepted]) -> ChangeSet {
        let tests = accepted.iter().map(|one| one.key.clone()).collect();
        let changed = self.edits.changed(&tests).into_iter();
        let files = changed.map(|(path, before, after)| FileChange {
            path,
            before,
            after,
            is_new: false,
        });
        ChangeSet {
            files: files.collect(),
        }
    }

    /// Shows the change of one test.
    pub fn preview(&self, accepted: &Accepted) -> Preview {
        let changes = self.changes(std::slice::from_ref(accepted));
        let hunk = changes.files.first().map(preview_change);
        Preview {
            line: accepted.line,
            hunk: hunk.unwrap_or_default(),
        }
    }
}

/// Replaces the expected values of the failed tests of a report with what was found, in a mirror,
/// and runs the changed tests there until they pass. Tests that a person specified are left out
/// unless `with_specified`. The user's files are not changed.
pub fn accept(
    workspace: &Workspace,
    request: &Request,
    report: &Report,
    with_specified: bool,
    watch: &dyn Fn(Event<'_>),
) -> Result<Acceptance> {
    let mut acceptance = Acceptance::default();
    let mut first: BTreeMap<TestKey, Vec<Ended>> = BTreeMap::new();
    let mut failed: Vec<Ended> = Vec::new();
    for ended in failing_in_situ(report) {
        let Some((key, is_observed, by_oracle)) = acceptance.edits.failed_test(workspace, ended)?
        else {
            continue;
        };
        if !by_oracle {
            continue;
        }
        if is_observed || with_specified {
            first.entry(key).or_default().push(ended.clone());
            failed.push(ended.clone());
        } else {
            acceptance.specified.push(ended.name.clone());
        }
    }
    while !failed.is_empty() {
        let known = acceptance.edits.count();
        for ended in &failed {
            if let Err(reason) = acceptance.edits.replace(ended) {
                acceptance.refused.push(refused(ended, reason));
            }
        }
        if acceptance.refused.is_empty() && acceptance.edits.count() == known {
            let all = failed.iter();
            acceptance.refused = all.map(|one| refused(one, Refusal::NotStable)).collect();
        }
        if !acceptance.refused.is_empty() {
            return Ok(acceptance);
        }
        watch(Event::Step("running the tests with what was found"));
        let mut again = run_changed(workspace, request, &acceptance.edits, watch)?;
        // `Debug` shows `&str` and `String` alike.
        if matches!(again, Rerun::Refused(Refusal::NotCompiling(_)))
            && acceptance.edits.own_strings()
        {
            again = run_changed(workspace, request, &acceptance.edits, watch)?;
        }
        match again {
            Rerun::Failed(again) => failed = again,
            Rerun::Refused(reason) => {
                let all = first.values().flatten();
                acceptance.refused = all.map(|ended| refused(ended, reason.clone())).collect();
                return Ok(acceptance);
            }
        }
    }
    let accepted = first.into_iter().filter_map(|(key, all)| {
        let ended = all.first()?;
        Some(Accepted {
            name: ended.name.clone(),
            file: key.0.clone(),
            line: ended.line?,
            failures: all.len(),
            key,
        })
    });
    acceptance.accepted = accepted.collect();
    Ok(acceptance)
}

fn failing_in_situ(report: &Report) -> impl Iterator<Item = &Ended> {
    let failed = report.tests.iter();
    failed.filter(|test| test.outcome == Outcome::Failed && test.kind.is_in_situ())
}

fn refused(ended: &Ended, reason: Refusal) -> Refused {
    Refused {
        name: ended.name.clone(),
        file: ended.file.clone().unwrap_or_default(),
        line: ended.line.unwrap_or_default(),
        reason,
    }
}

/// Result of running the changed tests.
enum Rerun {
    /// Changed tests that still fail; none if all pass.
    Failed(Vec<Ended>),
    Refused(Refusal),
}

/// Runs the changed tests in a mirror.
fn run_changed(
    workspace: &Workspace,
    request: &Request,
    edits: &Edits,
    watch: &dyn Fn(Event<'_>),
) -> Result<Rerun> {
    let tests = edits.tests();
    let places: BTreeSet<(PathBuf, usize)> = tests
        .iter()
        .filter_map(|key| Some((key.0.clone(), edits.line_of(key)?)))
        .collect();
    let changed = edits.changed(&tests).into_iter();
    let files: Vec<(PathBuf, String)> = changed.map(|(path, _, after)| (path, after)).collect();
    let mirror = workspace.mirror("accept", &files)?;
    let request = Request {
        asked: Selection {
            files: places
                .iter()
                .map(|(path, line)| format!("{}:{line}", path.display()))
                .collect(),
            kinds: Kinds::OnlyInSitu,
            ..Selection::default()
        },
        doctests: false,
        ..request.clone()
    };
    let report = match run::run(&mirror, &request, watch) {
        Ok(report) => report,
        Err(error) if error.downcast_ref::<UserError>().is_some() => {
            return Ok(Rerun::Refused(Refusal::NotCompiling(format!("{error:#}"))));
        }
        Err(error) => return Err(error),
    };
    let place_of = |test: &Ended| Some((test.file.clone()?, test.line?));
    let of_changed = |test: &&Ended| place_of(test).is_some_and(|place| places.contains(&place));
    let again: Vec<&Ended> = report.tests.iter().filter(of_changed).collect();
    let ran: BTreeSet<(PathBuf, usize)> = again
        .iter()
        .filter(|test| matches!(test.outcome, Outcome::Passed | Outcome::Failed))
        .filter_map(|test| place_of(test))
        .collect();
    if ran != places {
        return Ok(Rerun::Refused(Refusal::NotRun));
    }
    let failed = again.into_iter();
    let failed = failed.filter(|test| {
        let is_changed = || edits.key_of(test).is_some_and(|key| tests.contains(&key));
        test.outcome == Outcome::Failed && is_changed()
    });
    Ok(Rerun::Failed(failed.cloned().collect()))
}
