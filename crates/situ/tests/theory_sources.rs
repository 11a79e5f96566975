//! Where values come from, other than data points of the same module.
#![cfg(feature = "test")]
#![forbid(unsafe_code)]
#![deny(warnings)]

mod seen;

use seen::Seen;
use situ::prelude::*;
use situ::theory::{Parameter, Supplier};

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
    fn combines(
        #[values(1, 2)] n: u64,
        #[values("x", "y")] s: &str,
        #[values(vec![], vec![1])] list: &[i32],
    ) {
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
            let limits = parameter
                .attributes
                .iter()
                .find_map(|text| text.strip_prefix("limits(")?.strip_suffix(')'));
            let limits: Vec<i32> = limits
                .expect("limits")
                .split(',')
                .map(|limit| limit.trim().parse().expect("a number"))
                .collect();
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
        assert_eq!(
            SEEN.after(supplied),
            ["(4, 14)", "(4, 7)", "(5, 14)", "(5, 7)"]
        );
        assert_eq!(
            SEEN.after(by_functions),
            [
                "(0, \"text: &str\")",
                "(1, \"text: &str\")",
                "(2, \"text: &str\")"
            ]
        );
    }

    #[test]
    fn suppliers_can_be_trait_objects() {
        let supplier: &dyn Supplier<i32> = &Times(3);
        let parameter = Parameter {
            name: "n",
            type_text: "i32",
            attributes: &[],
            group: None,
        };
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
        assert_eq!(
            SEEN.after(flags),
            [
                "(false, Green)",
                "(false, Red)",
                "(true, Green)",
                "(true, Red)"
            ]
        );
        assert_eq!(SEEN.after(wrapped).len(), 3 * 4);
    }

    #[test]
    fn points_lists_the_data_points_of_a_type() {
        assert_eq!(points::<Light>(), [Light::Red, Light::Green]);
        assert_eq!(points::<bool>(), [false, true]);
        assert_eq!(points::<u128>(), [1, 9, 10, 2]);
    }

    #[test]
    #[should_panic(expected = "no data point of type `i128`")]
    fn points_of_a_type_without_any_panics() {
        let _ = points::<i128>();
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
