//! The source code of tokens, reconstructed from their positions.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

/// Returns the source of `tokens` on one line: with the user's spaces, line breaks as one space,
/// and without comments.
pub fn source_text(tokens: &TokenStream) -> String {
    if let Some(text) = text_of_one(tokens) {
        return text;
    }
    let mut writer = Writer {
        text: String::new(),
        end: None,
        is_behind_quote: false,
        keep_lines: false,
    };
    writer.stream(tokens.clone());
    writer.text
}

/// Returns the source of a single token or group if it is available without asking the compiler for
/// positions, which is slow.
fn text_of_one(tokens: &TokenStream) -> Option<String> {
    let mut trees = tokens.clone().into_iter();
    let (Some(only), None) = (trees.next(), trees.next()) else {
        return None;
    };
    match only {
        TokenTree::Group(group) => group
            .span()
            .source_text()
            .filter(|text| is_plain(text, group.delimiter())),
        other => Some(other.to_string()),
    }
}

/// Returns whether the source of a group is on one line, without comments, and not that of a
/// macro's parameters.
fn is_plain(text: &str, delimiter: Delimiter) -> bool {
    let (open, close) = match delimiter {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::Brace => ('{', '}'),
        Delimiter::None => return false,
    };
    let unlike = ["\n", "\t", "  ", "//", "/*", "$"];
    text.starts_with(open)
        && text.ends_with(close)
        && !unlike.iter().any(|part| text.contains(part))
}

/// Returns the source of `tokens` with its line breaks, indented as in the file.
pub fn source_lines(tokens: &TokenStream) -> String {
    let mut writer = Writer {
        text: String::new(),
        end: None,
        is_behind_quote: false,
        keep_lines: true,
    };
    writer.stream(tokens.clone());
    writer.text
}

/// Returns the first line of a span.
pub fn line_of(span: proc_macro2::Span) -> usize {
    span.start().line
}

struct Writer {
    text: String,
    end: Option<LineColumn>,
    /// Whether the last token was the quote of a label or lifetime; a char literal ends in one,
    /// too.
    is_behind_quote: bool,
    keep_lines: bool,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    self.stream(group.stream())
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        _ => ("{", "}"),
                    };
                    // A group that syn has put together again has one span for both of its delimiters.
                    self.token(open, group.span_open().start());
                    self.stream(group.stream());
                    let last = group.span_close().end();
                    self.token(
                        close,
                        LineColumn {
                            column: last.column.saturating_sub(1),
                            ..last
                        },
                    );
                }
                other => self.token(&other.to_string(), other.span().start()),
            }
        }
    }

    fn token(&mut self, text: &str, start: LineColumn) {
        // The quote of a label or lifetime belongs to the name behind it, wherever their spans end.
        let is_quoted = self.is_behind_quote;
        self.is_behind_quote = text == "'";
        // They may have one span between them, too.
        let start = self.end.filter(|_| is_quoted).unwrap_or(start);
        if let Some(end) = self.end.filter(|_| !is_quoted) {
            if start.line > end.line && self.keep_lines {
                self.text.push('\n');
                self.text.extend(std::iter::repeat_n(' ', start.column));
            } else if start.line != end.line || start.column != end.column {
                self.text.push(' ');
            }
        }
        self.text.push_str(text);
        // The end follows from the string, because asking the compiler is slow.
        let (lines, last) = (
            text.matches('\n').count(),
            text.rsplit('\n').next().unwrap_or_default(),
        );
        let column = if lines == 0 { start.column } else { 0 } + last.chars().count();
        self.end = Some(LineColumn {
            line: start.line + lines,
            column,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_no_label() {
        for text in [
            "match c { ';' | '#' if is_end => 1 }",
            "'outer: loop { break 'outer 'x' as u8 }",
            "&'a str, '_'",
        ] {
            let tokens: TokenStream = text.parse().expect("the text is Rust");
            assert_eq!(source_text(&tokens), text);
            assert_eq!(source_lines(&tokens), text);
        }
    }
}
