//! The test programs of a workspace: built once, queried for their tests, and run through cargo.

use super::catalog::{Catalog, Kind, Listed};
use super::failing::outputs;
use super::harness::{Outcome, Transcript, with_libraries};
use super::outcomes;
use super::program::compiler_libraries;
use super::skips::{Note, Skips};
use crate::base::diagnostics::CargoMessage;
use crate::base::output_lines::Lines;
use crate::base::process::{self, Finished, Next};
use crate::base::user_error;
use crate::cargo::workspace::{Workspace, build_into, cargo};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Maximum number of bytes of test names in one command line; systems accept slightly more.
const LONGEST_COMMAND: usize = 100_000;

/// Test program and its tests.
#[derive(Clone, Debug)]
pub(crate) struct TestProgram {
    pub package: String,
    /// Kind and name of the target: `lib situ`.
    pub target: String,
    /// Arguments that make cargo run only this program.
    arguments: Vec<String>,
    pub tests: Vec<ProgramTest>,
    /// Whether the program has `#[test]` functions; otherwise it is one test.
    has_tests: bool,
}

impl TestProgram {
    /// Returns the arguments that select tests of the program. Of doctests they may select more:
    /// rustdoc splits what it passes on at spaces, and every name of a doctest has some.
    fn selection<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        if self.tests.iter().all(|test| test.kind == Kind::Doc) {
            return names.iter().map(|name| longest_word(name)).collect();
        }
        ["--exact"]
            .into_iter()
            .chain(names.iter().copied())
            .collect()
    }
}

/// Returns the longest part of a name without spaces.
fn longest_word(name: &str) -> &str {
    name.split_whitespace()
        .max_by_key(|word| word.len())
        .unwrap_or(name)
}

/// Test of a program.
#[derive(Clone, Debug)]
pub(crate) struct ProgramTest {
    pub name: String,
    pub kind: Kind,
    /// Position of the test in the sources, if it was found there.
    pub listed: Option<Listed>,
}

/// Result of one execution of a test.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub outcome: Outcome,
    /// Output, if the test failed.
    pub output: String,
    /// Duration of the test in seconds, if it is known.
    pub seconds: Option<f64>,
    /// Assumption that ended the test before anything was checked.
    pub skipped: Option<String>,
}

impl Said {
    fn failed(output: String) -> Said {
        Said {
            outcome: Outcome::Failed,
            output,
            seconds: None,
            skipped: None,
        }
    }
}

/// Test programs of a workspace, built by cargo.
pub(crate) struct Programs {
    root: PathBuf,
    target: PathBuf,
    /// Folder in which tests write notes about themselves.
    pub(crate) runs: PathBuf,
    /// Programs, sorted by name.
    pub all: Vec<TestProgram>,
}

/// How to run tests.
pub(crate) struct RunOptions<'r> {
    /// Number of tests at once; the runner's default if `None`.
    pub threads: Option<usize>,
    /// Additional arguments for the test programs. If there are any, the programs' output is passed
    /// on.
    pub arguments: &'r [String],
    /// Receives each line of output, if there are additional arguments.
    pub said: &'r dyn Fn(&str),
}

impl Programs {
    /// Builds all test programs, and lists the tests of each.
    pub(crate) fn build(
        workspace: &Workspace,
        catalog: &Catalog,
        with_doctests: bool,
    ) -> Result<Programs> {
        let (root, target) = (workspace.build_root()?, workspace.build_folder());
        let runs = workspace.situ_folder().join("runs");
        let mut programs = Programs {
            root,
            target,
            runs,
            all: Vec::new(),
        };
        let command = programs.cargo(&["--no-run".to_owned()]);
        let built = outcomes::run_build(workspace, &programs.root, command)?;
        let built = built
            .map_err(|said| user_error::user_code(format!("the tests do not compile\n{said}")))?;
        let libraries = compiler_libraries()?;
        for program in built.tests {
            let Some((name, target)) = program.name.split_once(' ') else {
                continue;
            };
            let Some(package) = workspace
                .all_packages()
                .into_iter()
                .find(|package| package.name == name)
            else {
                continue;
            };
            let mut command = program.launcher.command(&program.path);
            command.arg("--list").current_dir(&program.folder);
            with_libraries(&mut command, &program.path, &libraries);
            let listed = process::run(&mut command, None)?.stdout;
            let arguments = arguments_of(workspace.id_in(&programs.root, package), target);
            programs
                .all
                .push(TestProgram::new(name, target, arguments, &listed, catalog));
        }
        if with_doctests {
            programs.add_doctests(workspace, catalog)?;
        }
        Ok(programs)
    }

