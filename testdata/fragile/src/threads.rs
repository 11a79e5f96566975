//! What runs while a thread ends, while the stack unwinds, and on a stack that is small.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

static ENDED: AtomicU32 = AtomicU32::new(0);

/// Says so when its thread ends.
struct AtEnd(Cell<u32>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        let sum = crate::mixed(self.0.get()) & 0xff;
        ENDED.fetch_add(sum, Relaxed);
    }
}

thread_local! {
    static FIRST: AtEnd = const { AtEnd(Cell::new(1)) };
    static LAST: AtEnd = const { AtEnd(Cell::new(2)) };
}

/// Uses the storage of a thread before and after code that is recorded.
pub fn of_a_thread(number: u32) -> u32 {
    FIRST.with(|first| first.0.set(number));
    let mixed = crate::mixed(number);
    LAST.with(|last| last.0.set(mixed));
    mixed
}

/// Shows itself by a panic.
pub struct Loud(u32);

impl std::fmt::Debug for Loud {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("nobody shows {}", self.0)
    }
}

/// Looks at something loud when it is dropped.
pub struct Guard<'g>(pub &'g gauge::Holder<Loud>, pub &'g Cell<u32>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let number = volume(self.0);
        self.1.set(number);
    }
}

/// How loud something is that panics when it is shown.
pub fn loudness(number: u32) -> u32 {
    volume(&gauge::Holder(Loud(number)))
}

fn volume(loud: &gauge::Holder<Loud>) -> u32 {
    let volume = loud.0.0 << 1;
    volume
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    #[test]
    fn storage_of_threads_is_dropped() {
        let threads: Vec<_> = (0..20).map(|number| thread::spawn(move || of_a_thread(number))).collect();
        assert!(threads.into_iter().enumerate().all(|(at, thread)| thread.join().unwrap() == crate::mixed(at as u32)));
        assert!(ENDED.load(Relaxed) > 0);
    }

    #[test]
    fn values_are_dropped_while_the_stack_unwinds() {
        let (loud, seen) = (gauge::Holder(Loud(4)), Cell::new(0));
        let unwinding = catch_unwind(AssertUnwindSafe(|| {
            let _guard = Guard(&loud, &seen);
            std::panic::resume_unwind(Box::new("on purpose"));
        }));
        assert!(unwinding.is_err());
        assert_eq!(seen.get(), 8);
    }

    #[test]
    fn a_small_stack_is_enough() {
        let small = thread::Builder::new().stack_size(48 << 10).spawn(|| crate::recursion::depth(20)).unwrap();
        assert_eq!(small.join().unwrap(), 20);
    }
}
