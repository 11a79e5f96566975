//! Rows: many inputs of one statement, judged against its mutants inside one process.
//!
//! A statement is one function that takes the index of a row and panics if the row's expectation
//! fails. The environment names two files. `SITU_ROWS_PLAN` has a line for each statement: its
//! number and the numbers of its mutants. `SITU_ROWS` is a journal; it is read first, so that a new
//! process continues where one died.
//!
//! Lines of the journal, where `s` is a statement, `r` a row and `m` a mutant: `b s r` the row is
//! about to run without a mutant, `p s r n` it passed and used `n` fuel, `f s r …` it failed with
//! this message, `m s m` a mutant begins, `r s m r` one of its rows begins (only if the mutant
//! ended a process before), `k s m r` the row killed it, `d s m` the mutant is done, `c s r` a row
//! that killed a mutant is about to run without one again, `u s r` it failed then, `e` everything
//! is done.

use super::{OutOfFuel, switch_off, switch_on};
use crate::switch::NOBODY;
use crate::switch::descriptor::Descriptor;
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::time::{Duration, Instant};

/// The fuel of a row without a mutant.
const PLENTY: i64 = 1_000_000_000;
/// The minimum and maximum number of reruns without a mutant of a row that killed one. More than
/// the minimum run only if they are brief.
const CLEAN_RUNS: (usize, usize) = (3, 10);
/// The time up to which a rerun is brief.
const BRIEF: Duration = Duration::from_millis(5);

/// A statement with its rows.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The number of rows.
    pub rows: usize,
    /// Executes the row with this index.
    pub run: fn(usize),
}

/// Judges every mutant of the plan with every row that passes without it. Does nothing without a
/// plan.
pub fn judge(statements: &[Statement]) {
    let (Ok(plan), Some(path)) = (env::var("SITU_ROWS_PLAN"), env::var_os("SITU_ROWS")) else {
        return;
    };
    let plan = fs::read_to_string(plan).expect("the plan can be read");
    let earlier = Earlier::read(&fs::read_to_string(&path).unwrap_or_default());
    let journal = Descriptor::append(path.into()).expect("the journal can be written");
    let noticed = earlier
        .lines
        .keys()
        .filter(|(kind, _)| *kind == 'k')
        .map(|(_, key)| (key[0], key[2] as usize))
        .collect();
    let mut court = Court {
        journal,
        earlier,
        noticed,
    };
    // Thousands of panics are expected.
    set_hook(Box::new(|_| {}));
    for line in plan.lines() {
        let mut numbers = line.split(' ').filter_map(|word| word.parse::<u32>().ok());
        let Some(number) = numbers.next() else {
            continue;
        };
        let Some(statement) = statements.get(number as usize) else {
            continue;
        };
        let passing = court.passing(number, statement);
        numbers.for_each(|mutant| court.mutant(number, mutant, statement, &passing));
        court.check(number, statement, &passing);
    }
    court.note("e");
}

struct Court {
    journal: Descriptor,
    earlier: Earlier,
    /// Statement and row of all kills, including those of earlier processes.
    noticed: HashSet<(u32, usize)>,
}

impl Court {
    fn note(&mut self, line: &str) {
        self.journal
            .write_all(format!("{line}\n").as_bytes())
            .expect("the journal can be written");
    }

    /// Returns the rows that pass without a mutant, with the fuel that each uses.
    fn passing(&mut self, number: u32, statement: &Statement) -> Vec<(usize, i64)> {
        let mut passing = Vec::new();
        for row in 0..statement.rows {
            if self.earlier.is_tried(number, row) {
                passing.extend(self.earlier.passed(number, row).map(|used| (row, used)));
                continue;
            }
            self.note(&format!("b {number} {row}"));
            switch_on(NOBODY, PLENTY);
            let result = catch_unwind(AssertUnwindSafe(|| (statement.run)(row)));
            let used = switch_off(PLENTY);
            match result {
                Ok(()) => {
                    self.note(&format!("p {number} {row} {used}"));
                    passing.push((row, used));
                }
                Err(panic) => self.note(&format!("f {number} {row} {}", said_by(&*panic))),
            }
        }
        passing
    }

