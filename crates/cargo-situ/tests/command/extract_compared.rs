//! `cargo situ extract` where outputs have no `==`, where macros declare what a statement needs, and where an error of the
//! compiler does not say whose it is.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"#![deny(warnings)]
//! Patterns, and words with what goes before them.

use regex::Regex;

macro_rules! pattern {
    ($name:ident = $text:literal) => {
        static $name: std::sync::LazyLock<Regex> = std::sync::LazyLock::new(|| Regex::new($text).unwrap());
    };
}

/// A pattern of one of these words.
pub fn any_of(words: &[&str]) -> Regex {
    let pattern = Regex::new(&format!("^(?:{})$", words.join("|"))).unwrap();
    pattern
}

/// Whether a text begins as a date does.
pub fn is_date(text: &str) -> bool {
    pattern!(DATE = "^[0-9]{4}-[0-9]{2}");
    if !DATE.is_match(text) {
        return false;
    }
    true
}

/// What was before a word.
pub enum Before {
    /// Nothing but white space.
    Nothing,
    /// Another word.
    Word(String),
}

/// The last word, and what was before it.
pub fn last_word(text: &str) -> (usize, Before) {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [.., before, last] => (last.len(), Before::Word((*before).to_owned())),
        [last] => (last.len(), Before::Nothing),
        [] => (0, Before::Nothing),
    }
}

/// How long the last word is with what goes before it.
pub fn width(text: &str) -> usize {
    let found = last_word(text.trim_start());
    match found {
        (length, Before::Nothing) => length,
        (length, Before::Word(before)) => length + before.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_made() {
        assert!(any_of(&["a", "bc"]).is_match("bc"));
        assert!(is_date("2026-11") && !is_date("11-2026"));
    }

    #[test]
    fn words_have_widths() {
        assert_eq!((width(" a bc"), width("abc"), width(" ")), (3, 3, 0));
    }
}
"#;

#[test]
fn values_without_an_equality_are_compared_by_their_text_or_their_parts() {
    let project = Project::library("[dependencies]\nregex = \"1\"\n", LIBRARY);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.text_of("any_of", "check_eq(pattern.to_string(), \"^(?:a|bc)$\")");
    ran.text_of("is_date", "\"2026-11\"");
    let of_word = ran.text_of("width", "Before::Word(");
    assert!(
        of_word.contains("check_matches(&found.1, Before::Word(part_1) if part_1 == \"a\")"),
        "{of_word}"
    );
    ran.text_of("width", "check_matches(found.1, Before::Nothing)");
    let written = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--from",
        "extract",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_own_tests_pass(&project);
}
