//! Capture of collections. Unordered ones are sorted, so that equal collections have the same
//! bytes.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::BuildHasher;

use super::Capture;
use crate::Writer;
use crate::secret::Secrecy;
use crate::value::SeqKind;

impl<T: Capture> Capture for [T] {
    fn capture(&self, writer: &mut Writer) {
        items(SeqKind::Slice, std::any::type_name::<[T]>(), self, writer);
    }
}

impl<T: Capture, const N: usize> Capture for [T; N] {
    fn capture(&self, writer: &mut Writer) {
        items(SeqKind::Array, std::any::type_name::<Self>(), self, writer);
    }
}

impl<T: Capture> Capture for Vec<T> {
    fn capture(&self, writer: &mut Writer) {
        vector(self, writer);
    }
}

/// Writes a slice as a `Vec` of its elements.
pub(super) fn vector<T: Capture>(slice: &[T], writer: &mut Writer) {
    items(SeqKind::Vec, std::any::type_name::<Vec<T>>(), slice, writer);
}

fn items<T: Capture>(kind: SeqKind, type_name: &'static str, slice: &[T], writer: &mut Writer) {
    writer.seq(kind, type_name);
    T::capture_items(slice, writer);
    writer.end();
}

fn each<'a, T: Capture + 'a>(
    kind: SeqKind,
    type_name: &'static str,
    elements: impl Iterator<Item = &'a T>,
    writer: &mut Writer,
) {
    writer.seq(kind, type_name);
    for element in elements {
        if writer.is_full() {
            break;
        }
        element.capture(writer);
    }
    writer.end();
}

impl<T: Capture> Capture for VecDeque<T> {
    fn capture(&self, writer: &mut Writer) {
        each(
            SeqKind::VecDeque,
            std::any::type_name::<Self>(),
            self.iter(),
            writer,
        );
    }
}

impl<T: Capture> Capture for LinkedList<T> {
    fn capture(&self, writer: &mut Writer) {
        each(
            SeqKind::LinkedList,
            std::any::type_name::<Self>(),
            self.iter(),
            writer,
        );
    }
}

impl<T: Capture> Capture for BTreeSet<T> {
    fn capture(&self, writer: &mut Writer) {
        each(
            SeqKind::BTreeSet,
            std::any::type_name::<Self>(),
            self.iter(),
            writer,
        );
    }
}

/// Writes elements in the order of their bytes, because the order inside a heap or hash table is
/// arbitrary.
fn sorted<'a, T: Capture + 'a>(
    kind: SeqKind,
    type_name: &'static str,
    elements: impl Iterator<Item = &'a T>,
    writer: &mut Writer,
) {
    writer.seq(kind, type_name);
    writer.sorted(elements, |element, writer| element.capture(writer));
    writer.end();
}

impl<T: Capture> Capture for BinaryHeap<T> {
    fn capture(&self, writer: &mut Writer) {
        sorted(
            SeqKind::BinaryHeap,
            std::any::type_name::<Self>(),
            self.iter(),
            writer,
        );
    }
}

impl<T: Capture, S: BuildHasher> Capture for HashSet<T, S> {
    fn capture(&self, writer: &mut Writer) {
        sorted(
            SeqKind::HashSet,
            std::any::type_name::<Self>(),
            self.iter(),
            writer,
        );
    }
}

impl<K: Capture, V: Capture, S: BuildHasher> Capture for HashMap<K, V, S> {
    fn capture(&self, writer: &mut Writer) {
        writer.seq(SeqKind::HashMap, std::any::type_name::<Self>());
        writer.sorted(self.iter(), |(key, value), writer| {
            entry(key, value, writer)
        });
        writer.end();
    }
}

impl<K: Capture, V: Capture> Capture for BTreeMap<K, V> {
    fn capture(&self, writer: &mut Writer) {
        writer.seq(SeqKind::BTreeMap, std::any::type_name::<Self>());
        for (key, value) in self {
            if writer.is_full() {
                break;
            }
            entry(key, value, writer);
        }
        writer.end();
    }
}

/// Writes one map entry. If the key names a secret, the value is withheld.
fn entry<K: Capture, V: Capture>(key: &K, value: &V, writer: &mut Writer) {
    writer.tuple();
    let secrecy = writer.part(Secrecy::None, |writer| key.capture(writer));
    writer.part(secrecy, |writer| value.capture(writer));
    writer.end();
}
