//! Capture through the public interface of a type that manages memory by hand. Its fields mean
//! nothing by themselves, so its string or its elements are captured, provided that the value
//! reconstructed from them is equal.

use std::fmt::Display;
use std::mem::needs_drop;
use std::str::FromStr;

use super::{Capture, known};
use crate::Writer;
use crate::foreign::{self, Declined, Purpose};
use crate::secret::Secrecy;
use crate::value::{FROM_ELEMENTS, SeqKind};

/// The maximum number of elements that are copied to check the reconstruction.
const MAX_ELEMENTS: usize = 4096;

/// The maximum size, in bytes, of a type whose values are reconstructed: several of them are on the
/// stack at once, and values in tests are small.
const LARGEST: usize = 1 << 14;

/// The maximum number of bytes of the elements that are compared.
const MAX_BYTES: usize = 1 << 16;

/// Captures a type of the workspace through its public interface, in preference to its fields.
/// `(&&&&&Fallback(value)).face(writer)` selects the first of this module's traits whose bounds
/// hold, and returns whether the value was written.
#[derive(Debug)]
pub struct Fallback<'v, T: ?Sized>(pub &'v T);

/// Types that implement `Display` and `FromStr`.
pub trait Parses {
    /// Writes the value if the reconstructed one is equal; returns whether it did.
    fn face(&self, writer: &mut Writer) -> bool;
}

impl<T: Display + FromStr + PartialEq> Parses for &&&&Fallback<'_, T> {
    fn face(&self, writer: &mut Writer) -> bool {
        parses(self.0, writer).unwrap_or(false)
    }
}

/// Writes a value as the string that parses to an equal value. Returns false if none does.
pub(super) fn parses<T: Display + FromStr + PartialEq>(
    value: &T,
    writer: &mut Writer,
) -> Result<bool, Declined> {
    let text = foreign::run(std::any::type_name::<T>(), Purpose::Rebuild, || {
        let text = value.to_string();
        T::from_str(&text)
            .is_ok_and(|again| again == *value)
            .then_some(text)
    })?;
    if let Some(text) = &text {
        writer.parsed(std::any::type_name::<T>(), text);
    }
    Ok(text.is_some())
}

/// Types that iterate over elements and can be collected from them, with all bounds known where the
/// type is declared.
pub trait Elements {
    /// Writes the value if the reconstructed one is equal; returns whether it did.
    fn face(&self, writer: &mut Writer) -> bool;
}

impl<'v, T, E> Elements for &&&Fallback<'v, T>
where
    T: FromIterator<E> + PartialEq,
    &'v T: IntoIterator<Item = &'v E>,
    E: Capture + Clone + 'v,
{
    fn face(&self, writer: &mut Writer) -> bool {
        let face = Face {
            elements: || {
                self.0
                    .into_iter()
                    .take(MAX_ELEMENTS + 1)
                    .collect::<Vec<&E>>()
            },
            // Dropping a copy of a type with drop glue could change what the program does.
            copy: |element: &&E| {
                (!needs_drop::<E>())
                    .then(|| (*element).clone())
                    .or_else(|| known::copy(*element))
            },
            capture: |element: &&E, writer: &mut Writer| E::capture(*element, writer),
            is_equal: |again: T| again == *self.0,
        };
        face.write(writer)
    }
}

/// Sequence types in generic code: elements are copied and captured if their type is registered at
/// run time, and two values are equal if their elements are.
pub trait KnownElements {
    /// Writes the value if the reconstructed one is equal; returns whether it did.
    fn face(&self, writer: &mut Writer) -> bool;
}

impl<'v, T, E> KnownElements for &&Fallback<'v, T>
where
    T: FromIterator<E> + IntoIterator<Item = E>,
    &'v T: IntoIterator<Item = &'v E>,
    E: 'v,
{
    fn face(&self, writer: &mut Writer) -> bool {
        let value = self.0;
        let face = Face {
            elements: || {
                value
                    .into_iter()
                    .take(MAX_ELEMENTS + 1)
                    .collect::<Vec<&E>>()
            },
            copy: |element: &&E| known::copy(*element),
            capture: |element: &&E, writer: &mut Writer| _ = known::capture(*element, writer),
            is_equal: |again: T| {
                let known = |element: &E, writer: &mut Writer| known::capture(element, writer);
                let before =
                    captured(|writer| value.into_iter().all(|element| known(element, writer)));
                before.is_some()
                    && before
                        == captured(|writer| {
                            again.into_iter().all(|element| known(&element, writer))
                        })
            },
        };
        face.write(writer)
    }
}

/// Map types in generic code: keys and values are copied and captured if their types are registered
/// at run time.
pub trait KnownEntries {
    /// Writes the value if the reconstructed one is equal; returns whether it did.
    fn face(&self, writer: &mut Writer) -> bool;
}

