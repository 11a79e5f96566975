//! Cuts: ways to shorten a long string or list.

use crate::source::literals;
use proc_macro2::TokenStream;
use situ_recorder::value::Value;
use std::collections::BTreeSet;
use syn::Lit;

/// The maximum length of a repeated part.
const LONGEST_REPEATED: usize = 24;

/// A way to shorten a string or list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Keeps the first elements.
    First(usize),
    /// Keeps the last elements.
    Last(usize),
    /// Keeps so many elements at both ends.
    Ends(usize),
    /// Keeps at most so many of each run of equal elements.
    Equal(usize),
    /// Keeps at most so many of each run of one kind: letters, digits, spaces, others.
    OfAKind(usize),
    /// Keeps at most so many repetitions of a part.
    Repeated(usize),
    /// Keeps the first of equal elements.
    Distinct,
    /// Keeps this word of a string, with so many chars around it.
    Around(String, usize),
    /// Keeps the line with this number.
    Line(usize),
}

/// Returns the sequences of cuts to try, the most often successful first. They use the literals of
/// the statement, which may matter.
pub(crate) fn ways(statement: &TokenStream) -> Vec<Vec<Cut>> {
    let named = Named::by(statement);
    let mut ways: Vec<Vec<Cut>> = [0, 1, 2, 3, 4, 8, 16, 32]
        .map(|count| vec![Cut::First(count)])
        .into();
    let kinds = [Cut::OfAKind(1), Cut::OfAKind(2)]
        .map(|kind| [1, 2].map(|count| vec![kind.clone(), Cut::Repeated(count)]));
    let kinds: Vec<Vec<Cut>> = kinds
        .into_iter()
        .flatten()
        .chain([1, 2].map(|count| vec![Cut::Repeated(count)]))
        .collect();
    ways.extend(kinds.iter().cloned());
    ways.extend(
        named
            .texts
            .iter()
            .flat_map(|text| [0, 1, 4].map(|around| vec![Cut::Around(text.clone(), around)])),
    );
    ways.extend([1, 2, 4, 8, 16, 32].map(|count| vec![Cut::Last(count)]));
    ways.extend([1, 2, 4, 8].map(|count| vec![Cut::Ends(count)]));
    ways.extend([
        vec![Cut::Distinct],
        vec![Cut::Equal(1)],
        vec![Cut::Equal(2)],
        vec![Cut::OfAKind(1)],
    ]);
    for kind in &kinds {
        let ends = [
            Cut::First(4),
            Cut::First(8),
            Cut::First(16),
            Cut::Last(8),
            Cut::Last(16),
            Cut::Ends(4),
        ];
        ways.extend(ends.map(|end| [kind.clone(), vec![end]].concat()));
    }
    ways.extend(named.numbers.iter().flat_map(|number| {
        let near = [number.checked_sub(1), Some(*number), number.checked_add(1)]
            .into_iter()
            .flatten();
        near.map(|count| vec![Cut::First(count)])
    }));
    ways.extend([0, 1].map(|number| vec![Cut::Line(number)]));
    ways.push(vec![Cut::First(64)]);
    ways
}

/// The literals of a statement.
#[derive(Default)]
struct Named {
    texts: BTreeSet<String>,
    numbers: BTreeSet<usize>,
}

impl Named {
    fn by(statement: &TokenStream) -> Named {
        let mut named = Named::default();
        for literal in literals(statement) {
            match literal {
                Lit::Str(text) => drop(named.texts.insert(text.value())),
                Lit::Char(letter) => drop(named.texts.insert(letter.value().to_string())),
                Lit::Int(number) => named.numbers.extend(number.base10_parse::<usize>().ok()),
                _ => {}
            }
        }
        named
    }
}

/// An element with its original position; equality ignores the position.
#[derive(Clone, Debug)]
struct Element<T> {
    value: T,
    at: usize,
}

impl<T: PartialEq> PartialEq for Element<T> {
    fn eq(&self, other: &Element<T>) -> bool {
        self.value == other.value
    }
}

/// The original positions of the remaining elements, and the size of each in bytes or elements.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    length_before: usize,
    elements: Vec<(usize, usize)>,
}

impl Left {
    /// Returns the new position of an index into what was cut, or `None` if the index was beyond
    /// the end.
    pub(crate) fn place_now(&self, place: usize) -> Option<usize> {
        let beyond = place.saturating_sub(self.length_before);
        let now: usize = self
            .elements
            .iter()
            .filter(|(at, _)| *at < place)
            .map(|(_, size)| size)
            .sum();
        (beyond <= 1).then_some(now + beyond)
    }
}

/// Applies the cuts to a string or list, one after the other.
pub(crate) fn apply(cuts: &[Cut], leaf: &mut Value) -> Left {
    match leaf {
        Value::Str(text) => {
            let length_before = text.len();
            let mut letters: Vec<Element<char>> = text
                .char_indices()
                .map(|(at, value)| Element { value, at })
                .collect();
            for cut in cuts {
                letters = match cut {
                    Cut::Around(word, around) => surroundings(&letters, word, *around),
                    Cut::Line(number) => line(&letters, *number),
                    other => kept(other, &letters, &|letter| kind_of_letter(&letter.value)),
                };
            }
            *text = letters.iter().map(|letter| letter.value).collect();
            let elements = letters
                .iter()
                .map(|letter| (letter.at, letter.value.len_utf8()))
                .collect();
            Left {
                length_before,
                elements,
            }
        }
        Value::Seq { items, .. } => {
            let length_before = items.len();
            let all = std::mem::take(items).into_iter().enumerate();
            let mut all: Vec<Element<Value>> =
                all.map(|(at, value)| Element { value, at }).collect();
            for cut in cuts {
                all = kept(cut, &all, &|item| kind_of_item(&item.value));
            }
            let elements = all.iter().map(|item| (item.at, 1)).collect();
            *items = all.into_iter().map(|item| item.value).collect();
            Left {
                length_before,
                elements,
            }
        }
        _ => Left {
            length_before: 0,
            elements: Vec::new(),
        },
    }
}

