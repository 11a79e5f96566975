//! `cargo situ record`: the values that the program computes while its tests or a command run.

use crate::arguments::{Common, SandboxOptions, Secrets};
use crate::exit::Exit;
use crate::output::{print_line, warn_of_losses};
use crate::progress::Progress;
use crate::sources;
use crate::turn;
use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::{Value as Json, json};
use situ_engine::base::user_error;
use situ_engine::base::words::{count, of_number};
use situ_engine::cargo::workspace::{SecretNames, Workspace};
use situ_engine::generate::carve::{Selection, watched};
use situ_engine::record::plan::{Position, Wanted};
use situ_engine::record::withheld;
use situ_engine::record::{
    Options as Recording, Report, Restriction, Workload, record, recording_folder,
};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLE: &str = "Examples:
  cargo situ record                                # while the tests run
  cargo situ record -- ./end-to-end.sh             # while a command runs; it finds the program in $SITU_BIN
  cargo situ record --at src/parse.rs:120          # also this statement
  cargo situ recordings show parse                 # then show the recorded values";

/// The maximum number of names of withheld values that are listed for one reason.
const MAX_NAMES: usize = 12;

/// Options that select what is recorded, shared with `build --record`.
#[derive(Args, Clone)]
pub struct Watch {
    /// Also record the statement at this line
    #[arg(long, value_name = "FILE:LINE")]
    at: Vec<String>,
    /// Also record arguments and results of functions
    #[arg(long)]
    functions: bool,
    /// Also record their calls of functions outside the workspace
    #[arg(long)]
    calls: bool,
    /// With --functions --calls: also record calls out of this module, file or folder; may be
    /// repeated
    #[arg(long = "in", value_name = "MODULE", requires_all = ["functions", "calls"])]
    places: Vec<String>,
    /// Record every statement, not only target statements
    #[arg(long)]
    all_statements: bool,
    /// Do not record target statements
    #[arg(long)]
    no_targets: bool,
    #[command(flatten)]
    secrets: Secrets,
}

impl Watch {
    /// Converts the options into the engine's selection.
    pub fn wanted(&self, workspace: &Workspace) -> Result<Wanted> {
        // `carve --from` needs calls inside the workspace, beside those that leave it.
        let own_calls = match self.functions && self.calls {
            true => watched(
                workspace,
                &Selection {
                    places: self.places.clone(),
                },
            ),
            false => BTreeSet::new(),
        };
        Ok(Wanted {
            targets: !self.no_targets,
            all_statements: self.all_statements,
            at: self
                .at
                .iter()
                .map(|place| file_and_line(place))
                .collect::<Result<_>>()?,
            functions: self.functions,
            calls: self.calls,
            own_calls,
            fragments: false,
            streams: true,
            answers: true,
            through_traits: true,
            secrets: self.secrets.names(workspace),
        })
    }
}

pub fn file_and_line(place: &str) -> Result<(PathBuf, usize)> {
    let parsed = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((PathBuf::from(file), line.parse().ok()?)));
    parsed.ok_or_else(|| {
        user_error::input(format!(
            "`--at {place}` is not a file and a line: write src/lib.rs:12"
        ))
    })
}

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    watch: Watch,
    /// Record while the tests run; this is the default without a command
    #[arg(long, conflicts_with = "command")]
    tests: bool,
    /// Name of the recording
    #[arg(long, default_value = "latest")]
    name: String,
    /// Add to the recording of that name instead of replacing it
    #[arg(long)]
    append: bool,
    /// Maximum number of unique value sets of a statement
    #[arg(long, value_name = "N")]
    unique: Option<u32>,
    /// Maximum size of one value, in bytes
    #[arg(long, value_name = "N")]
    value_bytes: Option<usize>,
    /// Keep recording statements even if none of their first 30 value sets can be reconstructed
    #[arg(long)]
    follow_opaque: bool,
    /// Time the plain build of the workspace's own crates alone, to compare it with the
    /// instrumented one
    #[arg(long)]
    compare_builds: bool,
    /// Also reconstruct the recorded values from their expressions, and count those that are equal
    #[arg(long)]
    round_trip: bool,
    /// Seconds after which a test program or the command is ended; by default a test program has 60
    /// s or 20 times its run without recording
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Never execute code of this type, such as its Debug, to inspect a value; may be repeated
    #[arg(long, value_name = "TYPE")]
    opaque: Vec<String>,
    /// Features to pass to cargo
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Activate all features
    #[arg(long)]
    all_features: bool,
    /// Command to record instead of the tests
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub fn run(options: &Options) -> Result<Exit> {
    let json = options.common.json;
    options.sandbox.apply()?;
    let workspace = options.common.workspace()?;
    let _turn = turn::take(&workspace)?;
    sources::name_unreadable(&workspace);
    let progress = Progress::start("reading the workspace", json);
    let report = record(&workspace, &recording(options, &workspace)?, &|text| {
        progress.step(text)
    })?;
    drop(progress);
    if json {
        print_json(&report)
    } else {
        print_text(&report, &options.watch.secrets.names(&workspace))
    }
    if let Some(exit) = interrupted(&report) {
        return Ok(exit);
    }
    if report.failing.is_empty() {
        return Ok(Exit::Done);
    }
    report
        .failing
        .iter()
        .for_each(|test| eprintln!("error: {test}"));
    eprintln!("the recording is kept");
    Ok(Exit::UserCode)
}

