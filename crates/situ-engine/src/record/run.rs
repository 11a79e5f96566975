//! One recording from its beginning to its end.

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
use crate::programs::outcomes::{self, Build, Built, Confinement};
use anyhow::{Context as _, Result};
use situ_recorder::recorder;
use situ_recorder::value::Loss;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

/// Tests that take less time than that are over before an optimized run time would be compiled, however slow another is.
const BRIEF: Duration = Duration::from_millis(200);

/// What is run while recording.
#[derive(Clone, Debug)]
pub enum Workload {
    /// The tests of the workspace.
    Tests,
    /// A command.
    Command(Vec<OsString>),
}

/// How to record.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is recorded.
    pub wanted: Wanted,
    /// What is run.
    pub workload: Workload,
    /// The recording's name.
    pub name: String,
    /// Add to the recording of that name instead of replacing it.
    pub append: bool,
    /// The command `cargo-situ`.
    pub program: PathBuf,
    /// Unique value sets a statement.
    pub unique_sets: Option<u32>,
    /// Bytes that one value may take.
    pub bytes_a_value: Option<usize>,
    /// Go on with statements none of whose first value sets can be rebuilt.
    pub follows_opaque: bool,
    /// Time the plain build with all dependencies built, as the instrumented one finds them.
    pub compares_builds: bool,
    /// More arguments for cargo.
    pub cargo_arguments: Vec<String>,
    /// Also rebuild the values from their expressions and compare.
    pub round_trip: bool,
    /// The command's standard output goes to standard error.
    pub quiet: bool,
    /// Each test runs in a process of its own, so that it is known of every value set which tests brought it.
    pub each_test_apart: bool,
    /// How long a test program or the command may run; without it test programs have a limit that depends on how long they run
    /// without recording.
    pub timeout: Option<Duration>,
    /// Types whose own code is never run to look at their values.
    pub opaque_types: Vec<String>,
}

/// What came of a recording.
#[derive(Clone, Debug)]
pub struct Report {
    /// Everything recorded.
    pub recording: Recording,
    /// What was instrumented.
    pub units: Vec<UnitIndex>,
    /// Tests that ended in another way than without recording.
    pub differences: Vec<String>,
    /// Tests that fail without recording too.
    pub failing: Vec<FailingTest>,
    /// What the recorder complained about.
    pub complaints: Vec<String>,
    /// What the recording goes without.
    pub restrictions: Vec<Restriction>,
    /// What was ended because its time was over.
    pub timed_out: Vec<TimedOut>,
    /// Types whose own code did not return, so that the command was ended.
    pub hung_types: Vec<String>,
    /// Where the recording lies.
    pub folder: PathBuf,
    /// Seconds of the plain build and run, and of the instrumented ones.
    pub times: Times,
    /// How many values came back from their expressions, where that was asked.
    pub round_trip: Option<RoundTrip>,
    /// The command's exit code.
    pub exit_code: Option<i32>,
}

/// How long the steps took, in seconds.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "each is the step of that name")]
pub struct Times {
    pub plain_build: f64,
    pub plain: f64,
    pub recording_build: f64,
    pub recording: f64,
    /// Processor time of the builds: what the clock says depends on who else uses the machine.
    pub plain_build_processor: f64,
    pub recording_build_processor: f64,
    /// Processor time of the runs.
    pub plain_processor: f64,
    pub recording_processor: f64,
}

/// What a step gave, and the processor time of the processes that it started.
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

/// Where the recordings of a workspace lie, each in a folder with its name.
pub fn recordings_folder(workspace: &Workspace) -> PathBuf {
    workspace.situ_folder().join("recordings")
}

/// The folder of the recording with this name; a name that would lead elsewhere is the user's to mend.
pub fn recording_folder(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    if name.contains(['/', '\\']) || name.starts_with('.') || name.is_empty() {
        return Err(user_error::input(format!(
            "`{name}` is no name for a recording: use letters and digits"
        )));
    }
    Ok(recordings_folder(workspace).join(name))
}

/// Records. `step` is told what is going on.
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
    // A folder that cannot be written is found out by the recorded program, which must not suffer from it.
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

/// Builds the workspace's programs instrumented, to be run elsewhere; gives them by name.
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
    // The next plain build would replace them where they are.
    let folder = workspace.situ_folder().join("instrumented");
    fs::create_dir_all(&folder).context("making the folder of instrumented programs")?;
    let mut programs = BTreeMap::new();
    for (name, path) in built.programs {
        let kept = folder.join(path.file_name().unwrap_or_default());
        let _ = fs::remove_file(&kept);
        fs::copy(&path, &kept).with_context(|| format!("copying {}", path.display()))?;
        programs.insert(name, kept);
    }
    Ok(programs)
}

fn does_not_build(said: String) -> anyhow::Error {
    user_error::user_code(format!("the workspace does not build:\n{said}"))
}

/// Removes recordings that a crash has kept from being closed: nobody can tell what must be withheld in them.
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
    /// The build without recording. To compare it with the instrumented one, it is made again without what belongs to
    /// the workspace: both then find their dependencies and nothing else.
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
        step("building the tests as they are");
        let (plain_build, plain_build_processor) =
            self.built_plainly(&arguments, options.compares_builds)?;
        step("running the tests as they are");
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
        // On a busy machine the clock says too much, and beside other work the processor time.
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

    /// Where programs note what they run to look at values.
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
        self.lend_programs(&mut command, &build)?;
        process::with_larger_stack(&mut command);
        let mut watch = Watch::prepare(self.notes_folder(), &options.opaque_types)?;
        command.envs([watch.variable()]);
        if options.quiet {
            // Standard output is for JSON alone.
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

    /// `SITU_BIN`, the programs' folder on the path, and a cargo that builds instrumented.
    fn lend_programs(&self, command: &mut Command, build: &Built) -> Result<()> {
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

/// What recording fragments may take at the least: with them, every call that is made in them is kept.
const MILLISECONDS_OF_FRAGMENTS: u64 = 1000;

/// The environment of a recorded program.
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
    /// The watched statements and functions, each once however many units have it.
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

    /// The statements with value sets that could be exact, and the sum of the shares of these sets that are.
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

    /// The functions that were reached.
    pub fn functions_reached(&self) -> usize {
        let reached = self.recording.sites.values();
        reached
            .filter(|site| matches!(site.site.position, Position::Reach | Position::Function))
            .count()
    }
}
