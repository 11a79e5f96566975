//! Inline tests, Fig. 2.4: one operand of a condition is tested, and its regular expression turns out to be wrong.

use std::sync::LazyLock;

use regex::Regex;
use situ::prelude::*;

static IDENTIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[0-9A-F-]{36}$").expect("a valid pattern"));

/// The key that a serial number stands for; a device identifier is its own key.
#[situ]
pub fn key_of(serial: &str) -> String {
    if serial.is_ascii() && IDENTIFIER.is_match(serial) {
        itest!(
            given(serial = "0123456789ABCDEF-0123456789ABCDEF-01"),
            check_true(cond(2))
        );
        itest!(
            "too short",
            given(serial = "0123"),
            check_true(cond(1)),
            check_false(cond(2))
        );
        return serial.to_owned();
    }
    serial.chars().rev().collect()
}

/// The faulty version: braces where brackets belong, so that it matches `{0-9A-F-` and 36 closing braces.
pub mod bug {
    use super::*;

    // This crate's regular expressions refuse a brace that repeats nothing, so the misreading is spelled out.
    static IDENTIFIER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\{0-9A-F-}{36}$").expect("a valid pattern"));

    /// Finds no identifier to be one.
    #[situ]
    pub fn key_of(serial: &str) -> String {
        if serial.is_ascii() && IDENTIFIER.is_match(serial) {
            itest!(
                "an identifier",
                given(serial = "0123456789ABCDEF-0123456789ABCDEF-01"),
                check_true(cond(2)),
                ignore("shows the bug"),
            );
            return serial.to_owned();
        }
        serial.chars().rev().collect()
    }
}

#[test]
fn the_test_of_the_operand_finds_the_wrong_pattern() {
    crate::failing::assert_fails(
        "inline_2_4_hex_identifier::bug::situ_key_of::an_identifier",
        &["IDENTIFIER.is_match(serial)", "true", "false"],
    );
}
