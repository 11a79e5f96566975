//! Block tests, §3.2.3, by running: in random programs, tests that an interpreter says are right pass, and every one
//! of them fails as soon as one of its oracles is wrong.

use std::env;
use std::process::Command;

// Random code assigns what it never reads, and compares a number with itself.
#[allow(warnings, clippy::all)]
mod programs {
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

fn run_this_program(arguments: &[&str]) -> String {
    let this_test_program = env::current_exe().expect("a test knows its own program");
    let run = Command::new(this_test_program)
        .args(arguments)
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("the test program starts a second time");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn every_right_test_is_there_to_be_run() {
    let list = run_this_program(&["--list", "--format=terse", "situ_"]);
    assert_eq!(list.lines().count(), programs::RIGHT + programs::WRONG);
    assert_eq!(
        list.lines().filter(|line| line.contains("_wrong_")).count(),
        programs::WRONG
    );
}

#[test]
fn a_test_with_one_wrong_oracle_fails() {
    let report = run_this_program(&["--ignored"]);
    let passed: Vec<_> = report
        .lines()
        .filter(|line| line.starts_with("test ") && line.ends_with("... ok"))
        .collect();
    assert!(
        passed.is_empty(),
        "{} tests pass with a wrong oracle: {passed:#?}",
        passed.len()
    );
    assert!(
        report.contains(&format!(
            "test result: FAILED. 0 passed; {} failed",
            programs::WRONG
        )),
        "{report}"
    );
}
