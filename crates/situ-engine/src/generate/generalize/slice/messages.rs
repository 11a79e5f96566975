//! Messages of assertions: a variable that only a message mentions is not needed, and a message
//! about the test's own arguments is wrong for others.

use crate::generate::generalize::scope::assertion::is_of_std;
use crate::generate::generalize::scope::token_text::{leading_expressions, words_in};
use crate::source::{Splice, apply, byte_range, lex};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::ops::Range;

/// Returns the identifiers of source code outside messages.
pub(crate) fn words_outside(text: &str) -> Vec<String> {
    match messages_in(text).as_slice() {
        [] => words_in(text),
        messages => words_in(&without(text, messages)),
    }
}

/// Removes the messages that mention an identifier for which `is_unknown` holds.
pub(crate) fn without_those_of(text: &str, is_unknown: impl Fn(&str) -> bool) -> String {
    let mentions = |range: &Range<usize>| {
        words_in(&text[range.clone()])
            .iter()
            .any(|word| is_unknown(word))
    };
    let unknown: Vec<Range<usize>> = messages_in(text).into_iter().filter(mentions).collect();
    without(text, &unknown)
}

fn without(text: &str, messages: &[Range<usize>]) -> String {
    let cut = |range: &Range<usize>| Splice {
        range: range.clone(),
        text: String::new(),
    };
    apply(text, &messages.iter().map(cut).collect::<Vec<_>>())
}

/// Returns the ranges of messages: after the operands of `assert!` and the like, and all arguments
/// of `panic!`.
pub(crate) fn messages_in(text: &str) -> Vec<Range<usize>> {
    let mut messages = Vec::new();
    if let Ok(tokens) = lex(text) {
        find(tokens, text, &mut messages);
    }
    messages
}

fn find(tokens: TokenStream, text: &str, messages: &mut Vec<Range<usize>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let name = match at.checked_sub(2).map(|from| &tokens[from..at]) {
            Some([TokenTree::Ident(name), TokenTree::Punct(mark)]) if mark.as_char() == '!' => {
                name.to_string()
            }
            _ => String::new(),
        };
        let message = operands_of(&name).and_then(|operands| message(group, operands));
        let is_message = message
            .as_ref()
            .is_some_and(|range| range.start == inside(group).start);
        messages.extend(message.filter(|range| {
            !text[range.clone()]
                .trim_matches([',', ' ', '\n'])
                .is_empty()
        }));
        if !is_message {
            find(group.stream(), text, messages);
        }
    }
}

/// Returns how many operands precede the message of a macro.
fn operands_of(name: &str) -> Option<usize> {
    match name {
        "panic" | "unreachable" | "unimplemented" => Some(0),
        _ if !is_of_std(name) => None,
        _ if name.ends_with("_eq") || name.ends_with("_ne") => Some(2),
        _ => Some(1),
    }
}

fn message(group: &Group, operands: usize) -> Option<Range<usize>> {
    let all = inside(group);
    if operands == 0 {
        return Some(all);
    }
    let last = leading_expressions(&group.stream())
        .into_iter()
        .nth(operands - 1)?;
    Some(byte_range(&last).end..all.end)
}

fn inside(group: &Group) -> Range<usize> {
    let whole = group.span().byte_range();
    match group.delimiter() {
        Delimiter::None => whole,
        _ => whole.start + 1..whole.end - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_said_needs_nothing() {
        let text = "match f(word) { Ok(found) => assert!(found < 3, \"{found} of {size}\"), Err(e) => panic!(\"{}\", e), }";
        assert_eq!(
            words_outside(text),
            [
                "match", "f", "word", "Ok", "found", "assert", "found", "Err", "e", "panic"
            ]
        );
        let is_size = |word: &str| word == "size";
        let kept =
            "match f(word) { Ok(found) => assert!(found < 3), Err(e) => panic!(\"{}\", e), }";
        assert_eq!(without_those_of(text, is_size), kept);
        assert_eq!(
            without_those_of("assert_eq!(f(1), g(2), \"{:?}\", size);", is_size),
            "assert_eq!(f(1), g(2));"
        );
        assert_eq!(
            without_those_of("assert_eq!(f(size), 2, \"no\");", is_size),
            "assert_eq!(f(size), 2, \"no\");"
        );
        assert_eq!(
            without_those_of("if bad { panic!(\"{size}\") }", is_size),
            "if bad { panic!() }"
        );
        assert!(messages_in("assert_eq!(\n    f(1),\n    2,\n);").is_empty());
    }
}
