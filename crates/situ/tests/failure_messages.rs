//! What a failing in-situ test says: `testdata/failing` is run once, and each message is compared with the one on file.
#![cfg(feature = "test")]

use expect_test::{ExpectFile, expect_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What one run of the failing crate gave.
struct Run {
    /// The name of each failed test, and what it said.
    messages: BTreeMap<String, String>,
    stdout: String,
    stderr: String,
    took: Duration,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

/// `cargo test` on the failing crate, with the versions that the workspace itself has.
fn cargo_test(last_arguments: &[&str]) -> Output {
    cargo_test_with_backtraces(last_arguments, "0")
}

/// `cargo test` on the failing crate with this `RUST_BACKTRACE`.
fn cargo_test_with_backtraces(last_arguments: &[&str], backtraces: &str) -> Output {
    let fixture = workspace().join("testdata/failing");
    std::fs::copy(workspace().join("Cargo.lock"), fixture.join("Cargo.lock"))
        .expect("the lock file can be copied");
    Command::new(env!("CARGO"))
        .args(["test", "--lib", "--offline", "--color=never"])
        .args(last_arguments)
        .current_dir(&fixture)
        .env("CARGO_TARGET_DIR", workspace().join("target/failing"))
        .env("RUST_BACKTRACE", backtraces)
        .output()
        .expect("cargo can be started")
}

fn run() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| {
        let build = cargo_test(&["--no-run"]);
        assert!(
            build.status.success(),
            "{}",
            String::from_utf8_lossy(&build.stderr)
        );
        let started = Instant::now();
        let output = cargo_test(&["--quiet", "--", "--test-threads=4"]);
        let took = started.elapsed();
        let stdout = String::from_utf8(output.stdout).expect("libtest writes text");
        let stderr = String::from_utf8(output.stderr).expect("libtest writes text");
        Run {
            messages: messages(&stdout),
            stdout,
            stderr,
            took,
        }
    })
}

/// The sections `---- name stdout ----` of libtest's report, without what libtest itself adds.
fn messages(report: &str) -> BTreeMap<String, String> {
    let failures = report.split("\nfailures:\n").nth(1).unwrap_or_default();
    failures
        .split("---- ")
        .filter_map(|section| section.split_once(" stdout ----\n"))
        .map(|(name, said)| (name.to_string(), without_chance(said).trim().to_string()))
        .collect()
}

/// Without what differs from run to run: the number in `thread 'name' (17) panicked`, and the note about backtraces,
/// which stands under whichever panic was the first.
fn without_chance(said: &str) -> String {
    let lines = said
        .lines()
        .filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE"))
        .map(
            |line| match (line.find("' ("), line.find(") panicked at")) {
                (Some(open), Some(close)) if line.starts_with("thread '") => {
                    format!("{}{}", &line[..=open], &line[close + 1..])
                }
                _ => line.to_string(),
            },
        );
    lines.collect::<Vec<_>>().join("\n")
}

fn compare(module: &str, expected: ExpectFile) {
    let said: String = run()
        .messages
        .iter()
        .filter(|(name, _)| name.starts_with(module))
        .map(|(name, said)| format!("==== {name}\n{said}\n\n"))
        .collect();
    expected.assert_eq(&said);
}

#[test]
fn oracles_about_values_say_what_was_expected_and_found() {
    compare("values::", expect_file!["failure_messages/values.txt"]);
}

#[test]
fn an_unasked_exit_says_how_and_where_it_left() {
    compare("leaving::", expect_file!["failure_messages/leaving.txt"]);
}

#[test]
fn a_flow_oracle_names_the_step_where_control_took_another_way() {
    compare("flow::", expect_file!["failure_messages/flow.txt"]);
}

#[test]
fn a_mock_says_which_call_it_did_not_fit() {
    compare("mocks::", expect_file!["failure_messages/mocks.txt"]);
}

#[test]
fn a_failing_case_or_run_is_named() {
    compare("runs::", expect_file!["failure_messages/runs.txt"]);
}

#[test]
fn a_backtrace_ends_at_the_fragment() {
    assert!(!run().messages.is_empty(), "the crate is built");
    let output = cargo_test_with_backtraces(&["--quiet", "--", "leaving::", "runs::"], "1");
    let said = String::from_utf8(output.stdout).expect("libtest writes text");
    let frames = said.lines().filter(|line| {
        let (number, name) = line.trim_start().split_once(": ").unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty()
    });
    let frames: Vec<&str> = frames.collect();
    assert!(
        frames.iter().any(|frame| frame.contains("failing::")),
        "no backtrace of the user's own code: {said}"
    );
    let of_situ: Vec<&&str> = frames
        .iter()
        .filter(|frame| frame.contains("situ::"))
        .collect();
    assert!(of_situ.is_empty(), "{of_situ:#?}\n{said}");
}

/// How many test macros the sources of the failing crate hold.
fn tests_written() -> usize {
    let sources =
        std::fs::read_dir(workspace().join("testdata/failing/src")).expect("the sources are there");
    sources
        .map(|entry| {
            std::fs::read_to_string(entry.expect("an entry").path()).expect("a source is text")
        })
        .map(|text| text.matches("test!(").count())
        .sum()
}

#[test]
fn every_test_fails_but_the_skipped_and_the_ignored() {
    let passed = [
        "runs::situ_skipped::assumed",
        "runs::situ_skipped::assumed_for_some",
    ];
    assert_eq!(
        run().messages.len(),
        tests_written() - passed.len() - 1,
        "{}",
        run().stdout
    );
    for name in passed {
        assert!(
            !run().messages.contains_key(name),
            "{name} failed: {}",
            run().messages[name]
        );
    }
    assert!(
        run().stdout.contains("2 passed") && run().stdout.contains("1 ignored"),
        "{}",
        run().stdout
    );
}

#[test]
fn a_skipped_test_says_so_on_standard_error_past_the_capture() {
    let mut said: Vec<&str> = run()
        .stderr
        .lines()
        .filter(|line| line.contains("skip"))
        .collect();
    said.sort();
    expect_file!["failure_messages/skipped.txt"].assert_eq(&said.join("\n"));
    assert!(!said.is_empty(), "nothing was said: {}", run().stderr);
}

#[test]
fn a_test_out_of_time_does_not_hold_up_the_others() {
    assert!(
        run().took < Duration::from_secs(15),
        "took {:?}",
        run().took
    );
}

#[test]
fn no_message_leads_into_situ_or_its_run_time() {
    for (name, said) in &run().messages {
        assert!(
            !said.contains("rt/") && !said.contains("crates/situ") && !said.contains("__situ"),
            "{name}: {said}"
        );
        assert!(said.lines().count() <= 16, "{name} is not short: {said}");
        assert!(
            said.lines().all(|line| line.chars().count() <= 400),
            "{name} has a long line: {said}"
        );
    }
}
