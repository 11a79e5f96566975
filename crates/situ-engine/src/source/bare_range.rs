//! The bytes of code without the attributes in front of it.

use super::{byte_range, range_of};
use proc_macro2::TokenTree;
use quote::ToTokens;
use situ_syntax::{attributes_of, attributes_of_statement};
use std::ops::Range;
use syn::{AttrStyle, Attribute, Expr, Stmt};

/// Returns the bytes of an expression without the attributes in front of it. What is put around these stays under a
/// `#[cfg(…)]` of the expression; what is put around [`byte_range`] would not, and an attribute cannot stand inside it.
pub fn bare_range(expression: &Expr) -> Range<usize> {
    behind_attributes(expression, attributes_of(expression))
}

/// Returns the bytes of a statement without the attributes in front of it.
pub fn bare_statement_range(statement: &Stmt) -> Range<usize> {
    behind_attributes(statement, attributes_of_statement(statement))
}

/// Returns the bytes of a node without these attributes, which stand in front of it.
pub fn behind_attributes(node: &impl ToTokens, attributes: &[Attribute]) -> Range<usize> {
    let whole = byte_range(node);
    if !attributes
        .iter()
        .any(|attribute| matches!(attribute.style, AttrStyle::Outer))
    {
        return whole;
    }
    let mut tokens = node.to_token_stream().into_iter();
    while let Some(token) = tokens.next() {
        match &token {
            // The brackets of the attribute.
            TokenTree::Punct(punct) if punct.as_char() == '#' => _ = tokens.next(),
            _ => return range_of(token.span()).start..whole.end,
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_documentation_in_front_are_left_out() {
        let bare = |text: &str| {
            let block: syn::Block = syn::parse_str(&format!("{{{text}}}")).unwrap();
            let range = bare_statement_range(&block.stmts[0]);
            format!("{{{text}}}")[range].to_owned()
        };
        assert_eq!(bare("#[cfg(a)] #[b] f(#[c] d);"), "f(#[c] d);");
        assert_eq!(bare("#[cfg(a)]\n a.b = c;"), "a.b = c;");
        assert_eq!(bare("/// says\nlet a = 1;"), "let a = 1;");
        assert_eq!(bare("#[a] { #![b] c }"), "{ #![b] c }");
        assert_eq!(bare("{ #![b] c }"), "{ #![b] c }");
        assert_eq!(bare("#[a] fn f() {}"), "fn f() {}");
    }
}