    fn add_doctests(&mut self, workspace: &Workspace, catalog: &Catalog) -> Result<()> {
        for package in workspace.packages() {
            let Some(library) = package
                .targets
                .iter()
                .find(|target| target.doctest && target.kind != ["bin".into()])
            else {
                continue;
            };
            let arguments = vec![
                "--package".to_owned(),
                workspace.id_in(&self.root, package),
                "--doc".to_owned(),
            ];
            let mut command = self.cargo(&arguments);
            command.args([FORMAT, "--", "--list"]);
            let finished = process::run(&mut command, None)?;
            let listed = after_build(&finished)?;
            let target = format!("doc {}", library.name);
            let mut program = TestProgram::new(&package.name, &target, arguments, listed, catalog);
            program
                .tests
                .iter_mut()
                .for_each(|test| test.kind = Kind::Doc);
            self.all
                .extend(Some(program).filter(|program| program.has_tests));
        }
        Ok(())
    }

    /// Returns `cargo test` with these arguments, with Situ's own target folder.
    pub(crate) fn cargo(&self, arguments: &[String]) -> Command {
        let mut command = cargo();
        // With `term.quiet`, test programs do not print single tests.
        command
            .args(["test", "--config", "term.quiet=false"])
            .args(arguments);
        build_into(&mut command, &self.target).current_dir(&self.root);
        command
    }

    /// Returns `cargo nextest run` for the same build.
    pub(crate) fn nextest(&self) -> Command {
        let mut command = cargo();
        build_into(&mut command, &self.target)
            .args(["nextest", "run"])
            .current_dir(&self.root);
        command
    }

    /// Runs these tests of a program. Calls `ended` when each test ends, and returns the results of
    /// all.
    pub(crate) fn run(
        &self,
        program: &TestProgram,
        names: &[&str],
        options: &RunOptions<'_>,
        ended: &mut dyn FnMut(&str, Outcome),
    ) -> Result<BTreeMap<String, Said>> {
        let (mut all, mut missing) = (BTreeMap::new(), Vec::new());
        for names in chunks(names) {
            let (said, is_through) = self.run_some(program, names, options, ended)?;
            // A program that has finished has skipped tests because of the user's arguments.
            if !is_through || options.arguments.is_empty() {
                missing.extend(
                    names
                        .iter()
                        .copied()
                        .filter(|name| !said.contains_key(*name)),
                );
            }
            all.extend(said);
        }
        // A test that ends the process hides those after it. Run each of these alone.
        for name in missing {
            let (said, _) = self.run_some(program, &[name], options, &mut |_, _| {})?;
            let said = said.into_values().next();
            let said =
                said.unwrap_or_else(|| Said::failed("the test ended its process\n".to_owned()));
            ended(name, said.outcome);
            all.insert(name.to_owned(), said);
        }
        Ok(all)
    }

