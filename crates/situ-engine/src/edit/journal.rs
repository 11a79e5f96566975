//! The journal of a change of the user's files: written before the first of them changes, so that a change that was
//! interrupted is finished or rolled back by whoever comes next. When all files are changed it becomes the undo record.

use super::new_file::{beside, read_if_there, sync_folder, write_new};
use super::user_files::UserFiles;
use crate::base::process::{Alone, alone};
use crate::base::user_error;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use situ_recorder::bytes::checksum;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The version of journals and undo records that is written and read.
const FORMAT: u32 = 2;

/// A change of several files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Journal {
    format: u32,
    /// The workspace: several may share a target folder.
    pub root: PathBuf,
    /// The process that makes the change: part of the names of its temporary files.
    pub process: u32,
    /// The files.
    pub files: Vec<JournalFile>,
    /// The folders that are made for new files, outermost first; where a change is taken back, those that were.
    pub folders: Vec<PathBuf>,
    /// What is done when all files are changed.
    pub then: Then,
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournalFile {
    /// Where it is, relative to the root of the workspace.
    pub path: PathBuf,
    /// Its text; none where there is no such file.
    pub before: Option<String>,
    /// Its new text; none where it is removed.
    pub after: Option<String>,
}

impl JournalFile {
    /// Tells which of its two texts the file has that it is about. One that cannot be read is somebody else's now.
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

/// What a file is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has its old text.
    Before,
    /// It has its new text.
    After,
    /// It has another one.
    Edited,
}

/// What becomes of a journal in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Then {
    /// The undo record with this number.
    Keep(u64),
    /// Nothing, and the undo record with this number goes with it: that change is taken back.
    Forget(u64),
}

/// What was done about a change that had been interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The files of a change that had only to be called finished.
    pub finished: Vec<PathBuf>,
    /// The files that have their old text again.
    pub rolled_back: Vec<PathBuf>,
    /// The files that somebody has edited meanwhile, which stay as they are.
    pub edited: Vec<PathBuf>,
}

impl Recovery {
    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        *self == Recovery::default()
    }
}

/// Waits until no other process changes files or undoes such a change in this workspace.
pub(super) fn lock(files: &UserFiles<'_>) -> Result<Alone> {
    alone(&files.notes.join("lock"), || {})
}

/// Finishes or rolls back a change that was interrupted.
pub(super) fn recover(files: &UserFiles<'_>) -> Result<Recovery> {
    if !place(files).exists() {
        return Ok(Recovery::default());
    }
    let _lock = lock(files)?;
    recover_locked(files)
}

/// Does what [`recover`] does, for a caller who holds the lock.
pub(super) fn recover_locked(files: &UserFiles<'_>) -> Result<Recovery> {
    let path = place(files);
    if !path.exists() {
        return Ok(Recovery::default());
    }
    let journal = Journal::read(&path).map_err(|reason| {
        let path = path.display();
        let text = format!(
            "a change of your files was interrupted, and what is known of it in {path} cannot be read: {reason}; \
             look at your files, then remove {path}"
        );
        user_error::input(text)
    })?;
    if journal.root != files.root {
        // Another workspace with the same checksum.
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
    /// A change that is about to be made.
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
        let text = fs::read_to_string(path).map_err(|error| Unreadable::Io(error.to_string()))?;
        let whole: serde_json::Value =
            serde_json::from_str(&text).map_err(|_| Unreadable::Damaged)?;
        if whole.get("format").and_then(serde_json::Value::as_u64) != Some(FORMAT.into()) {
            return Err(Unreadable::OtherVersion);
        }
        serde_json::from_value(whole).map_err(|_| Unreadable::Damaged)
    }

    /// Writes the journal down, so that it is on the disk before anything else happens.
    pub(super) fn begin(&self, files: &UserFiles<'_>) -> Result<()> {
        let path = place(files);
        let unfinished = path.with_extension("unfinished");
        let text = serde_json::to_string(self).context("writing down a change")?;
        let written =
            write_through(&unfinished, &text).and_then(|()| fs::rename(&unfinished, &path));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written.context("writing down a change")?;
        sync_folder(&files.notes);
        Ok(())
    }

    /// Calls the change finished.
    pub(super) fn commit(&self, files: &UserFiles<'_>) -> Result<()> {
        self.sweep(files);
        let path = place(files);
        match self.then {
            Then::Keep(number) => {
                fs::rename(&path, record(files, number)).context("keeping a change")?
            }
            Then::Forget(number) => {
                self.remove_folders(files);
                let _ = fs::remove_file(record(files, number));
                fs::remove_file(&path).context("forgetting a change that was undone")?;
            }
        }
        sync_folder(&files.notes);
        Ok(())
    }

    /// Gives every file that is changed its old text back, and forgets the change.
    pub(super) fn roll_back(&self, files: &UserFiles<'_>) -> Result<Recovery> {
        let states = self.states(files)?;
        for (at, _) in states.iter().filter(|(_, state)| *state == State::After) {
            self.restore(&self.files[*at], files)?;
        }
        self.sweep(files);
        self.remove_folders(files);
        fs::remove_file(place(files)).context("forgetting a change that was rolled back")?;
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

    /// Removes the folders of new files. One that somebody else uses by now stays.
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
            let text = format!(
                "{} cannot get its old text back: {error}",
                file.path.display()
            );
            anyhow::Error::from(error).context(text)
        })
    }

    /// Every file by number, with what it is like now.
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

/// Writes a file of Situ's own, and waits until it is on the disk.
fn write_through(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Returns the file that a note means; a note that means one outside of the workspace is nobody's.
pub(super) fn admitted(files: &UserFiles<'_>, path: &Path) -> Result<PathBuf> {
    files.admit(path).map_err(|reason| {
        let notes = files.notes.display();
        user_error::input(format!(
            "a note in {notes} is about {}, but {reason}; nothing was written: remove {notes} if you did not put that there",
            path.display()
        ))
    })
}

/// Why a journal or an undo record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The file cannot be opened.
    Io(String),
    /// It is not what Situ writes.
    Damaged,
    /// Another version of Situ wrote it.
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

/// Where the undo record with a number is.
pub(super) fn record(files: &UserFiles<'_>, number: u64) -> PathBuf {
    files.notes.join(format!("{number}.json"))
}

/// Where the journal of a workspace is: others may share the folder.
pub(super) fn place(files: &UserFiles<'_>) -> PathBuf {
    let own = checksum(files.root.to_string_lossy().as_bytes());
    files.notes.join(format!("journal-{own:016x}"))
}
