//! `cargo situ generalize`: parameterized tests from ordinary tests and recorded arguments.

mod tables;

use crate::arguments::{Common, SandboxOptions, Secrets};
use crate::changing;
use crate::exit::Exit;
use crate::output::{print_line, warn_of_losses};
use crate::page_file;
use crate::progress::Progress;
use crate::review::review_items;
use crate::situ_source::situ_source;
use crate::sources;
use crate::turn;
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use situ_engine::cargo::manifest::Dependency;
use situ_engine::cargo::workspace::{SecretNames, Workspace};
use situ_engine::edit::{ChangeSet, NewItem};
use situ_engine::generate::generalize::{RSTEST, Report, Request, Selection, Style, generalize};
use situ_engine::record::plan::Wanted;
use situ_engine::record::{Options as Recording, Workload};
use situ_engine::report::page::Page;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "Examples:
  cargo situ generalize                          # record the tests, print a patch
  cargo situ generalize --write                  # put the tests beside their originals
  cargo situ generalize --in src/parse.rs --review
  cargo situ generalize --style theory           # theories with data points, not rstest cases
  cargo situ generalize -- ./end-to-end.sh       # also with arguments recorded from a command
  cargo situ generalize --from production        # also with arguments from a recording of functions
  cargo situ generalize --undo                   # undo --write";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Only tests in this file or folder, or with this name; may be repeated
    #[arg(long = "in", value_name = "PLACE")]
    places: Vec<String>,
    /// How the tests are written
    #[arg(long, value_enum, default_value_t = StyleOption::Rstest)]
    style: StyleOption,
    /// Also write tests that state for which arguments an assertion fails
    #[arg(long)]
    falsifying: bool,
    /// Also use arguments from this recording; may be repeated
    #[arg(long, value_name = "NAME")]
    from: Vec<String>,
    /// Put the tests into the sources
    #[arg(long, conflicts_with = "review")]
    write: bool,
    /// Ask for each test whether to put it into the sources
    #[arg(long)]
    review: bool,
    /// Undo the last --write or --review
    #[arg(long, conflicts_with_all = ["write", "review"])]
    undo: bool,
    /// Local checkout of Situ for the dependency that theories need
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    secrets: Secrets,
    /// Features to pass to cargo
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Command to record in addition to the tests
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleOption {
    /// `#[rstest]` with named cases
    Rstest,
    /// `#[theory]` with data points
    Theory,
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
    let report = generalize(&workspace, &request, &|text| progress.step(text))?;
    drop(progress);
    warn_of_losses(&report.lost);
    page_file::write(options.html.as_deref(), || {
        Page::of_generalize(workspace.root(), &report)
    })?;
    if options.common.json {
        print_json(&report);
    } else {
        tables::print(&report);
    }
    if options.write {
        changing::write_and_say(&report.changes, &workspace)?;
    } else if options.review {
        let items: Vec<NewItem> = report.tests.iter().map(|test| test.item.clone()).collect();
        let accepted = review_items(&workspace, &items)?;
        changing::write_and_say(
            &ChangeSet::of_items(&workspace, &accepted, &request.dependency)?,
            &workspace,
        )?;
    } else if !options.common.json {
        changing::print_patch(&report.changes, &workspace);
    }
    Ok(Exit::Done)
}

fn request(options: &Options, workspace: &Workspace) -> Result<Request> {
    let program = env::current_exe().context("finding this program")?;
    let (style, dependency) = match options.style {
        StyleOption::Rstest => (Style::Rstest, RSTEST),
        StyleOption::Theory => (
            Style::Theory,
            Dependency::Situ(situ_source(options.situ_path.as_deref())?),
        ),
    };
    let secrets = options.secrets.names(workspace);
    let recording = |workload, name| recording(options, &program, &secrets, workload, name);
    let tests = recording(Workload::Tests, "generalize");
    let workload = (!options.command.is_empty()).then(|| {
        recording(
            Workload::Command(options.command.clone()),
            "generalize-workload",
        )
    });
    Ok(Request {
        tests,
        workload,
        from: options.from.clone(),
        asked: Selection {
            places: options.places.clone(),
        },
        style,
        falsifying: options.falsifying,
        dependency,
        program,
    })
}

fn recording(
    options: &Options,
    program: &Path,
    secrets: &SecretNames,
    workload: Workload,
    name: &str,
) -> Recording {
    let cargo_arguments = match &options.features {
        Some(features) => vec!["--features".to_owned(), features.clone()],
        None => Vec::new(),
    };
    Recording {
        wanted: Wanted {
            functions: true,
            through_traits: true,
            secrets: secrets.clone(),
            ..Wanted::default()
        },
        workload,
        name: name.to_owned(),
        append: false,
        program: program.to_path_buf(),
        unique_sets: None,
        bytes_a_value: None,
        cargo_arguments,
        round_trip: false,
        compares_builds: false,
        follows_opaque: false,
        quiet: true,
        each_test_apart: true,
        timeout: None,
        opaque_types: Vec::new(),
    }
}

fn print_json(report: &Report) {
    for candidate in &report.candidates {
        print_line(&json!(candidate).to_string());
    }
    for test in &report.tests {
        print_line(&json!(test).to_string());
    }
    let (functions, packages, without) = (&report.functions, &report.packages, &report.without);
    let summary = json!(report.summary);
    print_line(
        &json!({ "verb": "generalize", "summary": summary, "functions": functions, "packages": packages, "without": without })
            .to_string(),
    );
}
