//! Every way in which a parameter gets its values.
#![forbid(unsafe_code)]
#![deny(warnings)]

use situ::prelude::*;
use situ::theory::{Parameter, Supplier};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{LazyLock, Mutex};

/// What a theory was run on, for a test that looks at it afterwards.
struct Seen(Mutex<Vec<String>>);

impl Seen {
    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn note(&self, text: impl std::fmt::Debug) {
        self.0.lock().unwrap().push(format!("{text:?}"));
    }

    /// Runs the theory and says what it saw, sorted.
    fn after(&self, theory: fn()) -> Vec<String> {
        let mut seen = {
            self.0.lock().unwrap().clear();
            theory();
            std::mem::take(&mut *self.0.lock().unwrap())
        };
        seen.sort();
        seen
    }
}

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
        SEEN.note(if left.len() > right.len() { left } else { right });
    }

    #[test]
    fn references_are_lent_from_what_fits() {
        assert_eq!(SEEN.after(text_of_both_kinds), ["\"a\"", "\"b\"", "\"c\""]);
        assert_eq!(SEEN.after(only_the_static_ones), ["\"a\"", "\"b\""]);
        assert_eq!(SEEN.after(slices_of_both_kinds), ["[1, 2]", "[3]"]);
        assert_eq!(SEEN.after(with_a_lifetime), ["\"c\"", "\"c\"", "\"c\""]);
    }

    #[theory]
    fn a_mutable_reference_changes_nothing_for_the_next(list: &mut Vec<u32>, again: &mut [u32], text: &mut String) {
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
    fn paths_are_lent(path: &Path, #[values("c", "d.rs")] file: &Path, #[values("x")] name: &OsStr) {
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

mod values {
    use super::*;

    trait Named {
        fn name(&self) -> &'static str;
    }
    struct A;
    struct B;
    impl Named for A {
        fn name(&self) -> &'static str {
            "A"
        }
    }
    impl Named for B {
        fn name(&self) -> &'static str {
            "B"
        }
    }

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn combines(#[values(1, 2)] n: u64, #[values("x", "y")] s: &str, #[values(vec![], vec![1])] list: &[i32]) {
        SEEN.note((n, s, list));
    }

    #[test]
    fn values_are_combined() {
        let seen = SEEN.after(combines);
        assert_eq!(seen.len(), 8);
        assert_eq!(seen[0], "(1, \"x\", [1])");
    }

    #[theory]
    fn values_may_be_trait_objects(
        #[values(Box::new(A), Box::new(B))] owned: Box<dyn Named>,
        #[values(Box::new(A))] lent: &dyn Named,
        #[values(Box::new(B))] mutable: &mut dyn Named,
    ) {
        assert!(owned.name() <= "B");
        assert_eq!((lent.name(), mutable.name()), ("A", "B"));
    }

    #[theory]
    fn rows_are_correlated(#[values((1, "a"), (2, "bb"))] (length, text): (usize, &str)) {
        assert_eq!(text.len(), length);
    }

    #[datapoints]
    fn rows() -> Vec<(&'static str, u64)> {
        vec![("1", 1), ("22", 22)]
    }

    #[theory]
    fn rows_can_be_data_points((text, number): (&str, u64)) {
        assert_eq!(text.parse(), Ok(number));
    }

    #[theory]
    fn rows_can_be_lent(&(text, number): &(&str, u64)) {
        assert_eq!(text.parse(), Ok(number));
    }
}

mod suppliers {
    use super::*;

    struct Between;
    impl Supplier<i32> for Between {
        fn supply(&self, parameter: &Parameter) -> Vec<i32> {
            let limits = parameter.attributes.iter().find_map(|text| text.strip_prefix("limits(")?.strip_suffix(')'));
            let limits: Vec<i32> =
                limits.expect("limits").split(',').map(|limit| limit.trim().parse().expect("a number")).collect();
            (limits[0]..=limits[1]).collect()
        }
    }

