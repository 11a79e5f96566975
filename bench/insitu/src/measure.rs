//! Runs cargo and test programs, and says how long they took.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use crate::generated_crate::work_folder;

fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", work_folder().join("target"));
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

/// What something took: on the clock, and in processor time, which a busy machine disturbs less.
#[derive(Clone, Copy)]
pub struct Took {
    pub seconds: f64,
    pub processor_seconds: f64,
}

/// Runs a command that must succeed.
fn timed(command: &mut Command) -> io::Result<(Took, Output)> {
    let (start, before) = (Instant::now(), processor_seconds_of_children());
    let output = checked(command)?;
    let seconds = start.elapsed().as_secs_f64();
    let processor_seconds = match (before, processor_seconds_of_children()) {
        (Some(before), Some(after)) => after - before,
        _ => seconds,
    };
    Ok((
        Took {
            seconds,
            processor_seconds,
        },
        output,
    ))
}

/// The processor time of all processes that have ended, where the system has a file that says so.
fn processor_seconds_of_children() -> Option<f64> {
    processor_seconds(2)
}

/// The processor time of this process, where the system has a file that says so.
pub fn processor_seconds_of_this_process() -> Option<f64> {
    processor_seconds(0)
}

/// User and system time, from the fields 14 and 15 of the status, or those for children right after them.
fn processor_seconds(first: usize) -> Option<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name of the program, which may have spaces in it.
    let mut fields = status.rsplit_once(") ")?.1.split(' ').skip(11 + first);
    let ticks: f64 = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / TICKS_A_SECOND)
}

/// What it takes to compile the crate's test program while its dependencies are compiled already, and the program.
pub fn compile_cold(folder: &Path) -> io::Result<(Took, PathBuf)> {
    let name = folder
        .file_name()
        .expect("crates have a folder of their own");
    let _ = cargo(folder).arg("clean").arg("-p").arg(name).output()?;
    let (took, output) =
        timed(cargo(folder).args(["test", "--no-run", "--lib", "--message-format=json"]))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let program = messages
        .split("\"executable\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    program
        .map(|program| (took, PathBuf::from(program)))
        .ok_or_else(|| Error::other("cargo names no test program"))
}

/// Compiles a crate's dependencies, so that no later measurement has to.
pub fn warm_up(folder: &Path) -> io::Result<()> {
    checked(cargo(folder).args(["test", "--no-run", "--lib"])).map(drop)
}

/// What it takes to run all tests of the program, which must be so many and must pass.
pub fn run_tests(program: &Path, tests: usize) -> io::Result<Took> {
    let (took, output) = timed(&mut Command::new(program))?;
    let expected = format!("test result: ok. {tests} passed; 0 failed");
    if !String::from_utf8_lossy(&output.stdout).contains(&expected) {
        return Err(Error::other(format!(
            "{} does not say {expected:?}",
            program.display()
        )));
    }
    Ok(took)
}

/// What it takes from a changed file to the result of the tests that the filter names.
pub fn edit_to_result(folder: &Path, filter: &str, file: &Path, text: &str) -> io::Result<Took> {
    fs::write(file, text)?;
    let (took, output) = timed(cargo(folder).args(["test", "--lib", filter]))?;
    if !String::from_utf8_lossy(&output.stdout).contains("test result: ok. 1 passed") {
        return Err(Error::other(format!(
            "{filter} names not exactly one test that passes"
        )));
    }
    Ok(took)
}

/// The middle one of the measurements, on the clock and in processor time.
pub fn median(samples: &[Took]) -> Took {
    let middle = |part: fn(&Took) -> f64| {
        let mut sorted: Vec<f64> = samples.iter().map(part).collect();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    Took {
        seconds: middle(|took| took.seconds),
        processor_seconds: middle(|took| took.processor_seconds),
    }
}
