//! What a theory comes to: it holds, it is violated, it is vacuous, or it cannot run.
#![cfg(feature = "test")]
#![forbid(unsafe_code)]
#![deny(warnings)]

use situ::prelude::*;
use std::panic::catch_unwind;

/// The panic message of a theory that is run from here and not by the runner.
#[track_caller]
fn failure(theory: fn()) -> String {
    let payload = catch_unwind(theory).expect_err("the theory should fail");
    payload.downcast_ref::<String>().expect("a message").clone()
}

#[track_caller]
fn check_failure(theory: fn(), parts: &[&str]) {
    let message = failure(theory);
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in:\n{message}");
    }
}

mod words {
    use super::*;

    #[datapoints]
    fn words() -> Vec<&'static str> {
        vec!["", "a", "abc"]
    }

    #[datapoint]
    const EURO: &str = "€";

    #[datapoint]
    fn owned() -> String {
        String::from("owned")
    }

    fn reverse(text: &str) -> String {
        text.chars().rev().collect()
    }

    #[theory]
    fn reversing_makes_the_first_last(s: &str) {
        assume!(!s.is_empty());
        assert_eq!(reverse(s).chars().next_back(), s.chars().next());
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn reversing_changes_nothing(s: &str) {
        assert_eq!(reverse(s), s);
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn every_pair_differs(left: &str, right: &str) {
        assert_ne!(left, right);
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn nothing_is_tried(s: &str, other: &str) {
        assume!(s.len() > 10);
        assume!(other.is_empty());
        unreachable!("every assignment is rejected");
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn half_is_rejected_by_each(s: &str) {
        assume!(s.len() < 3);
        assume!(s.len() > 5);
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn errors_violate(s: &str) -> Result<(), std::num::ParseIntError> {
        assume!(s.len() == 1);
        s.parse::<i32>()?;
        Ok(())
    }
}

#[test]
fn a_violated_theory_lists_its_arguments_as_expressions() {
    let message = failure(words::reversing_changes_nothing);
    let expected = "\
theory `reversing_changes_nothing` is violated by 2 of 5 assignments (3 held, 0 rejected)

  s = \"abc\"    <from words[2]>
      assertion `left == right` failed
        left: \"cba\"
       right: \"abc\"
      at crates/situ/tests/theory_outcomes.rs:LINE
      alone: SITU_THEORY_ONLY='theory_outcomes::words::reversing_changes_nothing#3'

  s = \"owned\"    <from owned>
      assertion `left == right` failed
        left: \"denwo\"
       right: \"owned\"
      at crates/situ/tests/theory_outcomes.rs:LINE
      alone: SITU_THEORY_ONLY='theory_outcomes::words::reversing_changes_nothing#5'";
    let without_lines = |line: &str| match line.split_once(".rs:") {
        Some((before, _)) => format!("{before}.rs:LINE"),
        None => String::from(line),
    };
    assert_eq!(
        message
            .lines()
            .map(without_lines)
            .collect::<Vec<_>>()
            .join("\n"),
        expected
    );
}

#[test]
fn bad_parameters_are_reported_with_all_their_names_and_origins() {
    let message = failure(words::every_pair_differs);
    assert!(
        message.starts_with("theory `every_pair_differs` is violated by 5 of 25 assignments"),
        "{message}"
    );
    assert!(
        message.contains("left = \"\"    <from words[0]>\n  right = \"\"    <from words[0]>"),
        "{message}"
    );
}

#[test]
fn a_theory_whose_assignments_are_all_rejected_is_vacuous() {
    check_failure(
        words::nothing_is_tried,
        &[
            "`nothing_is_tried` is vacuous: all 25 assignments were rejected",
            "25 by `s.len() > 10` (crates/situ/tests/",
        ],
    );
    check_failure(
        words::half_is_rejected_by_each,
        &["3 by `s.len() < 3`", "2 by `s.len() > 5`"],
    );
}

#[test]
fn a_returned_error_violates() {
    check_failure(
        words::errors_violate,
        &[
            "returned Err(ParseIntError { kind: InvalidDigit })",
            "s = \"a\"",
        ],
    );
}

mod many {
    use super::*;

    #[datapoints]
    fn numbers() -> std::ops::Range<i32> {
        0..20
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn no_number_is(n: i32) {
        assert!(n < 0, "{n} is");
    }
}

#[test]
fn the_first_few_violations_are_shown_and_the_rest_counted() {
    let message = failure(many::no_number_is);
    assert_eq!(message.matches("<from").count(), 5, "{message}");
    for shown in 0..5 {
        assert!(message.contains(&format!("{shown} is\n")), "{message}");
    }
    assert!(message.contains("and 15 more"), "{message}");
}

mod nothing_fits {
    use super::*;

    #[datapoint("small")]
    const ONE: i32 = 1;

    #[datapoints("small", "round")]
    const TENS: [i64; 2] = [10, 20];

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn no_such_type(n: u8) {
        let _ = n;
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn no_such_group(#[from("smal")] n: i32) {
        let _ = n;
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn no_such_bool_group(#[from("flags")] b: bool) {
        let _ = b;
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn no_such_type_in_the_group(#[from("round")] n: i32, #[from("none")] m: i32) {
        let _ = (n, m);
    }

    mod elsewhere {
        use super::*;
        #[datapoint]
        const BYTE: u8 = 1;
    }
}

#[test]
fn a_type_that_no_data_point_has_fails_with_what_there_is() {
    check_failure(
        nothing_fits::no_such_type,
        &[
            "theory `no_such_type` cannot run",
            "no data point fits `n: u8`",
            "there are data points of type `i32` (`ONE`), `i64` (`TENS`)",
            "situ::datapoints_from!(crate::nothing_fits::elsewhere)",
        ],
    );
}

#[test]
fn a_misspelt_group_fails_even_where_all_values_are_known() {
    let groups = "which no data point names; the groups are \"round\", \"small\"";
    check_failure(
        nothing_fits::no_such_group,
        &["`n` takes from the group \"smal\", ", groups],
    );
    check_failure(
        nothing_fits::no_such_bool_group,
        &["`b` takes from the group \"flags\", ", groups],
    );
}

#[test]
fn all_parameters_without_values_are_named_at_once() {
    check_failure(
        nothing_fits::no_such_type_in_the_group,
        &[
            "no data point of the group \"round\" fits `n: i32`",
            "`i64` (`TENS`)",
            "`m` takes from the group \"none\"",
        ],
    );
}

mod failing_points {
    use super::*;

    #[datapoint]
    fn panics() -> u16 {
        panic!("out of numbers")
    }

    #[datapoint]
    const FINE: u16 = 1;

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn takes_what_cannot_be_built(n: u16) {
        assert_eq!(n, 1);
    }
}

#[test]
fn a_data_point_that_cannot_be_built_fails_the_theory() {
    check_failure(
        failing_points::takes_what_cannot_be_built,
        &[
            "cannot run",
            "the data points of `panics` cannot be built: out of numbers",
            "theory_outcomes.rs:",
        ],
    );
}

mod skipped_points {
    use super::*;

    #[datapoint("odd", skip_failing)]
    fn panics() -> u16 {
        panic!("out of numbers")
    }

    #[datapoints(skip_failing)]
    fn panics_in_the_middle() -> impl Iterator<Item = u16> {
        [1, 0, 5].into_iter().map(|n| 10 / n)
    }

    #[theory]
    fn what_cannot_be_built_is_left_out(n: u16) {
        assert_eq!(n, 10);
    }
}

mod endless {
    use super::*;

    #[datapoints]
    fn numbers() -> impl Iterator<Item = u32> {
        0..
    }

    #[theory]
    #[ignore = "run by another test"]
    pub(super) fn takes_them_all(n: u32) {
        let _ = n;
    }
}

#[test]
fn an_endless_iterable_is_told_and_not_waited_for() {
    check_failure(
        endless::takes_them_all,
        &["`numbers` gives more than 1000000 data points"],
    );
}
