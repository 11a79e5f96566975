//! Replaces the crate of Situ's macros in workspace copies that the command builds: `#[situ]` asks
//! the command for its expansion.
//!
//! The command contains the expansion. A macro crate that contained it too would need a parser of
//! Rust, which takes longer to compile than most crates that tests are extracted from. An item is
//! sent with the layout of the user's file. The answer says for each token which token of the item
//! it is or comes from, so that every token keeps its span.
//!
//! This file is compiled by the user's compiler as a crate of its own.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Path of the command that expands items.
const EXPANDER: &str = env!("SITU_EXPANDER");

/// Process that answers requests; one for each compiler process.
static CHILD: Mutex<Option<Child>> = Mutex::new(None);

/// Expands the in-situ tests of an item.
#[proc_macro_attribute]
pub fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let attribute = attribute.to_string();
    let answered = ask(&attribute, &Layout::new(item.clone(), true)).and_then(|answer| match answer {
        Some(tokens) => Ok(Some(tokens)),
        None => ask(&attribute, &Layout::new(item, false)),
    });
    let error = match answered {
        Ok(Some(tokens)) => return tokens,
        Ok(None) => "it lexes the item differently".to_owned(),
        Err(error) => error.to_string(),
    };
    let error = format!("cannot expand `#[situ]`: {error}");
    format!("::core::compile_error!({error:?});").parse().unwrap_or_default()
}

/// Sends an attribute and its item, and returns the expansion. Returns `None` if the command lexes
/// the text differently.
fn ask(attribute: &str, layout: &Layout) -> std::io::Result<Option<TokenStream>> {
    let item = &layout.text;
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
        return Err(std::io::Error::other("the expander has exited"));
    };
    input.write_all(format!("{} {}\n{attribute}{item}", attribute.len(), item.len()).as_bytes())?;
    input.flush()?;
    // The process writes nothing until the next request, so the buffer holds nothing more.
    let mut output = BufReader::new(output);
    let mut length = String::new();
    output.read_line(&mut length)?;
    let length = length.trim().parse().map_err(std::io::Error::other)?;
    let mut answer = vec![0; length];
    output.read_exact(&mut answer)?;
    let answer = String::from_utf8(answer).map_err(std::io::Error::other)?;
    let Some((count, text)) = answer.split_once('\n') else { return Ok(None) };
    let is_same = count.parse() == Ok(layout.tokens.len());
    Ok(is_same.then(|| Answer { text, tokens: &layout.tokens }.stream()))
}

/// Tokens as text. Each token has its original line and column, unless that would go backwards.
#[derive(Default)]
struct Layout {
    text: String,
    line: usize,
    column: usize,
    is_joint: bool,
    /// Tokens in the order of the text. A group comes first as a whole, then its tokens, then its
    /// end.
    tokens: Vec<TokenTree>,
}

impl Layout {
    /// Lays out an item. If `by_groups`, copies the text of whole groups from the file, because
    /// asking the compiler for the position of each token is slow.
    fn new(item: TokenStream, by_groups: bool) -> Layout {
        let mut layout = Layout::default();
        layout.print(item, by_groups);
        layout
    }