/// Reports processes that had to be ended, with what to do about it.
fn interrupted(report: &Report) -> Option<Exit> {
    for name in &report.hung_types {
        eprintln!(
            "error: the command was ended: the code that formats `{name}` did not return; the recording up to then is kept. \
             Run it again with --opaque '{name}'"
        );
    }
    for timed_out in &report.timed_out {
        eprintln!(
            "error: {timed_out}; the recording up to then is kept. Give it more time with --timeout SECONDS"
        );
    }
    (!report.hung_types.is_empty() || !report.timed_out.is_empty()).then_some(Exit::Input)
}

fn recording(options: &Options, workspace: &Workspace) -> Result<Recording> {
    let workload = if options.command.is_empty() {
        Workload::Tests
    } else {
        Workload::Command(options.command.clone())
    };
    let mut cargo_arguments = Vec::new();
    if let Some(features) = &options.features {
        cargo_arguments.extend(["--features".to_owned(), features.clone()]);
    }
    if options.all_features {
        cargo_arguments.push("--all-features".to_owned());
    }
    recording_folder(workspace, &options.name)?;
    Ok(Recording {
        wanted: options.watch.wanted(workspace)?,
        workload,
        name: options.name.clone(),
        append: options.append,
        program: env::current_exe().context("finding this program")?,
        unique_sets: options.unique,
        bytes_a_value: options.value_bytes,
        follows_opaque: options.follow_opaque,
        compares_builds: options.compare_builds,
        cargo_arguments,
        round_trip: options.round_trip,
        quiet: options.common.json,
        each_test_apart: false,
        timeout: options.timeout.map(Duration::from_secs),
        opaque_types: options.opaque.clone(),
    })
}

/// Returns the JSON summary of a recording.
fn summary(report: &Report) -> Json {
    let watched = report.watched();
    let statements: Vec<_> = watched
        .values()
        .filter(|site| site.site.position.is_statement())
        .collect();
    let probes: Vec<_> = watched
        .values()
        .filter(|site| site.site.position.has_values())
        .collect();
    let calls: Vec<_> = watched
        .values()
        .filter(|site| site.site.position == Position::Call)
        .collect();
    let recorded: Vec<_> = report.recording.sites.values().collect();
    let sets = || {
        recorded
            .iter()
            .flat_map(|site| site.sets.iter().map(move |set| (site, set)))
    };
    let values = || {
        sets()
            .flat_map(|(_, set)| &set.slots)
            .map(|(_, value)| value)
    };
    let bytes: u64 = situ_engine::record::read::files_in(&report.folder)
        .iter()
        .filter_map(|path| path.metadata().ok())
        .map(|data| data.len())
        .sum();
    let is_opaque = |value: &situ_recorder::value::Value| !value.is_exact();
    let (statements_with_values, statements_exact) = report.exact_by_statement();
    let withheld = withheld::names(&report.recording);
    let mut summary = json!({
        "statements_found": statements.len(),
        "statements_reached": report.recording.statements().count(),
        "functions_reached": report.functions_reached(),
        "probes": probes.len(),
        "probes_dropped": probes.iter().filter(|site| site.dropped).count(),
        "probes_complete": probes.iter().filter(|site| site.is_complete()).count(),
        "calls_found": calls.len(),
        "calls_dropped": calls.iter().filter(|site| site.dropped).count(),
        "calls_reached": recorded.iter().filter(|site| site.site.position == Position::Call).count(),
        "outgoing_calls": sets().map(|(_, set)| set.calls.len()).sum::<usize>(),
        "value_sets": sets().count(),
        "exact_sets": sets().filter(|(site, set)| site.is_exact(set)).count(),
        "sets_opaque_by_nature":
            sets().filter(|(site, set)| site.loss(set) == Some(situ_recorder::value::Loss::Nature)).count(),
        "statements_with_values": statements_with_values,
        "statements_exact": statements_exact,
        "values": values().count(),
        "opaque": values().filter(|value| is_opaque(value)).count(),
        "withheld": withheld.values().sum::<u64>(),
        "withheld_names": withheld,
        "outcome_differences": report.differences.len(),
        "failing_tests": report.failing.len(),
        "restrictions": report.restrictions.iter().map(restriction).collect::<Vec<_>>(),
        "timed_out": report.timed_out.iter().map(|program| program.name.as_str()).collect::<Vec<_>>(),
        "plain_seconds": report.times.plain,
        "recording_seconds": report.times.recording,
        "plain_build_seconds": report.times.plain_build,
        "recording_build_seconds": report.times.recording_build,
        "plain_processor_seconds": report.times.plain_processor,
        "recording_processor_seconds": report.times.recording_processor,
        "plain_build_processor_seconds": report.times.plain_build_processor,
        "recording_build_processor_seconds": report.times.recording_build_processor,
        "bytes": bytes,
        "torn_files": report.recording.torn_files,
        "losses": report.recording.lost.len(),
        "units_not_instrumented": report.units.iter().filter(|unit| unit.not_instrumented.is_some()).count(),
    });
    if let Some(trip) = &report.round_trip {
        summary["values_tried"] = trip.tried.into();
        summary["values_rebuilt"] = trip.rebuilt.into();
        summary["values_without_expression"] = trip.without_expression.into();
        summary["expressions_rejected"] = trip.rejected.into();
        summary["values_changed"] = trip.changed.into();
    }
    summary
}

