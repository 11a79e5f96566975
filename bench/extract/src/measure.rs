//! Measures one subject: an extraction from nothing, a cold `cargo test` to hold it against, and further extractions
//! from the same recording.

use crate::{Arguments, foreign, levels};
use anyhow::{Context as _, Result};
use bench_subjects::{Prepared, Row, in_folder, run_verb, run_verb_without_workload};
use serde_json::{Value, json};
use situ_engine::base::process;
use situ_engine::cargo::workspace::cargo;
use situ_engine::mutate::operators::OPERATORS;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The recording that an extraction leaves.
const RECORDING: &str = "extract";

/// How subjects are measured.
pub struct Measuring {
    program: PathBuf,
    workloads: PathBuf,
    limit: Duration,
    options: Vec<String>,
    held_back_thirds: usize,
    algorithms_on: Vec<String>,
    levels_on: Vec<String>,
    foreign: foreign::Selection,
}

impl Measuring {
    /// As the arguments say.
    pub fn new(arguments: &Arguments, workloads: PathBuf) -> Measuring {
        let limit = Duration::from_secs(arguments.limit);
        let mutator = arguments
            .mutator
            .canonicalize()
            .unwrap_or_else(|_| arguments.mutator.clone());
        Measuring {
            program: arguments
                .program
                .canonicalize()
                .unwrap_or_else(|_| arguments.program.clone()),
            workloads,
            limit,
            options: arguments.options.clone(),
            held_back_thirds: usize::from(arguments.held_back_thirds),
            algorithms_on: arguments.algorithms_on.clone(),
            levels_on: arguments.levels_on.clone(),
            foreign: foreign::Selection {
                most: arguments.foreign_mutants,
                mutator,
                limit,
            },
        }
    }

    /// The row of a subject. What is measured beside the extraction is added to its summary.
    pub fn measure(&self, subject: &Prepared) -> Row {
        let cold = match &subject.folder {
            Ok(folder) => cold_test(folder, self.limit),
            Err(_) => Ok(Cold::default()),
        };
        let words = self.words(&[]);
        // The bars are about statements that unit tests reach; a workload stands in for tests that are not there.
        let mut row = match subject.subject.has_tests {
            true => run_verb_without_workload(&self.program, &words, subject, self.limit),
            false => run_verb(&self.program, &words, subject, &self.workloads, self.limit),
        };
        let Some(summary) = &mut row.summary else {
            return row;
        };
        match cold {
            Ok(cold) => {
                summary["cold_test_seconds"] = json!(cold.seconds);
                summary["cold_test_passes"] = json!(cold.passes);
            }
            Err(error) => summary["cold_test_failure"] = json!(format!("{error:#}")),
        }
        summary["held_back"] = Value::Array(self.held_back(subject));
        if is_among(subject, &self.algorithms_on) {
            summary["algorithms"] = self.algorithms(subject, summary);
        }
        let again = |words: &[&str]| self.again(subject, words);
        if is_among(subject, &self.levels_on) {
            summary["levels"] = levels::measure(subject, &again, self.limit);
        }
        if self.foreign.most > 0 {
            summary["foreign"] = foreign::measure(subject, &self.foreign, &again);
        }
        row
    }

    fn words(&self, more: &[&str]) -> Vec<String> {
        let more = more.iter().map(|word| (*word).to_owned());
        ["extract".to_owned(), "--all".to_owned()]
            .into_iter()
            .chain(self.options.iter().cloned())
            .chain(more)
            .collect()
    }

    /// Another extraction from the same recording: its summary, or why there is none.
    fn again(&self, subject: &Prepared, words: &[&str]) -> Value {
        let words = [&["--from", RECORDING], words].concat();
        let row =
            run_verb_without_workload(&self.program, &self.words(&words), subject, self.limit);
        row.summary
            .unwrap_or_else(|| json!({ "failure": row.failure }))
    }

    /// Extractions whose reduction does not see the mutants of some operators: every third one by name, then the next third.
    fn held_back(&self, subject: &Prepared) -> Vec<Value> {
        let mut names: Vec<&str> = OPERATORS.iter().map(|operator| operator.name).collect();
        names.sort_unstable();
        let third = |number: usize| {
            names
                .iter()
                .copied()
                .skip(number)
                .step_by(3)
                .collect::<Vec<&str>>()
        };
        let judged = (0..self.held_back_thirds).map(|number| {
            let held_back = third(number);
            let words: Vec<&str> = held_back
                .iter()
                .flat_map(|name| ["--hold-back", name])
                .collect();
            let mut summary = self.again(subject, &words);
            summary["operators"] = json!(held_back);
            summary
        });
        judged.collect()
    }

    fn algorithms(&self, subject: &Prepared, greedy: &Value) -> Value {
        let number = |summary: &Value| match summary.get("failure") {
            Some(failure) => json!({ "failure": failure }),
            None => {
                json!({ "tests": summary["tests"], "killed_by_extracted": summary["killed_by_extracted"] })
            }
        };
        let mut found = json!({ "greedy": number(greedy) });
        for name in ["ge", "gre", "hgs"] {
            found[name] = number(&self.again(subject, &["--reduce", name]));
        }
        found
    }
}

fn is_among(subject: &Prepared, names: &[String]) -> bool {
    names
        .iter()
        .any(|name| *name == subject.subject.name || name == "all")
}

/// What a cold `cargo test` did.
#[derive(Default)]
struct Cold {
    seconds: f64,
    passes: bool,
}

/// A `cargo test` that finds nothing built. It leaves nothing, so that the extraction after it is cold too.
fn cold_test(folder: &Path, limit: Duration) -> Result<Cold> {
    let mut fetch = in_folder(cargo(), folder);
    fetch.arg("fetch");
    process::run(&mut fetch, Some(limit)).context("fetching the dependencies")?;
    let target = folder.join("target");
    let _ = fs::remove_dir_all(&target);
    let mut command = in_folder(cargo(), folder);
    command.arg("test");
    let finished = process::run(&mut command, Some(limit)).context("running the tests")?;
    let _ = fs::remove_dir_all(&target);
    anyhow::ensure!(
        !finished.timed_out,
        "cargo test is not done within {} s",
        limit.as_secs()
    );
    Ok(Cold {
        seconds: finished.took.as_secs_f64(),
        passes: finished.status.success(),
    })
}
