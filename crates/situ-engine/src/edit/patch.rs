//! Formats changes as a unified diff for `git apply`.

use super::FileChange;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use std::fmt::Write as _;
use std::path::{Component, Path};

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// Returns the patch of one file; empty if it does not change.
///
/// The patch has no `diff --git` line: without one, git resolves the path from its current folder,
/// which need not be the root of its repository.
pub(super) fn file_patch(file: &FileChange) -> String {
    let hunks = hunks(&file.before, &file.after);
    if hunks.is_empty() {
        return hunks;
    }
    let old = if file.is_new {
        "/dev/null".to_owned()
    } else {
        shown_path("a", &file.path)
    };
    format!("--- {old}\n+++ {}\n{hunks}", shown_path("b", &file.path))
}

/// Returns the hunks of a changed file, for a reviewer.
pub fn preview_change(file: &FileChange) -> String {
    hunks(&file.before, &file.after)
}

/// Returns the hunks of a diff without the file name.
pub(super) fn hunks(before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let operations = capture_diff_slices(Algorithm::Patience, &old, &new);
    let groups = group_diff_ops(operations, CONTEXT);
    groups.iter().map(|group| hunk(group, &old, &new)).collect()
}

fn hunk(group: &[DiffOp], old: &[&str], new: &[&str]) -> String {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return String::new();
    };
    let header = |start: usize, end: usize| {
        // The unified format gives an empty range the number of the line before it.
        let shown = if start == end { start } else { start + 1 };
        format!("{shown},{}", end - start)
    };
    let mut text = format!(
        "@@ -{} +{} @@\n",
        header(first.old_range().start, last.old_range().end),
        header(first.new_range().start, last.new_range().end)
    );
    for operation in group {
        let (tag, removed, added) = operation.as_tag_tuple();
        if tag == DiffTag::Equal {
            write_lines(&mut text, ' ', &old[removed]);
            continue;
        }
        write_lines(&mut text, '-', &old[removed]);
        write_lines(&mut text, '+', &new[added]);
    }
    text
}

fn write_lines(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        let _ = write!(text, "{sign}{line}");
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Formats a path as git does: quoted if it contains special chars, followed by a tab if it
/// contains spaces.
fn shown_path(prefix: &str, path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    });
    let parts: Vec<String> = std::iter::once(prefix.to_owned()).chain(parts).collect();
    let shown = parts.join("/");
    if shown.contains(['"', '\\', '\n', '\t']) {
        let quoted = shown
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\t', "\\t");
        return format!("\"{quoted}\"");
    }
    if shown.contains(' ') {
        format!("{shown}\t")
    } else {
        shown
    }
}
