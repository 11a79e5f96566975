//! What a user without theories would write: nested loops that make fresh values and go on after a failure.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::theories::{texts, words};

/// The property under test, of the size of a small unit: a text is searched for a word.
pub(super) fn is_found(word: &str, text: &str, times: usize) -> bool {
    let repeated = text.repeat(times);
    let longer = format!("{repeated}{word}");
    longer.contains(word) && longer.split_whitespace().count() >= times
}

pub(super) fn trivial() -> u64 {
    let mut failures = 0;
    for a in 0..100_u32 {
        for b in 0..100_u32 {
            for c in 0..100_u32 {
                failures += u64::from(
                    catch_unwind(|| {
                        black_box((a, b, c));
                    })
                    .is_err(),
                );
            }
        }
    }
    failures
}

pub(super) fn words_are_found() -> u64 {
    let mut failures = 0;
    let (words, texts) = (words(), words());
    for word in &words {
        for text in &texts {
            for times in [1, 2, 3, 4, 5] {
                let (word, text) = (word.clone(), text.clone());
                let body = AssertUnwindSafe(move || assert!(is_found(&word, &text, times)));
                failures += u64::from(catch_unwind(body).is_err());
            }
        }
    }
    failures
}

pub(super) fn texts_are_found() -> u64 {
    let mut failures = 0;
    let (words, texts): (Vec<_>, Vec<_>) = (texts().collect(), texts().collect());
    for word in &words {
        for text in &texts {
            for times in [1, 2, 3, 4, 5] {
                let (word, text) = (word.clone(), text.clone());
                let body = AssertUnwindSafe(move || assert!(is_found(&word.0, &text.0, times)));
                failures += u64::from(catch_unwind(body).is_err());
            }
        }
    }
    failures
}
