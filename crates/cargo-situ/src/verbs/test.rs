//! `cargo situ test`: runs the selected tests and reports their outcomes.

use crate::arguments::Common;
use crate::changing;
use crate::exit::{self, Exit};
use crate::output::print_line;
use crate::page_file;
use crate::progress::Progress;
use crate::review::review_each;
use crate::sources;
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use situ_engine::base::words::{count, of_number};
use situ_engine::cargo::workspace::Workspace;
use situ_engine::report::github;
use situ_engine::report::junit::junit;
use situ_engine::report::page::Page;
use situ_engine::suite::accept::{self, Acceptance, Accepted};
use situ_engine::suite::choose::{Kinds, Selection};
use situ_engine::suite::event::{Ended, Event, Outcome};
use situ_engine::suite::run::{self, Report, Request, Runner};
use situ_engine::suite::watch::Watch;
use std::path::PathBuf;

const EXAMPLE: &str = "Example:
  cargo situ test                              # all tests of this package
  cargo situ test --only-insitu --tag fast     # in-situ tests with this tag
  cargo situ test --file src/parse.rs:42       # the tests of one line
  cargo situ test --order smoke --order slow   # by tags, in this order
  cargo situ test --html report.html --junit report.xml
  cargo situ test --accept                     # expect what generated tests found, if they fail
  cargo situ test --accept --review            # ask for each failing test, hand-written ones too
  cargo situ test parse -- --nocapture         # with arguments for the test programs";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    /// Only tests whose name contains one of these
    names: Vec<String>,
    /// Only in-situ tests
    #[arg(long, conflicts_with = "no_insitu")]
    only_insitu: bool,
    /// All tests except in-situ tests
    #[arg(long)]
    no_insitu: bool,
    /// Only tests in this file, folder or line (src/parse.rs:42); may be repeated
    #[arg(long = "file", value_name = "PLACE")]
    files: Vec<String>,
    /// Only tests with this tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Run tests with this tag first; may be repeated: in the given order, then all others
    #[arg(long = "order", value_name = "TAG")]
    order: Vec<String>,
    /// Number of times to run each test; it must pass every time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Number of tests at once
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// What runs the tests
    #[arg(long, value_enum, default_value_t = Who::Cargo)]
    runner: Who,
    /// Do not run doctests
    #[arg(long)]
    no_doctests: bool,
    /// Keep running, and run the tests again after each change
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Replace the expected values of failing in-situ tests with what was found, in all tests or in none; of tests
    /// that a person wrote or edited only if they are named or with --review
    #[arg(long, conflicts_with_all = ["watch", "test_arguments"])]
    accept: bool,
    /// Ask for each test before its expected values are replaced
    #[arg(long, requires = "accept")]
    review: bool,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print failures as annotations of a GitHub workflow
    #[arg(long)]
    github: bool,
    /// Arguments for the test programs, such as --nocapture; their output is then shown
    #[arg(last = true, value_name = "ARGUMENTS")]
    test_arguments: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Who {
    /// `cargo test`
    Cargo,
    /// `cargo nextest run`; does not run doctests
    Nextest,
}

pub fn run(options: &Options) -> Result<Exit> {
    let workspace = options.common.workspace()?;
    let request = request(options);
    sources::name_unreadable(&workspace);
    if options.watch {
        return stay(workspace, &request, options);
    }
    once(&workspace, &request, options)
}

fn request(options: &Options) -> Request {
    let kinds = match (options.only_insitu, options.no_insitu) {
        (true, _) => Kinds::OnlyInSitu,
        (_, true) => Kinds::NoInSitu,
        _ => Kinds::All,
    };
    let asked = Selection {
        names: options.names.clone(),
        files: options.files.clone(),
        tags: options.tags.clone(),
        order: options.order.clone(),
        kinds,
    };
    Request {
        doctests: !options.no_doctests && asked.files.is_empty() && asked.tags.is_empty(),
        asked,
        repeat: options.repeat.into(),
        threads: options.jobs.map(usize::from),
        runner: match options.runner {
            Who::Cargo => Runner::Cargo,
            Who::Nextest => Runner::Nextest,
        },
        arguments: options.test_arguments.clone(),
    }
}

fn once(workspace: &Workspace, request: &Request, options: &Options) -> Result<Exit> {
    let progress = Progress::start("reading the sources", options.common.json);
    let watch = |event: Event<'_>| match event {
        Event::Step(text) => progress.step(text),
        Event::Advanced { done, of, failed } => {
            progress.advance(done, of, &format!("{failed} failed"))
        }
        // With `--json`, standard output has nothing but JSON.
        Event::Said(line) if options.common.json => eprintln!("{line}"),
        Event::Said(line) => progress.beside(|| print_line(line)),
        Event::Ended(_) => {}
    };
    let report = run::run(workspace, request, &watch)?;
    let acceptance = if options.accept {
        request.asked.check_names(&report.tests)?;
        let with_specified = options.review || !options.names.is_empty();
        let accepted = accept::accept(workspace, request, &report, with_specified, &watch)?;
        Some(accepted)
    } else {
        None
    };
    drop(progress);
    let for_others = report.masked(&workspace.config().secrets);
    page_file::write(options.html.as_deref(), || {
        Page::of_tests(workspace.root(), &for_others)
    })?;
    if let Some(path) = &options.junit {
        page_file::write_text(path, &junit(&for_others))?;
    }
    if options.common.json {
        for test in &for_others.tests {
            print_line(&serde_json::to_string(test).context("writing a test")?);
        }
    } else if options.github {
        print_line(github::failed_tests(&for_others).trim_end());
    } else {
        as_text(&report).iter().for_each(|line| print_line(line));
    }
    let accepted = match &acceptance {
        Some(acceptance) => Some(write_accepted(workspace, acceptance, options)?),
        None => None,
    };
    if options.common.json {
        let mut summary = serde_json::to_value(&report.summary).context("writing the summary")?;
        if let Some(accepted) = accepted {
            summary["accepted"] = json!(accepted);
        }
        print_line(&json!({ "verb": "test", "summary": summary }).to_string());
    }
    Ok(if report.summary.failed > accepted.unwrap_or(0) {
        Exit::Found
    } else {
        Exit::Done
    })
}

