//! In-situ tests decide about mutants of the statements they stand at.

use situ::prelude::*;

/// Only in-situ tests call anything here.
#[situ]
pub fn width(text: &str, limit: usize) -> Option<usize> {
    let inner = text.len() + 2;
    itest!(given(text = "abc"), check_eq(inner, 5));
    let trimmed = text.trim();
    itest!(given(text = "abc"), check_eq(trimmed, "abc"));
    blocktest!("too wide", given(inner = 9, limit = 8), next(1), check_return(None));
    if inner > limit {
        return None;
    }
    Some(inner + trimmed.len())
}

/// A type whose methods hold tests.
pub struct Counter {
    /// How many.
    pub count: u32,
}

#[situ]
impl Counter {
    /// Counts up to ten.
    pub fn up(&mut self) {
        self.count += 1;
        itest!(given(self.count = 3), check_eq(self.count, 4));
        if self.count > 10 {
            self.count = 10;
        }
    }
}

/// Ways out of fragments.
#[situ]
pub fn first_number(words: &[&str]) -> Result<u32, std::num::ParseIntError> {
    for word in words {
        blocktest!("blank", given(word = &" "), next(1), check_continue());
        if word.trim().is_empty() {
            continue;
        }
        blocktest!("no number", given(word = &"x"), next(1), check_err(returned()));
        word.parse::<u32>()?;
        return word.parse();
    }
    Ok(0)
}
