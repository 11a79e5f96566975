//! Configuration of the switch from the environment, before `main`.

use super::{FUEL, REACH, STATE, limits, reach};
use std::env;
use std::sync::atomic::Ordering;

// SAFETY: the sections are lists of functions that the loader calls before `main`; the static is such a function.
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
static START: extern "C" fn() = start;

extern "C" fn start() {
    let Ok(mutant) = env::var("SITU_MUTANT") else {
        return;
    };
    if let Some(bytes) = number("SITU_MEMORY") {
        limits::limit_memory(bytes);
    }
    if mutant == "reach" {
        reach::open();
        STATE.store(REACH, Ordering::Relaxed);
    } else if let Ok(mutant) = mutant.parse() {
        if let Some(fuel) = number("SITU_FUEL") {
            FUEL.store(i64::try_from(fuel).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
        STATE.store(mutant, Ordering::Relaxed);
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}
