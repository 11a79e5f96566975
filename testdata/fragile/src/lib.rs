//! Code that a recorder disturbs easily: allocators, locks, deep stacks, descriptors, processes, signals.

pub mod allocator;
#[cfg(feature = "foreign")]
pub mod meters;
pub mod recursion;
pub mod shown;
pub mod threads;

/// A number that is made of another one.
pub fn mixed(number: u32) -> u32 {
    let mixed = number.wrapping_mul(31) ^ number >> 3;
    mixed
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_mixed() {
        assert_eq!(super::mixed(8), 249);
    }
}
