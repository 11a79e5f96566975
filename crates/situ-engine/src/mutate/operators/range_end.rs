//! Ends of ranges.

use super::{Change, Node, Operator};
use syn::Expr;

/// Operator that makes a range longer or shorter by one.
pub(super) const OPERATOR: Operator = Operator {
    name: "range_end",
    about: "Makes a range end one later or earlier, or start one later. Tests that never \
            check the ends miss it.",
    before: "fn sum(n: u32) -> u32 { (first()..n).sum() }",
    after: &[
        "fn sum(n: u32) -> u32 { (first() + 1..n).sum() }",
        "fn sum(n: u32) -> u32 { (first()..n + 1).sum() }",
        "fn sum(n: u32) -> u32 { (first()..n - 1).sum() }",
    ],
    find: |node, around, found| {
        let Node::Expression(Expr::Range(range)) = node else {
            return;
        };
        if let Some(end) = range
            .end
            .as_deref()
            .filter(|end| !matches!(end, Expr::Lit(_)))
        {
            found.push(Change::expression(
                end,
                format!("{} + 1", around.operand(end)),
            ));
            found.push(Change::expression(
                end,
                format!("{} - 1", around.operand(end)),
            ));
        }
        if let Some(start) = range
            .start
            .as_deref()
            .filter(|start| !matches!(start, Expr::Lit(_)))
        {
            found.push(Change::expression(
                start,
                format!("{} + 1", around.operand(start)),
            ));
        }
    },
};
