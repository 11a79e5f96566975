//! Reads recordings: merges the files of all processes, skips torn tails, and removes duplicate
//! value sets.

use super::plan::{Phase, Site, SlotKey};
use super::record_file::{Lost, Record, read_file};
use super::secrets::{self, Unusable};
use crate::base::user_error;
use anyhow::Result;
use situ_recorder::probe::{CALLS_CUT, ITEMS_CUT};
use situ_recorder::recording::{self, Exit, Leaving, OutgoingCall, ValueSet, Way};
use situ_recorder::value::{Loss, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// Contents of a recording.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Sites that were reached, by id.
    pub sites: BTreeMap<u64, RecordedSite>,
    /// Number of files that were read.
    pub files: usize,
    /// Number of files whose end is torn.
    pub torn_files: usize,
    /// What could not be read.
    pub lost: Vec<Lost>,
    /// Whether values of the crate's own types with memory managed by hand were not captured,
    /// because a program was killed by a signal while capturing them.
    pub was_repeated: bool,
}

/// Recorded values of one site.
#[derive(Clone, Debug)]
pub struct RecordedSite {
    pub site: Site,
    /// Distinct value sets.
    pub sets: Vec<ValueSet>,
    /// Minimum number of executions.
    pub hits: u64,
    seen: HashSet<Vec<u8>>,
}

/// Reads all recordings in a folder.
pub fn read(folder: &Path) -> Recording {
    let mut recording = Recording::default();
    if let Err(unusable) = check_closed(folder) {
        recording.lost.push(Lost::File(unusable.to_string()));
        return recording;
    }
    let mut homeless = Vec::new();
    for path in files_in(folder) {
        let file = read_file(&path);
        recording.files += usize::from(file.is_recording);
        recording.torn_files += usize::from(file.is_torn);
        recording.lost.extend(file.lost);
        homeless.extend(recording.add(file.records));
    }
    // The site's own record may be in another process's file.
    let still: Vec<ValueSet> = homeless
        .into_iter()
        .filter_map(|set| recording.add_set(set))
        .collect();
    if !still.is_empty() {
        let of_sites = still
            .iter()
            .map(|set| set.site)
            .collect::<BTreeSet<u64>>()
            .len();
        recording.lost.push(Lost::Sets {
            sets: still.len(),
            sites: of_sites,
        });
    }
    recording
}

/// Returns an error if a recording was not closed: it may contain secrets that are not known any
/// more.
fn check_closed(folder: &Path) -> Result<()> {
    match secrets::files_in(folder).into_iter().next() {
        Some(path) => Err(user_error::input(Unusable::KeyLost(path).to_string())),
        None => Ok(()),
    }
}

/// Reads the recording that a user names. Returns a user error if nothing of it can be read.
pub fn open(folder: &Path) -> Result<Recording> {
    check_closed(folder)?;
    if files_in(folder).is_empty() {
        let text = format!(
            "there is no recording in {}: make one with `cargo situ record`",
            folder.display()
        );
        return Err(user_error::input(text));
    }
    let recording = read(folder);
    if recording.files == 0 {
        let reasons: Vec<String> = recording.lost.iter().map(ToString::to_string).collect();
        return Err(user_error::input(format!(
            "nothing of the recording can be read: {}; record again",
            reasons.join("; ")
        )));
    }
    Ok(recording)
}

/// Returns the recording files in a folder, sorted by name.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == recording::EXTENSION)
        })
        .collect();
    files.sort();
    files
}

impl Recording {
    /// Adds the records of a file. Returns the sets whose sites are not known yet.
    fn add(&mut self, records: Vec<Record>) -> Vec<ValueSet> {
        let mut homeless = Vec::new();
        let mut hits: BTreeMap<u64, u64> = BTreeMap::new();
        for record in records {
            match record {
                Record::Site(site) => {
                    hits.entry(site.id).or_insert(1);
                    self.sites
                        .entry(site.id)
                        .or_insert_with(|| RecordedSite::new(site));
                }
                Record::Values(set) => {
                    let most = hits.entry(set.site).or_default();
                    *most = (*most).max(set.hits);
                    homeless.extend(self.add_set(set));
                }
            }
        }
        for (id, count) in hits {
            if let Some(site) = self.sites.get_mut(&id) {
                site.hits = site.hits.saturating_add(count);
            }
        }
        homeless
    }

