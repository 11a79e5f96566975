//! Checksums of the user's sources when this command first read them. Tests generated for one
//! version of a file must not be written into another.

use crate::base::user_error;
use situ_recorder::bytes::checksum;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Checksum of the contents first read, by path.
#[derive(Debug, Default)]
pub(super) struct SeenSources(Mutex<BTreeMap<PathBuf, u64>>);

impl SeenSources {
    /// Records the contents of a file. Returns whether they are the same as at the first call.
    pub(super) fn note(&self, path: &Path, text: &str) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = checksum(text.as_bytes());
        *seen.entry(path.to_path_buf()).or_insert(now) == now
    }

    /// Returns whether a file was read already.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(path)
    }
}

/// Returns the error for a file that has changed since it was first read.
pub fn changed_since(shown: &Path) -> anyhow::Error {
    user_error::input(format!(
        "{} changed since it was read; nothing was written: run the command again",
        shown.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_text_of_a_file_counts() {
        let seen = SeenSources::default();
        let path = Path::new("src/lib.rs");
        assert!(
            seen.note(path, "one")
                && seen.note(path, "one")
                && seen.note(Path::new("src/a.rs"), "two")
        );
        assert!(!seen.note(path, "two"));
        assert!(seen.note(path, "one"));
    }
}
