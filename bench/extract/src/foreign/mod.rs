//! Judges extracted tests by mutants that another tool, universalmutator, makes of their statements; of these apart by those
//! that Situ's own engine does not make: no test was chosen to kill them.

mod court;
mod mutants;
mod own;
mod place;
mod table;
mod targets;

pub use table::table;

use anyhow::{Context as _, Result, bail, ensure};
use bench_subjects::Prepared;
use court::{Court, Verdict};
use mutants::Mutant;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use targets::Sources;

/// What is asked for.
pub struct Selection {
    /// How many mutants of a subject at most.
    pub most: usize,
    /// The program of universalmutator.
    pub mutator: PathBuf,
    /// How long one command may take.
    pub limit: Duration,
}

/// How many mutants extracted tests and the subject's own tests kill, or why that is not known. `again` extracts with more
/// options.
pub fn measure(subject: &Prepared, asked: &Selection, again: &dyn Fn(&[&str]) -> Value) -> Value {
    let Ok(folder) = &subject.folder else {
        return Value::Null;
    };
    let judged = restored(folder, asked, again);
    judged.unwrap_or_else(|error| json!({ "failure": format!("{error:#}") }))
}

/// Whatever comes of it, the sources are what they were.
fn restored(folder: &Path, asked: &Selection, again: &dyn Fn(&[&str]) -> Value) -> Result<Value> {
    let before = targets::read(folder)?;
    let judged = written(folder, &before, asked, again);
    if before.is_changed(folder) {
        let _ = again(&["--undo"]);
    }
    ensure!(
        !before.is_changed(folder),
        "the written tests are still in the sources"
    );
    judged
}

fn written(
    folder: &Path,
    before: &Sources,
    asked: &Selection,
    again: &dyn Fn(&[&str]) -> Value,
) -> Result<Value> {
    let summary = again(&["--write"]);
    if let Some(failure) = summary.get("failure") {
        bail!("writing the tests: {failure}");
    }
    ensure!(
        summary["fragment_branches"] == 0,
        "mutants are made of statements, not of blocks"
    );
    let tested = targets::tested(&summary, before, &targets::read(folder)?)?;
    let mut mutants = Vec::new();
    for file in &tested {
        let made = mutants::make(file, folder, asked)
            .with_context(|| format!("making mutants of {}", file.path))?;
        mutants.extend(made);
    }
    let court = Court::open(folder, asked.limit)?;
    let chosen = mutants::evenly(&mutants, asked.most);
    let verdicts = chosen
        .iter()
        .map(|mutant| court.judge(mutant))
        .collect::<Result<Vec<Verdict>>>()?;
    let mut told = told(&chosen, &verdicts);
    told["statements"] = json!(
        tested
            .iter()
            .map(|file| file.statements.len())
            .sum::<usize>()
    );
    told["made"] = json!(mutants.len());
    told["made_by_situ_too"] = json!(mutants.iter().filter(|mutant| mutant.is_own).count());
    Ok(told)
}

fn told(mutants: &[&Mutant], verdicts: &[Verdict]) -> Value {
    let judged = || mutants.iter().zip(verdicts);
    let is_alive = |verdict: &Verdict| verdict.compiles && !verdict.by_extracted;
    let alive = judged().filter(|(_, verdict)| is_alive(verdict));
    let mut told = counted(judged().map(|(_, verdict)| verdict));
    told["new"] = counted(
        judged()
            .filter(|(mutant, _)| !mutant.is_own)
            .map(|(_, verdict)| verdict),
    );
    told["alive"] = json!(
        alive
            .map(|(mutant, _)| mutant.shown.clone())
            .collect::<Vec<_>>()
    );
    told
}

fn counted<'v>(verdicts: impl Iterator<Item = &'v Verdict>) -> Value {
    let verdicts: Vec<&Verdict> = verdicts.collect();
    let count =
        |is: &dyn Fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
    json!({
        "mutants": count(&|verdict| verdict.compiles),
        "not_compiling": count(&|verdict| !verdict.compiles),
        "killed_by_extracted": count(&|verdict| verdict.by_extracted),
        "killed_by_unit": count(&|verdict| verdict.by_unit),
        "killed_by_either": count(&|verdict| verdict.by_extracted || verdict.by_unit),
    })
}
