//! Ends of ranges.

use super::{Change, Node, Operator};
use syn::Expr;

/// A range that is one longer or shorter.
pub(super) const OPERATOR: Operator = Operator {
    name: "range_end",
    about: "A range ends one later or earlier, or starts one later. Tests that never look at the ends do not notice.",
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
