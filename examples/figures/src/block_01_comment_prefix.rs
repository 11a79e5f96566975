//! Block tests, Fig. 1: two branches are swapped. No test of one statement can tell, a test of the whole `if` can.

use situ::prelude::*;

/// The lines of a file header without the prefix that made them comments.
#[situ]
pub fn uncomment(header: &str, comment_prefix: &str, end_mark: &str) -> String {
    let mut text = String::new();
    for mut line in header.lines() {
        if line.is_empty() {
            continue;
        }
        if line == end_mark {
            line = "";
        } else {
            let prefix = comment_prefix.trim();
            blocktest!(
                "shorter than the prefix",
                given(line = "-", prefix = "--"),
                check_eq(line, "")
            );
            blocktest!(
                "a comment",
                given(line = "-- MIT", prefix = "--"),
                check_eq(line, " MIT")
            );
            if line.starts_with(prefix) {
                line = &line[prefix.len()..];
            } else if line.len() <= prefix.len() {
                line = "";
            }
        }
        text += line;
        text.push('\n');
    }
    text
}

/// The faulty version: it cuts exactly when there is no prefix to cut.
pub mod bug {
    use super::*;

    /// Panics at a line that is shorter than the prefix.
    #[situ]
    pub fn uncomment(header: &str, comment_prefix: &str, end_mark: &str) -> String {
        let mut text = String::new();
        for mut line in header.lines() {
            if line == end_mark {
                line = "";
            } else {
                let prefix = comment_prefix.trim();
                blocktest!(
                    "shorter than the prefix",
                    given(line = "-", prefix = "--"),
                    check_eq(line, ""),
                    ignore("shows the bug"),
                );
                if line.starts_with(prefix) {
                    if line.len() <= prefix.len() {
                        line = "";
                    }
                } else {
                    line = &line[prefix.len()..];
                }
            }
            text += line;
            text.push('\n');
        }
        text
    }
}

#[test]
fn the_block_test_finds_the_swapped_branches() {
    crate::failing::assert_fails(
        "block_01_comment_prefix::bug::situ_uncomment::shorter_than_the_prefix",
        &["out of bounds"],
    );
}
