//! Source files that Situ cannot read, named on standard error.

use situ_engine::cargo::unreadable_files;
use situ_engine::cargo::workspace::Workspace;

/// Names the files of the selected packages that Situ cannot read, and returns how many there are. Everything else is worked
/// on as if they were empty.
pub fn name_unreadable(workspace: &Workspace) -> usize {
    let files = unreadable_files(workspace);
    for file in &files {
        eprintln!("warning: {file}; Situ leaves this file out");
    }
    files.len()
}
