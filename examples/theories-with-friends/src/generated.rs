//! A supplier is a function that gives values; where it gets them from is its own business.
//!
//! The seeds are fixed: a theory is to say the same thing every time it runs.

use crate::{decode, encode};
use situ::prelude::*;

/// Fifty values of a proptest strategy.
fn by_proptest() -> Vec<Vec<u8>> {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;

    let strategy = proptest::collection::vec(0_u8..4, 0..20);
    let mut runner = TestRunner::deterministic();
    (0..50)
        .map(|_| strategy.new_tree(&mut runner).expect("a value").current())
        .collect()
}

/// Anything that implements `Arbitrary`, from fifty fixed pieces of noise.
fn by_arbitrary<T: for<'a> arbitrary::Arbitrary<'a>>() -> impl Iterator<Item = T> {
    (1..=50_u32).filter_map(|seed| {
        let noise: Vec<u8> = (0..64_u32)
            .map(|at| seed.wrapping_mul(2_654_435_761).rotate_left(at % 32) as u8)
            .collect();
        T::arbitrary(&mut arbitrary::Unstructured::new(&noise)).ok()
    })
}

#[theory]
fn decoding_gives_back_what_was_encoded(#[supplier(by_proptest)] bytes: &[u8]) {
    assert_eq!(decode(&encode(bytes)), bytes);
}

#[theory]
fn encoding_what_was_decoded_is_stable(#[supplier(by_arbitrary)] runs: Vec<(u8, u8)>) {
    let runs: Vec<(u8, usize)> = runs
        .into_iter()
        .map(|(byte, count)| (byte, count.into()))
        .collect();
    let bytes = decode(&runs);
    assert_eq!(decode(&encode(&bytes)), bytes);
}
