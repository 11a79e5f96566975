//! What earlier runs found out: an append-only file of verdicts, keyed so that an edit elsewhere changes nothing.

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

/// A line of the file.
#[derive(Serialize, Deserialize)]
enum Line {
    /// A run of this build begins.
    Begin(u64),
    /// A mutant was judged.
    Judged(u64, Verdict),
    /// The run came to its end.
    End,
}

/// The verdicts of earlier runs, and the file that takes the new ones.
pub(super) struct Memory {
    file: Mutex<File>,
    /// The latest verdict on each mutant.
    earlier: HashMap<u64, Verdict>,
    /// The verdicts of a run of the same build that was interrupted.
    interrupted: HashMap<u64, Verdict>,
}

impl Memory {
    /// Opens the file. `build` tells one build from another.
    pub(super) fn open(path: &Path, build: u64) -> Result<Memory> {
        let (mut earlier, mut interrupted) = (HashMap::new(), HashMap::new());
        let mut own = false;
        // The last line of an interrupted run may be torn; it does not parse and is left out.
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
            .context("opening the mutants' memory")?;
        let memory = Memory {
            file: Mutex::new(file),
            earlier,
            interrupted,
        };
        // After a torn line, the next one must begin on its own.
        memory.write("\n".to_owned() + &serde_json::to_string(&Line::Begin(build))?)?;
        Ok(memory)
    }

    /// The verdict of an interrupted run of the same build.
    pub(super) fn interrupted(&self, key: u64) -> Option<&Verdict> {
        self.interrupted.get(&key)
    }

    /// The verdict of an earlier run, if a test noticed the mutant then.
    pub(super) fn killed_earlier(&self, key: u64) -> Option<&Verdict> {
        self.earlier
            .get(&key)
            .filter(|verdict| matches!(verdict.status, Status::Killed | Status::TimedOut))
    }

    /// Writes a verdict down.
    pub(super) fn note(&self, key: u64, verdict: &Verdict) -> Result<()> {
        self.write(serde_json::to_string(&Line::Judged(key, verdict.clone()))?)
    }

    /// Writes down that the run came to its end.
    pub(super) fn end(&self) -> Result<()> {
        self.write(serde_json::to_string(&Line::End)?)
    }

    fn write(&self, line: String) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all((line + "\n").as_bytes())
            .context("writing to the mutants' memory")
    }
}

/// What stays the same of a mutant as long as nothing in its function changes.
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
