//! The user's sources as this run saw them first: what is made up for one text must not go into another.

use crate::base::user_error;
use situ_recorder::bytes::checksum;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Files, each with the checksum of the text that was read first.
#[derive(Debug, Default)]
pub(super) struct SeenSources(Mutex<BTreeMap<PathBuf, u64>>);

impl SeenSources {
    /// Notes a text that was read; says whether it is the one that was read first.
    pub(super) fn note(&self, path: &Path, text: &str) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = checksum(text.as_bytes());
        *seen.entry(path.to_path_buf()).or_insert(now) == now
    }

    /// Whether a file was read already.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(path)
    }
}

/// The error for a file that is not what it was when it was read first.
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
