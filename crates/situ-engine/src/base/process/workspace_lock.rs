//! Lock file that only one process holds, so that one command at a time works in a workspace.

use super::own_files;
use anyhow::{Context as _, Result};
use std::fs::{self, File};
use std::path::Path;

/// Lock on a file. Released when it is dropped or the process ends.
#[derive(Debug)]
pub struct Alone {
    _file: File,
}

/// Locks the file at `path` and waits until no other process holds it. Calls `wait` once if it has
/// to wait.
pub fn alone(path: &Path, wait: impl FnOnce()) -> Result<Alone> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).context("creating Situ's folder")?;
    }
    let file = own_files::open_or_create(path);
    let file = file.with_context(|| format!("opening {}", path.display()))?;
    if !lock(&file, Patience::None) {
        wait();
        lock(&file, Patience::Endless);
    }
    Ok(Alone { _file: file })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    None,
    Endless,
}

/// Returns whether the file is locked by this process now. Returns `true` if the file system does
/// not support locks.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "the standard library locks files only since a later version than the oldest we support"
)]
fn lock(file: &File, patience: Patience) -> bool {
    use std::os::fd::AsRawFd as _;
    let operation = if patience == Patience::None {
        libc::LOCK_EX | libc::LOCK_NB
    } else {
        libc::LOCK_EX
    };
    // SAFETY: the descriptor is open as long as the file lives, and the call touches no memory.
    let answer = unsafe { libc::flock(file.as_raw_fd(), operation) };
    answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EWOULDBLOCK)
}

/// Returns `true`: files are not locked on this system.
#[cfg(not(unix))]
fn lock(_file: &File, _patience: Patience) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    #[test]
    fn the_second_one_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/alone");
        let first = alone(&path, || panic!("nobody else is there")).unwrap();
        let first_is_there = AtomicBool::new(true);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let mut waited = false;
                let second = alone(&path, || waited = true).unwrap();
                assert!(waited && !first_is_there.load(Ordering::SeqCst));
                drop(second);
            });
            std::thread::sleep(Duration::from_millis(50));
            first_is_there.store(false, Ordering::SeqCst);
            drop(first);
            second.join().unwrap();
        });
    }
}
