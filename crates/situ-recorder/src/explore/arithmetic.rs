//! Solving of comparisons: how far to move a number, which bits to flip.

use super::compares::Compared;
use super::shape::wrapped;

/// Returns how many unit steps of an input make both operands equal, if the operands depend on it
/// linearly.
pub fn steps(before: &Compared, after: &Compared) -> Vec<i128> {
    let bits = before.bits;
    let signed = |value: u64| wrapped(i128::from(value), true, bits);
    let moved = signed(after.left.wrapping_sub(before.left))
        - signed(after.right.wrapping_sub(before.right));
    let moved = wrapped(moved, true, bits);
    if moved == 0 {
        return Vec::new();
    }
    let apart = signed(before.right.wrapping_sub(before.left));
    let straight = apart / moved;
    let mut all = vec![straight, straight + 1, straight - 1];
    // As unsigned numbers, the distance may be longer or have the other sign.
    let unsigned = i128::from(before.right) - i128::from(before.left);
    if unsigned != apart {
        all.extend([unsigned / moved, unsigned / moved + 1]);
    }
    if moved & 1 == 1 && apart % moved != 0 {
        let inverse = inverse(moved as u64);
        let round = (apart as u64).wrapping_mul(inverse);
        all.push(wrapped(i128::from(round), true, bits));
        all.push(wrapped(i128::from(round), false, bits));
    }
    all.retain(|steps| *steps != 0 && *steps != 1);
    all
}

/// Returns the multiplicative inverse of an odd number modulo 2^64.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// Returns a combination of rows whose exclusive or is `wanted`, by Gaussian elimination over
/// GF(2). Each row is an effect and the mask that identifies it.
pub fn combined(rows: Vec<(u64, u64)>, wanted: u64) -> Option<u64> {
    let mut pivots: Vec<(u64, u64)> = Vec::new();
    for (mut effect, mut which) in rows {
        for (pivot, of) in &pivots {
            if effect & highest(*pivot) != 0 {
                effect ^= pivot;
                which ^= of;
            }
        }
        if effect != 0 {
            pivots.push((effect, which));
        }
    }
    let (mut left, mut which) = (wanted, 0);
    // In the order in which they were found, each row clears its own highest bit.
    for _ in 0..64 {
        let Some((pivot, of)) = pivots.iter().find(|(pivot, _)| left & highest(*pivot) != 0) else {
            break;
        };
        left ^= pivot;
        which ^= of;
    }
    (left == 0 && which != 0).then_some(which)
}

fn highest(number: u64) -> u64 {
    1 << (63 - number.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::{combined, inverse, steps};
    use crate::explore::compares::Compared;

    fn compared(left: u64, right: u64) -> Compared {
        Compared {
            site: 1,
            bits: 32,
            left,
            right,
        }
    }

    #[test]
    fn an_operand_that_moves_evenly_is_moved_to_the_other() {
        assert!(steps(&compared(10, 100), &compared(13, 100)).contains(&30));
        assert!(steps(&compared(10, 100), &compared(10, 97)).contains(&30));
        assert!(steps(&compared(5, 5), &compared(5, 5)).is_empty());
        let times = |input: u64| input.wrapping_mul(31).wrapping_add(7) & 0xffff_ffff;
        let wanted = times(1_234_567_890);
        let all = steps(&compared(times(2), wanted), &compared(times(3), wanted));
        assert!(
            all.iter().any(|steps| times((2 + *steps) as u64) == wanted),
            "{all:?}"
        );
    }

    #[test]
    fn bits_that_flip_bits_are_combined() {
        let scrambled = |input: u64| (input.rotate_left(7) ^ (input >> 3)) & 0xffff_ffff;
        let rows = (0..32).map(|bit| (scrambled(1 << bit), 1 << bit)).collect();
        let mask = combined(rows, scrambled(0xdead_beef)).expect("a solution");
        assert_eq!(scrambled(mask), scrambled(0xdead_beef));
        assert_eq!(combined(vec![(0b10, 1)], 0b01), None);
    }

    #[test]
    fn odd_numbers_have_an_inverse() {
        assert!(
            [1, 3, 31, 0xffff_ffff_ffff_ffff_u64]
                .iter()
                .all(|odd| odd.wrapping_mul(inverse(*odd)) == 1)
        );
    }
}
