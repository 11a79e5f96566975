//! The watched places of a program, and how many of their hits are captured.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::foreign;
use crate::lazy::Lazy;
use crate::recorder::Recorder;
use crate::recording::encode_site;

/// Sets of a site that are captured unless they cost far too much.
const FIRST_SETS: u32 = 30;

/// So many times its share of the time is far too much for recording.
const MUCH_OVER: u128 = 4;

/// Hits in a row that bring nothing new before some are passed over: in a loop, what is rare comes late.
const PATIENCE: u32 = 256;

/// Between the sites of a crate.
pub const SITE: char = '\u{1c}';

/// Between the parts of a site.
pub const PART: char = '\u{1d}';

/// The watched places of a crate: one text in its program, for a static each would cost the compiler far more.
#[derive(Debug)]
pub struct Sites {
    text: &'static str,
    panics_abort: bool,
    sites: Lazy<Vec<Site>>,
}

impl Sites {
    /// Sites from the text that has them one after the other: identity, function, when they are calm (numbers in
    /// hexadecimal) and description.
    pub const fn new(text: &'static str) -> Self {
        Sites {
            text,
            panics_abort: false,
            sites: Lazy::new(),
        }
    }

    /// Says whether panics end the program, as the profile that it was compiled with has it.
    pub const fn with_panics(self, panics_abort: bool) -> Self {
        Sites {
            text: self.text,
            panics_abort,
            sites: Lazy::new(),
        }
    }

    /// Whether a place was hit, as far as that is known without making anything.
    #[inline]
    pub(crate) fn is_hit(&'static self, number: u32) -> bool {
        let site = self
            .sites
            .get()
            .and_then(|sites| sites.get(number as usize));
        site.is_some_and(|site| site.hits.load(Ordering::Relaxed) > 0)
    }

    #[inline]
    pub(crate) fn get(&'static self, number: u32) -> &'static Site {
        static NOWHERE: Site = Site::new(0, "");
        let sites = self.sites.get_or_init(|| {
            if self.panics_abort {
                foreign::panics_abort();
            }
            self.text.split(SITE).map(Site::from_text).collect()
        });
        sites.get(number as usize).unwrap_or(&NOWHERE)
    }
}

/// One place of the program that is watched.
#[derive(Debug)]
pub struct Site {
    pub(crate) id: u64,
    /// The function that it stands in, where outgoing calls are recorded; else zero.
    pub(crate) function: u64,
    /// When no unsafe code of its function can have left a value half made.
    calm: Calm,
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

/// When values are whole at a site.
#[derive(Debug)]
struct Calm {
    before: bool,
    after: bool,
    /// The slots below this one are filled before the code at the site runs.
    slots_before: u32,
}

impl Calm {
    /// A bit each for before and after, above them the number of slots.
    fn from_code(code: u64) -> Calm {
        Calm {
            before: code & 1 != 0,
            after: code & 2 != 0,
            slots_before: (code >> 2) as u32,
        }
    }
}

impl Site {
    fn from_text(text: &'static str) -> Self {
        let mut parts = text.splitn(4, PART);
        let mut number = || u64::from_str_radix(parts.next().unwrap_or(""), 16).unwrap_or(0);
        let (id, function, calm) = (number(), number(), number());
        Site {
            calm: Calm::from_code(calm),
            ..Site::within(function, id, parts.next().unwrap_or(""))
        }
    }

    /// A place with its identity and description.
    pub const fn new(id: u64, description: &'static str) -> Self {
        Site::within(0, id, description)
    }

    /// The same with the function that it stands in: its outgoing calls are kept.
    pub const fn within(function: u64, id: u64, description: &'static str) -> Self {
        Site {
            id,
            function,
            calm: Calm {
                before: false,
                after: false,
                slots_before: 0,
            },
            description,
            hits: AtomicU64::new(0),
            described_by: AtomicU32::new(0),
            unique: AtomicU32::new(0),
            rebuildable: AtomicU32::new(0),
            repeats: AtomicU32::new(0),
            seen: Mutex::new(BTreeSet::new()),
        }
    }

    /// Are values whole while this slot is filled?
    pub(crate) fn is_calm(&self, slot: u32) -> bool {
        if slot < self.calm.slots_before {
            self.calm.before
        } else {
            self.calm.after
        }
    }

