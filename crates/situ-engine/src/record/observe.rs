//! Observes generated tests: builds them so that they record what their fragments compute, and runs
//! them with each of their rows.

use super::close::close;
use super::compile::Purpose;
use super::plan::Wanted;
use super::read::files_in;
use super::round_trip::arguments_for_inner_tests;
use super::secrets;
use super::session::Session;
use super::watch::Watch;
use crate::base::parallel::in_parallel;
use crate::base::process::Scratch;
use crate::cargo::runtime::Effort;
use crate::cargo::workspace::Workspace;
use crate::programs::outcomes::{self, Confinement, TestProgram};
use anyhow::{Context as _, Result};
use situ_recorder::observe::PATH_SLOT;
use situ_recorder::recorder;
use situ_recorder::recording::{self, Record};
use situ_recorder::value::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Environment variable with the row that tests use.
const ROW_VARIABLE: &str = "SITU_ROW";

/// Time limit for one row of all tests.
const LONGEST_ROW: Duration = Duration::from_secs(3);

/// Maximum number of tests that may hang or end their process before the rest is abandoned.
const MAX_STUCK: usize = 8;

/// Values that observed tests recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observations {
    /// Values by run number and slot.
    pub seen: BTreeMap<u64, BTreeMap<u32, Value>>,
    /// Tests that passed, with their row.
    pub passed: Vec<(String, usize)>,
}

/// Runs the tests of a mirror whose names contain `name` with each of `rows` rows, and returns what
/// they recorded. Returns `None` if the compiler rejects them.
pub(crate) fn observe(
    mirror: &Workspace,
    wanted: &Wanted,
    program: &Path,
    name: &str,
    rows: usize,
) -> Result<Option<Observations>> {
    let Some(programs) = build(mirror, wanted, program)? else {
        return Ok(None);
    };
    let folder = mirror.situ_folder().join("observed");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context("creating the folder of observations")?;
    // The watch ends processes that hang.
    let notes = Watch::prepare(folder.join("notes"), &[])?;
    let mut variables = vec![
        (
            recorder::FOLDER_VARIABLE.to_owned(),
            folder.to_string_lossy().into_owned(),
        ),
        notes.variable(),
    ];
    variables.extend(secrets::variables(wanted));
    let mut observations = Observations::default();
    let confinement =
        Confinement::Scratch(Scratch::new(&mirror.situ_folder().join("observing"))?.with(&folder)?);
    for test_program in &programs {
        observations.passed.extend(run_rows(
            (test_program, &confinement),
            &variables,
            name,
            rows,
        )?);
    }
    close(&folder)?;
    for path in files_in(&folder) {
        for record in recording::read(&path)
            .map(|contents| contents.records)
            .unwrap_or_default()
        {
            if let Record::Values(set) = record {
                let seen = observations.seen.entry(set.site).or_default();
                set.slots
                    .into_iter()
                    .for_each(|(slot, value)| take_in(seen, slot, value));
            }
        }
    }
    Ok(Some(observations))
}

/// Adds a recorded value. If a test has several cases, merges their branches.
fn take_in(seen: &mut BTreeMap<u32, Value>, slot: u32, value: Value) {
    match (slot, seen.get_mut(&slot), value) {
        (PATH_SLOT, Some(Value::Seq { items, .. }), Value::Seq { items: more, .. }) => {
            items.extend(more)
        }
        (slot, _, value) => drop(seen.insert(slot, value)),
    }
}

/// Builds the test programs of a mirror so that all values can be captured. Returns `None` if the
/// compiler rejects them.
pub(crate) fn build(
    mirror: &Workspace,
    wanted: &Wanted,
    program: &Path,
) -> Result<Option<Vec<TestProgram>>> {
    let mut session = Session::prepare(mirror, program, wanted, None, Purpose::Observing)?;
    session.effort = Effort::Little;
    let built = session.build_instrumented(program, &arguments_for_inner_tests(mirror));
    Ok(built.ok().map(|built| built.tests))
}

/// Tests that hang or end their process, with the first such row.
type Stuck = BTreeMap<String, usize>;

/// Returns the tests that pass, with each of `rows` rows. A test that is stuck is not tried with
/// later rows, because usually an input is too large and the next ones are too.
fn run_rows(
    (program, confinement): (&TestProgram, &Confinement),
    variables: &[(String, String)],
    name: &str,
    rows: usize,
) -> Result<Vec<(String, usize)>> {
    let stuck = Mutex::new(Stuck::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let of_rows = in_parallel(cores, rows, |_, row| {
        let mut variables = variables.to_vec();
        variables.push((ROW_VARIABLE.to_owned(), row.to_string()));
        let passed = run_row((program, confinement), &variables, name, row, &stuck)?;
        Ok(passed
            .into_iter()
            .map(|test| (test, row))
            .collect::<Vec<_>>())
    });
    let stuck = stuck.into_inner().unwrap_or_else(PoisonError::into_inner);
    let passed = of_rows.into_iter().collect::<Result<Vec<_>>>()?.concat();
    // Some later rows may have finished before the test got stuck. They are ignored, because the
    // next run might finish others.
    let is_sure = |(test, row): &(String, usize)| stuck.get(test).is_none_or(|first| row < first);
    Ok(passed.into_iter().filter(is_sure).collect())
}

/// Returns the tests that pass with one row.
fn run_row(
    (program, confinement): (&TestProgram, &Confinement),
    variables: &[(String, String)],
    name: &str,
    row: usize,
    stuck: &Mutex<Stuck>,
) -> Result<Vec<String>> {
    loop {
        let left_out: Vec<String> = stuck
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .keys()
            .cloned()
            .collect();
        if left_out.len() > MAX_STUCK {
            return Ok(Vec::new());
        }
        let skips = left_out.iter().flat_map(|test| ["--skip", test.as_str()]);
        let arguments: Vec<&str> = [name, "--ignored"].into_iter().chain(skips).collect();
        let outcomes =
            outcomes::run_in_turn(program, variables, &arguments, LONGEST_ROW, confinement)?;
        let of_tests = || {
            outcomes
                .of_tests
                .iter()
                .filter(|((_, test), _)| !test.is_empty())
        };
        let Some(((_, unfinished), _)) = of_tests().find(|(_, outcome)| outcome.is_empty()) else {
            let passed = of_tests().filter(|(_, outcome)| *outcome == "ok");
            return Ok(passed.map(|((_, test), _)| test.clone()).collect());
        };
        let mut stuck = stuck.lock().unwrap_or_else(PoisonError::into_inner);
        let first = stuck.entry(unfinished.clone()).or_insert(row);
        *first = row.min(*first);
    }
}