impl<'v, T, K, V> KnownEntries for &Fallback<'v, T>
where
    T: FromIterator<(K, V)> + IntoIterator<Item = (K, V)>,
    &'v T: IntoIterator<Item = (&'v K, &'v V)>,
    K: 'v,
    V: 'v,
{
    fn face(&self, writer: &mut Writer) -> bool {
        let value = self.0;
        let face = Face {
            elements: || {
                value
                    .into_iter()
                    .take(MAX_ELEMENTS + 1)
                    .collect::<Vec<(&K, &V)>>()
            },
            copy: |(key, value): &(&K, &V)| known::copy(*key).zip(known::copy(*value)),
            capture: |(key, value): &(&K, &V), writer: &mut Writer| {
                writer.tuple();
                let secrecy = writer.part(Secrecy::None, |writer| _ = known::capture(*key, writer));
                writer.part(secrecy, |writer| _ = known::capture(*value, writer));
                writer.end();
            },
            is_equal: |again: T| {
                let known = |key: &K, value: &V, writer: &mut Writer| {
                    known::capture(key, writer) && known::capture(value, writer)
                };
                let before = captured(|writer| {
                    value
                        .into_iter()
                        .all(|(key, value)| known(key, value, writer))
                });
                before.is_some()
                    && before
                        == captured(|writer| {
                            again
                                .into_iter()
                                .all(|(key, value)| known(&key, &value, writer))
                        })
            },
        };
        face.write(writer)
    }
}

/// Types without such an interface.
pub trait NoFace {
    /// Writes nothing and returns false.
    fn face(&self, writer: &mut Writer) -> bool;
}

impl<T: ?Sized> NoFace for Fallback<'_, T> {
    fn face(&self, _: &mut Writer) -> bool {
        false
    }
}

/// The functions that take a value apart and compare the reconstruction.
struct Face<Elements, Copy, Write, Equal> {
    elements: Elements,
    copy: Copy,
    capture: Write,
    is_equal: Equal,
}

impl<Elements, Copy, Write, Equal> Face<Elements, Copy, Write, Equal> {
    /// Writes the value as its elements if these reconstruct it; returns whether it did.
    fn write<T, Item, Copied>(self, writer: &mut Writer) -> bool
    where
        T: FromIterator<Copied>,
        Elements: FnOnce() -> Vec<Item>,
        Copy: Fn(&Item) -> Option<Copied>,
        Write: Fn(&Item, &mut Writer),
        Equal: FnOnce(T) -> bool,
    {
        let type_name = std::any::type_name::<T>();
        if !may_look::<T, Copied>(writer) {
            return false;
        }
        let elements = foreign::run(type_name, Purpose::Rebuild, || {
            let elements = (self.elements)();
            let copies: Option<Vec<Copied>> = elements.iter().map(&self.copy).collect();
            let gives_back =
                elements.len() <= MAX_ELEMENTS && (self.is_equal)(copies?.into_iter().collect());
            gives_back.then_some(elements)
        });
        let Ok(Some(elements)) = elements else {
            return false;
        };
        writer.built(type_name, FROM_ELEMENTS, "");
        writer.seq(SeqKind::Array, std::any::type_name::<[Copied; 0]>());
        for element in &elements {
            if writer.is_full() {
                break;
            }
            (self.capture)(element, writer);
        }
        writer.end();
        writer.end();
        true
    }
}

/// Writes a value as the slice that it exposes if a constructor of its type rebuilds an equal value
/// from it. `head` is the constructor as `Self::name`, `tail` what follows its call.
pub fn made_of_slice<T, E>(
    value: &T,
    shown: impl Fn(&T) -> &[E],
    made: impl Fn(&[E]) -> Option<T>,
    head: &'static str,
    tail: &'static str,
    writer: &mut Writer,
) -> bool
where
    T: PartialEq,
    E: Capture,
{
    let type_name = std::any::type_name::<T>();
    if needs_drop::<E>() || !may_look::<T, E>(writer) {
        return false;
    }
    let elements = foreign::run(type_name, Purpose::Rebuild, || {
        let elements = shown(value);
        let gives_back =
            elements.len() <= MAX_ELEMENTS && made(elements).is_some_and(|again| again == *value);
        gives_back.then_some(elements)
    });
    let Ok(Some(elements)) = elements else {
        return false;
    };
    writer.built(type_name, head, tail);
    writer.reference(false);
    writer.seq(SeqKind::Slice, std::any::type_name::<[E]>());
    E::capture_items(elements, writer);
    writer.end();
    writer.end();
    true
}

/// Returns whether elements may be read now, and the value reconstructed. Inside the crate that
/// declares the type, unsafe code may be initializing, moving or dropping them at this moment. Even
/// if the current code does not, its callers may; then only elements without pointers are safe to
/// read.
fn may_look<T, E>(writer: &Writer) -> bool {
    let is_at_home = writer.is_at_home(std::any::type_name::<T>());
    size_of::<T>() <= LARGEST
        && (!is_at_home || writer.is_calm() && is_plain(std::any::type_name::<E>()))
}

/// Returns whether values of the type have no pointers.
fn is_plain(type_name: &str) -> bool {
    const PLAIN: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16",
        "u32", "u64", "u128", "usize",
    ];
    PLAIN.contains(&type_name)
}

/// Returns the bytes captured of elements, or `None` if one is incomplete.
fn captured(write: impl FnOnce(&mut Writer) -> bool) -> Option<Vec<u8>> {
    let mut writer = Writer::new(MAX_BYTES);
    writer.start_value(0, Secrecy::None);
    let all_known = write(&mut writer);
    writer.end_value();
    (all_known && !writer.is_lossy()).then(|| writer.bytes().to_vec())
}

#[cfg(test)]
mod tests;
