//! Rows: many inputs of one statement, judged against its mutants inside one process.
//!
//! A statement is one function that takes the number of a row and panics if the row's expectation does not hold. The
//! environment names two files. `SITU_ROWS_PLAN` has a line for each statement, its number and the numbers of its
//! mutants. `SITU_ROWS` is a journal: it is read first, so that a process that died is taken up where it ended.
//!
//! Lines of the journal, each beginning with the statement: `b s r` a row is about to run without a mutant, `p s r n`
//! it passed and used so much fuel, `m s m` a mutant begins, `r s m r` one of its rows begins (only where the mutant
//! has ended a process before), `k s m r` the row noticed it, `d s m` the mutant is done, `e` everything is.

use super::{OutOfFuel, switch_off, switch_on};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

/// No mutant has this number: with it on, fuel is counted and nothing changes.
const NOBODY: u32 = u32::MAX - 1;
/// What a row without a mutant may use.
const PLENTY: i64 = 1_000_000_000;

/// A statement with its rows.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// How many rows it has.
    pub rows: usize,
    /// Runs one of them.
    pub run: fn(usize),
}

/// Judges every mutant of the plan with every row that passes without it. Does nothing without a plan.
pub fn judge(statements: &[Statement]) {
    let (Ok(plan), Some(path)) = (env::var("SITU_ROWS_PLAN"), env::var_os("SITU_ROWS")) else { return };
    let plan = fs::read_to_string(plan).expect("the plan can be read");
    let earlier = Earlier::read(&fs::read_to_string(&path).unwrap_or_default());
    let file = OpenOptions::new().append(true).create(true).open(path).expect("the journal can be written");
    let mut court = Court { journal: file, earlier };
    // Thousands of panics are expected, and none of them is news.
    set_hook(Box::new(|_| {}));
    for line in plan.lines() {
        let mut numbers = line.split(' ').filter_map(|word| word.parse::<u32>().ok());
        let Some(number) = numbers.next() else { continue };
        let Some(statement) = statements.get(number as usize) else { continue };
        let passing = court.passing(number, statement);
        numbers.for_each(|mutant| court.mutant(number, mutant, statement, &passing));
    }
    court.note("e");
}

struct Court {
    journal: File,
    earlier: Earlier,
}

impl Court {
    fn note(&mut self, line: &str) {
        self.journal.write_all(format!("{line}\n").as_bytes()).expect("the journal can be written");
    }

    /// The rows that pass without a mutant, with the fuel that each uses.
    fn passing(&mut self, number: u32, statement: &Statement) -> Vec<(usize, i64)> {
        let mut passing = Vec::new();
        for row in 0..statement.rows {
            if self.earlier.tried.contains(&(number, row)) {
                passing.extend(self.earlier.passed.get(&(number, row)).map(|used| (row, *used)));
                continue;
            }
            self.note(&format!("b {number} {row}"));
            switch_on(NOBODY, PLENTY);
            let passed = catch_unwind(AssertUnwindSafe(|| (statement.run)(row))).is_ok();
            let used = switch_off(PLENTY);
            if passed {
                self.note(&format!("p {number} {row} {used}"));
                passing.push((row, used));
            }
        }
        passing
    }

    fn mutant(&mut self, number: u32, mutant: u32, statement: &Statement, passing: &[(usize, i64)]) {
        if self.earlier.done.contains(&(number, mutant)) {
            return;
        }
        let is_dangerous = self.earlier.begun.contains(&(number, mutant));
        self.note(&format!("m {number} {mutant}"));
        heartbeat();
        for &(row, used) in passing {
            if self.earlier.rows.contains(&(number, mutant, row)) {
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
            match result {
                Ok(()) => {}
                Err(panic) if panic.is::<OutOfFuel>() => self.note(&format!("k {number} {mutant} {row} fuel")),
                Err(_) => self.note(&format!("k {number} {mutant} {row}")),
            }
        }
        self.note(&format!("d {number} {mutant}"));
    }
}

/// Tells the process that waits that this one is alive.
fn heartbeat() {
    let _ = std::io::stdout().write_all(b".\n");
    let _ = std::io::stdout().flush();
}

/// What the journal of earlier processes says.
#[derive(Default)]
struct Earlier {
    tried: BTreeSet<(u32, usize)>,
    passed: BTreeMap<(u32, usize), i64>,
    begun: BTreeSet<(u32, u32)>,
    rows: BTreeSet<(u32, u32, usize)>,
    done: BTreeSet<(u32, u32)>,
}

impl Earlier {
    fn read(journal: &str) -> Earlier {
        let mut earlier = Earlier::default();
        for line in journal.lines() {
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or("");
            let numbers: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
            match (kind, numbers.as_slice()) {
                ("b", [statement, row]) => {
                    earlier.tried.insert((*statement, *row as usize));
                }
                ("p", [statement, row, used]) => {
                    earlier.passed.insert((*statement, *row as usize), i64::from(*used));
                }
                ("m", [statement, mutant]) => {
                    earlier.begun.insert((*statement, *mutant));
                }
                ("r" | "k", [statement, mutant, row]) => {
                    earlier.rows.insert((*statement, *mutant, *row as usize));
                }
                ("d", [statement, mutant]) => {
                    earlier.done.insert((*statement, *mutant));
                }
                _ => {}
            }
        }
        earlier
    }
}
