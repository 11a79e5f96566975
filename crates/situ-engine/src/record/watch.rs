//! Detects recorded programs that hang. Code of a type that is executed to capture a value, such as
//! its `Debug`, may wait for a lock that its own thread holds. A program that hangs in such code is
//! killed, and the type's code is not executed again.

use crate::base::process::own_files;
use anyhow::{Context as _, Result};
use situ_recorder::foreign::{self, Noted};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for the code of a type to capture one value. It is generous for busy machines.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between checks.
const PAUSE: Duration = Duration::from_millis(100);

/// Folder in which recorded programs note whose code they execute, and the types whose code they
/// must not execute.
#[derive(Debug)]
pub(super) struct Watch {
    folder: PathBuf,
    opaque_types: BTreeSet<String>,
    patience: Duration,
}

/// Types whose code was running when programs ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Interrupted {
    /// Types whose code did not return, so that programs were killed.
    pub hung: BTreeSet<String>,
    /// Types whose code was running when a program ended for another reason.
    pub running: BTreeSet<String>,
}

impl Watch {
    /// Creates the folder for notes. Code of `opaque_types` will not be executed.
    pub(super) fn prepare(folder: PathBuf, opaque_types: &[String]) -> Result<Watch> {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)
            .context("creating the folder for notes of recorded programs")?;
        let mut watch = Watch {
            folder,
            opaque_types: BTreeSet::new(),
            patience: PATIENCE,
        };
        watch.leave_out(opaque_types.iter().cloned().collect())?;
        Ok(watch)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the environment variable that names the folder.
    pub(super) fn variable(&self) -> (String, String) {
        (
            foreign::NOTES_VARIABLE.to_owned(),
            self.folder.to_string_lossy().into_owned(),
        )
    }

    /// Adds types whose code must not be executed.
    pub(super) fn leave_out(&mut self, types: BTreeSet<String>) -> Result<()> {
        self.opaque_types.extend(types);
        write_types(&self.folder, &self.opaque_types).context("writing the list of opaque types")
    }

    /// Runs recorded programs. Calls `end` to kill all of them if one hangs.
    pub(super) fn during<T>(
        &mut self,
        end: impl Fn() + Sync,
        run: impl FnOnce() -> T,
    ) -> (T, Interrupted) {
        let (over, is_over) = mpsc::channel::<()>();
        let (given, mut interrupted) = thread::scope(|scope| {
            let (watch, end) = (&*self, &end);
            let watching = scope.spawn(move || watch.watch(&is_over, end));
            let given = run();
            drop(over);
            (given, watching.join().unwrap_or_default())
        });
        interrupted
            .running
            .extend(take_notes(&self.folder, |_| true));
        self.opaque_types.extend(interrupted.hung.iter().cloned());
        (given, interrupted)
    }

    /// Checks the notes until the run is over.
    fn watch(&self, is_over: &mpsc::Receiver<()>, end: &(impl Fn() + Sync)) -> Interrupted {
        let mut since: BTreeMap<(PathBuf, Noted), Instant> = BTreeMap::new();
        let mut interrupted = Interrupted::default();
        while is_over.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            interrupted
                .running
                .extend(take_notes(&self.folder, has_ended));
            let now = Instant::now();
            let noted = notes_in(&self.folder);
            since = noted
                .into_iter()
                .map(|noted| (noted.clone(), since.get(&noted).copied().unwrap_or(now)))
                .collect();
            let stuck = since
                .iter()
                .filter(|(_, since)| now.duration_since(**since) > self.patience);
            let stuck: BTreeSet<String> = stuck
                .map(|((_, noted), _)| referred_to(&noted.name))
                .collect();
            if stuck.is_empty() {
                continue;
            }
            interrupted.hung.extend(stuck);
            // Programs that the command starts later read this list.
            let all = self
                .opaque_types
                .union(&interrupted.hung)
                .cloned()
                .collect();
            let _ = write_types(&self.folder, &all);
            take_notes(&self.folder, |_| true);
            end();
        }
        interrupted
    }
}

