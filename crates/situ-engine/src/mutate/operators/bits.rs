//! Bit operators.

use super::{Operator, swap_operator};

/// Operator that replaces bit operators, and reverses shifts.
pub(super) const OPERATOR: Operator = Operator {
    name: "bits",
    about: "Replaces a bit operator by another one, or reverses a shift. Tests with a single \
            bit set, or none, miss it.",
    before: "fn low(x: u8) -> u8 { x & 15 }",
    after: &[
        "fn low(x: u8) -> u8 { x | 15 }",
        "fn low(x: u8) -> u8 { x ^ 15 }",
    ],
    find: |node, around, found| swap_operator(node, around, TABLE, found),
};

const TABLE: &[(&str, &[&str])] = &[
    ("&", &["|", "^"]),
    ("|", &["&", "^"]),
    ("^", &["|", "&"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("&=", &["|=", "^="]),
    ("|=", &["&=", "^="]),
    ("^=", &["|=", "&="]),
    ("<<=", &[">>="]),
    (">>=", &["<<="]),
];
