//! Expected values to be replaced, by file and test.

use super::Refusal;
use super::expression::{Strings, source_of};
use super::failure::{Failure, failure};
use crate::cargo::workspace::Workspace;
use crate::edit::marks_kept;
use crate::source::{Splice, apply, parse};
use crate::suite::event::Ended;
use anyhow::Result;
use situ_syntax::{Expected, TestFound, inspect};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Test of a file, by its position among all in-situ tests there. Its name and line may change with
/// its expected values.
pub(super) type TestKey = (PathBuf, usize);

/// Oracle of a test, and the number of the case if the test has several.
type OracleKey = (usize, usize, Option<usize>);

/// File with tests whose expected values are replaced.
struct EditedFile {
    before: String,
    tests: Vec<TestFound>,
    /// Replacements in `before`.
    splices: BTreeMap<OracleKey, Replacement>,
    strings: Strings,
}

/// Replacement of an expected value.
#[derive(PartialEq, Eq)]
struct Replacement {
    splice: Splice,
    /// Text with owned strings where the expected value has no example.
    owned: String,
}

/// All expected values to be replaced.
#[derive(Default)]
pub(super) struct Edits {
    files: BTreeMap<PathBuf, EditedFile>,
}

/// Returns the in-situ tests of a text in their order.
fn tests_of(text: &str) -> Vec<TestFound> {
    // A text with mistakes does not compile, and has no failing tests.
    parse(text)
        .ok()
        .and_then(|file| inspect(&file).ok())
        .unwrap_or_default()
}

/// Failed test in a text: its position, and which of its oracles failed, if one did.
struct Located {
    test: usize,
    oracle: Option<(usize, Failure)>,
}

fn locate(ended: &Ended, tests: &[TestFound]) -> Option<Located> {
    let by_oracle = failure(&ended.output).and_then(|failure| {
        tests.iter().enumerate().find_map(|(test, found)| {
            let is_it = |oracle: &situ_syntax::OracleFound| {
                (oracle.line, oracle.column) == (failure.line, failure.column)
            };
            let oracle = found.oracles.iter().position(is_it)?;
            let oracle = Some((oracle, failure.clone()));
            Some(Located { test, oracle })
        })
    });
    by_oracle.or_else(|| {
        let test = tests
            .iter()
            .position(|found| Some(found.line) == ended.line)?;
        Some(Located { test, oracle: None })
    })
}

impl Edits {
    fn file(&mut self, workspace: &Workspace, path: &Path) -> Result<&EditedFile> {
        match self.files.entry(path.to_path_buf()) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let before = workspace.read(path)?;
                Ok(new.insert(EditedFile {
                    tests: tests_of(&before),
                    before,
                    splices: BTreeMap::new(),
                    strings: Strings::default(),
                }))
            }
        }
    }

    /// Returns which test failed, whether it is observed, and whether it failed by an oracle.
    pub(super) fn failed_test(
        &mut self,
        workspace: &Workspace,
        ended: &Ended,
    ) -> Result<Option<(TestKey, bool, bool)>> {
        let Some(path) = ended.file.as_deref().filter(|path| path.is_relative()) else {
            return Ok(None);
        };
        let file = self.file(workspace, path)?;
        let located = locate(ended, &tests_of(&file.text()));
        Ok(located.map(|located| {
            let key = (path.to_path_buf(), located.test);
            let is_observed = file
                .tests
                .get(located.test)
                .is_some_and(|test| test.is_observed);
            (key, is_observed, located.oracle.is_some())
        }))
    }

    /// Replaces the expected value of a failed test with what it found.
    pub(super) fn replace(&mut self, ended: &Ended) -> Result<(), Refusal> {
        let file = ended
            .file
            .as_ref()
            .and_then(|path| self.files.get_mut(path));
        match file {
            Some(file) => file.replace(ended),
            None => Err(Refusal::NoOracle),
        }
    }

    /// Writes strings without an example as owned ones. Returns whether that changes anything.
    pub(super) fn own_strings(&mut self) -> bool {
        let mut changes = false;
        for file in self.files.values_mut() {
            let differs = |one: &Replacement| one.owned != one.splice.text;
            changes |= file.strings != Strings::Owned && file.splices.values().any(differs);
            file.strings = Strings::Owned;
        }
        changes
    }

    /// Returns the number of replaced values.
    pub(super) fn count(&self) -> usize {
        self.files.values().map(|file| file.splices.len()).sum()
    }

    /// Returns which test of the edited text failed.
    pub(super) fn key_of(&self, ended: &Ended) -> Option<TestKey> {
        let path = ended.file.as_ref()?;
        let located = locate(ended, &tests_of(&self.files.get(path)?.text()))?;
        Some((path.clone(), located.test))
    }

    /// Returns the tests with replaced values.
    pub(super) fn tests(&self) -> BTreeSet<TestKey> {
        let keys = self
            .files
            .iter()
            .flat_map(|(path, file)| file.splices.keys().map(|(test, ..)| (path.clone(), *test)));
        keys.collect()
    }

    /// Returns the line of a test in the edited text.
    pub(super) fn line_of(&self, (path, test): &TestKey) -> Option<usize> {
        let tests = tests_of(&self.files.get(path)?.text());
        tests.get(*test).map(|found| found.line)
    }

    /// Returns the changed files, each with its text before and after, with these tests changed.
    pub(super) fn changed(&self, tests: &BTreeSet<TestKey>) -> Vec<(PathBuf, String, String)> {
        let changed = self.files.iter().map(|(path, file)| {
            let takes = |test: usize| tests.contains(&(path.clone(), test));
            (path.clone(), file.before.clone(), file.text_with(&takes))
        });
        changed
            .filter(|(_, before, after)| before != after)
            .collect()
    }
}

