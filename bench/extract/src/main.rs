//! `bench-extract --list LIST --work DIR`: tests extracted from every subject of a list, in tables with their bars.

mod bars;
mod figures;
mod foreign;
mod levels;
mod measure;
mod numbers;
mod overview;

use anyhow::{Context as _, Result, bail};
use bench_subjects::{Row, prepare, read_list, read_rows};
use clap::Parser;
use std::path::{Path, PathBuf};

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
    /// Print the tables of rows that were written with --json; may be repeated
    #[arg(long, conflicts_with = "list")]
    from: Vec<PathBuf>,
    /// The command `cargo-situ`
    #[arg(long, default_value = "cargo-situ")]
    program: PathBuf,
    /// Seconds for one command
    #[arg(long, default_value_t = 1800)]
    limit: u64,
    /// How many thirds of the operators are held back, one after the other, to judge by mutants that the reduction never saw
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=3))]
    held_back_thirds: u8,
    /// Reduce these subjects by each algorithm; `all` for every subject
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    algorithms_on: Vec<String>,
    /// Run the tests of these subjects before and after each step of the reduction; `all` for every subject
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    levels_on: Vec<String>,
    /// Judge by at most so many mutants of a subject that universalmutator makes of the statements with tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    foreign_mutants: usize,
    /// The program of universalmutator
    #[arg(long, value_name = "PATH", default_value = "mutate")]
    mutator: PathBuf,
    /// One JSON object a line instead of tables
    #[arg(long)]
    json: bool,
    /// More options for `cargo situ extract`
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let rows = match &arguments.list {
        Some(list) => measured(&arguments, list)?,
        None if !arguments.from.is_empty() => earlier(&arguments.from)?,
        None => bail!("say which list of subjects: --list subjects.tsv"),
    };
    if !arguments.json {
        let tables = [
            overview::table(&rows),
            figures::all(&rows),
            foreign::table(&rows),
            bars::bars(&rows),
        ];
        println!("{}", tables.join("\n"));
    }
    Ok(())
}

fn earlier(paths: &[PathBuf]) -> Result<Vec<Row>> {
    let rows = paths
        .iter()
        .map(|path| read_rows(path))
        .collect::<Result<Vec<_>>>()?;
    Ok(rows.concat())
}

fn measured(arguments: &Arguments, list: &Path) -> Result<Vec<Row>> {
    let mut subjects = read_list(list)?;
    subjects.retain(|subject| arguments.only.is_empty() || arguments.only.contains(&subject.name));
    let workloads = list.parent().unwrap_or(Path::new(".")).join("workloads");
    let workloads = workloads.canonicalize().unwrap_or(workloads);
    let measuring = measure::Measuring::new(arguments, workloads);
    let mut rows = Vec::new();
    for subject in prepare(&subjects, &arguments.work)? {
        eprintln!("{} …", subject.subject.name);
        let row = measuring.measure(&subject);
        if arguments.json {
            println!("{}", serde_json::to_string(&row).context("writing a row")?);
        }
        rows.push(row);
    }
    Ok(rows)
}
