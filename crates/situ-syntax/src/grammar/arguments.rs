//! The arguments of clauses, each with an example for the user who got it wrong.

use super::clause::{Boundary, Given};
use super::flow::FlowPath;
use crate::text::source_text;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Block, Expr, Ident, Lit, LitInt, Pat, Path, Token, Type};

pub fn one_given(input: ParseStream<'_>) -> syn::Result<Given> {
    // Parsed only up to the `=`: the value may be a type, which need not be an expression.
    let target: TokenStream = input.step(|cursor| {
        let mut rest = *cursor;
        let mut tokens = TokenStream::new();
        while let Some((tree, next)) = rest.token_tree() {
            match &tree {
                proc_macro2::TokenTree::Punct(p) if p.as_char() == '=' => break,
                proc_macro2::TokenTree::Punct(p) if p.as_char() == ',' => break,
                _ => tokens.extend([tree]),
            }
            rest = next;
        }
        Ok((tokens, rest))
    })?;
    let place: Expr = syn::parse2(target.clone()).map_err(|_| {
        let span = target
            .clone()
            .into_iter()
            .next()
            .map_or_else(|| input.span(), |first| first.span());
        syn::Error::new(
            span,
            "only a variable, a place or a generic parameter can be given: write `given(x = 1)`",
        )
    })?;
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        let span = syn::spanned::Spanned::span(&target);
        let message = format!(
            "what is its value? write `given({} = …)`",
            source_text(&target)
        );
        return Err(syn::Error::new(span, message));
    }
    input.parse::<Token![=]>()?;
    let before = input.fork();
    let parsed = input.fork();
    let is_at_end = |input: ParseStream<'_>| input.is_empty() || input.peek(Token![,]);
    if let Ok(value) = parsed.parse::<Expr>()
        && is_at_end(&parsed)
        && !is_type_with_comma(&value, input)
    {
        input.advance_to(&parsed);
        return Ok(Given {
            place,
            value: value.to_token_stream(),
            parsed: Some(value),
        });
    }
    if let Ok(value) = before.parse::<Type>() {
        input.advance_to(&before);
        return Ok(Given {
            place,
            value: value.to_token_stream(),
            parsed: None,
        });
    }
    let value: Expr = input.parse()?;
    Ok(Given {
        place,
        value: value.to_token_stream(),
        parsed: Some(value),
    })
}

/// Returns whether what parses as a comparison up to a comma, such as `Table<u8`, is a type that
/// continues after it.
fn is_type_with_comma(value: &Expr, input: ParseStream<'_>) -> bool {
    let Expr::Binary(compared) = value else {
        return false;
    };
    let whole = input.fork();
    matches!(compared.op, syn::BinOp::Lt(_))
        && matches!(&*compared.left, Expr::Path(_))
        && whole.parse::<Type>().is_ok()
        && (whole.is_empty() || whole.peek(Token![,]))
}

/// Checks that a mock is of a call, whose arguments may end in `..`.
pub fn check_shape(call: &Expr) -> syn::Result<()> {
    let arguments = match call {
        Expr::Call(call) => &call.args,
        Expr::MethodCall(call) => {
            if matches!(
                &*call.receiver,
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_) | Expr::Try(_)
            ) {
                check_shape(&call.receiver)?;
            }
            &call.args
        }
        Expr::Await(await_) => return check_shape(&await_.base),
        Expr::Try(try_) => return check_shape(&try_.expr),
        Expr::Paren(paren) => return check_shape(&paren.expr),
        Expr::Macro(_) => return Ok(()),
        other => {
            let message = match other {
                Expr::Path(path) => {
                    let text = source_text(&path.to_token_stream());
                    format!("a mock is of a call: write `mock({text}(..), …)`")
                }
                Expr::Field(place) => {
                    let text = source_text(&place.to_token_stream());
                    format!("a mock is of a call; a place is given: write `given({text} = …)`")
                }
                _ => "a mock is of a call: write `mock(f(..), …)`".to_owned(),
            };
            return Err(syn::Error::new_spanned(other, message));
        }
    };
    let rest = |argument: &&Expr| matches!(argument, Expr::Range(range) if range.start.is_none() && range.end.is_none());
    match arguments.iter().rev().skip(1).find(rest) {
        Some(early) => Err(syn::Error::new_spanned(
            early,
            "`..` is the rest of the arguments: write `_` for a single one",
        )),
        None => Ok(()),
    }
}

