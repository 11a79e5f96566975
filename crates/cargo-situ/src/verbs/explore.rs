//! `cargo situ explore`: a search for inputs that violate a theory.

use crate::arguments::{Common, SandboxOptions};
use crate::changing;
use crate::exit::Exit;
use crate::output::print_line;
use crate::page_file;
use crate::progress::Progress;
use crate::review::review_each;
use crate::sources;
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use situ_engine::base::words::count;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::generate::explore::{self, Bound, Event, Report, Request, Violation};
use situ_engine::report::page::Page;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLE: &str = "Examples:
  cargo situ explore                                # every theory, until no new code is covered
  cargo situ explore reversing_twice --time 30s     # one theory, for half a minute
  cargo situ explore --all --write                  # violations become data points, which cargo test then fails on
  cargo situ explore --passing --review             # also inputs that hold on new paths; ask about each
  cargo situ explore --runs 100000 --seed 7 --json  # the same search each time
  cargo situ explore --export fuzz --write          # a target of cargo fuzz for each theory, in the folder fuzz
  cargo situ explore --import fuzz/artifacts        # what the fuzzer found, made simple
  cargo situ explore --undo                         # undo --write";

/// The time limit if the user gives none.
const LONGEST: Duration = Duration::from_secs(60);

/// The fuzzers that theories can be exported for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFor {
    /// cargo-fuzz, AFL++, and so OSS-Fuzz and ClusterFuzzLite
    Fuzz,
}

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Theories to explore: a name or part of it, a path or its end, a file; without one all
    /// theories
    #[arg(value_name = "THEORY")]
    theories: Vec<String>,
    /// Explore every theory, each with a fair share of the time
    #[arg(long, conflicts_with = "theories")]
    all: bool,
    /// How long to search, for all theories together: 30s, 5m, 500ms
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["runs", "until_covered"])]
    time: Option<Duration>,
    /// Number of executions of each theory
    #[arg(long, value_name = "N", conflicts_with = "until_covered")]
    runs: Option<u64>,
    /// Search until no new code is covered, at most a minute; this is the default
    #[arg(long)]
    until_covered: bool,
    /// Also report inputs that satisfy the theory on paths that no data point takes
    #[arg(long)]
    passing: bool,
    /// Add the inputs to the sources as data points
    #[arg(long, conflicts_with = "review")]
    write: bool,
    /// Ask for each input whether to make it a data point
    #[arg(long)]
    review: bool,
    /// Undo the last --write or --review
    #[arg(long, conflicts_with_all = ["write", "review"])]
    undo: bool,
    /// Seed of the search; the same seed repeats the search and ignores inputs kept by earlier ones
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Search only the k-th of n parts, to use several machines; their corpora can be merged
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Write the theories as a project for `cargo fuzz` and AFL++: with --write into `fuzz` of the
    /// package, otherwise below `target/situ`
    #[arg(long, value_name = "FOR", conflicts_with_all = ["review", "undo", "passing"])]
    export: Option<ExportFor>,
    /// Try a fuzzer's findings instead of searching: a file, or a folder of files; they are
    /// minimised like other inputs
    #[arg(long, value_name = "PATH", conflicts_with_all = ["time", "runs", "until_covered", "passing", "export"])]
    import: Vec<PathBuf>,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Time limit of one execution
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    timeout: Duration,
    /// Number of processes at once
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Features to pass to cargo
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
}

