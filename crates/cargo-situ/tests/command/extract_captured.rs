//! `cargo situ extract` where a value cannot be rebuilt as a whole, or only in its own crate: elements that stand for it,
//! iterators by what they have yet to give, memory that is managed by hand.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"#![deny(warnings)]
//! What stands in texts, and a stack of bytes.

use std::mem::MaybeUninit;
use std::ops::Index;

/// The number in the first group, if there is one.
pub fn number(groups: &dyn Index<usize, Output = str>) -> Option<u32> {
    if groups[1].trim().is_empty() {
        return None;
    }
    let number = groups[1].trim().parse().ok();
    number
}

/// The first line and how many others there are.
pub fn first_line(text: &str) -> (usize, usize) {
    let mut lines = text.lines();
    (lines.next().map_or(0, str::len), lines.count())
}

/// How many bytes at the ends of both are the same.
pub fn common_end(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().rev().zip(right.iter().rev());
    pairs.take_while(|(left, right)| left == right).count()
}

/// Where a word may be broken.
pub fn breaks(word: &str) -> Vec<usize> {
    let mut breaks = Vec::new();
    for (at, _) in word.match_indices('-') {
        breaks.push(at + 1);
    }
    breaks
}

/// The last part of a name, if it is not empty.
pub fn last_part(name: &str) -> Option<&str> {
    let mut parts = name.rsplit('.');
    if parts.next().is_some_and(|last| last.is_empty()) {
        return parts.next();
    }
    name.rsplit('.').next()
}

/// Letters that are still to be read.
pub struct Letters<'l> {
    left: std::str::Chars<'l>,
}

impl Letters<'_> {
    /// They as a text.
    pub fn as_str(&self) -> &str {
        self.left.as_str()
    }
}

/// The letters of a text, which a listener may want to hear of.
pub fn letters<'l>(text: &'l str, listener: Option<&dyn Fn(&str)>) -> Letters<'l> {
    if let Some(listener) = listener {
        listener(text);
    }
    Letters { left: text.trim().chars() }
}

/// How many letters are behind the last dot.
pub fn behind_dot(text: &str) -> usize {
    let mut dot = None;
    for (at, letter) in text.char_indices() {
        if letter == '.' {
            dot = Some(at);
        }
    }
    match dot {
        Some(dot) => {
            let behind = text.len() - dot;
            if behind > 1 { behind - 1 } else { 0 }
        }
        None => 0,
    }
}

/// Where a sign stands, or else the start.
pub fn place_of(text: &str, sign: char, start: usize) -> usize {
    let Some(at) = text.find(sign) else {
        return start;
    };
    at
}

/// What texts can do.
pub trait Shout {
    /// Louder.
    fn shouted(&self) -> String;
}

impl Shout for str {
    fn shouted(&self) -> String {
        let shouted = self.trim().to_uppercase();
        shouted
    }
}

/// At most four bytes, in place.
pub struct Stack {
    bytes: [MaybeUninit<u8>; 4],
    length: usize,
}

impl Stack {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more, if there is room.
    pub fn push(&mut self, byte: u8) -> bool {
        if self.len() == self.bytes.len() {
            return false;
        }
        self.bytes[self.length] = MaybeUninit::new(byte);
        self.length += 1;
        true
    }

    /// All of them.
    pub fn as_slice(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.length) }
    }
}

impl PartialEq for Stack {
    fn eq(&self, other: &Stack) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl FromIterator<u8> for Stack {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Stack {
        let mut stack = Stack { bytes: [MaybeUninit::uninit(); 4], length: 0 };
        for byte in bytes {
            stack.push(byte);
        }
        stack
    }
}

impl<'s> IntoIterator for &'s Stack {
    type Item = &'s u8;
    type IntoIter = std::slice::Iter<'s, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Groups(Vec<&'static str>);

    impl Index<usize> for Groups {
        type Output = str;

