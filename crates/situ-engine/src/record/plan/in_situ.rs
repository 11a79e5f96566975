//! The in-situ tests in code that is instrumented: they stay where they are, and belong to nobody's text.

use crate::source::{SourceFile, byte_range};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Stmt};

/// Tests of fragments count statements, so none may be added beside them.
pub fn has_fragment_tests(block: &Block) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            self.0 |= matches!(name.as_str(), "blocktest" | "closuretest" | "endtest");
        }
    }
    let mut search = Search(false);
    search.visit_block(block);
    search.0
}

/// Is the macro call an in-situ test?
fn is_test_call(call: &syn::Macro) -> bool {
    let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    matches!(name.as_str(), "itest" | "blocktest" | "closuretest" | "endtest")
}

/// An in-situ test of any kind.
pub fn is_test(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(call) if is_test_call(&call.mac))
}

/// The bytes of the in-situ tests of a file, in order.
pub fn tests_of(file: &SourceFile) -> Vec<Range<usize>> {
    struct Search(Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_stmt(&mut self, statement: &'ast Stmt) {
            match is_test(statement) {
                true => self.0.push(byte_range(statement)),
                false => visit::visit_stmt(self, statement),
            }
        }
    }
    let mut search = Search(Vec::new());
    if file.text.contains("test!") {
        search.visit_file(&file.tree);
    }
    search.0
}

/// An in-situ test of the statement before it, which must stay right behind it.
pub fn is_inline_test(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "itest"))
}
