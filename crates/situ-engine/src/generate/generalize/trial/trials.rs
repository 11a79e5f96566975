//! Execution of every candidate with every argument set, isolated from each other.

use super::copies::{NOTES, TRIAL};
use crate::base::parallel::in_parallel;
use crate::base::process::{self, Limit, Next, own_files};
use crate::programs::harness::{Switch, Workplace, prepare};
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The time without output after which a row counts as hanging.
const SILENCE: Duration = Duration::from_secs(5);
/// The number of rows that end the process after which the others are skipped.
const MAX_DEATHS: usize = 4;
/// The environment variable with the path of the journal.
const JOURNAL: &str = "SITU_TRIAL_JOURNAL";
/// The environment variable with the rows to try.
const ROWS: &str = "SITU_TRIAL_ROWS";

/// The environment variable that reverses the order of the rows.
const BACKWARDS: &str = "SITU_TRIAL_BACKWARDS";

/// The outcome of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOutcome {
    /// The assertion holds.
    Passes,
    /// The assertion was not executed: nothing is known of it.
    Skips,
    /// The assertion fails.
    Fails,
    /// The copy panicked before the assertion.
    PanicsBefore,
    /// The copy hung, or ended the process.
    Dies,
}

/// The outcomes of a candidate's rows, and digests of their arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// The outcome of each row.
    pub outcomes: BTreeMap<usize, RowOutcome>,
    /// The digests of each row's arguments.
    pub digests: BTreeMap<usize, Vec<String>>,
}

/// The logged arguments: for each target the digests of its arguments, once for each call.
pub(crate) type Notes = BTreeMap<usize, BTreeSet<Vec<String>>>;

/// A test in a program.
#[derive(Clone, Debug)]
pub(crate) struct Listed<'p> {
    pub program: &'p Program,
    /// The test's path.
    pub test: String,
    /// The number after its prefix.
    pub number: usize,
}

/// Everything that was tried.
#[derive(Debug, Default)]
pub(crate) struct Trials {
    /// The trial of each candidate.
    pub of_candidates: BTreeMap<usize, Trial>,
    /// The logged arguments.
    pub notes: Notes,
}

/// Runs all trials and notes of these programs.
pub(crate) fn run(programs: &[Program], folder: &Path) -> Result<Trials> {
    // Leftovers of an earlier command are useless.
    let _ = fs::remove_dir_all(folder).or_else(|_| fs::remove_file(folder));
    fs::create_dir_all(folder).context("making the folder of trials")?;
    let mut trials = Vec::new();
    let mut notes = Vec::new();
    for program in programs {
        let names = list_tests(program)?;
        let listed = |prefix: &str| {
            let numbered = names
                .iter()
                .filter_map(|name| Some((name, number(name, prefix)?)));
            numbered
                .map(|(name, number)| Listed {
                    program,
                    test: name.clone(),
                    number,
                })
                .collect::<Vec<_>>()
        };
        trials.extend(listed(TRIAL));
        notes.extend(listed(NOTES));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let noted = in_parallel(cores, notes.len(), |worker, at| {
        let bench = Bench::new(folder, worker)?;
        bench.run(&notes[at], &Switch::Off, &Rows::All)?;
        anyhow::Ok(read_notes(&bench.journal()))
    });
    let mut all = Trials::default();
    for notes in noted {
        for (target, calls) in notes? {
            all.notes.entry(target).or_default().extend(calls);
        }
    }
    let tried = in_parallel(cores, trials.len(), |worker, at| {
        let bench = Bench::new(folder, worker)?;
        bench
            .try_apart(&trials[at])
            .map(|trial| (trials[at].number, trial))
    });
    for trial in tried {
        let (number, trial) = trial?;
        all.of_candidates.insert(number, trial);
    }
    Ok(all)
}

/// Returns the names of all tests in these programs.
pub(crate) fn listed(programs: &[Program]) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for program in programs {
        names.extend(list_tests(program)?);
    }
    Ok(names)
}

/// Returns the number after a prefix at the end of a test's name.
pub(crate) fn number(name: &str, prefix: &str) -> Option<usize> {
    name.rsplit("::").next()?.strip_prefix(prefix)?.parse().ok()
}

