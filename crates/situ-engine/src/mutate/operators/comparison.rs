//! Comparisons.

use super::{Operator, swap_operator};

/// Boundaries move by one, and directions turn round.
pub(super) const OPERATOR: Operator = Operator {
    name: "comparison",
    about: "A comparison moves its boundary, turns round, or becomes an equality. Tests that never try the boundary \
            itself do not notice.",
    before: "fn adult(age: u32) -> bool { age >= 18 }",
    after: &[
        "fn adult(age: u32) -> bool { age > 18 }",
        "fn adult(age: u32) -> bool { age < 18 }",
    ],
    find: |node, around, found| swap_operator(node, around, TABLE, found),
};

const TABLE: &[(&str, &[&str])] = &[
    ("==", &["!="]),
    ("!=", &["=="]),
    ("<", &["==", ">", "<="]),
    (">", &["==", "<", ">="]),
    ("<=", &["<", ">"]),
    (">=", &[">", "<"]),
];
