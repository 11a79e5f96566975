//! Makes a recording, from builds to the report.

use super::attempts::{Attempts, Recorded};
use super::close::close;
use super::compile::Purpose;
use super::index::{self, UnitIndex};
use super::plan::{Position, Wanted};
use super::read::{self, Recording};
use super::restriction::Restriction;
use super::round_trip::{self, RoundTrip};
use super::secrets;
use super::session::Session;
use super::time_limit::{self, TimedOut};
use super::watch::Watch;
use crate::base::process::{self, sandbox};
use crate::base::user_error;
use crate::cargo::runtime::Effort;
use crate::cargo::workspace::{Workspace, build_into, without_debuggers};
use crate::programs::failing::FailingTest;
use crate::programs::outcomes::{self, Build, Built, Confinement, FailedBuild};
use anyhow::{Context as _, Result};
use situ_recorder::recorder;
use situ_recorder::value::Loss;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Duration below which tests end before an optimised recorder would be compiled, however slow the
/// unoptimised one is.
const BRIEF: Duration = Duration::from_millis(200);

/// What to run while recording.
#[derive(Clone, Debug)]
pub enum Workload {
    /// Tests of the workspace.
    Tests,
    /// Command of the user.
    Command(Vec<OsString>),
}

/// Options of a recording.
#[derive(Clone, Debug)]
pub struct Options {
    pub wanted: Wanted,
    pub workload: Workload,
    /// Name of the recording.
    pub name: String,
    /// Whether to add to the recording of that name instead of replacing it.
    pub append: bool,
    /// Path of the command `cargo-situ`.
    pub program: PathBuf,
    /// Maximum number of distinct value sets per statement.
    pub unique_sets: Option<u32>,
    /// Maximum number of bytes per value.
    pub bytes_a_value: Option<usize>,
    /// Whether to keep recording statements whose first value sets cannot be rebuilt.
    pub follows_opaque: bool,
    /// Whether to measure the original build with prebuilt dependencies, like the instrumented one.
    pub compares_builds: bool,
    /// Additional arguments for cargo.
    pub cargo_arguments: Vec<String>,
    /// Whether to rebuild the values from their expressions and compare.
    pub round_trip: bool,
    /// Whether the command's standard output goes to standard error.
    pub quiet: bool,
    /// Whether to run each test in its own process, so that the tests that produced each value set
    /// are known.
    pub each_test_apart: bool,
    /// Time limit of a test program or the command. Without it, the limit of test programs depends
    /// on their time without recording.
    pub timeout: Option<Duration>,
    /// Types whose own code is never executed to capture their values.
    pub opaque_types: Vec<String>,
}

/// Result of making a recording.
#[derive(Clone, Debug)]
pub struct Report {
    pub recording: Recording,
    /// Instrumented units, with their sites.
    pub units: Vec<UnitIndex>,
    /// Tests that ended differently than without recording.
    pub differences: Vec<String>,
    /// Tests that fail without recording too.
    pub failing: Vec<FailingTest>,
    /// Messages of the recorder.
    pub complaints: Vec<String>,
    /// Restrictions of the recording.
    pub restrictions: Vec<Restriction>,
    /// Programs that exceeded their time limit.
    pub timed_out: Vec<TimedOut>,
    /// Types whose own code did not return, so that the command was killed.
    pub hung_types: Vec<String>,
    /// Folder of the recording.
    pub folder: PathBuf,
    /// Durations of the original and of the instrumented build and run.
    pub times: Times,
    /// Result of the round trip, if requested.
    pub round_trip: Option<RoundTrip>,
    /// Exit code of the command.
    pub exit_code: Option<i32>,
}

/// Durations of the steps, in seconds.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each is the step of that name")]
pub struct Times {
    pub plain_build: f64,
    pub plain: f64,
    pub recording_build: f64,
    pub recording: f64,
    /// Processor time of the builds. The wall-clock time depends on other load.
    pub plain_build_processor: f64,
    pub recording_build_processor: f64,
    /// Processor time of the runs.
    pub plain_processor: f64,
    pub recording_processor: f64,
}

/// Returns the result of a step, and the processor time of the processes that it started, in
/// seconds.
pub(super) fn with_processor_time<T>(step: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let before = process::processor_time_of_children();
    let given = step()?;
    Ok((
        given,
        process::processor_time_of_children()
            .saturating_sub(before)
            .as_secs_f64(),
    ))
}

