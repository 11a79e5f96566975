//! `bench-record --list LIST --work DIR`: the recorder on every subject of a list, in one table with its bars.

mod bars;

use anyhow::{Context as _, Result};
use bars::{bars, columns};
use bench_subjects::{Row, prepare, print_table, read_list, read_rows, run_verb};
use clap::Parser;
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
    /// Print the table of rows that were written with --json
    #[arg(long, conflicts_with = "list")]
    from: Option<PathBuf>,
    /// The command `cargo-situ`
    #[arg(long, default_value = "cargo-situ")]
    program: PathBuf,
    /// Seconds for one subject
    #[arg(long, default_value_t = 900)]
    limit: u64,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// Only subjects of these names
    #[arg(long)]
    only: Vec<String>,
    /// Add a table of functions and one of all statements
    #[arg(long)]
    apart: bool,
    /// More options for `cargo situ record`, such as --follow-opaque
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (rows, list) = match (&arguments.from, &arguments.list) {
        (Some(path), _) => (read_rows(path)?, None),
        (None, Some(list)) => (measure(&arguments, list, TARGETS)?, Some(list)),
        (None, None) => anyhow::bail!("say which list of subjects: --list subjects.tsv"),
    };
    if !arguments.json {
        print!("{}\n{}", print_table(&columns(), &rows), bars(&rows));
    }
    if let (true, Some(list)) = (arguments.apart, list) {
        for (title, options) in [("functions", FUNCTIONS), ("all statements", ALL_STATEMENTS)] {
            let rows = measure(&arguments, list, options)?;
            if !arguments.json {
                print!("\n{title}:\n\n{}", print_table(&columns(), &rows));
            }
        }
    }
    Ok(())
}

/// What is watched for the bars; the round trip takes only statements.
const TARGETS: &[&str] = &["--round-trip", "--compare-builds"];
const FUNCTIONS: &[&str] = &["--no-targets", "--functions", "--calls", "--compare-builds"];
const ALL_STATEMENTS: &[&str] = &["--all-statements", "--compare-builds"];

fn measure(arguments: &Arguments, list: &Path, watched: &[&str]) -> Result<Vec<Row>> {
    let mut subjects = read_list(list)?;
    subjects.retain(|subject| arguments.only.is_empty() || arguments.only.contains(&subject.name));
    let workloads = list.parent().unwrap_or(Path::new(".")).join("workloads");
    let workloads = workloads.canonicalize().unwrap_or(workloads);
    let program = arguments
        .program
        .canonicalize()
        .unwrap_or_else(|_| arguments.program.clone());
    let mut words = vec!["record".to_owned()];
    words.extend(
        watched
            .iter()
            .map(|word| (*word).to_owned())
            .chain(arguments.options.iter().cloned()),
    );
    let mut rows = Vec::new();
    for subject in prepare(&subjects, &arguments.work)? {
        eprintln!("{} …", subject.subject.name);
        let row = run_verb(
            &program,
            &words,
            &subject,
            &workloads,
            Duration::from_secs(arguments.limit),
        );
        if arguments.json {
            println!("{}", serde_json::to_string(&row).context("writing a row")?);
        }
        rows.push(row);
    }
    Ok(rows)
}
