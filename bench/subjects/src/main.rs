//! `bench-subjects --list LIST --work DIR -- record`: runs a verb over every subject of a list.

use anyhow::{Context as _, Result};
use bench_subjects::{Column, prepare, print_table, read_list, run_verb};
use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Parser)]
struct Arguments {
    /// The list of subjects
    #[arg(long)]
    list: PathBuf,
    /// Where their sources and builds go
    #[arg(long)]
    work: PathBuf,
    /// The folder of workloads; beside the list without it
    #[arg(long)]
    workloads: Option<PathBuf>,
    /// Only subjects of these names
    #[arg(long)]
    only: Vec<String>,
    /// The command `cargo-situ`
    #[arg(long, default_value = "cargo-situ")]
    program: PathBuf,
    /// Seconds for one subject
    #[arg(long, default_value_t = 900)]
    limit: u64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// The verb and its options
    #[arg(last = true, required = true)]
    verb: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut subjects = read_list(&arguments.list)?;
    subjects.retain(|subject| arguments.only.is_empty() || arguments.only.contains(&subject.name));
    let beside = arguments
        .list
        .parent()
        .context("finding the list's folder")?
        .join("workloads");
    let workloads = arguments.workloads.unwrap_or(beside);
    let workloads = workloads.canonicalize().unwrap_or(workloads);
    let program = arguments
        .program
        .canonicalize()
        .unwrap_or(arguments.program);
    let mut rows = Vec::new();
    for subject in prepare(&subjects, &arguments.work)? {
        eprintln!("{} …", subject.subject.name);
        let row = run_verb(
            &program,
            &arguments.verb,
            &subject,
            &workloads,
            Duration::from_secs(arguments.limit),
        );
        if arguments.json {
            println!("{}", serde_json::to_string(&row).context("writing a row")?);
        }
        rows.push(row);
    }
    if !arguments.json {
        print!("{}", print_table(&columns(&rows), &rows));
    }
    Ok(())
}

/// A column for each key of the first summary, and the seconds.
fn columns(rows: &[bench_subjects::Row]) -> Vec<Column> {
    let first = rows
        .iter()
        .find_map(|row| row.summary.as_ref())
        .and_then(|summary| summary.as_object());
    let keys: Vec<String> = first
        .map(|summary| summary.keys().cloned().collect())
        .unwrap_or_default();
    let mut columns: Vec<Column> = keys
        .into_iter()
        .map(|key| {
            let title = key.clone();
            let cell = move |row: &bench_subjects::Row| {
                row.summary
                    .as_ref()
                    .map(|summary| summary[&key].to_string())
                    .unwrap_or_default()
            };
            Column {
                title,
                cell: Box::new(cell),
            }
        })
        .collect();
    columns.push(Column {
        title: "seconds".to_owned(),
        cell: Box::new(|row| format!("{:.1}", row.seconds)),
    });
    columns
}
