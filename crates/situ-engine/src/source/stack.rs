//! Large stack for parsing. Parsers, visitors and drops of syntax trees recurse for each level of
//! the user's code.

use std::panic::resume_unwind;
use std::thread;

/// Size in bytes. Pages that are not touched take no memory.
const LARGE_STACK: usize = if cfg!(target_pointer_width = "64") {
    512 << 20
} else {
    64 << 20
};

/// Executes a closure on a thread whose stack is large enough for all code that
/// [`parse()`](super::parse()) accepts, and waits for it. If the system cannot provide such a
/// stack, executes it on the caller's.
///
/// A syntax tree cannot leave its thread, so whole commands run here, not only their parsers.
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
        (None, None) => unreachable!("the closure was taken, so the thread has run it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses about `kib` KiB of stack.
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
