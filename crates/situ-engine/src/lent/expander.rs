//! Answers the macro crate that is lent: an item in, its expansion out, each token with the place that it came from.

use anyhow::{Context as _, Result};
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use situ_syntax::expand_situ;
use std::collections::HashMap;
use std::io::{BufRead, Read, Write};

/// Answers until nobody asks any more.
pub fn serve() -> Result<i32> {
    answer_all(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
    Ok(0)
}

fn answer_all(questions: &mut impl BufRead, answers: &mut impl Write) -> Result<()> {
    loop {
        let mut lengths = String::new();
        if questions.read_line(&mut lengths).context("reading a question")? == 0 {
            return Ok(());
        }
        let mut lengths = lengths.split_whitespace().map(|word| word.parse::<usize>().context("reading a length"));
        let (attribute, item) =
            (lengths.next().context("a length is missing")??, lengths.next().context("a length is missing")??);
        let attribute = text(questions, attribute)?;
        let item = text(questions, item)?;
        let answer = expanded(&attribute, &item);
        answers.write_all(format!("{}\n{answer}", answer.len()).as_bytes()).context("answering")?;
        answers.flush().context("answering")?;
    }
}

fn text(questions: &mut impl Read, length: usize) -> Result<String> {
    let mut bytes = vec![0; length];
    questions.read_exact(&mut bytes).context("reading a question")?;
    String::from_utf8(bytes).context("reading a question")
}

/// What an item expands to, in the words that `asking.rs` understands: first how many tokens the item has.
fn expanded(attribute: &str, item: &str) -> String {
    let mut answer = Answer::default();
    match (attribute.parse(), item.parse::<TokenStream>()) {
        (Ok(attribute), Ok(tokens)) => {
            answer.number(tokens.clone());
            answer.text = format!("{}\n", answer.count);
            answer.stream(expand_situ(attribute, tokens));
        }
        _ => answer.text = "nothing\n".to_owned(),
    }
    answer.text
}

/// The tokens of an item by where they begin, and what is said about its expansion so far.
#[derive(Default)]
struct Answer {
    /// Where a token begins → its number and text.
    numbers: HashMap<usize, (usize, String)>,
    count: usize,
    text: String,
}

impl Answer {
    /// Numbers tokens as `asking.rs` does: a group, what is in it, its end.
    fn number(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => {
                    self.add(group.span_open(), String::new());
                    self.number(group.stream());
                    self.add(group.span_close(), String::new());
                }
                other => self.add(other.span(), other.to_string()),
            }
        }
    }

    fn add(&mut self, span: Span, text: String) {
        self.numbers.insert(span.byte_range().start, (self.count, text));
        self.count += 1;
    }

    fn stream(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => {
                    let kind = match group.delimiter() {
                        Delimiter::Parenthesis => '(',
                        Delimiter::Brace => '{',
                        Delimiter::Bracket => '[',
                        Delimiter::None => 'n',
                    };
                    self.token(kind, group.span_open(), "");
                    self.stream(group.stream());
                    self.token('.', Span::call_site(), "");
                }
                TokenTree::Ident(name) => self.token('i', name.span(), &name.to_string()),
                TokenTree::Literal(literal) => self.token('l', literal.span(), &literal.to_string()),
                TokenTree::Punct(punct) => {
                    let kind = if punct.spacing() == Spacing::Joint { 'j' } else { 'a' };
                    self.token(kind, punct.span(), &punct.as_char().to_string());
                }
            }
        }
    }

    fn token(&mut self, kind: char, span: Span, text: &str) {
        let place = span.byte_range();
        // What comes from nowhere has an empty range.
        let origin = self.numbers.get(&place.start).filter(|_| !place.is_empty());
        let line = match origin {
            // How a sign stands to the next one may have changed.
            Some((number, own)) if matches!(kind, 'i' | 'l') && own == text => format!("= {number} 0\n\n"),
            Some((number, _)) => format!("{kind} {number} {}\n{text}\n", text.len()),
            None => format!("{kind} - {}\n{text}\n", text.len()),
        };
        self.text.push_str(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_without_tests_comes_back_token_by_token() {
        let item = "fn f(){ 1 }";
        let mut answers = Vec::new();
        answer_all(&mut format!("0 {}\n{item}", item.len()).as_bytes(), &mut answers).unwrap();
        let answer = String::from_utf8(answers).unwrap();
        let (length, tokens) = answer.split_once('\n').unwrap();
        assert_eq!(length.parse::<usize>().unwrap(), tokens.len());
        assert_eq!(tokens, "7\n= 0 0\n\n= 1 0\n\n( 2 0\n\n. - 0\n\n{ 4 0\n\n= 5 0\n\n. - 0\n\n");
    }

    #[test]
    fn what_cannot_be_read_has_no_number_of_tokens() {
        assert_eq!(expanded("", "fn f( {"), "nothing\n");
    }
}
