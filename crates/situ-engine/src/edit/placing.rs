//! Computes the insertions for a test at a place.

use super::Place;
use super::layout::{Layout, WIDTH};
use super::line_breaks::line_break;
use super::outline::{BareBody, Body, Outline, Statement};
use super::trivia;
use crate::source::Splice;
use crate::source::lines::{indent_of_line, indent_unit, is_first_on_line, line_start};
use anyhow::{Context as _, Result};
use situ_syntax::{Kind, kind_of_macro};

/// Position of a test in the text, and the layout around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Landing {
    /// Byte offset of the insertion.
    pub at: usize,
    /// Order of tests of different places at one offset: tests of the code above come first.
    rank: u8,
    /// Indentation of the test if it has its own line.
    pub indent: String,
    shape: Shape,
    /// Byte offset where the statement before needs a semicolon.
    semicolon: Option<usize>,
    /// The body around the test, if it is on one line.
    body_on_one_line: Option<BodyOnOneLine>,
    /// Index of the item that needs `#[situ]`.
    pub holder: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// The test starts a line.
    OwnLines,
    /// The test follows code, with more code after it on the same line.
    Behind,
    /// The test precedes code, with other code before it on the same line.
    Before,
    /// The test precedes a body without braces, which ends at `end`.
    Wrapping { end: usize, outer_indent: String },
}

/// Body with both braces on one line. A test of several lines breaks it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BodyOnOneLine {
    /// Byte offset after the opening brace.
    open: usize,
    /// Byte offset of the closing brace.
    close: usize,
    /// Indentation of the line.
    indent: String,
}

impl BodyOnOneLine {
    fn find(text: &str, body: &Body) -> Option<BodyOnOneLine> {
        let is_one_line = !text[body.open..body.close].contains('\n');
        let indent = || indent_of_line(text, body.open).to_owned();
        is_one_line.then(|| BodyOnOneLine {
            open: body.open,
            close: body.close,
            indent: indent(),
        })
    }
}

/// Returns the position of a test at a place, or an error if no test is possible there.
pub(super) fn land(text: &str, outline: &Outline<'_>, place: Place) -> Result<Landing> {
    let found = match place {
        Place::After(end) => after(text, outline, end),
        Place::BodyStart(open) => body_start(text, outline, open),
        Place::Before(start) => {
            before(text, outline, start).or_else(|| before_bare_body(text, outline, start))
        }
    };
    found.with_context(|| format!("no test is possible at {place:?}"))
}

/// Returns how many statements from `first` on are tests of the code above them.
fn tests_of_code_above(body: &Body, first: usize) -> usize {
    body.statements[first..]
        .iter()
        .take_while(|statement| looks_back(statement))
        .count()
}

/// Returns whether a statement is a test of the code above it.
fn looks_back(statement: &Statement) -> bool {
    let Some(call) = &statement.test else {
        return false;
    };
    match kind_of_macro(call) {
        Some(Kind::Inline) => true,
        Some(Kind::Block) => call
            .tokens
            .clone()
            .into_iter()
            .any(|token| token.to_string() == "start"),
        _ => false,
    }
}

fn after(text: &str, outline: &Outline<'_>, end: usize) -> Option<Landing> {
    let (body, number) = outline.statement_at(Place::After(end))?;
    let holder = body.holder?;
    let tests = tests_of_code_above(body, number + 1);
    let last = &body.statements[number + tests];
    let semicolon = last.lacks_semicolon.then_some(last.range.end);
    let indent = indent_beside(text, body, number);
    Some(Landing {
        semicolon,
        ..behind(text, body, last.range.end, indent, holder)
    })
}

fn body_start(text: &str, outline: &Outline<'_>, open: usize) -> Option<Landing> {
    let body = outline.body_from(open)?;
    let holder = body.holder?;
    let tests = tests_of_code_above(body, 0);
    let end = if tests == 0 {
        body.head
    } else {
        body.statements[tests - 1].range.end
    };
    let semicolon = body.statements[..tests]
        .last()
        .filter(|last| last.lacks_semicolon)
        .map(|last| last.range.end);
    let indent = if body.statements.is_empty() {
        inner_indent(text, body)
    } else {
        indent_beside(text, body, 0)
    };
    Some(Landing {
        rank: 1,
        semicolon,
        ..behind(text, body, end, indent, holder)
    })
}

/// Returns the position after code that ends at `end`.
fn behind(text: &str, body: &Body, end: usize, indent: String, holder: usize) -> Landing {
    let (at, shape) = match trivia::end_of_bare_line(text, end) {
        Some(next_line) if next_line <= body.close => (next_line, Shape::OwnLines),
        _ => (end, Shape::Behind),
    };
    let body_on_one_line = BodyOnOneLine::find(text, body);
    Landing {
        at,
        rank: 0,
        indent,
        shape,
        semicolon: None,
        body_on_one_line,
        holder,
    }
}

