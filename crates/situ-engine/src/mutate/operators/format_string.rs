//! Format strings.

use super::{Change, Node, Operator};
use crate::source::{parse_tokens_with, range_of};
use std::ops::Range;
use syn::parse::ParseStream;
use syn::{Expr, LitStr, Token};

/// Changes how a placeholder of a format string is written.
pub(super) const OPERATOR: Operator = Operator {
    name: "format",
    about: "Removes the width of a placeholder, moves its precision by one, turns its alignment \
            or the case of its hexadecimal digits round, or removes its sign or prefix. Tests with \
            values that fill the width miss it.",
    before: "fn clock(h: u8) -> String { format!(\"{h:02}h\") }",
    after: &["fn clock(h: u8) -> String { format!(\"{h}h\") }"],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::Macro(call)) = node else {
            return;
        };
        let Some(name) = call.mac.path.segments.last() else {
            return;
        };
        let skipped = match name.ident.to_string().as_str() {
            "format" | "format_args" => 0,
            "write" | "writeln" => 1,
            _ => return,
        };
        let parser = |input: ParseStream<'_>| -> syn::Result<LitStr> {
            for _ in 0..skipped {
                input.parse::<Expr>()?;
                input.parse::<Token![,]>()?;
            }
            let literal = input.parse::<LitStr>()?;
            let _rest: proc_macro2::TokenStream = input.parse()?;
            Ok(literal)
        };
        let Ok(literal) = parse_tokens_with(parser, call.mac.tokens.clone()) else {
            return;
        };
        let (whole, string) = (
            crate::source::byte_range(*expression),
            range_of(literal.span()),
        );
        // Placeholders are looked for in the source of the literal: an escape sequence has no
        // braces except in `\u{…}`, which is skipped.
        for spec in specifications(&around.text[string.clone()]) {
            let range = string.start + spec.start..string.start + spec.end;
            for other in alternatives(&around.text[range.clone()]) {
                let before = &around.text[whole.start..range.start];
                let after = &around.text[range.end..whole.end];
                let text = format!("{before}{other}{after}");
                found.push(Change::expression(expression, text).at(range.start));
            }
        }
    },
};

