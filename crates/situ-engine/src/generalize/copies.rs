//! The text of the mirror: for every module with candidates its tables of arguments, the copies of its tests, and what
//! runs them.

use super::body::Form;
use super::candidate::{Candidates, Material, Place, Target};
use super::scope::{Kind, Step};
use super::slice::{Copy, covers};
use crate::source::{Splice, apply, byte_range};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

/// How the tests are called that try the rows of a candidate, before its number.
pub const TRIAL: &str = "situ_trial_";
/// How the tests are called that note the arguments of a test, before their number.
pub const NOTES: &str = "situ_notes_";
/// What generated items may do that hand-written ones should not.
const ALLOW: &str = "#[allow(warnings, clippy::all, clippy::pedantic)]";
/// What the copies call: rows, notes, the journal.
const SUPPORT: &str = include_str!("support.txt");

/// What a part of the text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A row of a table.
    Row(usize, usize),
    /// A table.
    Table(usize),
    /// A candidate.
    Candidate(usize),
    /// The notes of a target.
    Note(usize),
    /// A copy of a test that notes arguments.
    Notes(usize),
}

/// What is left out, because the compiler does not accept it.
#[derive(Clone, Debug, Default)]
pub struct Dropped {
    /// Tables.
    pub tables: BTreeMap<usize, String>,
    /// Candidates.
    pub candidates: BTreeMap<usize, String>,
    /// Targets whose arguments are not noted.
    pub notes: BTreeSet<usize>,
    /// Copies of tests that note arguments.
    pub noted: BTreeSet<usize>,
}

/// A file of the mirror.
pub struct MirrorFile {
    /// Its path, relative to the workspace.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What the generated parts belong to.
    pub parts: Vec<(Range<usize>, Owner)>,
    /// Where something was put into the user's text, and how much.
    insertions: Vec<(usize, usize)>,
}

impl MirrorFile {
    /// Where a byte of the user's file is in this one.
    pub fn moved(&self, byte: usize) -> usize {
        byte + self.insertions.iter().filter(|(at, _)| *at <= byte).map(|(_, length)| length).sum::<usize>()
    }
}

/// Generated text in the making.
#[derive(Default)]
struct Draft {
    text: String,
    parts: Vec<(Range<usize>, Owner)>,
}

impl Draft {
    fn part(&mut self, owner: Owner, write: impl FnOnce(&mut Draft)) {
        let start = self.text.len();
        write(self);
        self.parts.push((start..self.text.len(), owner));
    }
}

/// What the mirror is written from.
pub struct Writing<'w> {
    /// What candidates are made of.
    pub material: &'w Material<'w>,
    /// The candidates.
    pub made: &'w Candidates,
    /// What is left out.
    pub dropped: &'w Dropped,
}

