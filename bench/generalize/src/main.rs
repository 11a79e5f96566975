//! `bench-generalize --list LIST --work DIR`: the tests of every subject of a list generalized, in tables with their bars.

mod bars;
mod lints;
mod repeat;
mod tables;

use anyhow::{Context as _, Result, bail};
use bench_subjects::{Row, prepare, read_list, read_rows, run_verb};
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
    /// How often the tests of a subject are run with the new ones in its sources
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Ask clippy about the new tests
    #[arg(long)]
    clippy: bool,
    /// One JSON object a line instead of tables
    #[arg(long)]
    json: bool,
    /// More options for `cargo situ generalize`
    #[arg(last = true)]
    options: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let rows = match &arguments.list {
        Some(list) => measured(&arguments, list)?,
        None if !arguments.from.is_empty() => arguments
            .from
            .iter()
            .map(|path| read_rows(path))
            .collect::<Result<Vec<_>>>()?
            .concat(),
        None => bail!("say which list of subjects: --list subjects.tsv"),
    };
    if !arguments.json {
        println!("{}\n{}", tables::tables(&rows), bars::bars(&rows));
    }
    Ok(())
}

fn measured(arguments: &Arguments, list: &Path) -> Result<Vec<Row>> {
    let mut subjects = read_list(list)?;
    subjects.retain(|subject| arguments.only.is_empty() || arguments.only.contains(&subject.name));
    let workloads = list.parent().unwrap_or(Path::new(".")).join("workloads");
    let workloads = workloads.canonicalize().unwrap_or(workloads);
    let program = arguments
        .program
        .canonicalize()
        .unwrap_or_else(|_| arguments.program.clone());
    let limit = Duration::from_secs(arguments.limit);
    let words: Vec<String> = ["generalize".to_owned(), "--write".to_owned()]
        .into_iter()
        .chain(arguments.options.iter().cloned())
        .collect();
    let mut rows = Vec::new();
    for subject in prepare(&subjects, &arguments.work)? {
        eprintln!("{} …", subject.subject.name);
        let mut row = run_verb(&program, &words, &subject, &workloads, limit);
        repeat::repeat(
            &program,
            &subject,
            &mut row,
            arguments.repeat,
            arguments.clippy,
            limit,
        )?;
        if arguments.json {
            println!("{}", serde_json::to_string(&row).context("writing a row")?);
        }
        rows.push(row);
    }
    Ok(rows)
}
