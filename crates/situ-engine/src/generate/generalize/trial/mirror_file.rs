//! Files of the mirror, and what each generated part of them belongs to.

use crate::trial::owned_text::OwnedText;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What a part of the text belongs to.
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

/// What is left out, because the compiler does not accept it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dropped {
    /// Tables.
    pub tables: BTreeMap<usize, String>,
    /// Candidates.
    pub candidates: BTreeMap<usize, String>,
    /// Candidates that are none: what their function was seen with is of other types than their call wants.
    pub unfit: BTreeSet<usize>,
    /// Target → how often the compiler has rejected the notes of its arguments.
    pub notes: BTreeMap<usize, usize>,
    /// Copies of tests that note arguments.
    pub noted: BTreeSet<usize>,
    /// Lints that the user's crate denies, and that generated code does not heed.
    pub lints: BTreeSet<String>,
}

/// A file of the mirror.
pub(crate) struct MirrorFile {
    /// Its path, relative to the workspace.
    pub path: PathBuf,
    /// Its text, and what the generated parts of it belong to.
    pub owned: OwnedText<Owner>,
    /// Where something was put into the user's text, and how much.
    pub insertions: Vec<(usize, usize)>,
}

impl MirrorFile {
    /// Returns where a byte of the user's file is in this one.
    pub(crate) fn moved(&self, byte: usize) -> usize {
        byte + self
            .insertions
            .iter()
            .filter(|(at, _)| *at <= byte)
            .map(|(_, length)| length)
            .sum::<usize>()
    }
}
