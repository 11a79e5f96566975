//! The book's reference is what the command itself says; `UPDATE_EXPECT=1` writes it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "# Every verb and its options

What `cargo situ VERB --help` says, written by the command itself.
";

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-situ"))
        .arg("situ")
        .args(arguments)
        .arg("--help")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The verbs, in the order of the list that the command prints.
fn verbs(help: &str) -> Vec<String> {
    let list = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let names = list.lines().filter_map(|line| {
        line.strip_prefix("  ")?
            .split(' ')
            .next()
            .filter(|name| !name.is_empty())
    });
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_books_reference_is_what_the_command_says() {
    let mut page = HEAD.to_owned();
    let _ = write!(page, "\n```text\n{}\n```\n", help(&[]).trim_end());
    for verb in verbs(&help(&[])) {
        let text = help(&[&verb]);
        assert!(text.contains("\nExample"), "`{verb} --help` has no example");
        let _ = write!(
            page,
            "\n## `cargo situ {verb}`\n\n```text\n{}\n```\n",
            text.trim_end()
        );
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/reference.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "book/src/reference.md is out of date; UPDATE_EXPECT=1 writes it anew"
    );
}
