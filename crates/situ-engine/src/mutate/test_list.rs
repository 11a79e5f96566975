//! The tests that a program says it has.

use super::build::Program;
use super::suite::{Workplace, prepare};
use crate::process::{self, Next};
use anyhow::Result;
use std::process::Command;
use std::time::Duration;

/// Listing runs no test.
const LONGEST: Duration = Duration::from_secs(60);

/// The names of a program's tests, those that are ignored too; none of a program that is not made of `#[test]` functions.
pub fn list_tests(program: &Program, place: &Workplace) -> Result<Vec<String>> {
    let mut command = Command::new(&program.path);
    prepare(&mut command, program, place);
    let listed = process::stream(command.arg("--list"), Some(LONGEST), |_, _| Next::Continue)?;
    Ok(listed.stdout.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
