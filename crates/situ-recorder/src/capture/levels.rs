//! Selection of how a value is captured, by method lookup: each level dereferences to the next one,
//! and the compiler selects the first whose bounds hold.
//!
//! `by_level(&x).capture_by_level(writer)` needs no trait on the type of `x` and none in scope. For
//! a generic parameter it sees the bounds of the surrounding function and the types registered at
//! run time. The user's program contains only these two calls for each value, because its compiler
//! sees thousands of them.

use std::fmt::{self, Debug, Display, Write};
use std::ops::Deref;
use std::str::FromStr;

use super::faces::parses;
use super::{Capture, CaptureLoosely, known, progress};
use crate::Writer;
use crate::foreign::{self, Declined, Purpose};
use crate::stack;
use crate::value::{ONLY_VALUE, Shape};

/// Declares the levels, best first; each contains the next one.
macro_rules! levels {
    ($($(#[$doc:meta])* $level:ident($next:ident);)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $level<'v, T: ?Sized>($next<'v, T>);

            impl<'v, T: ?Sized> Deref for $level<'v, T> {
                type Target = $next<'v, T>;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }
        )*
    };
}

levels! {
    /// Level 1: the type implements [`Capture`](super::Capture).
    Itself(Loosely);
    /// Level 2: a generic type whose parameters have unknown types.
    Loosely(OkOrText);
    /// Level 3: an `Ok` is captured exactly whatever the error type is, an error by its string.
    OkOrText(Face);
    /// Level 4: the value is equal to what `FromStr` parses from its `Display` output.
    Face(FaceInside);
    /// Level 5: such a value behind a reference or inside a container.
    FaceInside(DebugInside);
    /// Level 6: a `None` is captured exactly whatever its type is, a value inside by its `Debug`
    /// output.
    DebugInside(Variant);
    /// Level 7: a `None` is captured exactly whatever its type is, an `Ok` whatever the error type
    /// is.
    Variant(TextFace);
    /// Level 8: `FromStr` parses the `Display` output, but only the strings can be compared.
    TextFace(TextFaceInside);
    /// Level 9: such a value behind a reference.
    TextFaceInside(Text);
    /// Level 10: strings of other types, named by the type.
    Text(ProgressOrText);
    /// Level 11: an iterator of the standard library by its elements, another one by its `Debug`
    /// output.
    ProgressOrText(Progress);
    /// Level 12: an iterator without `Debug`.
    Progress(Serialized);
    /// Level 13: serialization. An instrumented crate adds the method if it depends on `serde`.
    Serialized(Shown);
    /// Level 14: the `Debug` output.
    Shown(HeldBehind);
    /// Level 15: a reference to a container of values with unknown types.
    HeldBehind(Held);
    /// Level 16: a container of values with unknown types.
    Held(Anything);
}

/// Level 17: any value, by the name of its type.
#[derive(Debug)]
pub struct Anything<'v, T: ?Sized>(&'v T);

impl<'v, T: ?Sized> Anything<'v, T> {
    /// Returns the value whose level is selected.
    pub fn value(&self) -> &'v T {
        self.0
    }
}

/// Wraps a value so that method lookup selects the best way to capture it.
#[inline(never)]
pub fn by_level<T: ?Sized>(value: &T) -> Itself<'_, T> {
    let progress = ProgressOrText(Progress(Serialized(Shown(HeldBehind(Held(Anything(
        value,
    )))))));
    let texts = TextFace(TextFaceInside(Text(progress)));
    Itself(Loosely(OkOrText(Face(FaceInside(DebugInside(Variant(
        texts,
    )))))))
}

impl<T: Capture + ?Sized> Itself<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        self.value().capture(writer);
    }
}

impl<T: CaptureLoosely + ?Sized> Loosely<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        if !known::capture(self.value(), writer) {
            self.value().capture_loosely(writer);
        }
    }
}

impl<T: Capture, E: Debug> OkOrText<'_, Result<T, E>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Result<T, E>>();
        let variant = if self.value().is_ok() { "Ok" } else { "Err" };
        writer.structure(type_name, variant, Shape::Tuple);
        writer.field("0");
        match self.value() {
            Ok(value) => value.capture(writer),
            Err(error) => debug(error, writer),
        }
        writer.end();
    }
}

