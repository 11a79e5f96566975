//! Changes of the user's files: written on request, otherwise printed as a patch; and undone.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::print_line;
use anyhow::Result;
use serde_json::json;
use situ_engine::base::user_error;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::edit::{self, ChangeSet, undo};
use std::path::PathBuf;

/// Writes the changed files. Fails without writing anything if they depend on a version of `situ`
/// that cannot be downloaded.
pub fn write(changes: &ChangeSet, workspace: &Workspace) -> Result<()> {
    match changes.lacks_situ(workspace) {
        Some(reason) => Err(user_error::input(format!("{reason}; nothing was written"))),
        None => changes.write(workspace),
    }
}

/// Writes the changed files and lists them on standard error.
pub fn write_and_say(changes: &ChangeSet, workspace: &Workspace) -> Result<()> {
    write(changes, workspace)?;
    changes
        .files
        .iter()
        .for_each(|file| eprintln!("changed {}", file.path.display()));
    Ok(())
}

/// Prints the patch, and nothing else, on standard output, so that it can be piped into `git
/// apply`.
pub fn print_patch(changes: &ChangeSet, workspace: &Workspace) {
    let patch = changes.patch();
    if !patch.is_empty() {
        print_line(patch.trim_end_matches('\n'));
    }
    if let Some(reason) = changes.lacks_situ(workspace) {
        eprintln!("note: {reason}");
    }
}

/// Rolls back a change during which an earlier command was killed, and reports the affected files.
pub fn recover(workspace: &Workspace) -> Result<()> {
    let recovery = edit::recover(workspace)?;
    let say = |words: &str, files: &[PathBuf]| {
        files
            .iter()
            .for_each(|file| eprintln!("{words} {}", file.display()))
    };
    if !recovery.is_empty() {
        eprintln!("an earlier command was interrupted while it changed files:");
    }
    say("finished", &recovery.finished);
    say("rolled back", &recovery.rolled_back);
    say("edited since, not rolled back:", &recovery.edited);
    Ok(())
}

/// Restores every file of the last change to its previous bytes, whichever verb changed it.
pub fn take_back(common: &Common) -> Result<Exit> {
    let as_json = common.json;
    let files = undo(&Workspace::load(&common.selection())?)?;
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