    /// Runs these tests in one process. Also returns whether the program finished.
    fn run_some(
        &self,
        program: &TestProgram,
        names: &[&str],
        options: &RunOptions<'_>,
        ended: &mut dyn FnMut(&str, Outcome),
    ) -> Result<(BTreeMap<String, Said>, bool)> {
        let mut command = self.cargo(&program.arguments);
        command.args([FORMAT, "--"]).stderr(Stdio::piped());
        if program.has_tests {
            command.args(
                options
                    .threads
                    .map(|threads| format!("--test-threads={threads}")),
            );
            if names.len() < program.tests.len() {
                command.args(program.selection(names));
            }
        }
        command.args(options.arguments);
        let skips = Skips::of(&mut command, &self.runs);
        let mut transcript = Transcript::default();
        let mut passed_on = PassedOn::new(options);
        let finished = process::stream(&mut command, None, |piece, at| {
            let before = transcript.ended.len();
            transcript.read(piece, at);
            transcript.ended[before..]
                .iter()
                .filter(|(name, ..)| names.contains(&name.as_str()))
                .for_each(|(name, outcome, _)| ended(name, *outcome));
            passed_on.read(piece);
            Next::Continue
        })?;
        passed_on.finish(&finished.stderr);
        let stdout = after_build(&finished)?;
        if !program.has_tests {
            let said = whole_program(
                names,
                finished.status.success(),
                stdout.to_owned() + &finished.stderr,
                ended,
            );
            return Ok((said, true));
        }
        // The user's arguments made the program do something else than run tests.
        if transcript.announced.is_none() && !options.arguments.is_empty() {
            return Err(refused(
                program,
                options.arguments,
                stdout,
                &finished.stderr,
            ));
        }
        let mut outputs = outputs(stdout);
        let notes = skips.read();
        let is_through = transcript.is_through;
        let said = with_unseen(transcript, names, stdout)
            .into_iter()
            .filter(|(name, _)| names.contains(&name.as_str()))
            .map(|(name, outcome)| {
                let output = outputs.remove(&name).unwrap_or_default();
                let skipped = program.skipped(&name, &notes);
                (
                    name,
                    Said {
                        outcome,
                        output,
                        seconds: None,
                        skipped,
                    },
                )
            });
        let mut said: BTreeMap<String, Said> = said.collect();
        // A test that ended its process has no result line, but it was alone there.
        if let ([name], false) = (names, finished.status.success())
            && !said.contains_key(*name)
        {
            let output = output_of_ended_test(&finished.stderr);
            said.insert((*name).to_owned(), Said::failed(output));
        }
        Ok((said, is_through))
    }
}

/// Makes cargo print build messages to standard output and errors to standard error.
const FORMAT: &str = "--message-format=json-render-diagnostics";

/// Returns the test programs' part of standard output. Returns an error with cargo's message if no
/// program was started: that is an error of the build, and no test has failed.
fn after_build(finished: &Finished) -> Result<&str> {
    let end = finished.stdout.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at, line))
    });
    let mut messages = end.take_while(|(_, line)| line.starts_with('{'));
    let built = messages.find_map(|(end, line)| match serde_json::from_str(line) {
        Ok(CargoMessage::BuildFinished { success: true }) => Some(&finished.stdout[end..]),
        _ => None,
    });
    match built {
        Some(stdout) if !finished.stderr.contains(NEVER_STARTED) => Ok(stdout),
        _ => Err(user_error::user_code(format!(
            "cargo cannot run the tests:\n{}",
            finished.stderr.trim_end()
        ))),
    }
}

/// Part of cargo's message for a program, or runner, that cannot be started.
const NEVER_STARTED: &str = "(never executed)";

/// Returns the error for a program that runs no test with the user's arguments.
fn refused(
    program: &TestProgram,
    arguments: &[String],
    stdout: &str,
    stderr: &str,
) -> anyhow::Error {
    let (words, said) = (
        arguments.join(" "),
        format!("{}{}", stdout.trim_start(), without_cargo_messages(stderr)),
    );
    user_error::input(format!(
        "with `-- {words}` `{}` runs no test; it says:\n{}",
        program.target,
        said.trim_end()
    ))
}

