//! What of a value can be captured: types that say so themselves, then whatever else a type offers, chosen at compile time.

mod cells;
mod collections;
mod errors;
mod faces;
mod held;
mod iterators;
pub mod known;
mod leaves;
mod levels;
mod loosely;
mod owners;
mod progress;
mod resumed;

pub use faces::{Elements, Fallback, KnownElements, KnownEntries, NoFace, Parses, made_of_slice};
pub use levels::{Serialized, by_level, by_text};
pub use loosely::CaptureLoosely;

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

/// The full name of the type behind a reference.
pub fn type_name_of<T: ?Sized>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

#[cfg(test)]
pub(crate) mod tests;
