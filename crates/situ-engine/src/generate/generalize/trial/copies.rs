//! The source of the mirror: for every module with candidates its tables of arguments, the copies
//! of its tests, and the tests that run them.

use super::mirror_file::{Dropped, MirrorFile, Owner};
use crate::generate::generalize::pair::candidate::{Candidates, Material, Place, Target};
use crate::generate::generalize::slice::Copy;
use crate::generate::generalize::slice::unused_fixes::Mending;
use crate::source::{Splice, apply, byte_range};
use crate::trial::owned_text::OwnedText;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The prefix of tests that try the rows of a candidate.
pub(crate) const TRIAL: &str = "situ_trial_";
/// The prefix of tests that log the arguments of a test.
pub(crate) const NOTES: &str = "situ_notes_";
/// Lints that are irrelevant for generated items.
const ALLOWED: [&str; 3] = ["warnings", "clippy::all", "clippy::pedantic"];
/// The support code of the copies: rows, notes, the journal.
const SUPPORT: &str = include_str!("support.txt");

/// The input of the mirror.
pub(crate) struct Writing<'w> {
    /// What candidates are made of.
    pub material: &'w Material<'w>,
    /// The candidates.
    pub made: &'w Candidates,
    /// The dropped parts.
    pub dropped: &'w Dropped,
}

