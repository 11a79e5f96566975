//! Inline tests, Fig. 2.7: a condition compares a character with a number, and so never sees DEL.

use situ::prelude::*;

const HEX_DIGITS: [char; 16] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
];

/// The text with its control characters written as `\xNN`.
#[situ]
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for ch in text.chars() {
        if ch == '\\' {
            out.push_str("\\\\");
        } else if ch < ' ' || ch as u32 == 0x7f {
            itest!(
                "DEL is a control character",
                given(ch = '\x7f'),
                check_true(cond(2))
            );
            out.push_str("\\x");
            let high = (ch as usize >> 4) & 0x0f;
            itest!(given(ch = '\x7f'), check_eq(high, 7));
            out.push(HEX_DIGITS[high]);
            out.push(HEX_DIGITS[ch as usize & 0x0f]);
            itest!(given(ch = '\x7f', out = String::new()), check_eq(out, "f"));
        } else {
            out.push(ch);
        }
    }
    out
}

/// The faulty version: Rust does not compare a `char` with an integer, but their texts it does.
pub mod bug {
    use super::*;

    /// Leaves DEL as it is.
    #[situ]
    pub fn escape(text: &str) -> String {
        let mut out = String::new();
        for ch in text.chars() {
            if ch < ' ' || ch.to_string() == 0x7f.to_string() {
                itest!(
                    "DEL is a control character",
                    given(ch = '\x7f'),
                    check_true(cond(2)),
                    ignore("shows the bug"),
                );
                out.push_str("\\x");
                out.push(HEX_DIGITS[(ch as usize >> 4) & 0x0f]);
                out.push(HEX_DIGITS[ch as usize & 0x0f]);
            } else {
                out.push(ch);
            }
        }
        out
    }
}

#[test]
fn the_test_of_the_operand_finds_the_comparison_that_is_never_true() {
    crate::failing::assert_fails(
        "inline_2_7_control_characters::bug::situ_escape::DEL_is_a_control_character",
        &["ch.to_string() == 0x7f.to_string()"],
    );
}
