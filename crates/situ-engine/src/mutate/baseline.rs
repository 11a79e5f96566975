//! The baseline: the tests without any mutant, what each reaches and costs, and whether it can be relied on.

use super::build::Program;
use super::suite::{Outcome, Switch, Transcript, WHOLE_PROGRAM, Workplace, is_whole, run_tests};
use crate::fault;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::thread;
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
    /// How many sites it passed.
    pub calls: u64,
    /// The first numbers of the sites that it reached.
    pub reached: BTreeSet<u32>,
    /// Whether it failed once without any mutant.
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

/// Runs the suite without mutants. `filter` leaves only tests whose name contains it.
pub fn measure(programs: &[Program], folder: &Path, filter: Option<&str>, cores: usize) -> Result<Baseline> {
    fs::create_dir_all(folder).context("making the tests' folder")?;
    let mut baseline = Baseline { tests: Vec::new(), workers: cores };
    let measured = in_parallel(cores, programs.len(), |worker, at| {
        let place = Workplace::new(folder, worker)?;
        measure_program(&programs[at], at, &place, filter)
    });
    for tests in measured {
        baseline.tests.extend(tests?);
    }
    if cores > 1 {
        baseline.try_beside_itself(programs, folder, filter)?;
    }
    Ok(baseline)
}

impl Baseline {
    /// Runs everything twice at once, as mutants will be. A failure means one process at a time from then on.
    fn try_beside_itself(&mut self, programs: &[Program], folder: &Path, filter: Option<&str>) -> Result<()> {
        let used: BTreeSet<usize> = self.tests.iter().map(|test| test.program).collect();
        let used: Vec<usize> = used.into_iter().collect();
        let results = in_parallel(2, used.len() * 2, |worker, job| {
            let program = used[job % used.len()];
            let place = Workplace::new(folder, worker)?;
            let names: Vec<&str> = self.of_program(program).filter(|_| filter.is_some()).collect();
            let names = if self.is_whole(program) { self.of_program(program).collect() } else { names };
            let (finished, transcript) = run_tests(&programs[program], &names, &Switch::Off, &place, None, false)?;
            anyhow::Ok((program, finished, transcript))
        });
        for result in results {
            let (program, finished, transcript) = result?;
            if finished.status.success() == programs[program].fails {
                self.workers = 1;
                self.mark_unstable(program, &transcript);
            }
        }
        Ok(())
    }

    /// Which tests reach which mutant. `choices` has the first number of each choice, and the last.
    pub fn reached_by(&self, choices: &BTreeMap<u32, u32>) -> HashMap<u32, Vec<usize>> {
        let mut reached_by: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, test) in self.tests.iter().enumerate() {
            for low in &test.reached {
                let high = choices.get(low).copied().unwrap_or(*low);
                for id in *low..=high {
                    let tests = reached_by.entry(id).or_default();
                    if tests.last() != Some(&at) {
                        tests.push(at);
                    }
                }
            }
        }
        reached_by
    }

    fn of_program(&self, program: usize) -> impl Iterator<Item = &str> {
        self.tests.iter().filter(move |test| test.program == program).map(|test| test.name.as_str())
    }

    fn is_whole(&self, program: usize) -> bool {
        is_whole(&self.of_program(program).collect::<Vec<_>>())
    }

    fn mark_unstable(&mut self, program: usize, transcript: &Transcript) {
        let failed = |name: &str| {
            transcript.ended.iter().any(|(other, outcome, _)| other == name && *outcome == Outcome::Failed)
        };
        for test in self.tests.iter_mut().filter(|test| test.program == program) {
            test.is_unstable |= failed(&test.name) || transcript.ended.is_empty();
        }
    }
}

fn measure_program(program: &Program, number: usize, place: &Workplace, filter: Option<&str>) -> Result<Vec<Test>> {
    if program.is_doctest {
        return whole_program(program, number, place, filter);
    }
    let reach = place.folder.join(format!("reach-{number}"));
    let _ = fs::remove_file(&reach);
    let (_, transcript) = run_tests(program, &[], &Switch::Reach(&reach), place, None, false)?;
    if !transcript.is_through && transcript.ended.is_empty() {
        return whole_program(program, number, place, filter);
    }
    let mut unstable = BTreeSet::new();
    if transcript.passed.is_none() {
        unstable = unstable_tests(program, &transcript, place)?;
    }
    let record = Record::read(&reach);
    let mut tests = Vec::new();
    let mut before = Duration::ZERO;
    for (name, outcome, at) in &transcript.ended {
        let time = at.saturating_sub(before);
        before = *at;
        if *outcome != Outcome::Ignored && filter.is_none_or(|filter| name.contains(filter)) {
            let (reached, calls) = record.of_thread(name);
            let is_unstable = unstable.contains(name);
            tests.push(Test { program: number, name: name.clone(), time, calls, reached, is_unstable });
        }
    }
    if record.has_others(&transcript) {
        tests.iter_mut().try_for_each(|test| measure_alone(program, test, place))?;
    }
    Ok(tests)
}

