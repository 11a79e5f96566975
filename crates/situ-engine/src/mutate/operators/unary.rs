//! Unary operators.

use super::{Change, Node, Operator};
use syn::{Expr, UnOp};

/// `-` and `!` are left out.
pub(super) const OPERATOR: Operator = Operator {
    name: "unary",
    about: "A minus or a negation is left out. Tests whose values are symmetric do not notice.",
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
