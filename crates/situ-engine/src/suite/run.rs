//! Builds the tests of a workspace, runs the selected ones, and reports each.

use super::choose::{Kinds, Selection};
use super::event::{Ended, Event, Outcome, Summary};
use super::nextest;
use crate::base::output_lines::bounded;
use crate::base::user_error;
use crate::base::words;
use crate::cargo::workspace::{SecretNames, Workspace};
use crate::programs::catalog::Catalog;
use crate::programs::harness;
use crate::programs::workspace_programs::{ProgramTest, Programs, RunOptions, Said, TestProgram};
use crate::record::masking::Masking;
use anyhow::Result;
use std::collections::BTreeMap;
use std::time::Instant;

/// Maximum number of bytes kept of a test's output.
const LONGEST_OUTPUT: usize = 1 << 20;

/// Program that runs the tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runner {
    #[default]
    Cargo,
    Nextest,
}

/// Arguments of `cargo situ test`.
#[derive(Clone, Debug)]
pub struct Request {
    pub asked: Selection,
    /// Number of runs of each test.
    pub repeat: usize,
    /// Number of tests at once; the runner's default if `None`.
    pub threads: Option<usize>,
    pub runner: Runner,
    /// Whether to run doctests too, unless the selection excludes them.
    pub doctests: bool,
    /// Additional arguments for the test programs. If there are any, the programs' output is passed
    /// on.
    pub arguments: Vec<String>,
}

/// Result of a test run.
pub struct Report {
    /// Tests, the failed ones first.
    pub tests: Vec<Ended>,
    pub summary: Summary,
}

impl Report {
    /// Returns the report without the secrets in the tests' output.
    pub fn masked(&self, names: &SecretNames) -> Report {
        let masking = Masking::new(names);
        self.tests
            .iter()
            .for_each(|test| masking.learn(&test.output));
        let masked = |test: &Ended| Ended {
            output: masking.masked(&test.output).into_owned(),
            ..test.clone()
        };
        Report {
            tests: self.tests.iter().map(masked).collect(),
            summary: self.summary.clone(),
        }
    }
}

/// Builds all tests, runs the selected ones in their order, and reports each through `watch`.
pub fn run(workspace: &Workspace, request: &Request, watch: &dyn Fn(Event<'_>)) -> Result<Report> {
    let started = Instant::now();
    if request.runner == Runner::Nextest && !nextest::is_present() {
        return Err(user_error::input(
            "cargo-nextest is not installed; `cargo install cargo-nextest`, or leave out `--runner nextest`",
        ));
    }
    let catalog = Catalog::read(workspace)?;
    request.asked.check(&catalog.tests)?;
    watch(Event::Step("building the tests"));
    // nextest runs no doctests, and no in-situ test is a doctest.
    let doctests = request.doctests
        && request.asked.kinds != Kinds::OnlyInSitu
        && request.runner == Runner::Cargo;
    let programs = Programs::build(workspace, &catalog, doctests)?;
    let session = Session {
        programs: &programs,
        request,
        watch,
    };
    let mut summary = Summary::default();
    let (tests, of) = session.run()?;
    summary.not_asked_for = of - tests.len();
    tests.iter().for_each(|test| summary.add(test));
    if tests.is_empty() && of > 0 {
        let there = words::count(of, "test");
        return Err(user_error::input(format!(
            "the selection matches none of {there}; `cargo situ list` shows all"
        )));
    }
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(Report { tests, summary })
}

struct Session<'a> {
    programs: &'a Programs,
    request: &'a Request,
    watch: &'a dyn Fn(Event<'_>),
}

/// Results of a test's runs so far.
#[derive(Default)]
struct Runs {
    runs: usize,
    failures: usize,
    ignored: bool,
    /// Number of runs that an assumption ended before anything was checked.
    skips: usize,
    why_skipped: String,
    output: String,
    seconds: Option<f64>,
}

impl Runs {
    fn add(&mut self, said: Said) {
        self.runs += 1;
        self.ignored = said.outcome == harness::Outcome::Ignored;
        if let Some(why) = said
            .skipped
            .filter(|_| said.outcome == harness::Outcome::Passed)
        {
            self.skips += 1;
            self.why_skipped = why;
        }
        self.seconds = said
            .seconds
            .map(|seconds| self.seconds.unwrap_or(0.0) + seconds);
        if said.outcome == harness::Outcome::Failed {
            self.failures += 1;
            // The output of one failure is enough.
            if self.output.is_empty() {
                self.output = bounded(said.output, LONGEST_OUTPUT);
            }
        }
    }
}

