//! Elements of lists of constants.

use super::{Change, Node, Operator, Surroundings};
use crate::source::{byte_range, parse_tokens_with};
use std::ops::Range;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMacro, Pat, Token};

/// Maximum number of elements that are removed from one list; of longer ones, the first and the
/// last are.
const MAX_ELEMENTS: usize = 4;

/// Removes an element of a list of constants, or an alternative of `matches!`.
pub(super) const OPERATOR: Operator = Operator {
    name: "element",
    about: "Removes one element of a list of constants (`vec!`, `&[…]`, `[…].contains`), or one \
            alternative of `matches!`. Tests that try only some of the values miss it.",
    before: "fn is_sign(c: char) -> bool { matches!(c, '+' | '-') }",
    after: &[
        "fn is_sign(c: char) -> bool { matches!(c, '-') }",
        "fn is_sign(c: char) -> bool { matches!(c, '+') }",
    ],
    find: |node, around, found| {
        let Node::Expression(expression) = node else {
            return;
        };
        for gap in removed_ranges(expression) {
            let whole = byte_range(*expression);
            let (before, after) = (whole.start..gap.start, gap.end..whole.end);
            let text = format!("{}{}", &around.text[before], &around.text[after]);
            found.push(Change::expression(expression, text).at(first_kept_byte(around, &gap)));
        }
    },
};

/// Returns the byte at which a report points: the removed element, not the separator before it.
fn first_kept_byte(around: &Surroundings<'_>, gap: &Range<usize>) -> usize {
    let removed = &around.text[gap.clone()];
    let separators = removed.len()
        - removed
            .trim_start_matches([',', '|', ' ', '\n', '\t', '\r'])
            .len();
    gap.start + separators
}

/// Returns the ranges of which each, when it is cut out, leaves the list without one element.
fn removed_ranges(expression: &Expr) -> Vec<Range<usize>> {
    match expression {
        Expr::Macro(call) if call.mac.path.is_ident("vec") => elements_of_vec(call),
        Expr::Macro(call) if call.mac.path.is_ident("matches") => alternatives_of_matches(call),
        // Only a reference to an array can become a reference to a shorter one: the types of
        // arrays differ in their lengths, those of the slices that they coerce to do not.
        Expr::Reference(reference) => elements_of_array(&reference.expr),
        Expr::MethodCall(call) if call.method == "contains" => elements_of_array(&call.receiver),
        _ => Vec::new(),
    }
}

fn elements_of_array(list: &Expr) -> Vec<Range<usize>> {
    let Expr::Array(array) = list else {
        return Vec::new();
    };
    if !array.elems.iter().all(is_constant) {
        return Vec::new();
    }
    gaps(&array.elems.iter().map(byte_range).collect::<Vec<_>>())
}

fn elements_of_vec(call: &ExprMacro) -> Vec<Range<usize>> {
    let list = Punctuated::<Expr, Token![,]>::parse_terminated;
    let Ok(elements) = parse_tokens_with(list, call.mac.tokens.clone()) else {
        return Vec::new();
    };
    if !elements.iter().all(is_constant) {
        return Vec::new();
    }
    gaps(&elements.iter().map(byte_range).collect::<Vec<_>>())
}

fn alternatives_of_matches(call: &ExprMacro) -> Vec<Range<usize>> {
    let pattern = |input: ParseStream<'_>| -> syn::Result<Pat> {
        let _value: Expr = input.parse()?;
        let _comma: Token![,] = input.parse()?;
        let pattern = Pat::parse_multi(input)?;
        let _guard: proc_macro2::TokenStream = input.parse()?;
        Ok(pattern)
    };
    match parse_tokens_with(pattern, call.mac.tokens.clone()) {
        Ok(Pat::Or(alternatives)) => gaps(
            &alternatives
                .cases
                .iter()
                .map(byte_range)
                .collect::<Vec<_>>(),
        ),
        _ => Vec::new(),
    }
}

/// Returns whether an element is a literal, a named constant or a tuple or reference of such.
fn is_constant(element: &Expr) -> bool {
    match element {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Reference(inner) => is_constant(&inner.expr),
        Expr::Unary(inner) => is_constant(&inner.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        _ => false,
    }
}

/// Returns, for each element that is to be removed, its range together with one separator. A list
/// with a single element has none: an empty list often has no type.
fn gaps(elements: &[Range<usize>]) -> Vec<Range<usize>> {
    let last = elements.len().saturating_sub(1);
    let is_removed = |at: &usize| elements.len() <= MAX_ELEMENTS || *at == 0 || *at == last;
    if last == 0 {
        return Vec::new();
    }
    let gap = |at: usize| match elements.get(at + 1) {
        Some(next) => elements[at].start..next.start,
        None => elements[at - 1].end..elements[at].end,
    };
    (0..elements.len()).filter(is_removed).map(gap).collect()
}
