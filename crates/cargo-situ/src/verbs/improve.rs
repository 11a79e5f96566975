//! `cargo situ improve`: the fewest assertions that kill what the tests leave alive, where a maintainer would write them.

use crate::arguments::{Common, SandboxOptions};
use crate::changing;
use crate::exit::Exit;
use crate::output::print_line;
use crate::progress::Progress;
use crate::review::review_each;
use crate::sources;
use crate::turn;
use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use situ_engine::base::words::count;
use situ_engine::generate::improve::{self, Improvement, Report, Request, diff_since};
use situ_engine::generate::worth::Budget;
use std::env;
use std::path::Path;
use std::time::Duration;

const EXAMPLE: &str = "Examples:
  cargo situ improve                       # find survivors, print a patch that kills them
  cargo situ improve --write               # put it into the tests; `cargo situ undo` undoes it
  cargo situ improve --since main          # only survivors on lines changed since main
  cargo situ improve --in src/size.rs --review";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Only survivors on lines that changed since the merge base with this revision
    #[arg(long, value_name = "REF")]
    since: Option<String>,
    /// Only survivors in this file, folder, function or line (src/parse.rs:42); may be repeated
    #[arg(long = "in", value_name = "PLACE")]
    places: Vec<String>,
    /// At most so many new lines [default: a tenth of the lines of the files concerned, 40 at least]
    #[arg(long, value_name = "LINES")]
    budget: Option<usize>,
    /// How long inputs are searched, such as 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    time: Duration,
    /// Put the tests into the sources
    #[arg(long, conflicts_with = "review")]
    write: bool,
    /// Ask for each test whether it goes into the sources
    #[arg(long)]
    review: bool,
}

pub fn run(options: &Options) -> Result<Exit> {
    options.sandbox.apply()?;
    let workspace = options.common.workspace()?;
    let diff = match &options.since {
        Some(reference) => Some(diff_since(&workspace, reference)?),
        None => None,
    };
    let request = Request {
        selection: options.common.selection(),
        places: options.places.clone(),
        diff,
        budget: options.budget.map_or(Budget::Tenth, Budget::Lines),
        time: options.time,
        program: env::current_exe().context("finding this program")?,
    };
    let _turn = turn::take(&workspace)?;
    sources::name_unreadable(&workspace);
    let progress = Progress::start("finding survivors", options.common.json);
    let report = improve::improve(&workspace, &request, &|text| progress.step(text))?;
    drop(progress);
    if options.common.json {
        print_json(&report);
    } else {
        print_text(&report);
    }
    if options.write {
        changing::write_and_say(&report.changes, &workspace)?;
    } else if options.review {
        let show = |one: &Improvement| improve::preview(&workspace, one);
        let kept = review_each(&report.improvements, &|one| Path::new(&one.file), &show)?;
        changing::write_and_say(&improve::changes(&workspace, &kept)?, &workspace)?;
    } else if !options.common.json {
        changing::print_patch(&report.changes, &workspace);
    }
    Ok(Exit::Done)
}

fn print_json(report: &Report) {
    for one in &report.improvements {
        print_line(&json!(one).to_string());
    }
    print_line(&json!({ "verb": "improve", "summary": report.summary }).to_string());
}

fn print_text(report: &Report) {
    let summary = &report.summary;
    for one in &report.improvements {
        eprintln!("{}:{}: {}", one.file, one.line, one.text.trim());
        for kill in &one.kills {
            eprintln!("  kills: {kill}");
        }
    }
    eprintln!(
        "{}: {} killed by {} ({} beside {} of source), {} probably equivalent, {} open, in {:.1} s",
        count(summary.survivors, "survivor"),
        summary.killed_by_new,
        count(summary.tests, "new assertion"),
        count(summary.lines_added, "new line"),
        count(summary.source_lines, "line"),
        summary.probably_equivalent,
        summary.open,
        summary.seconds
    );
}

/// A time such as `60s`, `5m` or `90`, which is seconds.
fn duration(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "expected seconds or minutes, such as 60s or 5m";
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| EXPECTED)?;
    match &text[digits.len()..] {
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" | "min" => Ok(Duration::from_secs(number * 60)),
        _ => Err(EXPECTED),
    }
}
