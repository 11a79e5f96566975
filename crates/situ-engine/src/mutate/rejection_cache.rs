//! Cache of the compiler's errors about a crate's mutants, for its next unit.

use super::blame::Compiled;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Result of an earlier unit of the same crate. With and without its tests it is nearly always the
/// same.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Learned {
    /// Mutants that do not compile.
    dropped: Vec<u32>,
    /// Mutants whose choice was moved to a wider range, and the index of that range.
    moved: Vec<(u32, usize)>,
    /// Functions that must stay `const`: file and index.
    constant: Vec<(PathBuf, usize)>,
}

impl Learned {
    /// Reads the cache of a crate, or returns an empty one. A mutant's number belongs to one text
    /// of one file, so entries for another text do not apply.
    pub(super) fn read(path: &Path) -> Learned {
        fs::read_to_string(path)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }

    /// Collects the results of files that were compiled.
    pub(super) fn of(files: &[Compiled]) -> Learned {
        let mut learned = Learned::default();
        for state in files.iter().map(|file| &file.state) {
            // A mutant that compiles in the code but not in a test's copy is dropped only there.
            let places = || state.file.mutants.iter().zip(&state.alive);
            let alive: HashSet<u32> = places()
                .filter(|(_, alive)| **alive)
                .map(|(mutant, _)| mutant.id)
                .collect();
            for (index, mutant) in state.file.mutants.iter().enumerate() {
                match (
                    state.existed[index] && !state.alive[index],
                    state.level[index],
                ) {
                    (true, _) if !alive.contains(&mutant.id) => learned.dropped.push(mutant.id),
                    (true, _) | (_, 0) => {}
                    (_, level) => learned.moved.push((mutant.id, level)),
                }
            }
            learned.constant.extend(
                state
                    .kept_const
                    .iter()
                    .map(|function| (state.file.path.clone(), *function)),
            );
        }
        learned
    }

    /// Applies the cache to files that have not been compiled yet.
    pub(super) fn apply(&self, files: &mut [Compiled]) {
        // Hashed, because tests' copies of a statement may contain very many mutants.
        let dropped: HashSet<u32> = self.dropped.iter().copied().collect();
        let moved: HashMap<u32, usize> = self.moved.iter().rev().copied().collect();
        for state in files.iter_mut().map(|file| &mut file.state) {
            let mut known = false;
            for (index, mutant) in state.file.mutants.iter().enumerate() {
                if dropped.contains(&mutant.id) {
                    state.alive[index] = false;
                    known = true;
                }
                if let Some(level) = moved.get(&mutant.id) {
                    state.level[index] = (*level).min(mutant.levels.len().saturating_sub(1));
                }
            }
            let own = self
                .constant
                .iter()
                .filter(|(path, _)| known && *path == state.file.path);
            state.kept_const.extend(own.map(|(_, function)| *function));
        }
    }

    /// Writes the cache. Two units of a crate may do so at once: the last one wins.
    pub(super) fn write(&self, path: &Path) -> std::io::Result<()> {
        let unfinished = path.with_extension(std::process::id().to_string());
        fs::write(&unfinished, serde_json::to_string(self)?)?;
        fs::rename(unfinished, path)
    }
}
