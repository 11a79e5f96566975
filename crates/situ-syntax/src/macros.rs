//! Macro calls inside fragments: arguments that parse as expressions, format strings, and possible
//! exits.

use crate::depth;
use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::fmt::Write;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Macro, Pat, Token};

/// Returns the constants and statics that a call visibly declares: `thread_local! { static NAME …
/// }`, `lazy_static! { static ref NAME … }`, `regex!(NAME = …)`.
pub fn declared_names(call: &Macro) -> Vec<Ident> {
    let words: Vec<TokenTree> = call.tokens.clone().into_iter().collect();
    let word = |at: usize| match words.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident),
        _ => None,
    };
    let is_word = |at: usize, names: &[&str]| {
        word(at).is_some_and(|word| names.iter().any(|name| word == name))
    };
    let mut names = Vec::new();
    for at in (0..words.len()).filter(|at| is_word(*at, &["static", "const"])) {
        let name_at = at + 1 + usize::from(is_word(at + 1, &["ref", "mut"]));
        names.extend(word(name_at).filter(|name| is_constant_name(name)).cloned());
    }
    // `NAME = value` and `NAME: type`, and neither `NAME == value` nor `NAME::new()`.
    let is_told = matches!(
        (words.get(1), words.get(2)),
        (Some(TokenTree::Punct(mark)), Some(_)) if matches!(mark.as_char(), '=' | ':') && mark.spacing() == Spacing::Alone
    );
    names.extend(
        word(0)
            .filter(|name| is_told && is_constant_name(name))
            .cloned(),
    );
    names
}

/// Returns whether a name is written like a constant.
fn is_constant_name(name: &Ident) -> bool {
    let name = name.to_string();
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// The arguments of a macro call, as far as they are expressions.
pub enum Arguments {
    /// `m!(a, b, name = c)`
    List(Punctuated<Expr, Token![,]>),
    /// `vec![a; n]`
    Repeat(Expr, Expr),
    /// `matches!(a, pattern if guard)`
    Matches(Expr, Pat, Option<Expr>),
}

impl Arguments {
    /// Parses the arguments, if they are expressions.
    pub fn of(call: &Macro) -> Option<Arguments> {
        let tokens = call.tokens.clone();
        if depth::check(&tokens).is_err() {
            return None;
        }
        if call.path.segments.last()?.ident == "matches" {
            let parser = |input: ParseStream<'_>| {
                let value: Expr = input.parse()?;
                input.parse::<Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                let guard = if input.parse::<Option<Token![if]>>()?.is_some() {
                    Some(input.parse()?)
                } else {
                    None
                };
                input.parse::<Option<Token![,]>>()?;
                Ok(Arguments::Matches(value, pattern, guard))
            };
            return parser.parse2(tokens).ok();
        }
        if let Ok(list) = Punctuated::parse_terminated.parse2(tokens.clone()) {
            return Some(Arguments::List(list));
        }
        let parser = |input: ParseStream<'_>| {
            let element: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(Arguments::Repeat(element, input.parse()?))
        };
        parser.parse2(tokens).ok()
    }

    /// Returns the expressions.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Arguments::List(list) => list.iter().map(without_name).collect(),
            Arguments::Repeat(element, count) => vec![element, count],
            Arguments::Matches(value, _, guard) => std::iter::once(value).chain(guard).collect(),
        }
    }

    /// Returns whether an argument has that name: `name = value`.
    pub fn names(&self, name: &str) -> bool {
        let Arguments::List(list) = self else {
            return false;
        };
        list.iter().any(|argument| match argument {
            Expr::Assign(named) => {
                matches!(&*named.left, Expr::Path(path) if path.path.is_ident(name))
            }
            _ => false,
        })
    }

    /// Returns the pattern whose variables the guard sees.
    pub fn pattern(&self) -> Option<&Pat> {
        match self {
            Arguments::Matches(_, pattern, _) => Some(pattern),
            _ => None,
        }
    }

    /// Returns the expressions mutably.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Arguments::List(list) => list.iter_mut().map(without_name_mut).collect(),
            Arguments::Repeat(element, count) => vec![element, count],
            Arguments::Matches(value, _, guard) => std::iter::once(value).chain(guard).collect(),
        }
    }
}