/// Returns the outcomes of all tests. Finds tests whose result line is damaged, because a test has
/// printed to it, in the summary.
fn with_unseen(transcript: Transcript, names: &[&str], stdout: &str) -> Vec<(String, Outcome)> {
    let mut ended: Vec<(String, Outcome)> = transcript
        .ended
        .into_iter()
        .map(|(name, outcome, _)| (name, outcome))
        .collect();
    let is_seen =
        |ended: &[(String, Outcome)], name: &str| ended.iter().any(|(seen, _)| seen == name);
    let unseen: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !is_seen(&ended, name))
        .collect();
    if unseen.is_empty() || !transcript.is_through {
        return ended;
    }
    // The runner lists failed tests after their output.
    let listed = stdout
        .rsplit_once("\nfailures:\n")
        .map_or("", |(_, rest)| rest);
    let failed: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    let (failed, others): (Vec<&str>, Vec<&str>) =
        unseen.into_iter().partition(|name| failed.contains(name));
    ended.extend(
        failed
            .into_iter()
            .map(|name| (name.to_owned(), Outcome::Failed)),
    );
    let seen = ended
        .iter()
        .filter(|(_, outcome)| *outcome == Outcome::Passed)
        .count();
    if passed(stdout).is_some_and(|passed| passed == seen + others.len()) {
        ended.extend(
            others
                .into_iter()
                .map(|name| (name.to_owned(), Outcome::Passed)),
        );
    }
    ended
}

/// Parses the number of passed tests in the summary.
fn passed(stdout: &str) -> Option<usize> {
    let (_, summary) = stdout.rsplit_once("test result: ")?;
    let (_, counts) = summary.split_once(". ")?;
    counts
        .split_once(" passed")
        .and_then(|(number, _)| number.parse().ok())
}

/// Filter that passes the output of test programs on to the user, if there are additional arguments
/// for them.
struct PassedOn<'r> {
    options: &'r RunOptions<'r>,
    lines: Lines,
    /// Whether the output is still cargo's.
    is_building: bool,
}

impl<'r> PassedOn<'r> {
    fn new(options: &'r RunOptions<'r>) -> PassedOn<'r> {
        PassedOn {
            options,
            lines: Lines::with_ends(),
            is_building: true,
        }
    }

    fn read(&mut self, piece: &str) {
        if self.options.arguments.is_empty() {
            return;
        }
        let (said, is_building) = (self.options.said, &mut self.is_building);
        self.lines.read(
            piece,
            &mut |line| match *is_building && line.starts_with('{') {
                true => *is_building = !line.contains("\"build-finished\""),
                false => said(line),
            },
        );
    }

    fn finish(&self, stderr: &str) {
        if !self.options.arguments.is_empty() {
            without_cargo_messages(stderr)
                .lines()
                .for_each(self.options.said);
        }
    }
}

fn whole_program(
    names: &[&str],
    succeeded: bool,
    output: String,
    ended: &mut dyn FnMut(&str, Outcome),
) -> BTreeMap<String, Said> {
    let outcome = if succeeded {
        Outcome::Passed
    } else {
        Outcome::Failed
    };
    let output = if succeeded { String::new() } else { output };
    names.iter().for_each(|name| ended(name, outcome));
    let said = |output| Said {
        outcome,
        output,
        seconds: None,
        skipped: None,
    };
    names
        .iter()
        .map(|name| ((*name).to_owned(), said(output.clone())))
        .collect()
}

impl TestProgram {
    /// Returns why a test was skipped, if it wrote a note.
    pub(crate) fn skipped(&self, name: &str, notes: &[Note]) -> Option<String> {
        let test = self
            .tests
            .iter()
            .find(|test| test.name == name)
            .filter(|_| !notes.is_empty())?;
        notes
            .iter()
            .find(|note| note.is_of(test))
            .map(|note| note.why.clone())
    }

