//! The mutant switch: which mutant is on in this process, what it may use up, and what the tests reach.
//!
//! This folder is also a crate by itself, with this file as its root: whoever only wants mutants waits for the run time's
//! compilation on every first run, so there must be little of it.
//!
//! A process is told by its environment, before `main`: `SITU_MUTANT` is a mutant's number or `reach`, `SITU_FUEL` how
//! often sites may be passed, `SITU_REACH` the file for what is reached, `SITU_MEMORY` how many bytes may be used.

pub mod descriptor;
mod limits;
mod reach;
mod start;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};

/// Nothing is switched on.
const OFF: u32 = 0;
/// No mutant is on, and what is reached is written down.
const REACH: u32 = u32::MAX;
/// How a process ends that is out of fuel.
pub const OUT_OF_FUEL: i32 = 77;
/// What may still be used up after the end, while the stack unwinds.
const RESERVE: i64 = 1_000_000;

static STATE: AtomicU32 = AtomicU32::new(OFF);
static FUEL: AtomicI64 = AtomicI64::new(i64::MAX);
static FUEL_PANICS: AtomicBool = AtomicBool::new(false);

/// The panic's value when a mutant that was switched on by [`switch_on`] is out of fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

/// The alternative to run at a site whose mutants are `low..=high`: the mutant that is on, or 0 for the original.
#[inline(never)]
pub fn s(low: u32, high: u32) -> u32 {
    let state = STATE.load(Ordering::Relaxed);
    if state == OFF {
        0
    } else {
        choose(state, low, high)
    }
}

/// Stands at the beginning of each loop's body, so that a loop that passes no site ends too.
#[inline(never)]
pub fn t() {
    let state = STATE.load(Ordering::Relaxed);
    match state {
        OFF => {}
        REACH => reach::pass(),
        _ => burn(),
    }
}

/// What the arm of a site does that no mutant selects.
#[cold]
#[inline(never)]
pub fn no() -> ! {
    unreachable!("a site was asked for a mutant that it does not have")
}

/// Switches a mutant on in this process. When it has passed `fuel` sites, it panics with [`OutOfFuel`].
pub fn switch_on(mutant: u32, fuel: i64) {
    FUEL_PANICS.store(true, Ordering::Relaxed);
    FUEL.store(fuel, Ordering::Relaxed);
    STATE.store(mutant, Ordering::Relaxed);
}

/// Switches whatever is on off again, and gives how many sites were passed since.
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
    if low <= state && state <= high {
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
    // Two threads may burn the same drop; a locked counter would cost more than what it counts.
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
        // What runs while the stack unwinds passes sites too; a second panic there would end the process.
        FUEL.store(RESERVE, Ordering::Relaxed);
        if std::thread::panicking() {
            limits::end_process(OUT_OF_FUEL);
        }
        std::panic::panic_any(OutOfFuel);
    }
    limits::end_process(OUT_OF_FUEL);
}
