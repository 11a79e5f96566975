//! The same source in a normal build, where theories are nothing, and in a test build.
#![cfg(feature = "test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = r#"
[package]
name = "NAME"
edition = "2024"

[workspace]

[dependencies]
situ = { path = "SITU" }

[dev-dependencies]
situ = { path = "SITU", features = ["test"] }
"#;

/// A fixture with a manifest of its own, as a user would have it.
fn fixture(name: &str) -> PathBuf {
    let situ = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::copy(
        situ.join("tests/fixtures").join(name).join("src/lib.rs"),
        folder.join("src/lib.rs"),
    )
    .unwrap();
    let path = situ.to_str().unwrap().replace('\\', "/");
    fs::write(
        folder.join("Cargo.toml"),
        MANIFEST.replace("SITU", &path).replace("NAME", name),
    )
    .unwrap();
    fs::copy(situ.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let mut cargo = Command::new(env!("CARGO"));
    // One folder for all fixtures: the macros and what they depend on are built once.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("target");
    cargo
        .current_dir(folder)
        .args(arguments)
        .arg("--offline")
        .env("CARGO_TARGET_DIR", target);
    cargo.output().unwrap()
}

#[track_caller]
fn succeeded(output: Output) -> String {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}{err}");
    assert!(!err.contains("warning"), "{err}");
    out.into_owned()
}

#[test]
fn theories_vanish_from_a_normal_build_and_run_in_a_test_build() {
    let folder = fixture("both-builds");
    succeeded(cargo(&folder, &["check", "--quiet"]));
    let dependencies = succeeded(cargo(
        &folder,
        &[
            "tree",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--quiet",
        ],
    ));
    let names: Vec<&str> = dependencies
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, ["both-builds", "situ", "situ-macros"]);
    let tests = succeeded(cargo(&folder, &["test", "--quiet"]));
    assert!(tests.contains("4 passed"), "{tests}");
}

#[test]
fn mistakes_that_only_the_compiler_sees_are_told_in_our_words() {
    let output = cargo(&fixture("type-mistakes"), &["test", "--quiet", "--no-run"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    for words in [
        "a theory cannot return `i32`",
        "return `()`, `bool` or `Result<(), E>` where `E: Debug`, and assert the rest",
        "`dyn Quiet` cannot be stubbed",
        "mark the trait with `#[stub]`, or repeat it in `situ::stub! { trait … }` where it comes from elsewhere",
        "`u8` is not an iterator",
        "`{integer}` is no value for this parameter",
    ] {
        assert!(errors.contains(words), "{words:?} is not in:\n{errors}");
    }
}