/// Which rows a run tries.
enum Rows<'r> {
    All,
    These(&'r [usize]),
    Backwards(&'r [usize]),
}

fn joined(rows: &[usize]) -> String {
    rows.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// The working folder of one worker.
pub(crate) struct Bench {
    place: Workplace,
}

impl Bench {
    /// Creates the folder of a worker.
    pub(crate) fn new(folder: &Path, worker: usize) -> Result<Bench> {
        Ok(Bench {
            place: Workplace::new(folder, worker)?,
        })
    }

    fn journal_path(&self) -> std::path::PathBuf {
        self.place.folder.join("journal")
    }

    fn journal(&self) -> String {
        own_files::read(&self.journal_path())
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    /// Runs a test once, with a fresh journal.
    fn run(&self, listed: &Listed<'_>, switch: &Switch<'_>, rows: &Rows<'_>) -> Result<()> {
        let _ = fs::remove_file(self.journal_path());
        let mut command = listed.program.launcher.command(&listed.program.path);
        prepare(&mut command, listed.program, &self.place);
        switch.apply(&mut command);
        command.args([
            "--exact",
            &listed.test,
            "--include-ignored",
            "--test-threads=2",
        ]);
        command
            .env(JOURNAL, self.journal_path())
            .env_remove(ROWS)
            .env_remove(BACKWARDS);
        match rows {
            Rows::All => {}
            Rows::These(rows) => drop(command.env(ROWS, joined(rows))),
            Rows::Backwards(rows) => drop(command.env(ROWS, joined(rows)).env(BACKWARDS, "1")),
        }
        let scratch = &self.place.scratch;
        process::stream_confined(&mut command, scratch, Limit::Silent(SILENCE), |_, _| {
            Next::Continue
        })?;
        Ok(())
    }

    /// Tries all rows independently: a row whose outcome depends on the order is tried in a process
    /// of its own.
    pub(crate) fn try_apart(&self, listed: &Listed<'_>) -> Result<Trial> {
        let mut trial = self.try_all(listed)?;
        let ended =
            |(row, outcome): (&usize, &RowOutcome)| (*outcome != RowOutcome::Dies).then_some(*row);
        let rows: Vec<usize> = trial.outcomes.iter().filter_map(ended).collect();
        if rows.len() < 2 {
            return Ok(trial);
        }
        let mut again = Trial::default();
        self.run(listed, &Switch::Off, &Rows::Backwards(&rows))?;
        read_trial(&self.journal(), &mut again);
        for row in rows {
            if again.outcomes.get(&row) != trial.outcomes.get(&row) {
                self.run(listed, &Switch::Off, &Rows::These(&[row]))?;
                let mut alone = Trial::default();
                read_trial(&self.journal(), &mut alone);
                trial.outcomes.insert(
                    row,
                    alone
                        .outcomes
                        .get(&row)
                        .copied()
                        .unwrap_or(RowOutcome::Dies),
                );
            }
        }
        Ok(trial)
    }

    /// Tries rows until one of them ends the process: with a wrong function, the others mostly
    /// would too.
    pub(crate) fn try_once(&self, listed: &Listed<'_>, switch: &Switch<'_>) -> Result<Trial> {
        let mut trial = Trial::default();
        self.run(listed, switch, &Rows::All)?;
        read_trial(&self.journal(), &mut trial);
        Ok(trial)
    }

    /// Tries all rows. If a row ends the process, the rows after it are tried in another one.
    fn try_all(&self, listed: &Listed<'_>) -> Result<Trial> {
        let (mut trial, switch) = (Trial::default(), &Switch::Off);
        self.run(listed, switch, &Rows::All)?;
        let mut journal = self.journal();
        let mut planned: Option<Vec<usize>> = None;
        loop {
            let is_over = read_trial(&journal, &mut trial);
            let deaths = trial
                .outcomes
                .values()
                .filter(|outcome| **outcome == RowOutcome::Dies)
                .count();
            if is_over || deaths >= MAX_DEATHS || planned.as_ref().is_some_and(Vec::is_empty) {
                return Ok(trial);
            }
            // The rows are only known from the journal of those that have begun.
            let next = trial.outcomes.keys().next_back().map_or(0, |last| last + 1);
            let rest: Vec<usize> = (next..next + 1024).collect();
            self.run(listed, switch, &Rows::These(&rest))?;
            let again = self.journal();
            if !again.lines().any(|line| line.starts_with("b ")) {
                planned = Some(Vec::new());
            }
            journal = again;
        }
    }
}

/// Reads a journal; returns whether the trial is complete.
fn read_trial(journal: &str, trial: &mut Trial) -> bool {
    let mut begun: Option<usize> = None;
    let mut reached = false;
    for line in journal.lines() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or("");
        let row = words.next().and_then(|word| word.parse::<usize>().ok());
        match (kind, row) {
            ("b", Some(row)) => (begun, reached) = (Some(row), false),
            ("d", Some(row)) => {
                let digests = words
                    .filter(|word| !word.is_empty())
                    .map(str::to_owned)
                    .collect();
                trial.digests.insert(row, digests);
            }
            ("r", _) => reached = true,
            ("p", Some(row)) => {
                trial.outcomes.insert(
                    row,
                    if reached {
                        RowOutcome::Passes
                    } else {
                        RowOutcome::Skips
                    },
                );
                begun = None;
            }
            ("f", Some(row)) => {
                let outcome = if reached {
                    RowOutcome::Fails
                } else {
                    RowOutcome::PanicsBefore
                };
                trial.outcomes.insert(row, outcome);
                begun = None;
            }
            ("e", _) => return true,
            _ => {}
        }
    }
    if let Some(row) = begun {
        trial.outcomes.insert(row, RowOutcome::Dies);
    }
    false
}

fn read_notes(journal: &str) -> Notes {
    let mut notes = Notes::new();
    let mut open: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in journal.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let ["n", target, argument, digest] = words[..] else {
            continue;
        };
        let (Ok(target), Ok(argument)) = (target.parse::<usize>(), argument.parse::<usize>())
        else {
            continue;
        };
        let digests = open.entry(target).or_default();
        if argument == 0 && !digests.is_empty() {
            notes
                .entry(target)
                .or_default()
                .insert(std::mem::take(digests));
        }
        digests.push(digest.to_owned());
    }
    for (target, digests) in open {
        notes.entry(target).or_default().insert(digests);
    }
    notes
}
