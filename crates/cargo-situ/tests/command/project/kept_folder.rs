//! Folders that keep their builds from run to run, each used by one test at a time.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};

static IN_USE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
static GIVEN_BACK: Condvar = Condvar::new();

/// The right to use a folder, until it is dropped.
pub struct KeptFolder(String);

impl KeptFolder {
    /// Waits until no other test uses the folder of this name.
    pub fn wait_for(name: &str) -> KeptFolder {
        let in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut in_use = GIVEN_BACK
            .wait_while(in_use, |in_use| in_use.contains(name))
            .unwrap_or_else(PoisonError::into_inner);
        in_use.insert(name.to_owned());
        KeptFolder(name.to_owned())
    }
}

impl Drop for KeptFolder {
    fn drop(&mut self) {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        in_use.remove(&self.0);
        GIVEN_BACK.notify_all();
    }
}
