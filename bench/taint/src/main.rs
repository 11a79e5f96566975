//! `bench-taint --list LIST --work DIR --program P --unchecked U`: what looking for secrets costs. Each subject is recorded by the
//! command and by one that was built without the look, in turns; the table has the least processor time of both, which other work
//! on the machine disturbs less than the clock.
//!
//! The other command is made with a flag that only the compiler knows:
//! `RUSTFLAGS="--cfg situ_secrets_unchecked" cargo build --release -p cargo-situ --target-dir target/unchecked`.

use anyhow::{Context as _, Result, ensure};
use bench_subjects::{Prepared, prepare, read_list, run_verb_without_workload};
use clap::Parser;
use situ_engine::base::process::processor_time_of_children;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most that the look may add.
const BAR: f64 = 1.05;

#[derive(Parser)]
struct Arguments {
    /// The list of subjects
    #[arg(long)]
    list: PathBuf,
    /// Where their sources and builds go
    #[arg(long, default_value = "target/subjects")]
    work: PathBuf,
    /// The command `cargo-situ`
    #[arg(long, default_value = "target/release/cargo-situ")]
    program: PathBuf,
    /// The command that was built without the look
    #[arg(long, default_value = "target/unchecked/release/cargo-situ")]
    unchecked: PathBuf,
    /// Only subjects of these names
    #[arg(long)]
    only: Vec<String>,
    /// How often each is recorded, both ways
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// What is recorded, for `cargo situ record`
    #[arg(last = true, default_values = ["--functions", "--calls"])]
    options: Vec<String>,
}

/// Processor seconds of one recording.
#[derive(Clone, Copy)]
struct Cost {
    /// Of the recorded programs.
    programs: f64,
    /// Of the whole command, which reads and closes the recording.
    command: f64,
}

impl Cost {
    const NONE: Cost = Cost {
        programs: 0.0,
        command: 0.0,
    };
    const MUCH: Cost = Cost {
        programs: f64::INFINITY,
        command: f64::INFINITY,
    };

    fn least(self, other: Cost) -> Cost {
        Cost {
            programs: self.programs.min(other.programs),
            command: self.command.min(other.command),
        }
    }

    fn and(self, other: Cost) -> Cost {
        Cost {
            programs: self.programs + other.programs,
            command: self.command + other.command,
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let is_meant =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    let subjects = read_list(&arguments.list)?;
    let subjects: Vec<_> = subjects
        .into_iter()
        .filter(|subject| is_meant(&subject.name))
        .collect();
    // Each command finds what it has built, and nothing of the other.
    let checked = prepare(&subjects, &arguments.work.join("checked"))?;
    let unchecked = prepare(&subjects, &arguments.work.join("unchecked"))?;
    println!(
        "| subject | programs, with the look | without | ratio | command, with the look | without | ratio |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut all = [Cost::NONE; 2];
    for (with, without) in checked.iter().zip(&unchecked) {
        let costs = measure(&arguments, with, without)?;
        println!("{}", row(&with.subject.name, costs));
        all = [all[0].and(costs[0]), all[1].and(costs[1])];
    }
    let ratio = all[0].command / all[1].command;
    println!(
        "{}{}",
        row("all", all),
        if ratio > BAR { " missed" } else { "" }
    );
    Ok(())
}

fn row(name: &str, [with, without]: [Cost; 2]) -> String {
    let cells =
        |with: f64, without: f64| format!("{with:.3} s | {without:.3} s | {:.3}", with / without);
    let (programs, command) = (
        cells(with.programs, without.programs),
        cells(with.command, without.command),
    );
    format!("| {name} | {programs} | {command} |")
}

/// The least cost of recording a subject, with the look and without.
fn measure(arguments: &Arguments, with: &Prepared, without: &Prepared) -> Result<[Cost; 2]> {
    let mut least = [Cost::MUCH; 2];
    // The first recording of each builds what all later ones find.
    for round in 0..=arguments.rounds {
        for (at, (program, subject)) in
            [(&arguments.program, with), (&arguments.unchecked, without)]
                .iter()
                .enumerate()
        {
            let cost = recorded(program, &arguments.options, subject)?;
            if round > 0 {
                least[at] = least[at].least(cost);
            }
        }
    }
    Ok(least)
}

fn recorded(program: &Path, options: &[String], subject: &Prepared) -> Result<Cost> {
    let program = program
        .canonicalize()
        .with_context(|| format!("looking for {}", program.display()))?;
    let words: Vec<String> = ["record".to_owned()]
        .into_iter()
        .chain(options.iter().cloned())
        .collect();
    let before = processor_time_of_children();
    let row = run_verb_without_workload(&program, &words, subject, Duration::from_secs(900));
    ensure!(
        row.failure.is_none(),
        "recording {}: {:?}",
        row.name,
        row.failure
    );
    let command = (processor_time_of_children() - before).as_secs_f64();
    let summary = row.summary.context("there is no summary")?;
    let programs = summary["recording_processor_seconds"]
        .as_f64()
        .context("the summary has no processor time")?;
    Ok(Cost { programs, command })
}
