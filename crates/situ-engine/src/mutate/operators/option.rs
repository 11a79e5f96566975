//! `Some`, `None`, `Ok` and `Err`.

use super::{Change, Node, Operator};
use syn::{Expr, Lit};

/// Operator that replaces `Some` by `None`, and `Err` by `Ok`.
pub(super) const OPERATOR: Operator = Operator {
    name: "option",
    about: "Replaces `Some(x)` by `None`, or `Err(e)` by `Ok` of the default. Tests that do \
            not check the result miss it.",
    before: "fn found(x: X) -> Option<X> { Some(x) }",
    after: &["fn found(x: X) -> Option<X> { None }"],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::Call(call)) = node else {
            return;
        };
        let Some(only) = call.args.first().filter(|_| call.args.len() == 1) else {
            return;
        };
        match around.slice(&*call.func) {
            "Some" => found.push(Change::expression(expression, "None")),
            "Err" => found.push(Change::expression(expression, "Ok(Default::default())")),
            "Ok" if !is_default(only) => {
                found.push(Change::expression(expression, "Ok(Default::default())"))
            }
            _ => {}
        }
    },
};

fn is_default(value: &Expr) -> bool {
    match value {
        Expr::Tuple(tuple) => tuple.elems.is_empty(),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_digits() == "0",
            Lit::Bool(truth) => !truth.value,
            _ => false,
        },
        _ => false,
    }
}
