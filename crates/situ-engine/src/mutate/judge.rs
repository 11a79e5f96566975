//! Judges mutants: runs the tests that reach each, until one notices.

use super::baseline::{Baseline, Test};
use super::build::Program;
use super::parallel::in_parallel;
use super::suite::{Harness, Switch, Workplace, has_passed, run_tests};
use crate::process::{Finished, signal_of};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Tests that took less than this run together in one process.
const QUICK: Duration = Duration::from_millis(10);
/// The most that a process of quick tests should take.
const GROUP: Duration = Duration::from_millis(500);
/// How many of the tests that killed neighbours are tried first.
const RECENT: usize = 3;
/// What a process may take beyond ten times what its tests took: starting it may be slow on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3);
/// How a process ends that is out of fuel; the same number as in the run time.
const OUT_OF_FUEL: i32 = 77;

/// What became of a mutant, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A test noticed it.
    Killed,
    /// A test did not come to its end with it.
    TimedOut,
    /// No test that reaches it noticed.
    Survived,
    /// No test reaches it.
    Unreached,
}

/// A judgement with its reasons.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// What became of it.
    pub status: Status,
    /// The tests that noticed it: the first one, or all where the whole matrix was asked for.
    pub killed_by: Vec<String>,
    /// How the first one noticed: `failed`, `stack overflow`, `out of memory`, `aborted`, `SIGSEGV`, `fuel`, `time`.
    pub how: Option<String>,
    /// Whether it rests on tests that do not always pass without it.
    pub is_unstable: bool,
}

/// A mutant to be judged.
#[derive(Clone, Debug)]
pub struct Case {
    /// The mutant.
    pub id: u32,
    /// What is near it: mutants of one function share it.
    pub neighbourhood: usize,
    /// The tests that reach it, as indices into the baseline.
    pub tests: Vec<usize>,
}

/// Everything that judging needs.
pub struct Court<'a> {
    /// The programs.
    pub programs: &'a [Program],
    /// The tests.
    pub baseline: &'a Baseline,
    /// Where processes may write.
    pub folder: &'a Path,
    /// Whether every test that notices is wanted, not only the first.
    pub whole_matrix: bool,
    recent: Mutex<HashMap<usize, Vec<usize>>>,
}

impl<'a> Court<'a> {
    /// A court that has judged nothing yet.
    pub fn new(programs: &'a [Program], baseline: &'a Baseline, folder: &'a Path, whole_matrix: bool) -> Court<'a> {
        Court { programs, baseline, folder, whole_matrix, recent: Mutex::new(HashMap::new()) }
    }

    /// Judges all cases, and tells of each as soon as it is judged.
    pub fn judge(&self, cases: &[Case], tell: impl Fn(&Case, &Verdict) + Sync) -> Result<()> {
        let results = in_parallel(self.baseline.workers, cases.len(), |worker, at| {
            let place = Workplace::new(self.folder, worker)?;
            let verdict = self.verdict(&cases[at], &place)?;
            tell(&cases[at], &verdict);
            anyhow::Ok(())
        });
        results.into_iter().collect()
    }

    fn verdict(&self, case: &Case, place: &Workplace) -> Result<Verdict> {
        let mut verdict = Verdict { status: Status::Unreached, killed_by: Vec::new(), how: None, is_unstable: false };
        for group in self.groups(case) {
            verdict.status = verdict.status.min(Status::Survived);
            let mut rest = group;
            // Where all that notice are wanted, a group goes on behind the tests that ended its process.
            while !rest.is_empty() {
                let noticed = self.run_group(case.id, &rest, place)?;
                for (test, status, how) in &noticed {
                    verdict.note(*status, how.clone(), self.label(*test), self.test(*test).is_unstable);
                    self.remember(case.neighbourhood, *test);
                }
                if !noticed.is_empty() && !self.whole_matrix {
                    return Ok(verdict);
                }
                let is_over = noticed.is_empty() || self.is_merged(rest[0]);
                rest.retain(|other| !is_over && noticed.iter().all(|(test, ..)| test != other));
            }
        }
        if verdict.status == Status::Unreached && !case.tests.is_empty() {
            verdict.status = Status::Survived;
        }
        verdict.is_unstable |=
            verdict.killed_by.is_empty() && case.tests.iter().any(|test| self.test(*test).is_unstable);
        Ok(verdict)
    }

    fn test(&self, index: usize) -> &Test {
        &self.baseline.tests[index]
    }

    /// What a test is called in reports.
    fn label(&self, index: usize) -> String {
        let name = &self.test(index).name;
        if self.is_merged(index) { format!("doctest {name}") } else { name.clone() }
    }

    fn remember(&self, neighbourhood: usize, test: usize) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = recent.entry(neighbourhood).or_default();
        recent.retain(|other| *other != test);
        recent.insert(0, test);
        recent.truncate(RECENT);
    }