/// Returns the first occurrence of a word with so many chars around it, or everything if there is
/// none.
fn surroundings(letters: &[Element<char>], word: &str, around: usize) -> Vec<Element<char>> {
    let word: Vec<char> = word.chars().collect();
    let is_there = |part: &[Element<char>]| {
        part.iter()
            .map(|letter| letter.value)
            .eq(word.iter().copied())
    };
    let start = letters.windows(word.len().max(1)).position(is_there);
    let Some(start) = start else {
        return letters.to_vec();
    };
    let end = (start + word.len() + around).min(letters.len());
    letters[start.saturating_sub(around)..end].to_vec()
}

fn line(letters: &[Element<char>], number: usize) -> Vec<Element<char>> {
    letters
        .split(|letter| letter.value == '\n')
        .nth(number)
        .unwrap_or(letters)
        .to_vec()
}

fn kind_of_letter(letter: &char) -> u32 {
    match letter {
        letter if letter.is_lowercase() => 0,
        letter if letter.is_alphabetic() => 1,
        letter if letter.is_numeric() => 2,
        letter if letter.is_whitespace() && *letter != '\n' => 3,
        // Each punctuation char is a kind of its own.
        other => 4 + u32::from(*other),
    }
}

/// Returns the kind of an element; bytes are classified as chars.
fn kind_of_item(item: &Value) -> u32 {
    match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => kind_of_letter(&char::from(*bits as u8)),
        Value::Char(letter) => kind_of_letter(letter),
        _ => 0,
    }
}

/// Returns the elements that a cut leaves.
fn kept<T: Clone + PartialEq>(cut: &Cut, all: &[T], kind: &dyn Fn(&T) -> u32) -> Vec<T> {
    let ends = |first: usize, last: usize| {
        let first = first.min(all.len());
        let last = last.min(all.len() - first);
        [&all[..first], &all[all.len() - last..]].concat()
    };
    match cut {
        Cut::First(count) => ends(*count, 0),
        Cut::Last(count) => ends(0, *count),
        Cut::Ends(count) => ends(*count, *count),
        Cut::Equal(count) => runs(all, *count, &|one, other| one == other),
        Cut::OfAKind(count) => runs(all, *count, &|one, other| kind(one) == kind(other)),
        Cut::Repeated(count) => seldom(all, *count),
        Cut::Distinct => {
            let mut distinct: Vec<T> = Vec::new();
            for element in all {
                if !distinct.contains(element) {
                    distinct.push(element.clone());
                }
            }
            distinct
        }
        Cut::Around(..) | Cut::Line(_) => all.to_vec(),
    }
}

/// Keeps at most `count` elements of each run of similar elements.
fn runs<T: Clone>(all: &[T], count: usize, alike: &dyn Fn(&T, &T) -> bool) -> Vec<T> {
    let runs = all.chunk_by(|one, other| alike(one, other));
    runs.flat_map(|run| run.iter().take(count).cloned())
        .collect()
}

/// Keeps at most `count` repetitions of single elements, then of longer parts.
fn seldom<T: Clone + PartialEq>(all: &[T], count: usize) -> Vec<T> {
    let mut left = all.to_vec();
    for length in 1..=LONGEST_REPEATED {
        let mut kept: Vec<T> = Vec::new();
        for element in left {
            kept.push(element);
            let from = kept.len().checked_sub(length * (count + 1));
            let is_repeated = from
                .is_some_and(|from| kept[from..].chunks(length).all(|part| kept.ends_with(part)));
            if is_repeated {
                kept.truncate(kept.len() - length);
            }
        }
        left = kept;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_is_there_less_often() {
        let letters = |text: &str, count: usize| {
            seldom(&text.chars().collect::<Vec<_>>(), count)
                .into_iter()
                .collect::<String>()
        };
        assert_eq!(letters("aaaa", 1), "a");
        assert_eq!(letters("ab ab ab ;cd cd ;", 1), "ab ;cd ;");
        assert_eq!(letters("ab ab ab ; ; ;c", 2), "ab ab ; ;c");
        assert_eq!(letters("abc", 1), "abc");
        assert_eq!(letters("", 1), "");
    }

    #[test]
    fn places_move_with_what_is_before_them() {
        let mut text = Value::Str(format!("{}é y", "x".repeat(100)));
        let left = apply(&[Cut::OfAKind(1)], &mut text);
        assert_eq!(
            text,
            Value::Str("x y".to_owned()),
            "é is a small letter as well"
        );
        assert_eq!(left.place_now(102), Some(1), "before the space");
        assert_eq!(
            (
                left.place_now(104),
                left.place_now(105),
                left.place_now(106)
            ),
            (Some(3), Some(4), None)
        );
    }
}