fn before(text: &str, outline: &Outline<'_>, start: usize) -> Option<Landing> {
    let (body, number) = outline.statement_at(Place::Before(start))?;
    let holder = body.holder?;
    let statement = &body.statements[number];
    let from = number
        .checked_sub(1)
        .map_or(body.head, |previous| body.statements[previous].range.end);
    let attached = trivia::with_comments(text, from, statement.range.start);
    let indent = indent_beside(text, body, number);
    let (at, shape) = if is_first_on_line(text, attached) && line_start(text, attached) >= from {
        (line_start(text, attached), Shape::OwnLines)
    } else {
        (attached, Shape::Before)
    };
    let body_on_one_line = BodyOnOneLine::find(text, body);
    Some(Landing {
        at,
        rank: 2,
        indent,
        shape,
        semicolon: None,
        body_on_one_line,
        holder,
    })
}

fn before_bare_body(text: &str, outline: &Outline<'_>, start: usize) -> Option<Landing> {
    let BareBody { range, holder } = outline
        .bare_bodies
        .iter()
        .find(|body| body.range.start == start)?;
    let outer_indent = indent_of_line(text, start).to_owned();
    let indent = format!("{outer_indent}{}", indent_unit(text));
    let shape = Shape::Wrapping {
        end: range.end,
        outer_indent,
    };
    Some(Landing {
        at: start,
        rank: 2,
        indent,
        shape,
        semicolon: None,
        body_on_one_line: None,
        holder: (*holder)?,
    })
}

/// Returns the indentation for a test beside a statement: that of the nearest statement that starts
/// a line.
fn indent_beside(text: &str, body: &Body, number: usize) -> String {
    let (before, after) = body.statements.split_at(number);
    let near = after.iter().chain(before.iter().rev());
    let starts = near
        .map(|statement| statement.range.start)
        .find(|start| is_first_on_line(text, *start));
    starts.map_or_else(
        || inner_indent(text, body),
        |start| indent_of_line(text, start).to_owned(),
    )
}

/// Returns the indentation of a block's contents: one level more than the line of its `{`.
fn inner_indent(text: &str, body: &Body) -> String {
    format!("{}{}", indent_of_line(text, body.open), indent_unit(text))
}

impl Landing {
    /// Returns the insertions for these tests, with [placeholders](line_break) for new line breaks.
    pub(super) fn insertions(&self, text: &str, tests: &[&Layout], ending: &str) -> Vec<Splice> {
        let at = |at: usize, text: String| Splice {
            range: at..at,
            text,
        };
        let written: Vec<String> = tests
            .iter()
            .map(|test| test.written(&self.indent, ending))
            .collect();
        let lines = written.join(ending);
        let own_lines = || {
            let next = self.next_indent(text);
            format!(
                "{}{}{}",
                line_break(&self.indent),
                lines.trim_start_matches([' ', '\t']),
                line_break(next)
            )
        };
        let mut made = match (&self.shape, self.on_its_line(text, tests)) {
            (Shape::OwnLines, _) => vec![at(self.at, format!("{lines}{ending}"))],
            (Shape::Behind, Some(flat)) => {
                let gap = if text[self.at..].starts_with(char::is_whitespace) {
                    ""
                } else {
                    " "
                };
                vec![at(self.at, format!(" {flat}{gap}"))]
            }
            (Shape::Before, Some(flat)) => vec![at(self.at, format!("{flat} "))],
            (Shape::Behind | Shape::Before, None) => vec![at(self.at, own_lines())],
            (Shape::Wrapping { end, .. }, Some(flat)) => {
                vec![
                    at(self.at, format!("{{ {flat} ")),
                    at(*end, " }".to_owned()),
                ]
            }
            (Shape::Wrapping { end, outer_indent }, None) => {
                vec![
                    at(self.at, format!("{{{}", own_lines())),
                    at(*end, format!("{}}}", line_break(outer_indent))),
                ]
            }
        };
        if let Some(end) = self.semicolon {
            // The semicolon must come before a test at the same offset.
            made.insert(0, at(end, ";".to_owned()));
        }
        made
    }

    /// Returns the tests on one line if each has one line and all fit beside the code there.
    fn on_its_line(&self, text: &str, tests: &[&Layout]) -> Option<String> {
        let flat: Option<Vec<&str>> = tests.iter().map(|test| test.one_line()).collect();
        let flat = flat?.join(" ");
        let start = line_start(text, self.at);
        let there = text[start..].split(['\r', '\n']).next().unwrap_or_default();
        (there.chars().count() + flat.chars().count() < WIDTH).then_some(flat)
    }

    /// Returns the indentation of the code after the tests, if it gets its own line.
    fn next_indent(&self, text: &str) -> &str {
        let ends_at = |body: &&BodyOnOneLine| trivia::skip(text, self.at) == body.close;
        self.body_on_one_line
            .as_ref()
            .filter(ends_at)
            .map_or(&self.indent, |body| &body.indent)
    }

    /// Returns line breaks after the opening and before the closing brace of a body on one line, if
    /// the tests do not fit there.
    pub(super) fn opening(&self, text: &str, tests: &[&Layout]) -> Option<(Splice, Splice)> {
        let body = self
            .body_on_one_line
            .as_ref()
            .filter(|_| self.on_its_line(text, tests).is_none())?;
        let at = |at: usize, indent: &str| Splice {
            range: at..at,
            text: line_break(indent),
        };
        Some((at(body.open, &self.indent), at(body.close, &body.indent)))
    }
}
