//! Fragment specifiers of macro arguments: `$x:expr` and the like.

use crate::source::parse_tokens_with;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Block, Expr, Item, Meta, Pat, Path, Type, Visibility};

/// Punctuation of several chars that is one token to a macro.
const LONG: [&str; 24] = [
    "<<=", ">>=", "...", "..=", "==", "=>", "->", "<-", "&&", "||", "::", "..", "<=", ">=", "!=",
    "<<", ">>", "+=", "-=", "*=", "/=", "%=", "^=", "|=",
];

/// Result of matching a fragment.
pub(super) struct Taken {
    /// Number of matched tokens.
    pub count: usize,
    /// Whether the fragment needs parentheses next to an operator.
    pub is_compound: bool,
}

/// Matches a fragment of this kind at the start of `tokens`.
pub(super) fn take(kind: &str, tokens: &[TokenTree]) -> Option<Taken> {
    let plain = |count: usize| {
        Some(Taken {
            count,
            is_compound: false,
        })
    };
    match (kind, tokens) {
        ("vis", _) => plain(parsed::<Visibility>(tokens)?.1),
        (_, []) => None,
        ("ident", [TokenTree::Ident(name), ..]) => {
            plain(usize::from(name != "_")).filter(|taken| taken.count > 0)
        }
        ("ident", _) => None,
        ("tt", _) => plain(one_token(tokens)),
        ("lifetime", [TokenTree::Punct(quote), ..]) if quote.as_char() == '\'' => plain(2),
        ("literal", [TokenTree::Literal(_), ..]) => plain(1),
        ("literal", [TokenTree::Punct(minus), TokenTree::Literal(_), ..])
            if minus.as_char() == '-' =>
        {
            plain(2)
        }
        ("literal", [TokenTree::Ident(word), ..]) if word == "true" || word == "false" => plain(1),
        ("block", [TokenTree::Group(group), ..]) if group.delimiter() == Delimiter::Brace => {
            plain(parsed::<Block>(tokens)?.1)
        }
        ("expr" | "expr_2021", _) => {
            let (expression, count) = parsed::<Expr>(tokens)?;
            Some(Taken {
                count,
                is_compound: is_compound(&expression),
            })
        }
        ("ty", _) => plain(parsed::<Type>(tokens)?.1),
        ("path", _) => plain(parsed::<Path>(tokens)?.1),
        ("meta", _) => plain(parsed::<Meta>(tokens)?.1),
        ("item", _) => plain(parsed::<Item>(tokens)?.1),
        ("pat", _) => plain(parsed_by(Pat::parse_multi_with_leading_vert, tokens)?.1),
        ("pat_param", _) => plain(parsed_by(Pat::parse_single, tokens)?.1),
        _ => None,
    }
}

/// Returns how many of the leading token trees are one token to a macro.
fn one_token(tokens: &[TokenTree]) -> usize {
    let is_joint = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.spacing() == Spacing::Joint);
    let text = |count: usize| {
        tokens[..count]
            .iter()
            .map(ToString::to_string)
            .collect::<String>()
    };
    let is_lifetime = matches!(&tokens[0], TokenTree::Punct(mark) if mark.as_char() == '\'');
    let is_long = |count: &usize| {
        *count <= tokens.len()
            && tokens[..count - 1].iter().all(is_joint)
            && LONG.contains(&text(*count).as_str())
    };
    if is_lifetime {
        2.min(tokens.len())
    } else {
        [3, 2].into_iter().find(is_long).unwrap_or(1)
    }
}

fn parsed<T: Parse>(tokens: &[TokenTree]) -> Option<(T, usize)> {
    parsed_by(T::parse, tokens)
}

/// Parses a prefix of `tokens`, and returns the node with the number of tokens it consumed.
fn parsed_by<T>(
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    tokens: &[TokenTree],
) -> Option<(T, usize)> {
    let beginning = |input: ParseStream<'_>| {
        let node = parse(input)?;
        Ok((node, input.parse::<TokenStream>()?))
    };
    let (node, rest) = parse_tokens_with(beginning, tokens.iter().cloned().collect()).ok()?;
    Some((node, tokens.len() - rest.into_iter().count()))
}

fn is_compound(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Assign(_)
            | Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Closure(_)
            | Expr::Range(_)
            | Expr::Reference(_)
            | Expr::Unary(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Struct(_)
    )
}