    /// Whether to capture this hit: all of them at first, fewer where they bring nothing new or take too long.
    pub(crate) fn wants(&self, hit: u64, recorder: &Recorder) -> bool {
        let unique = self.unique.load(Ordering::Relaxed);
        // Where nothing seen so far can be rebuilt, more of it is of no use.
        let is_hopeless = !recorder.bounds.follows_opaque
            && unique >= FIRST_SETS
            && self.rebuildable.load(Ordering::Relaxed) == 0;
        let most = recorder.bounds.unique_sets;
        if unique >= most {
            return false;
        }
        if is_hopeless {
            return hit.is_multiple_of(256) && unique < FIRST_SETS.saturating_mul(2);
        }
        let mut one_in = match self.repeats.load(Ordering::Relaxed) / PATIENCE {
            0 => 1,
            patience => 1_u64 << patience.min(10),
        };
        one_in = one_in.max(affordable(recorder.times_over(), unique));
        hit.is_multiple_of(one_in)
    }

    /// Takes a set in that was not seen yet, while there is room for more; several threads may come with their last ones.
    pub(crate) fn takes(&self, checksum: u64, recorder: &Recorder) -> bool {
        let Ok(mut seen) = self.seen.lock() else {
            return false;
        };
        (seen.len() as u64) < u64::from(recorder.bounds.unique_sets) && seen.insert(checksum)
    }

    /// The package that it stands in: the first part of its description.
    pub(crate) fn package(&self) -> &'static str {
        self.description.split('\u{1f}').next().unwrap_or_default()
    }

    /// Says once a process what the site is.
    pub(crate) fn describe(&self, recorder: &Recorder) {
        let process = recorder.process();
        if self.described_by.swap(process, Ordering::Relaxed) != process {
            recorder.append(&encode_site(self.id, self.description));
        }
    }
}

/// Of how many hits one can be captured, where recording has taken so many times its share and has so many sets of the site:
/// values can be so long that even a few of them take longer than the program itself.
fn affordable(times_over: u128, unique: u32) -> u64 {
    match (times_over, unique >= FIRST_SETS) {
        (0, _) | (1..MUCH_OVER, false) => 1,
        (1, true) => 64,
        (2..MUCH_OVER, true) | (MUCH_OVER.., false) => 4096,
        (MUCH_OVER.., true) => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Bounds;

    #[test]
    fn the_longer_recording_takes_the_less_is_captured() {
        assert_eq!(
            [0, 1, 2, 3, 4, 9].map(|over| affordable(over, FIRST_SETS)),
            [1, 64, 4096, 4096, u64::MAX, u64::MAX]
        );
        assert_eq!(
            [0, 1, 3, 4, 9].map(|over| affordable(over, 0)),
            [1, 1, 1, 4096, 4096]
        );
    }

    #[test]
    fn no_more_sets_are_kept_than_were_asked_for() {
        let bounds = Bounds {
            unique_sets: 50,
            ..Bounds::default()
        };
        let recorder = Recorder::new(Default::default(), bounds, true);
        let site = Site::new(1, "");
        site.rebuildable.store(1, Ordering::Relaxed);
        let mut kept = 0;
        for hit in 0..100_000 {
            if site.wants(hit, &recorder) && site.takes(hit, &recorder) {
                site.unique.fetch_add(1, Ordering::Relaxed);
                kept += 1;
            }
        }
        assert_eq!(kept, 50);
        // A thread that had been told that there is room comes too late.
        assert!(!site.takes(u64::MAX, &recorder) && !site.takes(1, &recorder));
    }

    #[test]
    fn the_sites_of_a_crate_are_read_from_one_text() {
        static SITES: Sites =
            Sites::new("ff\u{1d}0\u{1d}0\u{1d}first\u{1c}10\u{1d}2\u{1d}9\u{1d}second\u{1f}more");
        let second = SITES.get(1);
        assert_eq!((SITES.get(0).id, second.id, second.function), (255, 16, 2));
        assert_eq!(
            [1, 2].map(|slot| second.is_calm(slot)),
            [true, false],
            "before, and until it has ended"
        );
        assert!(!SITES.get(0).is_calm(0));
        assert_eq!(second.description, "second\u{1f}more");
        assert_eq!(SITES.get(2).id, 0, "one that nobody knows");
    }
}
