//! Reads recordings: merges the files of all processes, skips torn tails, keeps each value set once.

use super::plan::{Phase, Site};
use situ_rt::probe::ITEMS_CUT;
use situ_rt::recording::{self, Exit, Record, ValueSet};
use situ_rt::value::{Loss, Value};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Everything that was recorded.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The sites that were reached, by identity.
    pub sites: BTreeMap<u64, RecordedSite>,
    /// Files that were read.
    pub files: usize,
    /// Files whose tail was torn.
    pub torn_files: usize,
    /// Files that could not be read, with the reason.
    pub unreadable: Vec<String>,
}

/// What was recorded at one site.
#[derive(Clone, Debug)]
pub struct RecordedSite {
    /// The site.
    pub site: Site,
    /// Its unique value sets.
    pub sets: Vec<ValueSet>,
    /// How often it was hit at least.
    pub hits: u64,
    seen: HashSet<Vec<u8>>,
}

/// Reads all recordings in a folder.
pub fn read(folder: &Path) -> Recording {
    let mut recording = Recording::default();
    for path in files_in(folder) {
        match recording::read(&path) {
            Ok(contents) => {
                recording.files += 1;
                recording.torn_files += usize::from(contents.torn_bytes > 0);
                recording.add(contents.records);
            }
            Err(error) => recording.unreadable.push(error.to_string()),
        }
    }
    recording
}

/// The recordings in a folder, in the order of their names.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == recording::EXTENSION)).collect();
    files.sort();
    files
}

impl Recording {
    fn add(&mut self, records: Vec<Record>) {
        let mut hits: BTreeMap<u64, u64> = BTreeMap::new();
        for record in records {
            match record {
                Record::Site { id, description } => {
                    hits.entry(id).or_insert(1);
                    let Some(site) = Site::from_description(id, &description) else { continue };
                    self.sites.entry(id).or_insert_with(|| RecordedSite {
                        site,
                        sets: Vec::new(),
                        hits: 0,
                        seen: HashSet::new(),
                    });
                }
                Record::Values(set) => {
                    let most = hits.entry(set.site).or_default();
                    *most = (*most).max(set.hits);
                    if let Some(site) = self.sites.get_mut(&set.site) {
                        site.add(set);
                    }
                }
            }
        }
        for (id, count) in hits {
            if let Some(site) = self.sites.get_mut(&id) {
                site.hits += count;
            }
        }
    }

    /// The statements that were reached.
    pub fn statements(&self) -> impl Iterator<Item = &RecordedSite> {
        self.sites.values().filter(|site| site.site.position.is_statement())
    }
}

impl RecordedSite {
    fn add(&mut self, set: ValueSet) {
        // Which test and which hit it was does not make a set another one.
        let key = format!("{:?}{:?}{:?}{:?}", set.exit, set.slots, set.target, set.context);
        if self.seen.insert(situ_rt::bytes::checksum(key.as_bytes()).to_le_bytes().to_vec()) {
            self.sets.push(set);
        }
    }

    /// The values of a phase in a set, by name.
    pub fn values<'s>(&'s self, set: &'s ValueSet, phase: Phase) -> Vec<(&'s str, &'s Value)> {
        let values = set.slots.iter().filter_map(|(slot, value)| {
            let slot = self.site.slots.get(*slot as usize)?;
            (slot.phase == phase).then_some((slot.name.as_str(), value))
        });
        values.collect()
    }

    /// What the inputs became, where they changed.
    pub fn changes<'s>(&'s self, set: &'s ValueSet) -> Vec<(&'s str, &'s Value)> {
        let before = self.values(set, Phase::Before);
        let mut changes = self.values(set, Phase::After);
        changes.retain(|(name, after)| !before.iter().any(|(other, value)| other == name && value == after));
        changes
    }

    /// Everything that the statement gave: what it made, its result, and the inputs that it changed.
    pub fn outputs<'s>(&'s self, set: &'s ValueSet) -> Vec<(&'s str, &'s Value)> {
        let mut outputs = self.values(set, Phase::Made);
        outputs.extend(self.values(set, Phase::Result));
        outputs.extend(self.values(set, Phase::Item));
        outputs.extend(self.changes(set));
        outputs
    }

    /// Why a set cannot be rebuilt, if it cannot: the worst loss among its inputs and outputs.
    pub fn loss(&self, set: &ValueSet) -> Option<Loss> {
        let cut = set.slots.iter().any(|(slot, _)| *slot == ITEMS_CUT).then_some(Loss::Cut);
        let inputs = self.values(set, Phase::Before).into_iter().filter_map(|(_, value)| value.loss());
        let outputs = self.outputs(set);
        let outputs = outputs.into_iter().filter_map(|(_, value)| value.loss());
        inputs.chain(outputs).chain(cut).max()
    }

    /// Is the set exact?
    pub fn is_exact(&self, set: &ValueSet) -> bool {
        self.loss(set).is_none()
    }
}

/// How a set was left, in words.
pub fn exit_in_words(exit: &Exit) -> String {
    match exit {
        Exit::Through => String::new(),
        Exit::Left => "leaves early".to_owned(),
        Exit::Panic(message) => format!("panics: {message}"),
    }
}
