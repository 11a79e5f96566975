//! The test programs of a workspace: built once, asked for their tests, and run through cargo.

use super::catalog::{Catalog, Kind, Listed};
use super::skips::{Note, Skips};
use crate::fault;
use crate::mutate::build::compiler_libraries;
use crate::mutate::suite::{Outcome, Transcript, with_libraries};
use crate::process::{self, Next};
use crate::record::outcomes;
use crate::workspace::{Workspace, cargo};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// So many bytes of names go into one command; systems take a little more.
const LONGEST_COMMAND: usize = 100_000;

/// A test program, and the tests in it.
#[derive(Clone, Debug)]
pub struct TestProgram {
    /// The package.
    pub package: String,
    /// Its kind and name: `lib situ`.
    pub target: String,
    /// How cargo is told to run it.
    arguments: Vec<String>,
    /// Its tests.
    pub tests: Vec<ProgramTest>,
    /// Whether it is made of `#[test]` functions; else it is one test.
    has_tests: bool,
}

/// A test of a program.
#[derive(Clone, Debug)]
pub struct ProgramTest {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where it stands, where the sources show it.
    pub listed: Option<Listed>,
}

/// What is said of a test that ran.
#[derive(Clone, Debug)]
pub struct Said {
    /// How it ended.
    pub outcome: Outcome,
    /// What it printed, where it failed.
    pub output: String,
    /// How long it took, where that is known.
    pub seconds: Option<f64>,
    /// The assumption that ended it before anything was checked.
    pub skipped: Option<String>,
}

impl Said {
    /// A test that failed.
    fn failed(output: String) -> Said {
        Said { outcome: Outcome::Failed, output, seconds: None, skipped: None }
    }
}

/// A workspace that is built for its tests.
pub struct Programs {
    root: PathBuf,
    target: PathBuf,
    /// Where tests note what becomes of them.
    pub(super) runs: PathBuf,
    /// The programs, in the order of their names.
    pub all: Vec<TestProgram>,
}

impl Programs {
    /// Builds all test programs, and asks each for its tests.
    pub fn build(workspace: &Workspace, catalog: &Catalog, with_doctests: bool) -> Result<Programs> {
        let (root, target) = (workspace.build_root()?, workspace.build_folder());
        let arguments = ["test".to_owned(), "--no-run".to_owned()];
        let built = outcomes::build(workspace, &root, &target, None, &arguments)?;
        let built = built.map_err(|said| fault::user_code(format!("the tests do not compile\n{said}")))?;
        let libraries = compiler_libraries()?;
        let mut programs = Programs { root, target, runs: workspace.situ_folder().join("runs"), all: Vec::new() };
        for program in built.tests {
            let Some((package, target)) = program.name.split_once(' ') else { continue };
            let mut command = Command::new(&program.path);
            command.arg("--list").current_dir(&program.folder);
            with_libraries(&mut command, &program.path, &libraries);
            let listed = process::run(&mut command, None)?.stdout;
            let arguments = arguments_of(package, target);
            programs.all.push(TestProgram::new(package, target, arguments, &listed, catalog));
        }
        if with_doctests {
            programs.add_doctests(workspace, catalog)?;
        }
        Ok(programs)
    }

    fn add_doctests(&mut self, workspace: &Workspace, catalog: &Catalog) -> Result<()> {
        for package in workspace.packages() {
            let Some(library) = package.targets.iter().find(|target| target.doctest && target.kind != ["bin".into()])
            else {
                continue;
            };
            let arguments = vec!["--package".to_owned(), package.name.to_string(), "--doc".to_owned()];
            let mut command = self.cargo(&arguments);
            command.args(["--", "--list"]);
            let listed = process::run(&mut command, None)?.stdout;
            let target = format!("doc {}", library.name);
            let mut program = TestProgram::new(&package.name, &target, arguments, &listed, catalog);
            program.tests.iter_mut().for_each(|test| test.kind = Kind::Doc);
            self.all.extend(Some(program).filter(|program| program.has_tests));
        }
        Ok(())
    }

