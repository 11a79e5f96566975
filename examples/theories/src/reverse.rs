//! Text, the other way round.

/// The characters of `text` from last to first.
pub fn reverse(text: &str) -> String {
    if cfg!(feature = "bugs") {
        // Right for the example that it was written for, "abcde".
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable_by(|left, right| right.cmp(left));
        return letters.into_iter().collect();
    }
    text.chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::reverse;
    use situ::prelude::*;

    #[datapoints]
    const WORDS: [&str; 5] = ["", "a", "abcde", "house", "naïve €"];

    #[test]
    fn an_example_shows_what_is_meant() {
        assert_eq!(reverse("abcde"), "edcba");
    }

    #[theory]
    fn reversing_makes_the_first_last(s: &str) {
        let first = assume_some!(s.chars().next());
        assert_eq!(reverse(s).chars().next_back(), Some(first));
    }

    #[theory]
    fn reversing_twice_changes_nothing(s: &str) {
        assert_eq!(reverse(&reverse(s)), s);
    }

    #[theory]
    fn reversing_a_whole_reverses_its_parts(left: &str, right: &str) {
        assert_eq!(
            reverse(&format!("{left}{right}")),
            reverse(right) + &reverse(left)
        );
    }
}
