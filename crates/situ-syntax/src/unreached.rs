//! Detection of tests in places where nothing can be executed: types, patterns, attributes, items
//! in a function's body. Each is a mistake, because it would otherwise be dropped silently.

use crate::grammar::{Kind, kind_of_macro};
use crate::mistakes::Mistakes;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use std::ptr;
use syn::visit::Visit;
use syn::{Block, Item, Macro, Stmt};

/// The macro calls that a walk visited, by address: a compiler's spans cannot be compared.
#[derive(Default)]
pub struct Reached(HashSet<*const Macro>);

impl Reached {
    /// Notes that a walk visited this call.
    pub fn add(&mut self, call: &Macro) {
        self.0.insert(ptr::from_ref(call));
    }
}

/// Adds a mistake for each test of an item that a walk did not visit.
pub fn add_unreached(item: &Item, reached: &Reached, mistakes: &mut Mistakes) {
    Unreached {
        reached,
        mistakes,
        in_item_of_body: false,
    }
    .visit_item(item);
}

/// Adds a mistake for each test among the tokens of another macro.
pub fn add_hidden(tokens: &TokenStream, mistakes: &mut Mistakes) {
    for_each_call(tokens, &mut |name| {
        let message = format!(
            "this `{name}!` would never run, because it stands inside another macro's tokens; move it out of them"
        );
        mistakes.add(name.span(), message);
    });
}

fn for_each_call(tokens: &TokenStream, on_call: &mut dyn FnMut(&Ident)) {
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Group(group) => for_each_call(&group.stream(), on_call),
            TokenTree::Ident(name) => {
                let is_call =
                    matches!(trees.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
                if is_call && Kind::named(&name).is_some() {
                    on_call(&name);
                }
            }
            _ => {}
        }
    }
}

struct Unreached<'r> {
    reached: &'r Reached,
    mistakes: &'r mut Mistakes,
    in_item_of_body: bool,
}

impl Unreached<'_> {
    fn add(&mut self, name: &Ident) {
        let message = if self.in_item_of_body {
            "a test inside an item of a function body is never run; move that item out of the function".to_owned()
        } else {
            format!(
                "this `{name}!` would never run: it stands in a type, a pattern or an attribute; move it into a function's body"
            )
        };
        self.mistakes.add(name.span(), message);
    }
}

impl<'ast> Visit<'ast> for Unreached<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        let around = self.in_item_of_body;
        for statement in &block.stmts {
            // The tests of an inner function are run.
            self.in_item_of_body =
                around || matches!(statement, Stmt::Item(item) if !matches!(item, Item::Fn(_)));
            self.visit_stmt(statement);
        }
        self.in_item_of_body = around;
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if self.reached.0.contains(&ptr::from_ref(call)) {
            return;
        }
        match (kind_of_macro(call), call.path.segments.last()) {
            (Some(_), Some(name)) => self.add(&name.ident),
            _ => add_hidden(&call.tokens, self.mistakes),
        }
    }

    /// Visits arguments of attributes, and syntax that the parser does not know.
    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        for_each_call(tokens, &mut |name| self.add(name));
    }
}
