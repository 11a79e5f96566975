//! Literals.

use super::{Change, Form, Node, Operator};
use crate::source::byte_range;
use syn::{Expr, Lit, LitInt, Pat};

/// Operator that changes numbers by one, negates booleans, and empties strings.
pub(super) const OPERATOR: Operator = Operator {
    name: "literal",
    about: "Changes a number by one, negates a `bool`, or empties a string. Tests that do \
            not depend on the constant miss it.",
    before: "fn limit() -> u32 { 10 }",
    after: &["fn limit() -> u32 { 11 }", "fn limit() -> u32 { 9 }"],
    find: |node, _, found| match node {
        Node::Expression(expression @ Expr::Lit(literal)) if literal.attrs.is_empty() => {
            found.extend(
                others(&literal.lit)
                    .into_iter()
                    .map(|text| Change::expression(expression, text)),
            );
        }
        Node::Pattern(Pat::Lit(literal)) => {
            let range = byte_range(literal);
            found.extend(others(&literal.lit).into_iter().map(|text| Change {
                form: Form::Unswitchable,
                at: range.start,
                range: range.clone(),
                text,
                removes_exit: false,
                shown: None,
            }));
        }
        _ => {}
    },
};

fn others(literal: &Lit) -> Vec<String> {
    match literal {
        Lit::Bool(truth) => vec![(!truth.value).to_string()],
        Lit::Int(number) => neighbours(number),
        Lit::Float(number) => {
            let Ok(value) = number.base10_parse::<f64>() else {
                return Vec::new();
            };
            vec![format!("{:?}{}", value + 1.0, number.suffix())]
        }
        Lit::Str(text) if text.value().is_empty() => vec!["\"xyzzy\"".to_owned()],
        Lit::Str(_) => vec!["\"\"".to_owned()],
        Lit::Char(c) => next_char(c.value())
            .map(|next| format!("{next:?}"))
            .into_iter()
            .collect(),
        Lit::Byte(byte) => {
            let next = byte.value().wrapping_add(1);
            vec![format!("b'{}'", std::ascii::escape_default(next))]
        }
        _ => Vec::new(),
    }
}

fn neighbours(number: &LitInt) -> Vec<String> {
    let Ok(value) = number.base10_parse::<u128>() else {
        return Vec::new();
    };
    let is_hex = number.to_string().starts_with("0x");
    let shown = |value: u128| match is_hex {
        true => format!("{value:#x}{}", number.suffix()),
        false => format!("{value}{}", number.suffix()),
    };
    [value.checked_add(1), value.checked_sub(1)]
        .into_iter()
        .flatten()
        .map(shown)
        .collect()
}

fn next_char(c: char) -> Option<char> {
    char::from_u32(u32::from(c) + 1)
}
