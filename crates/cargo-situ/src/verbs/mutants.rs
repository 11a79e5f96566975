//! `cargo situ mutants`: changes of the code that no test detects.

use crate::arguments::{Common, SandboxOptions};
use crate::exit::Exit;
use crate::page_file;
use crate::progress::Progress;
use crate::sources;
use crate::turn;
use crate::verbs::explore::duration;
use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use situ_engine::base::words;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::generate::kill;
use situ_engine::mutate::judge::Status;
use situ_engine::mutate::killing_call::Search;
use situ_engine::mutate::report::{Judged, Report};
use situ_engine::mutate::run::{self, Event, Request};
use situ_engine::programs::catalog::Catalog;
use situ_engine::report::github;
use situ_engine::report::page::Page;
use situ_engine::report::stryker::{TestPlaces, stryker};
use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLE: &str = "Example:
  cargo situ mutants                           # every mutant of this package
  cargo situ mutants --in src/parse.rs:42      # the mutants of one line
  cargo situ mutants --kill                    # for each survivor, the call that your tests miss
  cargo situ mutants --json | grep survived > s; cargo situ mutants --again s
  git diff main > d; cargo situ mutants --in-diff d --deny-survivors";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Only mutants in this file, folder, function or line (src/parse.rs:42); may be repeated
    #[arg(long = "in", value_name = "PLACE")]
    places: Vec<String>,
    /// Only mutants on lines that this unified diff changes
    #[arg(long, value_name = "FILE")]
    in_diff: Option<PathBuf>,
    /// Only mutants of this earlier report, such as survivors: lines printed by `--json`
    #[arg(long, value_name = "FILE")]
    again: Option<PathBuf>,
    /// Only the k-th of n equal parts of the mutants
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
    /// Only tests whose name contains this
    #[arg(long, value_name = "FILTER")]
    tests: Option<String>,
    /// Skip mutants that an earlier run killed if the code near them has not changed
    #[arg(long)]
    iterate: bool,
    /// Also build one by one the mutants that cannot be switched at run time: in constants,
    /// patterns and procedural macros
    #[arg(long)]
    thorough: bool,
    /// Do not run doctests
    #[arg(long)]
    no_doctests: bool,
    /// Run every test that reaches a mutant instead of stopping at the first that kills it
    #[arg(long)]
    matrix: bool,
    /// Search, for each mutant that survives, a call for which it differs from the original
    #[arg(long)]
    kill: bool,
    /// How long that search may take, such as 30s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "kill", value_parser = duration)]
    time: Duration,
    /// Let it call functions that reach files, processes, the network or the environment
    #[arg(long, requires = "kill")]
    allow_effects: bool,
    /// Exit with 1 if mutants survive; mutants that no test reaches count as survivors
    #[arg(long)]
    deny_survivors: bool,
    /// Write a report in Stryker's format to this file
    #[arg(long, value_name = "FILE")]
    stryker: Option<PathBuf>,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print survivors as annotations of a GitHub workflow
    #[arg(long)]
    github: bool,
    /// Number of processes at once
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
}

pub fn run(options: &Options) -> Result<Exit> {
    let request = Request {
        selection: options.common.selection(),
        places: options.places.clone(),
        diff: options.in_diff.clone(),
        report: options.again.clone(),
        shard: options.shard.clone(),
        tests: options.tests.clone(),
        iterate: options.iterate,
        thorough: options.thorough,
        doctests: !options.no_doctests,
        whole_matrix: options.matrix,
        program: env::current_exe().context("finding this program")?,
        jobs: options.jobs,
    };
    options.sandbox.apply()?;
    let workspace = options.common.workspace()?;
    let _turn = turn::take(&workspace)?;
    sources::name_unreadable(&workspace);
    let progress = Progress::start("starting", options.common.json);
    let tell = |event: Event<'_>| match event {
        Event::Step(text) => progress.step(text),
        Event::Judged { done, of, survived } => {
            progress.advance(done, of, &format!("{survived} survived"))
        }
    };
    let mut report = run::run(&request, &tell)?;
    if options.kill {
        let request = kill::Request {
            time: options.time,
            jobs: options.jobs,
            allows_effects: options.allow_effects,
            program: request.program.clone(),
        };
        kill::kill(&workspace, &mut report, &request, &tell)?;
    }
    drop(progress);
    if let Some(path) = &options.stryker {
        let text = serde_json::to_string(&stryker(&report, &places_of_tests(&workspace)))
            .context("writing the report")?;
        page_file::write_text(path, &text)?;
    }
    let page = || Page::of_mutants(workspace.root(), &report, &numbers(&report));
    page_file::write(options.html.as_deref(), page)?;
    let text = match (options.common.json, options.github) {
        (true, _) => as_json(&report)?,
        (_, true) => github::alive_mutants(&report),
        _ => as_text(&report),
    };
    // A reader that closes the pipe early is no error.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(exit(&report, options.deny_survivors))
}