impl<T: Debug> DebugInside<'_, Option<T>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Option<T>>();
        match self.value() {
            None => writer.structure(type_name, "None", Shape::Unit),
            Some(value) => {
                writer.structure(type_name, "Some", Shape::Tuple);
                writer.field("0");
                debug(value, writer);
            }
        }
        writer.end();
    }
}

impl<T> Variant<'_, Option<T>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Option<T>>();
        match self.value() {
            None => writer.structure(type_name, "None", Shape::Unit),
            Some(value) => {
                writer.structure(type_name, "Some", Shape::Tuple);
                writer.field("0");
                anything(value, writer);
            }
        }
        writer.end();
    }
}

impl<T: Capture, E> Variant<'_, Result<T, E>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Result<T, E>>();
        let variant = if self.value().is_ok() { "Ok" } else { "Err" };
        writer.structure(type_name, variant, Shape::Tuple);
        writer.field("0");
        match self.value() {
            Ok(value) => value.capture(writer),
            Err(_) => writer.opaque(std::any::type_name::<E>(), OPAQUE),
        }
        writer.end();
    }
}

impl<T: Display + FromStr + PartialEq> Face<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        face(self.value(), writer);
    }
}

impl<T: Display + FromStr + PartialEq> FaceInside<'_, &T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        writer.reference(false);
        face(*self.value(), writer);
    }
}

impl<T: Display + FromStr + PartialEq> FaceInside<'_, Option<T>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        variant(
            self.value().as_ref().ok_or(()),
            ["Some", "None"],
            std::any::type_name::<Option<T>>(),
            writer,
        );
    }
}

impl<T: Display + FromStr + PartialEq, E> FaceInside<'_, Result<T, E>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        variant(
            self.value().as_ref(),
            ["Ok", "Err"],
            std::any::type_name::<Result<T, E>>(),
            writer,
        );
    }
}

impl<T: Display + FromStr + PartialEq> FaceInside<'_, Vec<T>> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        writer.seq(crate::value::SeqKind::Vec, std::any::type_name::<Vec<T>>());
        for item in self.value() {
            if writer.is_full() {
                break;
            }
            face(item, writer);
        }
        writer.end();
    }
}

fn face<T: Display + FromStr + PartialEq>(value: &T, writer: &mut Writer) {
    match parses(value, writer) {
        Ok(true) => {}
        Ok(false) => writer.opaque(std::any::type_name::<T>(), NOT_GIVEN_BACK),
        Err(declined) => writer.opaque(std::any::type_name::<T>(), declined.reason()),
    }
}

fn variant<T: Display + FromStr + PartialEq, E>(
    value: Result<&T, E>,
    [good, bad]: [&'static str; 2],
    type_name: &'static str,
    writer: &mut Writer,
) {
    match value {
        Ok(value) => {
            writer.structure(type_name, good, Shape::Tuple);
            writer.field("0");
            face(value, writer);
        }
        Err(_) if bad == "None" => writer.structure(type_name, bad, Shape::Unit),
        Err(_) => {
            writer.structure(type_name, bad, Shape::Tuple);
            writer.field("0");
            writer.opaque(std::any::type_name::<E>(), OPAQUE);
        }
    }
    writer.end();
}

impl<T: Display + FromStr> TextFace<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        text_face(self.value(), writer);
    }
}

impl<T: Display + FromStr> TextFaceInside<'_, &T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        writer.reference(false);
        text_face(*self.value(), writer);
    }
}

fn text_face<T: Display + FromStr>(value: &T, writer: &mut Writer) {
    let type_name = std::any::type_name::<T>();
    let text = foreign::run(type_name, Purpose::Rebuild, || {
        let text = value.to_string();
        T::from_str(&text)
            .is_ok_and(|again| again.to_string() == text)
            .then_some(text)
    });
    match text {
        Ok(Some(text)) => writer.parsed(type_name, &text),
        Ok(None) => writer.opaque(type_name, NOT_GIVEN_BACK),
        Err(declined) => writer.opaque(type_name, declined.reason()),
    }
}

impl<T: AsRef<str> + ?Sized> Text<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<T>();
        if known::capture(self.value(), writer) {
            return;
        }
        match foreign::run(type_name, Purpose::Show, || {
            self.value().as_ref().to_owned()
        }) {
            Ok(text) if type_name == "alloc::string::String" => text.capture(writer),
            Ok(text) if type_name == "&str" => (&text.as_str()).capture(writer),
            Ok(text) => writer.debug(type_name, &format!("{text:?}")),
            Err(declined) => writer.opaque(type_name, declined.reason()),
        }
    }
}

