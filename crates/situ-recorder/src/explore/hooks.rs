//! The callbacks that the compiler inserts at comparisons, and replacements of `memcmp` and `bcmp`.

#![cfg_attr(
    not(situ_explored),
    expect(dead_code, reason = "called by instrumented code only")
)]

use super::compares::note;
#[cfg(all(situ_explored, target_os = "linux"))]
use super::compares::note_bytes;

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

/// Logs a `match` on an integer. The table has the number of cases, their width in bits, and their
/// values.
extern "C" fn switched(value: u64, cases: *const u64, site: usize) {
    const MAX_CASES: u64 = 64;
    // SAFETY: the compiler's table begins with these two numbers, and as many values follow as the first says.
    unsafe {
        let (count, bits) = (cases.read(), cases.add(1).read());
        let bits = u32::try_from(bits).unwrap_or(64).clamp(1, 64);
        for case in 0..count.min(MAX_CASES) {
            note(
                site.wrapping_add(case as usize),
                bits,
                cases.add(2 + case as usize).read(),
                value,
            );
        }
    }
}

/// Defines the callbacks, which pass on their own return address as the place of the comparison.
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

/// Replaces the C library's `memcmp`, which compares strings.
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

/// Replaces the C library's `bcmp`, which tests for equality only.
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

/// Compares eight bytes at a time, without calling `memcmp` itself.
#[inline]
unsafe fn compare(left: *const u8, right: *const u8, length: usize) -> i32 {
    let mut at = 0;
    // SAFETY: all reads are below the length that the caller promises.
    unsafe {
        while at + 8 <= length {
            let one = left.add(at).cast::<u64>().read_unaligned();
            let other = right.add(at).cast::<u64>().read_unaligned();
            if one != other {
                return if one.swap_bytes() < other.swap_bytes() {
                    -1
                } else {
                    1
                };
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
