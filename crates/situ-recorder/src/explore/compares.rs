//! The comparisons of an execution with both operands, from callbacks that the compiler inserts.

use super::addresses::Addresses;
use super::sites::SiteSet;
use std::cell::Cell;

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The address after the callback, or 0 if unknown.
    pub site: usize,
    /// The width in bits.
    pub bits: u32,
    /// One operand: the constant, if one of them is.
    pub left: u64,
    /// The other operand.
    pub right: u64,
}

/// The maximum length of a byte string; longer ones are cut.
pub const LONGEST: usize = 64;

/// A comparison of two byte strings of equal length.
#[derive(Clone, Copy, Debug)]
pub struct ComparedBytes {
    length: usize,
    left: [u8; LONGEST],
    right: [u8; LONGEST],
}

impl ComparedBytes {
    /// Returns both strings, cut to [`LONGEST`].
    pub fn both(&self) -> (&[u8], &[u8]) {
        (&self.left[..self.length], &self.right[..self.length])
    }
}

/// The comparisons of one execution.
#[derive(Debug)]
pub struct Log {
    /// Comparisons of integers, in order.
    pub integers: Vec<Compared>,
    /// Comparisons of byte strings, in order.
    pub bytes: Vec<ComparedBytes>,
    /// `None` for a log that is never written.
    filter: Option<Box<Filter>>,
}

/// A filter of comparisons that are not worth keeping.
#[derive(Debug)]
struct Filter {
    /// The number of comparisons at each place; places may share a counter.
    passed: [u8; PLACES],
    addresses: Addresses,
}

const MAX_INTEGERS: usize = 4096;
const MAX_BYTES: usize = 512;
const PLACES: usize = 1024;
/// The maximum number of comparisons of one place, so that a loop does not displace what comes
/// after it.
const MAX_OF_A_PLACE: u8 = 48;

thread_local! {
    /// The log of this thread; null while nothing is logged.
    static ASKED: Cell<*mut Log> = const { Cell::new(std::ptr::null_mut()) };
}

impl Log {
    /// Creates an empty log with its whole capacity: nothing may be allocated while it is written.
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

    /// Creates a log that is never written.
    pub fn closed() -> Log {
        Log {
            integers: Vec::new(),
            bytes: Vec::new(),
            filter: None,
        }
    }

    /// Returns the places whose operands were equal.
    pub fn equal_sites(&self) -> impl Iterator<Item = usize> {
        self.integers
            .iter()
            .filter(|one| one.left == one.right)
            .map(|one| one.site)
    }

    /// Returns the comparisons at these places whose operands are never equal in this log.
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

    /// Calls `run` and logs the comparisons of this thread meanwhile.
    pub fn during<R>(&mut self, run: impl FnOnce() -> R) -> R {
        self.clear();
        let _guard = Asking::start(self);
        run()
    }
}

/// Clears the log of this thread.
pub fn forget() {
    let log = ASKED.get();
    if !log.is_null() {
        // SAFETY: as in `note`.
        unsafe { (*log).clear() };
    }
}

/// A guard that ends the logging, also when the code unwinds.
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
    // Addresses say nothing about the input and differ in every process.
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

/// Logs a comparison of byte strings.
///
/// # Safety
/// Both pointers must be valid for `length` bytes.
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