pub fn run(options: &Options) -> Result<Exit> {
    options.sandbox.apply()?;
    if options.undo {
        return changing::take_back(&options.common);
    }
    let workspace = options.common.workspace()?;
    let request = request(options)?;
    sources::name_unreadable(&workspace);
    if options.export.is_some() {
        return exporting(options, &workspace, &request);
    }
    let progress = Progress::start("reading the workspace", options.common.json);
    let report = explore::explore(&workspace, &request, &|event| match event {
        Event::Step(text) => progress.step(text),
        Event::Progress(done, of, violated) => {
            progress.advance(done, of, &format!("{violated} violated"))
        }
    })?;
    drop(progress);
    page_file::write(options.html.as_deref(), || {
        Page::of_explore(workspace.root(), &report)
    })?;
    if options.common.json {
        print_json(&report);
    } else {
        print_text(&report);
    }
    if options.write {
        changing::write_and_say(&report.changes, &workspace)?;
    } else if options.review {
        let accepted = review_each(&report.proposals, &|proposal| &proposal.file, &|proposal| {
            explore::preview(&workspace, proposal)
        })?;
        changing::write_and_say(&explore::changes(&workspace, &accepted)?, &workspace)?;
    } else if !options.common.json {
        changing::print_patch(&report.changes, &workspace);
    }
    Ok(if report.violations.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// Writes a fuzzing project: into the package with `--write`, otherwise below `target/situ`.
fn exporting(options: &Options, workspace: &Workspace, request: &Request) -> Result<Exit> {
    let progress = Progress::start(
        "compiling, to find out what can be exported",
        options.common.json,
    );
    let apart = workspace.situ_folder().join("fuzz");
    let export = explore::export(
        workspace,
        request,
        (!options.write).then_some(apart.as_path()),
    )?;
    export.write()?;
    drop(progress);
    if options.common.json {
        for target in &export.targets {
            print_line(&json!({ "theory": target.theory, "target": target.name }).to_string());
        }
        for left in &export.left_out {
            print_line(&json!({ "theory": left.theory, "left_out": left.reason }).to_string());
        }
        let summary = json!({ "theories": export.targets.len(), "left_out": export.left_out.len(), "folder": export.folder });
        print_line(&json!({ "verb": "explore", "summary": summary }).to_string());
        return Ok(Exit::Done);
    }
    for target in &export.targets {
        eprintln!(
            "{}: cargo fuzz run --fuzz-dir {} {}",
            target.theory,
            export.folder.display(),
            target.name
        );
    }
    for left in &export.left_out {
        eprintln!("{}: not exported: {}", left.theory, left.reason);
    }
    let hint = if options.write {
        ""
    } else {
        "; with --write it goes into `fuzz`"
    };
    eprintln!(
        "{} in {}{hint}",
        count(export.targets.len(), "target"),
        export.folder.display()
    );
    Ok(Exit::Done)
}

fn request(options: &Options) -> Result<Request> {
    let bound = match (options.time, options.runs) {
        (Some(time), _) => Bound::Time(time),
        (_, Some(runs)) => Bound::Runs(runs),
        _ => Bound::Covered(LONGEST),
    };
    let cargo_arguments = match &options.features {
        Some(features) => vec!["--features".to_owned(), features.clone()],
        None => Vec::new(),
    };
    Ok(Request {
        theories: options.theories.clone(),
        bound,
        seed: options.seed,
        passing: options.passing,
        patience: options.timeout,
        memory: options.sandbox.memory(),
        jobs: options.jobs,
        shard: options.shard,
        imports: options.import.clone(),
        cargo_arguments,
        program: env::current_exe().context("finding this program")?,
    })
}

/// Parses a duration: `30s`, `5m`, `2h`, `500ms`, or a number of seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let end = text
        .find(|one: char| !(one.is_ascii_digit() || one == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number
        .parse()
        .map_err(|_| "write a time such as 30s, 5m or 500ms".to_owned())?;
    let seconds = match unit.trim() {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err("write a time such as 30s, 5m or 500ms".to_owned()),
    };
    Ok(Duration::from_secs_f64(seconds))
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "write the part and how many there are, such as 1/4".to_owned();
    let (part, of) = text.split_once('/').ok_or_else(wrong)?;
    let (part, of) = (
        part.parse().map_err(|_| wrong())?,
        of.parse().map_err(|_| wrong())?,
    );
    if part == 0 || part > of {
        Err(wrong())
    } else {
        Ok((part, of))
    }
}

fn print_json(report: &Report) {
    report
        .violations
        .iter()
        .for_each(|violation| print_line(&json!(violation).to_string()));
    report
        .passing
        .iter()
        .for_each(|passing| print_line(&json!(passing).to_string()));
    report
        .rejections
        .iter()
        .for_each(|rejection| print_line(&json!(rejection).to_string()));
    print_line(&json!({ "verb": "explore", "summary": report.summary }).to_string());
}

fn print_text(report: &Report) {
    report
        .violations
        .iter()
        .for_each(|violation| eprint!("{}", violation_text(violation)));
    for passing in &report.passing {
        eprintln!(
            "{}: holds on {}: {}",
            passing.theory,
            count(passing.edges, "more edge"),
            passing.passing
        );
    }
    for rejection in &report.rejections {
        eprintln!(
            "{}: the assumption `{}` ({}) rejected nearly all inputs: {}, such as {}",
            rejection.theory,
            rejection.assumption,
            rejection.place,
            count(rejection.rejected, "input"),
            rejection.example
        );
    }
    for theory in &report.theories {
        if let Some(why) = &theory.not_explored {
            eprintln!("{}: not explored: {why}", theory.theory);
        }
    }
    let summary = &report.summary;
    let rate = summary.executions as f64 / summary.seconds.max(0.001);
    eprintln!(
        "{}, {} violated; {} in {:.1} s, {:.0} a second, after a build of {:.1} s",
        count(summary.theories, "theory"),
        summary.violated,
        count(summary.executions, "execution"),
        summary.seconds,
        rate,
        summary.build_seconds
    );
}

fn violation_text(violation: &Violation) -> String {
    let message: String = violation
        .message
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    let without = violation.without_points.as_ref();
    let without = without
        .map(|why| format!("    no data point is written: {why}\n"))
        .unwrap_or_default();
    format!(
        "{}:{}: {} is violated\n  {}\n{message}{without}",
        violation.file.display(),
        violation.line,
        violation.theory,
        violation.call
    )
}

#[cfg(test)]
mod tests {
    use super::{duration, shard};
    use std::time::Duration;

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert!(duration("soon").is_err() && duration("5 weeks").is_err());
    }

    #[test]
    fn a_part_is_one_of_all() {
        assert_eq!(shard("2/3"), Ok((2, 3)));
        assert!(
            ["0/3", "4/3", "1", "a/b"]
                .iter()
                .all(|text| shard(text).is_err())
        );
    }
}