/// Returns the folder of the workspace's recordings, with a subfolder for each.
pub fn recordings_folder(workspace: &Workspace) -> PathBuf {
    workspace.situ_folder().join("recordings")
}

/// Returns the folder of the recording with this name. Returns a user error for a name that would
/// lead elsewhere.
pub fn recording_folder(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    if name.contains(['/', '\\']) || name.starts_with('.') || name.is_empty() {
        return Err(user_error::input(format!(
            "`{name}` is not a valid name for a recording; use letters and digits"
        )));
    }
    Ok(recordings_folder(workspace).join(name))
}

/// Makes a recording. Calls `step` with messages about the progress.
pub fn record(workspace: &Workspace, options: &Options, step: &dyn Fn(&str)) -> Result<Report> {
    let mut session = Session::prepare(
        workspace,
        &options.program,
        &options.wanted,
        None,
        Purpose::Watching,
    )?;
    sweep(&recordings_folder(workspace))?;
    secrets::learn_environment(&options.wanted.secrets);
    let folder = recording_folder(workspace, &options.name)?;
    if !options.append {
        remove(&folder)?;
    }
    // If the folder cannot be created, the recorded program notices and must not fail because of
    // it.
    let _ = fs::create_dir_all(&folder);
    let mut report = match &options.workload {
        Workload::Tests => session.record_tests(options, &folder, step)?,
        Workload::Command(words) => session.record_command(options, words, &folder, step)?,
    };
    step("reading the recording");
    close(&folder)?;
    report.units = index::read_all(&session.configuration.index_folder())
        .map_err(|damaged| workspace.damaged(&damaged))?;
    let was_repeated = report.restrictions.contains(&Restriction::MemoryByHand);
    report.recording = Recording {
        was_repeated,
        ..read::read(&folder)
    };
    if options.round_trip {
        step("rebuilding the values");
        report.round_trip = Some(round_trip::check(workspace, options, &report.recording)?);
    }
    Ok(report)
}

/// Builds the workspace's programs instrumented, to be run elsewhere. Returns their paths by name.
pub fn build_instrumented(
    workspace: &Workspace,
    program: &Path,
    wanted: &Wanted,
    arguments: &[String],
) -> Result<BTreeMap<String, PathBuf>> {
    let mut session = Session::prepare(
        workspace,
        program,
        wanted,
        Some("situ-recordings"),
        Purpose::Watching,
    )?;
    let mut words = vec!["build".to_owned()];
    words.extend(arguments.iter().cloned());
    session.built(None, &words)?.map_err(does_not_build)?;
    let built = session.build_instrumented(program, &words)?;
    // The next original build would overwrite them.
    let folder = workspace.situ_folder().join("instrumented");
    fs::create_dir_all(&folder).context("creating the folder of instrumented programs")?;
    let mut programs = BTreeMap::new();
    for (name, path) in built.programs {
        let kept = folder.join(path.file_name().unwrap_or_default());
        let _ = fs::remove_file(&kept);
        fs::copy(&path, &kept).with_context(|| format!("copying {}", path.display()))?;
        programs.insert(name, kept);
    }
    Ok(programs)
}

fn does_not_build(said: FailedBuild) -> anyhow::Error {
    user_error::user_code(format!("the workspace does not build:\n{said}"))
}

/// Removes recordings that were not closed because of a crash: it is not known which values are
/// secrets.
fn sweep(recordings: &Path) -> Result<()> {
    let folders = fs::read_dir(recordings)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    folders
        .filter(|folder| !secrets::files_in(folder).is_empty())
        .try_for_each(|folder| remove(&folder))
}

/// Removes a recording.
pub(super) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(user_error::input(
            format!("cannot replace the recording {}: {error}", folder.display()),
        )),
        _ => Ok(()),
    }
}