impl<T: Iterator<Item: Capture> + Clone + Debug> ProgressOrText<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        if !progress::capture(self.value(), writer) {
            debug(self.value(), writer);
        }
    }
}

impl<T: Iterator<Item: Capture> + Clone> Progress<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        if !progress::capture(self.value(), writer) && !known::capture(self.value(), writer) {
            writer.opaque(std::any::type_name::<T>(), OPAQUE);
        }
    }
}

impl<T: Debug + ?Sized> Shown<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        debug(self.value(), writer);
    }
}

impl<T: ?Sized> Anything<'_, T> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        anything(self.value(), writer);
    }
}

/// Writes a value whose type implements nothing useful.
pub(super) fn anything<T: ?Sized>(value: &T, writer: &mut Writer) {
    if !known::capture(value, writer) && !named_by_its_type(value, writer) {
        writer.opaque(std::any::type_name::<T>(), OPAQUE);
    }
}

/// Writes a value by its path if the type has no other value; returns whether it did.
fn named_by_its_type<T: ?Sized>(value: &T, writer: &mut Writer) -> bool {
    let type_name = std::any::type_name::<T>();
    if size_of_val(value) > 0 {
        return false;
    }
    if is_function(type_name) {
        writer.structure(type_name, "", Shape::Unit);
    } else if is_type(type_name) {
        writer.built(type_name, ONLY_VALUE, "");
    } else {
        return false;
    }
    writer.end();
    true
}

/// Returns whether a type name is that of a function item, which has one value.
fn is_function(type_name: &str) -> bool {
    let path = type_name.split('<').next().unwrap_or(type_name);
    is_path(path) && last_word(path).starts_with(|first: char| first.is_lowercase())
}

/// Returns whether a type name is that of a type of another crate, which may be a unit struct.
fn is_type(type_name: &str) -> bool {
    let is_of_the_standard_library = ["core::", "alloc::", "std::"]
        .iter()
        .any(|root| type_name.starts_with(root));
    is_path(type_name)
        && !is_of_the_standard_library
        && last_word(type_name).starts_with(|first: char| first.is_uppercase())
}

fn is_path(name: &str) -> bool {
    name.contains("::")
        && name
            .chars()
            .all(|char| char.is_alphanumeric() || char == '_' || char == ':')
}

fn last_word(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

pub(super) const OPAQUE: &str = "its type exposes nothing of its values";
const NOT_GIVEN_BACK: &str = "its FromStr does not return an equal value";

/// Writes the `Debug` output of a value.
fn debug<T: Debug + ?Sized>(value: &T, writer: &mut Writer) {
    if !known::capture(value, writer) {
        debug_text(&value, std::any::type_name::<T>(), writer);
    }
}

/// Writes a string that something other than `Debug` produces from the value.
pub fn by_text<T: ?Sized>(value: &T, writer: &mut Writer, write: impl FnOnce(&mut String) -> bool) {
    if known::capture(value, writer) {
        return;
    }
    let (type_name, mut text) = (std::any::type_name::<T>(), String::new());
    match foreign::run(type_name, Purpose::Show, || {
        write(&mut text).then_some(text)
    }) {
        Ok(Some(text)) => writer.debug(type_name, &text),
        Ok(None) => writer.opaque(type_name, OPAQUE),
        Err(declined) => writer.opaque(type_name, declined.reason()),
    }
}

fn debug_text(value: &dyn Debug, type_name: &'static str, writer: &mut Writer) {
    let mut text = Bounded {
        text: String::new(),
        most: writer.bytes_a_value(),
    };
    let written = foreign::run(type_name, Purpose::Show, || write!(text, "{value:?}"));
    match written {
        // The formatter returns an error once the output is too long, which is then cut anyway.
        Ok(end) if end.is_ok() || text.text.len() > text.most => {
            writer.debug(type_name, &text.text)
        }
        Ok(_) => writer.opaque(type_name, Declined::Panicked.reason()),
        Err(declined) => writer.opaque(type_name, declined.reason()),
    }
}

/// A string buffer that returns an error soon after it has become too long.
struct Bounded {
    text: String,
    most: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.text.push_str(part);
        // Long chains of nested values are formatted by equally deep recursion.
        if self.text.len() > self.most || !stack::has_room() {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}
