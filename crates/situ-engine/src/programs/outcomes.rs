//! Builds the tests of a workspace, runs them, and says how each ended.

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
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// A test program.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    /// The package and target: the same in a plain and an instrumented build.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The folder to run it in.
    pub folder: PathBuf,
    /// Starts it.
    pub launcher: Launcher,
}

/// What cargo built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Built {
    /// The test programs.
    pub tests: Vec<TestProgram>,
    /// The ordinary programs, by name.
    pub programs: BTreeMap<String, PathBuf>,
    /// How long it took.
    pub took: Duration,
}

/// A build whose programs are run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build<'v> {
    /// The program as it is.
    Plain,
    /// An instrumented copy, with these variables.
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

/// The cargo command of a build, the same for plain and instrumented ones.
pub(crate) fn cargo_in(root: &Path, target_folder: &Path, wrapper: Option<&Installed>) -> Command {
    let mut command = cargo();
    build_into(&mut command, target_folder).current_dir(root);
    without_debuggers(&mut command);
    if let Some(wrapper) = wrapper {
        wrapper.apply(&mut command);
    }
    command
}

/// Builds with these arguments; the error is what cargo said.
pub(crate) fn build(
    workspace: &Workspace,
    root: &Path,
    target_folder: &Path,
    wrapper: Option<&Installed>,
    arguments: &[String],
) -> Result<Result<Built, String>> {
    let mut command = cargo_in(root, target_folder, wrapper);
    command.args(arguments);
    run_build(workspace, root, command)
}

/// Runs a cargo command that builds the packages that were asked for; the error is what cargo said.
pub(crate) fn run_build(
    workspace: &Workspace,
    root: &Path,
    mut command: Command,
) -> Result<Result<Built, String>> {
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
        return Ok(Err(failure(&messages, &finished.stderr)));
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

/// How a test ends that ends its process, or that does not end.
const NO_OUTCOME: &str = "no outcome";
/// How a program ends none of whose tests fails.
const SUCCEEDED: &str = "exit code 0";

/// How the tests of all programs ended, and how long they took together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcomes {
    /// Program and test → `ok`, `FAILED`, `ignored`; the program itself under the test `""`.
    pub of_tests: BTreeMap<(String, String), String>,
    /// How long they took.
    pub took: Duration,
    /// How many of the processes were killed by a signal.
    pub signals: usize,
    /// What the recorder said when it stopped, each once.
    pub complaints: Vec<String>,
    /// What the tests said that failed.
    pub outputs: BTreeMap<(String, String), String>,
    /// The programs that ended before all of their tests had an outcome.
    pub cut_short: BTreeSet<String>,
    /// The programs that were ended because their time was over.
    pub timed_out: BTreeSet<String>,
}

impl Outcomes {
    /// The tests that failed, and those that end their process instead of passing or failing.
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

    /// Tests whose outcome differs from that of another run, in words.
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
            // A program that fails by nothing but in-situ tests succeeds without them.
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

/// In-situ tests are not in the copy, so that the code that they are about can be watched.
fn is_in_situ(test: &str) -> bool {
    test.split("::").any(|part| part.starts_with("situ_"))
}

/// Where test programs run.
#[derive(Clone, Debug)]
pub(crate) enum Confinement {
    /// As the user runs them: for programs as the user wrote them, with the user's own inputs.
    None,
    /// In the sandbox.
    Scratch(Scratch),
}

impl Confinement {
    /// The sandbox of programs that tell what they see in some folders; memory is not bounded, as it is not for plain tests.
    pub(crate) fn recording_to(scratch: &Path, folders: &[&Path]) -> Result<Confinement> {
        let mut scratch = Scratch::new(scratch)?.with_any_memory();
        // A folder that cannot be written is found out by the recorder, which does without.
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
        // What takes too long would take as long once more.
        if outcomes.cut_short.contains(&program.name) && !outcomes.timed_out.contains(&program.name)
        {
            run_unreported(program, build, limit, confinement, &mut outcomes)?;
        }
    }
    outcomes.complaints.dedup();
    Ok(outcomes)
}

/// Runs every test of all programs in a process of its own.
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
        // With one thread a test would run in the main one, which does not have its name.
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
        // As it would have ended with all of them.
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

/// The names of a program's tests.
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

/// Runs the tests of all programs whose names contain a text; how they end is of no concern.
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

/// Runs the tests of a program that these arguments choose, one after the other. One that has not ended has no outcome.
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

/// Rebuilding values takes no time; code that loops while doing so is stopped.
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
        // It was alone: all of it is this test's.
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

/// Runs each test without an outcome in a process of its own: one that ends the process hides those that had not ended before.
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

/// A run of a test program, with the environment that cargo gives to tests, and nothing that makes them rewrite their own
/// expectations.
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