/// Returns the exit code. With `--deny-survivors`, a file that cannot be parsed is an error,
/// because its mutants are unknown.
fn exit(report: &Report, denies_survivors: bool) -> Exit {
    // What is probably equivalent is nothing that a test could notice.
    let survivors = report.count(Status::Survived) + report.count(Status::Unreached)
        - report.search_counts().probably_equivalent;
    if denies_survivors && !report.unreadable.is_empty() {
        eprintln!(
            "error: `--deny-survivors`: the survivors of a file that cannot be parsed are unknown; change the file so that Situ can parse it, or select other places with `--in`"
        );
        Exit::Input
    } else if denies_survivors && survivors > 0 {
        Exit::Found
    } else {
        Exit::Done
    }
}

/// Returns the places of all tests in the sources.
fn places_of_tests(workspace: &Workspace) -> TestPlaces {
    let listed = Catalog::read(workspace).unwrap_or_default().tests;
    listed
        .into_iter()
        .map(|test| (test.name, (test.file, test.line)))
        .collect()
}

fn numbers(report: &Report) -> Vec<(&'static str, String)> {
    let count = |status| report.count(status).to_string();
    vec![
        ("mutants", report.mutants.len().to_string()),
        ("killed", count(Status::Killed)),
        ("timed out", count(Status::TimedOut)),
        ("survived", count(Status::Survived)),
        ("not reached", count(Status::Unreached)),
        ("seconds", format!("{:.1}", report.seconds)),
    ]
}

fn as_json(report: &Report) -> Result<String> {
    let mut text = String::new();
    for mutant in &report.mutants {
        let line = mutant.line().context("writing a mutant")?;
        text.push_str(&format!("{line}\n"));
    }
    let last = json!({ "verb": "mutants", "summary": report.summary() });
    Ok(format!("{text}{last}\n"))
}

fn as_text(report: &Report) -> String {
    let survivors = report
        .mutants
        .iter()
        .filter(|mutant| mutant.verdict.status == Status::Survived);
    let mut survivors: Vec<&Judged> = survivors.collect();
    survivors.sort_by_key(|mutant| (&mutant.file, mutant.line, mutant.column));
    let is_folded =
        |mutant: &&Judged| matches!(mutant.search, Some(Search::ProbablyEquivalent { .. }));
    let (folded, shown): (Vec<&Judged>, Vec<&Judged>) = survivors.into_iter().partition(is_folded);
    let mut text: String = shown.into_iter().map(entry).collect();
    text.push_str(&unreached(report));
    text.push_str(&probably_equivalent(&folded));
    let count = |status| report.count(status);
    let seconds = report.seconds;
    text.push_str(&format!(
        "{} in {seconds:.1} s: {} killed, {} timed out, {} survived, {} not reached\n",
        words::count(report.mutants.len(), "mutant"),
        count(Status::Killed),
        count(Status::TimedOut),
        count(Status::Survived),
        count(Status::Unreached)
    ));
    if report.executions.is_some() {
        let counts = report.search_counts();
        text.push_str(&format!(
            "{} with a call that your tests miss, {} probably equivalent, {} open\n",
            counts.killable, counts.probably_equivalent, counts.open
        ));
    }
    if report.not_compiling + report.not_tried > 0 {
        let (rejected, fixed) = (report.not_compiling, report.not_tried);
        let places = if report.has_macros {
            "constants, patterns and procedural macros"
        } else {
            "constants and patterns"
        };
        text.push_str(&format!(
            "{rejected} more {} not compile, {fixed} in {places} {} not tried (see --thorough)\n",
            words::of_number(rejected, "does", "do"),
            words::of_number(fixed, "was", "were")
        ));
    }
    text.push_str(&unstable_tests(report));
    for file in &report.unreadable {
        text.push_str(&format!(
            "{}: has no mutants, because it cannot be parsed: {}\n",
            file.path.display(),
            file.why
        ));
    }
    text
}

