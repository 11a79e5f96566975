//! Files of the mirror, and what each generated part of them belongs to.

use crate::trial::owned_text::OwnedText;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The owner of a part of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A row of a table.
    Row(usize, usize),
    Table(usize),
    Candidate(usize),
    /// The notes of a target.
    Note(usize),
    /// A copy of a test that notes arguments.
    Notes(usize),
}

/// The parts that the compiler rejected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dropped {
    /// Tables.
    pub tables: BTreeMap<usize, String>,
    /// Candidates.
    pub candidates: BTreeMap<usize, String>,
    /// Candidates whose call has other types than the recorded arguments of their function.
    pub unfit: BTreeSet<usize>,
    /// Target → how often the compiler has rejected the notes of its arguments.
    pub notes: BTreeMap<usize, usize>,
    /// Copies of tests that note arguments.
    pub noted: BTreeSet<usize>,
    /// Lints that the user's crate denies and generated code triggers.
    pub lints: BTreeSet<String>,
}

/// A file of the mirror.
pub(crate) struct MirrorFile {
    /// Its path, relative to the workspace.
    pub path: PathBuf,
    /// Its text, and what the generated parts of it belong to.
    pub owned: OwnedText<Owner>,
    /// The position and length of each insertion into the user's source.
    pub insertions: Vec<(usize, usize)>,
}

impl MirrorFile {
    /// Returns the position of a byte of the user's file in this one.
    pub(crate) fn moved(&self, byte: usize) -> usize {
        byte + self
            .insertions
            .iter()
            .filter(|(at, _)| *at <= byte)
            .map(|(_, length)| length)
            .sum::<usize>()
    }
}
