//! The part of a thread's stack that recording may use, and the depth of nested recorded calls.

use std::cell::{Cell, RefCell};
use std::ops::Range;

/// The bytes of each stack that recording leaves to the program.
const RESERVE: usize = 128 << 10;

/// The maximum depth of nested recorded functions and statements on a thread; deeper ones are not
/// recorded.
const MAX_LEVELS: usize = 256;

thread_local! {
    /// The addresses at which recording may execute; `None` before they are first needed.
    static ROOM: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    /// The stack addresses at which the enclosing recorded functions and statements began,
    /// outermost first. Stacks grow downwards.
    static LEVELS: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Returns an address in the frame of the caller, or close to it.
#[inline(never)]
fn here() -> usize {
    let local = 0_u8;
    &raw const local as usize
}

/// Returns whether recording may use the stack at this depth. It may not on a stack that the thread
/// was not started with, such as that of a signal handler, because its size is unknown.
pub(crate) fn has_room() -> bool {
    let room = ROOM.try_with(|room| {
        let known = room.get().unwrap_or_else(|| {
            let bounds = bounds().unwrap_or(0..usize::MAX);
            (bounds.start.saturating_add(RESERVE), bounds.end)
        });
        room.set(Some(known));
        known
    });
    room.is_ok_and(|(lowest, end)| (lowest..end).contains(&here()))
}

/// A recorded function or statement that is being executed, by its stack address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level(usize);

/// Begins a level, unless it is nested too deeply or the thread is about to end.
pub(crate) fn open_level() -> Option<Level> {
    let own = here();
    let opened = LEVELS.try_with(|levels| {
        let mut levels = levels.try_borrow_mut().ok()?;
        // Levels that began further down the stack have ended, or moved to another thread.
        close_from(&mut levels, own);
        (levels.len() < MAX_LEVELS).then(|| levels.push(own))
    });
    opened.ok().flatten().map(|()| Level(own))
}

/// Ends a level and all levels inside it.
pub(crate) fn close_level(level: Level) {
    let _ = LEVELS.try_with(|levels| {
        levels
            .try_borrow_mut()
            .map(|mut levels| close_from(&mut levels, level.0))
    });
}

fn close_from(levels: &mut Vec<usize>, address: usize) {
    while levels.last().is_some_and(|innermost| *innermost <= address) {
        levels.pop();
    }
}

/// Returns the stack of this thread, if the system knows it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn bounds() -> Option<Range<usize>> {
    /// A buffer larger than `pthread_attr_t` on any platform.
    type Attributes = [u64; 16];
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_getattr_np(thread: usize, attributes: *mut Attributes) -> i32;
        fn pthread_attr_getstack(
            attributes: *const Attributes,
            start: *mut usize,
            size: *mut usize,
        ) -> i32;
        fn pthread_attr_destroy(attributes: *mut Attributes) -> i32;
    }
    let (mut attributes, mut start, mut size) = ([0; 16], 0, 0);
    // SAFETY: all pointers are to locals that live through the calls. The attributes are initialised by the first of them, and
    // destroyed only where that has succeeded.
    unsafe {
        if pthread_getattr_np(pthread_self(), &raw mut attributes) != 0 {
            return None;
        }
        let failed =
            pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size) != 0;
        pthread_attr_destroy(&raw mut attributes);
        (!failed).then(|| start..start.saturating_add(size))
    }
}

/// Returns the stack of this thread, if the system knows it.
#[cfg(target_os = "macos")]
fn bounds() -> Option<Range<usize>> {
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn pthread_get_stackaddr_np(thread: usize) -> usize;
        fn pthread_get_stacksize_np(thread: usize) -> usize;
    }
    // SAFETY: these take and give numbers.
    let (end, size) = unsafe {
        (
            pthread_get_stackaddr_np(pthread_self()),
            pthread_get_stacksize_np(pthread_self()),
        )
    };
    Some(end.saturating_sub(size)..end)
}

/// Returns `None`: other systems do not expose the stack.
#[cfg(not(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos")))]
fn bounds() -> Option<Range<usize>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::thread;

    #[test]
    #[cfg(any(all(target_os = "linux", target_env = "gnu"), target_os = "macos"))]
    fn there_is_no_room_near_the_end_of_a_stack() {
        fn lowest_with_room(levels: u32) -> u32 {
            let frame = black_box([0_u8; 4096]);
            let has_room = has_room();
            let below = if levels == 0 || !has_room {
                0
            } else {
                1 + lowest_with_room(levels - 1)
            };
            black_box(frame);
            below
        }
        let large = thread::Builder::new()
            .stack_size(1 << 20)
            .spawn(|| lowest_with_room(10_000))
            .unwrap();
        let levels = large.join().unwrap();
        assert!(
            (50..250).contains(&levels),
            "{levels} levels of four kilobytes"
        );
        let small = thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(has_room)
            .unwrap();
        assert!(!small.join().unwrap());
    }

    #[test]
    fn levels_are_counted_along_the_stack() {
        fn deeper(levels: u32, opened: &mut u32) {
            let level = open_level();
            *opened += u32::from(level.is_some());
            if levels > 0 {
                deeper(levels - 1, opened);
            }
            level.into_iter().for_each(close_level);
        }
        let (mut first, mut second) = (0, 0);
        deeper(1000, &mut first);
        deeper(1000, &mut second);
        assert_eq!((first as usize, second as usize), (MAX_LEVELS, MAX_LEVELS));
        assert!(open_level().is_some(), "and all of them are over");
    }

    #[test]
    fn levels_that_never_end_here_are_forgotten() {
        #[inline(never)]
        fn leaks() {
            let _ = black_box(open_level());
        }
        (0..1000).for_each(|_| leaks());
        assert!(open_level().is_some());
    }
}
