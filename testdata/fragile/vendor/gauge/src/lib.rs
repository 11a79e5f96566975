//! A crate that is not part of the workspace.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Shows what it holds by the `Debug` of that.
#[derive(Debug)]
pub struct Holder<T>(pub T);

/// The readings of all meters.
pub static READINGS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Shows the readings, which are behind a lock.
pub struct Meter(pub u32);

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings = READINGS.lock().map_err(|_| fmt::Error)?;
        write!(f, "{}: {readings:?}", self.0)
    }
}

/// How often tallies were shown.
pub static SHOWN: AtomicU32 = AtomicU32::new(0);

/// Counts how often it is shown.
pub struct Tally(pub u32);

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.fetch_add(1, Relaxed);
        write!(f, "Tally")
    }
}
