//! The baseline: the tests without any mutant, what each reaches and costs, and whether it can be relied on.

use super::build::Program;
use super::parallel::in_parallel;
use super::reach::{Reached, Record};
use super::suite::{Harness, Outcome, Switch, Transcript, WHOLE_PROGRAM, Workplace, has_passed, is_whole, run_tests};
use crate::fault;
use crate::process::{Finished, Limit};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A test, and what is known of it.
#[derive(Clone, Debug)]
pub struct Test {
    /// Which program it is in.
    pub program: usize,
    /// Its name there.
    pub name: String,
    /// How long it took.
    pub time: Duration,
    /// What it reached.
    pub reached: Reached,
    /// Whether it failed once without any mutant, or did not do the same twice.
    pub is_unstable: bool,
}

/// All tests, and how many processes may run at once.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The tests that pass.
    pub tests: Vec<Test>,
    /// How many processes the suite bears beside each other.
    pub workers: usize,
}

/// Runs the suite without mutants, each program twice and beside itself, as mutants will be. `filter` leaves only tests
/// whose name contains it.
pub fn measure(programs: &[Program], folder: &Path, filter: Option<&str>, cores: usize) -> Result<Baseline> {
    fs::create_dir_all(folder).context("making the tests' folder")?;
    let mut runs = in_parallel(cores, programs.len() * 2, |worker, job| {
        Run::of(&programs[job / 2], &Workplace::new(folder, worker)?, job)
    })
    .into_iter();
    let mut baseline = Baseline { tests: Vec::new(), workers: cores };
    for (number, program) in programs.iter().enumerate() {
        let (Some(first), Some(second)) = (runs.next(), runs.next()) else { break };
        let mut runs = [first?, second?];
        let place = Workplace::new(folder, 0)?;
        let mut measured = Measured { program, number, unstable: BTreeSet::new(), bears_itself: true };
        if runs.iter().any(|run| !run.failed(program).is_empty()) {
            runs = measured.try_alone(&runs, &place, cores)?;
        }
        let tests = measured.tests(&runs, cores, folder)?;
        baseline.tests.extend(tests.into_iter().filter(|test| filter.is_none_or(|filter| test.name.contains(filter))));
        if !measured.bears_itself {
            baseline.workers = 1;
        }
    }
    Ok(baseline)
}

impl Baseline {
    /// This baseline with that of further programs, which come behind so many.
    pub fn and(mut self, other: Baseline, programs: usize) -> Baseline {
        self.tests.extend(other.tests.into_iter().map(|test| Test { program: test.program + programs, ..test }));
        self.workers = self.workers.min(other.workers);
        self
    }

    /// The tests that reach each of these mutants. `choices` has the first number of each choice, and the last.
    pub fn reached_by(&self, choices: &BTreeMap<u32, u32>, mutants: &BTreeSet<u32>) -> BTreeMap<u32, Vec<usize>> {
        let mut reached_by: BTreeMap<u32, Vec<usize>> = mutants.iter().map(|id| (*id, Vec::new())).collect();
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

/// One run of a program without mutants.
struct Run {
    names: Vec<String>,
    finished: Finished,
    transcript: Transcript,
    record: Record,
}

impl Run {
    fn of(program: &Program, place: &Workplace, job: usize) -> Result<Run> {
        let names = match program.harness {
            Harness::Doctest { .. } => vec![program.name.clone()],
            _ => Vec::new(),
        };
        let run = Run::of_tests(program, names, place, job)?;
        let is_libtest = run.transcript.is_through || !run.transcript.ended.is_empty();
        if is_libtest || program.harness != Harness::Tests {
            return Ok(run);
        }
        // It is given no arguments that it may not know.
        Run::of_tests(program, vec![format!("{WHOLE_PROGRAM}{}", program.name)], place, job)
    }

    fn of_tests(program: &Program, names: Vec<String>, place: &Workplace, job: usize) -> Result<Run> {
        let reach = place.folder.join(format!("reach-{job}"));
        let _ = fs::remove_file(&reach);
        let given: Vec<&str> = names.iter().map(String::as_str).collect();
        let (finished, transcript) = run_tests(program, &given, &Switch::Reach(&reach), place, Limit::None, false)?;
        Ok(Run { names, finished, transcript, record: Record::read(&reach) })
    }

    /// The tests that did not pass; the program itself where it does not say which.
    fn failed(&self, program: &Program) -> BTreeSet<String> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        if has_passed(program, &names, &self.finished, &self.transcript) {
            return BTreeSet::new();
        }
        let failed = self.transcript.ended.iter().filter(|(_, outcome, _)| *outcome == Outcome::Failed);
        let failed = failed.map(|(name, ..)| name.clone()).chain(self.transcript.running.clone());
        let failed: BTreeSet<String> = failed.chain(self.names.iter().cloned()).collect();
        if failed.is_empty() { BTreeSet::from([program.name.clone()]) } else { failed }
    }
}

/// A program whose runs are looked at.
struct Measured<'a> {
    program: &'a Program,
    number: usize,
    unstable: BTreeSet<String>,
    bears_itself: bool,
}

