//! Decides by attributes, names and macros whether code is mutated.

use situ_syntax::requires_test;
use syn::{Attribute, Type};

/// Returns whether a trait's implementations are rarely pinned down by tests: debug output and
/// hashes.
pub(super) fn is_dull(path: &syn::Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| matches!(last.ident.to_string().as_str(), "Debug" | "Hash" | "Hasher"))
}

pub(super) fn type_name(owner: &Type) -> Option<String> {
    match owner {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}

/// Returns whether an attribute excludes its item from mutation: test code, or marked by the user.
pub(crate) fn leaves_out(attribute: &Attribute) -> bool {
    let text = meta_text(attribute);
    let says_skip =
        |text: &str| text.contains("mutants::skip") || text.contains("situ::no_mutants");
    says_skip(&text) || requires_test(attribute)
}

/// Returns the predicate of a `#[cfg(…)]` attribute as a string.
pub(crate) fn condition(attribute: &Attribute) -> Option<String> {
    let text = meta_text(attribute);
    Some(text.strip_prefix("cfg(")?.strip_suffix(')')?.to_owned())
}

fn meta_text(attribute: &Attribute) -> String {
    let meta = &attribute.meta;
    quote::quote!(#meta).to_string().replace(' ', "")
}
