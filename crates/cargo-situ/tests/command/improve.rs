//! `cargo situ improve`, and what `extract` shows by default.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const SIZES: &str = "/// A size for people.
///
/// ```
/// assert_eq!(library::size(10), \"10 B\");
/// ```
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!(\"{bytes} B\");
    }
    let kilo = bytes as f64 / 1024.0;
    format!(\"{kilo:.1} KB\")
}

/// The part before the first comma.
pub fn first(line: &str) -> Option<&str> {
    let end = line.find(',')?;
    Some(&line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size(1), \"1 B\");
        assert_eq!(size(2048), \"2.0 KB\");
    }
}
";

#[test]
fn survivors_are_killed_by_cases_of_existing_tests_and_by_new_ones() {
    let project = Project::library("", SIZES);
    let before = project.read("src/lib.rs");
    let shown = project.situ(&["improve", "--json", "--time", "5s"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_eq!(
        project.read("src/lib.rs"),
        before,
        "nothing was asked to be written"
    );
    let of_form = |form: &str| {
        let lines = shown.lines.iter().filter(|line| line["form"] == form);
        lines
            .map(|line| line["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert!(
        of_form("case").contains(&"assert_eq!(size(1024), \"1.0 KB\");".to_owned()),
        "{}",
        shown.stdout
    );
    assert!(
        of_form("unit")
            .iter()
            .any(|text| text.contains("fn first_") && text.contains("assert_eq!(first(")),
        "{}",
        shown.stdout
    );
    let kills: Vec<&str> = shown
        .lines
        .iter()
        .flat_map(|line| line["kills"].as_array().into_iter().flatten())
        .filter_map(|kill| kill.as_str())
        .collect();
    assert!(
        kills.contains(&"'bytes < 1024' → 'bytes <= 1024' in size (src/lib.rs:7)"),
        "{kills:?}"
    );
    let killed = shown.summary["killed_by_new"].as_u64().unwrap();
    assert_eq!(
        killed as usize,
        kills.len(),
        "no two claim the same mutant here"
    );

    let written = project.situ(&["improve", "--write", "--json", "--time", "5s"]);
    assert_eq!(written.lines, shown.lines, "what was found is kept");
    assert!(
        project
            .read("src/lib.rs")
            .contains("    assert_eq!(size(2048), \"2.0 KB\");\n        assert_eq!(size("),
        "{}",
        project.read("src/lib.rs")
    );
    assert_own_tests_pass(&project);
    let judged = project.situ(&["mutants", "--json"]);
    let left = judged.summary["survived"].as_u64().unwrap()
        + judged.summary["unreached"].as_u64().unwrap();
    assert_eq!(
        left,
        shown.summary["open"].as_u64().unwrap()
            + shown.summary["probably_equivalent"].as_u64().unwrap(),
        "it kills what it says"
    );
    assert_eq!(project.situ(&["undo"]).code, 0);
    assert_eq!(project.read("src/lib.rs"), before);
}

/// Functions that no literal can be written for.
const STACK: &str = "/// At most so many.
pub const MAX: usize = 3;

/// Numbers, the last on top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    pub numbers: Vec<u8>,
}

impl Stack {
    /// The sum of the numbers above a limit.
    pub fn above(&self, limit: u8) -> u32 {
        let high = self.numbers.iter().filter(|one| **one > limit);
        high.map(|one| u32::from(*one)).sum()
    }
}

/// Whether so many have room.
pub fn has_room(count: usize) -> bool {
    count < MAX
}
";

#[test]
fn what_literals_do_not_kill_is_searched_and_constants_are_named() {
    let project = Project::library("", STACK);
    let shown = project.situ(&["improve", "--json", "--time", "10s"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let texts: Vec<&str> = shown
        .lines
        .iter()
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert!(
        texts.iter().any(|text| text.contains(".above(")),
        "a method is called: {}",
        shown.stdout
    );
    assert!(
        texts.iter().any(|text| text.contains("has_room(MAX)")),
        "{}",
        shown.stdout
    );
    let number = |key: &str| shown.summary[key].as_u64().unwrap();
    assert_eq!(
        number("survivors"),
        number("killed_by_new") + number("probably_equivalent") + number("open"),
        "{}",
        shown.stdout
    );
    assert!(number("lines_added") <= 40, "{}", shown.stdout);
    let written = project.situ(&["improve", "--write", "--json", "--time", "10s"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_own_tests_pass(&project);
}

#[test]
fn a_revision_that_git_does_not_know_is_the_users_mistake() {
    let project = Project::library("", SIZES);
    let ran = project.situ(&["improve", "--since", "no-such-revision"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("--since no-such-revision"),
        "{}",
        ran.stderr
    );
}

#[test]
fn extract_shows_what_is_worth_reading_and_says_how_many_others_hold() {
    let project = Project::library("", SIZES);
    let short = project.situ(&["extract", "--json", "--situ-path", REPOSITORY]);
    let all = project.situ(&["extract", "--json", "--all", "--situ-path", REPOSITORY]);
    assert_eq!(
        (short.code, all.code),
        (0, 0),
        "{}{}",
        short.stderr,
        all.stderr
    );
    assert!(short.lines.len() < all.lines.len(), "{}", short.stdout);
    assert!(!short.lines.is_empty() && short.summary["others"].as_u64().unwrap() > 0);
    for line in &short.lines {
        let (text, kills) = (
            line["text"].as_str().unwrap(),
            line["kills"].as_array().unwrap(),
        );
        assert!(
            !kills.is_empty() || !line["reaches"].as_array().unwrap().is_empty(),
            "{line}"
        );
        assert!(text.starts_with("itest!(\""), "{text} has no name");
        // The doctest and the unit test kill it.
        assert!(
            !kills
                .iter()
                .any(|kill| kill.as_str().unwrap().contains("'false'")),
            "{line}"
        );
    }
    let none = project.situ(&[
        "extract",
        "--json",
        "--budget",
        "0",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!((none.code, none.lines.len()), (0, 0), "{}", none.stdout);
}
