//! The journal of a change of the user's files. It is written before the first file changes, so
//! that the next command can finish or roll back an interrupted change. When all files are changed
//! it becomes the undo record.

use super::new_file::{beside, read_if_there, sync_folder, write_new};
use super::user_files::UserFiles;
use crate::base::process::{Alone, alone, own_files};
use crate::base::user_error;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use situ_recorder::bytes::checksum;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Format version of journals and undo records.
const FORMAT: u32 = 2;

/// Change of several files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    format: u32,
    /// Workspace root. Several workspaces may share a target folder.
    pub root: PathBuf,
    /// Id of the process that makes the change, which is part of the names of its temporary files.
    pub process: u32,
    pub files: Vec<JournalFile>,
    /// Folders that are created for new files, outermost first; for an undo, those to remove.
    pub folders: Vec<PathBuf>,
    /// What to do when all files are changed.
    pub then: Then,
}

/// Contents of a file before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournalFile {
    /// Path relative to the workspace root.
    pub path: PathBuf,
    /// Old contents, or `None` if the file did not exist.
    pub before: Option<String>,
    /// New contents, or `None` if the file is removed.
    pub after: Option<String>,
}

impl JournalFile {
    /// Returns which of the two contents the file has. A file that cannot be read counts as edited.
    pub(super) fn state(&self, target: &Path) -> State {
        let Ok(now) = read_if_there(target) else {
            return State::Edited;
        };
        let is = |text: &Option<String>| now.as_deref() == text.as_ref().map(String::as_bytes);
        match (is(&self.after), is(&self.before)) {
            (true, _) => State::After,
            (_, true) => State::Before,
            _ => State::Edited,
        }
    }
}

/// Which contents a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The file has its old contents.
    Before,
    /// The file has its new contents.
    After,
    /// The file has other contents than the old and the new ones.
    Edited,
}

/// What happens to a journal when the change is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Then {
    /// The journal becomes the undo record with this number.
    Keep(u64),
    /// The journal is removed, together with the undo record of this number, which the change has
    /// undone.
    Forget(u64),
}

/// What was done about an interrupted change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Files of a change that was complete except for its undo record.
    pub finished: Vec<PathBuf>,
    /// Files that were restored to their old contents.
    pub rolled_back: Vec<PathBuf>,
    /// Files that somebody has edited in the meantime, which stay as they are.
    pub edited: Vec<PathBuf>,
}

impl Recovery {
    /// Returns whether there was no interrupted change.
    pub fn is_empty(&self) -> bool {
        *self == Recovery::default()
    }
}

/// Waits until no other process changes files, or undoes a change, in this workspace.
pub(super) fn lock(files: &UserFiles<'_>) -> Result<Alone> {
    alone(&files.notes.join("lock"), || {})
}

/// Finishes or rolls back an interrupted change.
pub(super) fn recover(files: &UserFiles<'_>) -> Result<Recovery> {
    if !place(files).exists() {
        return Ok(Recovery::default());
    }
    let _lock = lock(files)?;
    recover_locked(files)
}

/// Finishes or rolls back an interrupted change. The caller must hold the lock.
pub(super) fn recover_locked(files: &UserFiles<'_>) -> Result<Recovery> {
    let path = place(files);
    if !path.exists() {
        return Ok(Recovery::default());
    }
    let journal = Journal::read(&path).map_err(|reason| {
        let path = path.display();
        let text = format!(
            "a change of your files was interrupted, and its journal {path} cannot be read: {reason}; \
             look at your files, then remove {path}"
        );
        user_error::input(text)
    })?;
    if journal.root != files.root {
        // The journal is of another workspace whose root has the same checksum.
        return Ok(Recovery::default());
    }
    let states = journal.states(files)?;
    if states.iter().all(|(_, state)| *state == State::After) {
        journal.commit(files)?;
        return Ok(Recovery {
            finished: journal.paths(|_| true, &states),
            ..Recovery::default()
        });
    }
    journal.roll_back(files)
}

impl Journal {
    /// Creates the journal of a change that has not begun.
    pub(super) fn new(
        files: &UserFiles<'_>,
        changed: Vec<JournalFile>,
        folders: Vec<PathBuf>,
        then: Then,
    ) -> Journal {
        let (root, process) = (files.root.clone(), std::process::id());
        Journal {
            format: FORMAT,
            root,
            process,
            files: changed,
            folders,
            then,
        }
    }

    /// Reads a journal or an undo record.
    pub(super) fn read(path: &Path) -> Result<Journal, Unreadable> {
        let text = own_files::read(path).map_err(|error| Unreadable::Io(error.to_string()))?;
        let whole: serde_json::Value =
            serde_json::from_slice(&text).map_err(|_| Unreadable::Damaged)?;
        if whole.get("format").and_then(serde_json::Value::as_u64) != Some(FORMAT.into()) {
            return Err(Unreadable::OtherVersion);
        }
        serde_json::from_value(whole).map_err(|_| Unreadable::Damaged)
    }

