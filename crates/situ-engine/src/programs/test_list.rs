//! The tests that a program says it has.

use super::harness::with_libraries;
use super::program::Program;
use crate::base::process::{self, Scratch};
use anyhow::Result;
use std::time::Duration;

/// Listing runs no test.
const LONGEST: Duration = Duration::from_secs(60);

/// The names of a program's tests, those that are ignored too; none of a program that is not made of `#[test]` functions.
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
