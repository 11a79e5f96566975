//! pytest-inline on the same statements, where a Python with it is named.

use std::fs;
use std::io::{self, Error};
use std::process::Command;
use std::time::Instant;

use crate::generated_crate::work_folder;
use crate::options::Options;
use crate::workload::{self, PYTHON_PLACES};

const TESTS_PER_PLACE: usize = 4;
const FUNCTIONS_PER_FILE: usize = 50;
/// Beyond this it takes hours.
const MOST: usize = 10_000;

pub fn measure(options: &Options) -> io::Result<String> {
    let Some(python) = &options.python else {
        return Ok("pytest-inline: not asked for.\n".to_owned());
    };
    let present = Command::new(python)
        .args(["-c", "import inline, pytest"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !present {
        return Ok("pytest-inline: not installed, left out.\n".to_owned());
    }
    let mut text =
        String::from("| tests | pytest-inline, whole run | a test |\n| ---: | ---: | ---: |\n");
    for &size in options.sizes.iter().filter(|size| **size <= MOST) {
        let (tests, seconds) = run(python, size)?;
        text += &format!(
            "| {tests} | {seconds:.1} s | {:.2} ms |\n",
            seconds / tests as f64 * 1e3
        );
    }
    eprint!("{text}");
    Ok(text)
}

fn run(python: &str, size: usize) -> io::Result<(usize, f64)> {
    let folder = work_folder().join(format!("python_{size}"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let functions = size.div_ceil(TESTS_PER_PLACE * PYTHON_PLACES);
    for file in 0..functions.div_ceil(FUNCTIONS_PER_FILE) {
        let numbers = file * FUNCTIONS_PER_FILE..((file + 1) * FUNCTIONS_PER_FILE).min(functions);
        let source: String = numbers
            .map(|number| workload::python_function(number, TESTS_PER_PLACE))
            .collect();
        fs::write(
            folder.join(format!("part_{file}.py")),
            format!("from inline import itest\n\n\n{source}"),
        )?;
    }
    let start = Instant::now();
    let output = Command::new(python)
        .args([
            "-m",
            "pytest",
            "-q",
            "--inlinetest-only",
            "-p",
            "no:cacheprovider",
        ])
        .current_dir(&folder)
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let tests = functions * TESTS_PER_PLACE * PYTHON_PLACES;
    let words = String::from_utf8_lossy(&output.stdout);
    if !words.contains(&format!("{tests} passed")) {
        let end: String = words
            .chars()
            .rev()
            .take(2_000)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        return Err(Error::other(format!(
            "pytest does not pass {tests} tests: {end}"
        )));
    }
    Ok((tests, seconds))
}
