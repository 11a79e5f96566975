//! Expands the in-situ tests of files into functions beside their items, before mutants are woven
//! in.
//!
//! Weaving first would change the code that a test is about. In the expanded text the origin of
//! each token is known, so a mutant of the original and the same mutant in a test's copy share a
//! number.

use super::row_harness::{JUDGE_NAME, with_judges};
use crate::source::{Splice, apply, byte_range, parse};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens as _;
use situ_syntax::{
    Purpose, attributes_of_item, attributes_of_item_mut, expand_situ_for, is_situ, situ_attribute,
};
use std::ops::Range;
use syn::{Item, Meta};

/// File after its in-situ tests were expanded.
pub struct Expanded {
    pub text: String,
    pub tree: syn::File,
    /// Ranges of tokens in expanded items, and their ranges in the original; in order.
    tokens: Vec<(Range<usize>, Range<usize>)>,
    /// Ranges of expanded items, in order.
    items: Vec<Range<usize>>,
    /// Start of each stretch of text outside expanded items, and how far it has moved; in order.
    shifts: Vec<(usize, isize)>,
}

impl Expanded {
    /// Returns the original offset of the token that starts at this offset, or `None` if the
    /// expansion generated it.
    pub fn origin(&self, at: usize) -> Option<usize> {
        if self.item_before(at).is_none_or(|item| item.end <= at) {
            let moved = self.shifts.partition_point(|(start, _)| *start <= at);
            let shift = moved.checked_sub(1).map_or(0, |last| self.shifts[last].1);
            return at.checked_add_signed(-shift);
        }
        let found = self
            .tokens
            .binary_search_by_key(&at, |(now, _)| now.start)
            .ok()?;
        Some(self.tokens[found].1.start)
    }

    /// Returns the first original token in a range that is no `?`, and its original offset. The
    /// expansion of a `?` starts before its operand.
    pub fn first_token(&self, range: &Range<usize>) -> Option<(usize, usize)> {
        let is_question_mark = |(now, then): &&(Range<usize>, Range<usize>)| {
            &self.text[now.clone()] == "match" && then.len() == 1
        };
        let (now, then) = self
            .tokens_in(range)
            .iter()
            .find(|token| !is_question_mark(token))?;
        Some((now.start, then.start))
    }

    /// Returns the end, in the original, of the last original token in a range.
    pub fn last_byte(&self, range: &Range<usize>) -> Option<usize> {
        self.tokens_in(range).iter().map(|(_, then)| then.end).max()
    }

    /// Returns the original tokens in a range of an expanded item.
    fn tokens_in(&self, range: &Range<usize>) -> &[(Range<usize>, Range<usize>)] {
        let first = self
            .tokens
            .partition_point(|(now, _)| now.start < range.start);
        let end = self
            .tokens
            .partition_point(|(now, _)| now.start < range.end);
        &self.tokens[first..end]
    }

    /// Returns whether the expansion generated an attribute or item.
    pub fn is_generated(&self, range: &Range<usize>) -> bool {
        if self
            .item_before(range.start)
            .is_none_or(|item| item.end < range.end)
        {
            return false;
        }
        let first = self
            .tokens
            .partition_point(|(now, _)| now.start < range.start);
        self.tokens
            .get(first)
            .is_none_or(|(now, _)| now.end > range.end)
    }

    /// Returns the last expanded item that starts at or before this offset.
    fn item_before(&self, at: usize) -> Option<&Range<usize>> {
        let after = self.items.partition_point(|item| item.start <= at);
        after.checked_sub(1).map(|last| &self.items[last])
    }
}

/// Code that is inserted into a file before mutants are woven in. Tokens that it copies from the
/// file, with their spans, get the same mutants as the original.
#[derive(Clone, Debug)]
pub struct Addition {
    /// Byte offset between two items of the file.
    pub at: usize,
    pub code: TokenStream,
}

