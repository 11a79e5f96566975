//! Finds parts of a string that differ between runs, machines or edits of a file, so that no test
//! compares with it.

use std::fmt;
use std::path::Path;

/// Unstable part of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum UnstablePart {
    /// Memory address.
    Address,
    Backtrace,
    /// Path of this machine.
    Path,
    /// Position in a source file.
    SourcePlace,
}

impl fmt::Display for UnstablePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnstablePart::Address => "an address in memory",
            UnstablePart::Backtrace => "a backtrace",
            UnstablePart::Path => "a path of this machine",
            UnstablePart::SourcePlace => "a place in a source file",
        })
    }
}

/// Minimum number of hexadecimal digits of an address.
const DIGITS_OF_ADDRESS: usize = 7;

/// Parts of backtraces, as the standard library and error crates print them, and of notes that
/// there is none.
const BACKTRACES: &[&str] = &[
    "stack backtrace",
    "Stack backtrace",
    "Backtrace [",
    "backtrace: ",
    "<disabled>",
    "BACKTRACE",
];

/// Folders in the root of common systems.
const ROOTS: &[&str] = &[
    "Users",
    "dev",
    "etc",
    "home",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "tmp",
    "usr",
    "var",
    "workspace",
];

/// Returns an unstable part of a string, or `None` if it is the same in every run.
pub(crate) fn unstable_part(text: &str) -> Option<UnstablePart> {
    if BACKTRACES.iter().any(|word| text.contains(word)) {
        return Some(UnstablePart::Backtrace);
    }
    if holds_address(text) {
        return Some(UnstablePart::Address);
    }
    if holds_source_place(text) {
        return Some(UnstablePart::SourcePlace);
    }
    holds_path(text).then_some(UnstablePart::Path)
}

fn holds_address(text: &str) -> bool {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_hexdigit).count();
    text.match_indices("0x")
        .any(|(at, _)| digits(&text[at + 2..]) >= DIGITS_OF_ADDRESS)
}

/// Returns whether a string contains `src/lib.rs:3:5`, or a `Location` with a file.
fn holds_source_place(text: &str) -> bool {
    text.match_indices(".rs").any(|(at, end)| {
        let named = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &text[at + end.len()..];
        let is_numbered = rest
            .strip_prefix(':')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_located = rest
            .trim_start_matches(['\\', '"', ',', ' '])
            .starts_with("line");
        named && (is_numbered || is_located)
    })
}

/// Returns whether a string contains an absolute path of this machine. Other strings start with a
/// slash too, such as paths in URLs.
fn holds_path(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let unix = text.match_indices('/').any(|(at, _)| {
        let begins = !text[..at].ends_with(|c: char| is_word(c) || matches!(c, '/' | ':' | '~'));
        let rest = &text[at + 1..];
        let first = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
        let goes_on = rest[first.len()..]
            .strip_prefix('/')
            .is_some_and(|rest| rest.starts_with(is_word));
        begins
            && goes_on
            && !first.is_empty()
            && (ROOTS.contains(&first) || Path::new("/").join(first).is_dir())
    });
    let windows = |(at, _): (usize, &str)| {
        let drive = text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_ascii_uppercase());
        drive && !text[..at - 1].ends_with(char::is_alphanumeric)
    };
    unix || text
        .match_indices(":\\")
        .filter(|(at, _)| *at > 0)
        .any(windows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<UnstablePart>) {
        assert_eq!(unstable_part(text), expected, "{text}");
    }

    #[test]
    fn what_differs_between_runs_machines_and_edits_is_no_oracle() {
        check("Handle(0x7ffd3a2b10)", Some(UnstablePart::Address));
        check(
            "E { source: Io, backtrace: <disabled> }",
            Some(UnstablePart::Backtrace),
        );
        check(
            "bad\n\nStack backtrace:\n   0: main",
            Some(UnstablePart::Backtrace),
        );
        check(
            "Config { path: \"/home/me/x.toml\" }",
            Some(UnstablePart::Path),
        );
        check("Os(\"/tmp/a\")", Some(UnstablePart::Path));
        check("D(\"C:\\\\Users\\\\me\")", Some(UnstablePart::Path));
        check(
            "panicked at src/lib.rs:12:5",
            Some(UnstablePart::SourcePlace),
        );
        check(
            "Location { file: \"src/main.rs\", line: 3, col: 1 }",
            Some(UnstablePart::SourcePlace),
        );
    }

    #[test]
    fn what_a_program_computes_is_an_oracle() {
        for text in [
            "Error(\"expected value\", line: 1, column: 2)",
            "Route(\"/tasks-of-mine/1\")",
            "\"https://x.org/home/a\"",
            "Color(0xff00ff)",
            "Ratio(1/2)",
            "[\"a/b\", \"./tmp/x\", \"/\"]",
            "Module(\"lib.rs\")",
            "Rule { pattern: \"src/**/*.rs\" }",
            "\"a:\\n\"",
        ] {
            check(text, None);
        }
    }
}