fn entry(mutant: &Judged) -> String {
    let place = format!(
        "{}:{}:{}",
        mutant.file.display(),
        mutant.line,
        mutant.column
    );
    let function = mutant
        .function
        .as_ref()
        .map(|name| format!(" in {name}"))
        .unwrap_or_default();
    // Skips the file header; `@@` lines inside a long diff become an ellipsis.
    let lines = mutant
        .diff
        .lines()
        .skip(3)
        .map(|line| if line.starts_with("@@") { "…" } else { line });
    let changed: String = lines.map(|line| format!("    {line}\n")).collect();
    format!(
        "{place}: survived{}: {}{function}\n{changed}{}\n",
        doubt(mutant),
        mutant.operator,
        missed(mutant)
    )
}

/// What a search found out about a mutant, below its diff.
fn missed(mutant: &Judged) -> String {
    let line = mutant.missed().map(|line| format!("    {line}\n"));
    line.unwrap_or_default()
}

/// Mutants that no input seems to tell from the original, a line each.
fn probably_equivalent(mutants: &[&Judged]) -> String {
    if mutants.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "{} probably equivalent: many executions reached the changed code and none differed\n",
        words::count(mutants.len(), "mutant")
    );
    for mutant in mutants {
        text.push_str(&format!(
            "    {}:{}:{}: {}\n",
            mutant.file.display(),
            mutant.line,
            mutant.column,
            mutant.headline()
        ));
    }
    text + "\n"
}

/// Returns why another run could judge a survivor differently.
fn doubt(mutant: &Judged) -> String {
    let names: Vec<String> = mutant
        .verdict
        .unstable_tests
        .iter()
        .map(|test| format!("`{test}`"))
        .collect();
    match (names.as_slice(), mutant.verdict.is_unstable) {
        ([], false) => String::new(),
        ([], true) => " (a random test reaches it)".to_owned(),
        ([one], _) => format!(" ({one} reaches it, but also fails without it)"),
        (several, _) => format!(
            " ({} reach it, but also fail without it)",
            several.join(", ")
        ),
    }
}

/// Describes the tests whose failures are ignored because they are unstable.
fn unstable_tests(report: &Report) -> String {
    let lines = report.unstable_tests.iter().map(|test| {
        format!(
            "the test `{}` of `{}` kills no mutant: it {}\n",
            test.name, test.program, test.why
        )
    });
    lines.collect()
}

/// Formats the mutants that no test reaches, one line for each function: whatever they are, the
/// remedy is a test of that function.
fn unreached(report: &Report) -> String {
    let mut functions: BTreeMap<(&Path, &str), (usize, usize)> = BTreeMap::new();
    for mutant in report
        .mutants
        .iter()
        .filter(|mutant| mutant.verdict.status == Status::Unreached)
    {
        let function = mutant.function.as_deref().unwrap_or("");
        let (line, count) = functions
            .entry((&mutant.file, function))
            .or_insert((mutant.line, 0));
        *line = mutant.line.min(*line);
        *count += 1;
    }
    let lines = functions
        .into_iter()
        .map(|((file, function), (line, count))| {
            let mutants = words::count(count, "mutant");
            let calls = report
                .mutants
                .iter()
                .filter(|mutant| mutant.verdict.status == Status::Unreached)
                .filter(|mutant| {
                    mutant.file == file && mutant.function.as_deref() == Some(function)
                });
            let calls: std::collections::BTreeSet<String> = calls.map(missed).collect();
            format!(
                "{}:{line}: not reached by any test: {mutants} in {function}\n{}",
                file.display(),
                calls.into_iter().collect::<String>()
            )
        });
    let lines: String = lines.collect();
    if lines.is_empty() {
        lines
    } else {
        lines + "\n"
    }
}
