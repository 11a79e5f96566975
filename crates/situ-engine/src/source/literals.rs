//! The literals among tokens, whatever groups they stand in.

use proc_macro2::{TokenStream, TokenTree};

/// All literals, in order.
pub fn literals(tokens: &TokenStream) -> Vec<syn::Lit> {
    let literals_of = |token| match token {
        TokenTree::Group(group) => literals(&group.stream()),
        TokenTree::Literal(literal) => vec![syn::Lit::new(literal)],
        _ => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(literals_of).collect()
}
