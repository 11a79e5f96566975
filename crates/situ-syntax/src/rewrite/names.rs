//! Renaming of variables, places and constants to their names in a test.

use super::in_arguments;
use crate::macros::{rename_format, string_literals};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprPath, FieldValue, Item, Lifetime, Macro, Pat, PatIdent};

/// Returns whether two expressions have the same tokens.
pub fn same_tokens(a: &impl ToTokens, b: &impl ToTokens) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// A visitor that renames in a copy of user code.
#[derive(Default)]
pub struct Renamer {
    /// `self`, constants and statics.
    pub names: HashMap<String, String>,
    /// Places that are locals of the test.
    pub places: Vec<(Expr, Ident)>,
    /// Lifetimes that the test does not have.
    pub lifetimes: Vec<String>,
    /// Renamed constants in patterns, where the new name would match everything.
    pub in_patterns: Vec<(Span, String)>,
}

impl Renamer {
    /// Returns whether nothing is to be renamed.
    pub fn is_idle(&self) -> bool {
        self.names.is_empty() && self.places.is_empty() && self.lifetimes.is_empty()
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let tree = match tree {
                TokenTree::Group(group) => {
                    let mut renamed =
                        proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                    renamed.set_span(group.span());
                    TokenTree::Group(renamed)
                }
                TokenTree::Ident(name) => {
                    let path = matches!(trees.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == proc_macro2::Spacing::Joint);
                    match self.names.get(&name.to_string()) {
                        Some(new) if !path => TokenTree::Ident(Ident::new(new, name.span())),
                        _ => TokenTree::Ident(name),
                    }
                }
                other => other,
            };
            out.extend([tree]);
        }
        out
    }

    fn strings(&self, call: &mut Macro) {
        let mut renamed: HashMap<String, proc_macro2::Literal> = HashMap::new();
        for literal in string_literals(call) {
            if let Some(new) = rename_format(&literal, &mut |name| self.names.get(name).cloned()) {
                renamed.insert(literal.to_token_stream().to_string(), new.token());
            }
        }
        if renamed.is_empty() {
            return;
        }
        call.tokens = std::mem::take(&mut call.tokens)
            .into_iter()
            .map(|tree| match &tree {
                TokenTree::Literal(literal) => match renamed.get(&literal.to_string()) {
                    Some(new) => {
                        let mut new = new.clone();
                        new.set_span(literal.span());
                        TokenTree::Literal(new)
                    }
                    None => tree,
                },
                _ => tree,
            })
            .collect();
    }
}

impl VisitMut for Renamer {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let stands_for = self
            .places
            .iter()
            .find(|(place, _)| same_tokens(place, expression));
        if let Some((_, local)) = stands_for {
            let local = Ident::new(&local.to_string(), syn::spanned::Spanned::span(expression));
            *expression = super::variable(local);
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident())
            && let Some(new) = self.names.get(&name.to_string())
        {
            let new = Ident::new(new, name.span());
            path.path = new.into();
            return;
        }
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        if field.colon_token.is_none()
            && let syn::Member::Named(name) = &field.member
            && self.names.contains_key(&name.to_string())
        {
            field.colon_token = Some(syn::Token![:](name.span()));
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(PatIdent { ident, .. }) = pattern
            && self.names.contains_key(&ident.to_string())
        {
            self.in_patterns.push((ident.span(), ident.to_string()));
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.lifetimes.iter().any(|name| lifetime.ident == name) {
            lifetime.ident = Ident::new("_", lifetime.ident.span());
        }
    }

    fn visit_label_mut(&mut self, _label: &mut syn::Label) {}
    fn visit_expr_break_mut(&mut self, break_: &mut syn::ExprBreak) {
        if let Some(value) = &mut break_.expr {
            self.visit_expr_mut(value);
        }
    }
    fn visit_expr_continue_mut(&mut self, _continue: &mut syn::ExprContinue) {}

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if self.is_idle() {
            return;
        }
        let before = call.tokens.to_string();
        in_arguments(call, &mut |expression| self.visit_expr_mut(expression));
        if call.tokens.to_string() == before && !self.names.is_empty() {
            call.tokens = self.tokens(std::mem::take(&mut call.tokens));
        }
        self.strings(call);
    }

    // An item inside a function sees none of its variables.
    fn visit_item_mut(&mut self, _item: &mut Item) {}
}
