//! Sequences and maps by their elements, and those that have no such face.

#![expect(clippy::needless_borrow, reason = "each reference asks one trait more")]

use super::*;
use crate::capture::tests::decoded;
use crate::value::Value;
use std::cell::Cell;

/// A sequence that stores its elements behind a raw pointer.
struct Stack<T>(*mut Vec<T>);

impl<T> FromIterator<T> for Stack<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Stack(Box::into_raw(Box::new(items.into_iter().collect())))
    }
}

impl<'a, T> IntoIterator for &'a Stack<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: the pointer is that of a box which the stack owns.
        unsafe { (*self.0).iter() }
    }
}

impl<T> IntoIterator for Stack<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: the pointer is that of a box which the stack owns.
        unsafe { std::mem::take(&mut *self.0) }.into_iter()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer is that of a box which nobody else frees.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

fn in_generic_code<T>(value: &Stack<T>) -> Option<Value> {
    value_of(|writer| (&&&&&Fallback(value)).face(writer))
}

fn value_of(face: impl FnOnce(&mut Writer) -> bool) -> Option<Value> {
    let mut writer = Writer::new(1000);
    writer.start_value(0, Secrecy::None);
    let written = face(&mut writer);
    writer.end_value();
    written.then(|| decoded(&writer))
}

#[test]
fn a_sequence_behind_a_pointer_is_its_elements_in_generic_code() {
    let Some(Value::Built { head, args, .. }) = in_generic_code(&[1u8, 2].into_iter().collect())
    else {
        panic!("no face")
    };
    assert_eq!(head, FROM_ELEMENTS);
    let [Value::Seq { items, .. }] = args.as_slice() else {
        panic!("no elements")
    };
    assert_eq!(items.len(), 2);
}

/// A map in the order of insertion.
struct Entries<K, V>(Vec<(K, V)>);

impl<K, V> FromIterator<(K, V)> for Entries<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Entries(entries.into_iter().collect())
    }
}

impl<'a, K, V> IntoIterator for &'a Entries<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::vec::IntoIter<(&'a K, &'a V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0
            .iter()
            .map(|(key, value)| (key, value))
            .collect::<Vec<_>>()
            .into_iter()
    }
}

impl<K, V> IntoIterator for Entries<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[test]
fn a_map_is_its_entries() {
    fn in_generic_code<K, V>(map: &Entries<K, V>) -> Option<Value> {
        value_of(|writer| (&&&&&Fallback(map)).face(writer))
    }
    let Some(Value::Built { args, .. }) =
        in_generic_code(&[("a", 1u8), ("b", 2)].into_iter().collect())
    else {
        panic!("no face")
    };
    let [Value::Seq { items, .. }] = args.as_slice() else {
        panic!("no entries")
    };
    assert!(matches!(items.as_slice(), [Value::Tuple(first), Value::Tuple(_)] if first.len() == 2));
}

#[test]
fn elements_whose_end_is_noticed_are_not_copied() {
    struct Counted<'c>(&'c Cell<u32>);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let ends = Cell::new(0);
    let stack: Stack<Counted<'_>> = [Counted(&ends)].into_iter().collect();
    assert_eq!(in_generic_code(&stack), None);
    assert_eq!(ends.get(), 0);
}

#[test]
fn a_value_that_its_elements_do_not_give_back_has_no_face() {
    /// A collection that drops odd elements.
    #[derive(PartialEq)]
    struct Evens(Vec<u8>);
    impl FromIterator<u8> for Evens {
        fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Self {
            Evens(items.into_iter().filter(|item| item % 2 == 0).collect())
        }
    }
    impl<'a> IntoIterator for &'a Evens {
        type Item = &'a u8;
        type IntoIter = std::slice::Iter<'a, u8>;

        fn into_iter(self) -> Self::IntoIter {
            self.0.iter()
        }
    }
    let Some(Value::Built { args, .. }) =
        value_of(|writer| (&&&&&Fallback(&Evens(vec![2, 4]))).face(writer))
    else {
        panic!("no face")
    };
    let Value::Seq { items, .. } = &args[0] else {
        panic!("{args:?}")
    };
    assert!(
        matches!(
            items[..],
            [Value::Int { bits: 2, .. }, Value::Int { bits: 4, .. }]
        ),
        "the elements themselves"
    );
    assert!(value_of(|writer| (&&&&&Fallback(&Evens(vec![1, 2]))).face(writer)).is_none());
}

#[test]
fn where_the_type_is_declared_a_value_may_be_half_made_and_is_left_alone() {
    let stack: Stack<u8> = [1, 2].into_iter().collect();
    let home = std::any::type_name::<Stack<u8>>()
        .split("::")
        .next()
        .unwrap();
    let calm = true;
    let cases = [
        (home, !calm, false),
        ("another", !calm, true),
        ("", !calm, true),
        (home, calm, true),
    ];
    for (package, is_calm, is_written) in cases {
        let mut writer = Writer::new(1000);
        writer.watches(package, is_calm);
        writer.start_value(0, Secrecy::None);
        assert_eq!(
            (&&&&&Fallback(&stack)).face(&mut writer),
            is_written,
            "in {package:?}"
        );
        writer.end_value();
    }
    let mut writer = Writer::new(1000);
    writer.watches(home, calm);
    writer.start_value(0, Secrecy::None);
    let texts: Stack<String> = ["a".to_owned()].into_iter().collect();
    assert!(
        !(&&&&&Fallback(&texts)).face(&mut writer),
        "elements with pointers may lead anywhere"
    );
    let mut writer = Writer::new(10);
    writer.watches("with-a-dash", !calm);
    assert!(writer.is_at_home("with_a_dash::T") && !writer.is_at_home("with_a_dish::T"));
}

#[test]
fn a_value_is_written_by_the_slice_that_its_own_function_makes_it_of() {
    /// A type with more state than its slice exposes.
    #[derive(PartialEq)]
    struct Limbs(Vec<u64>, bool);
    let limbs = |items: &[u64]| (items.len() < 3).then(|| Limbs(items.to_vec(), false));
    let of = |value: &Limbs| {
        value_of(|writer| made_of_slice(value, |of| &of.0, limbs, "Self::of", ".unwrap()", writer))
    };
    let Some(Value::Built {
        head, args, tail, ..
    }) = of(&Limbs(vec![1, 2], false))
    else {
        panic!("no face")
    };
    assert_eq!((head.as_str(), tail.as_str()), ("Self::of", ".unwrap()"));
    let Value::Ref { inner, .. } = &args[0] else {
        panic!("{args:?}")
    };
    assert!(
        matches!(&**inner, Value::Seq { kind: SeqKind::Slice, items, .. } if items.len() == 2),
        "{inner:?}"
    );
    assert!(
        of(&Limbs(vec![1, 2], true)).is_none(),
        "what the slice does not show would be lost"
    );
    assert!(
        of(&Limbs(vec![1, 2, 3], false)).is_none(),
        "its function gives nothing"
    );
}

#[test]
fn what_would_fill_the_stack_is_not_made_again() {
    #[derive(PartialEq)]
    struct Room<const SIZE: usize>([u8; SIZE]);
    fn written<const SIZE: usize>() -> bool {
        let made = |items: &[u8]| items.try_into().ok().map(Room::<SIZE>);
        let room = Room([7; SIZE]);
        value_of(|writer| made_of_slice(&room, |of| &of.0, made, "Self::of", "", writer)).is_some()
    }
    assert!(written::<100>() && !written::<100_000>());
}
