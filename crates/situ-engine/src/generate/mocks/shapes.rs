//! The patterns by which mocks match calls.

use super::field_mentions::whole_mentions;
use crate::generate::refusal::Refusal;
use crate::record::read::RecordedCall;
use crate::source::{byte_range, parse_part};
use crate::values::capture_loss::CaptureLoss;
use quote::ToTokens as _;
use situ_recorder::value::Value;
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Expr, Token};

/// The maximum length of a string argument in a pattern, in chars; longer ones distract from the
/// call.
const LONGEST_ARGUMENT: usize = 40;

/// Returns the pattern of a call, with the arguments that are plain values.
pub(crate) fn shape_with_arguments(
    call: &RecordedCall<'_>,
    lost: &[(&str, CaptureLoss)],
) -> Result<String, Refusal> {
    let plain = |number: usize, argument: &Expr| match call
        .argument(number + 1)
        .filter(|_| whole_mentions(lost, &argument.to_token_stream()).is_empty())?
    {
        Value::Int { bits, type_name } if type_name.starts_with('u') => Some(bits.to_string()),
        Value::Int { bits, .. } => Some((*bits as i128).to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Char(letter) => Some(format!("{letter:?}")),
        Value::Ref {
            mutable: false,
            inner,
        } => match &**inner {
            Value::Str(text) if text.len() <= LONGEST_ARGUMENT => Some(format!("{text:?}")),
            _ => None,
        },
        _ => None,
    };
    let text = &call.site.text;
    shape_with(text, &|number, argument| {
        literal(text, argument).or_else(|| plain(number, argument))
    })
}

/// Returns the pattern of a call: literals stay, other arguments are open.
pub(crate) fn shape(text: &str) -> Result<String, Refusal> {
    shape_with(text, &|_, argument| literal(text, argument))
}

/// Returns an argument that is a literal, as its call has it.
pub(crate) fn literal(text: &str, argument: &Expr) -> Option<String> {
    matches!(argument, Expr::Lit(_)).then(|| text[byte_range(argument)].to_owned())
}

/// Returns the pattern of a call with all arguments open.
pub(crate) fn open_shape(text: &str) -> Option<String> {
    let whole: Expr = parse_part(text).ok()?;
    let (arguments, parentheses) = arguments_and_parentheses(&whole)?;
    let Some(first) = arguments.first() else {
        return Some(text.to_owned());
    };
    let (start, end) = (
        byte_range(first).start,
        byte_range(&parentheses.span.close()).start,
    );
    Some(format!("{}..{}", &text[..start], &text[end..]))
}

/// Returns the pattern of a call with its first arguments; the others are open.
pub(crate) fn first_arguments(text: &str, count: usize) -> Option<String> {
    let whole: Expr = parse_part(text).ok()?;
    let (arguments, parentheses) = arguments_and_parentheses(&whole)?;
    let cut = arguments.iter().nth(count)?;
    let (start, end) = (
        byte_range(cut).start,
        byte_range(&parentheses.span.close()).start,
    );
    Some(format!("{}..{}", &text[..start], &text[end..]))
}

/// Returns the pattern of a call with these arguments written; the others are open.
pub(crate) fn shape_with(
    text: &str,
    written: &dyn Fn(usize, &Expr) -> Option<String>,
) -> Result<String, Refusal> {
    let whole: Expr = parse_part(text).map_err(|_| Refusal::LongCall)?;
    let (arguments, parentheses) = arguments_and_parentheses(&whole).ok_or(Refusal::LongCall)?;
    let closed = byte_range(&parentheses.span.close());
    let Some(first) = arguments.first() else {
        return Ok(text.to_owned());
    };
    let start = byte_range(first).start;
    let told: Vec<Option<String>> = arguments
        .iter()
        .enumerate()
        .map(|(number, argument)| written(number, argument))
        .collect();
    let written = match told.iter().all(Option::is_none) {
        true => "..".to_owned(),
        false => told
            .into_iter()
            .map(|one| one.unwrap_or_else(|| "_".to_owned()))
            .collect::<Vec<_>>()
            .join(", "),
    };
    Ok(format!(
        "{}{written}{}",
        &text[..start],
        &text[closed.start..]
    ))
}

/// Returns the arguments of a call, also of one that is awaited.
pub(crate) fn arguments(call: &Expr) -> impl Iterator<Item = &Expr> {
    arguments_and_parentheses(call)
        .into_iter()
        .flat_map(|(arguments, _)| arguments)
}

fn arguments_and_parentheses(call: &Expr) -> Option<(&Punctuated<Expr, Token![,]>, &Paren)> {
    match call {
        Expr::Call(call) => Some((&call.args, &call.paren_token)),
        Expr::MethodCall(call) => Some((&call.args, &call.paren_token)),
        Expr::Await(waiting) => arguments_and_parentheses(&waiting.base),
        _ => None,
    }
}

/// Returns whether a pattern matches any argument.
pub(crate) fn is_open(pattern: &Expr) -> bool {
    matches!(pattern, Expr::Infer(_) | Expr::Range(_))
}

/// Returns source code without white space.
pub(crate) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_keeps_what_is_written_and_leaves_the_rest_open() {
        assert_eq!(shape("now()").unwrap(), "now()");
        assert_eq!(
            shape("self.http.get(&url, depth + 1)").unwrap(),
            "self.http.get(..)"
        );
        assert_eq!(shape("rand(low, 6)").unwrap(), "rand(_, 6)");
        assert_eq!(
            shape("client.get(url).await").unwrap(),
            "client.get(..).await"
        );
        assert_eq!(open_shape("rand(low, 6)").unwrap(), "rand(..)");
        assert_eq!(open_shape("now()").unwrap(), "now()");
        assert_eq!(
            first_arguments("rand(low, 6, 7)", 1).unwrap(),
            "rand(low, ..)"
        );
        assert_eq!(first_arguments("rand(low, 6)", 2), None);
    }
}
