//! Builds the tests of a workspace, runs them, and reports how each ended.

use super::failing::{FailingTest, Failure, outputs};
use super::harness::Transcript;
use crate::base::diagnostics::{CargoMessage, parse_cargo};
use crate::base::parallel::in_parallel;
use crate::base::process::{self, Finished, Scratch};
use crate::cargo::workspace::{
    Launcher, Workspace, build_into, cargo, folder_of, without_debuggers,
};
use crate::cargo::wrapper::Installed;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Test program that cargo has built.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    /// Package and target; the same in an original and an instrumented build.
    pub name: String,
    pub path: PathBuf,
    /// Working folder.
    pub folder: PathBuf,
    pub launcher: Launcher,
}

/// Programs that a build has produced, and the time it took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Built {
    pub tests: Vec<TestProgram>,
    /// Programs other than tests, by name.
    pub programs: BTreeMap<String, PathBuf>,
    pub took: Duration,
}

/// Kind of build whose programs are run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build<'v> {
    /// The user's program without changes.
    Plain,
    /// Instrumented copy, with these environment variables.
    Instrumented(&'v [(String, String)]),
}

impl Build<'_> {
    fn apply(self, command: &mut Command) {
        if let Build::Instrumented(variables) = self {
            command.envs(variables.iter().map(|(name, value)| (name, value)));
            process::with_larger_stack(command);
        }
    }
}

/// Returns the cargo command of a build, with the same settings for original and instrumented ones.
pub(crate) fn cargo_in(root: &Path, target_folder: &Path, wrapper: Option<&Installed>) -> Command {
    let mut command = cargo();
    build_into(&mut command, target_folder).current_dir(root);
    without_debuggers(&mut command);
    if let Some(wrapper) = wrapper {
        wrapper.apply(&mut command);
    }
    command
}

/// Output of cargo for a build that failed.
#[derive(Clone, Debug)]
pub(crate) struct FailedBuild(pub String);

impl fmt::Display for FailedBuild {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Builds with these arguments. The inner error is cargo's output.
pub(crate) fn build(
    workspace: &Workspace,
    root: &Path,
    target_folder: &Path,
    wrapper: Option<&Installed>,
    arguments: &[String],
) -> Result<Result<Built, FailedBuild>> {
    let mut command = cargo_in(root, target_folder, wrapper);
    command.args(arguments);
    run_build(workspace, root, command)
}

/// Runs a cargo command that builds the selected packages. The inner error is cargo's output.
pub(crate) fn run_build(
    workspace: &Workspace,
    root: &Path,
    mut command: Command,
) -> Result<Result<Built, FailedBuild>> {
    command.arg("--message-format=json");
    command.args(
        workspace
            .ids_in(root)
            .iter()
            .flat_map(|id| ["--package", id]),
    );
    let finished = process::run(&mut command, None)?;
    let messages = parse_cargo(&finished.stdout);
    if !finished.status.success() {
        return Ok(Err(FailedBuild(failure(&messages, &finished.stderr))));
    }
    let mut built = Built {
        took: finished.took,
        ..Built::default()
    };
    for message in messages {
        let CargoMessage::CompilerArtifact(artifact) = message else {
            continue;
        };
        let Some(path) = artifact.executable else {
            continue;
        };
        let Some(package) =
            workspace.package_with(&artifact.target.name, &artifact.target.src_path)
        else {
            continue;
        };
        let inside = folder_of(package)
            .strip_prefix(workspace.root())
            .unwrap_or(Path::new(""));
        if artifact.profile.test {
            let name = format!(
                "{} {} {}",
                package.name,
                artifact.target.kind.join(" "),
                artifact.target.name
            );
            let launcher = workspace.launcher().clone();
            built.tests.push(TestProgram {
                name,
                path,
                folder: root.join(inside),
                launcher,
            });
        } else if artifact.target.kind.iter().any(|kind| kind == "bin") {
            built.programs.insert(artifact.target.name, path);
        }
    }
    built.tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Ok(built))
}

fn failure(messages: &[CargoMessage], stderr: &str) -> String {
    let errors = messages.iter().filter_map(|message| match message {
        CargoMessage::CompilerMessage { message, .. } if message.is_error() => {
            message.rendered.clone()
        }
        _ => None,
    });
    let mut text: String = errors.collect();
    text.push_str(stderr.trim());
    text
}

/// Outcome of a test that ends its process, or that does not end.
const NO_OUTCOME: &str = "no outcome";
/// Outcome of a program in which no test fails.
const SUCCEEDED: &str = "exit code 0";

