//! Writes several files, existing or new: all or none.

use super::journal::{self, Journal, JournalFile, Then};
use super::new_file::{beside, read_if_there, sync_folder, write_new};
use super::user_files::UserFiles;
use crate::base::process::Alone;
use crate::base::user_error;
use crate::cargo::workspace::changed_since;
use anyhow::{Context as _, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Completed step of a change. A process may be killed after any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The journal is on the disk.
    Noted,
    /// The new contents of one file are in a temporary file beside it.
    Staged,
    /// All temporary files are written; no file has been checked for edits yet.
    AllStaged,
    /// One file was replaced or removed.
    Replaced,
}

/// What to do after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    /// Leave everything as it is, as if the process were killed. Only tests use it.
    #[cfg_attr(not(test), allow(dead_code, reason = "the command is killed for real"))]
    Stop,
}

/// Requested change of several files.
pub(super) struct Change {
    pub files: Vec<JournalFile>,
    /// Folders to create for new files, or to remove, outermost first.
    pub folders: Vec<PathBuf>,
    /// What to do when all files are changed.
    pub then: Then,
}

/// Checked change of several files that can be made. Holds the lock, so that no other process
/// changes files.
pub(super) struct Transaction<'f> {
    files: &'f UserFiles<'f>,
    /// Files to write, with links resolved.
    targets: Vec<PathBuf>,
    journal: Journal,
    _lock: Alone,
}

impl<'f> Transaction<'f> {
    /// Checks that every file is unchanged since it was read and can be written. Changes nothing.
    pub(super) fn new(
        files: &'f UserFiles<'f>,
        lock: Alone,
        change: Change,
    ) -> Result<Transaction<'f>> {
        let targets = change
            .files
            .iter()
            .map(|file| target(files, file))
            .collect::<Result<Vec<_>>>()?;
        for (file, target) in change.files.iter().zip(&targets) {
            check_unchanged(file, target)?;
            if file.before.is_some() {
                check_writable(&file.path, target)?;
            }
        }
        let journal = Journal::new(files, change.files, change.folders, change.then);
        Ok(Transaction {
            files,
            targets,
            journal,
            _lock: lock,
        })
    }

    /// Makes the change, and calls `observe` after every step to ask whether to go on.
    pub(super) fn run_observed(self, observe: &mut dyn FnMut(Step) -> Next) -> Result<()> {
        self.journal.begin(self.files)?;
        if observe(Step::Noted) == Next::Stop {
            return Ok(());
        }
        match self.stage(observe).and_then(|next| {
            if next == Next::GoOn {
                self.replace(observe)
            } else {
                Ok(next)
            }
        }) {
            Ok(Next::Stop) => Ok(()),
            Ok(Next::GoOn) => {
                self.targets
                    .iter()
                    .filter_map(|path| path.parent())
                    .for_each(sync_folder);
                self.journal.commit(self.files)
            }
            Err(failed) => {
                self.journal.roll_back(self.files)?;
                Err(failed)
            }
        }
    }

    /// Writes the new contents of every file to a temporary file beside it.
    fn stage(&self, observe: &mut dyn FnMut(Step) -> Next) -> Result<Next> {
        for (file, target) in self.journal.files.iter().zip(&self.targets) {
            let Some(text) = &file.after else { continue };
            let not_writable = |error: std::io::Error| not_writable(&file.path, &error);
            if let (None, Some(folder)) = (&file.before, target.parent()) {
                fs::create_dir_all(folder).map_err(not_writable)?;
            }
            let like = if file.before.is_some() {
                target.clone()
            } else {
                self.files.root.join("Cargo.toml")
            };
            write_new(&beside(target, self.journal.process), &like, text).map_err(not_writable)?;
            if observe(Step::Staged) == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(observe(Step::AllStaged))
    }

    /// Replaces every file by its temporary file. Stops if a file was edited in the meantime.
    fn replace(&self, observe: &mut dyn FnMut(Step) -> Next) -> Result<Next> {
        for (file, target) in self.journal.files.iter().zip(&self.targets) {
            check_unchanged(file, target)?;
            let replaced = match &file.after {
                Some(_) => fs::rename(beside(target, self.journal.process), target),
                None => fs::remove_file(target),
            };
            replaced.map_err(|error| not_writable(&file.path, &error))?;
            if observe(Step::Replaced) == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(Next::GoOn)
    }
}

/// Resolves links: an edit of a link changes its target.
fn target(files: &UserFiles<'_>, file: &JournalFile) -> Result<PathBuf> {
    let full = files.root.join(&file.path);
    match (&file.before, full.canonicalize()) {
        (_, Ok(path)) => Ok(path),
        (None, Err(_)) => journal::admitted(files, &file.path),
        (Some(_), Err(error)) => Err(match error.kind() {
            ErrorKind::NotFound => {
                let text = format!(
                    "{} is gone; nothing was written, run the command again",
                    file.path.display()
                );
                user_error::input(text)
            }
            _ => anyhow::Error::new(error).context(format!("finding {}", file.path.display())),
        }),
    }
}

/// Checks that a file is unchanged since it was read. A file that cannot be read any more counts as
/// changed.
fn check_unchanged(file: &JournalFile, target: &Path) -> Result<()> {
    let now = read_if_there(target).map_err(|_| changed_since(&file.path))?;
    if now.as_deref() != file.before.as_ref().map(String::as_bytes) {
        return Err(changed_since(&file.path));
    }
    Ok(())
}

fn check_writable(shown: &Path, path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).with_context(|| format!("reading {}", shown.display()))?;
    if metadata.permissions().readonly() {
        let text = format!(
            "{} is read-only; nothing was written, make it writable and run the command again",
            shown.display()
        );
        return Err(user_error::input(text));
    }
    Ok(())
}

fn not_writable(shown: &Path, error: &std::io::Error) -> anyhow::Error {
    user_error::input(format!(
        "{} cannot be written: {error}; nothing was changed",
        shown.display()
    ))
}

#[cfg(test)]
mod tests;
