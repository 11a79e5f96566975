//! `cargo situ extract` on statements that ask something of a value that no test can give: values stand for these calls.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"#![deny(warnings)]
use std::mem::MaybeUninit;

/// Up to eight bytes; what is behind the used ones is not there.
pub struct Small {
    cells: [MaybeUninit<u8>; 8],
    used: usize,
}

impl Small {
    pub fn new() -> Small {
        Small { cells: [MaybeUninit::uninit(); 8], used: 0 }
    }

    pub fn len(&self) -> usize {
        self.used
    }

    pub fn room(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    pub fn add(&mut self, bytes: &[u8]) -> bool {
        if self.len() + bytes.len() > self.room() {
            return false;
        }
        for byte in bytes {
            self.cells[self.used] = MaybeUninit::new(*byte);
            self.used += 1;
        }
        true
    }

    pub fn has(&self, index: usize) -> bool {
        if index >= self.len() {
            return false;
        }
        true
    }

    pub fn in_words(&self) -> &'static str {
        if self.is_empty() {
            return "empty";
        }
        "some"
    }
}

/// Something that nobody shows.
pub trait Calendar {
    fn year(&self) -> i32;
    fn feast(&self, month: u8) -> Option<&str>;
}

/// A day with its year.
pub fn dated(calendar: &dyn Calendar, day: &str) -> String {
    let text = format!("{} {}", calendar.year(), day);
    text
}

/// Whether a month has a feast with a name.
pub fn is_festive(calendar: &dyn Calendar, month: u8, counts: bool) -> bool {
    if counts && calendar.feast(month).unwrap_or_default().trim().is_empty() {
        return false;
    }
    counts
}

/// Whether a port need not be written.
pub fn is_silent(port: Option<u16>, has_digits: bool, default: impl Fn() -> Option<u16>) -> bool {
    if !has_digits || port == default() {
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_have_room_for_eight() {
        let mut small = Small::new();
        assert_eq!(small.in_words(), "empty");
        assert!(small.add(b"abc") && small.add(b"defgh") && !small.add(b"i"));
        assert!(small.has(2) && small.has(7) && !small.has(8) && !small.has(9));
        assert_eq!(small.in_words(), "some");
    }

    struct Fixed(Box<dyn Fn() -> i32>);

    impl Calendar for Fixed {
        fn year(&self) -> i32 {
            (self.0)()
        }
        fn feast(&self, month: u8) -> Option<&str> {
            [None, Some("new year"), Some(" ")].get(usize::from(month)).copied().flatten()
        }
    }

    #[test]
    fn days_have_years() {
        let fixed = Fixed(Box::new(|| 1999));
        assert_eq!(dated(&fixed, "1 May"), "1999 1 May");
        assert!(is_festive(&fixed, 1, true) && !is_festive(&fixed, 2, true) && !is_festive(&fixed, 3, true));
        assert!(!is_festive(&fixed, 1, false));
    }

    #[test]
    fn the_default_port_is_not_written() {
        let known = std::collections::HashMap::from([("http", 80)]);
        let default = || known.get("http").copied();
        assert!(is_silent(Some(80), true, default) && is_silent(Some(8080), false, default));
        assert!(!is_silent(Some(8080), true, default));
    }
}
"#;

#[test]
fn values_stand_for_calls_on_what_cannot_be_given() {
    let project = Project::library("", LIBRARY);
    let shown = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let texts = |function: &str, parts: &[&str]| {
        let text = shown.text_of(function, parts[0]);
        parts
            .iter()
            .for_each(|part| assert!(text.contains(part), "{part} in {text}"));
        assert!(text.starts_with("itest!("), "{text}");
    };
    texts(
        "add",
        &["mock(self.len(),", "mock(self.room(), 8)", "cond()"],
    );
    texts(
        "has",
        &[
            "each((index, expected), [(2, false), (8, true), (9, true)])",
            "mock(self.len(), 8)",
        ],
    );
    texts(
        "dated",
        &[
            "given(day = \"1 May\")",
            "mock(calendar.year(), 1999)",
            "check_eq(text, \"1999 1 May\")",
        ],
    );
    // Of a chain no more is stood for than has to be.
    texts(
        "is_festive",
        &[
            "mock(calendar.feast(..), Some(\" \"))",
            "check_true(cond())",
        ],
    );
    texts(
        "is_silent",
        &[
            "has_digits = true, port = Some(80))",
            "mock(default(), Some(80))",
            "check_true(cond())",
        ],
    );
    let unkilled: Vec<&str> = shown.summary["killed_only_by_unit"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|mutant| mutant.as_str())
        .collect();
    assert!(
        unkilled
            .iter()
            .all(|mutant| !mutant.contains(">=") && !mutant.contains("||")),
        "mutants beside the calls are judged: {unkilled:?}"
    );
    // A value for the whole condition would test nothing.
    assert!(
        shown
            .lines
            .iter()
            .all(|test| !test["function"].as_str().unwrap().ends_with("in_words"))
    );
    let without = shown.summary["without_tests"].as_array().unwrap();
    let reason = without
        .iter()
        .find(|one| one["statement"] == "self.is_empty()")
        .map(|one| one["reason"].clone());
    let reason = reason.unwrap_or_else(|| panic!("{}", shown.summary));
    assert!(
        reason
            .as_str()
            .unwrap()
            .ends_with("the statement is a call on it"),
        "{reason}"
    );
    let written = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--write",
        "--from",
        "extract",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_own_tests_pass(&project);
}
