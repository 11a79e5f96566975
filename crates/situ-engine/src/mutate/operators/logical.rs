//! Logical operators.

use super::{Change, Node, Operator, holds_let, swap_operator};
use syn::Expr;

/// Operator that swaps `&&` and `||`, and removes one operand.
pub(super) const OPERATOR: Operator = Operator {
    name: "logical",
    about: "Swaps `&&` and `||`, or removes one operand. Tests in which the operands never \
            differ miss it.",
    before: "fn both(a: bool, b: bool) -> bool { a && b }",
    after: &[
        "fn both(a: bool, b: bool) -> bool { a || b }",
        "fn both(a: bool, b: bool) -> bool { a }",
        "fn both(a: bool, b: bool) -> bool { b }",
    ],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::Binary(binary)) = node else {
            return;
        };
        if !matches!(around.slice(&binary.op), "&&" | "||") || holds_let(expression) {
            return;
        }
        swap_operator(node, around, &[("&&", &["||"]), ("||", &["&&"])], found);
        let at = crate::source::byte_range(&binary.op).start;
        found.push(Change::expression(expression, around.slice(&*binary.left)).at(at));
        found.push(Change::expression(expression, around.slice(&*binary.right)).at(at));
    },
};
