//! What of a value can be captured: types that say so themselves, then whatever else a type offers, chosen at compile time.

mod cells;
mod collections;
mod errors;
mod iterators;
pub mod known;
mod leaves;
mod levels;
mod owners;

pub use levels::{Fallback, NoFace, Parses, Serialized, by_level, by_text};

use crate::Writer;

/// A type that can write its values; implemented for the standard library here, and for the types of a workspace in its
/// instrumented copy.
pub trait Capture {
    /// Writes the value.
    fn capture(&self, writer: &mut Writer);

    /// Writes the elements of a sequence; bytes have a shorter way.
    fn capture_items(items: &[Self], writer: &mut Writer)
    where
        Self: Sized,
    {
        for item in items {
            if writer.is_full() {
                return;
            }
            item.capture(writer);
        }
    }
}

/// A generic type of a workspace, where nothing is known of its parameters: what they are is found out while the program runs.
pub trait CaptureLoosely {
    /// Writes the value, as far as it is known.
    fn capture_loosely(&self, writer: &mut Writer);
}

impl<T: CaptureLoosely + ?Sized> CaptureLoosely for &T {
    fn capture_loosely(&self, writer: &mut Writer) {
        writer.reference(false);
        if !writer.is_full() {
            (**self).capture_loosely(writer);
        }
    }
}

impl<T: CaptureLoosely + ?Sized> CaptureLoosely for &mut T {
    fn capture_loosely(&self, writer: &mut Writer) {
        writer.reference(true);
        if !writer.is_full() {
            (**self).capture_loosely(writer);
        }
    }
}

/// The full name of the type behind a reference.
pub fn type_name_of<T: ?Sized>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

#[cfg(test)]
mod tests;