    /// Writes the journal and waits until it is on the disk.
    pub(super) fn begin(&self, files: &UserFiles<'_>) -> Result<()> {
        let path = place(files);
        let unfinished = path.with_extension("unfinished");
        let text = serde_json::to_string(self).context("writing the journal of a change")?;
        let written =
            write_through(&unfinished, &text).and_then(|()| fs::rename(&unfinished, &path));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written.context("writing the journal of a change")?;
        sync_folder(&files.notes);
        Ok(())
    }

    /// Finishes the change: turns the journal into an undo record, or removes it.
    pub(super) fn commit(&self, files: &UserFiles<'_>) -> Result<()> {
        self.sweep(files);
        let path = place(files);
        match self.then {
            Then::Keep(number) => {
                fs::rename(&path, record(files, number)).context("writing the undo record")?
            }
            Then::Forget(number) => {
                self.remove_folders(files);
                let _ = fs::remove_file(record(files, number));
                fs::remove_file(&path).context("removing the journal of an undone change")?;
            }
        }
        sync_folder(&files.notes);
        Ok(())
    }

    /// Restores the old contents of every changed file and removes the journal.
    pub(super) fn roll_back(&self, files: &UserFiles<'_>) -> Result<Recovery> {
        let states = self.states(files)?;
        for (at, _) in states.iter().filter(|(_, state)| *state == State::After) {
            self.restore(&self.files[*at], files)?;
        }
        self.sweep(files);
        self.remove_folders(files);
        fs::remove_file(place(files))
            .context("removing the journal of a change that was rolled back")?;
        sync_folder(&files.notes);
        Ok(Recovery {
            finished: Vec::new(),
            rolled_back: self.paths(|state| state == State::After, &states),
            edited: self.paths(|state| state == State::Edited, &states),
        })
    }

    /// Removes the temporary files.
    fn sweep(&self, files: &UserFiles<'_>) {
        for path in self
            .files
            .iter()
            .filter_map(|file| files.admit(&file.path).ok())
        {
            let _ = fs::remove_file(beside(&path, self.process));
        }
    }

    /// Removes the folders of new files, unless they contain other files by now.
    fn remove_folders(&self, files: &UserFiles<'_>) {
        self.folders
            .iter()
            .rev()
            .filter_map(|folder| files.admit(folder).ok())
            .for_each(|folder| {
                let _ = fs::remove_dir(folder);
            });
    }

    fn restore(&self, file: &JournalFile, files: &UserFiles<'_>) -> Result<()> {
        let path = admitted(files, &file.path)?;
        let temporary = beside(&path, self.process);
        let restored = match &file.before {
            None => fs::remove_file(&path),
            Some(text) => {
                let like = if path.exists() {
                    path.clone()
                } else {
                    files.root.join("Cargo.toml")
                };
                let _ = path.parent().map(fs::create_dir_all);
                write_new(&temporary, &like, text).and_then(|()| fs::rename(&temporary, &path))
            }
        };
        restored.map_err(|error| {
            let text = format!("cannot restore {}: {error}", file.path.display());
            anyhow::Error::from(error).context(text)
        })
    }

    /// Returns the state of each file, by its index.
    fn states(&self, files: &UserFiles<'_>) -> Result<Vec<(usize, State)>> {
        self.files
            .iter()
            .enumerate()
            .map(|(at, file)| Ok((at, file.state(&admitted(files, &file.path)?))))
            .collect()
    }

    fn paths(&self, is_meant: impl Fn(State) -> bool, states: &[(usize, State)]) -> Vec<PathBuf> {
        let meant = states.iter().filter(|(_, state)| is_meant(*state));
        meant.map(|(at, _)| self.files[*at].path.clone()).collect()
    }
}

/// Writes one of Situ's own files and waits until it is on the disk.
fn write_through(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = own_files::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Resolves a path from a journal. Returns an error if it is outside the workspace.
pub(super) fn admitted(files: &UserFiles<'_>, path: &Path) -> Result<PathBuf> {
    files.admit(path).map_err(|reason| {
        let notes = files.notes.display();
        user_error::input(format!(
            "a journal in {notes} names {}, but {reason}; nothing was written: remove {notes} if you did \
             not put it there",
            path.display()
        ))
    })
}

/// Reason why a journal or an undo record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    Io(String),
    /// The file is not in the format that Situ writes.
    Damaged,
    OtherVersion,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::Io(error) => formatter.write_str(error),
            Unreadable::Damaged => formatter.write_str("it is damaged"),
            Unreadable::OtherVersion => formatter.write_str("another version of Situ wrote it"),
        }
    }
}

/// Returns the path of the undo record with this number.
pub(super) fn record(files: &UserFiles<'_>, number: u64) -> PathBuf {
    files.notes.join(format!("{number}.json"))
}

/// Returns the path of a workspace's journal. Its name contains a checksum of the root, because
/// workspaces may share the folder.
pub(super) fn place(files: &UserFiles<'_>) -> PathBuf {
    let own = checksum(files.root.to_string_lossy().as_bytes());
    files.notes.join(format!("journal-{own:016x}"))
}
