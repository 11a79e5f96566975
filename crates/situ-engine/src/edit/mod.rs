//! Edits of the user's own files: from tests and their places to a patch, to changed files, and
//! back.
//!
//! Every edit that adds tests to a source file consists of insertions, so that the user's code keeps
//! its bytes. Only blanks are removed, where a line is broken.

mod changes;
mod compose;
mod existing;
mod formatting;
mod importing;
mod items;
mod journal;
mod layout;
mod line_breaks;
mod marking;
mod new_file;
mod observed;
mod outline;
mod patch;
mod placing;
mod transaction;
mod trivia;
mod undo;
mod user_files;

#[cfg(test)]
mod tests;

pub use changes::{ChangeSet, FileChange, NoSitu, formatting_of};
pub use compose::{Preview, admits, admitted, compose, preview};
pub use existing::{existing_names, existing_tests, normalised, test_name, tested};
pub use formatting::Formatting;
pub use items::{NewItem, compose_insertions, compose_items, preview_item};
pub use journal::Recovery;
pub use observed::{marked, marks_kept};
pub use patch::preview_change;
pub use undo::{recover, undo};

use std::path::PathBuf;

/// Generated test that a user can accept or reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Path relative to the workspace root.
    pub file: PathBuf,
    /// Place in the file as Situ read it.
    pub place: Place,
    /// Macro call with its semicolon, in any layout, without indentation.
    pub text: String,
}

/// Where a test goes. Numbers are byte offsets in the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Just after the statement that ends at this byte, behind tests that are there already.
    After(usize),
    /// First in the block whose `{` ends at this byte, behind tests that are there already.
    BodyStart(usize),
    /// Just before the statement or tail expression that starts at this byte. Its attributes and
    /// comments stay with it. The body of a match arm or closure without braces gets them.
    Before(usize),
}