    struct Times(i32);
    impl Supplier<i32> for Times {
        fn supply(&self, _: &Parameter) -> Vec<i32> {
            vec![self.0, 2 * self.0]
        }
    }

    fn small() -> impl Iterator<Item = u8> {
        0..3
    }

    fn named(parameter: &Parameter) -> Vec<String> {
        vec![format!("{}: {}", parameter.name, parameter.type_text)]
    }

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn supplied(
        #[supplier(Between)]
        #[limits(4, 5)]
        n: i32,
        #[supplier(Times(7))] m: &i32,
    ) {
        SEEN.note((n, m));
    }

    #[theory]
    #[ignore = "run by another test"]
    fn by_functions(#[supplier(small)] n: u8, #[supplier(named)] text: &str) {
        SEEN.note((n, text));
    }

    #[test]
    fn suppliers_may_look_at_their_parameter() {
        assert_eq!(SEEN.after(supplied), ["(4, 14)", "(4, 7)", "(5, 14)", "(5, 7)"]);
        assert_eq!(SEEN.after(by_functions), ["(0, \"text: &str\")", "(1, \"text: &str\")", "(2, \"text: &str\")"]);
    }

    #[test]
    fn suppliers_can_be_trait_objects() {
        let supplier: &dyn Supplier<i32> = &Times(3);
        let parameter = Parameter { name: "n", type_text: "i32", attributes: &[], group: None };
        assert_eq!(supplier.supply(&parameter), [3, 6]);
    }
}

mod exhaustive {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, DataPoints)]
    enum Light {
        Red,
        Green,
    }

    static SEEN: Seen = Seen::new();

    #[theory]
    #[ignore = "run by another test"]
    fn flags(b: bool, light: &Light) {
        SEEN.note((b, light));
    }

    #[theory]
    #[ignore = "run by another test"]
    fn wrapped(light: Option<Light>, result: Result<bool, Light>) {
        SEEN.note((light, result));
    }

    #[test]
    fn bools_and_enums_are_all_of_their_values() {
        assert_eq!(SEEN.after(flags), ["(false, Green)", "(false, Red)", "(true, Green)", "(true, Red)"]);
        assert_eq!(SEEN.after(wrapped).len(), 3 * 4);
    }

    #[test]
    fn points_lists_the_data_points_of_a_type() {
        assert_eq!(points::<Light>(), [Light::Red, Light::Green]);
        assert_eq!(points::<bool>(), [false, true]);
        assert_eq!(points::<u32>(), [2, 1, 3, 8]);
    }

    #[test]
    #[should_panic(expected = "no data point of type `i128`")]
    fn points_of_a_type_without_any_panics() {
        let _ = points::<i128>();
    }
}

mod generic {
    use super::*;
    use std::ops::Add;

    #[datapoints]
    const BYTES: [u8; 2] = [1, 2];
    #[datapoints]
    const LONGS: [i64; 3] = [-1, 0, 1];
    #[datapoint]
    fn bytes() -> Vec<u8> {
        vec![1]
    }

    static SEEN: Seen = Seen::new();

    #[theory(T = [u8, i64])]
    fn addition_commutes<T: Add<Output = T> + Copy + PartialEq + std::fmt::Debug>(a: T, b: T) {
        assert_eq!(a + b, b + a);
    }

    #[theory(T = [u8, i64], N = [1, 2])]
    #[ignore = "run by another test"]
    fn with_a_const<T: std::fmt::Debug, const N: usize>(a: T) {
        SEEN.note((a, N));
    }

    #[theory(T = [Vec<u8>, u8])]
    fn types_may_have_arguments<T: Clone + PartialEq + std::fmt::Debug>(a: &T) {
        assert_eq!(a.clone(), *a);
    }

    #[theory(T = [u8, i64])]
    #[should_panic(expected = "  T = i64\n  a = -1    <from LONGS[0]>")]
    fn a_violation_names_the_types<T: Into<i64>>(a: T) {
        assert!(a.into() >= 0);
    }

