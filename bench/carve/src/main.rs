//! `bench-carve --list LIST --work DIR`: unit tests carved from the workload of every application of a list, with their bars.

mod bars;
mod passing;
mod plain;

use anyhow::{Context as _, Result};
use bars::{bars, columns};
use bench_subjects::{
    Kind, Row, prepare, print_table, read_list, read_rows, run_verb, run_verb_without_workload,
};
use clap::Parser;
use passing::passing;
use plain::plain;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Parser)]
struct Arguments {
    /// The list of subjects
    #[arg(long)]
    list: Option<PathBuf>,
    /// Where their sources and builds go
    #[arg(long, default_value = "target/subjects")]
    work: PathBuf,
    /// Only subjects of these names
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Print the table of rows that were written with --json; may be repeated
    #[arg(long, conflicts_with = "list")]
    from: Vec<PathBuf>,
    /// The command `cargo-situ`
    #[arg(long, default_value = "cargo-situ")]
    program: PathBuf,
    /// The checkout of Situ that tests with mocks depend on
    #[arg(long, default_value = "../..")]
    situ_path: PathBuf,
    /// Seconds for one command
    #[arg(long, default_value_t = 1800)]
    limit: u64,
    /// Without mutants and existing tests
    #[arg(long)]
    quick: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let rows = match &arguments.list {
        Some(list) => measured(&arguments, list)?,
        None => arguments
            .from
            .iter()
            .map(|path| read_rows(path))
            .collect::<Result<Vec<_>>>()?
            .concat(),
    };
    if !arguments.json {
        print!("{}\n{}", print_table(&columns(), &rows), bars(&rows));
    }
    Ok(())
}

fn measured(arguments: &Arguments, list: &Path) -> Result<Vec<Row>> {
    let mut subjects = read_list(list)?;
    subjects.retain(|subject| subject.kind == Kind::Application);
    subjects.retain(|subject| arguments.only.is_empty() || arguments.only.contains(&subject.name));
    let workloads = list.parent().unwrap_or(Path::new(".")).join("workloads");
    let workloads = workloads.canonicalize().unwrap_or(workloads);
    let program = arguments
        .program
        .canonicalize()
        .unwrap_or_else(|_| arguments.program.clone());
    let situ = arguments
        .situ_path
        .canonicalize()
        .context("finding the checkout of Situ")?;
    let limit = Duration::from_secs(arguments.limit);
    let words = |more: &[&str]| -> Vec<String> {
        let situ = situ.display().to_string();
        ["carve", "--situ-path", &situ]
            .iter()
            .chain(more)
            .map(|word| (*word).to_owned())
            .collect()
    };
    let mut rows = Vec::new();
    for subject in prepare(&subjects, &arguments.work)? {
        eprintln!("{} …", subject.subject.name);
        // Every distinct call first, which records; then what a user gets, as it would be written.
        let mut row = run_verb(
            &program,
            &words(&["--keep", "calls", "--quick"]),
            &subject,
            &workloads,
            limit,
        );
        let options: &[&str] = if arguments.quick { &["--quick"] } else { &[] };
        let options = [&["--from", "carve", "--write"], options].concat();
        let shown = run_verb_without_workload(&program, &words(&options), &subject, limit);
        if let (Some(summary), Some(shown), Ok(folder)) =
            (&mut row.summary, &shown.summary, &subject.folder)
        {
            let (seconds, processor) = plain(folder, &subject.subject.name, &workloads, limit)?;
            summary["plain_seconds"] = json!(seconds);
            summary["plain_processor_seconds"] = json!(processor);
            summary["by_path"] = shown.clone();
            let (passed, failed) = passing(folder, limit)?;
            summary["passed"] = json!(passed);
            summary["failed"] = json!(failed);
            run_verb_without_workload(&program, &words(&["--undo"]), &subject, limit);
        }
        if arguments.json {
            println!("{}", serde_json::to_string(&row).context("writing a row")?);
        }
        rows.push(row);
    }
    Ok(rows)
}
