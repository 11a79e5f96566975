//! Mutant: one change of the user's code that can be switched on.

use super::operators::{Change, Form};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// Change of one place in a file, proposed by a mutation operator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mutant {
    /// Number by which the mutant is switched on; unique in a workspace.
    pub id: u32,
    /// Name of the operator that proposed the mutant.
    pub operator: String,
    pub form: Form,
    /// Byte range that the mutant replaces.
    pub range: Range<usize>,
    /// Text that replaces the range.
    pub text: String,
    /// Ranges at which the choice between original and replacement can be made: `range` first, then
    /// wider ones.
    pub levels: Vec<Range<usize>>,
    /// Whether types or moves elsewhere may depend on the code that the mutant removes.
    pub removes_exit: bool,
    /// Index of the mutant's function in the file.
    pub function: Option<usize>,
    /// `#[cfg]` predicates under which the mutant exists.
    pub conditions: Vec<String>,
    /// Range that reports show as replaced.
    pub shown_range: Range<usize>,
    /// Replacement that reports show.
    pub shown_text: String,
    /// Line of the change, counted from one.
    pub line: usize,
    /// Column of the change in chars, counted from one.
    pub column: usize,
    /// Byte offset that reports point at, in the text that the ranges refer to.
    pub at: usize,
    /// Whether this is the copy of a mutant in a test.
    pub is_copy: bool,
    /// Identity by which copies of a mutant in tests are matched.
    #[serde(skip)]
    pub key: Option<Key>,
}

/// Operator, form, original offset and number of a change.
pub type Key = (String, Form, usize, usize);

impl Mutant {
    /// Creates a mutant from an operator's proposal. Number, line and column are set later.
    pub fn new(operator: &str, change: Change, wider: Vec<Range<usize>>) -> Mutant {
        let shown = change.shown;
        let (shown_range, shown_text) = match shown {
            Some(shown) => (shown.range, shown.text),
            None => (change.range.clone(), change.text.clone()),
        };
        let mut levels = vec![change.range.clone()];
        if change.form == Form::Expression {
            levels.extend(wider.into_iter().filter(|wide| *wide != change.range));
        }
        Mutant {
            id: 0,
            operator: operator.to_owned(),
            form: change.form,
            range: change.range,
            text: change.text,
            levels,
            removes_exit: change.removes_exit,
            function: None,
            conditions: Vec::new(),
            shown_range,
            shown_text,
            line: 0,
            column: 0,
            at: change.at,
            is_copy: false,
            key: None,
        }
    }

    /// Returns whether reports show the mutant inside this range of the user's file.
    pub fn stands_in(&self, range: &Range<usize>) -> bool {
        let shown = &self.shown_range;
        !shown.is_empty() && range.start <= shown.start && shown.end <= range.end
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Name, preceded by the type for a method.
    pub name: String,
    /// Byte range of the whole function.
    pub range: Range<usize>,
    /// Byte range of the function's `const`, which an instrumented copy cannot keep.
    pub const_token: Option<Range<usize>>,
    /// Whether the user's file does not have it: it belongs to an expanded in-situ test.
    pub is_generated: bool,
}

/// Mutants of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileMutants {
    /// Path relative to the workspace root.
    pub path: PathBuf,
    /// `#[cfg]` predicates of the modules that lead to the file.
    pub conditions: Vec<String>,
    /// Text with in-situ tests expanded, if the file has any. Ranges refer to this text, and
    /// mutants are woven into it.
    pub expanded: Option<String>,
    /// Whether the whole file is test code, or excluded by the user.
    pub is_left_out: bool,
    /// Whether the file belongs to a procedural macro, which runs inside the compiler, where
    /// mutants cannot be switched.
    pub in_macro: bool,
    pub functions: Vec<Function>,
    /// Byte offset of each loop's body, and the index of its function.
    pub loops: Vec<(usize, usize)>,
    /// Number of lines of the user's file.
    pub line_count: usize,
    /// Byte ranges of the in-situ tests in the user's file.
    pub tests: Vec<Range<usize>>,
    /// Mutants, by number. The same one may occur several times: in the original and in copies of
    /// it in tests.
    pub mutants: Vec<Mutant>,
}

impl FileMutants {
    /// Returns whether a mutant can be switched at run time.
    pub fn can_switch(&self, mutant: &Mutant) -> bool {
        !self.in_macro && mutant.form != Form::Unswitchable
    }
}

/// Returns line and column of a byte offset, both counted from one.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// Line starts of a text, for many lookups.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Lines<'t> {
        Lines {
            text,
            starts: [0]
                .into_iter()
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// Returns line and column of a byte offset as [`line_and_column`] does, without scanning the
    /// text.
    pub fn place(&self, at: usize) -> (usize, usize) {
        let at = at.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= at);
        (
            line,
            self.text[self.starts[line - 1]..at].chars().count() + 1,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_every_place_of_their_text() {
        let text = "a\n\nü = 3;\nend";
        let lines = Lines::of(text);
        for at in (0..=text.len() + 1).filter(|at| text.is_char_boundary((*at).min(text.len()))) {
            assert_eq!(lines.place(at), line_and_column(text, at), "{at}");
        }
    }
}