    fn mutant(
        &mut self,
        number: u32,
        mutant: u32,
        statement: &Statement,
        passing: &[(usize, i64)],
    ) {
        if self.earlier.is_done(number, mutant) {
            return;
        }
        let is_dangerous = self.earlier.is_begun(number, mutant);
        self.note(&format!("m {number} {mutant}"));
        heartbeat();
        for &(row, used) in passing {
            if self.earlier.has_met(number, mutant, row) {
                continue;
            }
            if is_dangerous {
                self.note(&format!("r {number} {mutant} {row}"));
                heartbeat();
            }
            let fuel = used.saturating_mul(20).saturating_add(200_000);
            switch_on(mutant, fuel);
            let result = catch_unwind(AssertUnwindSafe(|| (statement.run)(row)));
            switch_off(fuel);
            if result.is_err() {
                self.noticed.insert((number, row));
            }
            match result {
                Ok(()) => {}
                Err(panic) if panic.is::<OutOfFuel>() => {
                    self.note(&format!("k {number} {mutant} {row} fuel"))
                }
                Err(_) => self.note(&format!("k {number} {mutant} {row}")),
            }
        }
        self.note(&format!("d {number} {mutant}"));
    }

    /// Runs the rows that killed a mutant again without one. If one fails, its kills may be due to
    /// chance or to state that earlier runs left in this process.
    fn check(&mut self, number: u32, statement: &Statement, passing: &[(usize, i64)]) {
        for &(row, _) in passing {
            let is_checked = self
                .earlier
                .lines
                .contains_key(&('c', [number, row as u32, 0]));
            if is_checked || !self.noticed.contains(&(number, row)) {
                continue;
            }
            self.note(&format!("c {number} {row}"));
            heartbeat();
            let started = Instant::now();
            let enough = |run: usize| run >= CLEAN_RUNS.0 && started.elapsed() > BRIEF;
            let fails = (0..CLEAN_RUNS.1).take_while(|run| !enough(*run)).any(|_| {
                switch_on(NOBODY, PLENTY);
                let result = catch_unwind(AssertUnwindSafe(|| (statement.run)(row)));
                switch_off(PLENTY);
                result.is_err()
            });
            if fails {
                self.note(&format!("u {number} {row}"));
            }
        }
    }
}

/// Returns the message of a panic on one line.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    // The journal stays valid UTF-8 even if unsafe code has damaged the string.
    let text = String::from_utf8_lossy(text.unwrap_or("it panics").as_bytes()).into_owned();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Signals the waiting process that this one is alive.
fn heartbeat() {
    let _ = std::io::stdout().write_all(b".\n");
    let _ = std::io::stdout().flush();
}

/// The journal of earlier processes, as a map from a line's kind and numbers to the fuel used, if
/// it says so.
///
/// All kinds share one table, because every run that judges rows waits for this code to be
/// compiled.
#[derive(Default)]
struct Earlier {
    lines: HashMap<(char, [u32; 3]), i64>,
}

impl Earlier {
    fn read(journal: &str) -> Earlier {
        let mut earlier = Earlier::default();
        for line in journal.lines() {
            let mut words = line.split(' ');
            let Some(kind) = words.next().and_then(|word| word.chars().next()) else {
                continue;
            };
            let mut numbers = words.filter_map(|word| word.parse::<u32>().ok());
            let count = if matches!(kind, 'r' | 'k') { 3 } else { 2 };
            let mut key = [0; 3];
            if key
                .iter_mut()
                .take(count)
                .all(|place| numbers.next().map(|number| *place = number).is_some())
            {
                earlier
                    .lines
                    .insert((kind, key), numbers.next().map_or(0, i64::from));
            }
        }
        earlier
    }

    /// Returns whether a row has been tried without a mutant.
    fn is_tried(&self, statement: u32, row: usize) -> bool {
        self.lines.contains_key(&('b', [statement, row as u32, 0]))
    }

    /// Returns the fuel that a row used when it passed without a mutant.
    fn passed(&self, statement: u32, row: usize) -> Option<i64> {
        self.lines.get(&('p', [statement, row as u32, 0])).copied()
    }

    fn is_begun(&self, statement: u32, mutant: u32) -> bool {
        self.lines.contains_key(&('m', [statement, mutant, 0]))
    }

    fn is_done(&self, statement: u32, mutant: u32) -> bool {
        self.lines.contains_key(&('d', [statement, mutant, 0]))
    }

    /// Returns whether a row has been run with a mutant, or was about to be.
    fn has_met(&self, statement: u32, mutant: u32, row: usize) -> bool {
        let key = [statement, mutant, row as u32];
        self.lines.contains_key(&('r', key)) || self.lines.contains_key(&('k', key))
    }
}
