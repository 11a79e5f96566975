//! An open document and the tests in it.

use super::place::{LineStarts, path_of};
use gen_lsp_types::{Range, Uri};
use situ_engine::programs::catalog::{Catalog, Kind, Listed};
use situ_engine::source::SourceError;
use std::path::{Path, PathBuf};

/// A document that the editor has open.
pub struct Document {
    /// The path relative to the workspace root.
    pub path: PathBuf,
    pub text: String,
    pub lines: LineStarts,
    /// Whether the document has unsaved changes.
    pub is_changed: bool,
    /// The tests, from the last version of the document that could be parsed.
    pub tests: Vec<Listed>,
    /// Mistakes in the tests, each as a line number and a message.
    pub mistakes: Vec<(usize, String)>,
}

impl Document {
    /// Creates a document. Returns `None` if the URI is no file of the workspace.
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

    /// Replaces the content. While it cannot be parsed, the previous tests stay.
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

    /// Returns the in-situ tests.
    pub fn in_situ(&self) -> impl Iterator<Item = &Listed> {
        self.tests.iter().filter(|test| test.kind.is_in_situ())
    }

    pub fn theories(&self) -> impl Iterator<Item = &Listed> {
        self.tests.iter().filter(|test| test.kind == Kind::Theory)
    }

    /// Returns the range of a line, counted from one, without its indentation.
    pub fn line_range(&self, line: usize) -> Range {
        self.lines.line_range(&self.text, line)
    }

    /// Converts a byte range of the content into a protocol range.
    pub fn range_of(&self, bytes: std::ops::Range<usize>) -> Range {
        self.lines.range_of(&self.text, bytes)
    }

    /// Formats a line as `file:line`, as the command's options take it.
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