impl Session<'_> {
    /// Runs all selected tests. Also returns how many tests there are.
    fn run(&self) -> Result<(Vec<Ended>, usize)> {
        let asked = &self.request.asked;
        let mut groups: BTreeMap<usize, Vec<(usize, Vec<&str>)>> = BTreeMap::new();
        let (mut chosen, mut of) = (0, 0);
        for (at, program) in self.programs.all.iter().enumerate() {
            of += program.tests.len();
            for test in &program.tests {
                if asked.takes(&test.name, test.listed.as_ref()) {
                    chosen += 1;
                    let group = groups.entry(asked.group(test.listed.as_ref())).or_default();
                    match group.last_mut().filter(|(last, _)| *last == at) {
                        Some((_, names)) => names.push(&test.name),
                        None => group.push((at, vec![&test.name])),
                    }
                }
            }
        }
        let mut runs: BTreeMap<(usize, String), Runs> = BTreeMap::new();
        let (mut done, mut failed) = (0, 0);
        let mut count = |outcome: harness::Outcome| {
            done += 1;
            failed += usize::from(outcome == harness::Outcome::Failed);
            (self.watch)(Event::Advanced {
                done,
                of: chosen * self.request.repeat,
                failed,
            });
        };
        for group in groups.values() {
            for _ in 0..self.request.repeat {
                self.run_group(group, &mut count, &mut runs)?;
            }
        }
        let mut ended: Vec<Ended> = Vec::new();
        for ((at, name), runs) in runs {
            let program = &self.programs.all[at];
            let Some(test) = program.tests.iter().find(|test| test.name == name) else {
                continue;
            };
            ended.push(end(program, test, runs));
        }
        ended.sort_by_key(|test| test.outcome);
        ended
            .iter()
            .for_each(|test| (self.watch)(Event::Ended(test)));
        Ok((ended, of))
    }

    fn run_group(
        &self,
        group: &[(usize, Vec<&str>)],
        count: &mut dyn FnMut(harness::Outcome),
        runs: &mut BTreeMap<(usize, String), Runs>,
    ) -> Result<()> {
        let mut ended = |_: &str, outcome| count(outcome);
        let said = |line: &str| (self.watch)(Event::Said(line));
        let options = RunOptions {
            threads: self.request.threads,
            arguments: &self.request.arguments,
            said: &said,
        };
        if self.request.runner == Runner::Nextest {
            for (key, said) in nextest::run(self.programs, group, &options, &mut ended)? {
                runs.entry(key).or_default().add(said);
            }
            return Ok(());
        }
        for (at, names) in group {
            (self.watch)(Event::Step(&format!(
                "running {}",
                self.programs.all[*at].target
            )));
            let said = self
                .programs
                .run(&self.programs.all[*at], names, &options, &mut ended)?;
            for (name, said) in said {
                runs.entry((*at, name)).or_default().add(said);
            }
        }
        Ok(())
    }
}

fn end(program: &TestProgram, test: &ProgramTest, runs: Runs) -> Ended {
    let listed = test.listed.as_ref();
    let (outcome, output) = match (runs.failures, runs.ignored) {
        (1.., _) => (Outcome::Failed, runs.output),
        (_, true) => (Outcome::Ignored, runs.output),
        _ if runs.skips == runs.runs => (Outcome::Skipped, runs.why_skipped),
        _ => (Outcome::Passed, runs.output),
    };
    Ended {
        name: test.name.clone(),
        kind: test.kind,
        package: program.package.clone(),
        target: program.target.clone(),
        file: listed.map(|listed| listed.file.clone()),
        line: listed.map(|listed| listed.line),
        about: listed.map(|listed| (listed.first_line, listed.last_line)),
        tags: listed.map(|listed| listed.tags.clone()).unwrap_or_default(),
        outcome,
        runs: runs.runs,
        failures: runs.failures,
        output,
        seconds: runs.seconds,
    }
}
