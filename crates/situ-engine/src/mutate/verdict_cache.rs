//! Cache of earlier verdicts: an append-only file, with keys that do not change when other code is
//! edited.

use super::judge::{Status, Verdict};
use super::mutant::{FileMutants, Mutant};
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File, OpenOptions};
use std::hash::{Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Line of the cache file.
#[derive(Serialize, Deserialize)]
enum Line {
    /// A run of this build begins.
    Begin(u64),
    /// A mutant was judged.
    Judged(u64, Verdict),
    /// The run has finished.
    End,
}

/// Verdicts of earlier runs, and the file for new ones.
pub(super) struct Memory {
    file: Mutex<File>,
    /// Latest verdict on each mutant.
    earlier: HashMap<u64, Verdict>,
    /// Verdicts of an interrupted run of the same build.
    interrupted: HashMap<u64, Verdict>,
}

impl Memory {
    /// Opens the file. `build` identifies the build.
    pub(super) fn open(path: &Path, build: u64) -> Result<Memory> {
        let (mut earlier, mut interrupted) = (HashMap::new(), HashMap::new());
        let mut own = false;
        // The last line of an interrupted run may be torn; it does not parse and is skipped.
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            match serde_json::from_str(line) {
                Ok(Line::Begin(of)) => {
                    if !own || of != build {
                        interrupted.clear();
                    }
                    own = of == build;
                }
                Ok(Line::Judged(key, verdict)) => {
                    if own {
                        interrupted.insert(key, verdict.clone());
                    }
                    earlier.insert(key, verdict);
                }
                Ok(Line::End) => {
                    own = false;
                    interrupted.clear();
                }
                Err(_) => {}
            }
        }
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .context("opening the verdict cache")?;
        let memory = Memory {
            file: Mutex::new(file),
            earlier,
            interrupted,
        };
        // After a torn line, the next one must start on a new line.
        memory.write("\n".to_owned() + &serde_json::to_string(&Line::Begin(build))?)?;
        Ok(memory)
    }

    /// Returns the verdict of an interrupted run of the same build.
    pub(super) fn interrupted(&self, key: u64) -> Option<&Verdict> {
        self.interrupted.get(&key)
    }

    /// Returns the verdict of an earlier run, if a test killed the mutant then.
    pub(super) fn killed_earlier(&self, key: u64) -> Option<&Verdict> {
        self.earlier
            .get(&key)
            .filter(|verdict| matches!(verdict.status, Status::Killed | Status::TimedOut))
    }

    /// Writes a verdict to the file.
    pub(super) fn note(&self, key: u64, verdict: &Verdict) -> Result<()> {
        self.write(serde_json::to_string(&Line::Judged(key, verdict.clone()))?)
    }

    /// Writes to the file that the run has finished.
    pub(super) fn end(&self) -> Result<()> {
        self.write(serde_json::to_string(&Line::End)?)
    }

    fn write(&self, line: String) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all((line + "\n").as_bytes())
            .context("writing the verdict cache")
    }
}

/// Returns a key that stays the same as long as nothing in the mutant's function changes.
pub(super) fn key(file: &FileMutants, mutant: &Mutant, text: &str) -> u64 {
    let text = file.expanded.as_deref().unwrap_or(text);
    let near = mutant
        .function
        .map_or(mutant.range.clone(), |at| file.functions[at].range.clone());
    let mut hasher = DefaultHasher::new();
    (
        &file.path,
        &mutant.operator,
        &mutant.text,
        &text[near.clone()],
    )
        .hash(&mut hasher);
    (
        mutant.range.start - near.start.min(mutant.range.start),
        mutant.range.len(),
    )
        .hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(status: Status) -> Verdict {
        Verdict::new(status)
    }

    #[test]
    fn an_interrupted_run_is_taken_up_again_and_a_finished_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory");
        let first = Memory::open(&path, 1).unwrap();
        first.note(7, &verdict(Status::Killed)).unwrap();
        first.write("{\"Judged\":[8,{\"sta".to_owned()).unwrap();
        let second = Memory::open(&path, 1).unwrap();
        assert!(second.interrupted(7).is_some() && second.interrupted(8).is_none());
        second.note(8, &verdict(Status::Survived)).unwrap();
        second.end().unwrap();
        let third = Memory::open(&path, 1).unwrap();
        assert!(third.interrupted(7).is_none() && third.killed_earlier(7).is_some());
        assert!(
            third.killed_earlier(8).is_none(),
            "a survivor is always tried again"
        );
    }

    #[test]
    fn another_build_takes_nothing_over_from_an_interrupted_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory");
        Memory::open(&path, 1)
            .unwrap()
            .note(7, &verdict(Status::Killed))
            .unwrap();
        assert!(Memory::open(&path, 2).unwrap().interrupted(7).is_none());
    }
}