impl Session<'_> {
    /// Builds without instrumentation. If `compares`, builds the workspace's own crates again, so
    /// that the time can be compared with the instrumented build, which finds the same prebuilt
    /// dependencies.
    fn built_plainly(&self, arguments: &[String], compares: bool) -> Result<(Built, f64)> {
        let build = || self.built(None, arguments)?.map_err(does_not_build);
        let built = with_processor_time(build)?;
        if !compares {
            return Ok(built);
        }
        self.forget_own_crates()?;
        with_processor_time(build)
    }

    fn record_tests(
        &mut self,
        options: &Options,
        folder: &Path,
        step: &dyn Fn(&str),
    ) -> Result<Report> {
        let mut arguments = vec![
            "test".to_owned(),
            "--no-run".to_owned(),
            "--tests".to_owned(),
        ];
        arguments.extend(options.cargo_arguments.iter().cloned());
        step("building the original tests");
        let (plain_build, plain_build_processor) =
            self.built_plainly(&arguments, options.compares_builds)?;
        step("running the original tests");
        let watches = sandbox::watch_targets();
        let plain_limit = time_limit::of_plain_run(options.timeout);
        let (plain, plain_processor) = with_processor_time(|| {
            outcomes::run_all(
                &plain_build.tests,
                Build::Plain,
                Some(plain_limit),
                &Confinement::None,
            )
        })?;
        time_limit::must_have_ended(&plain_build.tests, &plain, plain_limit)?;
        sandbox::allow_changed(watches);
        // Wall-clock time is too long on a busy machine, and processor time includes other work.
        if plain.took < BRIEF || plain_processor < BRIEF.as_secs_f64() {
            self.effort = Effort::Little;
        }
        step("building the instrumented tests");
        let (build, recording_build_processor) =
            with_processor_time(|| self.build_instrumented(&options.program, &arguments))?;
        step("recording the tests");
        let attempts = Attempts {
            options,
            plain: (&plain_build, &plain),
            build: &build,
            folder,
            scratch: self.workspace.situ_folder().join("recording"),
            variables: variables(options, folder),
            limit: time_limit::of_recording(options.timeout, plain.took),
            step,
        };
        let Recorded {
            outcomes,
            processor,
            differences,
            restrictions,
        } = attempts.record(self.notes_folder())?;
        let mut report = empty_report(folder);
        report.times = Times {
            plain_build: plain_build.took.as_secs_f64(),
            plain: plain.took.as_secs_f64(),
            recording_build: build.took.as_secs_f64(),
            recording: outcomes.took.as_secs_f64(),
            plain_build_processor,
            recording_build_processor,
            plain_processor,
            recording_processor: processor,
        };
        report.timed_out = time_limit::timed_out(&plain, &outcomes, attempts.limit);
        report.differences = differences;
        report.restrictions = restrictions;
        report.failing = plain.failed();
        report.complaints = outcomes.complaints;
        Ok(report)
    }

    /// Returns the folder in which programs note whose code they execute to capture values.
    fn notes_folder(&self) -> PathBuf {
        self.configuration.folder.join("notes")
    }

    fn record_command(
        &mut self,
        options: &Options,
        words: &[OsString],
        folder: &Path,
        step: &dyn Fn(&str),
    ) -> Result<Report> {
        step("building the instrumented programs");
        let mut arguments = vec!["build".to_owned()];
        arguments.extend(options.cargo_arguments.iter().cloned());
        let (plain, plain_build_processor) =
            self.built_plainly(&arguments, options.compares_builds)?;
        let (build, recording_build_processor) =
            with_processor_time(|| self.build_instrumented(&options.program, &arguments))?;
        step("running the command");
        let Some((first, rest)) = words.split_first() else {
            return Err(user_error::input("no command was given"));
        };
        let mut command = Command::new(first);
        command.args(rest).envs(variables(options, folder));
        self.provide_programs(&mut command, &build)?;
        process::with_larger_stack(&mut command);
        let mut watch = Watch::prepare(self.notes_folder(), &options.opaque_types)?;
        command.envs([watch.variable()]);
        if options.quiet {
            // Standard output is reserved for JSON.
            command.stdout(Stdio::from(std::io::stderr()));
        }
        let started = Instant::now();
        let run = || {
            process::run_users_command(&mut command, options.timeout)
                .map_err(|error| user_error::input(format!("the command cannot be run: {error:#}")))
        };
        let ((end, interrupted), recording_processor) =
            with_processor_time(|| Ok(watch.during(process::kill_descendants, run)))?;
        let end = end?;
        let mut report = empty_report(folder);
        report.hung_types = interrupted.hung.into_iter().collect();
        if let (true, Some(limit)) = (end.timed_out, options.timeout) {
            let name = words
                .iter()
                .map(|word| word.to_string_lossy())
                .collect::<Vec<_>>()
                .join(" ");
            report.timed_out.push(TimedOut {
                name,
                tests: Vec::new(),
                limit,
            });
        }
        report.times.plain_build = plain.took.as_secs_f64();
        report.times.recording_build = build.took.as_secs_f64();
        report.times.plain_build_processor = plain_build_processor;
        report.times.recording_build_processor = recording_build_processor;
        report.times.recording = started.elapsed().as_secs_f64();
        report.times.recording_processor = recording_processor;
        report.exit_code = Some(end.code);
        Ok(report)
    }

    /// Sets `SITU_BIN`, adds the programs' folder to `PATH`, and provides a cargo that builds
    /// instrumented.
    fn provide_programs(&self, command: &mut Command, build: &Built) -> Result<()> {
        let preferred = self
            .workspace
            .packages()
            .iter()
            .find_map(|package| package.default_run.clone());
        let names = self
            .workspace
            .packages()
            .iter()
            .map(|package| package.name.to_string());
        let named = preferred
            .into_iter()
            .chain(names)
            .find_map(|name| build.programs.get(&name));
        if let Some(program) = named.or_else(|| build.programs.values().next()) {
            command.env("SITU_BIN", program);
            let own = program.parent().map(Path::to_path_buf).into_iter();
            let path = env::var_os("PATH").unwrap_or_default();
            let path = env::join_paths(own.chain(env::split_paths(&path)))
                .context("extending the path")?;
            command.env("PATH", path);
        }
        build_into(command, &self.target_folder);
        without_debuggers(command);
        self.wrapper.apply(command);
        Ok(())
    }
}

