//! The recorded sites of a program, and the decision which of their hits are captured.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::foreign;
use crate::lazy::Lazy;
use crate::recorder::Recorder;
use crate::recording::encode_site;

/// The number of sets of a site that are captured unless they cost far too much.
const FIRST_SETS: u32 = 30;

/// The factor by which recording may exceed its share of the time before it costs far too much.
const MUCH_OVER: u128 = 4;

/// The number of consecutive hits without new values before some are skipped: in a loop, rare
/// values come late.
const PATIENCE: u32 = 256;

/// The separator of the sites of a crate.
pub const SITE: char = '\u{1c}';

/// The separator of the parts of a site.
pub const PART: char = '\u{1d}';

/// The sites of a crate, as one string in its program: one static per site would cost the compiler
/// far more.
#[derive(Debug)]
pub struct Sites {
    text: &'static str,
    panics_abort: bool,
    sites: Lazy<Vec<Site>>,
}

impl Sites {
    /// Creates sites from their string: for each site its id, its function, its unsafe-free slots
    /// (numbers in hexadecimal) and its description.
    pub const fn new(text: &'static str) -> Self {
        Sites {
            text,
            panics_abort: false,
            sites: Lazy::new(),
        }
    }

    /// Sets whether panics abort the program, according to its profile.
    pub const fn with_panics(self, panics_abort: bool) -> Self {
        Sites {
            text: self.text,
            panics_abort,
            sites: Lazy::new(),
        }
    }

    /// Returns whether a site was hit, if the sites are initialized.
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

/// One recorded place of the program.
#[derive(Debug)]
pub struct Site {
    pub(crate) id: u64,
    /// The function that contains it if outgoing calls are recorded, otherwise zero.
    pub(crate) function: u64,
    /// When no unsafe code of its function can have left a value partially valid.
    calm: Calm,
    description: &'static str,
    pub(crate) hits: AtomicU64,
    /// The process that has written the description.
    described_by: AtomicU32,
    /// The number of unique sets written.
    pub(crate) unique: AtomicU32,
    /// The number of sets that can be reconstructed.
    pub(crate) rebuildable: AtomicU32,
    /// The number of consecutive captured sets that were known already.
    pub(crate) repeats: AtomicU32,
    pub(crate) seen: Mutex<BTreeSet<u64>>,
}

/// When values are valid at a site.
#[derive(Debug)]
struct Calm {
    before: bool,
    after: bool,
    /// The slots below this one are filled before the code at the site executes.
    slots_before: u32,
}

impl Calm {
    /// Decodes one bit for before, one for after, and the number of slots above them.
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

    /// Creates a site with its id and description.
    pub const fn new(id: u64, description: &'static str) -> Self {
        Site::within(0, id, description)
    }

    /// Creates a site inside a function whose outgoing calls are recorded.
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

    /// Returns whether values are valid while this slot is filled.
    pub(crate) fn is_calm(&self, slot: u32) -> bool {
        if slot < self.calm.slots_before {
            self.calm.before
        } else {
            self.calm.after
        }
    }

    /// Returns whether to capture this hit: at first every one, then fewer if they bring nothing
    /// new or take too long.
    pub(crate) fn wants(&self, hit: u64, recorder: &Recorder) -> bool {
        let unique = self.unique.load(Ordering::Relaxed);
        // If no set so far can be reconstructed, further ones are useless.
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

    /// Adds a set that is new, if the limit allows; several threads may arrive with the last one.
    pub(crate) fn takes(&self, checksum: u64, recorder: &Recorder) -> bool {
        let Ok(mut seen) = self.seen.lock() else {
            return false;
        };
        (seen.len() as u64) < u64::from(recorder.bounds.unique_sets) && seen.insert(checksum)
    }

    /// Returns the package that contains the site: the first part of its description.
    pub(crate) fn package(&self) -> &'static str {
        self.description.split('\u{1f}').next().unwrap_or_default()
    }

    /// Writes the description of the site once per process.
    pub(crate) fn describe(&self, recorder: &Recorder) {
        let process = recorder.process();
        if self.described_by.swap(process, Ordering::Relaxed) != process {
            recorder.append(&encode_site(self.id, self.description));
        }
    }
}

/// Returns of how many hits one can be captured, from how far recording exceeds its share and from
/// the sets of the site. Values can be so long that even a few take longer than the program itself.
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
        // A thread that was told that there is room comes too late.
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
