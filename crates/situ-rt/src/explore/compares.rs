//! The comparisons that an execution made, with both operands, from calls that the compiler puts there.

use std::cell::Cell;
use std::collections::HashSet;

/// A comparison of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Where in the code: the address after the call, 0 where that is not known.
    pub site: usize,
    /// How many bits.
    pub bits: u32,
    /// One operand.
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
}

const MOST_INTEGERS: usize = 4096;
const MOST_BYTES: usize = 512;

thread_local! {
    /// Where this thread's comparisons go; null where nobody asks.
    static ASKED: Cell<*mut Log> = const { Cell::new(std::ptr::null_mut()) };
}

impl Log {
    /// An empty log, with room for all that it will ever take: nothing may be allocated while it is written.
    pub fn new() -> Log {
        Log { integers: Vec::with_capacity(MOST_INTEGERS), bytes: Vec::with_capacity(MOST_BYTES) }
    }

    /// The places where operands were equal.
    pub fn equal_sites(&self) -> impl Iterator<Item = usize> {
        self.integers.iter().filter(|one| one.left == one.right).map(|one| one.site)
    }

    /// The comparisons at these places, where no operands were equal this time.
    pub fn unequal_at(&self, sites: &HashSet<usize>) -> Log {
        let still: HashSet<usize> = self.equal_sites().collect();
        let is_spoilt = |one: &&Compared| sites.contains(&one.site) && !still.contains(&one.site);
        Log { integers: self.integers.iter().filter(is_spoilt).copied().collect(), bytes: Vec::new() }
    }

