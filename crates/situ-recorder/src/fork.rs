//! Detection of forks. A child without an `exec` has one thread, and locks that other threads held
//! stay locked in it, even those of the program's allocator. So nothing is recorded in a child of a
//! process with several threads.

#[cfg(unix)]
use crate::reentrancy;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the forking process has one thread.
#[cfg(unix)]
static IS_ALONE: AtomicBool = AtomicBool::new(false);

// SAFETY: the sections are lists of functions that the loader calls before `main`; the static is such a function.
#[cfg(unix)]
#[used]
#[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static START: extern "C" fn() = listen;

/// Registers the fork handlers.
#[cfg(unix)]
extern "C" fn listen() {
    type Handler = Option<extern "C" fn()>;
    unsafe extern "C" {
        fn pthread_atfork(prepare: Handler, parent: Handler, child: Handler) -> i32;
    }
    // SAFETY: the functions live as long as the process. The one for the child stores flags, which may be done there.
    unsafe { pthread_atfork(Some(before_fork), None, Some(in_child)) };
}

#[cfg(unix)]
extern "C" fn before_fork() {
    IS_ALONE.store(threads() == Some(1), Ordering::Relaxed);
}

#[cfg(unix)]
extern "C" fn in_child() {
    if !IS_ALONE.load(Ordering::Relaxed) {
        reentrancy::disable();
    }
}

/// Returns the number of threads of this process, without allocating.
#[cfg(target_os = "linux")]
fn threads() -> Option<u32> {
    use std::io::Read as _;
    let mut status = [0; 512];
    let length = std::fs::File::open("/proc/self/stat")
        .ok()?
        .read(&mut status)
        .ok()?;
    // The name is in parentheses; the state and sixteen numbers follow it.
    let name_end = status[..length].iter().rposition(|byte| *byte == b')')?;
    let mut words = status[name_end..length].split(|byte| *byte == b' ').skip(1);
    std::str::from_utf8(words.nth(17)?).ok()?.parse().ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn threads() -> Option<u32> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::threads;
    use std::sync::mpsc::channel;
    use std::thread;

    #[test]
    fn the_threads_of_this_process_are_counted() {
        let listed = || std::fs::read_dir("/proc/self/task").unwrap().count() as u32;
        let (end, is_over) = channel::<()>();
        let waiting = thread::spawn(move || is_over.recv());
        // Other tests start and end threads meanwhile.
        let is_right = || (0..1000).any(|_| Some(listed()) == threads());
        assert!(threads() >= Some(2) && is_right());
        drop(end);
        let _ = waiting.join();
    }
}
