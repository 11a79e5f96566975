//! The comparisons that an execution made, with both operands, from calls that the compiler puts there.

use super::addresses::Addresses;
use super::sites::SiteSet;
use std::cell::Cell;

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Where in the code: the address after the call, 0 where that is not known.
    pub site: usize,
    /// How many bits.
    pub bits: u32,
    /// One operand: the constant, where one is.
    pub left: u64,
    /// The other.
    pub right: u64,
}

/// Longer byte strings are cut.
pub const LONGEST: usize = 64;

/// A comparison of two byte strings of one length.
#[derive(Clone, Copy, Debug)]
pub struct ComparedBytes {
    length: usize,
    left: [u8; LONGEST],
    right: [u8; LONGEST],
}

impl ComparedBytes {
    /// Both, cut to what is kept.
    pub fn both(&self) -> (&[u8], &[u8]) {
        (&self.left[..self.length], &self.right[..self.length])
    }
}

/// What one execution compared.
#[derive(Debug)]
pub struct Log {
    /// Integers, in order.
    pub integers: Vec<Compared>,
    /// Byte strings, in order.
    pub bytes: Vec<ComparedBytes>,
    /// None where it is never written.
    filter: Option<Box<Filter>>,
}

/// What tells comparisons that are worth keeping from others.
#[derive(Debug)]
struct Filter {
    /// How often each place was passed, places that share a number together.
    passed: [u8; PLACES],
    addresses: Addresses,
}

const MAX_INTEGERS: usize = 4096;
const MAX_BYTES: usize = 512;
const PLACES: usize = 1024;
/// Of one place so many comparisons are kept: a loop must not leave out what comes after it.
const MAX_OF_A_PLACE: u8 = 48;

thread_local! {
    /// Where this thread's comparisons go; null where nobody asks.
    static ASKED: Cell<*mut Log> = const { Cell::new(std::ptr::null_mut()) };
}

impl Log {
    /// An empty log, with room for all that it will ever take: nothing may be allocated while it is written.
    pub fn new() -> Log {
        let filter = Filter {
            passed: [0; PLACES],
            addresses: Addresses::of_this_thread(),
        };
        let (integers, bytes) = (
            Vec::with_capacity(MAX_INTEGERS),
            Vec::with_capacity(MAX_BYTES),
        );
        Log {
            integers,
            bytes,
            filter: Some(Box::new(filter)),
        }
    }

    /// One that is never written.
    pub fn closed() -> Log {
        Log {
            integers: Vec::new(),
            bytes: Vec::new(),
            filter: None,
        }
    }

    /// The places where operands were equal.
    pub fn equal_sites(&self) -> impl Iterator<Item = usize> {
        self.integers
            .iter()
            .filter(|one| one.left == one.right)
            .map(|one| one.site)
    }

    /// The comparisons at these places, where no operands were equal this time.
    pub fn unequal_at(&self, sites: &SiteSet) -> Vec<Compared> {
        let still: SiteSet = self.equal_sites().collect();
        let is_spoilt = |one: &&Compared| sites.contains(&one.site) && !still.contains(&one.site);
        self.integers.iter().filter(is_spoilt).copied().collect()
    }

    fn clear(&mut self) {
        self.integers.clear();
        self.bytes.clear();
        if let Some(filter) = &mut self.filter {
            filter.passed.fill(0);
        }
    }

    /// Runs something, and keeps what this thread compares meanwhile.
    pub fn during<R>(&mut self, run: impl FnOnce() -> R) -> R {
        self.clear();
        let _guard = Asking::start(self);
        run()
    }
}

/// Forgets what this thread compared so far.
pub fn forget() {
    let log = ASKED.get();
    if !log.is_null() {
        // SAFETY: as in `note`.
        unsafe { (*log).clear() };
    }
}

/// Ends the asking also when what runs unwinds.
struct Asking;

impl Asking {
    fn start(log: &mut Log) -> Asking {
        ASKED.set(log);
        Asking
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKED.set(std::ptr::null_mut());
    }
}

#[inline]
pub fn note(site: usize, bits: u32, left: u64, right: u64) {
    let log = ASKED.get();
    if log.is_null() {
        return;
    }
    // SAFETY: set by this thread for as long as the log is borrowed, and nothing else looks at the log meanwhile.
    let log = unsafe { &mut *log };
    let Some(filter) = &mut log.filter else {
        return;
    };
    let passed = &mut filter.passed[(site ^ (site >> 10)) % PLACES];
    // Where in memory something lies says nothing about the input, and is different in every process.
    let are_addresses = bits == 64 && filter.addresses.has(left) && filter.addresses.has(right);
    if *passed >= MAX_OF_A_PLACE || are_addresses || log.integers.len() >= log.integers.capacity() {
        return;
    }
    *passed += 1;
    let mask = u64::MAX >> (64 - bits);
    log.integers.push(Compared {
        site,
        bits,
        left: left & mask,
        right: right & mask,
    });
}

/// Keeps a comparison of bytes.
///
/// # Safety
/// Both pointers must be valid for so many bytes.
#[inline]
#[cfg_attr(
    not(any(test, situ_explored)),
    expect(dead_code, reason = "called by instrumented code only")
)]
pub unsafe fn note_bytes(left: *const u8, right: *const u8, length: usize) {
    let log = ASKED.get();
    if log.is_null() || length == 0 {
        return;
    }
    // SAFETY: as in `note`.
    let bytes = unsafe { &mut (*log).bytes };
    if bytes.len() < bytes.capacity() {
        let length = length.min(LONGEST);
        let mut compared = ComparedBytes {
            length,
            left: [0; LONGEST],
            right: [0; LONGEST],
        };
        for at in 0..length {
            // SAFETY: the caller's pointers are valid for more than this.
            unsafe {
                compared.left[at] = left.add(at).read();
                compared.right[at] = right.add(at).read();
            }
        }
        bytes.push(compared);
    }
}

#[cfg(test)]
mod tests {
    use super::{Log, note, note_bytes};

    #[test]
    fn comparisons_are_kept_only_while_asked_for() {
        let mut log = Log::new();
        note(1, 8, 1, 2);
        log.during(|| {
            note(7, 8, 0x1ff, 3);
            // SAFETY: both literals are three bytes long.
            unsafe { note_bytes(b"abc".as_ptr(), b"abd".as_ptr(), 3) };
        });
        note(1, 8, 1, 2);
        assert_eq!(log.integers.len(), 1);
        assert_eq!(
            (
                log.integers[0].left,
                log.integers[0].right,
                log.integers[0].site
            ),
            (0xff, 3, 7)
        );
        assert_eq!(log.bytes[0].both(), (&b"abc"[..], &b"abd"[..]));
    }

    #[test]
    fn a_loop_leaves_room_for_what_comes_after_it() {
        let mut log = Log::new();
        log.during(|| {
            (0..100_000).for_each(|at| note(7, 64, at, 100_000));
            note(8, 64, 1, 2);
        });
        assert!(log.integers.len() < 100);
        assert_eq!(log.integers.last().map(|one| one.site), Some(8));
    }

    #[test]
    fn where_something_lies_in_memory_is_not_kept() {
        let mut log = Log::new();
        let list = [1_u8, 2, 3];
        let ends = list.as_ptr_range();
        log.during(|| {
            note(7, 64, ends.start as u64, ends.end as u64);
            note(8, 64, ends.start as u64, 0);
        });
        let kept: Vec<usize> = log.integers.iter().map(|one| one.site).collect();
        assert_eq!(
            kept,
            if usize::BITS == 64 {
                vec![8]
            } else {
                vec![7, 8]
            }
        );
    }
}
