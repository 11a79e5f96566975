//! Index of what was instrumented: one file for each compiled unit, written by the compiler wrapper
//! and read after the run.

use super::plan::{Phase, Plan, Site, is_dropped};
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What was instrumented in one unit, and what was not.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnitIndex {
    /// Crate name and hash of the unit.
    pub unit: String,
    pub package: String,
    /// Instrumented places.
    pub sites: Vec<IndexedSite>,
    /// Pieces that the compiler rejected, by key, with the compiler's error codes.
    pub rejected: BTreeMap<String, String>,
    /// Number of compiler runs until the compiler accepted the unit.
    pub rounds: usize,
    /// Why the unit was compiled without instrumentation, if it was.
    pub not_instrumented: Option<String>,
}

/// Instrumented place, with the parts that the compiler rejected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexedSite {
    pub site: Site,
    /// Whether the whole probe was rejected.
    pub dropped: bool,
    /// Rejected slots, by number, with the compiler's error code.
    pub dropped_slots: BTreeMap<usize, String>,
}

impl IndexedSite {
    /// Returns whether all inputs and the statement's own result are captured.
    pub fn is_complete(&self) -> bool {
        let needed = |slot: &usize| {
            self.site
                .slots
                .get(*slot)
                .is_some_and(|slot| slot.phase != Phase::After)
        };
        !self.dropped && !self.dropped_slots.keys().any(needed)
    }
}

impl UnitIndex {
    /// Returns the index of a plan without the dropped pieces.
    pub fn of(
        unit: &str,
        plan: &Plan,
        dropped: &BTreeSet<usize>,
        rejected: &BTreeMap<String, String>,
    ) -> UnitIndex {
        let mut sites: Vec<IndexedSite> = Vec::new();
        let mut by_piece: BTreeMap<usize, usize> = BTreeMap::new();
        for site in &plan.sites {
            by_piece.insert(site.piece, sites.len());
            sites.push(IndexedSite {
                site: site.clone(),
                dropped: is_dropped(site.piece, &plan.pieces, dropped),
                dropped_slots: BTreeMap::new(),
            });
        }
        for piece in dropped.iter().map(|number| &plan.pieces[*number]) {
            if let (Some(slot), Some(site)) = (
                piece.slot,
                piece.parent.and_then(|parent| by_piece.get(&parent)),
            ) {
                let code = rejected.get(&piece.key).cloned().unwrap_or_default();
                sites[*site].dropped_slots.insert(slot, code);
            }
        }
        let rejected = rejected.clone();
        UnitIndex {
            unit: unit.to_owned(),
            sites,
            rejected,
            ..UnitIndex::default()
        }
    }

    /// Writes the index to a file in a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).context("creating the folder of indexes")?;
        let text = serde_json::to_string(self).context("writing an index")?;
        fs::write(folder.join(format!("{}.json", self.unit)), text).context("writing an index")
    }
}

/// Reads all indexes in a folder. The error is the path of a file that cannot be parsed.
pub(crate) fn read_all(folder: &Path) -> Result<Vec<UnitIndex>, PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let read = |path: PathBuf| {
        let index = fs::read_to_string(&path)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        index.ok_or(path)
    };
    entries.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_index_is_named() {
        let folder = tempfile::tempdir().unwrap();
        UnitIndex {
            unit: "mine".to_owned(),
            ..UnitIndex::default()
        }
        .write(folder.path())
        .unwrap();
        assert_eq!(read_all(folder.path()).unwrap().len(), 1);
        assert!(read_all(&folder.path().join("missing")).unwrap().is_empty());
        for garbage in [&b"{"[..], b"", b"\xff\xff", b"{\"unit\": 3}", b"null"] {
            let path = folder.path().join("garbage.json");
            fs::write(&path, garbage).unwrap();
            assert_eq!(read_all(folder.path()).unwrap_err(), path);
        }
    }
}