/// Expands the in-situ tests of a file and inserts the additions. Returns `None` if there are
/// neither.
pub fn expand(text: &str, tree: &syn::File, additions: &[Addition]) -> Option<Expanded> {
    let mut printers = Vec::new();
    collect(&tree.items, &mut printers);
    printers.extend(
        additions
            .iter()
            .map(|addition| (addition.at..addition.at, addition.code.clone())),
    );
    printers.sort_by_key(|(range, _)| (range.start, range.end));
    if printers.is_empty() {
        return None;
    }
    let mut expanded = Expanded {
        text: String::new(),
        tree: tree.clone(),
        tokens: Vec::new(),
        items: Vec::new(),
        shifts: Vec::new(),
    };
    let mut splices = Vec::new();
    let mut shift = 0_isize;
    for (range, tokens) in printers {
        let mut printer = Printer::new(text, range.start, has_judge(tokens.clone()));
        printer.print(tokens);
        let start = range.start.checked_add_signed(shift)?;
        let moved = |inner: &Range<usize>| start + inner.start..start + inner.end;
        expanded.tokens.extend(
            printer
                .tokens
                .iter()
                .map(|(now, then)| (moved(now), then.clone())),
        );
        expanded.items.push(start..start + printer.text.len());
        shift += printer.text.len() as isize - range.len() as isize;
        expanded.shifts.push((start + printer.text.len(), shift));
        splices.push(Splice {
            range,
            text: printer.text,
        });
    }
    expanded.text = apply(text, &splices);
    expanded.tree = parse(&expanded.text).ok()?;
    Some(expanded)
}

/// Collects the items with `#[situ]` and their expansions, in order.
fn collect(items: &[Item], found: &mut Vec<(Range<usize>, TokenStream)>) {
    for item in items {
        let can_hold_tests = matches!(
            item,
            Item::Fn(_) | Item::Impl(_) | Item::Trait(_) | Item::Mod(_)
        );
        let Some(marked) = situ_attribute(attributes_of_item(item)).filter(|_| can_hold_tests)
        else {
            if let Item::Mod(module) = item
                && let Some((_, inner)) = &module.content
            {
                collect(inner, found);
            }
            continue;
        };
        let argument = match &marked.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let mut bare = item.clone();
        if let Some(attributes) = attributes_of_item_mut(&mut bare) {
            attributes.retain(|attribute| !is_situ(attribute));
        }
        let tokens = with_judges(expand_situ_for(
            argument,
            bare.to_token_stream(),
            Purpose::Mutants,
        ));
        found.push((byte_range(item), tokens));
    }
}

/// Printer of tokens on their original lines, unless that would go backwards.
struct Printer<'a> {
    original: &'a str,
    text: String,
    line: usize,
    tokens: Vec<(Range<usize>, Range<usize>)>,
    /// Whether to break long lines; line numbers then differ from the original's.
    breaks: bool,
    line_start: usize,
    /// Whether the tokens are values of rows, which are not the user's code.
    in_rows: bool,
}

/// Maximum line length in bytes. For each span the compiler scans the whole line.
const WIDEST_LINE: usize = 500;

impl<'a> Printer<'a> {
    fn new(original: &'a str, start: usize, breaks: bool) -> Printer<'a> {
        let line = original[..start].matches('\n').count() + 1;
        Printer {
            original,
            text: String::new(),
            line,
            tokens: Vec::new(),
            breaks,
            line_start: 0,
            in_rows: false,
        }
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.line += 1;
        self.line_start = self.text.len();
    }

    fn print(&mut self, tokens: TokenStream) {
        // How much of `row() {` was matched so far.
        let mut asks = 0;
        for tree in tokens {
            asks = match (&tree, asks) {
                (TokenTree::Ident(name), _) if name == "row" => 1,
                (TokenTree::Group(call), 1) if call.stream().is_empty() => 2,
                (TokenTree::Group(arms), 2) if arms.delimiter() == Delimiter::Brace => 3,
                _ => 0,
            };
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.token(open, group.span_open());
                    let around = self.in_rows;
                    self.in_rows |= asks == 3;
                    self.print(group.stream());
                    self.in_rows = around;
                    self.token(close, group.span_close());
                }
                TokenTree::Punct(punct) => {
                    self.token(&punct.as_char().to_string(), punct.span());
                    if punct.spacing() == Spacing::Joint {
                        self.text.pop();
                    }
                }
                TokenTree::Ident(name) => self.token(&name.to_string(), name.span()),
                TokenTree::Literal(literal) => self.token(&literal.to_string(), literal.span()),
            }
        }
    }

    fn token(&mut self, text: &str, span: proc_macro2::Span) {
        if text.is_empty() {
            return;
        }
        let origin = span.byte_range();
        // The span of a generated token, or of one parsed from another text, is meaningless here. A
        // name that the expansion changed keeps the position of the original.
        let is_renamed = text.starts_with("__situ");
        let is_own = self.original.get(origin.clone()).is_some_and(|own| {
            !own.is_empty()
                && (own == text
                    || is_renamed
                    || is_rewritten_exit(own, text)
                    || is_stand_in(own, text))
        });
        while is_own && self.line < span.start().line {
            self.break_line();
        }
        let is_wide = self.breaks && self.text.len() - self.line_start > WIDEST_LINE;
        if is_wide
            && [", ", "; ", "{ ", "} "]
                .iter()
                .any(|end| self.text.ends_with(end))
        {
            self.break_line();
        }
        let start = self.text.len();
        match self.in_rows && !text.is_ascii() {
            true => self.text.push_str(&in_ascii(text)),
            false => self.text.push_str(text),
        }
        if is_own {
            self.tokens.push((start..self.text.len(), origin));
        }
        self.line += text.matches('\n').count();
        self.text.push(' ');
    }
}

