//! A library without the standard library, whose tests stand in its code.
#![no_std]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;
use situ::prelude::*;

const LIMIT: usize = 8;

/// The name after `--- a/` of the first line that has one.
#[situ]
pub fn parse_diff(diff: &str) -> Option<&str> {
    for line in diff.lines() {
        let name = line.strip_prefix("--- a/");
        itest!(given(line = "--- a/python/regex.py"), check_eq(name, Some("python/regex.py")));
        itest!("other lines", given(line = "+++ b/x"), check_none(name));
        if name.is_some() {
            itest!(given(name = None::<&str>), check_false(cond()));
            return name;
        }
    }
    None
}

/// What can go wrong with a number.
#[derive(Debug, PartialEq)]
pub enum Fault {
    /// There is none.
    Missing,
    /// It is none.
    Malformed,
}

/// A cursor over a text.
pub struct Cursor<'text> {
    rest: &'text str,
}

#[situ]
impl<'text> Cursor<'text> {
    /// Starts at the beginning.
    pub fn new(rest: &'text str) -> Self {
        Cursor { rest }
    }

    /// The next word, which is a number.
    pub fn number(&mut self) -> Result<usize, Fault> {
        blocktest!("missing", given(self = Cursor { rest: "" }), check_return(Err(Fault::Missing)));
        blocktest!("malformed", given(self = Cursor { rest: "x y" }), check_err(returned()));
        blocktest!("limit", given(self = Cursor { rest: "5" }, LIMIT = 3), check_return(Ok(3)));
        blocktest!("next", given(self = Cursor { rest: "5 6" }), check_return(Ok(5)), check_eq(self.rest, "6"));
        let word = self.word().ok_or(Fault::Missing)?;
        let number: usize = word.parse().map_err(|_| Fault::Malformed)?;
        Ok(number.min(LIMIT))
    }

    fn word(&mut self) -> Option<&'text str> {
        let text = self.rest.trim_start();
        itest!(given(self.rest = " a"), check_eq(text, "a"));
        if text.is_empty() {
            return None;
        }
        let end = text.find(' ').unwrap_or(text.len());
        itest!("to the end", given(text = "ab"), check_eq(end, 2));
        blocktest!("cut", given(self = Cursor { rest: "" }, text = "ab c", end = 2), check_return(Some("ab")));
        self.rest = text[end..].trim_start();
        Some(&text[..end])
    }
}

/// The numbers of a text, doubled; what is no number is left out.
#[situ]
pub fn doubled(text: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    for word in text.split(' ') {
        blocktest!("skips", given(word = "x", numbers = Vec::<usize>::new()), check_continue(), check(numbers.is_empty()));
        blocktest!("keeps", given(word = "4", numbers = Vec::<usize>::new()), check_eq(numbers, [4]), check_flow(Match.Arm(1)));
        let number = match word.parse() {
            Ok(number) => number,
            Err(_) => continue,
        };
        numbers.push(number);
    }
    closuretest!(args(&4), check_return(8));
    numbers.iter().map(|number: &usize| number * 2).collect()
}

/// Waits for nothing.
#[situ]
pub async fn waited(name: &str) -> String {
    let text = pause(name).await;
    itest!(given(name = "a"), check_eq(text, "a"));
    itest!("mocked", mock(pause(_).await, String::from("b")), check_eq(text, "b"));
    text
}

async fn pause(name: &str) -> String {
    String::from(name)
}
