//! `observed("7k2m")`: the mark of a test that was generated from recorded values and has not been
//! edited since.
//!
//! The four chars are a digest of the other tokens of the test. Layout does not change them; every
//! edit does, and makes the test one that a person has specified.

use crate::digest::digest;
use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::Lit;

/// The clause's name.
pub const OBSERVED: &str = "observed";

/// Returns the digest for a test with these tokens between its brackets.
pub fn observed_digest(test: &TokenStream) -> String {
    digest(&without_observed(test))
}

/// Returns whether a test has its mark and is unchanged since.
pub fn is_observed(test: &TokenStream) -> bool {
    let marked = observed_literal(test).map(Lit::new);
    matches!(marked, Some(Lit::Str(said)) if said.value() == observed_digest(test))
}

/// Returns the string literal in the mark of a test.
pub fn observed_literal(test: &TokenStream) -> Option<Literal> {
    clauses(test)
        .iter()
        .find(|clause| is_mark(clause))
        .and_then(|clause| match clause.get(1) {
            Some(TokenTree::Group(group)) => match group.stream().into_iter().next() {
                Some(TokenTree::Literal(literal)) => Some(literal),
                _ => None,
            },
            _ => None,
        })
}

/// Returns the tokens of a test without its mark.
pub fn without_observed(test: &TokenStream) -> TokenStream {
    clauses(test)
        .into_iter()
        .filter(|clause| !is_mark(clause))
        .flatten()
        .collect()
}

/// Splits a test into clauses, each with the comma after it.
fn clauses(test: &TokenStream) -> Vec<Vec<TokenTree>> {
    let mut all = vec![Vec::new()];
    for tree in test.clone() {
        let is_comma = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',');
        if let Some(last) = all.last_mut() {
            last.push(tree);
        }
        if is_comma {
            all.push(Vec::new());
        }
    }
    all
}

fn is_mark(clause: &[TokenTree]) -> bool {
    matches!(clause, [TokenTree::Ident(name), TokenTree::Group(_), ..] if name == OBSERVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect("the text is Rust")
    }

    #[test]
    fn a_mark_survives_layout_and_no_edit() {
        let digest = observed_digest(&tokens("given(x = 1), check_eq(y, 2)"));
        let marked = |text: &str| is_observed(&tokens(&text.replace('@', &digest)));
        assert!(marked("given(x = 1), check_eq(y, 2), observed(\"@\")"));
        assert!(marked(
            "\n    given(x = 1,),\n    check_eq(y, 2),\n    observed(\"@\"),\n"
        ));
        assert!(marked("observed(\"@\"), given(x = 1), check_eq(y, 2)"));
        for edited in [
            "given(x = 1), check_eq(y, 3), observed(\"@\")",
            "\"a name\", given(x = 1), check_eq(y, 2), observed(\"@\")",
            "given(x = 1), check_eq(y, 2), tag(\"slow\"), observed(\"@\")",
            "given(x = 1), check_eq(y, 2), observed(\"0000\")",
            "given(x = 1), check_eq(y, 2)",
        ] {
            assert!(!marked(edited), "{edited}");
        }
    }
}