    /// The tests of a case in the order of trying: quick ones that killed neighbours, the other quick ones together, then
    /// the slow, those that killed neighbours and the fastest first.
    fn groups(&self, case: &Case) -> Vec<Vec<usize>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let first = recent.get(&case.neighbourhood).cloned().unwrap_or_default();
        drop(recent);
        let first: Vec<usize> = first.into_iter().filter(|test| case.tests.contains(test)).collect();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let is_quick = |test: &usize| self.is_merged(*test) || self.test(*test).time < QUICK;
        if case.tests.len() > RECENT {
            // A slow one first would cost more than all quick ones behind it.
            let known = first.iter().copied().filter(|test| is_quick(test) && self.is_stable(*test));
            groups.extend(self.by_program(known.collect()));
        }
        let tried: Vec<usize> = groups.concat();
        let rest: Vec<usize> = case.tests.iter().copied().filter(|test| !tried.contains(test)).collect();
        let (quick, mut slow): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_quick);
        // What an unstable test says counts only where no other test says it.
        let (quick, doubtful): (Vec<usize>, Vec<usize>) = quick.into_iter().partition(|test| self.is_stable(*test));
        groups.extend(self.by_program(quick));
        groups.extend(self.by_program(doubtful));
        slow.sort_by_key(|test| (!self.is_stable(*test), !first.contains(test), self.test(*test).time));
        groups.extend(slow.into_iter().map(|test| vec![test]));
        groups
    }

    fn is_stable(&self, test: usize) -> bool {
        !self.test(test).is_unstable
    }

    fn by_program(&self, tests: Vec<usize>) -> Vec<Vec<usize>> {
        let mut programs: BTreeMap<(usize, u128), Vec<usize>> = BTreeMap::new();
        let mut times: BTreeMap<usize, Duration> = BTreeMap::new();
        for test in tests {
            let time = times.entry(self.test(test).program).or_default();
            // What cannot be parted runs only once.
            *time += if self.is_merged(test) { Duration::ZERO } else { self.test(test).time };
            let part = time.as_millis() / GROUP.as_millis();
            programs.entry((self.test(test).program, part)).or_default().push(test);
        }
        programs.into_values().collect()
    }

    fn is_merged(&self, test: usize) -> bool {
        self.programs[self.test(test).program].harness == Harness::MergedDoctests
    }

    /// The tests that really run when these are asked for.
    fn running_with(&self, group: &[usize]) -> impl Iterator<Item = &Test> + Clone {
        let (program, whole) = (self.test(group[0]).program, self.is_merged(group[0]));
        let group = group.to_vec();
        let all = self.baseline.tests.iter().enumerate();
        let chosen = all.filter(move |(at, test)| if whole { test.program == program } else { group.contains(at) });
        chosen.map(|(_, test)| test)
    }

    /// Runs tests of one program with a mutant; gives those that noticed, and how.
    fn run_group(&self, mutant: u32, group: &[usize], place: &Workplace) -> Result<Vec<(usize, Status, String)>> {
        let names: Vec<&str> = group.iter().map(|test| self.test(*test).name.as_str()).collect();
        let running = self.running_with(group);
        let calls: u64 = running.clone().map(|test| test.reached.calls).sum();
        let time: Duration = running.map(|test| test.time).sum();
        let switch = Switch::Mutant { id: mutant, fuel: calls.saturating_mul(20) + 200_000 };
        let limit = time * 10 + PATIENCE;
        let program = &self.programs[self.test(group[0]).program];
        let stops = !(self.whole_matrix && self.is_merged(group[0]));
        let (finished, transcript) = run_tests(program, &names, &switch, place, Some(limit), stops)?;
        if has_passed(program, &names, &finished, &transcript) {
            return Ok(Vec::new());
        }
        let by_name = |name: &str| group.iter().copied().find(|test| self.test(*test).name == name);
        let failed = transcript.failed().filter_map(by_name);
        let mut noticed: Vec<_> = failed.map(|test| (test, Status::Killed, "failed".to_owned())).collect();
        if noticed.is_empty() {
            let running = transcript.running.as_deref().and_then(by_name).unwrap_or(group[0]);
            let (status, how) = way_it_ended(&finished, place);
            noticed.push((running, status, how));
        }
        Ok(noticed)
    }
}

impl Verdict {
    fn note(&mut self, status: Status, how: String, test: String, is_unstable: bool) {
        self.status = self.status.min(status);
        if self.how.is_none() || status == Status::Killed {
            self.how = Some(how);
        }
        self.killed_by.push(test);
        self.is_unstable |= is_unstable;
    }
}

fn is_out_of_fuel(finished: &Finished) -> bool {
    finished.status.code() == Some(OUT_OF_FUEL)
}

/// How a process ended that did not say that a test failed.
pub fn way_it_ended(finished: &Finished, place: &Workplace) -> (Status, String) {
    if finished.timed_out {
        return (Status::TimedOut, "time".to_owned());
    }
    if is_out_of_fuel(finished) {
        return (Status::TimedOut, "fuel".to_owned());
    }
    let said = fs::read(place.errors()).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let how = match signal_of(finished.status) {
        _ if said.contains("has overflowed its stack") => "stack overflow".to_owned(),
        _ if said.contains("memory allocation of") || said.contains("capacity overflow") => "out of memory".to_owned(),
        Some(6) => "aborted".to_owned(),
        Some(11) => "SIGSEGV".to_owned(),
        Some(signal) => format!("signal {signal}"),
        None => "failed".to_owned(),
    };
    (Status::Killed, how)
}
