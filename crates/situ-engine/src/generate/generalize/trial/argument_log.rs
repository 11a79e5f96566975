//! Copies of tests that log the arguments of their targets.

use super::copies::{NOTES, Writing};
use super::mirror_file::Owner;
use crate::generate::generalize::pair::candidate::Target;
use crate::generate::generalize::scope::Step;
use crate::generate::generalize::scope::body::RECEIVER;
use crate::generate::generalize::slice::covers;
use crate::source::byte_range;
use crate::trial::owned_text::OwnedText;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

/// How often a note is rewritten before it is dropped.
pub(crate) const MAX_REJECTIONS: usize = 2;

impl Writing<'_> {
    /// Returns the copies that log arguments: each test unchanged, and once for each rewritten
    /// scope that contains a target.
    pub(crate) fn noted(&self) -> Vec<(usize, Option<usize>)> {
        let unit = |target: &Target| {
            let is_rewritten = self.material.scope(target).is_rewritten();
            (target.test, is_rewritten.then_some(target.scope))
        };
        self.made
            .targets
            .iter()
            .map(unit)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// Writes such a copy.
    pub(crate) fn notes(
        &self,
        draft: &mut OwnedText<Owner>,
        number: usize,
        test: usize,
        scope: Option<usize>,
    ) {
        let studied = &self.material.tests[test];
        let notes = self.notes_in(test, scope);
        let test_attribute = if studied.test.is_plain() {
            "#[test]"
        } else {
            ""
        };
        let head = self.head(test, NOTES, number);
        let uses = "use self::situ_support::{ByDebug as _, Otherwise as _};";
        let _ = writeln!(draft.text, "{test_attribute} {head} {{ {uses}");
        let text = studied.test.text();
        match scope.map(|scope| &studied.scopes[scope]) {
            None => noted_text(draft, text, &byte_range(&studied.test.item.block), &notes),
            Some(scope) => {
                for (at, step) in scope.steps.iter().enumerate() {
                    // A function inside the test may be called before, with other arguments.
                    let notes = if at < scope.first {
                        &[][..]
                    } else {
                        &notes[..]
                    };
                    match step {
                        Step::Statement(statement) => {
                            noted_text(draft, text, &byte_range(statement), notes)
                        }
                        Step::Given { binding, text, .. } => {
                            let _ = write!(draft.text, "{binding}{text};");
                        }
                    }
                    draft.text.push('\n');
                }
            }
        }
        draft.text.push_str(" }\n");
    }

    /// Returns the code around the arguments of targets.
    fn notes_in(&self, test: usize, scope: Option<usize>) -> Vec<Note> {
        let text = self.material.tests[test].test.text();
        let mut notes = Vec::new();
        for (number, target) in self
            .made
            .targets
            .iter()
            .enumerate()
            .filter(|(_, target)| target.test == test)
        {
            let is_here = self
                .material
                .scope(target)
                .is_rewritten()
                .then_some(target.scope)
                == scope;
            let rejections = self.dropped.notes.get(&number).copied().unwrap_or(0);
            if !is_here || rejections >= MAX_REJECTIONS {
                continue;
            }
            let call = self.material.call(target);
            let types = &self.made.tables[target.table].types;
            for (at, number_of) in target.arguments.iter().enumerate() {
                let argument = call.place(*number_of);
                let note = format!(
                    "self::situ_support::note({number}, {at}, (&self::situ_support::Shown(&situ_value)).shown());"
                );
                // An argument is converted to the parameter's type, as the rows are, unless the
                // compiler rejects that.
                let typed = match rejections {
                    0 => format!("let situ_value: {} = situ_value;", types[at]),
                    _ => String::new(),
                };
                let is_receiver = *number_of == RECEIVER;
                let (before, behind) = match argument.form {
                    // A place is only borrowed, because later code may use it again.
                    _ if is_receiver && is_place(&text[argument.range.clone()]) => (
                        "(*{ let situ_value = &(".to_owned(),
                        format!("); {note} situ_value }})"),
                    ),
                    _ => (
                        "match (".to_owned(),
                        format!(") {{ situ_value => {{ {typed} {note} situ_value }} }}"),
                    ),
                };
                notes.push(Note {
                    range: argument.range.clone(),
                    before,
                    behind,
                    target: number,
                });
            }
        }
        notes
    }
}

/// Returns whether an expression is a variable or a part of one.
fn is_place(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '[' | ']'))
        && text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The code around an argument.
struct Note {
    range: Range<usize>,
    before: String,
    behind: String,
    target: usize,
}

/// Writes a part of a test with notes. At one place inner ones end before outer ones, and ends come
/// before beginnings.
fn noted_text(draft: &mut OwnedText<Owner>, text: &str, range: &Range<usize>, notes: &[Note]) {
    let mut insertions: Vec<(usize, bool, isize, &str, usize)> = Vec::new();
    for note in notes.iter().filter(|note| covers(range, &note.range)) {
        let length = note.range.len() as isize;
        insertions.push((note.range.start, true, -length, &note.before, note.target));
        insertions.push((note.range.end, false, length, &note.behind, note.target));
    }
    insertions.sort_by_key(|(at, begins, length, ..)| (*at, *begins, *length));
    let mut done = range.start;
    for (at, _, _, inserted, target) in insertions {
        draft.text.push_str(&text[done..at]);
        draft.part(Owner::Note(target), |draft| draft.text.push_str(inserted));
        done = at;
    }
    draft.text.push_str(&text[done..range.end]);
}
