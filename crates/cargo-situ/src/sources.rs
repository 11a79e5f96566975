//! Warnings about source files that Situ cannot parse.

use situ_engine::cargo::unreadable_files;
use situ_engine::cargo::workspace::Workspace;

/// Prints a warning for each file of the selected packages that Situ cannot parse, and returns
/// their number. Everything else treats these files as empty.
pub fn name_unreadable(workspace: &Workspace) -> usize {
    let files = unreadable_files(workspace);
    for file in &files {
        eprintln!("warning: {file}; Situ ignores this file");
    }
    files.len()
}
