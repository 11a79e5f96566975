//! Literals in token streams.

use proc_macro2::{TokenStream, TokenTree};

/// Returns all literals in order, including those inside groups.
pub fn literals(tokens: &TokenStream) -> Vec<syn::Lit> {
    let literals_of = |token| match token {
        TokenTree::Group(group) => literals(&group.stream()),
        TokenTree::Literal(literal) => vec![syn::Lit::new(literal)],
        _ => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(literals_of).collect()
}
