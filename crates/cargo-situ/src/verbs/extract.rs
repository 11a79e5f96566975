//! `cargo situ extract`: tests of statements, made from recorded values.

use crate::arguments::{Common, SandboxOptions, Secrets, WorthOptions};
use crate::changing;
use crate::exit::Exit;
use crate::output::{print_line, warn_of_losses};
use crate::page_file;
use crate::progress::Progress;
use crate::review::review;
use crate::situ_source::situ_source;
use crate::sources;
use crate::turn;
use crate::verbs::record::file_and_line;
use crate::worth::{self, Place};
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use situ_engine::base::shortened::shortened;
use situ_engine::base::words::{count, of_number};
use situ_engine::cargo::workspace::Workspace;
use situ_engine::edit::{ChangeSet, Proposal};
use situ_engine::generate::extract::{
    self, Algorithm, Keep, Level, Report, Request, Selection, Source,
};
use situ_engine::generate::worth::Budget;
use situ_engine::record::plan::Wanted;
use situ_engine::record::{Options as Recording, Workload};
use situ_engine::report::page::Page;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The number of chars of a statement that are printed in a refusal.
const LONGEST_STATEMENT: usize = 60;

const EXAMPLE: &str = "Examples:
  cargo situ extract                               # record the tests, print a patch of what is worth reading
  cargo situ extract --all                         # everything that holds
  cargo situ extract --write --situ-path ../situ   # put the tests into the sources
  cargo situ extract --in src/parse.rs --review    # ask for each test of one file
  cargo situ extract --at src/parse.rs:120         # the statement at this line, whatever it is
  cargo situ extract --level block --top 20        # blocks and closures, those with the most untaken branches first
  cargo situ extract -- ./end-to-end.sh            # record a command instead of the tests
  cargo situ extract --undo                        # undo --write";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// What the tests check
    #[arg(long, value_enum, default_value_t = LevelOption::Inline)]
    level: LevelOption,
    /// Only the statement at this line, of any kind, or the innermost fragment; other selections
    /// add to it; may be repeated
    #[arg(long, value_name = "FILE:LINE")]
    at: Vec<String>,
    /// Only statements in this file, folder or function; may be repeated
    #[arg(long = "in", value_name = "PLACE")]
    places: Vec<String>,
    /// Only statements that manipulate this: regex, text, bits, sequence, condition; with --level
    /// block only fragments that are a body, block or closure; may be repeated
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<String>,
    /// Only so many statements, the most complex first; with --level block those with the most
    /// untaken branches first
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    #[command(flatten)]
    worth: WorthOptions,
    /// How far candidates are reduced
    #[arg(long, value_enum, default_value_t = KeepOption::Mutants)]
    keep: KeepOption,
    /// Algorithm that looks for the smallest set of tests
    #[arg(long, value_enum, default_value_t = ReduceOption::Greedy)]
    reduce: ReduceOption,
    /// Use only recorded inputs; otherwise, if mutants survive, inputs near recorded ones are tried
    /// too, and their tests get the tag nearby
    #[arg(long)]
    recorded_only: bool,
    /// Use an existing recording instead of making one
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    from: Option<String>,
    /// Put the tests into the sources
    #[arg(long, conflicts_with = "review")]
    write: bool,
    /// Ask for each test whether to put it into the sources
    #[arg(long)]
    review: bool,
    /// Also replace generated in-situ tests that fail because their statement has changed; a
    /// failing test that somebody wrote or edited stays, and the command exits with 1
    #[arg(long, conflicts_with = "from")]
    update: bool,
    /// Undo the last --write or --review
    #[arg(long, conflicts_with_all = ["write", "review"])]
    undo: bool,
    /// Local checkout of Situ for the added dependency
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Operators whose mutants the reduction ignores, to evaluate it with them; may be repeated
    #[arg(long, value_name = "OPERATOR")]
    hold_back: Vec<String>,
    #[command(flatten)]
    secrets: Secrets,
    /// Features to pass to cargo
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Command to record instead of the tests
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LevelOption {
    /// Single statements and conditions
    Inline,
    /// Blocks of several statements, and closures
    Block,
}