pub fn setup_block(input: ParseStream<'_>) -> syn::Result<Block> {
    let block: Block = input
        .parse()
        .map_err(|error| example_error(&error, "setup({ buffer.push(1); })"))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(block)
}

/// Parses a pattern with its guard, as `matches!` takes it.
pub fn matched_pattern(
    input: ParseStream<'_>,
) -> syn::Result<(Pat, Option<Token![if]>, Option<Expr>)> {
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let if_token = input.parse::<Option<Token![if]>>()?;
    let guard: Option<Expr> = if if_token.is_some() {
        Some(input.parse()?)
    } else {
        None
    };
    Ok((pattern, if_token, guard))
}

pub fn example_error(error: &syn::Error, example: &str) -> syn::Error {
    syn::Error::new(error.span(), format!("{error}: write `{example}`"))
}

pub fn argument(input: ParseStream<'_>, example: &str) -> syn::Result<Expr> {
    let value = input
        .parse()
        .map_err(|error| example_error(&error, example))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(value)
}

pub fn first_argument(input: ParseStream<'_>, example: &str) -> syn::Result<Expr> {
    let value = input
        .parse()
        .map_err(|error| example_error(&error, example))?;
    input
        .parse::<Token![,]>()
        .map_err(|error| example_error(&error, example))?;
    Ok(value)
}

pub fn pair(input: ParseStream<'_>, name: &str) -> syn::Result<(Expr, Expr)> {
    let example = format!("{name}(a, b)");
    Ok((first_argument(input, &example)?, argument(input, &example)?))
}

pub fn literal<T: Parse>(input: ParseStream<'_>, example: &str) -> syn::Result<T> {
    let value = input
        .parse()
        .map_err(|error| example_error(&error, example))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(value)
}

pub fn optional<T: Parse>(input: ParseStream<'_>, example: &str) -> syn::Result<Option<T>> {
    if input.is_empty() {
        Ok(None)
    } else {
        literal(input, example).map(Some)
    }
}

pub fn positive(input: ParseStream<'_>, example: &str) -> syn::Result<LitInt> {
    let value: Lit = literal(input, example)?;
    match value {
        Lit::Int(number) if number.base10_parse::<u64>()? > 0 => Ok(number),
        other => Err(syn::Error::new(
            other.span(),
            format!("this is a number from one on: write `{example}`"),
        )),
    }
}

/// Parses a runtime: a known name, or the path of a function that runs a future.
pub fn runtime(input: ParseStream<'_>) -> syn::Result<Path> {
    let path: Path = literal(input, "runtime(tokio)")?;
    match path.get_ident() {
        Some(name)
            if !["tokio", "async_std", "smol"]
                .iter()
                .any(|known| name == known) =>
        {
            let message = format!(
                "`{name}` is no runtime that is known here: write `runtime(tokio)`, `runtime(smol)`, `runtime(async_std)`, or the path of a function that runs a future, `runtime(self::run)`"
            );
            Err(syn::Error::new(name.span(), message))
        }
        _ => Ok(path),
    }
}

pub fn flow_path(input: ParseStream<'_>) -> syn::Result<FlowPath> {
    input.parse().map_err(|error: syn::Error| {
        let text = error.to_string();
        let known = text.contains("write") || text.contains("takes");
        if known {
            error
        } else {
            example_error(&error, "check_flow(If.Else)")
        }
    })
}

pub fn boundary(input: ParseStream<'_>, clause: &str) -> syn::Result<Boundary> {
    let example = format!("{clause}(first_block), {clause}(first_assign) or {clause}(first_exit)");
    let name: Ident = input
        .parse()
        .map_err(|error| example_error(&error, &example))?;
    let number = if input.peek(Token![,]) && !input.peek2(syn::parse::End) {
        input.parse::<Token![,]>()?;
        Some(positive(input, "end(first_block, 2)")?)
    } else {
        let _: Option<Token![,]> = input.parse()?;
        None
    };
    match (name.to_string().as_str(), &number) {
        ("first_block", None) => Ok(Boundary::Block(1)),
        ("first_block", Some(number)) => Ok(Boundary::Block(number.base10_parse()?)),
        ("first_assign", None) => Ok(Boundary::Assign),
        ("first_exit", None) => Ok(Boundary::Exit),
        ("first_assign" | "first_exit", Some(number)) => Err(syn::Error::new(
            number.span(),
            "only `first_block` is counted: remove the number",
        )),
        _ => Err(syn::Error::new(
            name.span(),
            format!("no such boundary: write `{example}`"),
        )),
    }
}
