//! Substitutes names in the body of a macro rule.

use super::inside;
use super::pattern::{Bindings, Bound, repetition};
use crate::source::range_of;
use proc_macro2::{Delimiter, Spacing, TokenTree};
use std::ops::Range;

/// Returns the body, which is `range` of the macro's `text`, with all names substituted. Returns
/// `None` if it uses a name that the pattern does not bind.
pub(super) fn transcribe(
    body: &[TokenTree],
    range: Range<usize>,
    text: &str,
    bound: &Bindings,
) -> Option<String> {
    let mut writing = Writing {
        text,
        written: String::new(),
        done: range.start,
    };
    writing.tokens(body, bound)?;
    writing.copy_to(range.end);
    Some(writing.written)
}

struct Writing<'w> {
    text: &'w str,
    written: String,
    /// End of the part of the text that has been written.
    done: usize,
}

impl Writing<'_> {
    fn copy_to(&mut self, byte: usize) {
        self.written.push_str(&self.text[self.done..byte]);
        self.done = byte;
    }

    fn tokens(&mut self, tokens: &[TokenTree], bound: &Bindings) -> Option<()> {
        let mut at = 0;
        while at < tokens.len() {
            at += match &tokens[at..] {
                [TokenTree::Punct(mark), TokenTree::Ident(name), ..] if mark.as_char() == '$' => {
                    self.copy_to(range_of(mark.span()).start);
                    let is_alone = !is_taken_from_before(&tokens[..at])
                        && !is_taken_from_behind(&tokens[at + 2..]);
                    self.name(&name.to_string(), is_alone, bound)?;
                    self.done = range_of(name.span()).end;
                    2
                }
                [TokenTree::Punct(mark), TokenTree::Group(group), behind @ ..]
                    if mark.as_char() == '$' =>
                {
                    self.copy_to(range_of(mark.span()).start);
                    let mut rest = behind.iter().cloned();
                    let (separator, _) = repetition(&mut rest)?;
                    let used = behind.len() - rest.len();
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for (number, pass) in passes(&inner, bound)?.iter().enumerate() {
                        let separator = separator
                            .as_deref()
                            .filter(|_| number > 0)
                            .unwrap_or_default();
                        self.written.push_str(separator);
                        self.written.push_str(if number > 0 { " " } else { "" });
                        self.written
                            .push_str(&transcribe(&inner, inside(group), self.text, pass)?);
                    }
                    self.done = range_of(behind[used - 1].span()).end;
                    2 + used
                }
                [TokenTree::Group(group), ..] => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.tokens(&inner, bound)?;
                    1
                }
                _ => 1,
            };
        }
        Some(())
    }

    fn name(&mut self, name: &str, is_alone: bool, bound: &Bindings) -> Option<()> {
        match bound.get(name) {
            None if name == "crate" => self.written.push_str("crate"),
            // A fragment is one node to the compiler, whatever surrounds it. Text needs parentheses
            // for that.
            Some(Bound::One {
                text,
                is_compound: true,
            }) if !is_alone => self.written.push_str(&format!("({text})")),
            Some(Bound::One { text, .. }) => self.written.push_str(text),
            None | Some(Bound::Many(_)) => return None,
        }
        Some(())
    }
}

/// Returns whether an operator before an expression may bind to a part of it.
fn is_taken_from_before(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Punct(first), TokenTree::Punct(last)]
            if first.spacing() == Spacing::Joint =>
        {
            (first.as_char(), last.as_char()) != ('=', '>')
        }
        [.., TokenTree::Punct(mark)] => !matches!(mark.as_char(), ',' | ';' | '=' | ':'),
        _ => false,
    }
}

/// Returns whether an operator after an expression may bind to a part of it.
fn is_taken_from_behind(tokens: &[TokenTree]) -> bool {
    match tokens {
        [TokenTree::Punct(first), TokenTree::Punct(last), ..]
            if first.spacing() == Spacing::Joint =>
        {
            (first.as_char(), last.as_char()) != ('=', '>')
        }
        [TokenTree::Punct(mark), ..] => !matches!(mark.as_char(), ',' | ';'),
        [TokenTree::Ident(word), ..] => word == "as",
        // A call or an index.
        [TokenTree::Group(group), ..] => group.delimiter() != Delimiter::Brace,
        _ => false,
    }
}

/// Returns the bindings for each iteration of a repetition.
fn passes(body: &[TokenTree], bound: &Bindings) -> Option<Vec<Bindings>> {
    let mut names = Vec::new();
    names_in(body, &mut names);
    let lengths: Vec<usize> = names
        .iter()
        .filter_map(|name| match bound.get(name) {
            Some(Bound::Many(values)) => Some(values.len()),
            _ => None,
        })
        .collect();
    let length = *lengths.first()?;
    let pass = |number: usize| {
        let of_pass = bound.iter().filter_map(|(name, value)| match value {
            Bound::Many(values) if names.contains(name) => {
                Some((name.clone(), values.get(number)?.clone()))
            }
            other => Some((name.clone(), other.clone())),
        });
        of_pass.collect()
    };
    lengths
        .iter()
        .all(|other| *other == length)
        .then(|| (0..length).map(pass).collect())
}

fn names_in(tokens: &[TokenTree], names: &mut Vec<String>) {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if at > 0 && tokens[at - 1].to_string() == "$" => {
                names.push(name.to_string())
            }
            TokenTree::Group(group) => {
                names_in(&group.stream().into_iter().collect::<Vec<_>>(), names)
            }
            _ => {}
        }
    }
}