        fn index(&self, group: usize) -> &str {
            self.0[group]
        }
    }

    #[test]
    fn groups_hold_numbers() {
        assert_eq!(number(&Groups(vec!["a 17", " 17"])), Some(17));
        assert_eq!(number(&Groups(vec!["a ", " "])), None);
    }

    #[test]
    fn texts_are_taken_apart() {
        assert_eq!(first_line("ab\nc\nd"), (2, 2));
        assert_eq!(common_end(b"walked", b"talk ed"), 2);
        assert_eq!(breaks("mother-in-law"), [7, 10]);
        assert_eq!("hey ".shouted(), "HEY");
        assert_eq!((last_part("a.bc"), last_part("ab.")), (Some("bc"), Some("ab")));
        assert_eq!((behind_dot("a.bc"), behind_dot("ab."), behind_dot("ab")), (2, 0, 0));
        assert_eq!((place_of("a=b", '=', 7), place_of("ab", '=', 7)), (1, 7));
        assert_eq!(letters(" ab", None).as_str(), "ab");
    }

    #[test]
    fn a_stack_is_full_at_some_time() {
        let mut stack: Stack = [1, 2, 3].into_iter().collect();
        assert!(stack.push(4) && !stack.push(5) && !stack.is_empty());
    }
}
"#;

#[test]
fn elements_iterators_and_memory_managed_by_hand_are_tested() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.text_of("number", "given(groups[1] = ");
    ran.text_of("number", "check_eq(number, ");
    ran.text_of(
        "first_line",
        "check(lines.clone().eq(\"ab\\nc\\nd\".lines()))",
    );
    ran.text_of("common_end", "check(pairs.clone().eq(Iterator::zip(");
    ran.text_of(
        "breaks",
        "items().into_iter().map(|(at, _)| at).collect::<Vec<_>>()",
    );
    ran.text_of("last_part", "vec![\"\", \"ab\"].into_iter()");
    ran.text_of("letters", "given(listener = None), check_false(cond())");
    ran.text_of(
        "letters",
        "check(returned().left.clone().eq(\"ab\".chars()))",
    );
    ran.text_of("place_of", "start = 7), check_return(7)");
    ran.text_of("behind_dot", "each((behind, expected), ");
    ran.text_of(
        "shouted",
        "given(self = \"hey \"), check_eq(shouted, \"HEY\")",
    );
    ran.text_of("push", "collect::<Stack>()");
    ran.text_of("push", "true)");
    let written = project.situ(&[
        "extract",
        "--all",
        "--from",
        "extract",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_own_tests_pass(&project);
}

const FRAGILE: &str = r#"
pub struct Fragile(*const u8, usize);

impl Fragile {
    pub fn len(&self) -> usize {
        self.1
    }

    pub fn is_long(&self) -> bool {
        if self.len() > 3 && !self.0.is_null() {
            return true;
        }
        false
    }
}

impl PartialEq for Fragile {
    fn eq(&self, other: &Fragile) -> bool {
        self.1 == other.1
    }
}

impl FromIterator<u8> for Fragile {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Fragile {
        Fragile(std::ptr::null(), bytes.into_iter().count())
    }
}

impl<'f> IntoIterator for &'f Fragile {
    type Item = &'f u8;
    type IntoIter = std::slice::Iter<'f, u8>;

    /// Nobody may look at it before it is finished.
    fn into_iter(self) -> Self::IntoIter {
        std::process::abort()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nowhere_is_not_long() {
        assert!(!Fragile(std::ptr::null(), 4).is_long());
    }
}
"#;

#[test]
fn a_program_that_does_not_bear_being_looked_at_is_recorded_once_more() {
    let project = Project::library("", FRAGILE);
    let ran = project.situ(&["record"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("killed by a signal in the code of `library::Fragile`"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let again = project.situ(&["record", "--json"]);
    assert_eq!(again.summary["outcome_differences"], 0, "{}", again.summary);
}