    /// `cargo test` with these arguments, as a user would call it, but built in Situ's own folder.
    pub fn cargo(&self, arguments: &[String]) -> Command {
        let mut command = cargo();
        command.arg("test").args(arguments).current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// `cargo nextest run`, for the same build.
    pub fn nextest(&self) -> Command {
        let mut command = cargo();
        command.args(["nextest", "run"]).current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// Runs these tests of a program; `ended` is told of each at once, and in the end what all of them said is given.
    pub fn run(
        &self,
        program: &TestProgram,
        names: &[&str],
        threads: Option<usize>,
        ended: &mut dyn FnMut(&str, Outcome),
    ) -> Result<BTreeMap<String, Said>> {
        let mut all = BTreeMap::new();
        for names in chunks(names) {
            all.extend(self.run_some(program, names, threads, ended)?);
        }
        // A test that ends the process takes those with it that had not run yet: they get another chance, each alone.
        let missing: Vec<&str> = names.iter().copied().filter(|name| !all.contains_key(*name)).collect();
        for name in missing {
            let said = self.run_some(program, &[name], threads, &mut |_, _| {})?;
            let said = said.into_values().next();
            let said = said.unwrap_or_else(|| Said::failed("the test ended its process\n".to_owned()));
            ended(name, said.outcome);
            all.insert(name.to_owned(), said);
        }
        Ok(all)
    }

    fn run_some(
        &self,
        program: &TestProgram,
        names: &[&str],
        threads: Option<usize>,
        ended: &mut dyn FnMut(&str, Outcome),
    ) -> Result<BTreeMap<String, Said>> {
        let mut command = self.cargo(&program.arguments);
        command.stderr(Stdio::piped());
        if program.has_tests {
            command.arg("--");
            command.args(threads.map(|threads| format!("--test-threads={threads}")));
            if names.len() < program.tests.len() {
                command.arg("--exact").args(names);
            }
        }
        let skips = Skips::of(&mut command, &self.runs);
        let mut transcript = Transcript::default();
        let finished = process::stream(&mut command, None, |piece, at| {
            let before = transcript.ended.len();
            transcript.read(piece, at);
            transcript.ended[before..].iter().for_each(|(name, outcome, _)| ended(name, *outcome));
            Next::Continue
        })?;
        if !program.has_tests {
            return Ok(whole_program(names, finished.status.success(), finished.stdout + &finished.stderr, ended));
        }
        let mut outputs = outputs(&finished.stdout);
        let notes = skips.read();
        let said = transcript.ended.into_iter().map(|(name, outcome, _)| {
            let output = outputs.remove(&name).unwrap_or_default();
            let skipped = program.skipped(&name, &notes);
            (name, Said { outcome, output, seconds: None, skipped })
        });
        let mut said: BTreeMap<String, Said> = said.collect();
        if let ([name], false) = (names, finished.status.success())
            && !said.contains_key(*name)
        {
            let output = last_words(&finished.stderr);
            said.insert((*name).to_owned(), Said::failed(output));
        }
        Ok(said)
    }
}

fn whole_program(
    names: &[&str],
    succeeded: bool,
    output: String,
    ended: &mut dyn FnMut(&str, Outcome),
) -> BTreeMap<String, Said> {
    let outcome = if succeeded { Outcome::Passed } else { Outcome::Failed };
    let output = if succeeded { String::new() } else { output };
    names.iter().for_each(|name| ended(name, outcome));
    let said = |output| Said { outcome, output, seconds: None, skipped: None };
    names.iter().map(|name| ((*name).to_owned(), said(output.clone()))).collect()
}

impl TestProgram {
    /// Why a test was skipped, if it noted that it was.
    pub fn skipped(&self, name: &str, notes: &[Note]) -> Option<String> {
        let test = self.tests.iter().find(|test| test.name == name).filter(|_| !notes.is_empty())?;
        notes.iter().find(|note| note.is_of(test)).map(|note| note.why.clone())
    }

    fn new(package: &str, target: &str, arguments: Vec<String>, listed: &str, catalog: &Catalog) -> TestProgram {
        let here = catalog.tests.iter().filter(|test| test.package == package && test.target == target);
        let known: BTreeMap<&str, &Listed> = here.map(|test| (test.name.as_str(), test)).collect();
        let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let mut tests: Vec<ProgramTest> = names
            .map(|name| {
                let listed = known.get(name).map(|listed| (*listed).clone());
                let kind = listed.as_ref().map_or(Kind::Unit, |listed| listed.kind);
                ProgramTest { name: name.to_owned(), kind, listed }
            })
            .collect();
        // The closing line of every program that is made of tests: `3 tests, 0 benchmarks`.
        let has_tests = listed.lines().any(|line| line.contains(" tests, ") || line.contains(" test, "));
        if !has_tests {
            tests.push(ProgramTest { name: target.to_owned(), kind: Kind::Unit, listed: None });
        }
        TestProgram { package: package.to_owned(), target: target.to_owned(), arguments, tests, has_tests }
    }
}

fn arguments_of(package: &str, target: &str) -> Vec<String> {
    let (kind, name) = target.rsplit_once(' ').unwrap_or(("lib", target));
    let mut arguments = vec!["--package".to_owned(), package.to_owned()];
    match kind {
        "bin" | "test" | "example" | "bench" => arguments.extend([format!("--{kind}"), name.to_owned()]),
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

/// What a test said that ended its process, with the signal, and without what cargo says about itself.
fn last_words(stderr: &str) -> String {
    let signal = stderr.lines().rev().find_map(|line| Some(line.rsplit_once(" (signal: ")?.1.trim_end_matches(')')));
    let how = signal.map_or("the test ended its process\n".to_owned(), |signal| {
        format!("the test ended its process by signal {signal}\n")
    });
    let after =
        stderr.split_once("     Running ").and_then(|(_, rest)| rest.split_once('\n')).map_or(stderr, |(_, rest)| rest);
    let own = after.split("error: test failed").next().unwrap_or_default().trim();
    if own.is_empty() { how } else { format!("{how}{own}\n") }
}

/// What failed tests printed: the runner shows it after all have run.
fn outputs(stdout: &str) -> BTreeMap<String, String> {
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in stdout.lines() {
        let head = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        match (head, current) {
            (Some(name), _) => current = Some(name.strip_suffix(" - should panic").unwrap_or(name)),
            (None, Some(_)) if line == "failures:" || line.starts_with("test result: ") => current = None,
            (None, Some(name)) => {
                let output = outputs.entry(name.to_owned()).or_default();
                output.push_str(line);
                output.push('\n');
            }
            (None, None) => {}
        }
    }
    outputs.into_iter().map(|(name, output)| (name, format!("{}\n", output.trim_matches('\n')))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failed_test_gets_its_own_output() {
        let stdout = "running 2 tests\ntest a ... FAILED\ntest b ... FAILED\n\nfailures:\n\n---- a stdout ----\none\n\n\
                      ---- b stdout ----\ntwo\nthree\n\n\nfailures:\n    a\n    b\n\ntest result: FAILED. 0 passed; 2 failed\n";
        let found = outputs(stdout);
        assert_eq!((found["a"].as_str(), found["b"].as_str()), ("one\n", "two\nthree\n"));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn of_a_crash_the_signal_and_the_last_words_are_kept() {
        let said = "    Finished `test` profile\n     Running tests/a.rs (path)\noh no\nerror: test failed, to rerun pass `--test a`\n\n\
                    Caused by:\n  process didn't exit successfully: `path` (signal: 6, SIGABRT: process abort signal)\n";
        let expected = "the test ended its process by signal 6, SIGABRT: process abort signal\noh no\n";
        assert_eq!(last_words(said), expected);
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
        let program = TestProgram::new("p", "test own_main", Vec::new(), "hello\n", &Catalog::default());
        assert_eq!((program.tests.len(), program.tests[0].name.as_str()), (1, "test own_main"));
        let program =
            TestProgram::new("p", "lib p", Vec::new(), "a: test\n\n1 test, 0 benchmarks\n", &Catalog::default());
        assert_eq!((program.tests.len(), program.tests[0].name.as_str()), (1, "a"));
    }
}