impl EditedFile {
    fn text(&self) -> String {
        self.text_with(&|_| true)
    }

    fn text_with(&self, takes: &dyn Fn(usize) -> bool) -> String {
        let splices = self.splices.iter().filter(|((test, ..), _)| takes(*test));
        let splices: Vec<Splice> = splices
            .map(|(_, replacement)| replacement.splice_with(self.strings))
            .collect();
        if splices.is_empty() {
            return self.before.clone();
        }
        marks_kept(&self.before, apply(&self.before, &splices))
    }

    fn replace(&mut self, ended: &Ended) -> Result<(), Refusal> {
        let located = locate(ended, &tests_of(&self.text())).ok_or(Refusal::NoOracle)?;
        let (oracle, failure) = located.oracle.ok_or(Refusal::NoOracle)?;
        let found = self.tests.get(located.test);
        let expected = found.and_then(|test| test.oracles.get(oracle));
        let expected = &expected.ok_or(Refusal::NoOracle)?.expected;
        let (case, splice) = self.splice(expected, &failure)?;
        match self.splices.get(&(located.test, oracle, case)) {
            Some(earlier) if *earlier == splice => Ok(()),
            Some(_) => Err(Refusal::NotStable),
            None => {
                self.splices.insert((located.test, oracle, case), splice);
                Ok(())
            }
        }
    }

    fn splice(
        &self,
        expected: &Expected,
        failure: &Failure,
    ) -> Result<(Option<usize>, Replacement), Refusal> {
        let (case, range) = match expected {
            Expected::Value(range) | Expected::Pattern(range) => (None, range),
            Expected::Cells(cells) => {
                let case = failure.case.ok_or(Refusal::OfCase)?;
                let cell = cells.get(case.saturating_sub(1)).ok_or(Refusal::OfCase)?;
                (Some(case), cell)
            }
            Expected::Name { range, opposite } => {
                let (range, text) = (range.clone(), (*opposite).to_owned());
                let owned = text.clone();
                let splice = Splice { range, text };
                return Ok((None, Replacement { splice, owned }));
            }
            Expected::OfCase => return Err(Refusal::OfCase),
            Expected::Nowhere => return Err(Refusal::NoValue),
        };
        let before = &self.before[range.clone()];
        let source =
            |strings| source_of(&failure.found, before, strings).map_err(Refusal::NotWritable);
        let (text, owned) = (source(Strings::Borrowed)?, source(Strings::Owned)?);
        let range = range.clone();
        let splice = Splice { range, text };
        Ok((case, Replacement { splice, owned }))
    }
}

impl Replacement {
    fn splice_with(&self, strings: Strings) -> Splice {
        match strings {
            Strings::Borrowed => self.splice.clone(),
            Strings::Owned => Splice {
                text: self.owned.clone(),
                range: self.splice.range.clone(),
            },
        }
    }
}
