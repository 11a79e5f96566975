//! `bench-sandbox --list LIST --work DIR`: what the sandbox costs. Each verb runs on each subject with the sandbox and without,
//! in turns; the table has the least processor time of both, which other work on the machine disturbs less than the clock.

use anyhow::{Result, ensure};
use bench_subjects::{Prepared, prepare, read_list, run_verb_without_workload};
use clap::Parser;
use situ_engine::base::process::processor_time_of_children;
use std::path::PathBuf;
use std::time::Duration;

/// The most that the sandbox may add.
const BAR: f64 = 1.02;

#[derive(Parser)]
struct Arguments {
    /// The list of subjects
    #[arg(long)]
    list: PathBuf,
    /// Where their sources and builds go
    #[arg(long, default_value = "target/subjects")]
    work: PathBuf,
    /// The command `cargo-situ`
    #[arg(long, default_value = "cargo-situ")]
    program: PathBuf,
    /// Only subjects of these names
    #[arg(long)]
    only: Vec<String>,
    /// The verbs
    #[arg(long, default_values = ["record", "mutants", "extract"])]
    verb: Vec<String>,
    /// How often each is run, both ways
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let subjects = read_list(&arguments.list)?;
    let is_meant =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let subjects: Vec<_> = subjects
        .into_iter()
        .filter(|subject| is_meant(&subject.name))
        .collect();
    println!(
        "| verb | subject | with the sandbox | without | ratio |\n| --- | --- | ---: | ---: | ---: |"
    );
    let prepared = prepare(&subjects, &arguments.work)?;
    for verb in &arguments.verb {
        let (mut all, mut all_free) = (0.0, 0.0);
        for subject in &prepared {
            let (confined, free) = measure(&arguments, verb, subject)?;
            println!(
                "| {verb} | {} | {confined:.2} s | {free:.2} s | {:.3} |",
                subject.subject.name,
                confined / free
            );
            (all, all_free) = (all + confined, all_free + free);
        }
        let ratio = all / all_free;
        println!(
            "| {verb} | all | {all:.2} s | {all_free:.2} s | **{ratio:.3}**{} |",
            if ratio > BAR { ", missed" } else { "" }
        );
    }
    Ok(())
}

/// The least processor time of a verb in seconds, in the sandbox and outside of it.
fn measure(arguments: &Arguments, verb: &str, subject: &Prepared) -> Result<(f64, f64)> {
    let mut least = [f64::INFINITY; 2];
    // The first run of each builds what all later ones find.
    for round in 0..=arguments.rounds {
        for (at, option) in [None, Some("--no-sandbox")].into_iter().enumerate() {
            let words: Vec<String> = [Some(verb), option]
                .into_iter()
                .flatten()
                .map(str::to_owned)
                .collect();
            let before = processor_time_of_children();
            let row = run_verb_without_workload(
                &arguments.program,
                &words,
                subject,
                Duration::from_secs(900),
            );
            ensure!(
                row.failure.is_none(),
                "{verb} on {}: {:?}",
                row.name,
                row.failure
            );
            let seconds = (processor_time_of_children() - before).as_secs_f64();
            if round > 0 {
                least[at] = least[at].min(seconds);
            }
        }
    }
    Ok((least[0], least[1]))
}
