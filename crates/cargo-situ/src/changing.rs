//! The user's files: changed where that was asked for, else shown as a patch; and taken back.

use crate::exit::Exit;
use crate::output::print_line;
use anyhow::Result;
use serde_json::json;
use situ_engine::edit::{ChangeSet, undo};
use situ_engine::workspace::Workspace;

/// Writes the files, and says which.
pub fn write(changes: &ChangeSet, workspace: &Workspace) -> Result<()> {
    changes.write(workspace)?;
    changes.files.iter().for_each(|file| eprintln!("changed {}", file.path.display()));
    Ok(())
}

/// The patch goes to standard output alone, so that it can be piped into `git apply`.
pub fn print_patch(changes: &ChangeSet) {
    let patch = changes.patch();
    if !patch.is_empty() {
        print_line(patch.trim_end_matches('\n'));
    }
}

/// Gives every file of the last change its bytes back, whichever verb made it.
pub fn take_back(workspace: &Workspace, as_json: bool) -> Result<Exit> {
    let files = undo(workspace)?;
    for file in &files {
        match as_json {
            true => print_line(&json!({ "file": file }).to_string()),
            false => print_line(&format!("restored {}", file.display())),
        }
    }
    if as_json {
        print_line(&json!({ "verb": "undo", "summary": { "files": files.len() } }).to_string());
    }
    Ok(Exit::Done)
}
