//! Reads one file of a recording. Everything that generators learn from a recording passes through
//! here.

use super::plan::{NoSite, Site};
use crate::base::words::{self, of_number};
use situ_recorder::recording::{self, Damage, ValueSet};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Record of a recording, after validation.
#[derive(Clone, Debug)]
pub enum Record {
    /// Site that was reached.
    Site(Site),
    /// Distinct value set.
    Values(ValueSet),
}

/// Records of one recording file, and what could not be read of it.
#[derive(Clone, Debug, Default)]
pub struct RecordFile {
    /// Records in the order in which they were written.
    pub records: Vec<Record>,
    /// Whether the file is a recording at all.
    pub is_recording: bool,
    /// Whether the process was killed while it wrote.
    pub is_torn: bool,
    /// What could not be read.
    pub lost: Vec<Lost>,
}

/// Part of a recording that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Whole file, with the reason.
    File(String),
    /// Bytes that are no record.
    Record(PathBuf, Damage),
    /// Number of sites with invalid descriptions. Their values are lost too.
    Sites(PathBuf, NoSite, usize),
    /// Number of values that no recorder can have written.
    Values(PathBuf, u64),
    /// Value sets of sites whose own records are lost.
    Sets {
        sets: usize,
        /// Number of sites.
        sites: usize,
    },
}

impl fmt::Display for Lost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::File(reason) => formatter.write_str(reason),
            Lost::Record(file, Damage { at, bytes }) => {
                write!(
                    formatter,
                    "{}: damaged, {} from byte {at} on {} lost",
                    file.display(),
                    words::count(*bytes, "byte"),
                    of_number(*bytes, "is", "are")
                )
            }
            Lost::Sites(file, reason, count) => {
                write!(
                    formatter,
                    "{}: {} {} not what a recorder writes: {reason}",
                    file.display(),
                    words::count(*count, "site"),
                    of_number(*count, "is", "are")
                )
            }
            Lost::Values(file, count) => {
                write!(
                    formatter,
                    "{}: {} {} not what a recorder writes",
                    file.display(),
                    words::count(*count, "value"),
                    of_number(*count, "is", "are")
                )
            }
            Lost::Sets { sets, sites } => {
                write!(
                    formatter,
                    "{} {} lost with the records of {}",
                    words::count(*sets, "value set"),
                    of_number(*sets, "is", "are"),
                    words::count(*sites, "place")
                )
            }
        }
    }
}

/// Reads and validates one recording file.
pub fn read_file(path: &Path) -> RecordFile {
    let contents = match recording::read(path) {
        Ok(contents) => contents,
        Err(error) => {
            return RecordFile {
                lost: vec![Lost::File(error.to_string())],
                ..RecordFile::default()
            };
        }
    };
    let mut records = Vec::with_capacity(contents.records.len());
    let mut no_sites: BTreeMap<NoSite, usize> = BTreeMap::new();
    for record in contents.records {
        match record {
            recording::Record::Values(set) => records.push(Record::Values(set)),
            recording::Record::Site { id, description } => {
                match Site::from_description(id, &description) {
                    Ok(site) => records.push(Record::Site(site)),
                    Err(reason) => *no_sites.entry(reason).or_default() += 1,
                }
            }
        }
    }
    let damaged = contents
        .damaged
        .into_iter()
        .map(|damage| Lost::Record(path.to_path_buf(), damage));
    let sites = no_sites
        .into_iter()
        .map(|(reason, count)| Lost::Sites(path.to_path_buf(), reason, count));
    let values = (contents.refused_values > 0)
        .then(|| Lost::Values(path.to_path_buf(), contents.refused_values));
    let lost = damaged.chain(sites).chain(values).collect();
    RecordFile {
        records,
        is_recording: true,
        is_torn: contents.torn_bytes > 0,
        lost,
    }
}
