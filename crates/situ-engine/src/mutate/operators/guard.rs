//! Guards of match arms.

use super::{Change, Node, Operator, holds_let};

/// Operator that replaces the guard of a match arm by `true` or `false`.
pub(super) const OPERATOR: Operator = Operator {
    name: "guard",
    about: "Replaces the guard of a match arm by `true` or `false`. Tests that do not reach \
            the arm with the guard both true and false miss it.",
    before: "fn sign(x: i32) -> i32 { match x { n if big(n) => 1, _ => 0 } }",
    after: &[
        "fn sign(x: i32) -> i32 { match x { n if true => 1, _ => 0 } }",
        "fn sign(x: i32) -> i32 { match x { n if false => 1, _ => 0 } }",
    ],
    find: |node, _, found| {
        let Node::Guard(guard) = node else { return };
        if !holds_let(guard) {
            found.push(Change::expression(guard, "true"));
            found.push(Change::expression(guard, "false"));
        }
    },
};
