//! The only place where the user's text is parsed: limited in depth, with spans that are byte
//! ranges of the whole text.

use super::SourceError;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use situ_syntax::{Limits, too_deep};
use syn::parse::{Parse, Parser};

/// Maximum depth of code that is parsed on a large stack
/// ([`with_large_stack`](super::with_large_stack)).
const LIMITS: Limits = Limits {
    brackets: 1_000,
    chain: 10_000,
};

/// Parses a file. Spans count a leading byte order mark and shebang line.
pub fn parse(text: &str) -> Result<syn::File, SourceError> {
    let (head, tokens) = lex_file(text)?;
    let mut file: syn::File = parse_tokens_with(syn::File::parse, tokens)?;
    file.shebang = Some(text[..head].trim_start_matches(BYTE_ORDER_MARK).to_owned())
        .filter(|line| !line.is_empty());
    Ok(file)
}

/// Parses a part of a file, or code that was generated from one: an expression, a type, a path.
pub fn parse_part<T: Parse>(text: &str) -> Result<T, SourceError> {
    parse_part_with(T::parse, text)
}

/// Parses a piece of code with the given parser.
pub fn parse_part_with<P: Parser>(parser: P, text: &str) -> Result<P::Output, SourceError> {
    parse_tokens_with(parser, lex(text)?)
}

/// Parses tokens, such as the arguments of a macro call.
pub fn parse_tokens<T: Parse>(tokens: TokenStream) -> Result<T, SourceError> {
    parse_tokens_with(T::parse, tokens)
}

/// Parses tokens with the given parser.
pub fn parse_tokens_with<P: Parser>(
    parser: P,
    tokens: TokenStream,
) -> Result<P::Output, SourceError> {
    if let Some(span) = too_deep(&tokens, LIMITS) {
        return Err(SourceError::too_deep(span));
    }
    Ok(parser.parse2(tokens)?)
}

/// Splits a piece of code into tokens.
pub fn lex(text: &str) -> Result<TokenStream, SourceError> {
    text.parse::<TokenStream>()
        .map_err(|error| syn::Error::from(error).into())
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the tokens of a file and the length of the byte order mark and shebang line before them.
/// Both are replaced by spaces, so that spans stay correct.
fn lex_file(text: &str) -> Result<(usize, TokenStream), SourceError> {
    let unmarked = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mark = text.len() - unmarked.len();
    let blank = |head: usize| format!("{}{}", " ".repeat(head), &text[head..]);
    let Some(line) = unmarked.strip_prefix("#!") else {
        return Ok((
            mark,
            if mark == 0 {
                lex(text)?
            } else {
                lex(&blank(mark))?
            },
        ));
    };
    if let Ok(tokens) = lex(&blank(mark))
        && begins_with_inner_attribute(&tokens)
    {
        return Ok((mark, tokens));
    }
    let head = mark + 2 + line.find('\n').unwrap_or(line.len());
    Ok((head, lex(&blank(head))?))
}

/// Returns whether `#!` starts an inner attribute. Whitespace or comments may precede the bracket.
fn begins_with_inner_attribute(tokens: &TokenStream) -> bool {
    let third = tokens.clone().into_iter().nth(2);
    matches!(third, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{byte_range, with_large_stack};

    #[test]
    fn spans_count_from_the_first_byte_of_the_file() {
        for text in [
            "\u{feff}fn f() {}",
            "#!/bin/run ä\nfn f() {}",
            "\u{feff}#!/x\r\nfn f() {}",
            "#![a]\nfn f() {}",
        ] {
            let file = parse(text).unwrap();
            assert_eq!(&text[byte_range(&file.items[0])], "fn f() {}", "{text:?}");
        }
        assert!(parse("#!/x").unwrap().items.is_empty());
        assert_eq!(
            parse("#!/don't\nfn f() {}").unwrap().shebang.as_deref(),
            Some("#!/don't")
        );
        assert_eq!(
            parse("#! /* a */ [allow(x)]\nfn f() {}")
                .unwrap()
                .attrs
                .len(),
            1
        );
    }

    #[test]
    fn an_error_says_where() {
        let wrong = parse("\u{feff}fn f() {}\r\nfn g( {}\r\n").unwrap_err();
        assert!(
            matches!(wrong, SourceError::Syntax { line: 2, .. }),
            "{wrong:?}"
        );
        let wrong = parse("fn f() {}\nfn g() { 'ab' }\n").unwrap_err();
        assert!(
            matches!(wrong, SourceError::Syntax { line: 2, .. }),
            "{wrong:?}"
        );
    }

    #[test]
    fn deep_code_is_refused_and_what_is_not_refused_fits_the_stack() {
        with_large_stack(|| {
            let nested = |open: &str, inner: &str, close: &str, depth: usize| {
                format!(
                    "fn f(x: i64) -> i64 {{\n{}{inner}{} }}",
                    open.repeat(depth),
                    close.repeat(depth)
                )
            };
            let cases = [
                ("(", "x", ")"),
                ("if x > 0 {", "x", "} else { 0 }"),
                ("x = ", "x", ""),
                ("|x| ", "x", ""),
            ];
            for (open, inner, close) in cases {
                let wrong = parse(&nested(open, inner, close, 20_000)).unwrap_err();
                assert!(
                    matches!(wrong, SourceError::TooDeep { line: 2, .. }),
                    "{wrong:?}"
                );
            }
            for (open, inner, close, depth) in [
                ("(", "x", ")", 990),
                ("if x > 0 {", "x", "} else { 0 }", 990),
                ("x = ", "x", "", 3_300),
                ("|x| ", "x", "", 2_400),
                ("x + ", "x", "", 9_900),
            ] {
                let text = nested(open, inner, close, depth);
                let tree = parse(&text).unwrap_or_else(|why| panic!("{open}: {why}"));
                assert_eq!(byte_range(&tree.clone().items[0]), 0..text.len());
                let mut calls = 0;
                syn::visit::Visit::visit_file(&mut Counter(&mut calls), &tree);
                assert!(calls > depth, "{open}: {calls}");
            }
        });
    }

    struct Counter<'c>(&'c mut usize);

    impl<'ast> syn::visit::Visit<'ast> for Counter<'_> {
        fn visit_expr(&mut self, expression: &'ast syn::Expr) {
            *self.0 += 1;
            syn::visit::visit_expr(self, expression);
        }
    }

    #[test]
    fn macro_arguments_are_bounded_too() {
        let tokens = lex(&"-".repeat(20_000)).unwrap();
        assert!(matches!(
            parse_tokens::<syn::Expr>(tokens),
            Err(SourceError::TooDeep { .. })
        ));
        assert!(
            parse_part::<syn::Expr>("a + 1").is_ok() && parse_part::<syn::Expr>("a +").is_err()
        );
    }
}
