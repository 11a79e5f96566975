//! Baseline: the tests without any mutant, what each reaches and costs, and whether it is reliable.

use super::reach::{Reached, Record};
use crate::base::parallel::in_parallel;
use crate::base::process::{Finished, Limit, sandbox};
use crate::base::user_error;
use crate::programs::failing::{FailingTest, FailingTests, Failure, outputs};
use crate::programs::harness::{
    Harness, Outcome, Switch, Transcript, WHOLE_PROGRAM, Workplace, has_passed, is_whole, run_tests,
};
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Test with its measurements.
#[derive(Clone, Debug, Default)]
pub struct Test {
    /// Index of the program.
    pub program: usize,
    /// Name of the test in its program.
    pub name: String,
    /// Number of tests before this one in the program, including ignored ones.
    pub position: usize,
    pub time: Duration,
    /// Sites that the test reached.
    pub reached: Reached,
    /// Whether the test both failed and passed without any mutant.
    pub fails_sometimes: bool,
    /// Whether two runs reached different sites.
    pub varies: bool,
    /// Whether the test passes only if it is alone in its process.
    pub is_apart: bool,
}

/// Tests that pass without mutants, and the number of processes that may run at once.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// Tests that pass.
    pub tests: Vec<Test>,
    /// Number of processes that the test suite tolerates at once.
    pub workers: usize,
}

/// Runs the test suite without mutants, each program twice and concurrently with itself, as mutants
/// will be. `filter` selects tests whose name contains it.
pub(crate) fn measure(
    programs: &[Program],
    folder: &Path,
    filter: Option<&str>,
    cores: usize,
) -> Result<Baseline> {
    fs::create_dir_all(folder).context("creating the tests' folder")?;
    let mut runs = in_parallel(cores, programs.len() * 2, |worker, job| {
        Run::execute(&programs[job / 2], &Workplace::new(folder, worker)?, job)
    })
    .into_iter();
    let mut baseline = Baseline {
        tests: Vec::new(),
        workers: cores,
    };
    for (number, program) in programs.iter().enumerate() {
        let (Some(first), Some(second)) = (runs.next(), runs.next()) else {
            break;
        };
        let mut measured = Measured {
            program,
            number,
            unstable: BTreeSet::new(),
            bears_itself: true,
            cores,
            folder,
        };
        let tests = match measured.tests([first?, second?]) {
            Ok(tests) => tests,
            Err(error) => measured.tests_in_sandbox(error)?,
        };
        baseline.tests.extend(
            tests
                .into_iter()
                .filter(|test| filter.is_none_or(|filter| test.name.contains(filter))),
        );
        if !measured.bears_itself {
            baseline.workers = 1;
        }
    }
    Ok(baseline)
}

impl Baseline {
    /// Appends the baseline of further programs, whose indices start at `programs`.
    pub fn and(mut self, other: Baseline, programs: usize) -> Baseline {
        self.tests.extend(other.tests.into_iter().map(|test| Test {
            program: test.program + programs,
            ..test
        }));
        self.workers = self.workers.min(other.workers);
        self
    }

    /// Returns the tests that reach each of these mutants. `choices` maps the first mutant of each
    /// choice to its last.
    pub fn reached_by(
        &self,
        choices: &BTreeMap<u32, u32>,
        mutants: &BTreeSet<u32>,
    ) -> BTreeMap<u32, Vec<usize>> {
        let mut reached_by: BTreeMap<u32, Vec<usize>> =
            mutants.iter().map(|id| (*id, Vec::new())).collect();
        for (at, test) in self.tests.iter().enumerate() {
            for low in &test.reached.sites {
                let high = choices.get(low).copied().unwrap_or(*low);
                for (_, tests) in reached_by.range_mut(*low..=high) {
                    if tests.last() != Some(&at) {
                        tests.push(at);
                    }
                }
            }
        }
        reached_by
    }
}

