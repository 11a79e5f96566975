//! The stack on which sources are parsed: parsers, visitors and drops of syntax trees call themselves for each level of the
//! user's code.

use std::panic::resume_unwind;
use std::thread;

/// Pages of a stack that nobody touches take no memory.
const LARGE_STACK: usize = if cfg!(target_pointer_width = "64") {
    512 << 20
} else {
    64 << 20
};

/// Runs something on a thread with a stack that is large enough for all code that is parsed, and waits for it. Where the
/// system has no room for such a stack, it runs on that of the caller.
///
/// A syntax tree belongs to its thread, so whole commands run here, not only their parsers.
pub fn with_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let mut run = Some(run);
    let ended = thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("situ".to_owned())
            .stack_size(LARGE_STACK);
        let taken = &mut run;
        let started = thread.spawn_scoped(scope, move || taken.take().map(|run| run()));
        started
            .ok()
            .and_then(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    match (ended, run) {
        (Some(ended), _) => ended,
        (None, Some(run)) => run(),
        (None, None) => unreachable!("what was taken has run"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses about as many KiB of stack as it is told.
    fn dig(kib: usize) -> usize {
        let bytes = std::hint::black_box([1u8; 1024]);
        if kib == 0 {
            0
        } else {
            dig(kib - 1) + usize::from(bytes[kib % 1024])
        }
    }

    #[test]
    fn there_is_room_for_what_a_plain_thread_has_none_for() {
        assert_eq!(with_large_stack(|| dig(32 << 10)), 32 << 10);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let caught = std::panic::catch_unwind(|| with_large_stack(|| panic!("on purpose")));
        assert_eq!(
            caught.unwrap_err().downcast_ref::<&str>(),
            Some(&"on purpose")
        );
    }
}