    /// Adds a set to its site. Returns it if the site is not known.
    fn add_set(&mut self, set: ValueSet) -> Option<ValueSet> {
        let Some(site) = self.sites.get_mut(&set.site) else {
            return Some(set);
        };
        site.add(set);
        None
    }

    /// Replaces the sites by those of the current sources. A recording only determines which values
    /// belong to which places.
    pub fn adopt(&mut self, sites: &BTreeMap<u64, Site>) {
        for (id, site) in sites {
            if let Some(recorded) = self.sites.get_mut(id) {
                let slots = std::mem::take(&mut recorded.site.slots);
                recorded.site = Site {
                    slots,
                    ..site.clone()
                };
            }
        }
    }

    /// Returns the outgoing calls of a set, each with its site.
    pub fn calls<'r>(&'r self, set: &'r ValueSet) -> Vec<RecordedCall<'r>> {
        let with_site = |call: &'r OutgoingCall| {
            Some(RecordedCall {
                site: &self.sites.get(&call.site)?.site,
                call,
            })
        };
        set.calls.iter().filter_map(with_site).collect()
    }

    /// Returns the statements that were reached.
    pub fn statements(&self) -> impl Iterator<Item = &RecordedSite> {
        self.sites
            .values()
            .filter(|site| site.site.position.is_statement())
    }
}

impl RecordedSite {
    /// Returns a site without values.
    pub fn new(site: Site) -> RecordedSite {
        RecordedSite {
            site,
            sets: Vec::new(),
            hits: 0,
            seen: HashSet::new(),
        }
    }

    /// Adds a value set, unless it is a duplicate.
    pub fn add(&mut self, set: ValueSet) {
        // Sets that differ only in test or execution number are duplicates.
        let (exit, left, calls) = (&set.exit, &set.left, &set.calls);
        let key = format!(
            "{exit:?}{left:?}{:?}{:?}{:?}{calls:?}",
            set.slots, set.target, set.context
        );
        if self.seen.insert(
            situ_recorder::bytes::checksum(key.as_bytes())
                .to_le_bytes()
                .to_vec(),
        ) {
            self.sets.push(set);
        }
    }

    /// Returns the values of a phase in a set whose keys are source, by that source.
    pub fn values<'s>(&'s self, set: &'s ValueSet, phase: Phase) -> Vec<(&'s str, &'s Value)> {
        let values = self.keyed_values(set, phase).into_iter();
        values
            .filter_map(|(key, value)| Some((key.source()?, value)))
            .collect()
    }

    /// Returns all values of a phase in a set.
    pub fn keyed_values<'s>(
        &'s self,
        set: &'s ValueSet,
        phase: Phase,
    ) -> Vec<(&'s SlotKey, &'s Value)> {
        let values = set.slots.iter().filter_map(|(slot, value)| {
            let slot = self.site.slots.get(*slot as usize)?;
            (slot.phase == phase).then_some((&slot.key, value))
        });
        values.collect()
    }

    /// Returns the values of the inputs that changed, after the statement.
    pub fn changes<'s>(&'s self, set: &'s ValueSet) -> Vec<(&'s str, &'s Value)> {
        let before = self.values(set, Phase::Before);
        let mut changes = self.values(set, Phase::After);
        changes.retain(|(name, after)| {
            !before
                .iter()
                .any(|(other, value)| other == name && value == after)
        });
        changes
    }

    /// Returns all outputs of the statement: variables that it declares, its result, and the inputs
    /// that it changed.
    pub fn outputs<'s>(&'s self, set: &'s ValueSet) -> Vec<(&'s str, &'s Value)> {
        let mut outputs = self.values(set, Phase::Made);
        outputs.extend(self.values(set, Phase::Result));
        outputs.extend(self.values(set, Phase::Item));
        outputs.extend(self.changes(set));
        outputs
    }

    /// Returns the value of the `return`, `?` or `break` with which the statement exited early.
    pub fn left_value<'s>(&self, set: &'s ValueSet) -> Option<&'s Value> {
        let is_left = |slot: u32| {
            self.site
                .slots
                .get(slot as usize)
                .is_some_and(|slot| slot.phase == Phase::Left)
        };
        set.left.as_ref()?;
        set.slots
            .iter()
            .rfind(|(slot, _)| is_left(*slot))
            .map(|(_, value)| value)
    }

    /// Returns the worst loss among the inputs and outputs of a value set, or `None` if a test can
    /// rebuild the set.
    pub fn loss(&self, set: &ValueSet) -> Option<Loss> {
        let cut = set
            .slots
            .iter()
            .any(|(slot, _)| *slot == ITEMS_CUT)
            .then_some(Loss::Cut);
        let inputs = self
            .values(set, Phase::Before)
            .into_iter()
            .filter_map(|(_, value)| value.loss());
        let outputs = self.outputs(set);
        let outputs = outputs.into_iter().filter_map(|(_, value)| value.loss());
        let left = self.left_value(set).and_then(Value::loss);
        inputs.chain(outputs).chain(cut).chain(left).max()
    }

    /// Returns whether a set was captured completely.
    pub fn is_exact(&self, set: &ValueSet) -> bool {
        self.loss(set).is_none()
    }
}

