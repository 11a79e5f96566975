//! Strings that are shortened to fit a line.

/// Returns `text`, or its first `max_chars` chars followed by `…` if it is longer.
pub fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns both strings, or, if one is longer than `max_chars`, the part of each around the first
/// char in which they differ.
pub fn differing_parts(left: &str, right: &str, max_chars: usize) -> (String, String) {
    if left.chars().count().max(right.chars().count()) <= max_chars {
        return (left.to_owned(), right.to_owned());
    }
    let same = left
        .chars()
        .zip(right.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let start = same.saturating_sub(max_chars / 2);
    let part = |text: &str| {
        let rest: String = text.chars().skip(start).collect();
        let lead = if start > 0 { "…" } else { "" };
        format!("{lead}{}", shortened(&rest, max_chars))
    };
    (part(left), part(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_chars_are_counted_and_not_bytes() {
        assert_eq!(shortened("größe", 5), "größe");
        assert_eq!(shortened("größe", 3), "grö…");
    }

    #[test]
    fn long_strings_are_cut_around_their_difference() {
        let check = |left: &str, right: &str, expected: (&str, &str)| {
            let parts = differing_parts(left, right, 8);
            assert_eq!((parts.0.as_str(), parts.1.as_str()), expected);
        };
        check("abc", "abd", ("abc", "abd"));
        check("abcdefghij", "abX", ("abcdefgh…", "abX"));
        check("aaaaaaaaaaBcc", "aaaaaaaaaaC", ("…aaaaBcc", "…aaaaC"));
    }
}