#[derive(Clone, Copy, ValueEnum)]
enum KeepOption {
    /// Every candidate that passes
    Base,
    /// Those that cover a new branch of the statement or of the code after it
    Coverage,
    /// The fewest that kill every mutant that any candidate kills
    Mutants,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReduceOption {
    /// Repeatedly the test that kills most of the remaining mutants
    Greedy,
    /// First the tests that alone kill a mutant, then greedily
    Ge,
    /// As ge, without tests made redundant by another one
    Gre,
    /// The mutants with the fewest killing tests first
    Hgs,
}

pub fn run(options: &Options) -> Result<Exit> {
    options.sandbox.apply()?;
    if options.undo {
        return changing::take_back(&options.common);
    }
    let workspace = options.common.workspace()?;
    let request = request(options, &workspace)?;
    let _turn = turn::take(&workspace)?;
    sources::name_unreadable(&workspace);
    let progress = Progress::start("reading the workspace", options.common.json);
    let report = extract::extract(&workspace, &request, &|text| progress.step(text))?;
    drop(progress);
    warn_of_losses(&report.lost);
    for setback in &report.summary.setbacks {
        eprintln!("warning: {setback}");
    }
    page_file::write(options.html.as_deref(), || {
        Page::of_extract(workspace.root(), &report)
    })?;
    if options.common.json {
        print_json(&report);
    } else {
        print_summary(&report);
    }
    if options.write {
        changing::write_and_say(&report.changes, &workspace)?;
    } else if options.review {
        let proposals: Vec<Proposal> = report
            .tests
            .iter()
            .map(|test| test.proposal.clone())
            .collect();
        let left = report.outdated.rest.as_ref().unwrap_or(&workspace);
        let accepted = review(left, &proposals)?;
        let mut changes = ChangeSet::new(left, &accepted, &request.situ)?;
        report.outdated.add_to(&mut changes);
        changing::write(&changes.resolved(&workspace)?, &workspace)?;
    } else if !options.common.json {
        changing::print_patch(&report.changes, &workspace);
    }
    Ok(if report.summary.specified_failing.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

fn request(options: &Options, workspace: &Workspace) -> Result<Request> {
    let at = options
        .at
        .iter()
        .map(|place| file_and_line(place))
        .collect::<Result<Vec<_>>>()?;
    let level = match options.level {
        LevelOption::Inline => Level::Inline,
        LevelOption::Block => Level::Block,
    };
    let asked = Selection {
        at: at.clone(),
        places: options.places.clone(),
        kinds: options.kinds.clone(),
        top: options.top.filter(|_| level == Level::Inline),
    };
    let secrets = options.secrets.names(workspace);
    let wanted = match level {
        Level::Inline => {
            let targets = asked.wants_targets();
            Wanted {
                targets,
                at,
                streams: true,
                answers: true,
                through_traits: true,
                secrets,
                ..Wanted::default()
            }
        }
        Level::Block => Wanted {
            fragments: true,
            calls: true,
            streams: true,
            through_traits: true,
            secrets,
            ..Wanted::default()
        },
    };
    let program = env::current_exe().context("finding this program")?;
    let workload = if options.command.is_empty() {
        Workload::Tests
    } else {
        Workload::Command(options.command.clone())
    };
    let cargo_arguments = match &options.features {
        Some(features) => vec!["--features".to_owned(), features.clone()],
        None => Vec::new(),
    };
    let source = match &options.from {
        Some(name) => Source::Recording(name.clone()),
        None => Source::Record(Box::new(Recording {
            wanted: wanted.clone(),
            workload,
            name: "extract".to_owned(),
            append: false,
            program: program.clone(),
            unique_sets: None,
            bytes_a_value: None,
            cargo_arguments,
            round_trip: false,
            compares_builds: false,
            follows_opaque: false,
            quiet: true,
            each_test_apart: false,
            timeout: None,
            opaque_types: Vec::new(),
        })),
    };
    Ok(Request {
        source,
        level,
        wanted,
        asked,
        // Fragments are ranked later, by what was recorded of them.
        top_fragments: options.top.filter(|_| level == Level::Block),
        update: options.update,
        keep: match options.keep {
            KeepOption::Base => Keep::Base,
            KeepOption::Coverage => Keep::Coverage,
            KeepOption::Mutants => Keep::Mutants,
        },
        algorithm: match options.reduce {
            ReduceOption::Greedy => Algorithm::Greedy,
            ReduceOption::Ge => Algorithm::Ge,
            ReduceOption::Gre => Algorithm::Gre,
            ReduceOption::Hgs => Algorithm::Hgs,
        },
        recorded_only: options.recorded_only,
        // Whoever asks for another reduction wants to see what it leaves.
        budget: match options.keep {
            KeepOption::Mutants => options.worth.budget(),
            KeepOption::Base | KeepOption::Coverage => Budget::All,
        },
        held_back: options.hold_back.iter().cloned().collect(),
        situ: situ_source(options.situ_path.as_deref())?,
        program,
    })
}

fn print_json(report: &Report) {
    for test in &report.tests {
        print_line(&json!(test).to_string());
    }
    let mut summary = json!(report.summary);
    summary["without_tests"] = json!(report.without);
    print_line(&json!({ "verb": "extract", "summary": summary }).to_string());
}

fn print_summary(report: &Report) {
    let summary = &report.summary;
    let share = |part: usize, whole: usize| {
        if whole == 0 {
            0.0
        } else {
            100.0 * part as f64 / whole as f64
        }
    };
    eprintln!(
        "{} of {} reached, {} {} tests now",
        summary.statements_reached,
        count(summary.statements_found, "target statement"),
        summary.statements_with_tests,
        of_number(summary.statements_with_tests, "has", "have")
    );
    if summary.statements_tested_already > 0 {
        eprintln!("{} had tests already", summary.statements_tested_already);
    }
    if summary.tests_taken_out > 0 {
        let does = of_number(
            summary.tests_taken_out,
            "fails now and is",
            "fail now and are",
        );
        eprintln!("{} {does} removed", count(summary.tests_taken_out, "test"));
    }
    for test in &summary.specified_failing {
        eprintln!(
            "{}:{}: {} fails; it is not changed, because somebody wrote or edited it",
            test.file.display(),
            test.line,
            test.name
        );
    }
    eprintln!(
        "{}, {} after coverage, {} after mutants, {} of them shown in {}",
        count(summary.candidates, "candidate"),
        summary.after_coverage,
        summary.after_mutants,
        summary.rows,
        count(summary.tests, "test")
    );
    eprintln!(
        "{} of these statements: the crate's own tests kill {} ({:.0} %), the new ones {} ({:.0} %), together {} ({:.0} %)",
        count(summary.mutants, "mutant"),
        summary.killed_by_unit,
        share(summary.killed_by_unit, summary.mutants),
        summary.killed_by_extracted,
        share(summary.killed_by_extracted, summary.mutants),
        summary.killed_by_either,
        share(summary.killed_by_either, summary.mutants)
    );
    if summary.open_by_unit > 0 {
        eprintln!(
            "{} of them {} not judged by the crate's slow tests, which would take too long",
            summary.open_by_unit,
            of_number(summary.open_by_unit, "was", "were")
        );
    }
    if summary.rows_shortened > 0 {
        let were = of_number(
            summary.rows_shortened,
            "was too long to read and is",
            "were too long to read and are",
        );
        eprintln!(
            "{} {were} shown with shorter inputs",
            count(summary.rows_shortened, "value set")
        );
    }
    if summary.rows_nearby > 0 {
        eprintln!(
            "{} near recorded ones {} what no recorded input does; their tests have the tag nearby",
            count(summary.rows_nearby, "input"),
            of_number(summary.rows_nearby, "kills or covers", "kill or cover")
        );
    }
    if summary.fragment_branches > 0 {
        eprintln!(
            "{} in these fragments: {} {} executed while recording, the new tests cover {} ({:.0} %)",
            count(summary.fragment_branches, "branch"),
            summary.fragment_branches_reached,
            of_number(summary.fragment_branches_reached, "was", "were"),
            summary.fragment_branches_covered,
            share(summary.fragment_branches_covered, summary.fragment_branches)
        );
        if summary.fragment_branches_covered_before > 0 {
            eprintln!(
                "{} more are covered by existing tests",
                summary.fragment_branches_covered_before
            );
        }
        print_untaken(&summary.untaken_branches);
    }
    worth::print(
        report.tests.iter().map(|test| Place {
            file: &test.file,
            line: test.line,
            worth: &test.worth,
        }),
        summary.others,
    );
    for one in &report.without {
        eprintln!(
            "{}:{}: no test for `{}`: {}",
            one.file,
            one.line,
            shortened(&one.statement, LONGEST_STATEMENT),
            one.reason
        );
    }
    print_reasons("value sets and tests that were dropped", &summary.left_out);
    let phases: Vec<String> = summary
        .phases
        .iter()
        .map(|(phase, seconds)| format!("{phase} {seconds:.1} s"))
        .collect();
    eprintln!("{:.1} s: {}", summary.seconds, phases.join(", "));
}

/// Prints the branches that no test takes, limited to a readable number.
fn print_untaken(places: &[String]) {
    const MOST: usize = 12;
    if places.is_empty() {
        return;
    }
    let more = if places.len() > MOST {
        format!(" and {} more", places.len() - MOST)
    } else {
        String::new()
    };
    eprintln!(
        "no test covers the branches at {}{more}",
        places[..places.len().min(MOST)].join(", ")
    );
}

fn print_reasons(title: &str, reasons: &BTreeMap<String, usize>) {
    if reasons.is_empty() {
        return;
    }
    eprintln!("{title}:");
    let mut ordered: Vec<_> = reasons.iter().collect();
    ordered.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in ordered {
        eprintln!("  {count:>5}  {reason}");
    }
}
