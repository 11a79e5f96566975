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

/// All of it is run by one test.
#[situ]
pub fn halved(x: u32, list: &mut Vec<u32>) -> u32 {
    blocktest!("all", given(x = 9, list = &mut vec![]), check_return(4), check_eq(list, &[9]));
    list.push(x);
    x / 2
}

/// All of it, where it returns nothing.
#[situ]
pub fn doubled(list: &mut Vec<u32>) {
    blocktest!("both", given(list = &mut vec![3]), check_eq(list, &[3, 3, 1]));
    list.extend(list.clone());
    list.push(1);
}

/// All of a loop's body.
#[situ]
pub fn summed(words: &[u32], mut sum: u32) -> u32 {
    for word in words {
        blocktest!("one", given(word = &3, sum = 1), check_eq(sum, 5));
        sum += word;
        sum += 1;
    }
    sum
}

/// All of a method that may fail, with a generic parameter.
#[situ]
impl<T: Clone + Default + PartialEq> Slot<T> {
    /// Takes what is there.
    pub fn taken(&mut self) -> Result<T, String> {
        blocktest!("there", given(T = u8, self = Slot { value: Some(7) }), check_return(Ok(7)), check_none(self.value));
        blocktest!("gone", given(T = u8, self = Slot { value: None }), check_return(Err("nothing is there".to_owned())));
        let value = self.value.take().ok_or("nothing is there")?;
        Ok(value)
    }
}

/// A place for a value.
pub struct Slot<T> {
    /// The value.
    pub value: Option<T>,
}