/// Outcomes of all tests, and the time they took together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    /// `ok`, `FAILED` or `ignored` by program and test; the exit of the program itself under the
    /// test `""`.
    pub of_tests: BTreeMap<(String, String), String>,
    pub took: Duration,
    /// Number of processes that were killed by a signal.
    pub signals: usize,
    /// Messages of the recorder when it stopped, without duplicates.
    pub complaints: Vec<String>,
    /// Output of failed tests, by program and test.
    pub outputs: BTreeMap<(String, String), String>,
    /// Programs that ended before all of their tests had an outcome.
    pub cut_short: BTreeSet<String>,
    /// Programs that exceeded their time limit.
    pub timed_out: BTreeSet<String>,
}

impl Outcomes {
    /// Returns the tests that failed, and those that end their process instead of passing or
    /// failing.
    pub(crate) fn failed(&self) -> Vec<FailingTest> {
        let failed = self.of_tests.iter().filter_map(|(key, outcome)| {
            let failure = match outcome.as_str() {
                "FAILED" => Failure::Fails,
                NO_OUTCOME => Failure::EndsProcess(None),
                _ => return None,
            };
            let (program, name) = key.clone();
            Some(FailingTest {
                program,
                name,
                failure,
                output: self.outputs.get(key).cloned().unwrap_or_default(),
            })
        });
        failed.collect()
    }

    /// Describes the tests whose outcome differs from another run's.
    pub(crate) fn differences(&self, other: &Outcomes) -> Vec<String> {
        let mut keys: Vec<_> = self.of_tests.keys().chain(other.of_tests.keys()).collect();
        keys.sort();
        keys.dedup();
        let missing = "missing".to_owned();
        let failed = self.failed();
        let differs = keys.into_iter().filter_map(|key| {
            let (one, two) = (
                self.of_tests.get(key).unwrap_or(&missing),
                other.of_tests.get(key).unwrap_or(&missing),
            );
            // Without in-situ tests, a program in which only those fail succeeds.
            let mut own = failed
                .iter()
                .filter(|test| test.program == key.0)
                .peekable();
            if key.1.is_empty()
                && own.peek().is_some()
                && own.all(|test| is_in_situ(&test.name))
                && two == SUCCEEDED
            {
                return None;
            }
            let is_taken_out = *two == missing && is_in_situ(&key.1);
            (one != two && !is_taken_out).then(|| {
                format!(
                    "{}: {}: {one} without recording, {two} with it",
                    key.0, key.1
                )
            })
        });
        differs.collect()
    }
}

/// Returns whether this is the name of an in-situ test. An instrumented copy has none, so that the
/// code they test can be recorded.
fn is_in_situ(test: &str) -> bool {
    test.split("::").any(|part| part.starts_with("situ_"))
}

/// Whether test programs run in the sandbox.
#[derive(Clone, Debug)]
pub(crate) enum Confinement {
    /// Without a sandbox: for the user's own programs with their own inputs.
    None,
    Scratch(Scratch),
}

impl Confinement {
    /// Returns a sandbox for programs that record into `folders`. It does not limit memory, because
    /// the original tests run without a limit.
    pub(crate) fn recording_to(scratch: &Path, folders: &[&Path]) -> Result<Confinement> {
        let mut scratch = Scratch::new(scratch)?.with_any_memory();
        // If a folder cannot be written to, the recorder notices and goes on without it.
        for folder in folders.iter().filter(|folder| folder.exists()) {
            scratch = scratch.with(folder)?;
        }
        Ok(Confinement::Scratch(scratch))
    }

    fn run(&self, command: &mut Command, limit: Option<Duration>) -> Result<Finished> {
        match self {
            Confinement::None => process::run(command, limit),
            Confinement::Scratch(scratch) => {
                scratch.prepare(command);
                process::run_confined(command, scratch, limit)
            }
        }
    }
}

/// Runs all programs, one after the other.
pub(crate) fn run_all(
    programs: &[TestProgram],
    build: Build<'_>,
    limit: Option<Duration>,
    confinement: &Confinement,
) -> Result<Outcomes> {
    let mut outcomes = Outcomes::default();
    for program in programs {
        run_with(program, &[], build, limit, confinement, &mut outcomes)?;
        // A program over its time limit would take as long again.
        if outcomes.cut_short.contains(&program.name) && !outcomes.timed_out.contains(&program.name)
        {
            run_unreported(program, build, limit, confinement, &mut outcomes)?;
        }
    }
    outcomes.complaints.dedup();
    Ok(outcomes)
}

