//! How deeply code nests: a parser that calls itself for each level overflows the compiler's stack on code that only a
//! generator writes.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// How deep brackets may nest.
const MOST_DEPTH: usize = 200;

/// How many operators, method calls or `else`s one expression may chain.
const MOST_CHAIN: usize = 500;

/// Where code nests or chains deeper than a parser should go. Arguments of macros are left to their own check.
pub fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut level = vec![(tokens.clone(), false)];
    for _ in 0..MOST_DEPTH {
        let mut next = Vec::new();
        for (stream, in_macro) in level {
            let mut of_macro = false;
            let chained = chain_end(&stream);
            if let Some(span) = chained.filter(|_| !in_macro) {
                return Some(span);
            }
            for tree in stream {
                if let TokenTree::Group(group) = &tree {
                    next.push((group.stream(), of_macro || in_macro));
                }
                of_macro = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '!');
            }
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    level.first().and_then(|(stream, _)| stream.clone().into_iter().next()).map(|tree| tree.span())
}

/// Where one expression of a list of tokens chains too many parts.
pub fn chain_end(tokens: &TokenStream) -> Option<Span> {
    let mut chain = 0;
    let mut after_block = false;
    for tree in tokens.clone() {
        let goes_on = match &tree {
            TokenTree::Ident(name) => name == "else" || name == "as",
            TokenTree::Punct(punct) => punct.as_char() != '#',
            _ => false,
        };
        if after_block && !goes_on {
            chain = 0;
        }
        match &tree {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | ',' | '=') => chain = 0,
            TokenTree::Punct(punct) if !matches!(punct.as_char(), ':' | '#' | '\'') => chain += 1,
            TokenTree::Ident(name) if name == "else" => chain += 1,
            _ => {}
        }
        if chain > MOST_CHAIN {
            return Some(tree.span());
        }
        after_block = matches!(&tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    }
    None
}
