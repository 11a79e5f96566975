//! The watched places of a program, and how many of their hits are captured.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::recorder::Recorder;
use crate::recording::encode_site;

/// Sets of a site that are captured whatever they cost.
const FIRST_SETS: u32 = 30;

/// Hits in a row that bring nothing new before some are passed over: in a loop, what is rare comes late.
const PATIENCE: u32 = 256;

/// One place of the program that is watched.
#[derive(Debug)]
pub struct Site {
    pub(crate) id: u64,
    /// The function that it stands in, where outgoing calls are recorded; else zero.
    pub(crate) function: u64,
    description: &'static str,
    pub(crate) hits: AtomicU64,
    /// The process that has written the description.
    described_by: AtomicU32,
    /// How many unique sets were written.
    pub(crate) unique: AtomicU32,
    /// How many of them can be rebuilt.
    pub(crate) rebuildable: AtomicU32,
    /// How many captured sets in a row were known already.
    pub(crate) repeats: AtomicU32,
    pub(crate) seen: Mutex<BTreeSet<u64>>,
}

impl Site {
    /// A place with its identity and description.
    pub const fn new(id: u64, description: &'static str) -> Self {
        Site::within(0, id, description)
    }

    /// The same with the function that it stands in: its outgoing calls are kept.
    pub const fn within(function: u64, id: u64, description: &'static str) -> Self {
        Site {
            id,
            function,
            description,
            hits: AtomicU64::new(0),
            described_by: AtomicU32::new(0),
            unique: AtomicU32::new(0),
            rebuildable: AtomicU32::new(0),
            repeats: AtomicU32::new(0),
            seen: Mutex::new(BTreeSet::new()),
        }
    }

    /// Whether to capture this hit: all of them at first, fewer where they bring nothing new or take too long.
    pub(crate) fn wants(&self, hit: u64, recorder: &Recorder) -> bool {
        let unique = self.unique.load(Ordering::Relaxed);
        // Where nothing seen so far can be rebuilt, more of it is of no use.
        let is_hopeless =
            !recorder.bounds.follows_opaque && unique >= FIRST_SETS && self.rebuildable.load(Ordering::Relaxed) == 0;
        let limit = if is_hopeless { FIRST_SETS } else { recorder.bounds.unique_sets };
        if unique >= limit {
            return hit.is_multiple_of(256) && unique < limit.saturating_mul(2);
        }
        let mut one_in = match self.repeats.load(Ordering::Relaxed) / PATIENCE {
            0 => 1,
            patience => 1_u64 << patience.min(10),
        };
        if unique >= FIRST_SETS && recorder.is_over_its_time() {
            one_in = one_in.max(64);
        }
        hit.is_multiple_of(one_in)
    }

    pub(crate) fn describe(&self, recorder: &Recorder) {
        let process = recorder.process();
        if self.described_by.swap(process, Ordering::Relaxed) != process {
            recorder.append(&encode_site(self.id, self.description));
        }
    }
}
