//! Capture of iterators in progress, by what they have yet to give.

use std::iter::{Cloned, Copied, Enumerate, Peekable, Rev, Skip};
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

impl Capture for CharIndices<'_> {
    fn capture(&self, writer: &mut Writer) {
        if self.offset() == 0 {
            rest(std::any::type_name::<Self>(), &self.as_str(), ".char_indices()", writer);
        } else {
            writer.opaque(std::any::type_name::<Self>(), "positions before the rest are not known");
        }
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