/// Run of a program without mutants.
struct Run {
    names: Vec<String>,
    finished: Finished,
    transcript: Transcript,
    record: Record,
    /// Standard error of the process.
    errors: String,
}

impl Run {
    fn execute(program: &Program, place: &Workplace, job: usize) -> Result<Run> {
        let names = match program.harness {
            Harness::Doctest { .. } => vec![program.name.clone()],
            _ => Vec::new(),
        };
        let run = Run::execute_tests(program, names, place, job)?;
        if program.harness != Harness::Tests
            || run.transcript.is_through
            || !run.transcript.ended.is_empty()
        {
            return Ok(run);
        }
        // Its first test may have ended the process.
        if run.transcript.announced.is_some() && !list_tests(program)?.is_empty() {
            return Ok(run);
        }
        // The program gets no arguments, because it may not know them.
        Run::execute_tests(
            program,
            vec![format!("{WHOLE_PROGRAM}{}", program.name)],
            place,
            job,
        )
    }

    fn execute_tests(
        program: &Program,
        names: Vec<String>,
        place: &Workplace,
        job: usize,
    ) -> Result<Run> {
        let reach = place.folder.join(format!("reach-{job}"));
        let _ = fs::remove_file(&reach);
        let given: Vec<&str> = names.iter().map(String::as_str).collect();
        let (finished, transcript) = run_tests(
            program,
            &given,
            &Switch::Reach(&reach),
            place,
            Limit::None,
            false,
        )?;
        let errors = fs::read(place.errors()).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors).into_owned();
        Ok(Run {
            names,
            finished,
            transcript,
            record: Record::read(&reach),
            errors,
        })
    }

    /// Describes a test that failed in this run, or that ended it.
    fn failing(&self, program: &Program, name: &str, failure: Failure) -> FailingTest {
        let own = outputs(&self.finished.stdout).remove(name);
        // If the process ended or ran only this test, all of its output belongs to the test.
        let output =
            own.unwrap_or_else(
                || match failure == Failure::Fails && !self.names.is_empty() {
                    true => self.errors.clone(),
                    false => without_results(&self.finished.stdout) + &self.errors,
                },
            );
        FailingTest {
            program: program.name.clone(),
            name: name.to_owned(),
            failure,
            output,
        }
    }

    /// Returns the tests that did not pass, or the program itself if it does not say which.
    fn failed(&self, program: &Program) -> BTreeSet<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        if has_passed(program, &names, &self.finished, &self.transcript) {
            return BTreeSet::new();
        }
        let failed = self
            .transcript
            .failed()
            .map(str::to_owned)
            .chain(self.transcript.running.clone());
        let failed: BTreeSet<String> = failed.chain(self.names.iter().cloned()).collect();
        if failed.is_empty() {
            BTreeSet::from([program.name.clone()])
        } else {
            failed
        }
    }

    /// Returns whether a run of all tests left some of them without an outcome.
    fn is_cut_short(&self, program: &Program) -> bool {
        program.harness == Harness::Tests && self.names.is_empty() && !self.transcript.is_complete()
    }
}

/// Returns a program's output without the lines of its test runner.
fn without_results(stdout: &str) -> String {
    let is_result =
        |line: &str| line.is_empty() || line.starts_with("running ") || line.starts_with("test ");
    stdout
        .lines()
        .filter(|line| !is_result(line))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Program whose tests are being measured.
struct Measured<'a> {
    program: &'a Program,
    number: usize,
    unstable: BTreeSet<String>,
    bears_itself: bool,
    cores: usize,
    folder: &'a Path,
}

