//! Runs cargo and test programs, and says how long they took.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use crate::generated_crate::work_folder;

fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", work_folder().join("target"));
    cargo
}

fn checked(command: &mut Command) -> io::Result<Output> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output);
    }
    let words = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let start: String = words.chars().take(4_000).collect();
    Err(Error::other(format!("{command:?} fails:\n{start}")))
}

/// Seconds to compile the crate's test program while its dependencies are compiled already, and the program.
pub fn compile_cold(folder: &Path) -> io::Result<(f64, PathBuf)> {
    let name = folder.file_name().expect("crates have a folder of their own");
    let _ = cargo(folder).arg("clean").arg("-p").arg(name).output()?;
    let start = Instant::now();
    let output = checked(cargo(folder).args(["test", "--no-run", "--lib", "--message-format=json"]))?;
    let seconds = start.elapsed().as_secs_f64();
    let messages = String::from_utf8_lossy(&output.stdout);
    let program = messages.split("\"executable\":\"").nth(1).and_then(|rest| rest.split('"').next());
    program.map(|program| (seconds, PathBuf::from(program))).ok_or_else(|| Error::other("cargo names no test program"))
}

/// Compiles a crate's dependencies, so that no later measurement has to.
pub fn warm_up(folder: &Path) -> io::Result<()> {
    checked(cargo(folder).args(["test", "--no-run", "--lib"])).map(drop)
}

/// Seconds to run all tests of the program, which must be so many and must pass.
pub fn run_tests(program: &Path, tests: usize) -> io::Result<f64> {
    let start = Instant::now();
    let output = checked(&mut Command::new(program))?;
    let seconds = start.elapsed().as_secs_f64();
    let expected = format!("test result: ok. {tests} passed; 0 failed");
    if !String::from_utf8_lossy(&output.stdout).contains(&expected) {
        return Err(Error::other(format!("{} does not say {expected:?}", program.display())));
    }
    Ok(seconds)
}

/// Seconds from a changed file to the result of the tests that the filter names.
pub fn edit_to_result(folder: &Path, filter: &str, file: &Path, text: &str) -> io::Result<f64> {
    fs::write(file, text)?;
    let start = Instant::now();
    let output = checked(cargo(folder).args(["test", "--lib", filter]))?;
    let seconds = start.elapsed().as_secs_f64();
    if !String::from_utf8_lossy(&output.stdout).contains("test result: ok. 1 passed") {
        return Err(Error::other(format!("{filter} names not exactly one test that passes")));
    }
    Ok(seconds)
}

/// The middle one of the measurements.
pub fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