impl Writing<'_> {
    /// The files of the mirror.
    pub fn files(&self) -> Vec<MirrorFile> {
        let mut by_file: BTreeMap<PathBuf, BTreeMap<usize, Draft>> = BTreeMap::new();
        let places: BTreeSet<Place> = self.made.tables.iter().map(|table| table.place.clone()).collect();
        for place in places {
            let tests = self.material.tests.iter();
            let Some(one) = tests.map(|studied| &studied.test).find(|test| Place::of(test) == place) else { continue };
            let end = one.beside.last().map_or(one.range.end, |last| byte_range(last).end);
            let draft = self.module(&place);
            by_file.entry(place.file).or_default().insert(end, draft);
        }
        by_file.into_iter().map(|(path, drafts)| self.file(path, drafts)).collect()
    }

    fn file(&self, path: PathBuf, drafts: BTreeMap<usize, Draft>) -> MirrorFile {
        let mut tests = self.material.tests.iter().map(|studied| &studied.test);
        let original = tests.find(|test| test.file.path == path).map(|test| test.text()).unwrap_or_default();
        let mut parts = Vec::new();
        let mut splices = Vec::new();
        let mut shift = 0;
        for (at, draft) in drafts {
            parts.extend(
                draft.parts.into_iter().map(|(range, owner)| (range.start + at + shift..range.end + at + shift, owner)),
            );
            shift += draft.text.len();
            splices.push(Splice { range: at..at, text: draft.text });
        }
        let insertions = splices.iter().map(|splice| (splice.range.start, splice.text.len())).collect();
        MirrorFile { text: apply(original, &splices), path, parts, insertions }
    }

    fn module(&self, place: &Place) -> Draft {
        let mut draft = Draft { text: format!("\n{ALLOW} mod situ_support {{ {SUPPORT} }}\n"), parts: Vec::new() };
        for (number, table) in self.made.tables.iter().enumerate() {
            if table.place == *place && !self.dropped.tables.contains_key(&number) {
                self.table(&mut draft, number);
            }
        }
        let mut tried: BTreeSet<usize> = BTreeSet::new();
        for (number, candidate) in self.made.all.iter().enumerate() {
            let target = &self.made.targets[candidate.target];
            if self.made.tables[target.table].place != *place || self.is_dropped(number) {
                continue;
            }
            tried.insert(target.test);
            draft.part(Owner::Candidate(number), |draft| self.candidate(draft, number, target));
        }
        for (number, (test, scope)) in self.noted().into_iter().enumerate() {
            if tried.contains(&test) && !self.dropped.noted.contains(&number) {
                draft.part(Owner::Notes(number), |draft| self.notes(draft, number, test, scope));
            }
        }
        draft
    }

    /// Whether a candidate is left out.
    pub fn is_dropped(&self, candidate: usize) -> bool {
        let target = &self.made.targets[self.made.all[candidate].target];
        self.dropped.candidates.contains_key(&candidate) || self.dropped.tables.contains_key(&target.table)
    }

    fn table(&self, draft: &mut Draft, number: usize) {
        let table = &self.made.tables[number];
        let types = as_tuple(&table.kept_types);
        draft.part(Owner::Table(number), |draft| {
            let _ = writeln!(draft.text, "{ALLOW} fn situ_arguments_{number}(row: usize) -> {types} {{ match row {{");
            for (at, row) in table.rows.iter().enumerate().filter(|(_, row)| row.refused.is_none()) {
                let values = as_tuple(&row.kept);
                draft.part(Owner::Row(number, at), |draft| {
                    let _ = writeln!(draft.text, "{at} => {values},");
                });
            }
            draft.text.push_str("_ => panic!(\"there is no such row\") } }\n");
        });
    }

    fn candidate(&self, draft: &mut Draft, number: usize, target: &Target) {
        let studied = &self.material.tests[target.test];
        let table = target.table;
        let names: Vec<String> = (0..target.arguments.len()).map(|at| format!("situ_{at}")).collect();
        let replaced: Vec<(usize, String)> = target.arguments.iter().copied().zip(names.iter().cloned()).collect();
        let copy = Copy {
            text: studied.test.text(),
            scope: self.material.scope(target),
            call: self.material.call(target),
            replaced: &replaced,
            chosen: &[self.made.all[number].assertion],
            reached: "self::situ_support::reached();",
            looking: &self.material.looking,
        };
        let statements = copy.statements().unwrap_or_default().join("\n");
        let (head, name) = (self.head(target.test, "situ_copy_", number), as_tuple(&names));
        let _ = write!(
            draft.text,
            "{head} {{ let {name} = situ_arguments_{table}(self::situ_support::row());\n{statements}\n}}\n"
        );
        let rows = self.material.rows_of(self.made, target);
        let shown = (0..names.len()).map(|at| format!("(&Shown(&situ.{at})).shown()")).collect::<Vec<_>>().join(", ");
        let call = format!("situ_copy_{number}()");
        let run = if studied.test.gives_result() && studied.test.is_plain() {
            format!("self::situ_support::ended({call})")
        } else {
            call
        };
        let conditions: Vec<&str> = studied
            .test
            .running_attributes()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .map(|attribute| &studied.test.text()[byte_range(attribute)])
            .collect();
        let conditions = conditions.join(" ");
        let _ = writeln!(
            draft.text,
            "{ALLOW} {conditions} #[test] fn {TRIAL}{number}() {{ use self::situ_support::*; try_rows(&{rows:?}, |row| {{ let situ = \
             situ_arguments_{table}(row); vec![{shown}] }}, || {{ {run}; }}); }}"
        );
    }

    /// The attributes and signature of a copy of a test. A plain `#[test]` is called by what runs it.
    fn head(&self, test: usize, prefix: &str, number: usize) -> String {
        let test = &self.material.tests[test].test;
        let attributes =
            test.running_attributes().filter(|attribute| !(test.is_plain() && attribute.path().is_ident("test")));
        let attributes: Vec<&str> = attributes.map(|attribute| &test.text()[byte_range(attribute)]).collect();
        let signature = &test.item.sig;
        let (start, name) = (byte_range(signature), byte_range(&signature.ident));
        let before = &test.text()[start.start..name.start];
        let behind = &test.text()[name.end..start.end];
        format!("{ALLOW} {} {before}{prefix}{number}{behind}", attributes.join(" "))
    }

    /// Copies of tests that say with what these call their targets: the test as it is, and once for each function beside it
    /// that holds a target, with that function's body in it.
    fn noted(&self) -> Vec<(usize, Option<usize>)> {
        let unit = |target: &Target| {
            let is_helper = matches!(self.material.scope(target).kind, Kind::Helper { .. });
            (target.test, is_helper.then_some(target.scope))
        };
        self.made.targets.iter().map(unit).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn notes(&self, draft: &mut Draft, number: usize, test: usize, scope: Option<usize>) {
        let studied = &self.material.tests[test];
        let notes = self.notes_in(test, scope);
        let test_attribute = if studied.test.is_plain() { "#[test]" } else { "" };
        let head = self.head(test, NOTES, number);
        let uses = "use self::situ_support::{ByDebug as _, Otherwise as _};";
        let _ = writeln!(draft.text, "{test_attribute} {head} {{ {uses}");
        let text = studied.test.text();
        match scope.map(|scope| &studied.scopes[scope]) {
            None => noted_text(draft, text, &byte_range(&studied.test.item.block), &notes),
            Some(scope) => {
                for step in &scope.steps {
                    match step {
                        Step::Statement(statement) => noted_text(draft, text, &byte_range(statement), &notes),
                        Step::Given { binding, argument, .. } => {
                            let _ = write!(draft.text, "{binding}{};", &text[argument.clone()]);
                        }
                    }
                    draft.text.push('\n');
                }
            }
        }
        draft.text.push_str(" }\n");
    }

    /// What is put around the arguments of targets.
    fn notes_in(&self, test: usize, scope: Option<usize>) -> Vec<Note> {
        let text = self.material.tests[test].test.text();
        let mut notes = Vec::new();
        for (number, target) in self.made.targets.iter().enumerate().filter(|(_, target)| target.test == test) {
            let is_helper = matches!(self.material.scope(target).kind, Kind::Helper { .. });
            let is_here = is_helper.then_some(target.scope) == scope;
            if !is_here || self.dropped.notes.contains(&number) {
                continue;
            }
            let call = self.material.call(target);
            for (at, argument) in target.arguments.iter().enumerate() {
                let argument = &call.arguments[*argument];
                let note = |value: &str| {
                    format!("self::situ_support::note({number}, {at}, (&self::situ_support::Shown(&{value})).shown());")
                };
                let (before, behind) = match argument.form {
                    Form::Literal => (format!("{{ {} ", note(&text[argument.range.clone()])), " }".to_owned()),
                    _ => {
                        ("match (".to_owned(), format!(") {{ situ_value => {{ {} situ_value }} }}", note("situ_value")))
                    }
                };
                notes.push(Note { range: argument.range.clone(), before, behind, target: number });
            }
        }
        notes
    }
}

/// What is put around an argument.
struct Note {
    range: Range<usize>,
    before: String,
    behind: String,
    target: usize,
}

/// A part of a test's text with notes. At one place inner ones end before outer ones, and what ends stands before what
/// begins.
fn noted_text(draft: &mut Draft, text: &str, range: &Range<usize>, notes: &[Note]) {
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

fn as_tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        many => format!("({})", many.join(", ")),
    }
}
