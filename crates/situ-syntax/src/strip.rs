//! Takes the tests out of code: leaving empty calls in the user's item, and nothing in a test's own copy.

use crate::grammar::{kind_of_macro, test_of_statement};
use proc_macro2::{Span, TokenStream};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Macro, StmtMacro};

/// Empties every test call, so that the import of its macro stays used.
pub struct EmptyTests;

impl VisitMut for EmptyTests {
    fn visit_stmt_macro_mut(&mut self, statement: &mut StmtMacro) {
        if kind_of_macro(&statement.mac).is_some() {
            statement.mac.tokens = TokenStream::new();
        }
    }
}

/// Removes every test call.
pub struct RemoveTests;

impl VisitMut for RemoveTests {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| test_of_statement(statement).is_none());
        visit_mut::visit_block_mut(self, block);
    }
}

/// Finds every test call, wherever it stands.
#[derive(Default)]
pub struct TestsIn {
    /// The names of their macros.
    pub spans: Vec<Span>,
}

impl<'ast> Visit<'ast> for TestsIn {
    fn visit_macro(&mut self, call: &'ast Macro) {
        if kind_of_macro(call).is_some() {
            self.spans.extend(call.path.segments.last().map(|name| name.ident.span()));
        }
        visit::visit_macro(self, call);
    }
}
