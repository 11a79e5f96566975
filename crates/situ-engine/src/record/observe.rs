//! Observations: tests that tell what they see of their own fragments are built so that every value of the workspace can be
//! captured, and run with each of their rows.

use super::compile::Purpose;
use super::outcomes::{self, TestProgram};
use super::plan::Wanted;
use super::read::files_in;
use super::round_trip::arguments_for_inner_tests;
use super::session::Session;
use crate::runtime::Effort;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use situ_rt::recorder;
use situ_rt::recording::{self, Record};
use situ_rt::value::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The environment variable with the row that tests take.
const ROW_VARIABLE: &str = "SITU_ROW";

/// One row of all tests takes no time; code that loops is stopped, with the rows of the other tests.
const LONGEST_ROW: Duration = Duration::from_secs(10);

/// So many rows may loop before the others are given up.
const MOST_LOOPS: usize = 2;

/// What tests saw.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// The number of a run → slot → what was seen.
    pub seen: BTreeMap<u64, BTreeMap<u32, Value>>,
    /// The tests that passed, each with the row.
    pub passed: Vec<(String, usize)>,
}

/// What the tests of a mirror see whose names contain `name`, with each of so many rows; nothing where the compiler does
/// not accept what they say.
pub fn observe(
    mirror: &Workspace,
    wanted: &Wanted,
    program: &Path,
    name: &str,
    rows: usize,
) -> Result<Option<Observations>> {
    let mut session = Session::prepare(mirror, program, wanted, None, Purpose::Observing)?;
    session.effort = Effort::Little;
    let Ok(built) = session.build_instrumented(program, &arguments_for_inner_tests(mirror)) else { return Ok(None) };
    let folder = mirror.situ_folder().join("observed");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context("making the folder of observations")?;
    let mut observations = Observations::default();
    for test_program in &built.tests {
        observations.passed.extend(run_rows(test_program, &folder, name, rows)?);
    }
    for path in files_in(&folder) {
        for record in recording::read(&path).map(|contents| contents.records).unwrap_or_default() {
            if let Record::Values(set) = record {
                observations.seen.entry(set.site).or_default().extend(set.slots);
            }
        }
    }
    Ok(Some(observations))
}

fn run_rows(program: &TestProgram, folder: &Path, name: &str, rows: usize) -> Result<Vec<(String, usize)>> {
    let mut passed = Vec::new();
    let mut loops = 0;
    for row in 0..rows {
        let variables = [
            (recorder::FOLDER_VARIABLE.to_owned(), folder.to_string_lossy().into_owned()),
            (ROW_VARIABLE.to_owned(), row.to_string()),
        ];
        let outcomes = outcomes::run_ignored(program, &variables, name, LONGEST_ROW)?;
        let ended = outcomes.of_tests.into_iter().filter(|(_, outcome)| outcome == "ok");
        passed.extend(ended.map(|((_, test), _)| (test, row)));
        loops += usize::from(outcomes.took >= LONGEST_ROW);
        if loops >= MOST_LOOPS {
            break;
        }
    }
    Ok(passed)
}
