//! In-situ tests in instrumented code: they are removed, unless the tests themselves are recorded.

use crate::source::{SourceFile, byte_range, parse};
use situ_syntax::{Kind, is_test_statement, kind_of_macro};
use std::ops::Range;
use syn::Stmt;
use syn::visit::{self, Visit};

/// Blanks out the in-situ tests of files. A test would copy its fragment together with the inserted
/// probes, which make no sense there, and values that a test passes to a statement were not
/// computed by the program. Every other byte keeps its position.
pub fn as_watched(mut files: Vec<SourceFile>) -> Vec<SourceFile> {
    for file in &mut files {
        if let Some((text, tree)) = without_tests(file) {
            (file.text, file.tree) = (text, tree);
        }
    }
    files
}

/// Returns text and tree of a file with its tests blanked out, or `None` if there are none.
fn without_tests(file: &SourceFile) -> Option<(String, syn::File)> {
    let tests = tests_of(file);
    if tests.is_empty() {
        return None;
    }
    let mut bytes = file.text.clone().into_bytes();
    for test in tests {
        bytes[test]
            .iter_mut()
            .filter(|byte| !matches!(**byte, b'\n' | b'\r'))
            .for_each(|byte| *byte = b' ');
    }
    let text = String::from_utf8(bytes).ok()?;
    let tree = parse(&text).ok()?;
    Some((text, tree))
}

/// Returns the byte ranges of the in-situ tests of a file, in order.
fn tests_of(file: &SourceFile) -> Vec<Range<usize>> {
    struct Search(Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_stmt(&mut self, statement: &'ast Stmt) {
            if is_test_statement(statement) {
                self.0.push(byte_range(statement));
            } else {
                visit::visit_stmt(self, statement);
            }
        }
    }
    let mut search = Search(Vec::new());
    if file.text.contains("test!") {
        search.visit_file(&file.tree);
    }
    search.0
}

/// Returns whether a statement is an `itest!`. It refers to the statement before it or the header
/// around it, so nothing must be inserted in between while tests are observed.
pub(super) fn is_inline_test(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(call) if kind_of_macro(&call.mac) == Some(Kind::Inline))
}