/// Tests that failed here but pass when they are tried again; one that fails again is the user's.
fn unstable_tests(program: &Program, transcript: &Transcript, place: &Workplace) -> Result<BTreeSet<String>> {
    let failed = transcript.ended.iter().filter(|(_, outcome, _)| *outcome == Outcome::Failed);
    let mut failed: Vec<String> = failed.map(|(name, ..)| name.clone()).collect();
    failed.extend(transcript.running.clone());
    let mut unstable = BTreeSet::new();
    for name in failed {
        let (_, again) = run_tests(program, &[&name], &Switch::Off, place, None, false)?;
        if again.passed != Some(1) {
            let text = format!("the test `{name}` of `{}` fails before anything is changed", program.name);
            return Err(fault::user_code(text));
        }
        unstable.insert(name);
    }
    Ok(unstable)
}

/// The only test of a program that is not made of `#[test]` functions; it is given no arguments that it may not know.
fn whole_program(program: &Program, number: usize, place: &Workplace, filter: Option<&str>) -> Result<Vec<Test>> {
    let name = match program.is_doctest {
        true => program.name.clone(),
        false => format!("{WHOLE_PROGRAM}{}", program.name),
    };
    if filter.is_some_and(|filter| !name.contains(filter)) {
        return Ok(Vec::new());
    }
    let (first, _) = run_tests(program, &[&name], &Switch::Off, place, None, false)?;
    if first.status.success() == program.fails {
        return Err(fault::user_code(format!("the test program `{}` fails before anything is changed", program.name)));
    }
    let (time, reached) = (first.took, BTreeSet::new());
    let mut test = Test { program: number, name, time, calls: 0, reached, is_unstable: false };
    measure_alone(program, &mut test, place)?;
    Ok(vec![test])
}

/// Runs one test in a process of its own, so that everything reached there, in any thread or child process, is its.
fn measure_alone(program: &Program, test: &mut Test, place: &Workplace) -> Result<()> {
    let reach = place.folder.join("reach-alone");
    let _ = fs::remove_file(&reach);
    run_tests(program, &[&test.name], &Switch::Reach(&reach), place, None, false)?;
    let record = Record::read(&reach);
    test.reached = record.threads.values().flat_map(|(sites, _)| sites).copied().collect();
    test.calls = record.threads.values().map(|(_, calls)| calls).sum();
    Ok(())
}

/// What the run time wrote down: by thread name, the sites reached and the number of sites passed.
#[derive(Default)]
struct Record {
    threads: BTreeMap<String, (BTreeSet<u32>, u64)>,
}

impl Record {
    fn read(path: &Path) -> Record {
        let text = fs::read(path).unwrap_or_default();
        let mut record = Record::default();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for line in String::from_utf8_lossy(&text).lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(kind), Some(tag), Some(rest)) = (words.next(), words.next(), words.next()) else { continue };
            if kind == "T" {
                names.insert(tag.to_owned(), rest.to_owned());
                continue;
            }
            let (Some(name), Ok(number)) = (names.get(tag), rest.parse::<u64>()) else { continue };
            let thread = record.threads.entry(name.clone()).or_default();
            match kind {
                "H" => drop(u32::try_from(number).map(|site| thread.0.insert(site))),
                _ => thread.1 += number,
            }
        }
        record
    }

    fn of_thread(&self, name: &str) -> (BTreeSet<u32>, u64) {
        self.threads.get(name).cloned().unwrap_or_default()
    }

    /// Whether threads that are no tests, or other processes, reached anything.
    fn has_others(&self, transcript: &Transcript) -> bool {
        let known: BTreeSet<&str> = transcript.ended.iter().map(|(name, ..)| name.as_str()).collect();
        self.threads.iter().any(|(name, (sites, _))| !sites.is_empty() && !known.contains(name.as_str()))
    }
}

/// Does `jobs` numbered jobs on so many workers, and gives their results in order.
pub fn in_parallel<T: Send>(workers: usize, jobs: usize, work: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    thread::scope(|scope| {
        for worker in 0..workers.min(jobs) {
            let (next, results, work) = (&next, &results, &work);
            scope.spawn(move || {
                loop {
                    let job = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if job >= jobs {
                        return;
                    }
                    let result = work(worker, job);
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((job, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(job, _)| *job);
    results.into_iter().map(|(_, result)| result).collect()
}
