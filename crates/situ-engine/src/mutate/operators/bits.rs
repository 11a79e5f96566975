//! Bit operators.

use super::{Operator, swap_operator};

/// Masks and shifts.
pub(super) const OPERATOR: Operator = Operator {
    name: "bits",
    about: "A bit operator becomes another one, a shift goes the other way. Tests with a single bit set, or none, do \
            not notice.",
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