/// Escapes non-ASCII chars in a literal. For each span, the compiler counts all multi-byte chars
/// before it. Leaves literals that allow no escapes unchanged.
fn in_ascii(token: &str) -> String {
    if !token.starts_with(['"', '\'']) {
        return token.to_owned();
    }
    let escaped = token.chars().map(|c| match c.is_ascii() {
        true => c.to_string(),
        false => c.escape_unicode().to_string(),
    });
    escaped.collect()
}

/// Returns whether a row judge was added to the tests. Such a copy has many long tests, and its
/// line numbers do not matter.
fn has_judge(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => has_judge(group.stream()),
        TokenTree::Ident(name) => name == JUDGE_NAME,
        _ => false,
    })
}

/// Returns whether this token starts the mock of an original call.
fn is_stand_in(own: &str, text: &str) -> bool {
    text == "(" && own.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns whether this token starts the rewritten form of an original exit.
fn is_rewritten_exit(own: &str, text: &str) -> bool {
    matches!(
        (own, text),
        ("return" | "continue", "break") | ("?", "match")
    )
}

#[cfg(test)]
mod tests {
    use super::super::sites::mutants_of;
    use super::*;
    use crate::source::SourceFile;

    fn expanded(rows: &str) -> Expanded {
        let text = format!(
            "#[situ]\nfn f(s: &str) -> usize {{\n    let n = s.len() + \"ü\".len();\n    itest!(\"situ_rows_0_of_9\", ignore(\"rows\"), \
             each(::situ::rt::rows::Row((x, y,)), [::situ::rt::rows::Row(match ::situ::rt::rows::row() {{ {rows}_ => \
             ::situ::rt::rows::none() }})]), given(s = x), check_eq(n, y));\n    n\n}}\nfn g() {{}}\n"
        );
        expand(&text, &syn::parse_file(&text).unwrap(), &[]).unwrap()
    }

    #[test]
    fn a_byte_order_mark_moves_every_mutant_and_loses_none() {
        let text = "#[situ]\r\nfn f(x: u32) -> u32 {\r\n    let y = x + 1;\r\n    itest!(given(x = 1), check_eq(y, 2));\r\n    y\r\n}\r\n";
        let ranges = |text: &str| {
            let found = mutants_of(&SourceFile::root(text), "src/lib.rs".into(), 1, &[]);
            found
                .mutants
                .into_iter()
                .map(|mutant| mutant.shown_range)
                .collect::<Vec<_>>()
        };
        let plain = ranges(text);
        assert!(!plain.is_empty());
        let moved: Vec<Range<usize>> = plain
            .iter()
            .map(|range| range.start + 3..range.end + 3)
            .collect();
        assert_eq!(ranges(&format!("\u{feff}{text}")), moved);
    }

    #[test]
    fn rows_stand_in_short_lines_and_letters_of_one_byte_and_the_users_code_as_it_is() {
        let rows: String = (0..200)
            .map(|number| format!("{number} => (\"\\\"é{number}, \", 3), "))
            .collect();
        let expanded = expanded(&rows);
        assert!(
            expanded
                .text
                .lines()
                .all(|line| line.len() < 2 * WIDEST_LINE),
            "{}",
            expanded.text
        );
        assert!(
            expanded.text.contains(r#"199 => ( "\"\u{e9}199, ""#),
            "{}",
            expanded.text
        );
        assert!(!expanded.text.contains('é') && expanded.text.matches("\"ü\"").count() >= 2);
        let last = expanded.text.rfind("fn g").unwrap();
        assert!(!expanded.is_generated(&(last..last + 4)) && expanded.origin(last).is_some());
        let judge = expanded.text.find("ignore = \"judges rows\"").unwrap();
        assert!(expanded.is_generated(&(judge..judge + 6)));
    }
}