/// Returns the type behind references, whose code is then not executed either.
fn referred_to(name: &str) -> String {
    let mut bare = name;
    while let Some(inner) = bare.strip_prefix('&').or_else(|| bare.strip_prefix("mut ")) {
        bare = inner;
    }
    bare.to_owned()
}

/// Removes the notes of some processes. Returns the types whose code these were executing.
fn take_notes(folder: &Path, is_taken: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for path in note_files(folder).into_iter().filter(|path| is_taken(path)) {
        names.extend(
            notes_of(&path)
                .into_iter()
                .map(|noted| referred_to(&noted.name)),
        );
        let _ = fs::remove_file(path);
    }
    names
}

/// Returns whether the process that wrote a file of notes is known to have ended.
fn has_ended(notes: &Path) -> bool {
    let name = notes.file_name().unwrap_or_default().to_string_lossy();
    let process = name.split('-').next().unwrap_or_default();
    cfg!(target_os = "linux") && !Path::new("/proc").join(process).exists()
}

fn write_types(folder: &Path, types: &BTreeSet<String>) -> std::io::Result<()> {
    let lines: String = types.iter().map(|name| format!("{name}\n")).collect();
    own_files::write(&folder.join(foreign::OPAQUE_TYPES), lines)
}

fn note_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    entries
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == foreign::EXTENSION)
        })
        .collect()
}

/// Returns what programs are executing now, with the files that say so.
fn notes_in(folder: &Path) -> Vec<(PathBuf, Noted)> {
    let files = note_files(folder).into_iter();
    files
        .flat_map(|path| {
            notes_of(&path)
                .into_iter()
                .map(move |noted| (path.clone(), noted))
        })
        .collect()
}

fn notes_of(path: &Path) -> Vec<Noted> {
    foreign::read(&own_files::read(path).unwrap_or_default())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Returns the bytes of a file in which one entry says that a type's code is running.
    fn note(name: &str) -> Vec<u8> {
        let mut bytes = vec![0; 256];
        bytes[..4].copy_from_slice(&7_u32.to_ne_bytes());
        bytes[4..8].copy_from_slice(&(name.len() as u32).to_ne_bytes());
        bytes[8..8 + name.len()].copy_from_slice(name.as_bytes());
        bytes
    }

    #[test]
    fn what_does_not_return_is_ended_and_not_asked_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch =
            Watch::prepare(folder.path().join("notes"), &["listed::Type".to_owned()]).unwrap();
        watch.patience = Duration::ZERO;
        let (notes, ended) = (watch.folder.clone(), AtomicUsize::new(0));
        let end = || _ = ended.fetch_add(1, Ordering::SeqCst);
        let ((), interrupted) = watch.during(end, || {
            fs::write(
                notes.join(format!("{}-2.note", std::process::id())),
                note("&mut &stuck::Type"),
            )
            .unwrap();
            while ended.load(Ordering::SeqCst) == 0 {
                thread::sleep(Duration::from_millis(5));
            }
            fs::write(notes.join("3-4.note"), note("other::Type")).unwrap();
        });
        assert!(interrupted.hung.contains("stuck::Type"), "{interrupted:?}");
        assert_eq!(note_files(&notes), Vec::<PathBuf>::new());
        let listed = fs::read_to_string(notes.join(foreign::OPAQUE_TYPES)).unwrap();
        assert!(
            listed.contains("listed::Type\n") && listed.contains("stuck::Type\n"),
            "{listed}"
        );
    }

    #[test]
    fn what_was_running_at_the_end_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = Watch::prepare(folder.path().join("notes"), &[]).unwrap();
        let notes = watch.folder.clone();
        let (five, interrupted) = watch.during(
            || panic!("nobody is stuck"),
            || {
                fs::write(notes.join("1-2.note"), note("crashing::Type")).unwrap();
                5
            },
        );
        let running = BTreeSet::from(["crashing::Type".to_owned()]);
        assert_eq!(
            (five, interrupted),
            (
                5,
                Interrupted {
                    hung: BTreeSet::new(),
                    running
                }
            )
        );
    }
}
