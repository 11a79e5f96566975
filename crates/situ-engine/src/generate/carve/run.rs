//! The stages of carving.

use super::check::attempt::{Attempt, Making, Means};
use super::check::attempts::Attempts;
use super::check::existing::{Branch, taken_by_existing_tests};
use super::check::existing_tests::{UnsteadyValues, leave_out};
use super::check::redundant_tests::duplicates;
use super::check::verify::{has_tests, verify};
use super::doubles::double_text::DoubleStyle;
use super::find::call_filter::watched;
use super::find::declared::Declared;
use super::find::scenario::{Call, Scenario, Seen, seen};
use super::find::selection::Selection;
use super::find::sources::{Subjects, sources, subjects};
use super::find::subject::Subject;
use super::refusal::CarveRefusal;
use super::report::tree::trees;
use super::report::{Carved, Refused, Report, Summary};
use super::write::duplicates::{Behaviour, behaviours};
use super::write::place::ExistingTest;
use super::write::producers::producers;
use super::write::temporary_names::steady_names;
use super::write::test::is_rebuildable;
use super::write::variants::name_variants;
use crate::base::user_error;
use crate::cargo::manifest::SituSource;
use crate::cargo::workspace::{SecretNames, Workspace};
use crate::edit::marked;
use crate::record::read::Recording;
use crate::record::{self, Times, declarations_of, recording_folder, types_of};
use crate::values::TypeTable;
use anyhow::Result;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The options of carving.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the calls come from.
    pub source: Source,
    /// The selected functions.
    pub asked: Selection,
    /// The calls that get tests.
    pub keep: Keep,
    /// The style of doubles.
    pub style: DoubleStyle,
    /// The source of the dependency, if tests need it.
    pub situ: SituSource,
    /// The command `cargo-situ`.
    pub program: PathBuf,
    /// Whether to skip mutants and the comparison with existing tests.
    pub is_quick: bool,
    /// Names of secrets, where something is recorded.
    pub secrets: SecretNames,
}

impl Request {
    /// Returns the command that builds with mutants, if redundant tests are to be dropped.
    fn judge(&self) -> Option<&Path> {
        (self.keep == Keep::Paths && !self.is_quick).then_some(&self.program)
    }

    /// Returns whether something other than the existing tests is recorded.
    fn is_end_to_end(&self) -> bool {
        match &self.source {
            Source::Record(options) => !matches!(options.workload, record::Workload::Tests),
            Source::Recording(_) => true,
        }
    }
}

/// Where the calls come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A command to record.
    Record(Box<record::Options>),
    /// An existing recording, by its name.
    Recording(String),
}

/// The calls of a function that get tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// One for each path through the function.
    Paths,
    /// Every distinct call.
    Calls,
}

struct Clock {
    phases: RefCell<BTreeMap<String, f64>>,
}

impl Clock {
    fn time<T>(&self, phase: &str, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        *self
            .phases
            .borrow_mut()
            .entry(phase.to_owned())
            .or_default() += started.elapsed().as_secs_f64();
        result
    }
}

