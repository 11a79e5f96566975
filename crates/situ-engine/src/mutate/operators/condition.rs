//! Conditions.

use super::{Change, Node, Operator};
use syn::{BinOp, Expr, UnOp};

/// Operator that replaces the condition of an `if` by `true`, `false` or its negation, and that of
/// a `while` by `false`.
pub(super) const OPERATOR: Operator = Operator {
    name: "condition",
    about: "Replaces the condition of an `if` by `true`, `false` or its negation, and that \
            of a `while` by `false`. Tests that take only one branch miss it.",
    before: "fn sign(open: bool) -> u8 { if open { 1 } else { 2 } }",
    after: &[
        "fn sign(open: bool) -> u8 { if true { 1 } else { 2 } }",
        "fn sign(open: bool) -> u8 { if false { 1 } else { 2 } }",
        "fn sign(open: bool) -> u8 { if !(open) { 1 } else { 2 } }",
    ],
    find: |node, around, found| {
        let Node::Condition { condition, is_loop } = node else {
            return;
        };
        if matches!(condition, Expr::Lit(_)) {
            return;
        }
        if !is_loop {
            found.push(Change::expression(condition, "true"));
        }
        found.push(Change::expression(condition, "false"));
        if !is_loop && !another_operator_negates(condition) {
            found.push(Change::expression(
                condition,
                format!("!({})", around.slice(*condition)),
            ));
        }
    },
};

fn another_operator_negates(condition: &Expr) -> bool {
    match condition {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Binary(binary) => {
            matches!(
                binary.op,
                BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_)
            )
        }
        Expr::MethodCall(call) => super::method::has_opposite(&call.method.to_string()),
        _ => false,
    }
}
