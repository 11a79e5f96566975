//! Literals of numbers and strings.

/// Formats an integer, with the suffix of its type if `with_suffix`. Writes `MAX` and `MIN` for the
/// limits of a type.
pub(super) fn integer(type_name: &str, bits: u128, with_suffix: bool) -> String {
    if let Some(end) = end_of_type(type_name, bits) {
        return format!("{type_name}::{end}");
    }
    let digits = if type_name.starts_with('u') {
        bits.to_string()
    } else {
        (bits as i128).to_string()
    };
    if with_suffix {
        format!("{digits}{type_name}")
    } else {
        digits
    }
}

/// Returns `MAX` or `MIN` if an integer is that limit of its type. Excludes 8-bit types, whose
/// limits are well known.
fn end_of_type(type_name: &str, bits: u128) -> Option<&'static str> {
    let (is_signed, size) = (type_name.starts_with('i'), type_name.get(1..)?);
    let size: u32 = if size == "size" {
        64
    } else {
        size.parse().ok().filter(|size| *size > 8)?
    };
    let all_ones = u128::MAX >> (128 - size);
    match is_signed {
        false => (bits == all_ones).then_some("MAX"),
        true if bits == all_ones >> 1 => Some("MAX"),
        true => (bits == !(all_ones >> 1)).then_some("MIN"),
    }
}

/// Returns a string literal, raw if that is shorter.
pub fn text(text: &str) -> String {
    shorter(format!("{text:?}"), "r", text)
}

/// Returns a byte string literal, raw if that is shorter.
pub fn byte_string(bytes: &[u8]) -> String {
    let escaped = format!("b\"{}\"", bytes.escape_ascii());
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => shorter(escaped, "br", text),
        _ => escaped,
    }
}

/// Returns the raw literal if it is shorter than the escaped one and contains no invisible chars.
fn shorter(escaped: String, prefix: &str, text: &str) -> String {
    let is_seen = |c: char| matches!(c, '\\' | '"' | '\'') || c.escape_debug().count() == 1;
    if !text.chars().all(is_seen) {
        return escaped;
    }
    let ends = text.split('"').skip(1);
    let hashes = ends
        .map(|rest| 1 + rest.len() - rest.trim_start_matches('#').len())
        .max()
        .unwrap_or(0);
    let fence = "#".repeat(hashes);
    let raw = format!("{prefix}{fence}\"{text}\"{fence}");
    if raw.len() < escaped.len() {
        raw
    } else {
        escaped
    }
}

/// Formats a float with exactly these bits, with the suffix of its type if `with_suffix`.
pub(super) fn float(double: bool, bits: u64, with_suffix: bool) -> String {
    let (name, text, same) = if double {
        let value = f64::from_bits(bits);
        (
            "f64",
            special(
                value.is_nan(),
                value.is_infinite(),
                value.is_sign_negative(),
            ),
            f64::NAN.to_bits() == bits,
        )
    } else {
        let value = f32::from_bits(bits as u32);
        let same = u64::from(f32::NAN.to_bits()) == bits;
        (
            "f32",
            special(
                value.is_nan(),
                value.is_infinite(),
                value.is_sign_negative(),
            ),
            same,
        )
    };
    match text {
        Some("NAN") if !same => format!("{name}::from_bits({bits:#x})"),
        Some(constant) => format!("{name}::{constant}"),
        None => {
            let digits = if double {
                format!("{:?}", f64::from_bits(bits))
            } else {
                format!("{:?}", f32::from_bits(bits as u32))
            };
            format!("{digits}{}", if with_suffix { name } else { "" })
        }
    }
}

fn special(nan: bool, infinite: bool, negative: bool) -> Option<&'static str> {
    match (nan, infinite, negative) {
        (true, _, _) => Some("NAN"),
        (_, true, true) => Some("NEG_INFINITY"),
        (_, true, false) => Some("INFINITY"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_raw_where_that_is_shorter() {
        let cases = [
            ("plain", "\"plain\""),
            (r"\d+", "\"\\\\d+\""),
            (r"\d+\.\d+", r#"r"\d+\.\d+""#),
            (r#"{"a": "b"}"#, r###"r#"{"a": "b"}"#"###),
            (r##"a"#b\\\\\\"##, r####"r##"a"#b\\\\\\"##"####),
            ("\\\\\\\n", r#""\\\\\\\n""#),
            ("'it'", "\"'it'\""),
        ];
        for (value, expected) in cases {
            assert_eq!(text(value), expected);
            assert_eq!(
                syn::parse_str::<syn::LitStr>(&text(value)).unwrap().value(),
                value
            );
        }
        assert_eq!(byte_string(br#"{"a": "b"}"#), r###"br#"{"a": "b"}"#"###);
        assert_eq!(byte_string(b"\xff\\\\\\"), r#"b"\xff\\\\\\""#);
    }

    #[test]
    fn the_ends_of_a_type_are_named() {
        assert_eq!(integer("u32", u32::MAX.into(), true), "u32::MAX");
        assert_eq!(
            integer("i64", i128::from(i64::MIN) as u128, false),
            "i64::MIN"
        );
        assert_eq!(integer("i128", i128::MAX as u128, true), "i128::MAX");
        assert_eq!(integer("usize", u64::MAX.into(), false), "usize::MAX");
        assert_eq!(integer("u8", 255, true), "255u8");
        assert_eq!(integer("i32", -1i128 as u128, true), "-1i32");
    }
}