/// Runs every test of all programs in its own process.
pub(crate) fn run_apart(
    programs: &[TestProgram],
    build: Build<'_>,
    limit: Duration,
    confinement: &Confinement,
) -> Result<Outcomes> {
    let mut jobs: Vec<(&TestProgram, String)> = Vec::new();
    for program in programs {
        jobs.extend(tests_of(program)?.into_iter().map(|name| (program, name)));
    }
    let started = Instant::now();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let results = in_parallel(cores, jobs.len(), |_, at| {
        let (program, name) = &jobs[at];
        let mut outcomes = Outcomes::default();
        // With one thread, libtest runs tests in the main thread, which does not have the test's
        // name.
        let arguments = ["--exact", name, "--test-threads=2"];
        run_with(
            program,
            &arguments,
            build,
            Some(limit),
            confinement,
            &mut outcomes,
        )
        .map(|()| outcomes)
    });
    let mut all = Outcomes::default();
    for result in results {
        let result = result?;
        all.of_tests.extend(
            result
                .of_tests
                .into_iter()
                .filter(|((_, test), _)| !test.is_empty()),
        );
        all.complaints.extend(result.complaints);
        all.signals += result.signals;
        all.timed_out.extend(result.timed_out);
    }
    for (program, name) in jobs {
        all.of_tests
            .entry((program.name.clone(), name))
            .or_insert_with(|| NO_OUTCOME.to_owned());
    }
    for program in programs {
        // The outcome of the program is the one it would have had with all tests in one process.
        let failed = all
            .of_tests
            .iter()
            .any(|((of, _), outcome)| *of == program.name && outcome == "FAILED");
        let ended = if failed { "exit code 101" } else { SUCCEEDED };
        all.of_tests
            .insert((program.name.clone(), String::new()), ended.to_owned());
    }
    all.complaints.dedup();
    all.took = started.elapsed();
    Ok(all)
}

/// Returns the names of a program's tests.
pub(crate) fn tests_of(program: &TestProgram) -> Result<Vec<String>> {
    let mut command = program.launcher.command(&program.path);
    command.arg("--list").current_dir(&program.folder);
    let listed = process::run_confined(&mut command, &Scratch::none(), Some(LONGEST_CHECK))?;
    Ok(listed
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect())
}

/// Runs the tests of all programs whose names contain `name`. Ignores their outcomes.
pub(crate) fn run_matching(
    programs: &[TestProgram],
    variables: &[(String, String)],
    name: &str,
    confinement: &Confinement,
) -> Result<()> {
    for program in programs {
        let mut command = command(program);
        command.arg(name);
        Build::Instrumented(variables).apply(&mut command);
        confinement
            .run(&mut command, Some(LONGEST_CHECK))
            .with_context(|| format!("running {}", program.name))?;
    }
    Ok(())
}

/// Runs the selected tests of a program one after the other. A test that has not ended has no
/// outcome.
pub(crate) fn run_in_turn(
    program: &TestProgram,
    variables: &[(String, String)],
    arguments: &[&str],
    limit: Duration,
    confinement: &Confinement,
) -> Result<Outcomes> {
    let mut outcomes = Outcomes::default();
    let arguments: Vec<&str> = arguments
        .iter()
        .copied()
        .chain(["--test-threads=1"])
        .collect();
    run_with(
        program,
        &arguments,
        Build::Instrumented(variables),
        Some(limit),
        confinement,
        &mut outcomes,
    )?;
    Ok(outcomes)
}

/// Time limit for rebuilding values, which takes no time unless the user's code loops.
const LONGEST_CHECK: Duration = Duration::from_secs(60);

fn run_with(
    program: &TestProgram,
    arguments: &[&str],
    build: Build<'_>,
    limit: Option<Duration>,
    confinement: &Confinement,
    outcomes: &mut Outcomes,
) -> Result<()> {
    let mut command = command(program);
    command.args(arguments);
    build.apply(&mut command);
    let finished = confinement
        .run(&mut command, limit)
        .with_context(|| format!("running {}", program.name))?;
    outcomes.took += finished.took;
    for line in finished.stdout.lines() {
        let result = line
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "))
            .filter(|(_, outcome)| !outcome.is_empty());
        if let Some((test, outcome)) = result {
            let outcome = outcome
                .split(',')
                .next()
                .unwrap_or(outcome)
                .trim()
                .to_owned();
            outcomes
                .of_tests
                .insert((program.name.clone(), test.to_owned()), outcome);
        }
    }
    let of_program = |name: String| (program.name.clone(), name);
    outcomes.outputs.extend(
        outputs(&finished.stdout)
            .into_iter()
            .map(|(name, output)| (of_program(name), output)),
    );
    if let (["--exact", name], false) = (arguments, finished.status.success()) {
        // The process ran only this test, so all output is from it.
        outcomes
            .outputs
            .entry(of_program((*name).to_owned()))
            .or_insert_with(|| finished.stderr.clone());
    }
    if finished.timed_out {
        outcomes.timed_out.insert(program.name.clone());
    }
    outcomes.signals += usize::from(!finished.timed_out && finished.status.code().is_none());
    let ended = match (finished.timed_out, finished.status.code()) {
        (true, _) => "timed out".to_owned(),
        (false, Some(code)) => format!("exit code {code}"),
        (false, None) => "killed by a signal".to_owned(),
    };
    outcomes
        .of_tests
        .insert((program.name.clone(), String::new()), ended);
    let mut transcript = Transcript::default();
    transcript.read(&finished.stdout, finished.took);
    if transcript.announced.is_some() && !transcript.is_through {
        outcomes.cut_short.insert(program.name.clone());
    }
    outcomes.complaints.extend(
        finished
            .stderr
            .lines()
            .filter(|line| line.starts_with("situ: "))
            .map(str::to_owned),
    );
    Ok(())
}

