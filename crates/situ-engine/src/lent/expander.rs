//! Answers the macro crate that is lent: an item in, its expansion out, each token with the place that it came from.

use anyhow::{Context as _, Result};
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use situ_syntax::expand_situ;
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

/// What an item expands to, in the words that `asking.rs` understands.
fn expanded(attribute: &str, item: &str) -> String {
    let mut written = Written::default();
    match (attribute.parse(), item.parse()) {
        (Ok(attribute), Ok(tokens)) => written.stream(expand_situ(attribute, tokens)),
        _ => {
            let error = syn::Error::new(Span::call_site(), "`#[situ]` cannot read this item");
            written.stream(error.to_compile_error());
        }
    }
    written.text
}

#[derive(Default)]
struct Written {
    text: String,
}

impl Written {
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
        let place = if place.is_empty() { "-".to_owned() } else { place.start.to_string() };
        self.text.push_str(&format!("{kind} {place} {}\n{text}\n", text.len()));
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
        assert_eq!(tokens, "i 0 2\nfn\ni 3 1\nf\n( 4 0\n\n. - 0\n\n{ 6 0\n\nl 8 1\n1\n. - 0\n\n");
    }

    #[test]
    fn what_cannot_be_read_is_an_error_in_the_users_words() {
        assert!(expanded("", "fn f( {").contains("cannot read this item"));
    }
}
