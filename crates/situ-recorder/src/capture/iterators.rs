//! Capture of iterators in progress, as their remaining elements.

use std::iter::{Cloned, Copied, Enumerate, Peekable, Skip};
use std::slice::{Chunks, ChunksExact, Windows};
use std::str::{Bytes, CharIndices, Chars, Split, SplitWhitespace};

use super::Capture;
use crate::Writer;
use crate::foreign::{self, Purpose};
use crate::value::FROM_THE_MIDDLE;

/// The number of elements after which an iterator counts as endless.
pub(super) const LONGEST: usize = 10_000;

impl Capture for Chars<'_> {
    fn capture(&self, writer: &mut Writer) {
        rest(
            std::any::type_name::<Self>(),
            &self.as_str(),
            ".chars()",
            writer,
        );
    }
}

fn char_indices(
    type_name: &'static str,
    gone: usize,
    text: &str,
    tail: &'static str,
    writer: &mut Writer,
) {
    if gone == 0 {
        let method = if tail.is_empty() {
            ".char_indices()"
        } else {
            ".char_indices().peekable()"
        };
        return rest(type_name, &text, method, writer);
    }
    writer.built(type_name, FROM_THE_MIDDLE, tail);
    let padded = format!("{}{text}", "x".repeat(gone));
    (&padded.as_str()).capture(writer);
    gone.capture(writer);
    writer.end();
}

impl Capture for CharIndices<'_> {
    fn capture(&self, writer: &mut Writer) {
        char_indices(
            std::any::type_name::<Self>(),
            self.offset(),
            self.as_str(),
            "",
            writer,
        );
    }
}

impl Capture for Peekable<CharIndices<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let gone = self.clone().next().map_or(0, |(at, _)| at);
        let text: String = self.clone().map(|(_, char)| char).collect();
        char_indices(
            std::any::type_name::<Self>(),
            gone,
            &text,
            ".peekable()",
            writer,
        );
    }
}

/// Writes `elements.head(size)`.
fn parts<T: Capture>(
    type_name: &'static str,
    head: &'static str,
    elements: &[&T],
    size: usize,
    writer: &mut Writer,
) {
    writer.built(type_name, head, "");
    writer.reference(false);
    writer.seq(crate::value::SeqKind::Slice, std::any::type_name::<[T]>());
    for element in elements {
        if writer.is_full() {
            break;
        }
        T::capture(element, writer);
    }
    writer.end();
    size.capture(writer);
    writer.end();
}

impl<T: Capture> Capture for ChunksExact<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        let mut elements: Vec<&T> = self.clone().flatten().collect();
        elements.extend(self.remainder());
        // If no chunk remains, any size above the remainder gives the same iterator.
        let size = self
            .clone()
            .next()
            .map_or(self.remainder().len() + 1, <[T]>::len);
        parts(
            std::any::type_name::<Self>(),
            "<[_]>::chunks_exact",
            &elements,
            size,
            writer,
        );
    }
}

impl<T: Capture> Capture for Chunks<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        let elements: Vec<&T> = self.clone().flatten().collect();
        let size = self.clone().next().map_or(1, <[T]>::len);
        parts(
            std::any::type_name::<Self>(),
            "<[_]>::chunks",
            &elements,
            size,
            writer,
        );
    }
}

impl<T: Capture> Capture for Windows<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        let first = self.clone().next().unwrap_or_default();
        let others = self.clone().skip(1).filter_map(<[T]>::last);
        let elements: Vec<&T> = first.iter().chain(others).collect();
        parts(
            std::any::type_name::<Self>(),
            "<[_]>::windows",
            &elements,
            first.len().max(1),
            writer,
        );
    }
}

impl Capture for Bytes<'_> {
    fn capture(&self, writer: &mut Writer) {
        let bytes: Vec<u8> = self.clone().collect();
        match String::from_utf8(bytes) {
            Ok(text) => rest(
                std::any::type_name::<Self>(),
                &text.as_str(),
                ".bytes()",
                writer,
            ),
            Err(_) => writer.opaque(std::any::type_name::<Self>(), "stopped inside a character"),
        }
    }
}

impl<T: Capture> Capture for std::slice::Iter<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        rest(
            std::any::type_name::<Self>(),
            &self.as_slice(),
            ".iter()",
            writer,
        );
    }
}

impl<T: Capture> Capture for std::vec::IntoIter<T> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".into_iter()");
        super::collections::vector(self.as_slice(), writer);
        writer.end();
    }
}

/// Writes `value.method()`.
pub(super) fn rest<T: Capture + ?Sized>(
    type_name: &'static str,
    value: &T,
    method: &'static str,
    writer: &mut Writer,
) {
    writer.built(type_name, "", method);
    value.capture(writer);
    writer.end();
}

impl Capture for Peekable<Chars<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let text: String = self.clone().collect();
        rest(
            std::any::type_name::<Self>(),
            &text.as_str(),
            ".chars().peekable()",
            writer,
        );
    }
}

impl<T: Capture> Capture for Peekable<std::slice::Iter<'_, T>> {
    fn capture(&self, writer: &mut Writer) {
        elements(
            std::any::type_name::<Self>(),
            self.clone(),
            ".iter().peekable()",
            writer,
        );
    }
}

impl<T: Capture + Clone> Capture for Peekable<std::vec::IntoIter<T>> {
    fn capture(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Self>();
        with_copies(
            type_name,
            || self.clone().collect::<Vec<T>>(),
            writer,
            |left, writer| {
                writer.built(type_name, "", ".into_iter().peekable()");
                left.capture(writer);
                writer.end();
            },
        );
    }
}

