//! A crate outside the workspace: its tests run in a test build, and a normal build knows nothing of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

fn cargo(arguments: &[&str]) -> Output {
    let fixture = workspace().join("testdata/outside");
    static LOCKED: Once = Once::new();
    LOCKED.call_once(|| {
        std::fs::copy(workspace().join("Cargo.lock"), fixture.join("Cargo.lock"))
            .expect("the lock file can be copied");
    });
    Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--color=never"])
        .current_dir(&fixture)
        .env("CARGO_TARGET_DIR", workspace().join("target/outside"))
        .output()
        .expect("cargo can be started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("cargo writes text")
}

/// How many test macros a source of the crate holds.
fn tests_written(source: &str) -> usize {
    let source = std::fs::read_to_string(workspace().join("testdata/outside/src").join(source))
        .expect("it is there");
    source.matches("test!(").count()
}

#[test]
fn a_normal_build_compiles_the_same_sources_without_a_warning() {
    let output = cargo(&["build"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        !text(&output.stderr).contains("warning"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_normal_build_depends_on_the_tiny_macro_crate_alone() {
    let output = cargo(&[
        "tree",
        "--edges=normal,build",
        "--prefix=none",
        "--format={p}",
        "--no-dedupe",
    ]);
    let names: Vec<String> = text(&output.stdout)
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_string)
        .collect();
    assert_eq!(names, ["outside", "situ", "situ-macros"]);
}

#[test]
fn a_test_build_runs_every_test() {
    let output = cargo(&["test", "--lib", "--bins"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(
        !text(&output.stderr).contains("warning"),
        "{}",
        text(&output.stderr)
    );
    for source in ["lib.rs", "main.rs"] {
        let expected = format!(
            "test result: ok. {} passed; 0 failed",
            tests_written(source)
        );
        assert!(
            said.contains(&expected),
            "{expected} is missing from {said}"
        );
    }
}
