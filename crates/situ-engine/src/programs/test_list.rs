//! Lists the tests of a program.

use super::harness::with_libraries;
use super::program::Program;
use crate::base::process::{self, Scratch};
use anyhow::Result;
use std::time::Duration;

/// Time limit. Listing executes no test.
const LONGEST: Duration = Duration::from_secs(60);

/// Returns the names of a program's tests, including ignored ones; empty for a program without
/// `#[test]` functions.
pub(crate) fn list_tests(program: &Program) -> Result<Vec<String>> {
    let mut command = program.launcher.command(&program.path);
    command.arg("--list").current_dir(&program.folder);
    with_libraries(&mut command, &program.path, &program.libraries);
    let listed = process::run_confined(&mut command, &Scratch::none(), Some(LONGEST))?;
    Ok(listed
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect())
}