    fn print(&mut self, tokens: TokenStream, by_groups: bool) {
        for tree in tokens {
            self.tokens.push(tree.clone());
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = delimiters(group.delimiter());
                    let text = group.span().source_text().filter(|_| by_groups && !open.is_empty());
                    match text.filter(|text| text.starts_with(open) && text.ends_with(close)) {
                        Some(text) => {
                            self.token(&text, group.span_open());
                            self.take(group.stream());
                        }
                        None => {
                            self.token(open, group.span_open());
                            self.print(group.stream(), by_groups);
                            self.token(close, group.span_close());
                        }
                    }
                    self.tokens.push(end_of(&group));
                }
                TokenTree::Punct(punct) => {
                    self.token(&punct.as_char().to_string(), punct.span());
                    self.is_joint = punct.spacing() == Spacing::Joint;
                }
                other => self.token(&other.to_string(), other.span()),
            }
        }
    }

    /// Adds tokens whose text has been written already.
    fn take(&mut self, tokens: TokenStream) {
        for tree in tokens {
            self.tokens.push(tree.clone());
            if let TokenTree::Group(group) = tree {
                self.take(group.stream());
                self.tokens.push(end_of(&group));
            }
        }
    }

    fn token(&mut self, text: &str, place: Span) {
        if text.is_empty() {
            return;
        }
        if !self.is_joint {
            self.go_to(place);
        }
        self.is_joint = false;
        self.text.push_str(text);
        match text.rsplit_once('\n') {
            Some((before, last)) => {
                self.line += before.matches('\n').count() + 1;
                self.column = last.chars().count();
            }
            None => self.column += text.chars().count(),
        }
    }

    /// Adds whitespace up to a position. Adds one space if the text has passed it already.
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

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// Returns a placeholder with the span of a group's closing delimiter. Only its span is used.
fn end_of(group: &Group) -> TokenTree {
    let mut end = Punct::new(';', Spacing::Alone);
    end.set_span(group.span_close());
    TokenTree::Punct(end)
}

/// Tokens of an answer. Each is a line with its kind, the number of its origin or `-`, and the
/// length of its text; then the text and a line break. The kind `=` is the token with that number
/// unchanged, and `.` ends a group.
struct Answer<'a> {
    text: &'a str,
    tokens: &'a [TokenTree],
}

impl Answer<'_> {
    fn stream(mut self) -> TokenStream {
        let mut above: Vec<(Delimiter, Span, Vec<TokenTree>)> = Vec::new();
        let mut trees: Vec<TokenTree> = Vec::new();
        while let Some((kind, origin, text)) = self.next() {
            let span = origin.map_or_else(Span::call_site, TokenTree::span);
            let delimiter = match kind {
                '(' => Delimiter::Parenthesis,
                '{' => Delimiter::Brace,
                '[' => Delimiter::Bracket,
                'n' => Delimiter::None,
                '.' => {
                    let Some((delimiter, span, outer)) = above.pop() else { break };
                    let inner = std::mem::replace(&mut trees, outer);
                    let mut group = Group::new(delimiter, inner.into_iter().collect());
                    group.set_span(span);
                    trees.push(TokenTree::Group(group));
                    continue;
                }
                '=' => {
                    trees.extend(origin.cloned());
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

    fn next(&mut self) -> Option<(char, Option<&TokenTree>, &str)> {
        let (head, rest) = self.text.split_once('\n')?;
        let mut words = head.split(' ');
        let kind = words.next()?.chars().next()?;
        let origin = words.next().and_then(|number| number.parse::<usize>().ok());
        let length: usize = words.next()?.parse().ok()?;
        self.text = rest.get(length + 1..)?;
        Some((kind, origin.and_then(|number| self.tokens.get(number)), rest.get(..length)?))
    }
}

fn leaf(kind: char, span: Span, text: &str) -> Option<TokenTree> {
    let mut tree = match kind {
        'i' => match text.strip_prefix("r#") {
            Some(raw) => TokenTree::Ident(Ident::new_raw(raw, span)),
            None => TokenTree::Ident(Ident::new(text, span)),
        },
        'l' => TokenTree::Literal(text.parse::<Literal>().ok()?),
        _ => {
            let spacing = if kind == 'j' { Spacing::Joint } else { Spacing::Alone };
            TokenTree::Punct(Punct::new(text.chars().next()?, spacing))
        }
    };
    tree.set_span(span);
    Some(tree)
}

macro_rules! attributes_without_meaning {
    ($($name:ident)*) => {
        $(
            /// Returns the item unchanged. Extracted tests do not use this attribute.
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
            /// Expands to nothing. Extracted tests do not use this macro.
            #[proc_macro]
            pub fn $name(_: TokenStream) -> TokenStream {
                TokenStream::new()
            }
        )*
    };
}

attributes_without_meaning! { theory property datapoint datapoints stub }
macros_without_meaning! { stub_for proptests assume assume_eq assume_ok assume_some }

/// Derives nothing. Extracted tests do not use it.
#[proc_macro_derive(DataPoints)]
pub fn derive_data_points(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
