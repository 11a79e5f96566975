//! The names that code mentions as variables, also inside macros and format strings.

use crate::grammar::kind_of_macro;
use crate::macros::{Arguments, format_names, string_literals};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath, Item, Macro, PatIdent, Stmt};

/// Names with the first place where each is mentioned.
#[derive(Default)]
pub struct Mentions {
    /// Names used in expressions.
    pub used: HashMap<String, Ident>,
    /// Names bound by patterns.
    pub bound: HashMap<String, Ident>,
}

impl Mentions {
    /// Returns whether the name occurs at all.
    pub fn has(&self, name: &str) -> bool {
        self.used.contains_key(name) || self.bound.contains_key(name)
    }
}

/// Returns whether a statement mentions one of these names.
pub fn mentions_any(statement: &Stmt, names: &HashSet<String>) -> bool {
    if names.is_empty() {
        return false;
    }
    let mentions = mentions_of(|mentions| mentions.visit_stmt(statement));
    names.iter().any(|name| mentions.has(name))
}

/// Returns the names that a piece of code mentions.
pub fn mentions_of(visit: impl FnOnce(&mut Mentions)) -> Mentions {
    let mut mentions = Mentions::default();
    visit(&mut mentions);
    mentions
}

impl Mentions {
    /// Adds every identifier of tokens that only their macro understands.
    pub fn tokens(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => drop(self.used.entry(name.to_string()).or_insert(name)),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Verbatim(tokens) => self.tokens(tokens.clone()),
            other => visit::visit_expr(self, other),
        }
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
            self.used
                .entry(name.to_string())
                .or_insert_with(|| name.clone());
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.bound
            .entry(pattern.ident.to_string())
            .or_insert_with(|| pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if kind_of_macro(call).is_some() {
            return;
        }
        let arguments = Arguments::of(call);
        match &arguments {
            Some(arguments) => {
                arguments
                    .expressions()
                    .into_iter()
                    .for_each(|expression| Visit::visit_expr(self, expression));
                arguments
                    .pattern()
                    .into_iter()
                    .for_each(|pattern| Visit::visit_pat(self, pattern));
            }
            None => self.tokens(call.tokens.clone()),
        }
        for literal in string_literals(call) {
            let is_free = |name: &String| {
                !arguments
                    .as_ref()
                    .is_some_and(|arguments| arguments.names(name))
            };
            for name in format_names(&literal.value()).into_iter().filter(is_free) {
                self.used
                    .entry(name.clone())
                    .or_insert_with(|| Ident::new(&name, literal.span()));
            }
        }
    }

    // An item inside a function does not see its variables.
    fn visit_item(&mut self, _item: &'ast Item) {}
}