/// Writes the accepted values, after asking if that is wanted, and says what is not accepted.
/// Returns the number of failed tests that are accepted.
fn write_accepted(
    workspace: &Workspace,
    acceptance: &Acceptance,
    options: &Options,
) -> Result<usize> {
    for refused in &acceptance.refused {
        eprintln!(
            "{}:{}: {} cannot be accepted: {}",
            refused.file.display(),
            refused.line,
            refused.name,
            refused.reason
        );
    }
    if !acceptance.refused.is_empty() {
        eprintln!("nothing was accepted");
    }
    if !acceptance.specified.is_empty() {
        eprintln!(
            "{} that a person wrote or edited: name the tests, or give `--review`, to accept what they found",
            count(acceptance.specified.len(), "failing test")
        );
    }
    let accepted = if options.review {
        let show = |one: &Accepted| Ok(acceptance.preview(one));
        review_each(&acceptance.accepted, &|one| &one.file, &show)?
    } else {
        acceptance.accepted.clone()
    };
    changing::write_and_say(&acceptance.changes(&accepted), workspace)?;
    for one in &accepted {
        eprintln!("{}:{}: accepted {}", one.file.display(), one.line, one.name);
    }
    if !accepted.is_empty() {
        eprintln!("`cargo situ undo` takes this back");
    }
    Ok(accepted.iter().map(|one| one.failures).sum())
}

/// Runs the selected tests, and again after each change, until the user interrupts. All of them are
/// run each time: which tests a change affects is unknown before they have run.
fn stay(mut workspace: Workspace, request: &Request, options: &Options) -> Result<Exit> {
    let mut watch = Watch::start(&workspace);
    loop {
        tell_failure(once(&workspace, request, options));
        watch.add_compiled_in(&workspace);
        print_line("waiting for a change (Ctrl-C ends)");
        watch.wait(&workspace);
        // The change may have added packages or targets.
        match Workspace::load(&options.common.selection()) {
            Ok(loaded) => workspace = loaded,
            Err(error) => exit::tell(&error),
        }
    }
}

/// Prints a failure and goes on: while watching, code that does not compile yet is no reason to
/// stop.
fn tell_failure(result: Result<Exit>) {
    if let Err(error) = result {
        exit::tell(&error);
    }
}

fn as_text(report: &Report) -> Vec<String> {
    let failed = report
        .tests
        .iter()
        .filter(|test| test.outcome == Outcome::Failed);
    let mut lines: Vec<String> = failed.flat_map(failure).collect();
    let summary = &report.summary;
    let skipped = report
        .tests
        .iter()
        .filter(|test| test.outcome == Outcome::Skipped);
    lines.extend(
        skipped.map(|test| format!("{}{} skipped: {}", place(test), test.name, test.output)),
    );
    let some = |number: usize, what: &str| {
        if number > 0 {
            format!(", {number} {what}")
        } else {
            String::new()
        }
    };
    let others_that_did_not_run =
        some(summary.ignored, "ignored") + &some(summary.skipped, "skipped");
    let others = if summary.not_asked_for > 0 {
        let were = of_number(summary.not_asked_for, "was", "were");
        format!(
            "; {} {were} not asked for",
            count(summary.not_asked_for, "other")
        )
    } else {
        String::new()
    };
    lines.push(format!(
        "{} in {:.1} s: {} passed, {} failed{others_that_did_not_run}; {} in situ{others}",
        count(summary.tests, "test"),
        summary.seconds,
        summary.passed,
        summary.failed,
        summary.in_situ
    ));
    lines
}

fn place(test: &Ended) -> String {
    match (&test.file, test.line) {
        (Some(file), Some(line)) => format!("{}:{line}: ", file.display()),
        _ => String::new(),
    }
}

fn failure(test: &Ended) -> Vec<String> {
    let place = place(test);
    let often = if test.runs > 1 {
        format!(" {} of {} times", test.failures, test.runs)
    } else {
        String::new()
    };
    let mut lines = vec![format!("{place}{} failed{often}", test.name)];
    lines.extend(
        test.output
            .trim_end()
            .lines()
            .map(|line| format!("    {line}").trim_end().to_owned()),
    );
    lines.push(String::new());
    lines
}
