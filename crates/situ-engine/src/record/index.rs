//! What was instrumented: one file for each compiled unit, written by the wrapper and read after the run.

use super::plan::{Phase, Plan, Site, is_dropped};
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The instrumentation of one unit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnitIndex {
    /// The unit: crate name and hash.
    pub unit: String,
    /// The package.
    pub package: String,
    /// The watched places.
    pub sites: Vec<IndexedSite>,
    /// Pieces that the compiler rejected, with its codes.
    pub rejected: BTreeMap<String, String>,
    /// Rounds of the compiler until it accepted.
    pub rounds: usize,
    /// Why the unit was compiled as it is, if it was.
    pub not_instrumented: Option<String>,
}

/// A watched place, with what of it the compiler rejected.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IndexedSite {
    /// The place.
    pub site: Site,
    /// The whole probe was rejected.
    pub dropped: bool,
    /// Slots that were rejected, with the compiler's code.
    pub dropped_slots: BTreeMap<usize, String>,
}

impl IndexedSite {
    /// Are all inputs and the statement's own result captured?
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
    /// The index of a plan of which some pieces were dropped.
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

    /// Writes the index below a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).context("making the folder of indexes")?;
        let text = serde_json::to_string(self).context("writing an index")?;
        fs::write(folder.join(format!("{}.json", self.unit)), text).context("writing an index")
    }
}

/// All indexes of a folder; or the file that is none.
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
