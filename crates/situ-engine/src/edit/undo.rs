//! Undoes the last change of the user's files.

use super::changes::FileChange;
use super::journal::{
    self, Journal, JournalFile, Recovery, State, Then, Unreadable, admitted, record,
};
use super::transaction::{Change, Next, Step, Transaction};
use super::user_files::UserFiles;
use crate::base::user_error;
use crate::cargo::workspace::Workspace;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes files, all or none, and keeps an undo record.
pub(super) fn write(files: &UserFiles<'_>, changed: &[FileChange]) -> Result<()> {
    write_observed(files, changed, &mut |_| Next::GoOn)
}

/// Writes files as [`write`] does, and calls `observe` after every step to ask whether to go on.
pub(super) fn write_observed(
    files: &UserFiles<'_>,
    changed: &[FileChange],
    observe: &mut dyn FnMut(Step) -> Next,
) -> Result<()> {
    let lock = journal::lock(files)?;
    journal::recover_locked(files)?;
    let number = numbers(&files.notes).last().map_or(1, |last| last + 1);
    let changed = changed.iter().map(|file| JournalFile {
        path: file.path.clone(),
        before: (!file.is_new).then(|| file.before.clone()),
        after: Some(file.after.clone()),
    });
    let changed: Vec<JournalFile> = changed.collect();
    let folders = missing_folders(files, &changed);
    let change = Change {
        files: changed,
        folders,
        then: Then::Keep(number),
    };
    Transaction::new(files, lock, change)?.run_observed(observe)
}

/// Finishes or rolls back an interrupted change.
pub fn recover(workspace: &Workspace) -> Result<Recovery> {
    journal::recover(&UserFiles::of(workspace))
}

/// Undoes the last change: restores the old bytes of every file. Returns an error, and changes
/// nothing, if one of them has been edited since. Rolls back an interrupted change instead, if
/// there is one. Returns the files, relative to the workspace root.
pub fn undo(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    undo_observed(&UserFiles::of(workspace), &mut |_| Next::GoOn)
}

/// Undoes the last change as [`undo`] does, and calls `observe` after every step to ask whether to
/// go on.
pub(super) fn undo_observed(
    files: &UserFiles<'_>,
    observe: &mut dyn FnMut(Step) -> Next,
) -> Result<Vec<PathBuf>> {
    let lock = journal::lock(files)?;
    let recovery = journal::recover_locked(files)?;
    if !recovery.rolled_back.is_empty() {
        return Ok(recovery.rolled_back);
    }
    let Some((number, kept)) = last_record(files)? else {
        return Err(user_error::input(
            "there is nothing to undo: no change was written since the target folder was created",
        ));
    };
    let (mut back, mut edited) = (Vec::new(), Vec::new());
    for file in kept.files {
        match file.state(&admitted(files, &file.path)?) {
            State::After => back.push(JournalFile {
                path: file.path,
                before: file.after,
                after: file.before,
            }),
            State::Before => {}
            State::Edited => edited.push(file.path.display().to_string()),
        }
    }
    if !edited.is_empty() {
        let text = format!(
            "edited since the change was written: {}; nothing was undone",
            edited.join(", ")
        );
        return Err(user_error::input(text));
    }
    let paths = back.iter().map(|file| file.path.clone()).collect();
    let change = Change {
        files: back,
        folders: kept.folders,
        then: Then::Forget(number),
    };
    Transaction::new(files, lock, change)?.run_observed(observe)?;
    Ok(paths)
}

/// Returns the folders of new files that do not exist yet, outermost first.
fn missing_folders(files: &UserFiles<'_>, changed: &[JournalFile]) -> Vec<PathBuf> {
    let mut missing = BTreeSet::new();
    for file in changed.iter().filter(|file| file.before.is_none()) {
        let above = file
            .path
            .ancestors()
            .skip(1)
            .take_while(|folder| !files.root.join(folder).exists());
        missing.extend(above.map(Path::to_path_buf));
    }
    missing.into_iter().collect()
}

/// Returns the last change of this workspace.
fn last_record(files: &UserFiles<'_>) -> Result<Option<(u64, Journal)>> {
    for number in numbers(&files.notes).into_iter().rev() {
        let path = record(files, number);
        match Journal::read(&path) {
            Ok(kept) if kept.root == files.root => return Ok(Some((number, kept))),
            Ok(_) => {}
            Err(reason) => return Err(unreadable(&path, &reason)),
        }
    }
    Ok(None)
}

fn unreadable(path: &Path, reason: &Unreadable) -> anyhow::Error {
    let path = path.display();
    let what_to_do = match reason {
        Unreadable::OtherVersion => "undo it with that version",
        Unreadable::Io(_) | Unreadable::Damaged => "revert it by hand",
    };
    user_error::input(format!(
        "the last change cannot be undone: {path} cannot be read, {reason}; {what_to_do}, or remove {path} to get to the \
         change before it"
    ))
}

/// Returns the numbers of all undo records, in ascending order.
fn numbers(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_str().map(str::to_owned));
    let mut numbers: Vec<u64> = names
        .filter_map(|name| name.strip_suffix(".json")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers
}
