//! One thread that ends process groups when their time is over.

use super::group;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Watchdog {
    watched: Mutex<Watched>,
    changed: Condvar,
}

#[derive(Default)]
struct Watched {
    last_key: u64,
    /// Deadline, process group, and whether it was ended.
    groups: BTreeMap<u64, (Instant, u32, bool)>,
}

/// A process group under watch.
pub(super) struct Guard(u64);

/// Ends this group at the deadline, unless the guard is ended before.
pub(super) fn guard(leader: u32, deadline: Instant) -> Guard {
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| drop(thread::spawn(watch)));
    let mut watched = lock();
    watched.last_key += 1;
    let key = watched.last_key;
    watched.groups.insert(key, (deadline, leader, false));
    watchdog().changed.notify_one();
    Guard(key)
}

impl Guard {
    /// Gives the group more time.
    pub(super) fn extend(&self, deadline: Instant) {
        if let Some(group) = lock().groups.get_mut(&self.0) {
            group.0 = deadline;
        }
    }

    /// Ends the watch; true if the time was over.
    pub(super) fn end(self) -> bool {
        lock().groups.remove(&self.0).is_some_and(|(_, _, ended)| ended)
    }
}

fn watchdog() -> &'static Watchdog {
    static WATCHDOG: OnceLock<Watchdog> = OnceLock::new();
    WATCHDOG.get_or_init(Watchdog::default)
}

fn lock() -> MutexGuard<'static, Watched> {
    watchdog().watched.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    let mut watched = lock();
    loop {
        let now = Instant::now();
        for (deadline, leader, ended) in watched.groups.values_mut() {
            if !*ended && *deadline <= now {
                *ended = group::kill_group(*leader);
            }
        }
        let next = watched.groups.values().filter(|(_, _, ended)| !ended).map(|(deadline, ..)| *deadline).min();
        let pause = next.map_or(Duration::from_secs(3600), |next| next.saturating_duration_since(Instant::now()));
        let waiting = watchdog().changed.wait_timeout(watched, pause.max(Duration::from_millis(1)));
        watched = waiting.unwrap_or_else(PoisonError::into_inner).0;
    }
}