impl ToTokens for Arguments {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Arguments::List(list) => list.to_token_stream(),
            Arguments::Repeat(element, count) => quote!(#element; #count),
            Arguments::Matches(value, pattern, guard) => {
                let guard = guard.iter();
                quote!(#value, #pattern #(if #guard)*)
            }
        });
    }
}

/// Returns the value of an argument `name = value`, which is a named argument and no assignment.
fn without_name(argument: &Expr) -> &Expr {
    match argument {
        Expr::Assign(named) if matches!(&*named.left, Expr::Path(_)) => &named.right,
        other => other,
    }
}

fn without_name_mut(argument: &mut Expr) -> &mut Expr {
    let is_named =
        matches!(&*argument, Expr::Assign(named) if matches!(&*named.left, Expr::Path(_)));
    if !is_named {
        return argument;
    }
    match argument {
        Expr::Assign(named) => &mut named.right,
        other => other,
    }
}

/// Macros that never exit the function, or only by a panic.
const STAYING: &[&str] = &[
    "addr_of",
    "addr_of_mut",
    "anyhow",
    "assert",
    "assert_eq",
    "assert_matches",
    "assert_ne",
    "cfg",
    "column",
    "concat",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "error",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "info",
    "json",
    "line",
    "log",
    "macro_rules",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "pin",
    "print",
    "println",
    "stringify",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
];

/// Macros that always panic.
const PANICKING: &[&str] = &["panic", "todo", "unimplemented", "unreachable"];

fn named_in(call: &Macro, names: &[&str]) -> bool {
    call.path
        .segments
        .last()
        .is_some_and(|name| names.iter().any(|known| name.ident == known))
}

/// Returns whether the macro may contain an exit.
pub fn may_leave(call: &Macro) -> bool {
    !named_in(call, STAYING)
}

/// Returns whether the macro never returns.
pub fn always_panics(call: &Macro) -> bool {
    named_in(call, PANICKING)
}

/// Returns the string literals among the arguments, which may be format strings.
pub fn string_literals(call: &Macro) -> Vec<LitStr> {
    call.tokens
        .clone()
        .into_iter()
        .filter_map(|tree| match tree {
            TokenTree::Literal(literal) => match Lit::new(literal) {
                Lit::Str(text) => Some(text),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Returns the variables that a format string names: `{name}`, `{name:?}`, `{:width$}`.
pub fn format_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    rewrite_format(text, &mut |name| {
        names.push(name.to_owned());
        None
    });
    names
}

/// Returns a format string with names replaced, or `None` if it stays as it is.
pub fn rename_format(
    literal: &LitStr,
    rename: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<LitStr> {
    let renamed = rewrite_format(&literal.value(), rename)?;
    Some(LitStr::new(&renamed, literal.span()))
}

fn rewrite_format(text: &str, rename: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut changed = false;
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..=open]);
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let Some(close) = rest.find('}') else { break };
        let (placeholder, after) = rest.split_at(close);
        let (name, spec) = placeholder
            .split_once(':')
            .map_or((placeholder, None), |(name, spec)| (name, Some(spec)));
        let mut named = |name: &str, out: &mut String| match is_name(name.trim())
            .then(|| rename(name.trim()))
            .flatten()
        {
            Some(new) => {
                changed = true;
                out.push_str(&new);
            }
            None => out.push_str(name),
        };
        named(name, &mut out);
        if let Some(spec) = spec {
            out.push(':');
            let mut pieces = spec.split('$').peekable();
            while let Some(piece) = pieces.next() {
                if pieces.peek().is_none() {
                    out.push_str(piece);
                    break;
                }
                let other = |c: char| !(c.is_alphanumeric() || c == '_');
                let start = piece
                    .char_indices()
                    .rev()
                    .find(|(_, c)| other(*c))
                    .map_or(0, |(at, c)| at + c.len_utf8());
                let start = start
                    + piece[start..]
                        .chars()
                        .take_while(char::is_ascii_digit)
                        .count();
                out.push_str(&piece[..start]);
                named(&piece[start..], &mut out);
                // Writing to a string cannot fail.
                let _ = write!(out, "$");
            }
        }
        rest = after;
    }
    out.push_str(rest);
    changed.then_some(out)
}

fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    // Only the parser knows which other chars identifiers may contain.
    starts_well
        && (text.is_ascii() || syn::parse_str::<Ident>(text).is_ok())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
