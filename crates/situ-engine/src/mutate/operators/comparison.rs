//! Comparisons.

use super::{Operator, swap_operator};

/// Operator that moves the boundary of a comparison by one, or reverses it.
pub(super) const OPERATOR: Operator = Operator {
    name: "comparison",
    about: "Moves the boundary of a comparison, reverses it, or turns it into an equality. \
            Tests that never try the boundary itself miss it.",
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
