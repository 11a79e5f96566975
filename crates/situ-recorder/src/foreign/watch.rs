//! The supervisor of this process: where it reads notes, and which types it excludes.

use super::Declined;
use super::notes::{self, Note, shortened};
use crate::lazy::Lazy;
use std::path::PathBuf;

/// The environment variable with the folder for notes. Without it, nobody ends a process that
/// hangs.
pub const NOTES_VARIABLE: &str = "SITU_CAPTURE_NOTES";

/// The file in the folder of notes with the excluded types, one per line.
pub const OPAQUE_TYPES: &str = "opaque-types";

struct Watch {
    /// The folder for notes; `None` in the tests of this crate.
    folder: Option<PathBuf>,
    opaque_types: Vec<String>,
}

/// Notes that code of this name begins, if it may be executed.
pub(super) fn begin(name: &str) -> Result<Option<Note>, Declined> {
    static WATCH: Lazy<Option<Watch>> = Lazy::new();
    let watch = WATCH
        .get_or_init(Watch::of_this_process)
        .as_ref()
        .ok_or(Declined::Unwatched)?;
    if watch
        .opaque_types
        .iter()
        .any(|listed| mentions(name, listed))
    {
        return Err(Declined::Listed);
    }
    match &watch.folder {
        Some(folder) => notes::note(folder, name)
            .map(Some)
            .ok_or(Declined::Unwatched),
        None => Ok(None),
    }
}

/// Returns whether a type name is the listed one or contains it: `Option<&gauge::Meter>` contains
/// `gauge::Meter`.
fn mentions(name: &str, listed: &str) -> bool {
    let is_of_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let is_whole = |(at, found): (usize, &str)| {
        !name[..at].ends_with(is_of_path) && !name[at + found.len()..].starts_with(is_of_path)
    };
    !listed.is_empty() && (shortened(name) == listed || name.match_indices(listed).any(is_whole))
}

#[cfg(not(test))]
impl Watch {
    fn of_this_process() -> Option<Watch> {
        let folder =
            PathBuf::from(std::env::var_os(NOTES_VARIABLE).filter(|folder| !folder.is_empty())?);
        let listed = std::fs::read_to_string(folder.join(OPAQUE_TYPES)).unwrap_or_default();
        let opaque_types = listed
            .lines()
            .map(|name| shortened(name.trim()).to_owned())
            .collect();
        Some(Watch {
            folder: Some(folder),
            opaque_types,
        })
    }
}

/// A type that is excluded in the tests of this crate.
#[cfg(test)]
pub(super) const HANGING: &str = "mine::Hanging";

/// In the tests of this crate, the test runner is the supervisor.
#[cfg(test)]
impl Watch {
    fn of_this_process() -> Option<Watch> {
        Some(Watch {
            folder: None,
            opaque_types: vec![HANGING.to_owned()],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_type_is_listed_with_all_that_is_made_of_it() {
        for name in [
            "gauge::Meter",
            "&gauge::Meter",
            "core::option::Option<&gauge::Meter>",
            "(u8, gauge::Meter)",
        ] {
            assert!(mentions(name, "gauge::Meter"), "{name}");
        }
        for name in [
            "gauge::Meters",
            "other_gauge::Meter",
            "my::gauge::Meter",
            "gauge::Meter::Inner",
        ] {
            assert!(!mentions(name, "gauge::Meter"), "{name}");
        }
        let long = format!("gauge::{}", "Long".repeat(100));
        assert!(mentions(&long, super::shortened(&long)) && !mentions("gauge::Meter", ""));
    }
}
