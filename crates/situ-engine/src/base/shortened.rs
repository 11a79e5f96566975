//! Strings that are shortened to fit a line.

/// Returns `text`, or its first `max_chars` chars followed by `…` if it is longer.
pub fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_chars_are_counted_and_not_bytes() {
        assert_eq!(shortened("größe", 5), "größe");
        assert_eq!(shortened("größe", 3), "grö…");
    }
}