impl Measured<'_> {
    /// Returns the tests of the program, given two runs of all of them.
    fn tests(&mut self, runs: [Run; 2]) -> Result<Vec<Test>> {
        let is_doubtful =
            |run: &Run| !run.failed(self.program).is_empty() || run.is_cut_short(self.program);
        if !runs.iter().any(is_doubtful) {
            return self.tests_of(&runs);
        }
        let place = Workplace::new(self.folder, 0)?;
        let undisturbed = [
            Run::execute(self.program, &place, 0)?,
            Run::execute(self.program, &place, 0)?,
        ];
        if undisturbed.iter().any(|run| run.is_cut_short(self.program)) {
            return self.tests_apart(&place);
        }
        let undisturbed = self.compared(&runs, undisturbed, &place)?;
        self.tests_of(&undisturbed)
    }

    /// Classifies failures. A test that passes when nothing else runs does not tolerate concurrent
    /// processes. One that passes sometimes is flaky. One that never passes is the user's error.
    /// Returns the runs without concurrent processes.
    fn compared(
        &mut self,
        runs: &[Run; 2],
        mut undisturbed: [Run; 2],
        place: &Workplace,
    ) -> Result<[Run; 2]> {
        let beside: BTreeSet<String> = runs
            .iter()
            .flat_map(|run| run.failed(self.program))
            .collect();
        let [once, again] = [&undisturbed[0], &undisturbed[1]].map(|run| run.failed(self.program));
        let mut failing = Vec::new();
        for name in once.intersection(&again) {
            if self.program.harness != Harness::Tests
                || is_whole(&[name])
                || *name == self.program.name
            {
                failing.push(undisturbed[0].failing(self.program, name, Failure::WholeProgram));
                continue;
            }
            let alone = Run::execute_tests(self.program, vec![name.clone()], place, 0)?;
            match alone.failed(self.program).is_empty() {
                // The failed run may have reached nothing.
                true => undisturbed[1].record.absorb(alone.record),
                false => failing.push(alone.failing(self.program, name, Failure::Fails)),
            }
        }
        if !failing.is_empty() {
            return Err(FailingTests(failing).into());
        }
        self.unstable = once.union(&again).cloned().collect();
        match self.cores {
            1 => self.unstable.extend(beside),
            _ => self.bears_itself = beside.is_subset(&self.unstable),
        }
        Ok(undisturbed)
    }

    /// Combines two runs into the program's tests.
    fn tests_of(&self, runs: &[Run; 2]) -> Result<Vec<Test>> {
        let [first, second] = runs;
        if let Some(name) = first.names.first() {
            let time = first.finished.took.min(second.finished.took);
            return Ok(vec![self.test(
                (0, name),
                time,
                first.record.of_all(),
                second.record.of_all(),
            )]);
        }
        let (times, times_again) = (first.transcript.times(), second.transcript.times());
        let mut tests = Vec::new();
        for (position, (name, outcome, _)) in first.transcript.ended.iter().enumerate() {
            if *outcome == Outcome::Ignored {
                continue;
            }
            // Other load only makes a run longer, so the shorter time is better.
            let time = times
                .get(name.as_str())
                .into_iter()
                .chain(times_again.get(name.as_str()))
                .min();
            let (reached, again) = (first.record.of_thread(name), second.record.of_thread(name));
            tests.push(self.test(
                (position, name),
                time.copied().unwrap_or_default(),
                reached,
                again,
            ));
        }
        if first.record.has_others(&first.transcript) && self.program.harness == Harness::Tests {
            self.measure_each(&mut tests)?;
        }
        Ok(tests)
    }

    fn test(
        &self,
        (position, name): (usize, &str),
        time: Duration,
        reached: Reached,
        again: Reached,
    ) -> Test {
        Test {
            program: self.number,
            name: name.to_owned(),
            position,
            time,
            fails_sometimes: self.unstable.contains(name),
            varies: reached != again,
            reached: reached.union(again),
            is_apart: false,
        }
    }

    /// Runs each test in its own process, so that everything reached there, in any thread or child
    /// process, belongs to it.
    fn measure_each(&self, tests: &mut [Test]) -> Result<()> {
        let names: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
        for (test, run) in tests.iter_mut().zip(self.run_each(&names)) {
            test.reached = run?.record.of_all();
        }
        Ok(())
    }

    fn run_each(&self, names: &[String]) -> Vec<Result<Run>> {
        in_parallel(self.cores, names.len(), |worker, at| {
            Run::execute_tests(
                self.program,
                vec![names[at].clone()],
                &Workplace::new(self.folder, worker)?,
                0,
            )
        })
    }

    /// Runs each test in its own process, for a program that ends before all tests have an outcome.
    /// A test that ends its process here too has no outcome: it is not known whether it passes.
    fn tests_apart(&self, place: &Workplace) -> Result<Vec<Test>> {
        let names = list_tests(self.program)?;
        let names: Vec<String> = names
            .into_iter()
            .filter(|name| !self.program.left_out.contains(name))
            .collect();
        let (mut tests, mut failing) = (Vec::new(), Vec::new());
        for (position, (name, run)) in names.iter().zip(self.run_each(&names)).enumerate() {
            let mut run = run?;
            if !run.failed(self.program).is_empty() {
                // The test may not tolerate concurrent processes.
                run = Run::execute_tests(self.program, vec![name.clone()], place, 0)?;
            }
            if run.transcript.with(Outcome::Ignored).next().is_some() {
                continue;
            }
            if run.failed(self.program).is_empty() {
                let reached = run.record.of_all();
                let test = self.test(
                    (position, name),
                    run.finished.took,
                    reached.clone(),
                    reached,
                );
                tests.push(Test {
                    is_apart: true,
                    ..test
                });
            } else {
                let ends = Failure::EndsProcess(run.finished.status.code());
                let failure = if run.transcript.is_through {
                    Failure::Fails
                } else {
                    ends
                };
                failing.push(run.failing(self.program, name, failure));
            }
        }
        if failing.is_empty() {
            Ok(tests)
        } else {
            Err(FailingTests(failing).into())
        }
    }

    /// Returns the tests of the program without those in `names`, which are not run any more.
    fn without(&mut self, names: &BTreeSet<String>) -> Result<Vec<Test>> {
        if names
            .iter()
            .any(|name| is_whole(&[name]) || *name == self.program.name)
        {
            return Ok(Vec::new());
        }
        let left_out = self.program.left_out.iter().chain(names).cloned().collect();
        let program = Program {
            left_out,
            ..self.program.clone()
        };
        let place = Workplace::new(self.folder, 0)?;
        let runs = [
            Run::execute(&program, &place, 0)?,
            Run::execute(&program, &place, 0)?,
        ];
        let mut measured = Measured {
            program: &program,
            unstable: BTreeSet::new(),
            ..*self
        };
        let tests = measured.tests(runs)?;
        self.bears_itself &= measured.bears_itself;
        Ok(tests)
    }

    /// Returns the tests of the program if some have failed in the sandbox. Tests that pass outside
    /// of it are dropped, unless they pass once they may write to their folders below cargo's
    /// target folder. Otherwise returns the user's error.
    fn tests_in_sandbox(&mut self, error: anyhow::Error) -> Result<Vec<Test>> {
        let mut failing = error.downcast::<FailingTests>()?;
        let mut left_out = BTreeSet::new();
        // Each iteration drops a test, or allows writes to one more folder.
        loop {
            let watches = sandbox::watch_targets();
            if !sandbox::is_on() || !self.pass_outside(&failing)? {
                return Err(user_error::user_code(failing.to_string()));
            }
            if !sandbox::allow_changed(watches) {
                left_out.extend(failing.0.into_iter().map(|test| test.name));
            }
            match self.without(&left_out) {
                Ok(tests) => {
                    let program = &self.program.name;
                    left_out
                        .iter()
                        .for_each(|name| sandbox::note_left_out(&format!("{program}: {name}")));
                    return Ok(tests);
                }
                Err(error) => failing = error.downcast::<FailingTests>()?,
            }
        }
    }

    fn pass_outside(&self, failing: &FailingTests) -> Result<bool> {
        let mut place = Workplace::new(self.folder, 0)?;
        place.scratch = place.scratch.unconfined();
        for test in &failing.0 {
            let run = Run::execute_tests(self.program, vec![test.name.clone()], &place, 0)?;
            if !run.failed(self.program).is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::programs::shell_program::shell_program;

    /// Returns the tests of a program with these test functions, or the error message for those
    /// that fail.
    fn measured(tests: &[(&str, &str)]) -> Result<Vec<Test>, String> {
        let folder = tempfile::tempdir().unwrap();
        let program = shell_program(folder.path(), tests);
        let baseline = measure(&[program], &folder.path().join("places"), None, 1);
        baseline
            .map(|baseline| baseline.tests)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_test_that_ends_its_process_is_named_with_every_neighbour_that_fails() {
        let others = [("passes", "true"), ("fails", "false")];
        let fails = "the test `fails` of `program` fails before anything is changed";
        for (ends, said) in [
            ("exit 0", " with exit code 0"),
            ("exit 4", " with exit code 4"),
            ("kill -9 $$", ""),
        ] {
            let ends_process = format!(
                "the test `ends` of `program` ends its process{said}, so that it has no outcome"
            );
            let first = measured(&[[("ends", ends)].as_slice(), &others].concat()).unwrap_err();
            assert_eq!(first, format!("{ends_process}\n{fails}"));
            let last = measured(&[&others, [("ends", ends)].as_slice()].concat()).unwrap_err();
            assert_eq!(last, format!("{fails}\n{ends_process}"));
        }
    }

    #[test]
    fn a_failing_test_is_named_with_what_it_said() {
        let fails = |name: &str, said: &str| {
            format!("the test `{name}` of `program` fails before anything is changed{said}")
        };
        let panics = "printf 'FAILED\\n\\nfailures:\\n\\n---- panics stdout ----\\nleft: 1\\n\\ntest result: FAILED. 0 passed; 1 failed\\n'; exit 101";
        assert_eq!(
            measured(&[("panics", panics)]).unwrap_err(),
            fails("panics", ":\n    left: 1")
        );
        let ends = measured(&[("ends", "echo 'out of memory' >&2; exit 4")]).unwrap_err();
        assert!(ends.ends_with("no outcome:\n    out of memory"), "{ends}");
        let both = measured(&[("one", "false"), ("fine", "true"), ("two", "false")]).unwrap_err();
        assert_eq!(both, [fails("one", ""), fails("two", "")].join("\n"));
    }

    #[test]
    fn a_summary_that_tells_of_fewer_tests_than_were_announced_hides_no_failure() {
        let ends = (
            "ends",
            "echo ok; echo 'test result: ok. 1 passed; 0 failed;'; exit 0",
        );
        let said = measured(&[ends, ("fails", "false")]).unwrap_err();
        assert_eq!(
            said,
            "the test `fails` of `program` fails before anything is changed"
        );
    }

    #[test]
    fn tests_that_end_their_process_only_in_company_run_apart() {
        let tests = measured(&[
            ("first", "begun=yes"),
            ("second", "[ -z \"$begun\" ] || exit 0"),
        ])
        .unwrap();
        assert_eq!(
            tests
                .iter()
                .map(|test| (test.name.as_str(), test.is_apart))
                .collect::<Vec<_>>(),
            [("first", true), ("second", true)]
        );
    }

    #[test]
    fn a_program_that_is_not_made_of_tests_is_one_test_and_gets_no_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let program = shell_program(folder.path(), &[]);
        fs::remove_file(&program.path).unwrap();
        std::os::unix::fs::symlink("/bin/true", &program.path).unwrap();
        let tests = measure(&[program], &folder.path().join("places"), None, 1)
            .unwrap()
            .tests;
        assert_eq!(
            tests
                .iter()
                .map(|test| test.name.as_str())
                .collect::<Vec<_>>(),
            ["program program"]
        );
    }
}
