//! The elements that a loop goes over, where they are written in the test: each is a case by itself.

use super::scope::Step;
use super::words::leading_expressions;
use crate::source::byte_range;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::{Expr, Item, Local, Pat, Stmt};

/// Elements of one loop that become scopes.
const MOST_ELEMENTS: usize = 4;

/// Where elements may be written, beside the loop itself.
pub struct Sources<'s> {
    /// The text of the file.
    pub text: &'s str,
    /// What stands before the loop.
    pub before: &'s [Step],
    /// The items beside the test.
    pub beside: &'s [Item],
}

/// One element.
pub struct Element {
    /// What the variables of the loop are then.
    pub given: Vec<Step>,
}

/// Elements that a loop over an array goes over. Of those that only differ in what comes first, one stands for all: the
/// arguments are varied anyway.
pub fn elements(pattern: &Pat, iterated: &Expr, sources: &Sources<'_>) -> Vec<Element> {
    let Some((expressions, is_reference)) = sources.written(iterated, 0) else { return Vec::new() };
    let (pattern, is_reference) = match pattern {
        Pat::Reference(inner) if is_reference => (&*inner.pat, false),
        other => (other, is_reference),
    };
    let mut seen = BTreeSet::new();
    let mut elements = Vec::new();
    for expression in &expressions {
        let mut given = Vec::new();
        if !give(pattern, expression, is_reference, &mut given) || given.is_empty() {
            continue;
        }
        let rest = given[1..].iter().filter_map(|step| match step {
            Step::Given { argument, .. } => Some(sources.text.get(argument.clone())?.to_owned()),
            Step::Statement(_) => None,
        });
        if elements.len() < MOST_ELEMENTS && seen.insert(rest.collect::<Vec<_>>()) {
            elements.push(Element { given });
        }
    }
    elements
}

/// Gives the names of a pattern the parts of an element; says whether every one has its own.
fn give(pattern: &Pat, element: &Expr, is_reference: bool, given: &mut Vec<Step>) -> bool {
    match (pattern, element) {
        (Pat::Wild(_), _) => true,
        (Pat::Type(typed), _) => give(&typed.pat, element, is_reference, given),
        (Pat::Ident(name), _) if name.by_ref.is_none() && name.subpat.is_none() => {
            let mutable = if name.mutability.is_some() { "mut " } else { "" };
            let reference = if is_reference { "&" } else { "" };
            given.push(Step::Given {
                name: name.ident.to_string(),
                binding: format!("let {mutable}{} = {reference}", name.ident),
                argument: byte_range(element),
            });
            true
        }
        (Pat::Tuple(patterns), Expr::Tuple(parts)) if patterns.elems.len() == parts.elems.len() => {
            patterns.elems.iter().zip(&parts.elems).all(|(pattern, part)| give(pattern, part, is_reference, given))
        }
        (Pat::Reference(inner), _) if is_reference => give(&inner.pat, element, false, given),
        (Pat::Reference(inner), Expr::Reference(reference)) => give(&inner.pat, &reference.expr, false, given),
        _ => false,
    }
}

impl Sources<'_> {
    /// The elements that an expression goes over, and whether references to them.
    fn written(&self, iterated: &Expr, depth: usize) -> Option<(Vec<Expr>, bool)> {
        match iterated {
            Expr::Array(array) => Some((array.elems.iter().cloned().collect(), false)),
            Expr::Macro(call) if call.mac.path.is_ident("vec") && !is_repeated(&call.mac.tokens) => {
                Some((leading_expressions(&call.mac.tokens), false))
            }
            Expr::Reference(reference) => self.written(&reference.expr, depth).map(|(all, _)| (all, true)),
            Expr::Paren(inner) => self.written(&inner.expr, depth),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "iter" => self.written(&call.receiver, depth).map(|(all, _)| (all, true)),
                "copied" | "cloned" => self.written(&call.receiver, depth).map(|(all, _)| (all, false)),
                _ => None,
            },
            Expr::Path(path) if depth == 0 => self.named(&path.path.get_ident()?.to_string()),
            _ => None,
        }
    }

    fn named(&self, name: &str) -> Option<(Vec<Expr>, bool)> {
        let of_statement = |step: &Step| match step {
            Step::Statement(Stmt::Local(Local { pat, init: Some(init), .. })) => {
                let pattern = match pat {
                    Pat::Type(typed) => &*typed.pat,
                    other => other,
                };
                match pattern {
                    Pat::Ident(bound) if bound.ident == name && bound.mutability.is_none() => Some((*init.expr).clone()),
                    _ => None,
                }
            }
            Step::Statement(Stmt::Item(item)) => constant(item, name),
            _ => None,
        };
        let found = self.before.iter().rev().find_map(of_statement);
        let found = found.or_else(|| self.beside.iter().find_map(|item| constant(item, name)))?;
        self.written(&found, 1)
    }
}

/// `vec![element; count]`
fn is_repeated(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';'))
}

fn constant(item: &Item, name: &str) -> Option<Expr> {
    match item {
        Item::Const(constant) if constant.ident == name => Some((*constant.expr).clone()),
        Item::Static(constant) if constant.ident == name => Some((*constant.expr).clone()),
        _ => None,
    }
}
