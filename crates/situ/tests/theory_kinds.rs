//! Theories that are generic, asynchronous, or large.
#![cfg(feature = "test")]
#![forbid(unsafe_code)]
#![deny(warnings)]

mod seen;

use seen::Seen;
use situ::prelude::*;

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

mod asynchronous {
    use super::*;
    use std::future::ready;

    #[datapoints]
    const NUMBERS: [i16; 3] = [0, 1, 2];

    #[theory]
    async fn futures_are_awaited(n: i16) -> Result<(), String> {
        assume!(ready(n).await > 0);
        if ready(n).await == 0 {
            Err(String::from("zero"))
        } else {
            Ok(())
        }
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
