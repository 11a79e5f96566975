//! The mutant switch: the active mutant of this process, its fuel, and the sites that tests reach.
//!
//! This folder is also a crate of its own, with this file as its root. It must be small, because
//! the first run of `cargo situ mutants` waits for its compilation.
//!
//! The environment configures a process before `main`: `SITU_MUTANT` is a mutant's number or
//! `reach`, `SITU_FUEL` how often sites may be passed, `SITU_REACH` the file for the reached sites,
//! `SITU_MEMORY` the memory limit in bytes.

pub mod descriptor;
mod limits;
mod reach;
mod start;
mod visits;

pub use visits::take as taken_sites;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};

/// No mutant is active.
const OFF: u32 = 0;
/// No mutant is active, and the reached sites are logged.
const REACH: u32 = u32::MAX;
/// With this on no mutant is, and the sites that are passed are noted in memory.
pub const NOTED: u32 = u32::MAX - 2;
/// With this on no mutant is, and fuel is counted.
pub const NOBODY: u32 = u32::MAX - 1;
/// The exit code of a process that is out of fuel.
pub const OUT_OF_FUEL: i32 = 77;
/// The fuel for code that executes while the stack unwinds.
const RESERVE: i64 = 1_000_000;

static STATE: AtomicU32 = AtomicU32::new(OFF);
static FUEL: AtomicI64 = AtomicI64::new(i64::MAX);
static FUEL_PANICS: AtomicBool = AtomicBool::new(false);

/// The panic payload when a mutant that [`switch_on`] activated is out of fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

/// Returns the alternative to execute at a site with the mutants `low..=high`: the active mutant,
/// or 0 for the original.
#[inline(never)]
pub fn s(low: u32, high: u32) -> u32 {
    let state = STATE.load(Ordering::Relaxed);
    if state == OFF {
        0
    } else {
        choose(state, low, high)
    }
}

/// Uses fuel. Called at the beginning of each loop's body, so that a loop without a site ends too.
#[inline(never)]
pub fn t() {
    let state = STATE.load(Ordering::Relaxed);
    match state {
        OFF => {}
        REACH => reach::pass(),
        _ => burn(),
    }
}

/// Panics, in the arm of a site that no mutant selects.
#[cold]
#[inline(never)]
pub fn no() -> ! {
    unreachable!("a site does not have the selected mutant")
}

/// Activates a mutant in this process. After `fuel` sites it panics with [`OutOfFuel`].
pub fn switch_on(mutant: u32, fuel: i64) {
    FUEL_PANICS.store(true, Ordering::Relaxed);
    FUEL.store(fuel, Ordering::Relaxed);
    STATE.store(mutant, Ordering::Relaxed);
}

/// Deactivates the mutant and returns how many sites were passed since `fuel` was set.
pub fn switch_off(fuel: i64) -> i64 {
    STATE.store(OFF, Ordering::Relaxed);
    fuel.saturating_sub(FUEL.swap(i64::MAX, Ordering::Relaxed))
}

#[inline(always)]
fn choose(state: u32, low: u32, high: u32) -> u32 {
    if state == REACH {
        return reached(low);
    }
    burn();
    if state == NOTED {
        visits::note(low);
        0
    } else if low <= state && state <= high {
        state
    } else {
        0
    }
}

#[cold]
#[inline(never)]
fn reached(low: u32) -> u32 {
    reach::hit(low);
    0
}

#[inline(always)]
fn burn() {
    // Two threads may use the same unit of fuel; an atomic subtraction would cost more than what it
    // counts.
    let left = FUEL.load(Ordering::Relaxed);
    FUEL.store(left - 1, Ordering::Relaxed);
    if left <= 0 {
        out_of_fuel();
    }
}

#[cold]
#[inline(never)]
fn out_of_fuel() {
    if FUEL_PANICS.load(Ordering::Relaxed) {
        // Code that executes while the stack unwinds passes sites too; a second panic there would
        // abort the process.
        FUEL.store(RESERVE, Ordering::Relaxed);
        if std::thread::panicking() {
            limits::end_process(OUT_OF_FUEL);
        }
        std::panic::panic_any(OutOfFuel);
    }
    limits::end_process(OUT_OF_FUEL);
}
