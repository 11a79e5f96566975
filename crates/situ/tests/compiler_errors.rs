//! Mistakes that only the compiler finds, in what a test was expanded to: its errors must point at the user's own lines.
#![cfg(feature = "test")]

use expect_test::expect_file;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

/// One line for each error, `file:line:column: error: …`, sorted by file.
fn errors() -> Vec<String> {
    let fixture = workspace().join("testdata/rejected");
    std::fs::copy(workspace().join("Cargo.lock"), fixture.join("Cargo.lock"))
        .expect("the lock file can be copied");
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--tests",
            "--offline",
            "--keep-going",
            "--message-format=short",
            "--color=never",
        ])
        .current_dir(&fixture)
        .env("CARGO_TARGET_DIR", workspace().join("target/failing"))
        .output()
        .expect("cargo can be started");
    let mut lines: Vec<String> = String::from_utf8(output.stderr)
        .expect("the compiler writes text")
        .lines()
        .filter(|line| line.contains(": error") || line.contains(": warning"))
        .map(str::to_string)
        .collect();
    lines.sort();
    lines
}

#[test]
fn errors_of_the_compiler_point_at_the_users_own_lines() {
    let errors = errors();
    expect_file!["compiler_errors.txt"].assert_eq(&(errors.join("\n") + "\n"));
    for entry in std::fs::read_dir(workspace().join("testdata/rejected/tests"))
        .expect("the mistakes are there")
    {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a plain name");
        assert!(
            errors
                .iter()
                .any(|line| line.starts_with(&format!("tests/{name}:"))),
            "{name} has no error"
        );
    }
}
