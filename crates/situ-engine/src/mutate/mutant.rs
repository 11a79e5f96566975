//! A mutant: one change of the user's code that can be switched on.

use super::operators::{Change, Form};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// One change of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mutant {
    /// What it is switched on by; no two mutants of a workspace share one.
    pub id: u32,
    /// The name of the operator that made it.
    pub operator: String,
    /// How it is switched.
    pub form: Form,
    /// What it replaces and what it puts there.
    pub range: Range<usize>,
    /// The text that it puts there.
    pub text: String,
    /// Where the choice between original and change can be made: the range itself first, then wider ones.
    pub levels: Vec<Range<usize>>,
    /// Whether types or moves elsewhere may depend on what it takes away.
    pub removes_exit: bool,
    /// The function that it stands in, as an index into the file's functions.
    pub function: Option<usize>,
    /// The `#[cfg]` predicates under which it exists.
    pub conditions: Vec<String>,
    /// What a reader sees replaced.
    pub shown_range: Range<usize>,
    /// What a reader sees in its place.
    pub shown_text: String,
    /// The line of the change, counted from one.
    pub line: usize,
    /// The column of the change in characters, counted from one.
    pub column: usize,
    /// The byte that reports point at, in the text that ranges are about.
    pub at: usize,
    /// Whether it is a mutant's second place.
    pub is_copy: bool,
    /// What it is recognised by in a copy of its code.
    #[serde(skip)]
    pub key: Option<Key>,
}

/// Operator, form, place and number of a change.
pub type Key = (String, Form, usize, usize);

impl Mutant {
    /// A mutant from what an operator proposes; its number is given later, and so is its line and column.
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

    /// Whether a reader sees it inside these bytes of the user's file.
    pub fn stands_in(&self, range: &Range<usize>) -> bool {
        let shown = &self.shown_range;
        !shown.is_empty() && range.start <= shown.start && shown.end <= range.end
    }
}

/// A function of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its name, with its type's for a method.
    pub name: String,
    /// All of it.
    pub range: Range<usize>,
    /// The `const` before it, which an instrumented copy cannot keep.
    pub const_token: Option<Range<usize>>,
}

/// The mutants of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FileMutants {
    /// The file, relative to the workspace.
    pub path: PathBuf,
    /// The `#[cfg]` predicates of the modules that lead to it.
    pub conditions: Vec<String>,
    /// Its text with in-situ tests expanded, where it has any: what ranges are about, and what is woven.
    pub expanded: Option<String>,
    /// Whether all of it is test code, or marked by the user.
    pub is_left_out: bool,
    /// Whether it belongs to a procedural macro: that runs inside the compiler, where nothing can be switched.
    pub in_macro: bool,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Where the bodies of its loops begin, each with its function as an index.
    pub loops: Vec<(usize, usize)>,
    /// How many lines the user's file has.
    pub line_count: usize,
    /// The in-situ tests of the user's file.
    pub tests: Vec<Range<usize>>,
    /// Its mutants, by number. The same one may stand at several places: in the original, and in tests' copies of it.
    pub mutants: Vec<Mutant>,
}

impl FileMutants {
    /// Whether a mutant can be switched at run time.
    pub fn can_switch(&self, mutant: &Mutant) -> bool {
        !self.in_macro && mutant.form != Form::Unswitchable
    }
}

/// Line and column of a byte, both counted from one.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

/// Where the lines of a text begin, for whoever asks for many places in it.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Goes through the text once.
    pub fn of(text: &'t str) -> Lines<'t> {
        Lines {
            text,
            starts: [0]
                .into_iter()
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The same as [`line_and_column`].
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
