//! How tests ended when they were run last, shown as diagnostics where they failed.

use super::document::Document;
use gen_lsp_types::{Diagnostic, DiagnosticSeverity};
use serde_json::Value;
use situ_engine::programs::catalog::Listed;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The outcomes of tests by file and name; what was said of those that failed. Lines move while somebody types, names do not.
#[derive(Default)]
pub struct Outcomes {
    known: BTreeMap<PathBuf, HashMap<String, Option<Rc<str>>>>,
}

/// What a run came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Outcomes {
    /// Takes the lines that `cargo situ test --json` has printed.
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
                // Nothing was checked.
                _ => {
                    counts.skipped += 1;
                    self.forget(Path::new(file), name);
                }
            }
        }
        counts
    }

    /// How a test ended: with what it said, if it failed.
    pub fn set(&mut self, file: &Path, name: &str, failure: Option<String>) {
        let failure: Option<Rc<str>> = failure.map(Rc::from);
        let known = self.known.entry(file.to_path_buf()).or_default();
        known.extend(endings(name).map(|ending| (ending.to_owned(), failure.clone())));
    }

    /// Nothing is known of a test any more.
    fn forget(&mut self, file: &Path, name: &str) {
        let known = self.known.entry(file.to_path_buf()).or_default();
        endings(name).for_each(|ending| drop(known.remove(ending)));
    }

    fn of(&self, document: &Document, test: &Listed) -> Option<&Option<Rc<str>>> {
        self.known.get(&document.path)?.get(&test.name)
    }

    /// A mark before the title of a lens.
    pub fn mark(&self, document: &Document, test: &Listed) -> &'static str {
        match self.of(document, test) {
            Some(None) => "✓ ",
            Some(Some(_)) => "✗ ",
            None => "",
        }
    }

    /// The tests of a document that failed.
    pub fn failing<'d>(&self, document: &'d Document) -> Vec<&'d Listed> {
        document
            .tests
            .iter()
            .filter(|test| matches!(self.of(document, test), Some(Some(_))))
            .collect()
    }

    /// What is wrong in a document: mistakes in its tests, and tests that failed.
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

/// A name without its first modules, from none of them to all. The runner's name starts with the modules around the file, which a
/// document does not know.
fn endings(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| {
        name.split_once("::").map(|(_, inner)| inner)
    })
}

/// An error at a line.
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
