//! Writes several files, all or none; new ones too.

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

/// A step of a change that is done: a process may be killed behind any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The journal is on the disk.
    Noted,
    /// The new text of a file stands beside it.
    Staged,
    /// All new texts do, and no file is looked at for changes yet.
    AllStaged,
    /// A file has its new text, or is gone.
    Replaced,
}

/// What to do behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Go on.
    GoOn,
    /// Leave everything as it is, as a killed process does. Only tests ask for it.
    #[cfg_attr(not(test), allow(dead_code, reason = "the command is killed for real"))]
    Stop,
}

/// A change of several files, as it is asked for.
pub(super) struct Change {
    /// The files.
    pub files: Vec<JournalFile>,
    /// The folders that are made for new files, or that were, outermost first.
    pub folders: Vec<PathBuf>,
    /// What is done in the end.
    pub then: Then,
}

/// A change of several files, checked and ready to be made. No other process changes files meanwhile.
pub(super) struct Transaction<'f> {
    files: &'f UserFiles<'f>,
    /// The files themselves, behind any links.
    targets: Vec<PathBuf>,
    journal: Journal,
    _lock: Alone,
}

impl<'f> Transaction<'f> {
    /// Checks that every file is what it was when it was read, and may be written. Nothing is changed yet.
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

    /// Makes the change, and asks behind every step whether to go on.
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

    /// Puts the new text of every file beside it.
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

    /// Puts every new file in the place of the old one, unless that was changed at the last moment.
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

/// Returns the file itself: an edit of a link is an edit of what it leads to.
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

/// A file that cannot be read any more is not what it was either.
fn check_unchanged(file: &JournalFile, target: &Path) -> Result<()> {
    let now = read_if_there(target).map_err(|_| changed_since(&file.path))?;
    if now.as_deref() != file.before.as_ref().map(String::as_bytes) {
        return Err(changed_since(&file.path));
    }
    Ok(())
}

fn check_writable(shown: &Path, path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).with_context(|| format!("looking at {}", shown.display()))?;
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