/// Runs each test without an outcome in its own process, because a test that ends the process hides
/// the others.
fn run_unreported(
    program: &TestProgram,
    build: Build<'_>,
    limit: Option<Duration>,
    confinement: &Confinement,
    outcomes: &mut Outcomes,
) -> Result<()> {
    let key = |test: &str| (program.name.clone(), test.to_owned());
    let ended = outcomes.of_tests.get(&key("")).cloned();
    for name in &tests_of(program)? {
        if !outcomes.of_tests.contains_key(&key(name)) {
            run_with(
                program,
                &["--exact", name],
                build,
                limit,
                confinement,
                outcomes,
            )?;
            outcomes
                .of_tests
                .entry(key(name))
                .or_insert_with(|| NO_OUTCOME.to_owned());
        }
    }
    outcomes
        .of_tests
        .extend(ended.map(|ended| (key(""), ended)));
    Ok(())
}

/// Returns a command that runs a test program with the environment that cargo sets, and without
/// variables that make tests update their snapshots.
pub(crate) fn command(program: &TestProgram) -> Command {
    let mut command = program.launcher.command(&program.path);
    command.current_dir(&program.folder);
    command
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env("RUST_BACKTRACE", "0");
    command
        .env("INSTA_UPDATE", "no")
        .env("INSTA_FORCE_PASS", "0");
    for variable in ["UPDATE_EXPECT", "SNAPSHOTS", "TRYBUILD"] {
        command.env_remove(variable);
    }
    command
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::programs::shell_program::shell_program;

    #[test]
    fn a_test_that_ends_its_process_hides_no_failing_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        let tests = [
            ("a_ends", "exit 0"),
            ("b_fails", "false"),
            ("c_passes", "true"),
        ];
        let program = shell_program(folder.path(), &tests);
        let program = TestProgram {
            name: "p".to_owned(),
            path: program.path,
            folder: program.folder,
            launcher: program.launcher,
        };
        let outcomes = run_all(&[program], Build::Plain, None, &Confinement::None).unwrap();
        let failed: Vec<String> = outcomes
            .failed()
            .into_iter()
            .map(|test| test.name)
            .collect();
        assert_eq!(failed, ["a_ends", "b_fails"]);
        let outcome = |test: &str| outcomes.of_tests[&("p".to_owned(), test.to_owned())].as_str();
        assert_eq!((outcome("c_passes"), outcome("")), ("ok", "exit code 0"));
    }

    #[test]
    fn in_situ_tests_that_fail_are_told_as_that_and_not_as_a_difference() {
        let outcomes = |tests: &[(&str, &str)]| {
            let of_tests = tests.iter().map(|(test, outcome)| {
                (("p".to_owned(), (*test).to_owned()), (*outcome).to_owned())
            });
            Outcomes {
                of_tests: of_tests.collect(),
                ..Outcomes::default()
            }
        };
        let recorded = outcomes(&[("", "exit code 0"), ("tests::a", "ok")]);
        let plain = outcomes(&[
            ("", "exit code 101"),
            ("situ_f::x", "FAILED"),
            ("tests::a", "ok"),
        ]);
        assert_eq!(plain.differences(&recorded), Vec::<String>::new());
        assert_eq!(plain.failed().len(), 1);
        let plain = outcomes(&[
            ("", "exit code 101"),
            ("situ_f::x", "FAILED"),
            ("tests::a", "FAILED"),
        ]);
        assert_eq!(
            plain.differences(&recorded).len(),
            2,
            "the unit test passes where it is recorded"
        );
        let plain = outcomes(&[("", "exit code 101"), ("tests::a", "ok")]);
        assert_eq!(plain.differences(&recorded).len(), 1);
    }
}