/// Writes the remaining elements of an iterator from a clone of it. Cloning and dropping execute
/// code of the elements' type.
fn with_copies<T>(
    type_name: &'static str,
    copy: impl FnOnce() -> T,
    writer: &mut Writer,
    write: impl FnOnce(&T, &mut Writer),
) {
    match foreign::run(type_name, Purpose::Rebuild, copy) {
        Ok(copies) => {
            write(&copies, writer);
            let _ = foreign::run(type_name, Purpose::Rebuild, || drop(copies));
        }
        Err(declined) => writer.opaque(type_name, declined.reason()),
    }
}

/// Writes `text.split(separator)` with a string that splits into the remaining parts.
fn split<S: Capture + Copy>(
    type_name: &'static str,
    parts: Vec<&str>,
    separator: Option<(S, String)>,
    writer: &mut Writer,
) {
    let joined = separator.map(|(separator, text)| (separator, parts.join(&text), text));
    match joined {
        // `split` yields at least one part, so an exhausted iterator cannot be written this way.
        Some((separator, whole, text))
            if !parts.is_empty()
                && parts.len() < LONGEST
                && whole.split(&text).eq(parts.iter().copied()) =>
        {
            writer.built(type_name, "str::split", "");
            (&whole.as_str()).capture(writer);
            separator.capture(writer);
            writer.end();
        }
        _ => writer.opaque(type_name, POSITION),
    }
}

pub(super) const POSITION: &str = "an iterator whose position cannot be read";

/// Returns what follows `needle: ` in the `Debug` output of a split iterator: the standard library
/// exposes the separator nowhere else.
fn needle(shown: &str) -> Option<&str> {
    shown.split_once("needle: ").map(|(_, rest)| rest)
}

impl Capture for Split<'_, char> {
    fn capture(&self, writer: &mut Writer) {
        let shown = format!("{self:?}");
        let separator = needle(&shown).and_then(|rest| {
            let mut rest = rest.strip_prefix('\'')?.chars();
            let (first, second) = (rest.next()?, rest.next()?);
            // An escaped separator is ambiguous.
            (first != '\\' && second == '\'').then(|| (first, first.to_string()))
        });
        split(
            std::any::type_name::<Self>(),
            self.clone().take(LONGEST).collect(),
            separator,
            writer,
        );
    }
}

impl Capture for Split<'_, &str> {
    fn capture(&self, writer: &mut Writer) {
        let shown = format!("{self:?}");
        let separator = needle(&shown).and_then(|rest| rest.strip_prefix('"')?.split_once('"'));
        let separator = separator
            .map(|(text, _)| text)
            .filter(|text| !text.is_empty() && !text.contains('\\'));
        let separator = separator.map(|text| (text, text.to_owned()));
        split(
            std::any::type_name::<Self>(),
            self.clone().take(LONGEST).collect(),
            separator,
            writer,
        );
    }
}

impl Capture for SplitWhitespace<'_> {
    fn capture(&self, writer: &mut Writer) {
        let words: Vec<&str> = self.clone().take(LONGEST).collect();
        rest(
            std::any::type_name::<Self>(),
            &words.join(" ").as_str(),
            ".split_whitespace()",
            writer,
        );
    }
}

/// Writes `elements.iter().method()`.
fn elements<'t, T: Capture + 't>(
    type_name: &'static str,
    left: impl Iterator<Item = &'t T>,
    method: &'static str,
    writer: &mut Writer,
) {
    writer.built(type_name, "", method);
    writer.reference(false);
    writer.seq(crate::value::SeqKind::Slice, std::any::type_name::<[T]>());
    for element in left.take(LONGEST) {
        if writer.is_full() {
            break;
        }
        element.capture(writer);
    }
    writer.end();
    writer.end();
}

impl<T: Capture + Copy> Capture for Copied<std::slice::Iter<'_, T>> {
    fn capture(&self, writer: &mut Writer) {
        let left: Vec<T> = self.clone().collect();
        elements(
            std::any::type_name::<Self>(),
            left.iter(),
            ".iter().copied()",
            writer,
        );
    }
}

impl<T: Capture + Clone> Capture for Cloned<std::slice::Iter<'_, T>> {
    fn capture(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Self>();
        with_copies(
            type_name,
            || self.clone().collect::<Vec<T>>(),
            writer,
            |left, writer| {
                elements(type_name, left.iter(), ".iter().cloned()", writer);
            },
        );
    }
}

impl<T: Capture> Capture for Enumerate<std::slice::Iter<'_, T>> {
    fn capture(&self, writer: &mut Writer) {
        match self.clone().next() {
            Some((1.., _)) => writer.opaque(std::any::type_name::<Self>(), POSITION),
            _ => {
                let left = self.clone().map(|(_, element)| element);
                elements(
                    std::any::type_name::<Self>(),
                    left,
                    ".iter().enumerate()",
                    writer,
                );
            }
        }
    }
}

impl Capture for Enumerate<Chars<'_>> {
    fn capture(&self, writer: &mut Writer) {
        match self.clone().next() {
            Some((1.., _)) => writer.opaque(std::any::type_name::<Self>(), POSITION),
            _ => {
                let text: String = self.clone().map(|(_, char)| char).collect();
                rest(
                    std::any::type_name::<Self>(),
                    &text.as_str(),
                    ".chars().enumerate()",
                    writer,
                );
            }
        }
    }
}

impl Capture for Skip<Chars<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let text: String = self.clone().collect();
        rest(
            std::any::type_name::<Self>(),
            &text.as_str(),
            ".chars().skip(0)",
            writer,
        );
    }
}
