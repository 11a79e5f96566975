//! Stands in for the crate of Situ's macros in copies that the command builds: `#[situ]` asks the command what it means.
//!
//! The command has the expansion in it. A crate that would have it too needs a parser of Rust, which takes longer to compile
//! than most crates that tests are extracted from. Tokens go out as text that is laid out as in the user's file, and come
//! back with the place in that text where each came from, so that every one keeps its own span.
//!
//! This file is compiled by the user's compiler as a crate of its own.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// The command that expands.
const EXPANDER: &str = env!("SITU_EXPANDER");

/// The answering process: one for each call of the compiler.
static CHILD: Mutex<Option<Child>> = Mutex::new(None);

/// Marks the item that holds in-situ tests.
#[proc_macro_attribute]
pub fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut layout = Layout::default();
    layout.print(item);
    match ask(&attribute.to_string(), &layout.text) {
        Ok(answer) => Answer { text: &answer, spans: &layout.spans }.tokens(),
        Err(error) => format!("::core::compile_error!({:?});", format!("the command cannot be asked: {error}"))
            .parse()
            .unwrap_or_default(),
    }
}

/// Sends an attribute and its item, and gives what comes back.
fn ask(attribute: &str, item: &str) -> std::io::Result<String> {
    let mut child = CHILD.lock().unwrap_or_else(PoisonError::into_inner);
    if child.is_none() {
        let started = Command::new(EXPANDER)
            .arg("tokens")
            .env("SITU_WRAPPER", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        *child = Some(started);
    }
    let Some(Child { stdin: Some(input), stdout: Some(output), .. }) = child.as_mut() else {
        return Err(std::io::Error::other("it is gone"));
    };
    input.write_all(format!("{} {}\n{attribute}{item}", attribute.len(), item.len()).as_bytes())?;
    input.flush()?;
    // The answer is all there is until the next question, so nothing is lost with the buffer.
    let mut output = BufReader::new(output);
    let mut length = String::new();
    output.read_line(&mut length)?;
    let length = length.trim().parse().map_err(std::io::Error::other)?;
    let mut answer = vec![0; length];
    output.read_exact(&mut answer)?;
    String::from_utf8(answer).map_err(std::io::Error::other)
}

/// Tokens as text in which each stands on its own line and column, as far as these go forward.
#[derive(Default)]
struct Layout {
    text: String,
    line: usize,
    column: usize,
    is_joint: bool,
    /// Where each token begins.
    spans: HashMap<usize, Span>,
}

impl Layout {
    fn print(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.token(open, group.span_open(), group.span());
                    self.print(group.stream());
                    self.token(close, group.span_close(), group.span_close());
                }
                TokenTree::Punct(punct) => {
                    self.token(&punct.as_char().to_string(), punct.span(), punct.span());
                    self.is_joint = punct.spacing() == Spacing::Joint;
                }
                other => self.token(&other.to_string(), other.span(), other.span()),
            }
        }
    }

    fn token(&mut self, text: &str, place: Span, span: Span) {
        if text.is_empty() {
            return;
        }
        if !self.is_joint {
            self.go_to(place);
        }
        self.is_joint = false;
        self.spans.insert(self.text.len(), span);
        self.text.push_str(text);
        match text.rsplit_once('\n') {
            Some((before, last)) => {
                self.line += before.matches('\n').count() + 1;
                self.column = last.chars().count();
            }
            None => self.column += text.chars().count(),
        }
    }

    /// Where a token stands already further on, something must still be between it and the one before.
    fn go_to(&mut self, place: Span) {
        let (line, column) = (place.line().saturating_sub(1), place.column().saturating_sub(1));
        while self.line < line {
            self.text.push('\n');
            self.line += 1;
            self.column = 0;
        }
        let is_at_place = self.line == line && self.column == column;
        let missing = if self.line == line { column.saturating_sub(self.column) } else { 0 };
        let missing = if is_at_place { 0 } else { missing.max(1) };
        self.text.extend(std::iter::repeat_n(' ', missing));
        self.column += missing;
    }
}

/// Tokens one after the other: a line with kind, place or `-`, and length, then the text and a line break. A group ends
/// with the kind `.`.
struct Answer<'a> {
    text: &'a str,
    spans: &'a HashMap<usize, Span>,
}

impl Answer<'_> {
    fn tokens(mut self) -> TokenStream {
        let mut above: Vec<(Delimiter, Span, Vec<TokenTree>)> = Vec::new();
        let mut trees: Vec<TokenTree> = Vec::new();
        while let Some((kind, span, text)) = self.next() {
            let delimiter = match kind {
                "(" => Delimiter::Parenthesis,
                "{" => Delimiter::Brace,
                "[" => Delimiter::Bracket,
                "n" => Delimiter::None,
                "." => {
                    let Some((delimiter, span, outer)) = above.pop() else { break };
                    let inner = std::mem::replace(&mut trees, outer);
                    let mut group = Group::new(delimiter, inner.into_iter().collect());
                    group.set_span(span);
                    trees.push(TokenTree::Group(group));
                    continue;
                }
                _ => {
                    trees.extend(leaf(kind, span, text));
                    continue;
                }
            };
            above.push((delimiter, span, std::mem::take(&mut trees)));
        }
        trees.into_iter().collect()
    }

    fn next(&mut self) -> Option<(&'static str, Span, String)> {
        let (head, rest) = self.text.split_once('\n')?;
        let mut words = head.split(' ');
        let kind = ["i", "j", "a", "l", "(", "{", "[", "n", "."].into_iter().find(|kind| words.clone().next() == Some(*kind))?;
        words.next();
        let place = words.next().and_then(|place| place.parse().ok());
        let length = words.next()?.parse().ok()?;
        let text = rest.get(..length)?.to_owned();
        self.text = rest.get(length + 1..)?;
        let span = place.and_then(|place: usize| self.spans.get(&place).copied());
        Some((kind, span.unwrap_or_else(Span::call_site), text))
    }
}

fn leaf(kind: &str, span: Span, text: String) -> Option<TokenTree> {
    let mut tree = match kind {
        "i" => match text.strip_prefix("r#") {
            Some(raw) => TokenTree::Ident(Ident::new_raw(raw, span)),
            None => TokenTree::Ident(Ident::new(&text, span)),
        },
        "l" => TokenTree::Literal(text.parse::<Literal>().ok()?),
        _ => {
            let spacing = if kind == "j" { Spacing::Joint } else { Spacing::Alone };
            TokenTree::Punct(Punct::new(text.chars().next()?, spacing))
        }
    };
    tree.set_span(span);
    Some(tree)
}

macro_rules! attributes_without_meaning {
    ($($name:ident)*) => {
        $(
            /// Extracted tests do not use it.
            #[proc_macro_attribute]
            pub fn $name(_: TokenStream, item: TokenStream) -> TokenStream {
                item
            }
        )*
    };
}

macro_rules! macros_without_meaning {
    ($($name:ident)*) => {
        $(
            /// Extracted tests do not use it.
            #[proc_macro]
            pub fn $name(_: TokenStream) -> TokenStream {
                TokenStream::new()
            }
        )*
    };
}

attributes_without_meaning! { theory datapoint datapoints stub }
macros_without_meaning! { stub_for assume assume_eq assume_ok assume_some }

/// Extracted tests do not use it.
#[proc_macro_derive(DataPoints)]
pub fn derive_data_points(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
