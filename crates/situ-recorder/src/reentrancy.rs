//! The guard that keeps the run time from being entered again by code that it runs itself.
//!
//! Recording allocates, locks and formats values. An allocator, a `Debug` or a signal handler of the program that is
//! instrumented would record in turn, and wait for a lock that its own thread holds. So each way into the run time takes
//! this guard before it allocates or locks anything: one flag for each thread, which needs no initialisation and no
//! destructor, and can be asked at any moment of a thread's life.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether nobody enters any more.
static IS_DISABLED: AtomicBool = AtomicBool::new(false);

/// Lets nobody enter any more.
pub(crate) fn disable() {
    IS_DISABLED.store(true, Ordering::Relaxed);
}

/// Returns whether the run time must not be entered in this process, nor go on with what was begun.
#[inline]
pub(crate) fn is_disabled() -> bool {
    IS_DISABLED.load(Ordering::Relaxed)
}

fn replace(is_inside: bool) -> bool {
    IS_INSIDE
        .try_with(|flag| flag.replace(is_inside))
        .unwrap_or(true)
}

/// A stay of this thread in the run time, until it is dropped.
#[derive(Debug)]
pub(crate) struct Stay(PhantomData<*const ()>);

/// Enters the run time, unless this thread is inside already.
#[inline]
pub(crate) fn enter() -> Option<Stay> {
    (!is_disabled() && !replace(true)).then(|| Stay(PhantomData))
}

impl Drop for Stay {
    fn drop(&mut self) {
        replace(false);
    }
}

/// Keeps this thread inside until [`leave`] is called with what this returns: while a value is captured, by code of its type.
pub(crate) fn stay() -> bool {
    replace(true)
}

/// Ends what [`stay`] began.
pub(crate) fn leave(was_inside: bool) {
    replace(was_inside);
}

/// Code that must not be recorded, with everything that it calls, until this is dropped.
#[derive(Debug)]
pub struct Unrecorded {
    was_inside: bool,
    on_this_thread: PhantomData<*const ()>,
}

/// Begins code that must not be recorded: allocators and signal handlers, in which the run time could not allocate.
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
