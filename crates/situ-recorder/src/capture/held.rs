//! Capture of lists, maps and references whose element type generic code cannot name, as far as the
//! element type is registered at run time.

use std::collections::HashMap;

use super::known;
use super::levels::{Held, HeldBehind, OPAQUE, anything};
use crate::Writer;
use crate::secret::Secrecy;
use crate::value::SeqKind;

fn list<T>(kind: SeqKind, type_name: &'static str, items: &[T], writer: &mut Writer) {
    writer.seq(kind, type_name);
    for item in items {
        if writer.is_full() {
            break;
        }
        anything(item, writer);
    }
    writer.end();
}

fn slice<T>(items: &[T], writer: &mut Writer) {
    writer.reference(false);
    list(SeqKind::Slice, std::any::type_name::<[T]>(), items, writer);
}

/// Writes a map, sorted. If a key names a secret, its value is withheld.
fn map<K, V, S>(map: &HashMap<K, V, S>, writer: &mut Writer) {
    writer.seq(SeqKind::HashMap, std::any::type_name::<HashMap<K, V, S>>());
    writer.sorted(map.iter(), |(key, value), writer| {
        writer.tuple();
        let secrecy = writer.part(Secrecy::None, |writer| anything(key, writer));
        writer.part(secrecy, |writer| anything(value, writer));
        writer.end();
    });
    writer.end();
}

/// Writes a value behind a mutable reference if it is plain data. Others are often streams, whose
/// content is recorded elsewhere.
fn lent<T>(value: &T, writer: &mut Writer) {
    let type_name = std::any::type_name::<T>();
    match std::mem::needs_drop::<T>() || type_name.starts_with('&') {
        true => writer.opaque(type_name, OPAQUE),
        false => anything(value, writer),
    }
}

macro_rules! held {
    ($($level:ident<$($parameter:ident),*> $of:ty, $value:ident, $writer:ident => $write:expr;)*) => {$(
        impl<$($parameter),*> $level<'_, $of> {
            /// Captures the value in the way of this level.
            pub fn capture_by_level(&self, $writer: &mut Writer) {
                if !known::capture(self.value(), $writer) {
                    let $value = self.value();
                    $write
                }
            }
        }
    )*};
}

held! {
    HeldBehind<T> &[T], value, writer => slice(value, writer);
    HeldBehind<T> &&[T], value, writer => {
        writer.reference(false);
        slice(value, writer);
    };
    HeldBehind<T> &Vec<T>, value, writer => {
        writer.reference(false);
        list(SeqKind::Vec, std::any::type_name::<Vec<T>>(), value, writer);
    };
    HeldBehind<K, V, S> &HashMap<K, V, S>, value, writer => {
        writer.reference(false);
        map(value, writer);
    };
    Held<T> Vec<T>, value, writer => list(SeqKind::Vec, std::any::type_name::<Vec<T>>(), value, writer);
    Held<K, V, S> HashMap<K, V, S>, value, writer => map(value, writer);
    Held<T> &T, value, writer => {
        writer.reference(false);
        anything(*value, writer);
    };
    Held<T> &mut T, value, writer => {
        writer.reference(true);
        lent(&**value, writer);
    };
    Held<A, B> (A, B), value, writer => {
        writer.tuple();
        let secrecy = writer.part(Secrecy::None, |writer| anything(&value.0, writer));
        writer.part(secrecy, |writer| anything(&value.1, writer));
        writer.end();
    };
}

impl<T, const N: usize> HeldBehind<'_, &[T; N]> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        if !known::capture(self.value(), writer) {
            writer.reference(false);
            list(
                SeqKind::Array,
                std::any::type_name::<[T; N]>(),
                *self.value(),
                writer,
            );
        }
    }
}

impl<T, const N: usize> Held<'_, [T; N]> {
    /// Captures the value in the way of this level.
    pub fn capture_by_level(&self, writer: &mut Writer) {
        if !known::capture(self.value(), writer) {
            list(
                SeqKind::Array,
                std::any::type_name::<[T; N]>(),
                self.value(),
                writer,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::by_level;
    use crate::capture::tests::decoded;
    use crate::value::Value;

    fn of_list<T>(value: &&[T], writer: &mut Writer) {
        by_level(value).capture_by_level(writer);
    }

    fn of_map<T>(value: &HashMap<T, Vec<usize>>, writer: &mut Writer) {
        by_level(&value).capture_by_level(writer);
    }

    fn told(write: impl FnOnce(&mut Writer)) -> Value {
        let mut writer = Writer::new(1000);
        writer.start_value(0, Secrecy::None);
        write(&mut writer);
        writer.end_value();
        decoded(&writer)
    }

    fn of_lent<T>(value: &&mut T, writer: &mut Writer) {
        by_level(value).capture_by_level(writer);
    }

    #[test]
    fn what_is_lent_to_be_changed_is_seen_where_it_is_plain() {
        assert!(told(|writer| of_lent(&&mut 5_u32, writer)).is_exact());
        assert!(
            told(|writer| of_lent(&&mut String::from("so far"), writer))
                .loss()
                .is_some(),
            "it may be a stream"
        );
        assert!(
            told(|writer| of_lent(&&mut &b"to read"[..], writer))
                .loss()
                .is_some(),
            "so may this"
        );
    }

    #[test]
    fn generic_code_sees_what_is_in_lists_arrays_and_maps() {
        let pairs: &[(u8, String)] = &[(1, "a".to_owned())];
        assert!(
            told(|writer| of_list(&pairs, writer)).loss().is_some(),
            "such pairs are not known"
        );
        let texts: &[&str] = &["a"];
        assert!(told(|writer| of_list(&texts, writer)).is_exact());
        fn of_array<T>(value: &[T; 6], writer: &mut Writer) {
            by_level(value).capture_by_level(writer);
        }
        assert!(told(|writer| of_array(&[1u8, 2, 3, 4, 5, 6], writer)).is_exact());
        let map = HashMap::from([("a", vec![1usize])]);
        let plain = told(|writer| by_level(&&map).capture_by_level(writer));
        assert_eq!(told(|writer| of_map(&map, writer)), plain);
        assert!(plain.is_exact());
    }
}
