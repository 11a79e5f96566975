//! What a diff touches: which file, how many lines, drawn as bars.

use situ::prelude::*;

/// The name of the file that a diff changes.
#[situ]
pub fn parse_diff(diff: &str) -> Option<&str> {
    for line in diff.lines() {
        let name = line.strip_prefix("--- a/");
        itest!(
            given(line = "--- a/python/regex.py"),
            check_eq(name, Some("python/regex.py"))
        );
        itest!("other lines", given(line = "+++ b/x"), check_none(name));
        if name.is_some() {
            return name;
        }
    }
    None
}

/// The numbers of lines that a diff adds and removes.
#[situ]
pub fn count_changes(diff: &str) -> (usize, usize) {
    let mut added: usize = 0;
    let mut removed: usize = 0;
    for line in diff.lines() {
        blocktest!(
            "a header is no change",
            given(line = "+++ b/x"),
            next(1),
            check_continue()
        );
        if line.starts_with("+++") || line.starts_with("---") {
            itest!(
                "both kinds",
                each(line, ["+++ b/x", "--- a/x"]),
                check(cond())
            );
            continue;
        }
        blocktest!(
            "an added line",
            given(line = "+let x = 1;", added = 3, removed = 1),
            check_eq((added, removed), (4, 1)),
            check_flow(Match.Arm(1))
        );
        match line.chars().next() {
            Some('+') => added += 1,
            Some('-') => removed += 1,
            _ => {}
        }
    }
    (added, removed)
}

/// One bar for each pair of added and removed lines; the longest is `width` characters.
#[situ]
pub fn bars(changes: &[(usize, usize)], width: usize) -> Vec<String> {
    let most = changes
        .iter()
        .map(|(added, removed)| added + removed)
        .max()
        .unwrap_or(0)
        .max(1);
    closuretest!(
        "half as long as the longest",
        of(bar),
        args(&(3, 2)),
        given(most = 10, width = 20),
        check_return("++++++----".to_string())
    );
    let bar = |(added, removed): &(usize, usize)| {
        "+".repeat(added * width / most) + &"-".repeat(removed * width / most)
    };
    changes.iter().map(bar).collect()
}