    fn new(
        package: &str,
        target: &str,
        arguments: Vec<String>,
        listed: &str,
        catalog: &Catalog,
    ) -> TestProgram {
        let here = catalog
            .tests
            .iter()
            .filter(|test| test.package == package && test.target == target);
        let known: BTreeMap<&str, &Listed> = here.map(|test| (test.name.as_str(), test)).collect();
        let names = listed
            .lines()
            .filter_map(|line| line.strip_suffix(": test"));
        let mut tests: Vec<ProgramTest> = names
            .map(|name| {
                let listed = known.get(name).map(|listed| (*listed).clone());
                let kind = listed.as_ref().map_or(Kind::Unit, |listed| listed.kind);
                ProgramTest {
                    name: name.to_owned(),
                    kind,
                    listed,
                }
            })
            .collect();
        // Every program with test functions ends its list with `3 tests, 0 benchmarks`.
        let has_tests = listed
            .lines()
            .any(|line| line.contains(" tests, ") || line.contains(" test, "));
        if !has_tests {
            tests.push(ProgramTest {
                name: target.to_owned(),
                kind: Kind::Unit,
                listed: None,
            });
        }
        TestProgram {
            package: package.to_owned(),
            target: target.to_owned(),
            arguments,
            tests,
            has_tests,
        }
    }
}

fn arguments_of(package_id: String, target: &str) -> Vec<String> {
    let (kind, name) = target.rsplit_once(' ').unwrap_or(("lib", target));
    let mut arguments = vec!["--package".to_owned(), package_id];
    match kind {
        "bin" | "test" | "example" | "bench" => {
            arguments.extend([format!("--{kind}"), name.to_owned()])
        }
        _ => arguments.push("--lib".to_owned()),
    }
    arguments
}

