//! Arithmetic operators.

use super::{Operator, swap_operator};

/// Operator that replaces each arithmetic operator by its inverse and by another one.
pub(super) const OPERATOR: Operator = Operator {
    name: "arithmetic",
    about: "Replaces an arithmetic operator by another one, also in compound assignments. \
            Tests that only use values such as 0, 1 or 2 miss it.",
    before: "fn area(w: u32, h: u32) -> u32 { w * h }",
    after: &[
        "fn area(w: u32, h: u32) -> u32 { w + h }",
        "fn area(w: u32, h: u32) -> u32 { w / h }",
    ],
    find: |node, around, found| swap_operator(node, around, TABLE, found),
};

const TABLE: &[(&str, &[&str])] = &[
    ("+", &["-", "*"]),
    ("-", &["+", "/"]),
    ("*", &["+", "/"]),
    ("/", &["%", "*"]),
    ("%", &["/", "+"]),
    ("+=", &["-=", "*="]),
    ("-=", &["+=", "/="]),
    ("*=", &["+=", "/="]),
    ("/=", &["%=", "*="]),
    ("%=", &["/=", "+="]),
];