impl Writing<'_> {
    /// Returns the files of the mirror.
    pub(crate) fn files(&self) -> Vec<MirrorFile> {
        let mut by_file: BTreeMap<PathBuf, BTreeMap<usize, OwnedText<Owner>>> = BTreeMap::new();
        let places: BTreeSet<Place> = self
            .made
            .tables
            .iter()
            .map(|table| table.place.clone())
            .collect();
        for place in places {
            let tests = self.material.tests.iter();
            let Some(one) = tests
                .map(|studied| &studied.test)
                .find(|test| Place::of(test) == place)
            else {
                continue;
            };
            let end = one
                .beside
                .last()
                .map_or(one.range.end, |last| byte_range(last).end);
            let draft = self.module(&place);
            by_file.entry(place.file).or_default().insert(end, draft);
        }
        by_file
            .into_iter()
            .map(|(path, drafts)| self.file(path, drafts))
            .collect()
    }

    fn file(&self, path: PathBuf, drafts: BTreeMap<usize, OwnedText<Owner>>) -> MirrorFile {
        let mut tests = self.material.tests.iter().map(|studied| &studied.test);
        let original = tests
            .find(|test| test.file.path == path)
            .map_or("", |test| &test.file.source.text);
        let mut parts = Vec::new();
        let mut splices = Vec::new();
        let mut shift = 0;
        for (at, draft) in drafts {
            parts.extend(
                draft.parts.into_iter().map(|(range, owner)| {
                    (range.start + at + shift..range.end + at + shift, owner)
                }),
            );
            shift += draft.text.len();
            splices.push(Splice {
                range: at..at,
                text: draft.text,
            });
        }
        let insertions = splices
            .iter()
            .map(|splice| (splice.range.start, splice.text.len()))
            .collect();
        let text = apply(original, &splices);
        MirrorFile {
            path,
            owned: OwnedText { text, parts },
            insertions,
        }
    }

    fn module(&self, place: &Place) -> OwnedText<Owner> {
        let allow = self.allow();
        let mut draft = OwnedText {
            text: format!("\n{allow} mod situ_support {{ {SUPPORT} }}\n"),
            parts: Vec::new(),
        };
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
            draft.part(Owner::Candidate(number), |draft| {
                self.candidate(draft, number, target)
            });
        }
        for (number, (test, scope)) in self.noted().into_iter().enumerate() {
            if tried.contains(&test) && !self.dropped.noted.contains(&number) {
                draft.part(Owner::Notes(number), |draft| {
                    self.notes(draft, number, test, scope)
                });
            }
        }
        draft
    }

    /// Returns the `allow` attribute of generated items.
    fn allow(&self) -> String {
        let lints: Vec<&str> = ALLOWED
            .into_iter()
            .chain(self.dropped.lints.iter().map(String::as_str))
            .collect();
        format!("#[allow({})]", lints.join(", "))
    }

    /// Returns whether a candidate is left out.
    pub(crate) fn is_dropped(&self, candidate: usize) -> bool {
        let target = &self.made.targets[self.made.all[candidate].target];
        self.dropped.candidates.contains_key(&candidate)
            || self.dropped.unfit.contains(&candidate)
            || self.dropped.tables.contains_key(&target.table)
    }

    fn table(&self, draft: &mut OwnedText<Owner>, number: usize) {
        let table = &self.made.tables[number];
        let (allow, types) = (self.allow(), as_tuple(&table.kept_types));
        draft.part(Owner::Table(number), |draft| {
            let _ = writeln!(
                draft.text,
                "{allow} fn situ_arguments_{number}(row: usize) -> {types} {{ match row {{"
            );
            for (at, row) in table
                .rows
                .iter()
                .enumerate()
                .filter(|(_, row)| row.refused.is_none())
            {
                let values = as_tuple(&row.kept);
                draft.part(Owner::Row(number, at), |draft| {
                    let _ = writeln!(draft.text, "{at} => {values},");
                });
            }
            draft
                .text
                .push_str("_ => panic!(\"there is no such row\") } }\n");
        });
    }

    fn candidate(&self, draft: &mut OwnedText<Owner>, number: usize, target: &Target) {
        let studied = &self.material.tests[target.test];
        let table = target.table;
        let replaced = target.replaced(|at| format!("situ_{at}"));
        let names: Vec<String> = replaced.iter().map(|(_, name)| name.clone()).collect();
        let copy = Copy {
            text: studied.test.text(),
            scope: self.material.scope(target),
            call: self.material.call(target),
            replaced: &replaced,
            chosen: &[self.made.all[number].assertion],
            reached: "self::situ_support::reached();",
            looking: &self.material.looking,
            mending: &Mending::default(),
        };
        let statements = copy.statements().unwrap_or_default().join("\n");
        let (head, name) = (
            self.head(target.test, "situ_copy_", number),
            as_tuple(&names),
        );
        let _ = write!(
            draft.text,
            "{head} {{ let {name} = situ_arguments_{table}(self::situ_support::row());\n{statements}\n}}\n"
        );
        let rows = self.material.rows_of(self.made, target);
        let shown = (0..names.len())
            .map(|at| format!("(&Shown(&situ.{at})).shown()"))
            .collect::<Vec<_>>()
            .join(", ");
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
        let (allow, conditions) = (self.allow(), conditions.join(" "));
        let _ = writeln!(
            draft.text,
            "{allow} {conditions} #[test] fn {TRIAL}{number}() {{ use self::situ_support::*; try_rows(&{rows:?}, |row| {{ let situ = \
             situ_arguments_{table}(row); [{shown}] }}, || {{ {run}; }}); }}"
        );
    }

    /// Returns the attributes and signature of a copy of a test. A plain `#[test]` becomes a
    /// function.
    pub(crate) fn head(&self, test: usize, prefix: &str, number: usize) -> String {
        let test = &self.material.tests[test].test;
        let attributes = test
            .running_attributes()
            .filter(|attribute| !(test.is_plain() && attribute.path().is_ident("test")));
        let attributes: Vec<&str> = attributes
            .map(|attribute| &test.text()[byte_range(attribute)])
            .collect();
        let signature = &test.item.sig;
        let (start, name) = (byte_range(signature), byte_range(&signature.ident));
        let before = &test.text()[start.start..name.start];
        let behind = &test.text()[name.end..start.end];
        format!(
            "{} {} {before}{prefix}{number}{behind}",
            self.allow(),
            attributes.join(" ")
        )
    }
}

fn as_tuple(parts: &[String]) -> String {
    match parts {
        [only] => format!("({only},)"),
        many => format!("({})", many.join(", ")),
    }
}
