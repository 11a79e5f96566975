//! Identifiers and expressions in source code.

use crate::source::{lex, parse_tokens_with};
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Expr, Token};

/// Returns whether a macro only formats a message.
pub(crate) fn is_text_macro(name: &str) -> bool {
    matches!(
        name,
        "print" | "println" | "eprint" | "eprintln" | "dbg" | "trace" | "debug" | "info" | "warn"
    )
}

/// Returns the expressions that the arguments of a macro begin with: `matches!` continues with a
/// pattern.
pub(crate) fn leading_expressions(tokens: &TokenStream) -> Vec<Expr> {
    let parse = |input: ParseStream<'_>| {
        let mut all = Vec::new();
        while !input.is_empty() {
            let ahead = input.fork();
            // Named arguments of format strings are no assignments.
            let is_whole = ahead.parse::<Expr>().is_ok()
                && (ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![;]));
            if !is_whole {
                break;
            }
            all.push(input.parse::<Expr>()?);
            if input.parse::<Token![,]>().is_err() && input.parse::<Token![;]>().is_err() {
                break;
            }
        }
        input.step(|cursor| {
            let mut rest = *cursor;
            while let Some((_, next)) = rest.token_tree() {
                rest = next;
            }
            Ok(((), rest))
        })?;
        Ok(all)
    };
    parse_tokens_with(parse, tokens.clone()).unwrap_or_default()
}

/// Returns all identifiers in source code, including those in format strings.
pub(crate) fn words_in(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    if let Ok(tokens) = lex(text) {
        collect_words(tokens, &mut words);
    }
    words
}

fn collect_words(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => words.push(name.to_string()),
            TokenTree::Group(group) => collect_words(group.stream(), words),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) {
                    words.extend(named_in_format(&text));
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// Returns the names between braces in a format string.
fn named_in_format(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('{').skip(1).filter_map(|part| {
        let name = part.split(['}', ':']).next()?;
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|char| char.is_alphanumeric() || char == '_');
        (is_name && !name.starts_with(|first: char| first.is_numeric())).then(|| name.to_owned())
    })
}
