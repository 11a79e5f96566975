//! Mutants as diffs.

use super::mutant::{FileMutants, Mutant};
use std::ops::Range;

/// Formats a mutant as a unified diff.
pub(crate) fn unified(file: &FileMutants, mutant: &Mutant, text: &str) -> String {
    let range = &mutant.shown_range;
    let start = text[..range.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline);
    let end = if text[range.end..end].ends_with('\r') {
        end - 1
    } else {
        end
    };
    let old = &text[start..end];
    let new = format!(
        "{}{}{}",
        &text[start..range.start],
        mutant.shown_text,
        &text[range.end..end]
    );
    let line = text[..start].matches('\n').count() + 1;
    let new_lines: Vec<&str> = new
        .lines()
        .filter(|line| !line.trim().is_empty() || old.lines().count() == 1)
        .collect();
    let new_lines: Vec<&str> = if new.trim().is_empty() {
        Vec::new()
    } else {
        new_lines
    };
    let new_lines = insertion_on_its_own_line(mutant, new_lines, &text[start..range.start]);
    let path = file.path.display();
    let old_lines: Vec<&str> = old.lines().collect();
    let new_lines: Vec<&str> = new_lines.iter().map(String::as_str).collect();
    let mut edits = match old_lines.len() {
        // One or two lines are easier to read replaced as a whole.
        0..=2 => old_lines
            .iter()
            .map(|line| ('-', *line))
            .chain(new_lines.iter().map(|line| ('+', *line)))
            .collect(),
        _ => line_edits(&old_lines, &new_lines),
    };
    keep_tests(&mut edits, text, &file.tests);
    format!("--- {path}\n+++ {path}\n{}", hunks(&edits, line))
}

/// Treats removed lines of in-situ tests as unchanged, because no mutant removes a test. Old lines
/// are slices of `text`.
fn keep_tests(edits: &mut [(char, &str)], text: &str, tests: &[Range<usize>]) {
    for (kind, line) in edits.iter_mut().filter(|(kind, _)| *kind == '-') {
        let words = line.trim();
        let start = words.as_ptr().addr() - text.as_ptr().addr();
        let is_in = |test: &Range<usize>| test.start <= start && start + words.len() <= test.end;
        if !words.is_empty() && tests.iter().any(is_in) {
            *kind = ' ';
        }
    }
}

/// Compares line by line: `' '` for equal lines, `'-'` and `'+'` for others.
fn line_edits<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    // `common[i][j]` is the length of the longest common subsequence of `old[i..]` and `new[j..]`.
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for (i, line) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            common[i][j] = if line == other {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut edits) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            edits.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            edits.push(('-', old[i]));
            i += 1;
        } else {
            edits.push(('+', new[j]));
            j += 1;
        }
    }
    edits
}

/// Formats hunks with one line of context. `line` is the line of the first edit.
fn hunks(edits: &[(char, &str)], line: usize) -> String {
    let is_near = |at: usize| {
        let around = at.saturating_sub(1)..(at + 2).min(edits.len());
        edits[around].iter().any(|(kind, _)| *kind != ' ')
    };
    let (mut text, mut old, mut new, mut at) = (String::new(), line, line, 0);
    while at < edits.len() {
        let end = (at..edits.len())
            .find(|at| !is_near(*at))
            .unwrap_or(edits.len());
        let hunk = &edits[at..end];
        let count = |kind: char| {
            hunk.iter()
                .filter(|(other, _)| [kind, ' '].contains(other))
                .count()
        };
        if !hunk.is_empty() {
            text.push_str(&format!(
                "@@ -{old},{} +{new},{} @@\n",
                count('-'),
                count('+')
            ));
            hunk.iter()
                .for_each(|(kind, line)| text.push_str(&format!("{kind}{line}\n")));
        }
        (old, new) = (old + count('-'), new + count('+'));
        // Skipped lines are equal in both.
        let next = (end..edits.len())
            .find(|at| is_near(*at))
            .unwrap_or(edits.len());
        (old, new, at) = (old + next - end, new + next - end, next);
    }
    text
}

/// Puts an inserted statement on its own line, which is easier to read.
fn insertion_on_its_own_line(mutant: &Mutant, lines: Vec<&str>, indent: &str) -> Vec<String> {
    let is_insertion = mutant.shown_range.is_empty() && indent.trim().is_empty();
    match (is_insertion, lines.split_first()) {
        (true, Some((first, rest))) => {
            let original = first
                .trim_start()
                .strip_prefix(&mutant.shown_text)
                .unwrap_or(first);
            let both = [
                format!("{indent}{}", mutant.shown_text),
                format!("{indent}{original}"),
            ];
            both.into_iter()
                .chain(rest.iter().map(ToString::to_string))
                .collect()
        }
        _ => lines.into_iter().map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sites::mutants_of;
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn no_diff_takes_a_test_away() {
        let text = "#[situ]\nfn f(x: u32) -> u32 {\n    blocktest!(\"all\", given(x = 1), check_return(4));\n    let y = x + 1;\n    \
                    itest!(\n        given(x = 1),\n        check_eq(y, 2),\n    );\n    for z in 0..y {\n        itest!(given(y = 2), check_eq(items().len(), 2));\n        \
                    touch(z);\n    }\n    y * 2\n}\n";
        for ends in ["\n", "\r\n"] {
            let text = text.replace('\n', ends);
            let file = mutants_of(&SourceFile::root(&text), "src/lib.rs".into(), 1, &[]);
            let diffs: Vec<String> = file
                .mutants
                .iter()
                .filter(|mutant| !mutant.is_copy)
                .map(|mutant| unified(&file, mutant, &text))
                .collect();
            let in_test = |line: &str| {
                ["test!", "given(", "check_eq", "    );"]
                    .iter()
                    .any(|part| line.contains(part))
            };
            for diff in &diffs {
                assert!(
                    !diff
                        .lines()
                        .any(|line| line.starts_with(['-', '+']) && in_test(line)),
                    "{diff}"
                );
            }
            let body = diffs
                .iter()
                .find(|diff| diff.contains("\n+    0\n"))
                .unwrap_or_else(|| panic!("{}", diffs.join("\n")));
            let removed: Vec<&str> = body
                .lines()
                .skip(3)
                .filter(|line| line.starts_with('-'))
                .collect();
            assert_eq!(
                removed,
                [
                    "-    let y = x + 1;",
                    "-    for z in 0..y {",
                    "-        touch(z);",
                    "-    }",
                    "-    y * 2"
                ],
                "{body}"
            );
        }
    }

    #[test]
    fn long_changes_show_what_differs_with_a_line_around_it() {
        let (old, new) = (
            ["a", "b", "c", "d", "e", "f", "g"],
            ["a", "B", "c", "d", "e", "f"],
        );
        let text = hunks(&line_edits(&old, &new), 10);
        assert_eq!(
            text,
            "@@ -10,3 +10,3 @@\n a\n-b\n+B\n c\n@@ -15,2 +15,1 @@\n f\n-g\n"
        );
    }
}
