//! What belongs to the user's tests by its attributes: it is not watched.

use crate::source::is_test_attribute;
use syn::Attribute;

/// `#[cfg(test)]`, also inside `all(…)`.
pub fn is_test_condition(attribute: &Attribute) -> bool {
    let mut names = Vec::new();
    if attribute.path().is_ident("cfg")
        && let syn::Meta::List(list) = &attribute.meta
    {
        crate::targets::names_in(list.tokens.clone(), &mut names);
    }
    names.iter().any(|name| name == "test") && !names.iter().any(|name| name == "not")
}

/// A test of some kind, or a function that must stay as it is.
pub fn is_test_function(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let last = attribute.path().segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        is_test_condition(attribute) || is_test_attribute(attribute) || matches!(last.as_str(), "proc_macro" | "naked")
    })
}
