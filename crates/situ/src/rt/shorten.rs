//! Shortening of long values in a failure message to the part that shows the difference.

/// The maximum length that is shown whole, in chars.
const MOST: usize = 240;
/// The number of chars shown of a longer value.
const WINDOW: usize = 160;
/// The number of chars shown before the first difference.
const BEFORE: usize = 40;

/// Returns the beginning of a long value.
pub(super) fn shortened(text: &str) -> String {
    part(text, 0)
}

/// Returns two different values, both from a little before the first difference.
pub(super) fn both_shortened(a: &str, b: &str) -> (String, String) {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let from = same.saturating_sub(BEFORE);
    (part(a, from), part(b, from))
}

fn part(text: &str, from: usize) -> String {
    let length = text.chars().count();
    if length <= MOST {
        return text.to_owned();
    }
    // Shows the end if it is near.
    let from = from.min(length - WINDOW);
    let shown: String = text.chars().skip(from).take(WINDOW).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if from + WINDOW < length { "…" } else { "" };
    let place = if from > 0 {
        format!(", from number {}", from + 1)
    } else {
        String::new()
    };
    format!("{before}{shown}{after} ({length} characters{place})")
}

#[cfg(test)]
mod tests {
    use super::{both_shortened, shortened};

    #[test]
    fn a_short_value_is_shown_whole() {
        assert_eq!(shortened("abc"), "abc");
    }

    #[test]
    fn of_a_long_value_the_beginning_is_shown() {
        assert_eq!(
            shortened(&"x".repeat(500)),
            format!("{}… (500 characters)", "x".repeat(160))
        );
    }

    #[test]
    fn of_two_long_values_the_first_difference_is_shown() {
        let (a, b) = both_shortened(
            &("ä".repeat(400) + "b" + &"a".repeat(400)),
            &"ä".repeat(801),
        );
        assert!(
            a.starts_with('…') && a.contains("äb") && a.contains("from number 361"),
            "{a}"
        );
        assert!(b.ends_with("(801 characters, from number 361)"), "{b}");
    }

    #[test]
    fn a_difference_at_the_end_shows_the_end() {
        let (a, b) = both_shortened(&("a".repeat(300) + "x"), &"a".repeat(300));
        assert!(a.contains("ax (301 characters"), "{a}");
        assert!(b.contains("a (300 characters"), "{b}");
    }
}
