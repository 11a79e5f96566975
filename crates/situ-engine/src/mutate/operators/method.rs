//! Methods of iterators, strings and collections.

use super::{Change, Node, Operator};
use syn::{Expr, ExprMethodCall, Lit};

/// Operator that replaces a method by its opposite, or removes it.
pub(super) const OPERATOR: Operator = Operator {
    name: "method",
    about: "Replaces a method by its opposite (`min`, `max`), or removes a step of a chain \
            (`trim`, `rev`) if the type stays the same. Tests with symmetric or trivial data \
            miss it.",
    before: "fn low(list: &[u8]) -> Option<&u8> { list.iter().min() }",
    after: &["fn low(list: &[u8]) -> Option<&u8> { list.iter().max() }"],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::MethodCall(call)) = node else {
            return;
        };
        let name = call.method.to_string();
        let at = crate::source::byte_range(&call.method);
        let whole = crate::source::byte_range(*expression);
        for other in opposites(&name) {
            let text = format!(
                "{}{other}{}",
                &around.text[whole.start..at.start],
                &around.text[at.end..whole.end]
            );
            found.push(Change::expression(expression, text).at(at.start));
        }
        if can_be_left_out(call, &name) {
            found.push(Change::expression(expression, around.slice(&*call.receiver)).at(at.start));
        }
        if name == "unwrap_or" && call.args.len() == 1 && !call.args.iter().all(is_default_literal)
        {
            let text = format!("{}unwrap_or_default()", &around.text[whole.start..at.start]);
            found.push(Change::expression(expression, text).at(at.start));
        }
    },
};

/// Returns whether a literal is the default of its type, so that replacing it by the default
/// changes nothing.
fn is_default_literal(value: &Expr) -> bool {
    let Expr::Lit(literal) = value else {
        return false;
    };
    match &literal.lit {
        Lit::Bool(truth) => !truth.value,
        Lit::Int(number) => number.base10_digits() == "0",
        Lit::Float(number) => number
            .base10_parse::<f64>()
            .is_ok_and(|number| number == 0.0),
        Lit::Str(text) => text.value().is_empty(),
        _ => false,
    }
}

const PAIRS: &[(&str, &str)] = &[
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("any", "all"),
    ("min", "max"),
    ("min_by", "max_by"),
    ("min_by_key", "max_by_key"),
    ("first", "last"),
    ("first_mut", "last_mut"),
    ("split_first", "split_last"),
    ("starts_with", "ends_with"),
    ("strip_prefix", "strip_suffix"),
    ("trim_start", "trim_end"),
    ("trim_start_matches", "trim_end_matches"),
    ("to_lowercase", "to_uppercase"),
    ("to_ascii_lowercase", "to_ascii_uppercase"),
    ("make_ascii_lowercase", "make_ascii_uppercase"),
    ("is_ascii_lowercase", "is_ascii_uppercase"),
    ("is_lowercase", "is_uppercase"),
    ("find", "rfind"),
    ("split_once", "rsplit_once"),
    ("position", "rposition"),
    ("pop_front", "pop_back"),
    ("push_front", "push_back"),
    ("front", "back"),
    ("floor", "ceil"),
    ("leading_zeros", "trailing_zeros"),
    ("count_ones", "count_zeros"),
    ("rotate_left", "rotate_right"),
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
    ("checked_add", "checked_sub"),
    ("overflowing_add", "overflowing_sub"),
    ("wrapping_shl", "wrapping_shr"),
    ("checked_mul", "checked_add"),
    ("wrapping_mul", "wrapping_add"),
    ("saturating_mul", "saturating_add"),
    ("keys", "values"),
    ("is_alphabetic", "is_alphanumeric"),
    ("is_ascii_alphabetic", "is_ascii_alphanumeric"),
    ("is_ascii_digit", "is_ascii_hexdigit"),
];

fn opposites(name: &str) -> Vec<&'static str> {
    let both = PAIRS
        .iter()
        .filter_map(|(one, other)| match (*one == name, *other == name) {
            (true, _) => Some(*other),
            (_, true) if !one.ends_with("mul") => Some(*one),
            _ => None,
        });
    let mut all: Vec<&str> = both.collect();
    all.truncate(1);
    if name == "trim" {
        all.extend(["trim_start", "trim_end"]);
    }
    all
}

/// Returns whether a method has an opposite that negates it.
pub(super) fn has_opposite(name: &str) -> bool {
    matches!(name, "is_some" | "is_none" | "is_ok" | "is_err")
}

fn can_be_left_out(call: &ExprMethodCall, name: &str) -> bool {
    let arguments = match name {
        "trim" | "trim_start" | "trim_end" | "rev" | "abs" => 0,
        "to_ascii_lowercase" | "to_ascii_uppercase" | "to_lowercase" | "to_uppercase"
        | "reverse" => 0,
        "skip" | "take" | "step_by" | "filter" | "skip_while" | "take_while" | "chain" | "not" => 1,
        "trim_matches" | "trim_start_matches" | "trim_end_matches" => 1,
        "replace" => 2,
        _ => return false,
    };
    call.args.len() == arguments
}