/// Returns the ranges of the specifications in a format string, each with its colon: `:02` in
/// `{h:02}`.
fn specifications(source: &str) -> Vec<Range<usize>> {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let is_doubled = bytes.get(at + 1) == bytes.get(at);
        match bytes[at] {
            b'\\' => {
                at += if source[at..].starts_with("\\u{") {
                    3
                } else {
                    2
                }
            }
            b'{' if is_doubled => at += 2,
            b'{' => {
                let Some(length) = source[at..].find('}') else {
                    return found;
                };
                let inside = &source[at..at + length];
                found.extend(inside.find(':').map(|colon| at + colon..at + length));
                at += length + 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// Parts of a specification: `[[fill]align][sign]['#']['0'][width]['.' precision]type`.
struct Specification<'s> {
    fill_and_align: &'s str,
    sign: &'s str,
    alternate: &'s str,
    zero: &'s str,
    width: &'s str,
    precision: &'s str,
    kind: &'s str,
}

impl<'s> Specification<'s> {
    fn parse(text: &'s str) -> Specification<'s> {
        let is_align = |c: char| matches!(c, '<' | '^' | '>');
        let mut chars = text.chars();
        let (first, second) = (chars.next(), chars.next());
        let align = match (first, second) {
            (Some(fill), Some(align)) if is_align(align) => fill.len_utf8() + 1,
            (Some(align), _) if is_align(align) => 1,
            _ => 0,
        };
        let (fill_and_align, rest) = text.split_at(align);
        let (sign, rest) = rest.split_at(usize::from(rest.starts_with(['+', '-'])));
        let (alternate, rest) = rest.split_at(usize::from(rest.starts_with('#')));
        let is_zero = rest.starts_with('0') && !rest[1..].starts_with('$');
        let (zero, rest) = rest.split_at(usize::from(is_zero));
        let (width, rest) = rest.split_at(count_length(rest));
        let length = match rest.strip_prefix(".*") {
            Some(_) => 2,
            None => rest
                .strip_prefix('.')
                .map_or(0, |precision| 1 + count_length(precision)),
        };
        let (precision, kind) = rest.split_at(length);
        Specification {
            fill_and_align,
            sign,
            alternate,
            zero,
            width,
            precision,
            kind,
        }
    }

    fn write(&self) -> String {
        let parts = [
            self.fill_and_align,
            self.sign,
            self.alternate,
            self.zero,
            self.width,
            self.precision,
            self.kind,
        ];
        let text = parts.concat();
        if text.is_empty() {
            text
        } else {
            format!(":{text}")
        }
    }
}

/// Returns the length of a count at the start: digits, or the name of an argument with `$`.
fn count_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text[word..].starts_with('$') {
        word + 1
    } else {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    }
}

/// Returns the alternatives of a specification with its colon.
fn alternatives(spec: &str) -> Vec<String> {
    let spec = spec.strip_prefix(':').unwrap_or(spec).trim_end();
    let read = || Specification::parse(spec);
    let mut all = Vec::new();
    if !read().width.is_empty() {
        let other = Specification {
            fill_and_align: "",
            zero: "",
            width: "",
            ..read()
        };
        all.push(other.write());
    }
    if let Ok(digits) = read().precision.trim_start_matches('.').parse::<u32>() {
        let precision = format!(".{}", digits.saturating_add(1));
        let other = Specification {
            precision: &precision,
            ..read()
        };
        all.push(other.write());
    }
    if let Some(turned) = turned_align(read().fill_and_align) {
        let other = Specification {
            fill_and_align: &turned,
            ..read()
        };
        all.push(other.write());
    }
    if read().sign == "+" {
        all.push(Specification { sign: "", ..read() }.write());
    }
    // `{:#?}` differs from `{:?}` in layout only.
    if !read().alternate.is_empty() && !read().kind.ends_with('?') {
        let other = Specification {
            alternate: "",
            ..read()
        };
        all.push(other.write());
    }
    if let "x" | "X" = read().kind {
        let kind = if read().kind == "x" { "X" } else { "x" };
        all.push(Specification { kind, ..read() }.write());
    }
    all
}

/// Returns the alignment to the other side, with the same fill character.
fn turned_align(fill_and_align: &str) -> Option<String> {
    let align = fill_and_align.chars().next_back()?;
    let fill = &fill_and_align[..fill_and_align.len() - align.len_utf8()];
    match align {
        '<' => Some(format!("{fill}>")),
        '>' => Some(format!("{fill}<")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format_string: &str, expected: &[&str]) {
        let found = specifications(format_string);
        let others = found.iter().flat_map(|range| {
            let (before, after) = (&format_string[..range.start], &format_string[range.end..]);
            let changed = alternatives(&format_string[range.clone()]);
            changed
                .into_iter()
                .map(move |other| format!("{before}{other}{after}"))
        });
        assert_eq!(others.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_width_is_removed_with_its_fill_and_a_precision_moves() {
        check("{:02}", &["{}"]);
        check("{:>8}|", &["{}|", "{:<8}|"]);
        check("{:*<w$.2}", &["{:.2}", "{:*<w$.3}", "{:*>w$.2}"]);
        check("{value:.0}", &["{value:.1}"]);
    }

    #[test]
    fn flags_and_kinds_change() {
        check("{:+}", &["{}"]);
        check("{:#06x}", &["{:#x}", "{:06x}", "{:#06X}"]);
        check("{:X}", &["{:x}"]);
    }

    #[test]
    fn what_has_no_specification_has_no_mutant() {
        for same in [
            "", "{}", "{name}", "{{:02}}", "{:?}", "{:#?}", "\\u{3a}", "{", "{:.*}",
        ] {
            check(same, &[]);
        }
    }
}
