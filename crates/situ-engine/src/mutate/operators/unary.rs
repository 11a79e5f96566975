//! Unary operators.

use super::{Change, Node, Operator};
use syn::{Expr, UnOp};

/// Operator that removes `-` and `!`.
pub(super) const OPERATOR: Operator = Operator {
    name: "unary",
    about: "Removes a minus or a negation. Tests with symmetric values miss it.",
    before: "fn odd(even: bool) -> bool { !even }",
    after: &["fn odd(even: bool) -> bool { even }"],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::Unary(unary)) = node else {
            return;
        };
        let negates = matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_));
        let literal = matches!(&*unary.expr, Expr::Lit(_)) && matches!(unary.op, UnOp::Not(_));
        if negates && !literal {
            found.push(Change::expression(expression, around.slice(&*unary.expr)));
        }
    },
};
