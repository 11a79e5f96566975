//! Reads recordings: merges the files of all processes, skips torn tails, keeps each value set once.

use super::plan::{Phase, Site};
use super::record_file::{Lost, Record, read_file};
use super::secrets::{self, Unusable};
use crate::base::user_error;
use anyhow::Result;
use situ_recorder::probe::{CALLS_CUT, ITEMS_CUT};
use situ_recorder::recording::{self, Exit, Leaving, OutgoingCall, ValueSet, Way};
use situ_recorder::value::{Loss, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};
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
    /// What could not be read.
    pub lost: Vec<Lost>,
    /// Whether values of the crate's own types with memory managed by hand were left alone, because a program was killed by
    /// a signal while they were looked at.
    pub was_repeated: bool,
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
    // Another process may have recorded the site that is lost in one file.
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

/// Refuses a recording that was not closed, in which secrets may be that are not known any more.
fn check_closed(folder: &Path) -> Result<()> {
    match secrets::files_in(folder).into_iter().next() {
        Some(path) => Err(user_error::input(Unusable::KeyLost(path).to_string())),
        None => Ok(()),
    }
}

/// Reads the recording that a user names; one of which nothing can be read is the user's to mend.
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

/// The recordings in a folder, in the order of their names.
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
    /// Adds the records of a file; gives back the sets whose sites are not known yet.
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

    /// Adds a set to its site; gives it back where that is not known.
    fn add_set(&mut self, set: ValueSet) -> Option<ValueSet> {
        let Some(site) = self.sites.get_mut(&set.site) else {
            return Some(set);
        };
        site.add(set);
        None
    }

    /// Takes everything about sites from the sources that these stand in now; a recording has no more to say than which
    /// values belong to which places.
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

    /// The outgoing calls of a set, each with its site.
    pub fn calls<'r>(&'r self, set: &'r ValueSet) -> Vec<RecordedCall<'r>> {
        let with_site = |call: &'r OutgoingCall| {
            Some(RecordedCall {
                site: &self.sites.get(&call.site)?.site,
                call,
            })
        };
        set.calls.iter().filter_map(with_site).collect()
    }

    /// The statements that were reached.
    pub fn statements(&self) -> impl Iterator<Item = &RecordedSite> {
        self.sites
            .values()
            .filter(|site| site.site.position.is_statement())
    }
}

impl RecordedSite {
    /// A site of which nothing was recorded yet.
    pub fn new(site: Site) -> RecordedSite {
        RecordedSite {
            site,
            sets: Vec::new(),
            hits: 0,
            seen: HashSet::new(),
        }
    }

    /// Adds a value set, unless it is known.
    pub fn add(&mut self, set: ValueSet) {
        // Which test and which hit it was does not make a set another one.
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
        changes.retain(|(name, after)| {
            !before
                .iter()
                .any(|(other, value)| other == name && value == after)
        });
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

    /// The value that left with a `return`, `?` or `break`, where the statement did not run to its end.
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

    /// Why a set cannot be rebuilt, if it cannot: the worst loss among its inputs and outputs.
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

    /// Is the set exact?
    pub fn is_exact(&self, set: &ValueSet) -> bool {
        self.loss(set).is_none()
    }
}

/// An outgoing call with its site: the text says its shape, the bytes its place in the function.
#[derive(Clone, Copy, Debug)]
pub struct RecordedCall<'r> {
    /// Where it stands.
    pub site: &'r Site,
    /// What it was given and gave.
    pub call: &'r OutgoingCall,
}

impl<'r> RecordedCall<'r> {
    fn value(&self, phase: Phase, name: &str) -> Option<&'r Value> {
        let is_meant = |slot: u32| {
            self.site
                .slots
                .get(slot as usize)
                .is_some_and(|slot| slot.phase == phase && slot.name == name)
        };
        self.call
            .slots
            .iter()
            .find(|(slot, _)| is_meant(*slot))
            .map(|(_, value)| value)
    }

    /// What it gave; none where it panicked or the result is not captured.
    pub fn result(&self) -> Option<&'r Value> {
        self.value(Phase::Result, "result")
    }

    /// An argument, counted from one; none where the text says it (literals, closures, constants).
    pub fn argument(&self, number: usize) -> Option<&'r Value> {
        self.value(Phase::Before, &format!("argument {number}"))
    }

    /// What it was called on, before.
    pub fn receiver(&self) -> Option<&'r Value> {
        self.value(Phase::Before, "receiver")
    }

    /// The operands that it changed: `receiver`, `argument 2`.
    pub fn changes(&self) -> Vec<(&'r str, &'r Value)> {
        let after = self.call.slots.iter().filter_map(|(slot, value)| {
            let slot = self.site.slots.get(*slot as usize)?;
            (slot.phase == Phase::After).then_some((slot.name.as_str(), value))
        });
        after
            .filter(|(name, value)| self.value(Phase::Before, name) != Some(*value))
            .collect()
    }
}

/// Were there more outgoing calls than are kept with a set?
pub fn has_more_calls(set: &ValueSet) -> bool {
    set.slots.iter().any(|(slot, _)| *slot == CALLS_CUT)
}

/// By which way a set was left, in words.
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

/// How a set was left, in words.
pub fn exit_in_words(exit: &Exit) -> String {
    match exit {
        Exit::Through => String::new(),
        Exit::Left => "leaves early".to_owned(),
        // It is not known, or it holds a secret.
        Exit::Panic(message) if message.is_empty() => "panics".to_owned(),
        Exit::Panic(message) => format!("panics: {message}"),
    }
}
