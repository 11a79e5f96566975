//! What attributes, names and macros say about whether code is to be changed.

use crate::mutate::conditions::needs_test;
use crate::mutate::operators::attributes_of;
use syn::{Attribute, Stmt, Type};

/// Implementations whose behaviour tests rarely pin down: how a value is shown to programmers, and hashes.
pub fn is_dull(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| matches!(last.ident.to_string().as_str(), "Debug" | "Hash" | "Hasher"))
}

pub fn type_name(owner: &Type) -> Option<String> {
    match owner {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}

/// Whether a statement is an in-situ test.
pub fn is_test(statement: &Stmt) -> bool {
    let Stmt::Macro(call) = statement else { return false };
    let name = call.mac.path.segments.last().map(|last| last.ident.to_string());
    matches!(name.as_deref(), Some("itest" | "blocktest" | "closuretest" | "endtest"))
}

pub fn attributes_of_statement(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Macro(call) => &call.attrs,
        Stmt::Expr(expression, _) => attributes_of(expression),
        Stmt::Item(_) => &[],
    }
}

/// Whether an attribute says that its item is no code to change: test code, or marked by the user.
pub fn leaves_out(attribute: &Attribute) -> bool {
    let text = meta_text(attribute);
    let says_skip = |text: &str| text.contains("mutants::skip") || text.contains("situ::no_mutants");
    says_skip(&text) || needs_test(&text)
}

/// The predicate of a `#[cfg(…)]`, as text.
pub fn condition(attribute: &Attribute) -> Option<String> {
    let text = meta_text(attribute);
    Some(text.strip_prefix("cfg(")?.strip_suffix(')')?.to_owned())
}

fn meta_text(attribute: &Attribute) -> String {
    let meta = &attribute.meta;
    quote::quote!(#meta).to_string().replace(' ', "")
}
