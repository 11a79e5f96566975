//! Secrecy of an expression's value, judged by the names in it.

use super::places::inline_names;
use super::walk::Walk;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use situ_recorder::secret::Secrecy;
use syn::{Expr, ExprLit, Lit, Member};

/// Methods that return their receiver or a part of it.
const PASSING: [&str; 28] = [
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_ref",
    "as_str",
    "borrow",
    "chars",
    "clone",
    "cloned",
    "copied",
    "expect",
    "expose_secret",
    "into",
    "into_bytes",
    "into_inner",
    "into_string",
    "lock",
    "map_err",
    "ok",
    "ok_or",
    "ok_or_else",
    "to_owned",
    "to_str",
    "to_string",
    "to_vec",
    "trim",
    "unwrap",
    "unwrap_or_default",
];

/// Functions and methods that look up a value by its name.
const LOOKUPS: [&str; 12] = [
    "entry",
    "get",
    "get_mut",
    "get_one",
    "get_string",
    "header",
    "header_str",
    "remove",
    "value_of",
    "var",
    "var_os",
    "var_string",
];

impl Walk<'_, '_> {
    /// Returns the secrecy of an expression's value. A value that only mentions a secret is derived
    /// from it.
    pub(super) fn secrecy_of(&self, expression: &Expr) -> Secrecy {
        let mut names = Vec::new();
        names_in(expression.to_token_stream(), &mut names);
        let mentioned = names
            .iter()
            .map(|name| self.secrecy_of_name(name))
            .max()
            .unwrap_or_default();
        mentioned
            .of_what_is_made()
            .max(self.secrecy_of_itself(expression))
    }

    fn secrecy_of_name(&self, name: &str) -> Secrecy {
        let variable = self
            .scope
            .get(name)
            .map_or(Secrecy::None, |variable| variable.secrecy);
        self.planner.secrecy(name).max(variable)
    }

    /// Returns the secrecy of an expression that itself has a name: a variable, a field, the result
    /// of a function, or a lookup by name.
    pub(super) fn secrecy_of_itself(&self, expression: &Expr) -> Secrecy {
        match expression {
            Expr::Reference(inner) => self.secrecy_of_itself(&inner.expr),
            Expr::Paren(inner) => self.secrecy_of_itself(&inner.expr),
            Expr::Group(inner) => self.secrecy_of_itself(&inner.expr),
            Expr::Try(inner) => self.secrecy_of_itself(&inner.expr),
            Expr::Await(inner) => self.secrecy_of_itself(&inner.base),
            Expr::Unary(inner) => self.secrecy_of_itself(&inner.expr),
            Expr::Path(path) => path.path.get_ident().map_or(Secrecy::None, |name| {
                self.secrecy_of_name(&name.to_string())
            }),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => self.planner.secrecy(&name.to_string()),
                Member::Unnamed(_) => self.secrecy_of_itself(&field.base),
            },
            Expr::Index(index) => self.of_literal(&index.index),
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return Secrecy::None;
                };
                let name = path
                    .path
                    .segments
                    .last()
                    .map(|last| last.ident.to_string())
                    .unwrap_or_default();
                let looked_up = if LOOKUPS.contains(&name.as_str()) {
                    call.args.first()
                } else {
                    None
                };
                self.planner
                    .secrecy(&name)
                    .max(looked_up.map_or(Secrecy::None, |key| self.of_literal(key)))
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if PASSING.contains(&name.as_str()) {
                    return self.secrecy_of_itself(&call.receiver);
                }
                let looked_up = if LOOKUPS.contains(&name.as_str()) {
                    call.args.first()
                } else {
                    None
                };
                self.planner
                    .secrecy(&name)
                    .max(looked_up.map_or(Secrecy::None, |key| self.of_literal(key)))
            }
            _ => Secrecy::None,
        }
    }

    /// Returns the secrecy of the value under a literal key.
    fn of_literal(&self, key: &Expr) -> Secrecy {
        match key {
            Expr::Reference(inner) => self.of_literal(&inner.expr),
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => self.planner.secrecy(&text.value()),
            _ => Secrecy::None,
        }
    }
}

/// Collects the names of variables, fields, methods and functions, including those in format
/// strings. Skips modules and types, which are named after their topic: `auth::parse` returns no
/// secret.
fn names_in(tokens: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                let is_prefix = is_punct(at + 1, ':') && is_punct(at + 2, ':');
                let name = name.to_string();
                let is_type =
                    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
                if !is_prefix && !is_type {
                    names.push(name);
                }
            }
            TokenTree::Group(group) => {
                let is_macro =
                    at > 0 && is_punct(at - 1, '!') && group.delimiter() != Delimiter::None;
                if is_macro {
                    names.extend(
                        group
                            .stream()
                            .into_iter()
                            .flat_map(|token| inline_names_of(&token)),
                    );
                }
                names_in(group.stream(), names);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn inline_names_of(token: &TokenTree) -> Vec<String> {
    let TokenTree::Literal(literal) = token else {
        return Vec::new();
    };
    match Lit::new(literal.clone()) {
        Lit::Str(text) => inline_names(&text.value()),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let mut names = Vec::new();
        names_in(source.parse().unwrap(), &mut names);
        names
    }

    #[test]
    fn names_are_those_of_values_also_in_format_strings() {
        assert_eq!(
            names("format!(\"{a} {{b}} {c:?}\", d)"),
            ["format", "a", "c", "d"]
        );
        assert_eq!(
            names("auth::parse(Session::new(x.token), LIMIT)"),
            ["parse", "new", "x", "token", "LIMIT"]
        );
    }
}
