//! Removal of tests from code: empty calls remain in the user's item, nothing in a test's own copy.

use crate::grammar::{Kind, is_test_statement, kind_of_macro};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMacro, Macro, Stmt, StmtMacro};

/// Returns whether tokens mention a test macro. This quick check spares most items the parsing.
pub fn mentions_test(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => mentions_test(&group.stream()),
        TokenTree::Ident(name) => Kind::named(&name).is_some(),
        _ => false,
    })
}

/// A visitor that empties every test call, so that the import of its macro stays used.
pub struct EmptyTests;

/// Empties test calls inside the tokens of another macro.
fn empty_in_tokens(tokens: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    for at in 0..trees.len() {
        let is_call = at >= 2
            && matches!(&trees[at - 1], TokenTree::Punct(punct) if punct.as_char() == '!')
            && matches!(&trees[at - 2], TokenTree::Ident(name) if Kind::named(name).is_some());
        if let TokenTree::Group(group) = &trees[at] {
            let inner = if is_call {
                TokenStream::new()
            } else {
                empty_in_tokens(group.stream())
            };
            let mut emptied = Group::new(group.delimiter(), inner);
            emptied.set_span(group.span());
            trees[at] = TokenTree::Group(emptied);
        }
    }
    trees.into_iter().collect()
}

impl VisitMut for EmptyTests {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            // As a value it would be `()`, which is another error.
            Expr::Macro(call) if kind_of_macro(&call.mac).is_some() => {
                *expression = syn::parse_quote!(())
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if mentions_test(&call.tokens) {
            call.tokens = empty_in_tokens(std::mem::take(&mut call.tokens));
        }
    }

    fn visit_stmt_macro_mut(&mut self, statement: &mut StmtMacro) {
        if kind_of_macro(&statement.mac).is_some() {
            statement.mac.tokens = TokenStream::new();
            statement.semi_token.get_or_insert_with(Default::default);
        } else {
            visit_mut::visit_stmt_macro_mut(self, statement);
        }
    }
}

/// A visitor that turns a test at the end of a block, which parses as its value, into a statement.
pub struct TestsAreStatements;

impl VisitMut for TestsAreStatements {
    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Expr(Expr::Macro(call), None) = statement
            && kind_of_macro(&call.mac).is_some()
        {
            let ExprMacro { attrs, mac } = call.clone();
            *statement = Stmt::Macro(StmtMacro {
                attrs,
                mac,
                semi_token: None,
            });
            return;
        }
        visit_mut::visit_stmt_mut(self, statement);
    }
}

/// A visitor that removes every test call.
pub struct RemoveTests;

impl VisitMut for RemoveTests {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block
            .stmts
            .retain(|statement| !is_test_statement(statement));
        visit_mut::visit_block_mut(self, block);
    }
}

/// A visitor that finds every test call.
#[derive(Default)]
pub struct TestsIn {
    /// The names of their macros.
    pub spans: Vec<Span>,
}

impl<'ast> Visit<'ast> for TestsIn {
    fn visit_macro(&mut self, call: &'ast Macro) {
        if kind_of_macro(call).is_some() {
            self.spans
                .extend(call.path.segments.last().map(|name| name.ident.span()));
        }
        visit::visit_macro(self, call);
    }
}
