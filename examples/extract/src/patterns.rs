//! A condition with several operands (Fig. 3.4): whether a text has the shape of a pattern.

use situ::prelude::*;

/// A text with a gap: what stands before it and after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    before: String,
    after: String,
}

#[situ]
impl Pattern {
    /// A pattern whose gap is written as a star.
    pub fn new(text: &str) -> Option<Pattern> {
        let (before, after) = text.split_once('*')?;
        itest!(
            tag("nearby"),
            each(
                (text, expected_before, expected_after),
                [
                    ("*.log", "", ".log"),
                    ("aa*aa", "aa", "aa"),
                    ("**.log", "", "*.log")
                ]
            ),
            check_eq(before, expected_before),
            check_eq(after, expected_after),
            observed("7me2")
        );
        itest!(given(text = "plain"), check_return(None), observed("4eqh"));
        Some(Pattern {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }
}

/// What fills the gap of the first pattern that has the shape of the text.
#[situ]
pub fn first_match<'v>(patterns: &[Pattern], value: &'v str) -> Option<&'v str> {
    for pattern in patterns {
        let fixed = pattern.before.len() + pattern.after.len();
        if value.len() >= fixed
            && value.starts_with(&pattern.before)
            && value.ends_with(&pattern.after)
        {
            itest!(
                given(
                    value = "aaa",
                    fixed = 4usize,
                    pattern.before = String::from("aa"),
                    pattern.after = String::from("aa")
                ),
                check_false(cond()),
                check_false(cond(1)),
                observed("6mbn")
            );
            itest!(
                given(
                    value = "user-7@example.org",
                    fixed = 17usize,
                    pattern.before = String::from("user-"),
                    pattern.after = String::from("@example.org")
                ),
                check_true(cond()),
                observed("btrn")
            );
            itest!(
                tag("nearby"),
                each(
                    (value, pattern_before, pattern_after, operand_2, operand_3),
                    [
                        (
                            "user-7@example.com",
                            String::new(),
                            String::from(".log"),
                            true,
                            false
                        ),
                        (" aaa", String::from("aa"), String::from("aa"), false, true)
                    ]
                ),
                given(
                    fixed = 4usize,
                    pattern.before = pattern_before,
                    pattern.after = pattern_after
                ),
                check_false(cond()),
                check_true(cond(1)),
                check_eq(cond(2), operand_2),
                check_eq(cond(3), operand_3),
                observed("y8kf")
            );
            let gap = pattern.before.len()..value.len() - pattern.after.len();
            return Some(&value[gap]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns() -> Vec<Pattern> {
        ["user-*@example.org", "aa*aa", "*.log"]
            .into_iter()
            .filter_map(Pattern::new)
            .collect()
    }

    #[test]
    fn the_gap_is_found() {
        assert_eq!(first_match(&patterns(), "user-7@example.org"), Some("7"));
        assert_eq!(first_match(&patterns(), "today.log"), Some("today"));
    }

    #[test]
    fn other_texts_match_nothing() {
        assert_eq!(first_match(&patterns(), "user-7@example.com"), None);
        assert_eq!(first_match(&patterns(), "aaa"), None);
    }

    #[test]
    fn a_pattern_has_a_gap() {
        assert_eq!(Pattern::new("plain"), None);
    }
}
