//! Capture of values: by the type's own implementation, or by the best interface that it has,
//! selected at compile time.

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

/// Types that can write their values. This module implements it for the standard library,
/// instrumented copies for the types of a workspace.
pub trait Capture {
    /// Writes the value.
    fn capture(&self, writer: &mut Writer);

    /// Writes the elements of a sequence; bytes override it with a shorter encoding.
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

/// Returns the full name of the type behind a reference.
pub fn type_name_of<T: ?Sized>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

#[cfg(test)]
pub(crate) mod tests;
