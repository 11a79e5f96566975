//! Matches the pattern of a macro rule against the tokens of a call, and binds its names.

use super::fragment;
use crate::source::range_of;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// Part of the pattern of a macro rule.
#[derive(Debug)]
pub(super) enum Part {
    /// Literal token.
    Token(String),
    /// Delimiters with parts between them.
    Group(Delimiter, Vec<Part>),
    /// `$name:kind`.
    Fragment(String, String),
    /// `$( … ) separator *`.
    Repeated {
        parts: Vec<Part>,
        separator: Option<String>,
        is_once: bool,
    },
}

/// Value that a name of a macro rule is bound to.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// Text of one fragment.
    One { text: String, is_compound: bool },
    /// Values for each iteration of a repetition.
    Many(Vec<Bound>),
}

/// Values that a macro rule binds, by name.
pub(super) type Bindings = BTreeMap<String, Bound>;

/// Parses a pattern. Returns `None` if it is malformed.
pub(super) fn parts(tokens: TokenStream) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let part = match token {
            TokenTree::Punct(mark) if mark.as_char() == '$' => match tokens.next()? {
                TokenTree::Ident(name) => {
                    let (_colon, kind) = (tokens.next()?, tokens.next()?);
                    Part::Fragment(name.to_string(), kind.to_string())
                }
                TokenTree::Group(group) => {
                    let (separator, operator) = repetition(&mut tokens)?;
                    Part::Repeated {
                        parts: self::parts(group.stream())?,
                        separator,
                        is_once: operator == '?',
                    }
                }
                _ => return None,
            },
            TokenTree::Group(group) => Part::Group(group.delimiter(), self::parts(group.stream())?),
            other => Part::Token(other.to_string()),
        };
        parts.push(part);
    }
    Some(parts)
}

/// Parses what follows `$( … )`: an optional separator of one token, and the operator `*`, `+` or
/// `?`.
pub(super) fn repetition(
    tokens: &mut impl Iterator<Item = TokenTree>,
) -> Option<(Option<String>, char)> {
    let mut separator = String::new();
    // A separator such as `=>` is two token trees.
    for _ in 0..4 {
        match tokens.next()? {
            TokenTree::Punct(mark) if matches!(mark.as_char(), '*' | '+' | '?') => {
                return Some(((!separator.is_empty()).then_some(separator), mark.as_char()));
            }
            other => separator.push_str(&other.to_string()),
        }
    }
    None
}

/// Matches `parts` against the start of `tokens`, which are part of `text`, and binds names.
/// Returns the number of consumed tokens, or `None` if they do not match.
pub(super) fn take(
    parts: &[Part],
    tokens: &[TokenTree],
    text: &str,
    bound: &mut Bindings,
) -> Option<usize> {
    let mut at = 0;
    for part in parts {
        let rest = &tokens[at..];
        at += match part {
            Part::Token(expected) => (rest.first()?.to_string() == *expected).then_some(1)?,
            Part::Group(delimiter, inner) => match rest.first()? {
                TokenTree::Group(group) if group.delimiter() == *delimiter => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    (take(inner, &inside, text, bound)? == inside.len()).then_some(1)?
                }
                _ => return None,
            },
            Part::Fragment(name, kind) => {
                let taken = fragment::take(kind, rest)?;
                let written = text_of(&rest[..taken.count], text);
                bound.insert(
                    name.clone(),
                    Bound::One {
                        text: written,
                        is_compound: taken.is_compound,
                    },
                );
                taken.count
            }
            Part::Repeated {
                parts,
                separator,
                is_once,
            } => {
                let most = if *is_once { 1 } else { usize::MAX };
                take_repeated(parts, separator.as_deref(), most, rest, text, bound)
            }
        };
    }
    Some(at)
}

fn take_repeated(
    parts: &[Part],
    separator: Option<&str>,
    most: usize,
    tokens: &[TokenTree],
    text: &str,
    bound: &mut Bindings,
) -> usize {
    let mut passes: Vec<Bindings> = Vec::new();
    let mut at = 0;
    while passes.len() < most && at < tokens.len() {
        let skipped = match separator.filter(|_| !passes.is_empty()) {
            Some(separator) => marks_of(separator, &tokens[at..]),
            None => Some(0),
        };
        let Some(skipped) = skipped else { break };
        let mut pass = Bindings::new();
        match take(parts, &tokens[at + skipped..], text, &mut pass) {
            Some(taken) if taken + skipped > 0 => at += skipped + taken,
            _ => break,
        }
        passes.push(pass);
    }
    let mut names = Vec::new();
    names_in(parts, &mut names);
    for name in names {
        let values = passes
            .iter()
            .filter_map(|pass| pass.get(name).cloned())
            .collect();
        bound.insert(name.to_owned(), Bound::Many(values));
    }
    at
}

/// Returns the number of token trees of a separator if `tokens` start with it.
fn marks_of(separator: &str, tokens: &[TokenTree]) -> Option<usize> {
    let mut read = String::new();
    for (at, token) in tokens.iter().enumerate() {
        read.push_str(&token.to_string());
        match () {
            () if read == separator => return Some(at + 1),
            () if !separator.starts_with(&read) => return None,
            () => {}
        }
    }
    None
}

fn names_in<'p>(parts: &'p [Part], names: &mut Vec<&'p str>) {
    for part in parts {
        match part {
            Part::Token(_) => {}
            Part::Fragment(name, _) => names.push(name),
            Part::Group(_, inner) | Part::Repeated { parts: inner, .. } => names_in(inner, names),
        }
    }
}

fn text_of(tokens: &[TokenTree], text: &str) -> String {
    match tokens {
        [] => String::new(),
        [first, ..] => {
            let last = &tokens[tokens.len() - 1];
            text[range_of(first.span()).start..range_of(last.span()).end].to_owned()
        }
    }
}
