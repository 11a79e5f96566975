//! An open text and the tests in it.

use super::place::{LineStarts, path_of};
use gen_lsp_types::{Range, Uri};
use situ_engine::programs::catalog::{Catalog, Kind, Listed};
use situ_engine::source::SourceError;
use std::path::{Path, PathBuf};

/// A text that the editor has open.
pub struct Document {
    /// Where it is saved, from the workspace's root.
    pub path: PathBuf,
    pub text: String,
    /// Where its lines start.
    pub lines: LineStarts,
    /// Whether it differs from what is saved.
    pub is_changed: bool,
    /// The tests, as long as the text could be read the last time.
    pub tests: Vec<Listed>,
    /// What is wrong with the tests: line and words.
    pub mistakes: Vec<(usize, String)>,
}

impl Document {
    /// A text that was opened; none where it is no file of the workspace.
    pub fn open(root: &Path, uri: &Uri, text: String) -> Option<Document> {
        let path = path_of(uri)?.strip_prefix(root).ok()?.to_path_buf();
        let mut document = Document {
            path,
            text: String::new(),
            lines: LineStarts::of(""),
            is_changed: false,
            tests: Vec::new(),
            mistakes: Vec::new(),
        };
        document.set(text);
        Some(document)
    }

    /// A new state of the text. While somebody is typing, what was known stays.
    pub fn set(&mut self, text: String) {
        match Catalog::of_text(&self.path, &text) {
            Ok(catalog) => {
                if catalog.mistakes.is_empty() {
                    self.tests = catalog.tests;
                }
                self.mistakes = catalog
                    .mistakes
                    .into_iter()
                    .map(|(_, line, said)| (line, said))
                    .collect();
            }
            Err(error @ SourceError::TooDeep { line, .. }) => {
                self.mistakes = vec![(line, error.to_string())]
            }
            Err(_) => {}
        }
        self.lines = LineStarts::of(&text);
        self.text = text;
    }

    /// The tests that stand in the code they check.
    pub fn in_situ(&self) -> impl Iterator<Item = &Listed> {
        self.tests.iter().filter(|test| test.kind.is_in_situ())
    }

    /// The theories.
    pub fn theories(&self) -> impl Iterator<Item = &Listed> {
        self.tests.iter().filter(|test| test.kind == Kind::Theory)
    }

    /// A whole line, counted from one, without what it is indented by.
    pub fn line_range(&self, line: usize) -> Range {
        self.lines.line_range(&self.text, line)
    }

    /// A piece of the text.
    pub fn range_of(&self, bytes: std::ops::Range<usize>) -> Range {
        self.lines.range_of(&self.text, bytes)
    }

    /// A place as the command takes it.
    pub fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn document(text: &str) -> Document {
        let uri = Uri("file:///w/src/lib.rs".to_owned());
        Document::open(Path::new("/w"), &uri, text.to_owned()).unwrap()
    }

    #[test]
    fn what_was_known_stays_while_somebody_types() {
        let good = "#[situ]\nfn f(x: u8) -> u8 {\n    let y = x;\n    itest!(given(x = 1), check_eq(y, 1));\n    y\n}\n";
        let mut document = document(good);
        assert_eq!(document.in_situ().count(), 1);
        document.set(good.replace("let y", "let y ="));
        assert_eq!(document.in_situ().count(), 1);
        document.set(good.replace("check_eq", "chek_eq"));
        assert_eq!(document.mistakes.len(), 1);
        assert!(
            Document::open(
                Path::new("/w"),
                &Uri("file:///other/a.rs".to_owned()),
                String::new()
            )
            .is_none()
        );
    }
}
