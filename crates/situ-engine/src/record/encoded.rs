//! Parts of a text in which single bytes are written as numbers: `%70%77`, `[112, 119]`, `0x70, 0x77`,
//! `70 77`. Secrets in them are found by decoding them.

use std::ops::Range;

/// Minimum number of bytes in a part. Shorter lists of numbers are common, and no secret is known by
/// so few bytes.
const SHORTEST: usize = 4;

/// Returns each part with the bytes that it encodes. Parts may overlap: `70 77` is a list of decimal
/// and of hexadecimal numbers.
pub(super) fn parts(text: &str) -> Vec<(Range<usize>, Vec<u8>)> {
    let mut parts = Vec::new();
    if text.contains('%') {
        parts.extend(percent_words(text));
    }
    if text
        .bytes()
        .filter(u8::is_ascii_digit)
        .nth(SHORTEST - 1)
        .is_some()
    {
        parts.extend(lists(text, decimal));
        parts.extend(lists(text, hexadecimal));
    }
    parts
}

/// Returns the words that contain a byte in percent form.
fn percent_words(text: &str) -> impl Iterator<Item = (Range<usize>, Vec<u8>)> {
    let is_edge = |char: char| char.is_whitespace() || "\"'`(){}[]<>,;".contains(char);
    let words = text.split(is_edge).filter(|word| word.contains('%'));
    words.filter_map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let decoded = situ_recorder::secret::without_percents(word.as_bytes())?;
        Some((start..start + word.len(), decoded))
    })
}

/// Returns the longest runs of numbers that `byte_of` reads, with at most two separators between them.
fn lists(text: &str, byte_of: fn(&str) -> Option<u8>) -> Vec<(Range<usize>, Vec<u8>)> {
    const SEPARATORS: [char; 5] = [',', ' ', ':', '-', ';'];
    let mut found: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    let is_edge = |char: char| SEPARATORS.contains(&char) || "()[]{}\"'\n\t".contains(char);
    for word in text.split(is_edge).filter(|word| !word.is_empty()) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let Some(byte) = byte_of(word) else {
            continue;
        };
        let is_next = |end: usize| {
            start - end <= 2
                && text[end..start]
                    .chars()
                    .all(|char| SEPARATORS.contains(&char))
        };
        match found.last_mut() {
            Some((range, bytes)) if is_next(range.end) => {
                range.end = start + word.len();
                bytes.push(byte);
            }
            _ => found.push((start..start + word.len(), vec![byte])),
        }
    }
    found.retain(|(_, bytes)| bytes.len() >= SHORTEST);
    found
}

fn decimal(word: &str) -> Option<u8> {
    let number = word.trim_end_matches("u8").trim_end_matches("u16");
    number
        .parse()
        .ok()
        .filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn hexadecimal(word: &str) -> Option<u8> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let is_byte = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_byte
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = parts(text);
        let found: Vec<(&str, String)> = found
            .iter()
            .map(|(range, bytes)| {
                (
                    &text[range.clone()],
                    String::from_utf8_lossy(bytes).into_owned(),
                )
            })
            .collect();
        for (part, decoded) in expected {
            assert!(found.contains(&(*part, (*decoded).to_owned())), "{found:?}");
        }
        assert!(!expected.is_empty() || found.is_empty(), "{found:?}");
    }

    #[test]
    fn bytes_are_decoded_from_every_common_form() {
        check("bad %68%69!", &[("%68%69!", "hi!")]);
        check(
            "left: [104, 105, 33, 33], right: [1]",
            &[("104, 105, 33, 33", "hi!!")],
        );
        check("68 69 21 21", &[("68 69 21 21", "hi!!")]);
        check("mac 68:69:21:21.", &[]);
        check(
            "(0x68, 0x69, 0x21, 0x21)",
            &[("0x68, 0x69, 0x21, 0x21", "hi!!")],
        );
        check("[104u8, 105, 33, 33]", &[("104u8, 105, 33, 33", "hi!!")]);
        check("100 % of 12, 13 é", &[]);
        check("thread 'a' panicked at src/lib.rs:8:21", &[]);
    }
}