fn restriction(restriction: &Restriction) -> Json {
    match restriction.type_name() {
        Some(name) => json!({ "kind": restriction.kind(), "type": name }),
        None => json!({ "kind": restriction.kind() }),
    }
}

fn print_json(report: &Report) {
    for site in report
        .recording
        .sites
        .values()
        .filter(|site| site.site.position.has_values())
    {
        let exact = site.sets.iter().filter(|set| site.is_exact(set)).count();
        let line = json!({
            "file": site.site.file,
            "line": site.site.line,
            "function": site.site.function,
            "kind": site.site.kind,
            "position": site.site.position.name(),
            "text": site.site.text,
            "hits": site.hits,
            "value_sets": site.sets.len(),
            "exact": exact,
        });
        print_line(&format!("{line}"));
    }
    print_line(&format!(
        "{}",
        json!({ "verb": "record", "summary": summary(report) })
    ));
}

/// Prints the names of withheld values with their counts.
fn print_withheld(report: &Report, secrets: &SecretNames) {
    let names = withheld::by_reason(&report.recording, secrets);
    if names.is_empty() {
        return;
    }
    let withheld: u64 = names.iter().map(|name| name.count).sum();
    print_line(&format!("{} withheld", count(withheld, "value")));
    for (is_secret, reason) in [
        (true, "by their names"),
        (false, "because of their content"),
    ] {
        let of_reason: Vec<_> = names
            .iter()
            .filter(|name| name.is_secret == is_secret)
            .collect();
        let shown = of_reason
            .iter()
            .take(MAX_NAMES)
            .map(|name| format!("{} ({})", name.name, name.count));
        let more = of_reason.len().saturating_sub(MAX_NAMES);
        let shown: Vec<String> = shown
            .chain((more > 0).then(|| format!("and {more} more names")))
            .collect();
        if !shown.is_empty() {
            print_line(&format!("  {reason}: {}", shown.join(", ")));
        }
    }
}

fn print_text(report: &Report, secrets: &SecretNames) {
    let summary = summary(report);
    let number = |key: &str| summary[key].as_u64().unwrap_or_default();
    let counted = |key: &str, noun: &str| count(number(key), noun);
    print_line(&format!(
        "{} of {} reached, {} ({} exact), in {}",
        number("statements_reached"),
        counted("statements_found", "target statement"),
        counted("value_sets", "value set"),
        number("exact_sets"),
        counted("functions_reached", "function"),
    ));
    if number("probes_dropped") > 0 {
        print_line(&format!(
            "{} of {} {} rejected by the compiler",
            number("probes_dropped"),
            counted("probes", "probe"),
            of_number(number("probes_dropped"), "was", "were")
        ));
    }
    if number("calls_found") > 0 {
        print_line(&format!(
            "{} of {} reached; value sets contain {} of their return values",
            number("calls_reached"),
            counted("calls_found", "outgoing call"),
            number("outgoing_calls")
        ));
    }
    print_withheld(report, secrets);
    print_line(&format!(
        "{:.1} s without recording, {:.1} s with it",
        report.times.plain, report.times.recording
    ));
    if let Some(trip) = &report.round_trip {
        let comes = of_number(trip.rebuilt, "comes", "come");
        print_line(&format!(
            "{} of {} {comes} back equal when rebuilt from their expressions",
            trip.rebuilt,
            count(trip.tried, "value")
        ));
        trip.failures
            .iter()
            .take(10)
            .for_each(|failure| print_line(&format!("  {failure}")));
    }
    for unit in report
        .units
        .iter()
        .filter(|unit| unit.not_instrumented.is_some())
    {
        print_line(&format!(
            "not instrumented: {}: {}",
            unit.unit,
            unit.not_instrumented.as_deref().unwrap_or_default()
        ));
    }
    for restriction in &report.restrictions {
        print_line(&format!("warning: {restriction}"));
    }
    for text in report.differences.iter().chain(&report.complaints) {
        print_line(&format!("warning: {text}"));
    }
    warn_of_losses(&report.recording.lost);
    if report.recording.torn_files > 0 {
        print_line(&format!(
            "{} had an incomplete last record, which was skipped",
            count(report.recording.torn_files, "file")
        ));
    }
    if let Some(code) = report.exit_code.filter(|code| *code != 0) {
        print_line(&format!("the command ended with exit code {code}"));
    }
    print_line("see it with `cargo situ recordings show`");
}
