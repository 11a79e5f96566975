//! The in-situ tests in code that is instrumented: they stay where they are, and belong to nobody's text.

use super::Wanted;
use crate::source::{SourceFile, byte_range, parse};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Stmt};

/// Tests of fragments count statements and look into what they are about, so nothing may be added beside them.
fn has_fragment_tests(block: &Block) -> bool {
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

fn has_types(generics: &syn::Generics) -> bool {
    generics.type_params().next().is_some() || generics.const_params().next().is_some()
}

/// Files as they are watched: without the tests of fragments and in generic code, and without any test where fragments are watched
/// themselves. Every other byte stays where it is, so the code is what it was before its tests were there.
pub fn as_watched(mut files: Vec<SourceFile>, wanted: &Wanted) -> Vec<SourceFile> {
    for file in &mut files {
        if let Some((text, tree)) = without_tests(file, wanted.fragments) {
            (file.text, file.tree) = (text, tree);
        }
    }
    files
}

/// The text and tree of a file whose tests are blank; nothing where there are none to take out.
fn without_tests(file: &SourceFile, all: bool) -> Option<(String, syn::File)> {
    struct Search(Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_block(&mut self, block: &'ast Block) {
            match has_fragment_tests(block) {
                true => self.0.push(byte_range(block)),
                false => visit::visit_block(self, block),
            }
        }

        // A test may say what a generic parameter is, and what watches its values would name the parameter there.
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            match has_types(&item.sig.generics) {
                true => self.0.push(byte_range(item)),
                false => visit::visit_item_fn(self, item),
            }
        }

        fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
            match has_types(&item.sig.generics) {
                true => self.0.push(byte_range(item)),
                false => visit::visit_impl_item_fn(self, item),
            }
        }

        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            match has_types(&item.generics) {
                true => self.0.push(byte_range(item)),
                false => visit::visit_item_impl(self, item),
            }
        }
    }
    let mut tests = tests_of(file);
    if !all && !tests.is_empty() {
        let mut blocks = Search(Vec::new());
        blocks.visit_file(&file.tree);
        tests.retain(|test| blocks.0.iter().any(|block| block.contains(&test.start)));
    }
    if tests.is_empty() {
        return None;
    }
    let mut bytes = file.text.clone().into_bytes();
    for test in tests {
        bytes[test].iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    }
    let text = String::from_utf8(bytes).ok()?;
    let tree = parse(&text).ok()?;
    Some((text, tree))
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
