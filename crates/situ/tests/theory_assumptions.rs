//! Assumptions in theories, in what theories call, and in ordinary tests.
#![cfg(feature = "test")]
#![deny(warnings)]

use situ::prelude::*;
use std::process::Command;

mod in_theories {
    use super::*;

    #[datapoints]
    const NUMBERS: [i32; 5] = [-2, -1, 0, 1, 2];

    #[datapoints]
    const TEXTS: [&str; 3] = ["1", "x", ""];

    #[theory]
    fn a_comparison_rejects(n: i32) {
        assume!(n > 0);
        assert!(n.is_positive());
    }

    #[theory]
    fn a_condition_with_let_rejects(s: &str) {
        assume!(let Some(first) = s.chars().next());
        assume!(let Ok(1) = s.parse::<i32>());
        assert_eq!(first, '1');
    }

    #[theory]
    fn a_message_may_follow(n: i32) {
        assume!(n >= 0, "only {} numbers", "natural");
        assert_ne!(n, -1);
    }

    #[theory]
    fn parts_are_checked_in_order(n: i32, s: &str) {
        assume!(n != 0 && 2 % n == 0 && !s.is_empty());
        assume!(let Ok(m) = s.parse::<i32>() && m == 1);
        assert!(n != 0 && s == "1");
    }

    #[theory]
    fn equality_rejects(n: i32) {
        assume_eq!(n % 2, 0);
        assert!([-2, 0, 2].contains(&n));
    }

    #[theory]
    fn the_inner_value_is_given(s: &str) {
        let number: i32 = assume_ok!(s.parse());
        let first = assume_some!(s.chars().next());
        assert_eq!((number, first), (1, '1'));
    }

    #[theory]
    fn helpers_and_closures_reject_the_whole_assignment(n: i32) {
        fn positive(n: i32) {
            assume!(n > 0);
        }
        positive(n);
        let small = |n: i32| -> Result<(), String> {
            assume!(n < 2);
            Ok(())
        };
        let _ = small(n);
        assert_eq!(n, 1);
    }

    #[theory]
    fn a_swallowed_rejection_still_rejects(n: i32) {
        let helper = || assume!(n > 0);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(helper));
        assert!(n > 0);
    }

    #[theory]
    fn panics_that_the_theory_expects_are_its_own_business(n: i32) {
        assume_eq!(n, 0);
        assert!(std::panic::catch_unwind(|| 1 / n).is_err());
    }
}

#[test]
#[ignore = "run by another test"]
fn skipped() {
    assume!(std::path::MAIN_SEPARATOR == '?');
    unreachable!("the test is skipped");
}

#[test]
#[ignore = "run by another test"]
fn skipped_with_result() -> Result<(), std::num::ParseIntError> {
    let number: u8 = assume_ok!("x".parse());
    unreachable!("the test is skipped before {number}");
}

#[test]
fn an_ordinary_test_is_skipped_and_says_so_past_the_capture() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "skipped"])
        .output()
        .unwrap();
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(stdout.contains("2 passed"), "{stdout}");
    assert!(
        stderr.contains("skipped skipped: the assumption `std::path::MAIN_SEPARATOR == '?'`"),
        "{stderr}"
    );
    assert!(
        stderr.contains("skipped skipped_with_result: the assumption `\"x\".parse() is Ok(_)`"),
        "{stderr}"
    );
}
