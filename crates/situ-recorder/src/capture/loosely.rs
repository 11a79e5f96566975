//! Capture of generic types inside generic code whose parameters are unknown; these are looked up
//! at run time.

use crate::Writer;
use crate::value::{SeqKind, Shape};

/// A generic type of a workspace, or a container of such a type.
pub trait CaptureLoosely {
    /// Writes the value, as far as the types of its parts are known.
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

impl<T: CaptureLoosely> CaptureLoosely for Option<T> {
    fn capture_loosely(&self, writer: &mut Writer) {
        let type_name = std::any::type_name::<Self>();
        match self {
            None => writer.structure(type_name, "None", Shape::Unit),
            Some(value) => {
                writer.structure(type_name, "Some", Shape::Tuple);
                writer.field("0");
                value.capture_loosely(writer);
            }
        }
        writer.end();
    }
}

impl<T: CaptureLoosely> CaptureLoosely for Box<T> {
    fn capture_loosely(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "Box::new", "");
        if !writer.is_full() {
            (**self).capture_loosely(writer);
        }
        writer.end();
    }
}

impl<T: CaptureLoosely> CaptureLoosely for Vec<T> {
    fn capture_loosely(&self, writer: &mut Writer) {
        elements(SeqKind::Vec, std::any::type_name::<Self>(), self, writer);
    }
}

impl<T: CaptureLoosely> CaptureLoosely for [T] {
    fn capture_loosely(&self, writer: &mut Writer) {
        elements(SeqKind::Slice, std::any::type_name::<Self>(), self, writer);
    }
}

impl<T: CaptureLoosely, const N: usize> CaptureLoosely for [T; N] {
    fn capture_loosely(&self, writer: &mut Writer) {
        elements(SeqKind::Array, std::any::type_name::<Self>(), self, writer);
    }
}

fn elements<T: CaptureLoosely>(
    kind: SeqKind,
    type_name: &'static str,
    elements: &[T],
    writer: &mut Writer,
) {
    writer.seq(kind, type_name);
    for element in elements {
        if writer.is_full() {
            break;
        }
        element.capture_loosely(writer);
    }
    writer.end();
}
