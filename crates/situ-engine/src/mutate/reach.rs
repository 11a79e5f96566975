//! Reads which sites the threads of a process reached.

use crate::base::process::own_files;
use crate::programs::harness::Transcript;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Sites that a thread reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Number of each reached site's first mutant.
    pub sites: BTreeSet<u32>,
    /// Number of sites passed, including repetitions.
    pub calls: u64,
}

impl Reached {
    /// Returns the sites that were reached in either of two runs.
    pub fn union(mut self, other: Reached) -> Reached {
        self.sites.extend(other.sites);
        self.calls = self.calls.max(other.calls);
        self
    }
}

/// Reached sites by thread name; libtest names a test's thread after the test.
#[derive(Default)]
pub(super) struct Record {
    threads: BTreeMap<String, Reached>,
}

impl Record {
    /// Reads the file that a process has written.
    pub(super) fn read(path: &Path) -> Record {
        let text = own_files::read(path).unwrap_or_default();
        let mut record = Record::default();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for line in String::from_utf8_lossy(&text).lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(kind), Some(tag), Some(rest)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            if kind == "T" {
                names.insert(tag.to_owned(), rest.to_owned());
                continue;
            }
            let (Some(name), Ok(number)) = (names.get(tag), rest.parse::<u64>()) else {
                continue;
            };
            let thread = record.threads.entry(name.clone()).or_default();
            match kind {
                "H" => drop(u32::try_from(number).map(|site| thread.sites.insert(site))),
                _ => thread.calls += number,
            }
        }
        record
    }

    /// Adds the sites that another run reached.
    pub(super) fn absorb(&mut self, other: Record) {
        for (name, reached) in other.threads {
            let known = self.threads.remove(&name).unwrap_or_default();
            self.threads.insert(name, known.union(reached));
        }
    }

    /// Returns the sites that a thread reached.
    pub(super) fn of_thread(&self, name: &str) -> Reached {
        self.threads.get(name).cloned().unwrap_or_default()
    }

    /// Returns the sites that all threads reached.
    pub(super) fn of_all(&self) -> Reached {
        let sites = self
            .threads
            .values()
            .flat_map(|thread| &thread.sites)
            .copied()
            .collect();
        Reached {
            sites,
            calls: self.threads.values().map(|thread| thread.calls).sum(),
        }
    }

    /// Returns whether threads other than tests', or other processes, reached anything.
    pub(super) fn has_others(&self, transcript: &Transcript) -> bool {
        let known: BTreeSet<&str> = transcript
            .ended
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect();
        self.threads
            .iter()
            .any(|(name, thread)| !thread.sites.is_empty() && !known.contains(name.as_str()))
    }
}
