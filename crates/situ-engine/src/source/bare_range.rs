//! Byte ranges of code without its leading attributes.

use super::{byte_range, range_of};
use proc_macro2::TokenTree;
use quote::ToTokens;
use situ_syntax::{attributes_of, attributes_of_statement};
use std::ops::Range;
use syn::{AttrStyle, Attribute, Expr, Stmt};

/// Returns the byte range of an expression without its leading attributes. Code inserted around
/// this range stays subject to a `#[cfg(…)]` of the expression. Code inserted around [`byte_range`]
/// would not, and an attribute is not allowed inside it.
pub fn bare_range(expression: &Expr) -> Range<usize> {
    behind_attributes(expression, attributes_of(expression))
}

/// Returns the byte range of a statement without its leading attributes.
pub fn bare_statement_range(statement: &Stmt) -> Range<usize> {
    behind_attributes(statement, attributes_of_statement(statement))
}

/// Returns the byte range of a node without its leading attributes, which are `attributes`.
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
            // Skips the brackets of the attribute.
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
