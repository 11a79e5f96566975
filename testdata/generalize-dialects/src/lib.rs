//! A small store whose tests are written in the words of several crates.

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has this size.
    Size(usize),
    /// Nothing.
    Unknown,
}

/// What is known of a key, some time later.
pub async fn ask(key: &str) -> Answer {
    match key.len() {
        0 => Answer::Unknown,
        size => Answer::Size(size),
    }
}

/// A number between nought and a hundred.
pub fn percent(text: &str) -> Result<u8, String> {
    match text.trim_end_matches('%').parse::<u8>() {
        Ok(number) if number <= 100 => Ok(number),
        _ => Err(format!("{text:?} is no percentage")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use claims::{assert_err, assert_ok};

    #[tokio::test]
    async fn a_word_has_a_size() {
        let answer = ask("word").await;
        assert_eq!(answer, Answer::Size(4));
        assert_ne!(answer, Answer::Unknown);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn nothing_is_unknown() {
        assert!(matches!(ask("").await, Answer::Unknown));
    }

    #[tokio::test]
    async fn a_name_is_known() {
        assert!(!matches!(ask("situ").await, Answer::Unknown));
    }

    #[test]
    fn half_is_fifty() {
        let half = assert_ok!(percent("50%"));
        pretty_assertions::assert_eq!(half, 50);
        assert!(half <= 100);
    }

    #[test]
    fn too_much_is_none() {
        let message = assert_err!(percent("101%"));
        claims::assert_matches!(percent("all"), Err(_));
        assert!(message.contains("no percentage"));
    }

    #[test]
    fn all_is_a_hundred() {
        assert2::assert!(let Ok(all) = percent("100%"));
        assert2::check!(all == 100);
        debug_assert!(all % 10 == 0);
    }

    #[test]
    fn cases_of_a_table_are_cases() {
        let check = |text: &str, is_one: bool| assert_eq!(percent(text).is_ok(), is_one);
        check("7%", true);
        for (text, expected) in [("8", Ok(8)), ("9%", Ok(9)), ("ten", Err("\"ten\" is no percentage".to_owned()))] {
            assert_eq!(percent(text), expected);
            assert!(!text.is_empty());
        }
        ["1", "2"].into_iter().for_each(|text| assert!(percent(text).is_ok()));
    }
}
