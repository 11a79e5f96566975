//! The guard that prevents the recorder from being entered by code that it executes itself.
//!
//! Recording allocates, locks and formats values. An instrumented allocator, `Debug` or signal
//! handler of the program would record in turn, and wait for a lock that its own thread holds. So
//! each entry point takes this guard before it allocates or locks anything. The guard is one flag
//! per thread; it needs no initialization and no destructor, so that it can be read at any moment
//! of a thread's life.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the recorder is disabled for the rest of this process.
static IS_DISABLED: AtomicBool = AtomicBool::new(false);

/// Disables the recorder for the rest of this process.
pub(crate) fn disable() {
    IS_DISABLED.store(true, Ordering::Relaxed);
}

/// Returns whether the recorder must not be entered in this process, nor continue what it began.
#[inline]
pub(crate) fn is_disabled() -> bool {
    IS_DISABLED.load(Ordering::Relaxed)
}

fn replace(is_inside: bool) -> bool {
    IS_INSIDE
        .try_with(|flag| flag.replace(is_inside))
        .unwrap_or(true)
}

/// The guard: this thread is inside the recorder until it is dropped.
#[derive(Debug)]
pub(crate) struct Stay(PhantomData<*const ()>);

/// Enters the recorder, unless this thread is inside already.
#[inline]
pub(crate) fn enter() -> Option<Stay> {
    (!is_disabled() && !replace(true)).then(|| Stay(PhantomData))
}

impl Drop for Stay {
    fn drop(&mut self) {
        replace(false);
    }
}

/// Keeps this thread inside until [`leave`] is called with the returned value. Used while code of
/// the program captures a value.
pub(crate) fn stay() -> bool {
    replace(true)
}

/// Ends what [`stay`] began.
pub(crate) fn leave(was_inside: bool) {
    replace(was_inside);
}

/// A guard of code that must not be recorded, nor anything that it calls.
#[derive(Debug)]
pub struct Unrecorded {
    was_inside: bool,
    on_this_thread: PhantomData<*const ()>,
}

/// Begins code that must not be recorded: allocators and signal handlers, in which the recorder
/// could not allocate.
#[inline(never)]
pub fn unrecorded() -> Unrecorded {
    Unrecorded {
        was_inside: replace(true),
        on_this_thread: PhantomData,
    }
}

impl Drop for Unrecorded {
    fn drop(&mut self) {
        replace(self.was_inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_enters_once_at_a_time() {
        let stay = enter().unwrap();
        assert!(enter().is_none());
        assert!(
            std::thread::spawn(|| enter().is_some()).join().unwrap(),
            "another thread is not inside"
        );
        drop(stay);
        assert!(enter().is_some());
    }

    #[test]
    fn code_that_must_not_be_recorded_may_run_inside_and_outside() {
        let outside = unrecorded();
        assert!(enter().is_none());
        drop(unrecorded());
        assert!(enter().is_none(), "the outer one has not ended");
        drop(outside);
        assert!(enter().is_some());
    }
}