impl Measured<'_> {
    /// Something failed. What passes when nothing runs beside it only cannot run beside itself; what passes sometimes is
    /// unstable; what never passes is the user's. Gives the runs with nothing beside them.
    fn try_alone(&mut self, runs: &[Run; 2], place: &Workplace, cores: usize) -> Result<[Run; 2]> {
        let beside: BTreeSet<String> = runs.iter().flat_map(|run| run.failed(self.program)).collect();
        let mut alone = [Run::of(self.program, place, 0)?, Run::of(self.program, place, 0)?];
        let [once, again] = [&alone[0], &alone[1]].map(|run| run.failed(self.program));
        for name in once.intersection(&again) {
            let is_test = self.program.harness == Harness::Tests && !is_whole(&[name]) && *name != self.program.name;
            if !is_test {
                return Err(self.fails(name));
            }
            let passing = Run::of_tests(self.program, vec![name.clone()], place, 0)?;
            if !passing.failed(self.program).is_empty() {
                return Err(self.fails(name));
            }
            // Where it failed, it may have come by nothing.
            alone[1].record.absorb(passing.record);
        }
        self.unstable = once.union(&again).cloned().collect();
        match cores {
            1 => self.unstable.extend(beside),
            _ => self.bears_itself = beside.is_subset(&self.unstable),
        }
        Ok(alone)
    }

    fn fails(&self, name: &str) -> anyhow::Error {
        let program = &self.program.name;
        fault::user_code(match name.starts_with(WHOLE_PROGRAM) || name == program {
            true => format!("the test program `{program}` fails before anything is changed"),
            false => format!("the test `{name}` of `{program}` fails before anything is changed"),
        })
    }

    /// The tests with what both runs say of them.
    fn tests(&self, runs: &[Run; 2], cores: usize, folder: &Path) -> Result<Vec<Test>> {
        let [first, second] = runs;
        if let Some(name) = first.names.first() {
            let (reached, again) = (first.record.of_all(), second.record.of_all());
            let is_unstable = self.unstable.contains(name) || reached != again;
            let reached = reached.or(again);
            let time = first.finished.took.min(second.finished.took);
            return Ok(vec![Test { program: self.number, name: name.clone(), time, reached, is_unstable }]);
        }
        let (times, times_again) = (first.transcript.times(), second.transcript.times());
        let mut tests = Vec::new();
        for (name, outcome, _) in &first.transcript.ended {
            if *outcome == Outcome::Ignored {
                continue;
            }
            // What else the machine does only makes it longer.
            let time = times.get(name.as_str()).into_iter().chain(times_again.get(name.as_str())).min();
            let time = time.copied().unwrap_or_default();
            let (reached, again) = (first.record.of_thread(name), second.record.of_thread(name));
            let is_unstable = self.unstable.contains(name) || reached != again;
            let reached = reached.or(again);
            tests.push(Test { program: self.number, name: name.clone(), time, reached, is_unstable });
        }
        if first.record.has_others(&first.transcript) && self.program.harness == Harness::Tests {
            self.measure_each(&mut tests, cores, folder)?;
        }
        Ok(tests)
    }

    /// Runs each test in a process of its own, so that everything reached there, in any thread or child process, is its.
    fn measure_each(&self, tests: &mut [Test], cores: usize, folder: &Path) -> Result<()> {
        let names: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
        let reached = in_parallel(cores, names.len(), |worker, at| {
            let place = Workplace::new(folder, worker)?;
            anyhow::Ok(Run::of_tests(self.program, vec![names[at].clone()], &place, 0)?.record.of_all())
        });
        for (test, reached) in tests.iter_mut().zip(reached) {
            test.reached = reached?;
        }
        Ok(())
    }
}
