//! How many new lines a reader is asked to read.

use crate::cargo::workspace::Workspace;
use std::collections::BTreeSet;
use std::path::Path;

/// New lines that are always allowed.
const AT_LEAST: usize = 40;
/// Of so many lines of the files concerned, one new line.
const SHARE: usize = 10;

/// The characters of a line of generated code, without its indentation.
const WIDTH: usize = 88;

/// A bound on new lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// A tenth of the lines of the files concerned, and 40 at least.
    #[default]
    Tenth,
    /// As many as the user says.
    Lines(usize),
    /// Everything that holds, with worth or without.
    All,
}

impl Budget {
    /// Whether everything that holds is shown.
    pub fn is_all(self) -> bool {
        self == Budget::All
    }

    /// The lines that tests in these files may add.
    pub(crate) fn lines<'f>(
        self,
        workspace: &Workspace,
        files: impl Iterator<Item = &'f Path>,
    ) -> usize {
        match self {
            Budget::Lines(lines) => lines,
            Budget::All => usize::MAX,
            Budget::Tenth => {
                let files: BTreeSet<&Path> = files.collect();
                let lines: usize = files.iter().map(|file| line_count(workspace, file)).sum();
                AT_LEAST.max(lines / SHARE)
            }
        }
    }
}

/// The lines of a file of the workspace; none where it cannot be read.
pub(crate) fn line_count(workspace: &Workspace, file: &Path) -> usize {
    workspace.read(file).map_or(0, |text| text.lines().count())
}

/// The lines that a call with clauses takes once rustfmt has laid it out, as near as its text tells.
pub(crate) fn lines_of_call(text: &str) -> usize {
    if text.contains('\n') {
        return text.lines().count();
    }
    if text.len() <= WIDTH {
        return 1;
    }
    let clauses = top_level_parts(text);
    2 + clauses
        .iter()
        .map(|clause| match clause.len().div_ceil(WIDTH - 4) {
            0 | 1 => 1,
            several => several + 1,
        })
        .sum::<usize>()
}

/// The arguments of a call, split at the commas of its outermost brackets.
fn top_level_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts, mut is_quoted) = (0_usize, 0, Vec::new(), false);
    let mut previous = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if previous != '\\' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        previous = if previous == '\\' { ' ' } else { letter };
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_takes_one_line_or_one_for_each_clause() {
        assert_eq!(lines_of_call("itest!(given(x = 1), check_eq(y, 2));"), 1);
        let long = "a".repeat(50);
        let call = format!("itest!(given(x = \"{long}, (\"), check_eq(y, \"{long}\"));");
        assert_eq!(lines_of_call(&call), 4, "{call}");
        let row = "1, ".repeat(60);
        assert_eq!(
            lines_of_call(&format!("itest!(each(x, [{row}]), check(y));")),
            7
        );
    }
}
