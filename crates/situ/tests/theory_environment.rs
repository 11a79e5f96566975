//! What the environment asks of theories: to list their assignments, or to run just one.
#![cfg(feature = "test")]

use situ::prelude::*;
use std::process::Command;

#[datapoints]
const NUMBERS: [i32; 3] = [0, 1, 2];

#[theory]
#[ignore = "run by the tests below"]
fn products_are_small(n: i32, m: i32) {
    assume!(n > 0);
    assert!(n * m < 4, "{n} times {m}");
}

#[theory]
#[ignore = "run by the tests below"]
fn sums_are_small(n: i32) {
    assert!(n < 3);
}

/// What the ignored theories whose names contain `filter` print, on both streams.
fn run(filter: &str, variable: &str, value: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--test-threads=1", filter])
        .env("RUST_BACKTRACE", "1")
        .env(variable, value);
    let output = command.output().unwrap();
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout)
    )
}

#[test]
fn verbose_lists_every_assignment_in_order_with_its_fate() {
    let output = run("are_small", "SITU_THEORY_VERBOSE", "1");
    let listed: Vec<&str> = output
        .lines()
        .filter(|line| line.starts_with("theory_environment::prod"))
        .collect();
    assert_eq!(listed.len(), 9, "{output}");
    assert!(listed[0].starts_with(
        "theory_environment::products_are_small#1: n = 0, m = 0 rejected by `n > 0` ("
    ));
    assert_eq!(
        listed[3],
        "theory_environment::products_are_small#4: n = 1, m = 0 holds"
    );
    assert!(
        listed[8].contains("#9: n = 2, m = 2 VIOLATED: 2 times 2 at "),
        "{}",
        listed[8]
    );
    assert!(
        output.contains(
            "theory `theory_environment::sums_are_small` holds on 3 of 3 assignments (0 rejected)"
        ),
        "{output}"
    );
}

#[test]
fn one_assignment_can_be_run_alone() {
    let output = run(
        "products",
        "SITU_THEORY_ONLY",
        "theory_environment::products_are_small#9",
    );
    assert!(
        output.contains("violated by 1 of 1 assignment (0 held, 0 rejected)"),
        "{output}"
    );
    assert!(output.contains("2 times 2"), "{output}");
    assert!(
        output.contains("SITU_THEORY_ONLY='theory_environment::products_are_small#9'"),
        "{output}"
    );
    let output = run("products", "SITU_THEORY_ONLY", "products_are_small#8");
    assert!(output.contains("1 passed"), "{output}");
}

#[test]
fn an_assignment_that_does_not_exist_is_told() {
    let output = run("products", "SITU_THEORY_ONLY", "products_are_small#10");
    assert!(
        output.contains("has 9 assignments, and SITU_THEORY_ONLY asks for number 10"),
        "{output}"
    );
}

#[test]
fn other_theories_run_whole_when_one_is_named() {
    let output = run("sums", "SITU_THEORY_ONLY", "products_are_small#10");
    assert!(output.contains("1 passed"), "{output}");
}

#[test]
fn a_failure_leads_to_the_theory_and_not_into_situ() {
    let output = run("products", "SITU_THEORY_VERBOSE", "0");
    assert!(
        output.contains("' panicked at crates/situ/tests/theory_environment.rs:"),
        "{output}"
    );
    assert!(!output.contains("stack backtrace"), "{output}");
}
