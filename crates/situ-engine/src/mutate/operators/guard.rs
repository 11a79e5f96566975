//! Guards of match arms.

use super::{Change, Node, Operator, holds_let};

/// A guard that always or never holds.
pub(super) const OPERATOR: Operator = Operator {
    name: "guard",
    about: "The guard of a match arm becomes true or false. Tests that never reach the arm with the guard both ways do \
            not notice.",
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
