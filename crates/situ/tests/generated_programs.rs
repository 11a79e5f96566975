//! Block tests of generated programs, against a second reading of the design: an interpreter of the programs, and the
//! rules of where a fragment ends, both written apart from Situ.
#![cfg(feature = "test")]

use programs::render::Claim;
use programs::{program, random::Random, render};
use std::path::{Path, PathBuf};
use std::process::Command;

mod programs;

const FUNCTIONS: u32 = 60;
const TESTS_A_FUNCTION: u32 = 12;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

/// Writes a crate with this library and runs its tests; what libtest says in the end, and all it printed.
fn run_tests(name: &str, library: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    let manifest = format!(
        "[workspace]\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dev-dependencies]\nsitu = {{ path = {:?}, features = [\"test\"] }}\n",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest can be written");
    std::fs::write(folder.join("src/lib.rs"), library).expect("a library can be written");
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--lib", "--offline", "--color=never"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", workspace().join("target/failing"))
        .output()
        .expect("cargo can be started");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let result = said
        .lines()
        .find(|line| line.starts_with("test result"))
        .unwrap_or_default()
        .to_string();
    (result, said)
}

fn library(seed: u64, claim: Claim) -> (u32, String) {
    let mut random = Random::new(seed);
    let mut written = 0;
    let mut text = render::preamble().to_string();
    for number in 0..FUNCTIONS {
        let function = program::function(&mut random);
        written += render::function(
            number,
            &function,
            TESTS_A_FUNCTION,
            claim,
            &mut random,
            &mut text,
        );
    }
    (written, text)
}

#[test]
fn fragments_end_and_leave_as_a_second_reading_of_the_design_says() {
    let (written, text) = library(1, Claim::True);
    let (result, said) = run_tests("generated_true", &text);
    let expected = format!("test result: ok. {written} passed; 0 failed;");
    assert!(result.starts_with(&expected), "{expected}\n{said}");
    assert!(written > 300, "only {written} tests were made");
}

#[test]
fn the_same_tests_with_one_wrong_value_each_fail() {
    let (written, text) = library(2, Claim::OneWrong);
    let (result, said) = run_tests("generated_wrong", &text);
    let expected = format!("test result: FAILED. 0 passed; {written} failed;");
    assert!(result.starts_with(&expected), "{expected}\n{said}");
    assert!(written > 200, "only {written} tests were made");
}
