//! Whatever panics, or comes back as an error, violates a theory: any crate of matchers will do.

use crate::{decode, encode};
use situ::prelude::*;

#[datapoints]
fn bytes() -> Vec<Vec<u8>> {
    vec![vec![], vec![7], vec![7, 7, 7], vec![1, 2, 2, 1]]
}

#[theory]
fn with_plain_assertions(bytes: &[u8]) {
    assert_eq!(decode(&encode(bytes)), bytes);
}

#[theory]
fn with_assert2(bytes: &[u8]) {
    assert2::assert!(encode(bytes).len() <= bytes.len());
}

#[theory]
fn with_googletest(bytes: &[u8]) -> googletest::Result<()> {
    use googletest::prelude::*;
    let counts: Vec<usize> = encode(bytes).into_iter().map(|(_, count)| count).collect();
    verify_that!(counts, each(gt(&0)))?;
    verify_that!(counts.iter().sum::<usize>(), eq(bytes.len()))
}