fn chunks<'a, 'b>(names: &'a [&'b str]) -> Vec<&'a [&'b str]> {
    let mut chunks = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, name) in names.iter().enumerate() {
        if bytes + name.len() > LONGEST_COMMAND {
            chunks.push(&names[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += name.len() + 1;
    }
    chunks.push(&names[start..]);
    chunks
}

/// Returns the output of a test that ended its process, with the signal, and without cargo's own
/// messages.
fn output_of_ended_test(stderr: &str) -> String {
    let signal = stderr
        .lines()
        .rev()
        .find_map(|line| Some(line.rsplit_once(" (signal: ")?.1.trim_end_matches(')')));
    let how = signal.map_or("the test ended its process\n".to_owned(), |signal| {
        format!("the test ended its process by signal {signal}\n")
    });
    let own = without_cargo_messages(stderr);
    if own.is_empty() {
        how
    } else {
        format!("{how}{own}\n")
    }
}

/// Returns what test programs wrote to standard error, without cargo's own messages.
fn without_cargo_messages(stderr: &str) -> &str {
    let begins = ["     Running ", "   Doc-tests "]
        .iter()
        .filter_map(|words| stderr.split_once(words))
        .next();
    let after = begins
        .and_then(|(_, rest)| rest.split_once('\n'))
        .map_or(stderr, |(_, rest)| rest);
    after
        .split("error: test failed")
        .next()
        .unwrap_or_default()
        .split("error: doctest failed")
        .next()
        .unwrap_or_default()
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doctests_are_selected_by_a_word_because_their_names_have_spaces() {
        let program = |kind: Kind, names: &[&str]| TestProgram {
            package: "library".to_owned(),
            target: "lib library".to_owned(),
            arguments: Vec::new(),
            tests: names
                .iter()
                .map(|name| ProgramTest {
                    name: (*name).to_owned(),
                    kind,
                    listed: None,
                })
                .collect(),
            has_tests: true,
        };
        let name = "src/map.rs - map::Entry<'a>::key (line 663)";
        let doc = program(Kind::Doc, &[name, "src/lib.rs - (line 3)"]);
        assert_eq!(doc.selection(&[name]), ["map::Entry<'a>::key"]);
        let unit = program(Kind::Unit, &["tests::a", "tests::b"]);
        assert_eq!(unit.selection(&["tests::a"]), ["--exact", "tests::a"]);
    }

    #[test]
    fn tests_whose_lines_are_lost_are_told_by_the_summary() {
        let ended = |stdout: &str, names: &[&str]| {
            let mut transcript = Transcript::default();
            transcript.read(stdout, std::time::Duration::ZERO);
            with_unseen(transcript, names, stdout)
        };
        let (passes, fails) = (
            |name: &str| (name.to_owned(), Outcome::Passed),
            |name: &str| (name.to_owned(), Outcome::Failed),
        );
        let stdout = "running 2 tests\nno end of linetest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed;\n";
        assert_eq!(ended(stdout, &["a", "b"]), [passes("b"), passes("a")]);
        let stdout = "running 2 tests\nF.\nfailures:\n\nfailures:\n    a\n\ntest result: FAILED. 1 passed; 1 failed;\n";
        assert_eq!(ended(stdout, &["a", "b"]), [fails("a"), passes("b")]);
        let ignored = "running 1 test\n\ntest result: ok. 0 passed; 0 failed; 1 filtered out;\n";
        assert_eq!(ended(ignored, &["a"]), [], "it has not run");
    }

    #[test]
    fn what_cargo_cannot_run_is_no_test_that_failed() {
        let finished = |stdout: &str, stderr: &str| Finished {
            status: Default::default(),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            took: Default::default(),
            timed_out: false,
            stopped: false,
            exceeded: None,
        };
        let (built, failed) = (
            "{\"reason\":\"build-finished\",\"success\":true}\n",
            "{\"reason\":\"build-finished\",\"success\":false}\n",
        );
        assert_eq!(
            after_build(&finished(&format!("{built}running 1 test\n"), "")).unwrap(),
            "running 1 test\n"
        );
        let says = |finished: Finished| after_build(&finished).unwrap_err().to_string();
        assert_eq!(
            says(finished("", "error: ambiguous\n")),
            "cargo cannot run the tests:\nerror: ambiguous"
        );
        assert!(
            says(finished(failed, "error: could not compile `x`"))
                .ends_with("could not compile `x`")
        );
        assert!(
            says(finished(
                built,
                "could not execute process `qemu x` (never executed)"
            ))
            .contains("qemu")
        );
    }

    #[test]
    fn of_a_crash_the_signal_and_the_last_words_are_kept() {
        let said = "    Finished `test` profile\n     Running tests/a.rs (path)\noh no\nerror: test failed, to rerun pass `--test a`\n\n\
                    Caused by:\n  process didn't exit successfully: `path` (signal: 6, SIGABRT: process abort signal)\n";
        let expected =
            "the test ended its process by signal 6, SIGABRT: process abort signal\noh no\n";
        assert_eq!(output_of_ended_test(said), expected);
    }

    #[test]
    fn long_lists_of_names_are_cut_and_nothing_is_lost() {
        let name = "x".repeat(999);
        let names = vec![name.as_str(); 250];
        let chunks = chunks(&names);
        assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk.len() <= 100));
        assert_eq!(chunks.iter().map(|chunk| chunk.len()).sum::<usize>(), 250);
    }

    #[test]
    fn a_program_without_tests_of_its_own_is_one_test() {
        let program = TestProgram::new(
            "p",
            "test own_main",
            Vec::new(),
            "hello\n",
            &Catalog::default(),
        );
        assert_eq!(
            (program.tests.len(), program.tests[0].name.as_str()),
            (1, "test own_main")
        );
        let program = TestProgram::new(
            "p",
            "lib p",
            Vec::new(),
            "a: test\n\n1 test, 0 benchmarks\n",
            &Catalog::default(),
        );
        assert_eq!(
            (program.tests.len(), program.tests[0].name.as_str()),
            (1, "a")
        );
    }
}
