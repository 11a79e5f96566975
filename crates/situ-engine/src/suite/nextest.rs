//! Runs tests through nextest, if it is installed.

use crate::base::output_lines::Lines;
use crate::base::process::{self, Next};
use crate::base::user_error;
use crate::cargo::workspace::cargo;
use crate::programs::harness::Outcome;
use crate::programs::skips::Skips;
use crate::programs::workspace_programs::{Programs, RunOptions, Said, TestProgram};
use anyhow::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::Stdio;

/// Returns whether `cargo nextest` can be called.
pub(crate) fn is_present() -> bool {
    process::run(cargo().args(["nextest", "--version"]), None)
        .is_ok_and(|finished| finished.status.success())
}

/// Line of nextest's JSON output.
#[derive(Deserialize)]
struct Line {
    r#type: String,
    event: String,
    #[serde(default)]
    name: String,
    exec_time: Option<f64>,
    #[serde(default)]
    stdout: String,
}

/// Results by program index and test name.
pub(crate) type Answers = BTreeMap<(usize, String), Said>;

/// Runs these tests of the programs with these indices, in one call of nextest.
pub(crate) fn run(
    programs: &Programs,
    chosen: &[(usize, Vec<&str>)],
    options: &RunOptions<'_>,
    ended: &mut dyn FnMut(&str, Outcome),
) -> Result<Answers> {
    let mut command = programs.nextest();
    command
        .env("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1")
        .stderr(Stdio::piped());
    command.args([
        "--no-fail-fast",
        "--message-format",
        "libtest-json-plus",
        "--no-tests",
        "pass",
        "--workspace",
    ]);
    command.args(
        options
            .threads
            .map(|threads| format!("--test-threads={threads}")),
    );
    for (at, names) in chosen {
        let program = &programs.all[*at];
        let binary = binary_of(&program.target);
        // One expression for each program; nextest runs the union.
        let tests: Vec<String> = names.iter().map(|name| format!("test(={name})")).collect();
        let expression = format!(
            "package(={}) and binary(={binary}) and ({})",
            program.package,
            tests.join(" or ")
        );
        command.args(["-E", &expression]);
    }
    if !options.arguments.is_empty() {
        command.arg("--").args(options.arguments);
    }
    let skips = Skips::of(&mut command, &programs.runs);
    let mut answers = Answers::new();
    let mut lines = Lines::whole();
    let finished = process::stream(&mut command, None, |piece, _| {
        lines.read(piece, &mut |line| {
            if let Some((at, name, said)) = answer(line, &programs.all, chosen) {
                ended(&name, said.outcome);
                answers.insert((at, name), said);
            }
        });
        Next::Continue
    })?;
    if answers.is_empty() && !finished.status.success() {
        return Err(user_error::user_code(format!(
            "nextest runs no test:\n{}",
            finished.stderr.trim_end()
        )));
    }
    let notes = skips.read();
    for ((at, name), said) in &mut answers {
        said.skipped = programs.all[*at].skipped(name, &notes);
    }
    Ok(answers)
}

fn binary_of(target: &str) -> &str {
    target.rsplit_once(' ').map_or(target, |(_, name)| name)
}

fn answer(
    line: &str,
    programs: &[TestProgram],
    chosen: &[(usize, Vec<&str>)],
) -> Option<(usize, String, Said)> {
    let line: Line = serde_json::from_str(line).ok()?;
    let outcome = match (line.r#type.as_str(), line.event.as_str()) {
        ("test", "ok") => Outcome::Passed,
        ("test", "failed" | "timeout") => Outcome::Failed,
        ("test", "ignored") => Outcome::Ignored,
        _ => return None,
    };
    let (program, name) = line.name.split_once('$')?;
    // A retried test has `#` and a number after its name.
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    let (package, binary) = program.split_once("::").unwrap_or((program, program));
    let binary = binary.rsplit('/').next().unwrap_or(binary);
    let same = |found: &str, wanted: &str| found.replace('-', "_") == wanted.replace('-', "_");
    let at = chosen.iter().map(|(at, _)| *at).find(|at| {
        let program = &programs[*at];
        same(&program.package, package)
            && same(binary_of(&program.target), binary)
            && program.tests.iter().any(|test| test.name == name)
    })?;
    let crashed = outcome == Outcome::Failed && line.stdout.trim().is_empty();
    let output = if crashed {
        "the test ended its process, or printed nothing\n".to_owned()
    } else {
        line.stdout
    };
    Some((
        at,
        name.to_owned(),
        Said {
            outcome,
            output,
            seconds: line.exec_time,
            skipped: None,
        },
    ))
}
