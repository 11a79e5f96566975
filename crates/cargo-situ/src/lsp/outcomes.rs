//! Outcomes of the last test runs, shown as diagnostics where tests failed.

use super::document::Document;
use gen_lsp_types::{Diagnostic, DiagnosticSeverity};
use serde_json::Value;
use situ_engine::programs::catalog::Listed;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The outcomes of tests by file and name, with the messages of those that failed. The key is not
/// the line, because lines move while the user types.
#[derive(Default)]
pub struct Outcomes {
    known: BTreeMap<PathBuf, HashMap<String, Option<Rc<str>>>>,
}

/// The numbers of passed and failed tests of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Outcomes {
    /// Adds the outcomes from the output of `cargo situ test --json`.
    pub fn take(&mut self, printed: &str) -> Counts {
        let mut counts = Counts::default();
        for line in printed
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let (Some(file), Some(name)) = (line["file"].as_str(), line["name"].as_str()) else {
                continue;
            };
            let said = || {
                line["output"]
                    .as_str()
                    .unwrap_or_default()
                    .trim()
                    .to_owned()
            };
            match line["outcome"].as_str() {
                Some("failed") => {
                    counts.failed += 1;
                    self.set(Path::new(file), name, Some(said()));
                }
                Some("passed") => {
                    counts.passed += 1;
                    self.set(Path::new(file), name, None);
                }
                // The test was ignored or filtered out: it counts as neither.
                _ => {
                    counts.skipped += 1;
                    self.forget(Path::new(file), name);
                }
            }
        }
        counts
    }

    /// Sets the outcome of a test; `failure` is the message of a failed one.
    pub fn set(&mut self, file: &Path, name: &str, failure: Option<String>) {
        let failure: Option<Rc<str>> = failure.map(Rc::from);
        let known = self.known.entry(file.to_path_buf()).or_default();
        known.extend(endings(name).map(|ending| (ending.to_owned(), failure.clone())));
    }

    /// Removes the outcome of a test.
    fn forget(&mut self, file: &Path, name: &str) {
        let known = self.known.entry(file.to_path_buf()).or_default();
        endings(name).for_each(|ending| drop(known.remove(ending)));
    }

    fn of(&self, document: &Document, test: &Listed) -> Option<&Option<Rc<str>>> {
        self.known.get(&document.path)?.get(&test.name)
    }

    /// Returns the outcome's mark for the title of a lens.
    pub fn mark(&self, document: &Document, test: &Listed) -> &'static str {
        match self.of(document, test) {
            Some(None) => "✓ ",
            Some(Some(_)) => "✗ ",
            None => "",
        }
    }

    /// Returns the tests of a document that failed.
    pub fn failing<'d>(&self, document: &'d Document) -> Vec<&'d Listed> {
        document
            .tests
            .iter()
            .filter(|test| matches!(self.of(document, test), Some(Some(_))))
            .collect()
    }

    /// Returns the diagnostics of a document: mistakes in its tests, and failed tests.
    pub fn diagnostics(&self, document: &Document) -> Vec<Diagnostic> {
        let mistakes = document
            .mistakes
            .iter()
            .map(|(line, said)| diagnostic(document, *line, said));
        let failed = document.tests.iter().filter_map(|test| {
            Some(diagnostic(
                document,
                test.line,
                self.of(document, test)?.as_ref()?,
            ))
        });
        mistakes.chain(failed).collect()
    }
}

/// Returns the suffixes of a test name, dropping no module, one module, and so on. The runner's
/// name starts with the modules around the file, which a document does not know.
fn endings(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| {
        name.split_once("::").map(|(_, inner)| inner)
    })
}

/// Creates an error diagnostic at a line.
fn diagnostic(document: &Document, line: usize, said: &str) -> Diagnostic {
    Diagnostic {
        range: document.line_range(line),
        severity: Some(DiagnosticSeverity::Error),
        source: Some("situ".to_owned()),
        message: said.to_owned().into(),
        ..Diagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::document;
    use super::*;

    #[test]
    fn a_test_that_passes_again_is_no_longer_told_of() {
        let document = document("mod tests {\n    #[test]\n    fn adds() {}\n}\n");
        let mut outcomes = Outcomes::default();
        let line = |outcome: &str| {
            format!(
                "{{\"file\":\"src/lib.rs\",\"name\":\"tests::adds\",\"outcome\":\"{outcome}\",\"output\":\"1 is not 2\"}}\n{{\"verb\":\"test\"}}"
            )
        };
        assert_eq!(
            outcomes.take(&line("failed")),
            Counts {
                failed: 1,
                ..Counts::default()
            }
        );
        assert_eq!(outcomes.diagnostics(&document)[0].range.start.line, 2);
        assert_eq!(outcomes.mark(&document, &document.tests[0]), "✗ ");
        assert_eq!(outcomes.failing(&document).len(), 1);
        assert_eq!(
            outcomes.take(&line("skipped")),
            Counts {
                skipped: 1,
                ..Counts::default()
            }
        );
        assert_eq!(outcomes.mark(&document, &document.tests[0]), "");
        outcomes.take(&line("passed"));
        assert!(outcomes.diagnostics(&document).is_empty());
        assert_eq!(outcomes.mark(&document, &document.tests[0]), "✓ ");
    }
}