/// Carves unit tests. `step` receives the name of each stage.
pub fn carve(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Report> {
    let started = Instant::now();
    let clock = Clock {
        phases: RefCell::new(BTreeMap::new()),
    };
    let Recorded {
        mut recording,
        times,
        bytes,
    } = clock.time("recording", || recorded(workspace, request, step))?;
    step("finding calls for tests");
    let sources = sources(workspace);
    name_variants(&mut recording, &sources);
    steady_names(&mut recording, &sources);
    let subjects: Subjects = subjects(&sources);
    let mut functions = seen(&recording, &subjects);
    if functions.is_empty() {
        let text = "the command executed no instrumented function of this workspace; the instrumented program is in $SITU_BIN and on the PATH";
        return Err(user_error::input(text));
    }
    let types = types(workspace, &recording, &functions);
    let all = functions.clone();
    request.asked.choose(&mut functions)?;
    let chosen: BTreeSet<u64> = functions.iter().map(|seen| seen.recorded.site.id).collect();
    let mut summary = Summary {
        functions_seen: functions.len(),
        command_seconds: times.recording,
        command_processor_seconds: times.recording_processor,
        recording_bytes: bytes,
        ..Summary::default()
    };
    let scenario = Scenario {
        recording: &recording,
        all: &all,
        chosen: &chosen,
    };
    let (behaviours, refused) = found(&scenario, &functions, request.keep, &mut summary);
    let seen_branches = branches(behaviours.iter().flat_map(|behaviour| &behaviour.calls));
    summary.branches = seen_branches.len();
    let declared = Declared::of(&sources);
    let making = Making {
        types: &types,
        declared: &declared,
        style: request.style,
    };
    let mut attempts = Attempts::new(behaviours, making);
    attempts.refused.extend(refused);
    summary.already_there =
        leave_out_existing(workspace, &mut attempts, &UnsteadyValues::of(&scenario));
    let mut verified = clock.time("verification", || {
        verify(workspace, &mut attempts, &request.situ, step)
    })?;
    if let (Some(mirror), Some(program)) = (&verified.mirror, request.judge()) {
        let duplicates = clock.time("mutants", || duplicates(mirror, &attempts, program, step))?;
        if !duplicates.is_empty() {
            summary.say_nothing_new = duplicates.len();
            let is_exact = |at: &&usize| {
                attempts.standing[**at]
                    .behaviour
                    .calls
                    .iter()
                    .any(is_rebuildable)
            };
            summary.rebuildable -= duplicates.iter().filter(is_exact).count();
            attempts.leave_out(&duplicates);
            verified = clock.time("verification", || {
                verify(workspace, &mut attempts, &request.situ, step)
            })?;
        }
    }
    let carved_branches = branches(attempts.standing.iter().map(Attempt::call));
    summary.branches_taken = carved_branches.len();
    if let Some(program) = request.judge().filter(|_| request.is_end_to_end()) {
        let taken =
            || taken_by_existing_tests(workspace, &sources, program, &request.secrets, step);
        let existing = clock.time("existing tests", taken);
        summary.branches_of_existing_tests = existing
            .as_ref()
            .map(|taken| taken.intersection(&seen_branches).count());
        summary.branches_new_to_tests =
            existing.map(|taken| carved_branches.difference(&taken).count());
    }
    count(&mut summary, &attempts);
    summary.seconds = started.elapsed().as_secs_f64();
    summary.phases = clock.phases.into_inner();
    let tests: Vec<Carved> = attempts
        .standing
        .iter()
        .map(|attempt| carved(&attempts, attempt))
        .collect();
    summary.unchecked = tests.iter().map(|test| test.unchecked.len()).sum();
    let trees = trees(&scenario, &tests, &attempts.refused);
    let lost = recording.lost.clone();
    Ok(Report {
        tests,
        refused: attempts.refused,
        trees,
        summary,
        changes: verified.changes,
        lost,
    })
}

/// A recording, with the time it took and its size.
struct Recorded {
    recording: Recording,
    times: Times,
    bytes: u64,
}

fn recorded(workspace: &Workspace, request: &Request, step: &dyn Fn(&str)) -> Result<Recorded> {
    match &request.source {
        Source::Record(options) => {
            let mut options = (**options).clone();
            options.wanted.own_calls = watched(workspace, &request.asked);
            let report = record::record(workspace, &options, step)?;
            Ok(Recorded {
                bytes: size_of(&report.folder),
                times: report.times,
                recording: report.recording,
            })
        }
        Source::Recording(name) => {
            let folder = recording_folder(workspace, name)?;
            if !folder.exists() {
                let text = format!(
                    "there is no recording `{name}`; make one with `cargo situ record --functions --calls --name {name}`"
                );
                return Err(user_error::input(text));
            }
            let recording = record::read::open(&folder)?;
            Ok(Recorded {
                recording,
                times: Times::default(),
                bytes: size_of(&folder),
            })
        }
    }
}

/// Returns the bytes of the files in a folder.
fn size_of(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .map(|file| file.len())
        .sum()
}

/// Returns the types of all crates, with the calls that return values of them.
fn types(
    workspace: &Workspace,
    recording: &Recording,
    functions: &[Seen<'_>],
) -> BTreeMap<String, TypeTable> {
    let crates: BTreeSet<&String> = functions
        .iter()
        .filter_map(|seen| seen.subject)
        .map(|subject| &subject.here.krate)
        .collect();
    let declared = declarations_of(workspace);
    let with_producers = |krate: &String| {
        let mut types = types_of(workspace, krate, &declared);
        let producers = producers(recording, functions, krate, &types);
        types.set_producers(producers);
        (krate.clone(), types)
    };
    crates.into_iter().map(with_producers).collect()
}

/// Returns the behaviours of all functions, and the refusals.
fn found<'s>(
    scenario: &Scenario<'_, 's>,
    functions: &[Seen<'s>],
    keep: Keep,
    summary: &mut Summary,
) -> (Vec<Behaviour<'s>>, Vec<Refused>) {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    let watches_own_calls = scenario.watches_own_calls();
    for seen in functions {
        let site = &seen.recorded.site;
        summary.calls += seen.recorded.sets.len();
        let Some(subject) = seen.subject else {
            refused.push(refusal(seen, &CarveRefusal::Unnameable));
            continue;
        };
        if subject.name == "main" && subject.module.is_empty() {
            refused.push(refusal(seen, &CarveRefusal::Main));
            continue;
        }
        let unwatched = seen
            .reaches_out_through
            .clone()
            .filter(|_| !watches_own_calls);
        if let Some(other) = unwatched.or_else(|| scenario.reached_unnamed(seen, subject)) {
            refused.push(Refused {
                detail: other,
                ..refusal(seen, &CarveRefusal::ReachesOutside)
            });
            continue;
        }
        let reaching = scenario.reaching_names(subject);
        let calls = seen.recorded.sets.iter().map(|set| {
            let outgoing = scenario.outgoing(seen.recorded, set);
            Call {
                subject,
                recorded: seen.recorded,
                set,
                outgoing,
                reaching: reaching.clone(),
            }
        });
        let mut own = behaviours(calls.collect(), keep == Keep::Calls);
        summary.duplicates += seen.recorded.sets.len() - own.len();
        let is_rebuildable =
            |behaviour: &&Behaviour<'_>| behaviour.calls.iter().any(is_rebuildable);
        summary.rebuildable += own.iter().filter(is_rebuildable).count();
        all.append(&mut own);
        if site.slots.is_empty() && seen.recorded.sets.is_empty() {
            refused.push(refusal(seen, &CarveRefusal::NotRecorded));
        }
    }
    summary.attempted = all.len() + refused.len();
    (all, refused)
}

fn refusal(seen: &Seen<'_>, reason: &CarveRefusal) -> Refused {
    let site = &seen.recorded.site;
    Refused {
        file: site.file.clone(),
        line: site.line,
        function: site.function.clone(),
        reason: reason.to_string(),
        detail: String::new(),
    }
}

/// Drops tests that exist in the sources; returns their number.
fn leave_out_existing(
    workspace: &Workspace,
    attempts: &mut Attempts<'_>,
    unsteady: &UnsteadyValues,
) -> usize {
    attempts.name(&|file, modules| has_tests(workspace, file, modules));
    let subjects: BTreeMap<(&Path, usize), &Subject> = attempts
        .standing
        .iter()
        .map(|attempt| attempt.call().subject)
        .map(|subject| ((subject.file.as_path(), subject.body), subject))
        .collect();
    let mut there: Vec<ExistingTest> = subjects
        .values()
        .flat_map(|subject| ExistingTest::of_subject(subject))
        .collect();
    for file in subjects
        .keys()
        .map(|(file, _)| *file)
        .collect::<BTreeSet<_>>()
    {
        let text = fs::read_to_string(workspace.root().join(file)).unwrap_or_default();
        there.extend(ExistingTest::of_file(workspace.root(), file, &text));
    }
    leave_out(attempts, &there, unsteady)
}

/// Returns the branches of calls, each once per function.
fn branches<'c>(calls: impl Iterator<Item = &'c Call<'c>>) -> BTreeSet<Branch> {
    calls
        .flat_map(|call| {
            call.set
                .target
                .iter()
                .map(|mark| (call.recorded.site.id, *mark))
        })
        .collect()
}

fn count(summary: &mut Summary, attempts: &Attempts<'_>) {
    summary.shown = attempts.standing.len();
    summary.attempted -= summary.already_there + summary.say_nothing_new;
    for refused in &attempts.refused {
        *summary.refused.entry(refused.reason.clone()).or_default() += 1;
    }
    let functions: BTreeSet<u64> = attempts
        .standing
        .iter()
        .map(|attempt| attempt.call().recorded.site.id)
        .collect();
    summary.functions_with_tests = functions.len();
    let is_exact = |attempt: &&Attempt<'_>| attempt.behaviour.calls.iter().any(is_rebuildable);
    summary.rebuildable_shown = attempts.standing.iter().filter(is_exact).count();
    let is_mocked = |attempt: &&Attempt<'_>| attempt.means.is_in_situ();
    summary.with_mocks = attempts.standing.iter().filter(is_mocked).count();
    let has_doubles = |attempt: &&Attempt<'_>| matches!(attempt.means, Means::Doubles(_));
    summary.with_doubles = attempts.standing.iter().filter(has_doubles).count();
    summary.test_bytes = attempts
        .standing
        .iter()
        .map(|attempt| attempt.text.len())
        .sum();
}

fn carved(attempts: &Attempts<'_>, attempt: &Attempt<'_>) -> Carved {
    let site = &attempt.call().recorded.site;
    Carved {
        file: site.file.clone(),
        line: attempt.call().subject.line,
        function: site.function.clone(),
        name: attempt.name.clone(),
        text: marked(&attempt.text),
        unchecked: attempts.unchecked(attempt),
        form: attempt.form(),
    }
}
