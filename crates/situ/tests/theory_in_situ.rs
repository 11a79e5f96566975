//! Data points and assumptions in in-situ tests.
#![cfg(feature = "test")]
#![deny(warnings)]

use situ::prelude::*;

#[datapoints]
const WORDS: [&str; 3] = ["", "a", "ab c"];

#[situ]
fn first_letter(word: &str) -> Option<char> {
    let first = word.trim().chars().next();
    itest!(
        each(word, points::<&str>()),
        check_eq(first.is_none(), word.is_empty())
    );
    itest!(
        "assumed",
        given(word = ""),
        setup({ assume!(!word.is_empty()) }),
        check_some(first)
    );
    first
}

#[test]
fn the_function_works() {
    assert_eq!(first_letter("x"), Some('x'));
}
