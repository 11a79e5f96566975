//! `cargo situ extract` on what gives iterators: a test goes through them.

use crate::project::{Project, assert_own_tests_pass};
use serde_json::json;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"
/// The parts of a text that are at most so long.
pub fn parts(text: &str, most: usize) -> impl Iterator<Item = &str> + '_ {
    let mut rest = text;
    let most = most.max(1);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_at(most.min(rest.len()));
        rest = after;
        Some(part)
    })
}

/// The numbers from one on that are no multiples of another.
pub fn others<'a>(of: &'a u32) -> Box<dyn Iterator<Item = u32> + 'a> {
    let first = 1;
    Box::new((first..).filter(move |number| {
        if *of == 0 {
            return true;
        }
        number % of != 0
    }))
}

/// What is in each line.
pub fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| line.trim().to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_parts() {
        assert_eq!(parts("abcde", 2).last(), Some("e"));
    }

    #[test]
    fn three_is_left_out() {
        assert_eq!(others(&3).nth(2), Some(4));
    }

    #[test]
    fn lines_are_loud() {
        assert_eq!(lines(" a\n b ").count(), 2);
    }
}
"#;

#[test]
fn what_gives_an_iterator_is_tested_by_what_that_gives() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--write",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(
        (ran.code, &ran.summary["untaken_branches"]),
        (0, &json!([])),
        "{}",
        ran.stderr
    );
    let of_parts = ran.text_of("parts", "returned().take(32).collect::<Vec<_>>()");
    assert!(of_parts.contains(r#"["ab", "cd", "e"]"#), "{of_parts}");
    ran.text_of("others", "returned().take(32).collect::<Vec<_>>()");
    assert_own_tests_pass(&project);
}

#[test]
fn an_iterator_at_the_end_of_a_function_is_gone_through_too() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--in",
        "lines",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = ran.text_of("lines", "returned().take(32).collect::<Vec<_>>()");
    assert!(text.contains(r#"["A", "B"]"#), "{text}");
}
