//! Values that are shown by code with effects.

use gauge::Holder;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

static ENTRIES: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static SHOWN: AtomicU32 = AtomicU32::new(0);

/// Shows the entries, which are behind a lock.
pub struct Ledger(u32);

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = ENTRIES.lock().map_err(|_| fmt::Error)?;
        write!(f, "{}: {:?}", self.0, entries)
    }
}

/// Counts how often it is shown.
pub struct Counted;

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SHOWN.fetch_add(1, Relaxed);
        f.write_str("Counted")
    }
}

/// Adds an entry, while the lock is held.
pub fn add(ledger: &Holder<Ledger>, entry: u32) -> usize {
    let mut entries = ENTRIES.lock().unwrap();
    let next = entry * 2 + ledger.0.0;
    put(&mut entries, ledger, next)
}

fn put(entries: &mut MutexGuard<'_, Vec<u32>>, ledger: &Holder<Ledger>, entry: u32) -> usize {
    let shifted = entry << ledger.0.0;
    entries.push(shifted);
    entries.len()
}

/// How long it is, in words of four.
pub fn words(counted: &Holder<Counted>, length: u32) -> u32 {
    let words = length / 4 + u32::from(size_of_val(counted) > 0);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_added_under_the_lock() {
        assert_eq!(add(&Holder(Ledger(1)), 3), 1);
        assert_eq!(format!("{:?}", Ledger(0)), "0: [14]");
    }

    #[test]
    fn nobody_shows_it_but_the_program() {
        let counted = Holder(Counted);
        assert_eq!(words(&counted, 9), 2);
        assert_eq!(format!("{counted:?}"), "Holder(Counted)");
        assert_eq!(SHOWN.load(Relaxed), 1);
    }
}