    /// Runs something, and keeps what this thread compares meanwhile.
    pub fn during<R>(&mut self, run: impl FnOnce() -> R) -> R {
        self.integers.clear();
        self.bytes.clear();
        let _guard = Asking::start(self);
        run()
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
fn note(site: usize, bits: u32, left: u64, right: u64) {
    let log = ASKED.get();
    if log.is_null() {
        return;
    }
    // SAFETY: set by this thread for as long as the log is borrowed, and nothing else looks at the log meanwhile.
    let integers = unsafe { &mut (*log).integers };
    if integers.len() < MOST_INTEGERS {
        let mask = u64::MAX >> (64 - bits);
        integers.push(Compared { site, bits, left: left & mask, right: right & mask });
    }
}

/// Keeps a comparison of bytes.
///
/// # Safety
/// Both pointers must be valid for so many bytes.
#[inline]
#[cfg_attr(not(any(test, situ_explored)), expect(dead_code, reason = "called by instrumented code only"))]
unsafe fn note_bytes(left: *const u8, right: *const u8, length: usize) {
    let log = ASKED.get();
    if log.is_null() || length == 0 {
        return;
    }
    // SAFETY: as in `note`.
    let bytes = unsafe { &mut (*log).bytes };
    if bytes.len() < MOST_BYTES {
        let length = length.min(LONGEST);
        let mut compared = ComparedBytes { length, left: [0; LONGEST], right: [0; LONGEST] };
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

#[cfg_attr(not(situ_explored), expect(dead_code, reason = "called by instrumented code only"))]
mod hooks {
    use super::note;
    #[cfg(all(situ_explored, target_os = "linux"))]
    use super::note_bytes;

    extern "C" fn compared_1(left: u64, right: u64, site: usize) {
        note(site, 8, left, right);
    }

    extern "C" fn compared_2(left: u64, right: u64, site: usize) {
        note(site, 16, left, right);
    }

    extern "C" fn compared_4(left: u64, right: u64, site: usize) {
        note(site, 32, left, right);
    }

    extern "C" fn compared_8(left: u64, right: u64, site: usize) {
        note(site, 64, left, right);
    }

    /// The cases of a `match`: how many, of how many bits, then their values.
    extern "C" fn switched(value: u64, cases: *const u64, site: usize) {
        const MOST_CASES: u64 = 64;
        // SAFETY: the compiler's table begins with these two numbers, and as many values follow as the first says.
        unsafe {
            let (count, bits) = (cases.read(), cases.add(1).read());
            let bits = u32::try_from(bits).unwrap_or(64).clamp(1, 64);
            for case in 0..count.min(MOST_CASES) {
                note(site.wrapping_add(case as usize), bits, value, cases.add(2 + case as usize).read());
            }
        }
    }

    /// Defines what instrumented code calls: it hands on its own return address, which tells where the comparison is.
    macro_rules! hooks {
        ($($name:ident $to:ident)*) => {$(
            #[cfg(all(situ_explored, target_arch = "x86_64", not(windows)))]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() {
                core::arch::naked_asm!("mov rdx, [rsp]", "jmp {}", sym $to)
            }

            #[cfg(all(situ_explored, target_arch = "aarch64", not(windows)))]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() {
                core::arch::naked_asm!("mov x2, x30", "b {}", sym $to)
            }
        )*};
    }

    hooks! {
        __sanitizer_cov_trace_cmp1 compared_1
        __sanitizer_cov_trace_cmp2 compared_2
        __sanitizer_cov_trace_cmp4 compared_4
        __sanitizer_cov_trace_cmp8 compared_8
        __sanitizer_cov_trace_const_cmp1 compared_1
        __sanitizer_cov_trace_const_cmp2 compared_2
        __sanitizer_cov_trace_const_cmp4 compared_4
        __sanitizer_cov_trace_const_cmp8 compared_8
        __sanitizer_cov_trace_switch switched
    }

    /// Stands in for the C library's: texts are compared with it.
    ///
    /// # Safety
    /// As in C.
    #[cfg(all(situ_explored, target_os = "linux"))]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
        // SAFETY: the caller promises what C does.
        unsafe {
            note_bytes(left, right, length);
            compare(left, right, length)
        }
    }

    /// The same, for equality alone.
    ///
    /// # Safety
    /// As in C.
    #[cfg(all(situ_explored, target_os = "linux"))]
    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(left: *const u8, right: *const u8, length: usize) -> i32 {
        // SAFETY: the caller promises what C does.
        unsafe {
            note_bytes(left, right, length);
            compare(left, right, length)
        }
    }

    /// Eight bytes at a time, without a call of what it stands for.
    #[inline]
    unsafe fn compare(left: *const u8, right: *const u8, length: usize) -> i32 {
        let mut at = 0;
        // SAFETY: all reads are below the length that the caller promises.
        unsafe {
            while at + 8 <= length {
                let one = left.add(at).cast::<u64>().read_unaligned();
                let other = right.add(at).cast::<u64>().read_unaligned();
                if one != other {
                    return if one.swap_bytes() < other.swap_bytes() { -1 } else { 1 };
                }
                at += 8;
            }
            while at < length {
                let (one, other) = (left.add(at).read_volatile(), right.add(at).read_volatile());
                if one != other {
                    return i32::from(one) - i32::from(other);
                }
                at += 1;
            }
        }
        0
    }

    #[cfg(test)]
    mod tests {
        use super::compare;

        #[test]
        fn bytes_are_compared_as_in_c() {
            let sign = |left: &[u8], right: &[u8]| {
                // SAFETY: both are as long as the shorter one.
                unsafe { compare(left.as_ptr(), right.as_ptr(), left.len().min(right.len())) }.signum()
            };
            assert_eq!(sign(b"abcdefghij", b"abcdefghij"), 0);
            assert_eq!(sign(b"abcdefghij", b"abcdefghik"), -1);
            assert_eq!(sign(b"\xffbcdefgh", b"\x01bcdefgz"), 1);
            assert_eq!(sign(b"abcdefg\x01", b"abcdefg\xff"), -1);
            assert_eq!(sign(b"", b"x"), 0);
        }
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
        assert_eq!((log.integers[0].left, log.integers[0].right, log.integers[0].site), (0xff, 3, 7));
        assert_eq!(log.bytes[0].both(), (&b"abc"[..], &b"abd"[..]));
    }
}
