//! Mentions of a place in code: as a whole, or by one of its fields.

use super::is_place_at;
use crate::source::byte_range;
use crate::values::capture_loss::CaptureLoss;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::ops::Range;

/// A mention of a place in a piece of code.
pub(crate) struct Mention {
    pub bytes: Range<usize>,
    /// The mentioned field; `None` if the place is mentioned as a whole.
    pub field: Option<String>,
    /// Whether the field is assigned.
    pub is_assigned: bool,
}

/// Calls `found` with every mention of a place.
pub(crate) fn find_fields(tokens: TokenStream, words: &[&str], found: &mut dyn FnMut(Mention)) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot =
        |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(dot)) if dot.as_char() == '.');
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            find_fields(group.stream(), words, found);
        }
        let is_place = is_place_at(&trees, at, words);
        if !is_place || at > 0 && is_dot(at - 1) {
            continue;
        }
        let end = at + 2 * words.len() - 1;
        let is_call = match trees.get(end + 2) {
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
            // `self.parse::<u8>()`
            Some(TokenTree::Punct(colon)) => {
                colon.as_char() == ':' && colon.spacing() == Spacing::Joint
            }
            _ => false,
        };
        let field = match trees.get(end + 1) {
            Some(TokenTree::Ident(field)) if is_dot(end) && !is_call => Some(field.to_string()),
            Some(TokenTree::Literal(number)) if is_dot(end) => Some(number.to_string())
                .filter(|number| number.chars().all(|digit| digit.is_ascii_digit())),
            _ => None,
        };
        let is_assigned = field.is_some() && is_assignment(&trees[end + 2..]);
        found(Mention {
            bytes: byte_range(tree),
            field,
            is_assigned,
        });
    }
}

/// Returns the byte ranges at which lost inputs are mentioned as a whole.
pub(crate) fn whole_mentions(
    lost: &[(&str, CaptureLoss)],
    tokens: &TokenStream,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (name, _) in lost {
        let words: Vec<&str> = name.split('.').collect();
        find_fields(tokens.clone(), &words, &mut |mention| {
            if mention.field.is_none() {
                found.push(mention.bytes);
            }
        });
    }
    found
}

/// Returns whether tokens begin with `=` or a compound assignment operator.
pub(crate) fn is_assignment(trees: &[TokenTree]) -> bool {
    let signs: String = trees
        .iter()
        .map_while(|tree| match tree {
            TokenTree::Punct(sign) => Some(sign.as_char()),
            _ => None,
        })
        .collect();
    match signs.split_once('=') {
        Some(("", rest)) => !rest.starts_with(['=', '>']),
        Some((operator, _)) => !["!", "<", ">", ".."].contains(&operator),
        None => false,
    }
}
