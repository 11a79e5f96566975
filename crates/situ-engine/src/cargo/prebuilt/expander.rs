//! Answers the prebuilt macro crate: reads an item, writes its expansion, and says for each token
//! where it comes from.

use crate::source::lex;
use crate::source::row_name::number_and_rows;
use anyhow::{Context as _, Result};
use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use situ_syntax::expand_situ;
use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::ops::Range;

/// Expands the items that are sent to standard input, until that is closed.
pub fn serve() -> Result<i32> {
    answer_all(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
    Ok(0)
}

fn answer_all(questions: &mut impl BufRead, answers: &mut impl Write) -> Result<()> {
    loop {
        let mut lengths = String::new();
        if questions
            .read_line(&mut lengths)
            .context("reading a question")?
            == 0
        {
            return Ok(());
        }
        let mut lengths = lengths
            .split_whitespace()
            .map(|word| word.parse::<usize>().context("reading a length"));
        let (attribute, item) = (
            lengths.next().context("a length is missing")??,
            lengths.next().context("a length is missing")??,
        );
        let attribute = text(questions, attribute)?;
        let item = text(questions, item)?;
        let answer = expanded(&attribute, &item);
        answers
            .write_all(format!("{}\n{answer}", answer.len()).as_bytes())
            .context("answering")?;
        answers.flush().context("answering")?;
    }
}

fn text(questions: &mut impl Read, length: usize) -> Result<String> {
    let mut bytes = vec![0; length];
    questions
        .read_exact(&mut bytes)
        .context("reading a question")?;
    String::from_utf8(bytes).context("reading a question")
}

/// Returns the expansion of an item in the format of `asking.rs`, after a line with the number of
/// the item's tokens.
fn expanded(attribute: &str, item: &str) -> String {
    let mut answer = Answer::default();
    match (lex(attribute), lex(item)) {
        (Ok(attribute), Ok(tokens)) => {
            answer.number(tokens.clone(), 0..item.len());
            answer.text = format!("{}\n", answer.count);
            answer.stream(expand_situ(attribute, tokens));
        }
        _ => answer.text = "nothing\n".to_owned(),
    }
    answer.text
}

/// Answer for one item: the item's tokens by position, and the text written so far.
#[derive(Default)]
struct Answer {
    /// Number and text of each token, by the byte offset of its start.
    numbers: HashMap<usize, (usize, String)>,
    count: usize,
    /// Tests with rows, by the number in their name.
    rows: HashMap<usize, RowsCall>,
    /// Test with rows whose body is being written.
    inside: Option<RowsCall>,
    text: String,
}

/// Macro call of a test with rows.
#[derive(Clone)]
struct RowsCall {
    /// Number of the token that is the test's name.
    name: usize,
    /// Byte range of the call.
    bytes: Range<usize>,
}

impl Answer {
    /// Numbers the tokens as `asking.rs` does: a group, its tokens, its end.
    fn number(&mut self, tokens: TokenStream, around: Range<usize>) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => {
                    self.add(group.span_open(), String::new());
                    self.number(group.stream(), group.span().byte_range());
                    self.add(group.span_close(), String::new());
                }
                other => {
                    let text = other.to_string();
                    if let (TokenTree::Literal(_), Some((number, _))) =
                        (&other, number_and_rows(text.trim_matches('"')))
                    {
                        self.rows.insert(
                            number,
                            RowsCall {
                                name: self.count,
                                bytes: around.clone(),
                            },
                        );
                    }
                    self.add(other.span(), text);
                }
            }
        }
    }

    fn add(&mut self, span: Span, text: String) {
        self.numbers
            .insert(span.byte_range().start, (self.count, text));
        self.count += 1;
    }

    fn stream(&mut self, tokens: TokenStream) {
        let mut is_function = false;
        // The test that the next block is the body of.
        let mut test: Option<RowsCall> = None;
        for tree in tokens {
            let was_function = std::mem::replace(&mut is_function, false);
            match tree {
                TokenTree::Group(group)
                    if group.delimiter() == Delimiter::Brace && test.is_some() =>
                {
                    let outside = std::mem::replace(&mut self.inside, test.take());
                    self.group(&group);
                    self.inside = outside;
                }
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(name) => {
                    let text = name.to_string();
                    is_function = text == "fn";
                    if was_function {
                        test = number_and_rows(&text)
                            .and_then(|(number, _)| self.rows.get(&number))
                            .cloned();
                    }
                    self.token('i', name.span(), &text);
                }
                TokenTree::Literal(literal) => {
                    self.token('l', literal.span(), &literal.to_string())
                }
                TokenTree::Punct(punct) => {
                    let kind = if punct.spacing() == Spacing::Joint {
                        'j'
                    } else {
                        'a'
                    };
                    self.token(kind, punct.span(), &punct.as_char().to_string());
                }
            }
        }
    }

    fn group(&mut self, group: &Group) {
        let kind = match group.delimiter() {
            Delimiter::Parenthesis => '(',
            Delimiter::Brace => '{',
            Delimiter::Bracket => '[',
            Delimiter::None => 'n',
        };
        self.token(kind, group.span_open(), "");
        self.stream(group.stream());
        self.text.push_str(". - 0\n\n");
    }

    fn token(&mut self, kind: char, span: Span, text: &str) {
        let place = span.byte_range();
        // Generated tokens without an origin have an empty range.
        let origin = self.numbers.get(&place.start).filter(|_| !place.is_empty());
        // Code in a test with rows that is not from its macro call gets the span of the test's
        // name. It would otherwise share spans with the same code in other tests, and an error
        // could not be assigned to its test.
        let elsewhere = self
            .inside
            .as_ref()
            .filter(|call| origin.is_none() || !call.bytes.contains(&place.start));
        let line = match (elsewhere, origin) {
            (Some(call), _) => format!("{kind} {} {}\n{text}\n", call.name, text.len()),
            // The spacing of punctuation may have changed, so only identifiers and literals are
            // sent by number.
            (None, Some((number, own))) if matches!(kind, 'i' | 'l') && own == text => {
                format!("= {number} 0\n\n")
            }
            (None, Some((number, _))) => format!("{kind} {number} {}\n{text}\n", text.len()),
            (None, None) => format!("{kind} - {}\n{text}\n", text.len()),
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
        answer_all(
            &mut format!("0 {}\n{item}", item.len()).as_bytes(),
            &mut answers,
        )
        .unwrap();
        let answer = String::from_utf8(answers).unwrap();
        let (length, tokens) = answer.split_once('\n').unwrap();
        assert_eq!(length.parse::<usize>().unwrap(), tokens.len());
        assert_eq!(
            tokens,
            "7\n= 0 0\n\n= 1 0\n\n( 2 0\n\n. - 0\n\n{ 4 0\n\n= 5 0\n\n. - 0\n\n"
        );
    }

    #[test]
    fn what_a_test_with_rows_adds_and_copies_stands_at_its_name() {
        let test = r#"itest!("situ_rows_7_of_1", given(n = 1), check_eq(next, 2));"#;
        let item = format!("fn f(n: u32) {{ let next = n + 1; {test} }}");
        let answer = expanded("", &item);
        let mut numbering = Answer::default();
        numbering.number(item.parse().unwrap(), 0..item.len());
        let name = numbering.rows[&7].name;
        let at_name = |text: &str| answer.contains(&format!(" {name} {}\n{text}\n", text.len()));
        assert!(
            at_name("let") && at_name("+"),
            "the copy of the statement: {answer}"
        );
        assert!(
            at_name("check_eq") || at_name("situ"),
            "what the expansion adds: {answer}"
        );
        let two = numbering.numbers[&(item.rfind("2)").unwrap())].0;
        assert!(
            answer.contains(&format!("= {two} 0\n")),
            "what the call says keeps its own place: {answer}"
        );
    }

    #[test]
    fn what_cannot_be_read_has_no_number_of_tokens() {
        assert_eq!(expanded("", "fn f( {"), "nothing\n");
    }
}