    #[theory(T = [u8, i64])]
    #[should_panic(expected = "is vacuous with T = u8: all 2 assignments were rejected")]
    fn every_type_must_be_tried<T: Into<i64>>(a: T) {
        assume!(a.into() < 1);
    }

    #[test]
    fn every_choice_of_types_runs() {
        assert_eq!(SEEN.after(with_a_const).len(), (2 + 3) * 2);
    }
}

mod around {
    use super::*;

    #[datapoint]
    const OUTER: u128 = 1;

    mod inner {
        use super::*;

        #[datapoint]
        const INNER: u128 = 2;

        pub(super) static SEEN: Seen = Seen::new();

        #[theory]
        #[ignore = "run by another test"]
        pub(super) fn sees(n: u128) {
            SEEN.note(n);
        }
    }

    mod imports {
        use super::*;
        situ::datapoints_from!(crate::around::beside);

        #[theory]
        #[ignore = "run by another test"]
        pub(super) fn sees(n: u128) {
            inner::SEEN.note(n);
        }
    }

    mod imports_one {
        use super::*;
        datapoints_from!(super::beside::NINE, super::inner);

        #[theory]
        #[ignore = "run by another test"]
        pub(super) fn sees(n: u128) {
            inner::SEEN.note(n);
        }
    }

    mod beside {
        use super::*;

        #[datapoint]
        pub const NINE: u128 = 9;
        #[datapoint]
        const TEN: u128 = 10;
    }

    #[test]
    fn a_theory_sees_its_own_module_those_around_it_and_what_it_imports() {
        assert_eq!(inner::SEEN.after(inner::sees), ["1", "2"]);
        assert_eq!(inner::SEEN.after(imports::sees), ["1", "10", "9"]);
        assert_eq!(inner::SEEN.after(imports_one::sees), ["1", "2", "9"]);
    }
}

mod asynchronous {
    use super::*;
    use std::future::ready;

    #[datapoints]
    const NUMBERS: [i16; 3] = [0, 1, 2];

    #[theory]
    async fn futures_are_awaited(n: i16) -> Result<(), String> {
        assume!(ready(n).await > 0);
        if ready(n).await == 0 { Err(String::from("zero")) } else { Ok(()) }
    }
}

mod large {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[datapoints]
    fn eleven() -> Vec<String> {
        (0..11).map(|n| n.to_string()).collect()
    }

    #[datapoints]
    const HUNDRED: std::ops::Range<i8> = 0..100;

    static RUNS: AtomicUsize = AtomicUsize::new(0);
    static FULL_RUNS: AtomicUsize = AtomicUsize::new(0);
    static COVERING_RUNS: AtomicUsize = AtomicUsize::new(0);

    #[theory]
    #[ignore = "run by another test"]
    fn three_of_eleven(a: &str, b: &str, c: String) {
        RUNS.fetch_add(1, Ordering::Relaxed);
        assert!(a.len() + b.len() + c.len() > 2);
    }

    #[theory(full)]
    #[ignore = "run by another test"]
    fn whole(a: i8, b: i8, c: &str) {
        let _ = (a, b, c);
        FULL_RUNS.fetch_add(1, Ordering::Relaxed);
    }

    #[theory]
    #[ignore = "run by another test"]
    fn covered(a: i8, b: i8, c: &str) {
        let _ = (a, b, c);
        COVERING_RUNS.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn every_combination_runs_once() {
        three_of_eleven();
        assert_eq!(RUNS.load(Ordering::Relaxed), 11 * 11 * 11);
    }

    #[test]
    fn a_product_over_the_bound_runs_in_pairs_unless_told_otherwise() {
        whole();
        assert_eq!(FULL_RUNS.load(Ordering::Relaxed), 110_000);
        covered();
        assert_eq!(COVERING_RUNS.load(Ordering::Relaxed), 10_000);
    }
}
