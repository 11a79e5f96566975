//! `cargo situ carve`: unit tests for the functions that an end-to-end run calls.

use crate::arguments::{Common, SandboxOptions, Secrets};
use crate::changing;
use crate::exit::Exit;
use crate::output::{print_line, warn_of_losses};
use crate::page_file;
use crate::progress::Progress;
use crate::review::{review, review_items};
use crate::situ_source::situ_source;
use crate::sources;
use crate::turn;
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use situ_engine::base::words::{count, of_number};
use situ_engine::cargo::workspace::{SecretNames, Workspace};
use situ_engine::edit::{NewItem, Proposal};
use situ_engine::generate::carve::{
    self, Carved, DoubleStyle, Form, InPlace, Keep, PlacedTest, Report, Request, Selection, Source,
    Summary,
};
use situ_engine::record::plan::Wanted;
use situ_engine::record::{Options as Recording, Workload};
use situ_engine::report::page::Page;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLE: &str = "Examples:
  cargo situ carve -- ./end-to-end.sh              # run a script, print a patch with unit tests
  cargo situ carve -- cargo run -- --port 8080     # use the program by hand, end it with Ctrl-C
  cargo situ carve --in cart --write -- ./shop.sh  # only the module `cart`, into the sources
  cargo situ carve --review -- ./end-to-end.sh     # ask for each test
  cargo situ carve --from friday                   # from a recording of functions and calls
  cargo situ carve --undo                          # undo --write";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Only functions of this module, file or folder; may be repeated
    #[arg(long = "in", value_name = "MODULE")]
    places: Vec<String>,
    /// Use an existing recording instead of running something
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    from: Option<String>,
    /// Which calls of a function become tests
    #[arg(long, value_enum, default_value_t = KeepOption::Paths)]
    keep: KeepOption,
    /// How collaborators behind a trait are replaced
    #[arg(long, value_enum, default_value_t = StyleOption::Plain)]
    style: StyleOption,
    /// Keep tests that kill no mutant of their own, and skip the comparison with existing tests:
    /// faster, but more tests
    #[arg(long)]
    quick: bool,
    /// Put the tests into the sources
    #[arg(long, conflicts_with = "review")]
    write: bool,
    /// Ask for each test whether to put it into the sources
    #[arg(long)]
    review: bool,
    /// Undo the last --write or --review
    #[arg(long, conflicts_with_all = ["write", "review"])]
    undo: bool,
    /// Write one self-contained HTML page with the call tree of each scenario to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Local checkout of Situ for the dependency that is added if tests need it
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
    #[command(flatten)]
    secrets: Secrets,
    /// Features to pass to cargo
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Command to run: a script, a browser test, `cargo run`; without it the tests
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Clone, Copy, ValueEnum)]
enum KeepOption {
    /// The shortest call of each path through the function
    Paths,
    /// Every distinct call
    Calls,
}

#[derive(Clone, Copy, ValueEnum)]
enum StyleOption {
    /// A small handwritten struct beside the tests
    Plain,
    /// A mock of the crate mockall, which becomes a dev-dependency
    Mockall,
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
    let report = carve::carve(&workspace, &request, &|text| progress.step(text))?;
    drop(progress);
    warn_of_losses(&report.lost);
    page_file::write(options.html.as_deref(), || {
        Page::of_carve(workspace.root(), &report)
    })?;
    if options.common.json {
        print_json(&report);
    } else {
        print_summary(&report.summary);
    }
    if options.write {
        changing::write_and_say(&report.changes, &workspace)?;
    } else if options.review {
        let (tests, in_place) = reviewed(&workspace, &report.tests)?;
        changing::write_and_say(
            &carve::changes(&workspace, &tests, &in_place, &request.situ)?,
            &workspace,
        )?;
    } else if !options.common.json {
        changing::print_patch(&report.changes, &workspace);
    }
    Ok(Exit::Done)
}

fn request(options: &Options, workspace: &Workspace) -> Result<Request> {
    let secrets = options.secrets.names(workspace);
    let source = match &options.from {
        Some(name) => Source::Recording(name.clone()),
        None => Source::Record(Box::new(recording(options, &secrets)?)),
    };
    Ok(Request {
        source,
        asked: Selection {
            places: options.places.clone(),
        },
        keep: match options.keep {
            KeepOption::Paths => Keep::Paths,
            KeepOption::Calls => Keep::Calls,
        },
        style: match options.style {
            StyleOption::Plain => DoubleStyle::Plain,
            StyleOption::Mockall => DoubleStyle::Mockall,
        },
        situ: situ_source(options.situ_path.as_deref())?,
        program: env::current_exe().context("finding this program")?,
        is_quick: options.quick,
        secrets,
    })
}

