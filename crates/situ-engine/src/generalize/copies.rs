//! The text of the mirror: for every module with candidates its tables of arguments, the copies of its tests, and what
//! runs them.

use super::body::Form;
use super::candidate::{Candidates, Material, Place, Target};
use super::slice::Copy;
use crate::source::{Splice, apply, byte_range};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

/// How the tests are called that try the rows of a candidate, before its number.
pub const TRIAL: &str = "situ_trial_";
/// How the tests are called that note the arguments of a test, before its number.
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
    /// The notes of a test.
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
    /// Tests whose arguments are not noted.
    pub tests: BTreeSet<usize>,
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
        let mut noted: BTreeSet<usize> = BTreeSet::new();
        for (number, candidate) in self.made.all.iter().enumerate() {
            let target = &self.made.targets[candidate.target];
            if self.made.tables[target.table].place != *place || self.is_dropped(number) {
                continue;
            }
            noted.insert(target.test);
            draft.part(Owner::Candidate(number), |draft| self.candidate(draft, number, target));
        }
        for test in noted.into_iter().filter(|test| !self.dropped.tests.contains(test)) {
            draft.part(Owner::Notes(test), |draft| self.notes(draft, test));
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
            block: &studied.test.item.block,
            body: &studied.body,
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
        let _ = writeln!(
            draft.text,
            "{ALLOW} #[test] fn {TRIAL}{number}() {{ use self::situ_support::*; try_rows(&{rows:?}, |row| {{ let situ = \
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

    /// A copy of the test that says with what it calls its targets.
    fn notes(&self, draft: &mut Draft, test: usize) {
        let studied = &self.material.tests[test];
        let text = studied.test.text();
        let block = byte_range(&studied.test.item.block);
        let mut insertions: Vec<(usize, usize, String, usize)> = Vec::new();
        for (number, target) in self.made.targets.iter().enumerate().filter(|(_, target)| target.test == test) {
            if self.dropped.notes.contains(&number) {
                continue;
            }
            let call = self.material.call(target);
            for (at, argument) in target.arguments.iter().enumerate() {
                let argument = &call.arguments[*argument];
                let own = &text[argument.range.clone()];
                let note = |value: &str| {
                    format!("self::situ_support::note({number}, {at}, (&self::situ_support::Shown(&{value})).shown());")
                };
                let (before, behind) = match argument.form {
                    Form::Literal => (format!("{{ {} ", note(own)), " }".to_owned()),
                    _ => {
                        ("match (".to_owned(), format!(") {{ situ_value => {{ {} situ_value }} }}", note("situ_value")))
                    }
                };
                insertions.push((argument.range.start, 1, before, number));
                insertions.push((argument.range.end, 0, behind, number));
            }
        }
        // What ends at a place stands before what begins there.
        insertions.sort_by_key(|(at, order, ..)| (*at, *order));
        let test_attribute = if studied.test.is_plain() { "#[test]" } else { "" };
        let _ = writeln!(
            draft.text,
            "{test_attribute} {} {{ use self::situ_support::{{ByDebug as _, Otherwise as _}};",
            self.head(test, NOTES, test)
        );
        let mut done = block.start;
        for (at, _, inserted, number) in insertions {
            draft.text.push_str(&text[done..at]);
            draft.part(Owner::Note(number), |draft| draft.text.push_str(&inserted));
            done = at;
        }
        draft.text.push_str(&text[done..block.end]);
        draft.text.push_str(" }\n");
    }
}

fn as_tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        many => format!("({})", many.join(", ")),
    }
}