/// Outgoing call with its site. The site's text shows the form of the call, its bytes the position
/// in the function.
#[derive(Clone, Copy, Debug)]
pub struct RecordedCall<'r> {
    pub site: &'r Site,
    /// Captured operands and result.
    pub call: &'r OutgoingCall,
}

impl<'r> RecordedCall<'r> {
    fn value(&self, phase: Phase, key: &SlotKey) -> Option<&'r Value> {
        let is_meant = |slot: u32| {
            self.site
                .slots
                .get(slot as usize)
                .is_some_and(|slot| slot.phase == phase && slot.key == *key)
        };
        self.call
            .slots
            .iter()
            .find(|(slot, _)| is_meant(*slot))
            .map(|(_, value)| value)
    }

    /// Returns the result, or `None` if the call panicked or the result was not captured.
    pub fn result(&self) -> Option<&'r Value> {
        self.value(Phase::Result, &SlotKey::from("result"))
    }

    /// Returns an argument, counted from one, or `None` if the source shows it (literals, closures,
    /// constants).
    pub fn argument(&self, number: usize) -> Option<&'r Value> {
        self.value(Phase::Before, &SlotKey::Argument(number))
    }

    /// Returns the receiver before the call.
    pub fn receiver(&self) -> Option<&'r Value> {
        self.value(Phase::Before, &SlotKey::Receiver)
    }

    /// Returns the operands that the call changed, with their values after it.
    pub fn changes(&self) -> Vec<(&'r SlotKey, &'r Value)> {
        let after = self.call.slots.iter().filter_map(|(slot, value)| {
            let slot = self.site.slots.get(*slot as usize)?;
            (slot.phase == Phase::After).then_some((&slot.key, value))
        });
        after
            .filter(|(key, value)| self.value(Phase::Before, key) != Some(*value))
            .collect()
    }
}

/// Returns whether there were more outgoing calls than a set keeps.
pub fn has_more_calls(set: &ValueSet) -> bool {
    set.slots.iter().any(|(slot, _)| *slot == CALLS_CUT)
}

/// Describes how a fragment was left early.
pub fn leaving_in_words(leaving: &Leaving) -> String {
    match leaving.way {
        Way::Return => "returns".to_owned(),
        Way::Question => "`?` returns".to_owned(),
        Way::Break if leaving.label.is_empty() => "breaks".to_owned(),
        Way::Break => format!("breaks '{}", leaving.label),
        Way::Continue if leaving.label.is_empty() => "continues".to_owned(),
        Way::Continue => format!("continues '{}", leaving.label),
    }
}

/// Describes how an execution ended.
pub fn exit_in_words(exit: &Exit) -> String {
    match exit {
        Exit::Through => String::new(),
        Exit::Left => "leaves early".to_owned(),
        // The message is not known, or it contains a secret.
        Exit::Panic(message) if message.is_empty() => "panics".to_owned(),
        Exit::Panic(message) => format!("panics: {message}"),
    }
}