fn recording(options: &Options, secrets: &SecretNames) -> Result<Recording> {
    let workload = if options.command.is_empty() {
        Workload::Tests
    } else {
        Workload::Command(options.command.clone())
    };
    Ok(Recording {
        wanted: Wanted {
            functions: true,
            calls: true,
            streams: true,
            through_traits: true,
            secrets: secrets.clone(),
            ..Wanted::default()
        },
        workload,
        name: "carve".to_owned(),
        append: false,
        program: env::current_exe().context("finding this program")?,
        unique_sets: None,
        bytes_a_value: None,
        cargo_arguments: options
            .features
            .iter()
            .flat_map(|list| ["--features".to_owned(), list.clone()])
            .collect(),
        round_trip: false,
        compares_builds: false,
        follows_opaque: false,
        quiet: true,
        each_test_apart: false,
        timeout: None,
        opaque_types: Vec::new(),
    })
}

/// Asks about each test and returns those that the user keeps.
fn reviewed(workspace: &Workspace, tests: &[Carved]) -> Result<(Vec<PlacedTest>, Vec<InPlace>)> {
    let mut placed: Vec<(NewItem, PlacedTest)> = Vec::new();
    let mut in_place: Vec<InPlace> = Vec::new();
    for test in tests {
        match &test.form {
            Form::Unit(test) => {
                placed.extend(carve::item(workspace, test)?.map(|item| (item, test.clone())))
            }
            Form::InSitu(test) => in_place.push(test.clone()),
        }
    }
    let items: Vec<NewItem> = placed.iter().map(|(item, _)| item.clone()).collect();
    let kept = review_items(workspace, &items)?;
    let tests = placed
        .into_iter()
        .filter(|(item, _)| kept.contains(item))
        .map(|(_, test)| test)
        .collect();
    if !in_place.is_empty() {
        let proposals: Vec<Proposal> = in_place.iter().map(|test| test.proposal.clone()).collect();
        let kept = review(workspace, &proposals)?;
        in_place.retain(|test| kept.contains(&test.proposal));
    }
    Ok((tests, in_place))
}

fn print_json(report: &Report) {
    for test in &report.tests {
        print_line(&json!(test).to_string());
    }
    let (summary, refused) = (&report.summary, &report.refused);
    print_line(&json!({ "verb": "carve", "summary": summary, "refused": refused }).to_string());
}

fn print_summary(summary: &Summary) {
    eprintln!(
        "{} executed in {}; {} of these {} the same path as another one",
        count(summary.functions_seen, "function"),
        count(summary.calls, "distinct call"),
        summary.duplicates,
        of_number(summary.duplicates, "takes", "take")
    );
    if summary.say_nothing_new > 0 {
        let (tests, notice) = (
            count(summary.say_nothing_new, "test"),
            of_number(summary.say_nothing_new, "notices", "notice"),
        );
        eprintln!("{tests} {notice} no mutant that other tests of the function miss");
    }
    eprintln!(
        "{} attempted, {} shown for {}, {} of them with mocked calls, {} with doubles",
        count(summary.attempted, "test"),
        summary.shown,
        count(summary.functions_with_tests, "function"),
        summary.with_mocks,
        summary.with_doubles
    );
    if summary.already_there > 0 {
        eprintln!(
            "{} {} in the sources already",
            summary.already_there,
            of_number(summary.already_there, "stands", "stand")
        );
    }
    if summary.unchecked > 0 {
        eprintln!(
            "{} arguments or orders of outgoing calls are not checked; `--json` lists them with the reasons",
            summary.unchecked
        );
    }
    eprintln!(
        "the shown tests cover {} of the {} that {} executed in the attempted functions",
        summary.branches_taken,
        count(summary.branches, "branch"),
        of_number(summary.branches, "was", "were")
    );
    if let (Some(existing), Some(new)) = (
        summary.branches_of_existing_tests,
        summary.branches_new_to_tests,
    ) {
        eprintln!("the existing tests cover {existing} of these branches; {new} are newly covered");
    }
    if !summary.refused.is_empty() {
        eprintln!("not shown:");
    }
    let mut reasons: Vec<_> = summary.refused.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (reason, count) in reasons {
        eprintln!("  {count:>5}  {reason}");
    }
    let phases: Vec<String> = summary
        .phases
        .iter()
        .map(|(phase, seconds)| format!("{phase} {seconds:.1} s"))
        .collect();
    eprintln!("{:.1} s: {}", summary.seconds, phases.join(", "));
}
