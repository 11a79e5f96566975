//! Capture of iterators in progress, by what they have yet to give.

use std::iter::{Cloned, Copied, Enumerate, Peekable, Rev, Skip};
use std::slice::{Chunks, ChunksExact, Windows};
use std::str::{Bytes, CharIndices, Chars, Split, SplitWhitespace};

use super::Capture;
use crate::Writer;

/// Elements looked at before an iterator is called endless.
const LONGEST: usize = 10_000;

impl Capture for Chars<'_> {
    fn capture(&self, writer: &mut Writer) {
        rest(std::any::type_name::<Self>(), &self.as_str(), ".chars()", writer);
    }
}

/// Gives `rest` after as many bytes as are gone already: their text does not matter.
const FROM_THE_MIDDLE: &str = "(|text: &'static str, gone: usize| { let mut rest = text.char_indices(); rest.by_ref().take(gone).count(); rest })";

fn char_indices(type_name: &'static str, gone: usize, text: &str, tail: &'static str, writer: &mut Writer) {
    if gone == 0 {
        let method = if tail.is_empty() { ".char_indices()" } else { ".char_indices().peekable()" };
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
        char_indices(std::any::type_name::<Self>(), self.offset(), self.as_str(), "", writer);
    }
}

impl Capture for Peekable<CharIndices<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let gone = self.clone().next().map_or(0, |(at, _)| at);
        let text: String = self.clone().map(|(_, char)| char).collect();
        char_indices(std::any::type_name::<Self>(), gone, &text, ".peekable()", writer);
    }
}

/// `elements.method(size)`.
fn parts<T: Capture>(type_name: &'static str, head: &'static str, elements: &[&T], size: usize, writer: &mut Writer) {
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
        // Where no chunk is left, any size beyond the remainder is as good.
        let size = self.clone().next().map_or(self.remainder().len() + 1, <[T]>::len);
        parts(std::any::type_name::<Self>(), "<[_]>::chunks_exact", &elements, size, writer);
    }
}

impl<T: Capture> Capture for Chunks<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        let elements: Vec<&T> = self.clone().flatten().collect();
        let size = self.clone().next().map_or(1, <[T]>::len);
        parts(std::any::type_name::<Self>(), "<[_]>::chunks", &elements, size, writer);
    }
}

impl<T: Capture> Capture for Windows<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        let first = self.clone().next().unwrap_or_default();
        let others = self.clone().skip(1).filter_map(<[T]>::last);
        let elements: Vec<&T> = first.iter().chain(others).collect();
        parts(std::any::type_name::<Self>(), "<[_]>::windows", &elements, first.len().max(1), writer);
    }
}

impl Capture for Bytes<'_> {
    fn capture(&self, writer: &mut Writer) {
        let bytes: Vec<u8> = self.clone().collect();
        match String::from_utf8(bytes) {
            Ok(text) => rest(std::any::type_name::<Self>(), &text.as_str(), ".bytes()", writer),
            Err(_) => writer.opaque(std::any::type_name::<Self>(), "stopped inside a character"),
        }
    }
}

impl<T: Capture> Capture for std::slice::Iter<'_, T> {
    fn capture(&self, writer: &mut Writer) {
        rest(std::any::type_name::<Self>(), &self.as_slice(), ".iter()", writer);
    }
}

impl<T: Capture> Capture for std::vec::IntoIter<T> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".into_iter()");
        super::collections::vector(self.as_slice(), writer);
        writer.end();
    }
}

/// `value.method()`.
fn rest<T: Capture + ?Sized>(type_name: &'static str, value: &T, method: &'static str, writer: &mut Writer) {
    writer.built(type_name, "", method);
    value.capture(writer);
    writer.end();
}

impl Capture for Peekable<Chars<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let text: String = self.clone().collect();
        rest(std::any::type_name::<Self>(), &text.as_str(), ".chars().peekable()", writer);
    }
}

impl Capture for Rev<Chars<'_>> {
    fn capture(&self, writer: &mut Writer) {
        let text: String = self.clone().rev().collect();
        rest(std::any::type_name::<Self>(), &text.as_str(), ".chars().rev()", writer);
    }
}

impl<T: Capture> Capture for Peekable<std::slice::Iter<'_, T>> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".iter().peekable()");
        writer.reference(false);
        writer.seq(crate::value::SeqKind::Slice, std::any::type_name::<[T]>());
        for element in self.clone().take(LONGEST) {
            element.capture(writer);
        }
        writer.end();
        writer.end();
    }
}

impl<T: Capture + Clone> Capture for Peekable<std::vec::IntoIter<T>> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".into_iter().peekable()");
        let elements: Vec<T> = self.clone().collect();
        elements.capture(writer);
        writer.end();
    }
}

/// Adaptors whose position cannot be read keep only their type.
macro_rules! opaque {
    ($($adaptor:ty where [$($parameter:tt)*]),* $(,)?) => {$(
        impl<$($parameter)*> Capture for $adaptor {
            fn capture(&self, writer: &mut Writer) {
                writer.opaque(std::any::type_name::<Self>(), "an iterator whose position cannot be read");
            }
        }
    )*};
}

opaque! {
    Enumerate<I> where [I],
    Skip<I> where [I],
    Cloned<I> where [I],
    Copied<I> where [I],
    Split<'a, char> where ['a],
    SplitWhitespace<'a> where ['a],
}