fn empty_report(folder: &Path) -> Report {
    Report {
        recording: Recording::default(),
        units: Vec::new(),
        differences: Vec::new(),
        failing: Vec::new(),
        complaints: Vec::new(),
        restrictions: Vec::new(),
        timed_out: Vec::new(),
        hung_types: Vec::new(),
        folder: folder.to_path_buf(),
        times: Times::default(),
        round_trip: None,
        exit_code: None,
    }
}

/// Minimum time limit for recording fragments, which keeps every call made in them.
const MILLISECONDS_OF_FRAGMENTS: u64 = 1000;

/// Returns the environment of a recorded program.
fn variables(options: &Options, folder: &Path) -> Vec<(String, String)> {
    let mut variables = vec![(
        recorder::FOLDER_VARIABLE.to_owned(),
        folder.to_string_lossy().into_owned(),
    )];
    if let Some(sets) = options.unique_sets {
        variables.push((recorder::UNIQUE_VARIABLE.to_owned(), sets.to_string()));
    }
    if let Some(bytes) = options.bytes_a_value {
        variables.push((recorder::VALUE_VARIABLE.to_owned(), bytes.to_string()));
    }
    if options.follows_opaque {
        variables.push((recorder::FOLLOW_VARIABLE.to_owned(), "1".to_owned()));
    }
    if options.wanted.fragments {
        variables.push((
            recorder::TIME_VARIABLE.to_owned(),
            MILLISECONDS_OF_FRAGMENTS.to_string(),
        ));
    }
    variables.extend(secrets::variables(&options.wanted));
    variables
}

impl Report {
    /// Returns the instrumented statements and functions, without duplicates from several units.
    pub fn watched(&self) -> BTreeMap<u64, &index::IndexedSite> {
        let mut watched: BTreeMap<u64, &index::IndexedSite> = BTreeMap::new();
        for site in self.units.iter().flat_map(|unit| &unit.sites) {
            let best = watched.entry(site.site.id).or_insert(site);
            if best.dropped && !site.dropped {
                *best = site;
            }
        }
        watched
    }

    /// Returns the number of statements with value sets that could be complete, and the sum of
    /// their shares of complete sets.
    pub fn exact_by_statement(&self) -> (usize, f64) {
        let mut of_statements = (0, 0.0);
        for statement in self.recording.statements() {
            let losses: Vec<_> = statement
                .sets
                .iter()
                .map(|set| statement.loss(set))
                .collect();
            let possible = losses
                .iter()
                .filter(|loss| **loss != Some(Loss::Nature))
                .count();
            if possible > 0 {
                let exact = losses.iter().filter(|loss| loss.is_none()).count();
                of_statements = (
                    of_statements.0 + 1,
                    of_statements.1 + exact as f64 / possible as f64,
                );
            }
        }
        of_statements
    }

    /// Returns the number of functions that were reached.
    pub fn functions_reached(&self) -> usize {
        let reached = self.recording.sites.values();
        reached
            .filter(|site| matches!(site.site.position, Position::Reach | Position::Function))
            .count()
    }
}
