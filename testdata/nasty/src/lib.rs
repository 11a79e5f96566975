//! Constructs that make instrumentation hard.
#![deny(warnings)]
#![forbid(unsafe_op_in_unsafe_fn)]

pub mod by_hand;
#[path = "inner/odd_name.rs"]
pub mod inner;
pub mod shapes;
pub mod threads;

use std::cell::RefCell;
use std::collections::HashMap;

pub const WORDS: &str = include_str!("../data/words.txt");

/// Moves, shadowing, `let … else`, `?`.
pub fn first_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let Some((head, rest)) = text.split_once(' ') else {
        return text.parse().ok();
    };
    let owned = head.to_lowercase();
    let moved = owned;
    let number = moved.parse::<u32>().ok()?;
    let _ = rest;
    Some(number)
}

/// A borrow that lives across other statements.
pub fn longest(words: &mut Vec<String>) -> usize {
    let mut best = 0;
    for word in words.iter_mut() {
        word.push_str("!");
        best = best.max(word.trim_end_matches('!').len());
    }
    words.retain(|word| word.len() > 2);
    let slice = &mut words[..];
    slice.sort();
    best
}

/// The tail holds a temporary that borrows.
pub fn cell_length(cell: &RefCell<String>) -> usize {
    cell.borrow().trim().len()
}

/// Labels, conditions of all kinds, values of blocks.
pub fn classify(bytes: &[u8]) -> &'static str {
    'outer: for (at, byte) in bytes.iter().enumerate() {
        let mut bits = *byte;
        while bits & 1 == 0 {
            if bits == 0 {
                continue 'outer;
            }
            bits >>= 1;
        }
        if at > 3 && bytes.iter().all(|byte| byte & 0x80 == 0) {
            break 'outer;
        } else if bytes.starts_with(b"\xff") {
            return "marker";
        }
    }
    if let Some(last) = bytes.last()
        && last.count_ones() > 4
    {
        "heavy"
    } else {
        "light"
    }
}

/// `impl Trait` and closures.
pub fn doubled(values: &[i32]) -> impl Iterator<Item = i32> + '_ {
    let factor = values.len().leading_zeros() as i32 % 7;
    values.iter().map(move |value| value * 2 + factor)
}

/// A trait object, a generic value, a value without any trait.
pub fn sizes<T: AsRef<str>>(name: T, all: &dyn Fn(&str) -> usize) -> usize {
    struct Local {
        text: String,
    }
    let local = Local { text: name.as_ref().to_uppercase() };
    let lengths: Vec<usize> = local.text.split(' ').map(|part| all(part)).collect();
    lengths.iter().sum()
}

/// Panics inside a statement.
pub fn must_parse(text: &str) -> u8 {
    let number = text.trim().parse::<u8>().expect("a small number");
    number.rotate_left(1)
}

/// Constant functions stay as they are.
pub const fn constant(value: u32) -> u32 {
    value.count_ones() << 2
}

/// Recursion keeps its own records.
pub fn depth(text: &str) -> usize {
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inside) => 1 + depth(inside),
        None => 0,
    }
}

macro_rules! shout {
    ($text:expr) => {{
        let shouted = $text.to_uppercase();
        shouted
    }};
}

/// Code inside macros is left alone, arguments are seen.
pub fn loud(text: &str) -> String {
    let loud = format!("{}{text}", shout!(text).trim());
    loud
}

pub fn count_words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    counts
}

/// An asynchronous function.
pub async fn later(text: &str) -> usize {
    let trimmed = std::future::ready(text.trim()).await;
    trimmed.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn numbers() {
        assert_eq!(first_number(" 12 monkeys"), Some(12));
        assert_eq!(first_number("7"), Some(7));
        assert_eq!(first_number("no number"), None);
    }

    #[test]
    fn words() {
        let mut words = vec!["bb".to_owned(), "a".to_owned(), "ccc".to_owned()];
        assert_eq!(longest(&mut words), 3);
        assert_eq!(words, ["bb!", "ccc!"]);
        assert_eq!(count_words(WORDS).len(), 3);
        assert_eq!(loud("a "), "Aa ");
    }

    #[test]
    fn bytes() {
        assert_eq!(classify(b"\x03abcde"), "light");
        assert_eq!(classify(b"\xff"), "marker");
        assert_eq!(classify(&[0, 0]), "light");
        assert_eq!(doubled(&[1, 2]).count(), 2);
        assert_eq!(constant(7), 12);
    }

    #[test]
    fn others() {
        assert_eq!(cell_length(&RefCell::new(" ab ".to_owned())), 2);
        assert_eq!(sizes("a bc", &|part| part.len()), 3);
        assert_eq!(sizes(String::from("xyz"), &|part| part.len()), 3);
        assert_eq!(depth("((x))"), 2);
        assert_eq!(must_parse(" 129 "), 3);
    }

    #[test]
    #[should_panic(expected = "a small number")]
    fn a_panic_stays_one() {
        must_parse("300");
    }

    #[test]
    fn asynchronous() {
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(pin!(later(" abc ")).poll(&mut context), Poll::Ready(3));
    }
}
