//! Trial tests: one for each call, beside the existing tests of its file, in a copy of the workspace.

use crate::base::diagnostics::Diagnostic;
use crate::cargo::workspace::Workspace;
use crate::programs::program::Program;
use crate::source::{Splice, apply};
use crate::trial::compile::{self, Build};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How trial tests are called, before their number.
pub(crate) const NAME: &str = "situ_improving_";

/// Rounds of compiler errors before the rest is given up.
const MAX_ROUNDS: usize = 12;

/// Where the tests of a function stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Home {
    pub file: PathBuf,
    /// The byte that new tests go to.
    pub at: usize,
    /// Whether a module has to be made there.
    pub is_new: bool,
}

/// A trial test.
#[derive(Clone, Debug)]
pub(crate) struct TrialTest {
    pub home: Home,
    /// A part of the message that it panics with, where it has to panic.
    pub panic: Option<String>,
    pub body: String,
}

/// Trial tests by their numbers.
pub(crate) struct TrialTests {
    tests: BTreeMap<usize, TrialTest>,
}

/// A copy of the workspace with trial tests that compile.
pub(crate) struct BuiltTrials {
    pub mirror: Workspace,
    pub programs: Vec<Program>,
}

impl TrialTests {
    pub(crate) fn of(tests: Vec<TrialTest>) -> TrialTests {
        TrialTests {
            tests: tests.into_iter().enumerate().collect(),
        }
    }

    /// Builds them, without those that the compiler rejects; nothing where none is left.
    pub(crate) fn built(
        mut self,
        workspace: &Workspace,
        folder: &str,
    ) -> Result<Option<BuiltTrials>> {
        for _ in 0..MAX_ROUNDS {
            if self.tests.is_empty() {
                return Ok(None);
            }
            let files = self.files(workspace)?;
            let mirror = workspace.mirror(folder, &files)?;
            let Build {
                errors, programs, ..
            } = compile::build(&mirror)?;
            if errors.is_empty() {
                return Ok(Some(BuiltTrials { mirror, programs }));
            }
            let rejected = rejected(&errors, &files);
            if rejected.is_empty() {
                return Ok(None);
            }
            self.tests.retain(|number, _| !rejected.contains(number));
        }
        Ok(None)
    }

    fn files(&self, workspace: &Workspace) -> Result<Vec<(PathBuf, String)>> {
        let mut by_file: BTreeMap<&Path, BTreeMap<&Home, String>> = BTreeMap::new();
        for (number, TrialTest { home, panic, body }) in &self.tests {
            let attributes = attributes(panic.as_deref(), "");
            let text = format!("\n{attributes}fn {NAME}{number}() {{ {body} }}\n");
            by_file
                .entry(&home.file)
                .or_default()
                .entry(home)
                .or_default()
                .push_str(&text);
        }
        let mut files = Vec::new();
        for (path, homes) in by_file {
            let splices: Vec<Splice> = homes
                .into_iter()
                .map(|(home, tests)| Splice {
                    range: home.at..home.at,
                    text: in_module(home, &tests),
                })
                .collect();
            files.push((path.to_path_buf(), apply(&workspace.read(path)?, &splices)));
        }
        Ok(files)
    }
}

/// The attributes of a test, a line each.
pub(crate) fn attributes(panic: Option<&str>, indent: &str) -> String {
    match panic {
        Some(message) => {
            format!("{indent}#[test]\n{indent}#[should_panic(expected = {message:?})]\n")
        }
        None => format!("{indent}#[test]\n"),
    }
}

/// Tests in the module that their home needs.
pub(crate) fn in_module(home: &Home, tests: &str) -> String {
    match home.is_new {
        true => format!("\n#[cfg(test)]\nmod tests {{\nuse super::*;\n{tests}}}\n"),
        false => tests.to_owned(),
    }
}

/// The number of a trial test, by its name in a program.
pub(crate) fn number(test: &str) -> Option<usize> {
    test.rsplit_once(NAME)?.1.parse().ok()
}

/// The tests that errors point into.
fn rejected(errors: &[Diagnostic], files: &[(PathBuf, String)]) -> BTreeSet<usize> {
    let spans = errors.iter().flat_map(Diagnostic::all_spans);
    let numbers = spans.filter_map(|span| {
        let (_, text) = files
            .iter()
            .find(|(path, _)| Path::new(&span.file_name).ends_with(path))?;
        let before = text.get(..span.byte_start)?;
        let start = before.rfind(NAME)? + NAME.len();
        // An error behind the last test belongs to none.
        let digits: String = text[start..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let is_inside = !before[start..].contains("\n}") && before[start..].lines().count() <= 3;
        is_inside.then(|| digits.parse().ok())?
    });
    numbers.collect()
}
