//! Trivia: whitespace and comments between tokens.

use crate::source::lines::line_start;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Trivia {
    Blank(Range<usize>),
    Comment(Range<usize>),
}

/// Returns the byte offset of the first token at or after `at`.
pub(super) fn skip(text: &str, at: usize) -> usize {
    let mut at = at;
    while let Some(piece) = next(text, at) {
        at = end(&piece);
    }
    at
}

/// Returns the start of the next line if only whitespace and complete comments follow on this one.
pub(super) fn end_of_bare_line(text: &str, at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        let rest = &text[at..];
        let rest_trimmed = rest.trim_start_matches([' ', '\t', '\r']);
        if rest_trimmed.starts_with('\n') {
            return Some(at + rest.len() - rest_trimmed.len() + 1);
        }
        match next(text, at)? {
            Trivia::Blank(range) => at = range.end,
            Trivia::Comment(range) if text[range.clone()].contains('\n') => return None,
            Trivia::Comment(range) => at = range.end,
        }
    }
}

/// Returns the start of the comments that belong to the token at `start`: those just above it, or
/// before it on its line. Excludes a trailing comment on the line of the previous code, which ends
/// at `from`.
pub(super) fn with_comments(text: &str, from: usize, start: usize) -> usize {
    let mut pieces = Vec::new();
    let mut at = from;
    while at < start {
        let Some(piece) = next(text, at) else {
            return start;
        };
        at = end(&piece);
        pieces.push(piece);
    }
    let mut attached = start;
    for piece in pieces.iter().rev() {
        match piece {
            Trivia::Blank(range) if text[range.clone()].matches('\n').count() > 1 => break,
            Trivia::Blank(_) => {}
            Trivia::Comment(range) => {
                let shares_line =
                    !text[range.end..attached].contains('\n') && !is_line_comment(text, range);
                let begins = line_start(text, range.start);
                let own_line = begins >= from && text[begins..range.start].trim().is_empty();
                if !shares_line && !own_line {
                    break;
                }
                attached = range.start;
            }
        }
    }
    attached
}

fn is_line_comment(text: &str, range: &Range<usize>) -> bool {
    text[range.clone()].starts_with("//")
}

fn end(piece: &Trivia) -> usize {
    match piece {
        Trivia::Blank(range) | Trivia::Comment(range) => range.end,
    }
}

/// Returns the trivia at a byte offset, or `None` at a token. Doc comments are tokens.
fn next(text: &str, at: usize) -> Option<Trivia> {
    let rest = &text[at..];
    let blank = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
            .len();
    if blank > 0 {
        return Some(Trivia::Blank(at..at + blank));
    }
    let is_doc = |outer: &str, many: &str, inner: &str| {
        rest.starts_with(inner) || (rest.starts_with(outer) && !rest.starts_with(many))
    };
    if rest.starts_with("//") && !is_doc("///", "////", "//!") {
        let length = rest.find('\n').unwrap_or(rest.len());
        return Some(Trivia::Comment(at..at + length));
    }
    if rest.starts_with("/*") && (rest.starts_with("/**/") || !is_doc("/**", "/***", "/*!")) {
        return Some(Trivia::Comment(at..at + block_comment(rest)));
    }
    None
}

/// Returns the length of a block comment, which may contain others.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_above_belong_to_what_follows_them() {
        let attached = |text: &str| {
            let from = text.find(';').unwrap() + 1;
            let start = text.find('b').unwrap();
            text[with_comments(text, from, start)..].to_owned()
        };
        assert_eq!(
            attached("a; // of a\n// one\n/* two */ b"),
            "// one\n/* two */ b"
        );
        assert_eq!(attached("a; // of a\nb"), "b");
        assert_eq!(attached("a; /* of it */ b"), "/* of it */ b");
        assert_eq!(attached("a;\n// far\n\n// near\nb"), "// near\nb");
        assert_eq!(attached("a; /* /* x */\n */\nb"), "b");
    }

    #[test]
    fn a_line_is_bare_where_only_comments_end_it() {
        assert_eq!(end_of_bare_line("a; // x\r\nc", 2), Some(9));
        assert_eq!(end_of_bare_line("a; /* x */ \nc", 2), Some(12));
        assert_eq!(end_of_bare_line("a; /* x\n */ c", 2), None);
        assert_eq!(end_of_bare_line("a; c\n", 2), None);
        assert_eq!(end_of_bare_line("a;", 2), None);
        assert_eq!(skip("  /* x */ // y\n  z", 0), 17);
        assert_eq!(skip(" /// doc", 0), 1);
    }
}
