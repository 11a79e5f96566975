//! Maps and sets of code addresses and small numbers with a fast hash: nobody chooses the keys to
//! cause collisions.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from places in the code.
pub type SiteMap<V> = HashMap<usize, V, Plainly>;
/// A set of places in the code.
pub type SiteSet = HashSet<usize, Plainly>;
/// Builds the hasher.
pub type Plainly = BuildHasherDefault<PlainHasher>;

/// A hasher that multiplies, which is sufficient for addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainHasher(u64);

impl Hasher for PlainHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk
                .iter()
                .fold(0_u64, |word, byte| (word << 8) | u64::from(*byte));
            self.write_u64(word);
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_i128(&mut self, number: i128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::Plainly;
    use std::collections::HashSet;
    use std::hash::BuildHasher as _;

    #[test]
    fn neighbours_are_spread() {
        let spread = |numbers: &mut dyn Iterator<Item = u64>| {
            numbers
                .map(|number| Plainly::default().hash_one(number) & 0xfff)
                .collect::<HashSet<_>>()
                .len()
        };
        assert!(spread(&mut (0..1_000)) > 600);
        assert!(spread(&mut (0..1_000).map(|number| 0x5555_0000_0000 + 16 * number)) > 600);
    }
}
