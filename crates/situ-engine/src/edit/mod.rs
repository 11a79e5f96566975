//! Edits of the user's own files: from "these tests go at these places" to a patch, to changed files, and back.
//!
//! Every edit of a source file is made of insertions, so that what the user wrote stays as it is, byte for byte. Only blanks go, where a
//! line is broken.

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
pub use items::{NewItem, compose_items, preview_item};
pub use journal::Recovery;
pub use observed::marked;
pub use undo::{recover, undo};

use std::path::PathBuf;

/// One generated test that a user can accept or reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The file, relative to the root of the workspace.
    pub file: PathBuf,
    /// Where in that file as it was read.
    pub place: Place,
    /// The macro call with its semicolon, in any layout and without indentation of its own.
    pub text: String,
}

/// Where a test goes; numbers are bytes of the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Right after the statement that ends at this byte, after tests that stand there already.
    After(usize),
    /// First in the block whose `{` ends at this byte, after tests that are first already.
    BodyStart(usize),
    /// Right before the statement or tail that begins at this byte. Its attributes and comments stay with it. The body
    /// of a match arm or a closure that has no braces gets them.
    Before(usize),
}
