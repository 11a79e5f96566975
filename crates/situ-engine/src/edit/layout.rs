//! The lines of a test macro call, relative to its indentation.

use crate::source::lines::line_start;
use crate::source::{byte_range, lex, parse_part_with, range_of};
use anyhow::{Context as _, Result, ensure};
use proc_macro2::{TokenStream, TokenTree};
use situ_syntax::kind_of_macro;
use std::ops::Range;
use syn::{Macro, Stmt};

/// Maximum line length of a test that rustfmt does not format.
pub(super) const WIDTH: usize = 100;

/// Lines of a test macro call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    text: String,
    /// Whether the line starts inside a literal, which must not be indented.
    in_literal: bool,
}

/// Parses a text that is one call of a test macro.
pub(super) fn call_of(text: &str) -> Result<Macro> {
    let parse = |input: syn::parse::ParseStream<'_>| syn::Block::parse_within(input);
    let mut statements =
        parse_part_with(parse, text).with_context(|| format!("reading `{text}`"))?;
    ensure!(statements.len() == 1, "`{text}` is not one test");
    match statements.pop() {
        Some(Stmt::Macro(call)) if kind_of_macro(&call.mac).is_some() => Ok(call.mac),
        _ => anyhow::bail!("`{text}` is not a call of a test macro with a semicolon"),
    }
}

impl Layout {
    /// Splits a test into lines. `margin` is the indentation of all lines but the first.
    pub fn of(text: &str, margin: &str) -> Layout {
        let literals = literals_of_many_lines(text);
        let mut lines = Vec::new();
        let mut start = 0;
        for piece in text.split_inclusive('\n') {
            let in_literal = literals
                .iter()
                .any(|literal| literal.start < start && start < literal.end);
            let line = piece.trim_end_matches(['\r', '\n']);
            let line = if in_literal {
                line
            } else {
                line.strip_prefix(margin).unwrap_or(line).trim_end()
            };
            lines.push(Line {
                text: line.to_owned(),
                in_literal,
            });
            start += piece.len();
        }
        Layout { lines }
    }

    /// Returns the test if it is on one line.
    pub fn one_line(&self) -> Option<&str> {
        match self.lines.as_slice() {
            [line] => Some(&line.text),
            _ => None,
        }
    }

    /// Returns the test at an indentation, without a final line ending. Converts its own
    /// indentation to tabs if `indent` uses tabs.
    pub fn written(&self, indent: &str, ending: &str) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line.written(indent)).collect();
        lines.join(ending)
    }

    /// Puts each clause on its own line if the test is on one line that is too long at this
    /// indentation.
    pub fn broken(self, call: &str, indent: &str, unit: &str) -> Layout {
        let fits = self
            .one_line()
            .is_none_or(|line| indent.len() + line.chars().count() <= WIDTH);
        if fits {
            self
        } else {
            clauses_on_lines(call, unit).unwrap_or(self)
        }
    }
}

impl Line {
    fn written(&self, indent: &str) -> String {
        if self.in_literal || self.text.is_empty() {
            return self.text.clone();
        }
        let bare = self.text.trim_start_matches(' ');
        let spaces = self.text.len() - bare.len();
        if indent.starts_with('\t') && spaces > 0 {
            return format!(
                "{indent}{}{}{bare}",
                "\t".repeat(spaces / 4),
                " ".repeat(spaces % 4)
            );
        }
        format!("{indent}{}", self.text)
    }
}

fn clauses_on_lines(call: &str, unit: &str) -> Option<Layout> {
    let tokens: TokenStream = call.parse().ok()?;
    let group = tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    })?;
    let (open, close) = (
        range_of(group.span_open()).end,
        range_of(group.span_close()).start,
    );
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let commas = group
        .stream()
        .into_iter()
        .filter(is_comma)
        .map(|comma| range_of(comma.span()).end);
    let mut lines = vec![call[..open].to_owned()];
    let mut start = open;
    for end in commas.chain([close]) {
        let clause = call[start..end].trim();
        if !clause.is_empty() {
            lines.push(format!("{unit}{clause}"));
        }
        start = end;
    }
    lines.push(call[close..].to_owned());
    Some(Layout {
        lines: lines
            .into_iter()
            .map(|text| Line {
                text,
                in_literal: false,
            })
            .collect(),
    })
}

/// Returns the byte ranges of literals that span several lines.
fn literals_of_many_lines(text: &str) -> Vec<Range<usize>> {
    fn collect(tokens: TokenStream, text: &str, found: &mut Vec<Range<usize>>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => collect(group.stream(), text, found),
                TokenTree::Literal(literal) => {
                    found.extend(
                        Some(range_of(literal.span()))
                            .filter(|range| text[range.clone()].contains('\n')),
                    );
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    if let Ok(tokens) = lex(text) {
        collect(tokens, text, &mut found);
    }
    found
}

/// Returns the lines of a test statement in `text`, without the indentation of its first line.
pub(super) fn layout_of_statement(text: &str, statement: &Stmt) -> Layout {
    let range = byte_range(statement);
    let margin = &text[line_start(text, range.start)..range.start];
    Layout::of(&text[range.clone()], margin)
}
