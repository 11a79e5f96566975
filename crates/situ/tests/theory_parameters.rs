//! Data points of every kind, and how parameters take them.
#![cfg(feature = "test")]
#![forbid(unsafe_code)]
#![deny(warnings)]

mod seen;

use seen::Seen;
use situ::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::LazyLock;

mod items {
    use super::*;

    #[datapoint]
    const CONST: u8 = 1;
    #[datapoint]
    static STATIC: u8 = 2;
    #[datapoint]
    fn function() -> u8 {
        3
    }
    #[datapoints]
    const ARRAY: [u8; 2] = [4, 5];
    #[datapoints]
    static STATIC_ARRAY: [u8; 1] = [6];
    #[datapoints]
    fn iterator() -> impl Iterator<Item = u8> {
        7..9
    }
    #[datapoints]
    fn set() -> BTreeSet<u8> {
        BTreeSet::from([9])
    }
    #[datapoints]
    const SLICE: &[u8] = &[13];
    #[datapoints]
    fn slice() -> &'static [u8] {
        &[14]
    }
    #[datapoint]
    static LAZY: LazyLock<u8> = LazyLock::new(|| 10);
    #[datapoints]
    static LAZY_LIST: LazyLock<Vec<u8>> = LazyLock::new(|| vec![11, 12]);

    #[derive(Debug, PartialEq)]
    struct NoClone(u8);
    #[datapoint]
    static NO_CLONE: NoClone = NoClone(7);

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn takes_all(n: u8) {
        SEEN.note(format_args!("{n:02}"));
    }

    #[test]
    fn consts_statics_and_functions_are_data_points() {
        let numbers: Vec<String> = (1..=14).map(|n| format!("{n:02}")).collect();
        assert_eq!(SEEN.after(takes_all), numbers);
    }

    #[theory]
    fn a_static_that_cannot_be_cloned_is_lent(it: &NoClone) {
        assert_eq!(it.0, 7);
    }
}

mod references {
    use super::*;

    #[datapoints]
    fn texts() -> [&'static str; 2] {
        ["a", "b"]
    }
    #[datapoint]
    fn text() -> String {
        String::from("c")
    }
    #[datapoint]
    fn list() -> Vec<u32> {
        vec![1, 2]
    }
    #[datapoint]
    const SLICE: &[u32] = &[3];

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn text_of_both_kinds(text: &str) {
        SEEN.note(text);
    }

    #[theory]
    #[ignore = "run by another test"]
    fn only_the_static_ones(text: &'static str) {
        SEEN.note(text);
    }

    #[theory]
    #[ignore = "run by another test"]
    fn slices_of_both_kinds(list: &[u32]) {
        SEEN.note(list);
    }

    #[theory]
    #[ignore = "run by another test"]
    fn with_a_lifetime<'a>(left: &'a str, right: &'a String) {
        SEEN.note(if left.len() > right.len() {
            left
        } else {
            right
        });
    }

    #[test]
    fn references_are_lent_from_what_fits() {
        assert_eq!(SEEN.after(text_of_both_kinds), ["\"a\"", "\"b\"", "\"c\""]);
        assert_eq!(SEEN.after(only_the_static_ones), ["\"a\"", "\"b\""]);
        assert_eq!(SEEN.after(slices_of_both_kinds), ["[1, 2]", "[3]"]);
        assert_eq!(SEEN.after(with_a_lifetime), ["\"c\"", "\"c\"", "\"c\""]);
    }

    #[theory]
    fn a_mutable_reference_changes_nothing_for_the_next(
        list: &mut Vec<u32>,
        again: &mut [u32],
        text: &mut String,
    ) {
        assert_eq!(*list, [1, 2]);
        assert_eq!(again, [1, 2]);
        assert_eq!(text, "c");
        list.push(9);
        again[0] = 9;
        text.push('!');
    }

    #[datapoints]
    fn shared() -> Vec<Rc<RefCell<Vec<u8>>>> {
        vec![Rc::default(), Rc::default()]
    }

    #[datapoints]
    fn cells() -> [Cell<u8>; 2] {
        [Cell::new(0), Cell::new(0)]
    }

    #[theory]
    fn what_can_be_changed_from_elsewhere_is_made_anew(
        shared: Rc<RefCell<Vec<u8>>>,
        cell: &Cell<u8>,
        #[values(1, 2, 3)] round: u8,
    ) {
        assert_eq!(cell.replace(round), 0);
        assert!(shared.borrow().is_empty());
        shared.borrow_mut().push(round);
    }

    #[theory]
    fn owned_values_are_fresh(mut list: Vec<u32>, #[values(1, 2, 3)] _round: u8) {
        assert_eq!(list, [1, 2]);
        list.clear();
    }
}

mod unsized_types {
    use super::*;
    use std::borrow::Cow;
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};

    #[datapoint]
    fn owned() -> PathBuf {
        PathBuf::from("a/b")
    }

    #[datapoints]
    fn cows() -> [Cow<'static, str>; 2] {
        [Cow::Borrowed("a"), Cow::Owned(String::from("b"))]
    }

    #[datapoint]
    const DOUBLE: fn(i32) -> i32 = |n| n * 2;

    #[theory]
    fn paths_are_lent(
        path: &Path,
        #[values("c", "d.rs")] file: &Path,
        #[values("x")] name: &OsStr,
    ) {
        assert!(path.starts_with("a") && file.components().count() == 1 && name.len() == 1);
    }

    #[theory]
    fn lifetimes_in_types_are_no_matter(cow: Cow<'_, str>, lent: &Cow<str>) {
        assert_eq!(cow.len(), lent.len());
    }

    #[theory]
    fn functions_are_values(f: fn(i32) -> i32, #[values(|n| n + 1)] g: fn(i32) -> i32) {
        assert_eq!(f(g(1)), 4);
    }

    mod named_alike {
        use super::super::*;

        #[derive(Clone, Debug, PartialEq)]
        struct Path(u8);

        #[datapoint]
        const PATH: Path = Path(1);

        #[theory]
        fn a_type_of_ones_own_may_have_such_a_name(path: &Path, #[values(Path(2))] other: &Path) {
            assert_ne!(path, other);
        }
    }
}

mod groups {
    use super::*;

    #[datapoint("even")]
    const TWO: u32 = 2;
    #[datapoints("odd", "small")]
    fn odd() -> Vec<u32> {
        vec![1, 3]
    }
    #[datapoint]
    const NO_GROUP: u32 = 8;

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn of_one_group(#[from("odd")] n: u32) {
        SEEN.note(n);
    }

    #[theory]
    #[ignore = "run by another test"]
    fn of_every_group(n: &u32) {
        SEEN.note(n);
    }

    #[test]
    fn a_parameter_takes_one_group_or_all() {
        assert_eq!(SEEN.after(of_one_group), ["1", "3"]);
        assert_eq!(SEEN.after(of_every_group), ["1", "2", "3", "8"]);
    }
}
