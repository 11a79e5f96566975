//! The theories that are measured. Their names and parameters match the loops'.

use situ::prelude::*;
use std::hint::black_box;

#[datapoints]
fn numbers() -> Vec<u32> {
    (0..100).collect()
}

#[datapoints]
pub(super) fn words() -> Vec<String> {
    (0..100_u32)
        .map(|n| format!("word number {n:>3} of {}", "many ".repeat(n as usize % 7)))
        .collect()
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn trivial(a: u32, b: u32, c: u32) {
    black_box((a, b, c));
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn half_rejected(a: u32, b: u32, c: u32) {
    assume!(a % 2 == 0);
    black_box((a, b, c));
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn words_are_found(
    word: &str,
    #[supplier(words)] text: String,
    #[values(1, 2, 3, 4, 5)] times: usize,
) {
    assert!(super::loops::is_found(word, &text, times));
}

/// A type of the user's own, whose values are made anew and not cloned.
#[derive(Clone)]
pub(super) struct Text(pub(super) String);

#[datapoints]
pub(super) fn texts() -> impl Iterator<Item = Text> {
    words().into_iter().map(Text)
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn texts_are_found(word: &Text, text: Text, #[values(1, 2, 3, 4, 5)] times: usize) {
    assert!(super::loops::is_found(&word.0, &text.0, times));
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn one(#[supplier(ten)] a: u32) {
    black_box(a);
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn three(#[supplier(ten)] a: u32, #[supplier(ten)] b: u32, #[supplier(ten)] c: u32) {
    black_box((a, b, c));
}

#[theory(full)]
#[ignore = "measured"]
pub(super) fn six(
    #[supplier(ten)] a: u32,
    #[supplier(ten)] b: u32,
    #[supplier(ten)] c: u32,
    #[supplier(ten)] d: u32,
    #[supplier(ten)] e: u32,
    #[supplier(ten)] f: u32,
) {
    black_box((a, b, c, d, e, f));
}

fn ten() -> std::ops::Range<u32> {
    0..10
}
