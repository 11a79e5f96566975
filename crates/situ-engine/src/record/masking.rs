//! Removes secrets from the output of programs, for reports that others read.

use super::secrets;
use crate::cargo::workspace::SecretNames;
use situ_recorder::secret::{Names, Secrecy, named_in};
use std::borrow::Cow;
use std::ops::Range;

/// Replacement for a secret.
pub const MASK: &str = "<withheld>";

/// Mask for secrets in the strings of one report. A secret found in one of them is masked in all.
pub struct Masking {
    names: Names,
}

impl Masking {
    /// Creates a masking with the secrets of this command's environment, those of recordings that
    /// it has closed, and these names of secrets.
    pub fn new(names: &SecretNames) -> Masking {
        secrets::learn_environment(names);
        Masking {
            names: Names::new(&names.names, &names.not_secret),
        }
    }

    /// Learns the values that a string shows under names of secrets.
    pub fn learn(&self, text: &str) {
        for (secrecy, value) in named_in(text, &self.names) {
            shown_in(text, &value)
                .into_iter()
                .for_each(|shown| secrets::add(&text[shown], secrecy));
        }
    }

    /// Masks all words of a string that contain secrets.
    pub fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let named = named_in(text, &self.names);
        let named = named
            .into_iter()
            .filter(|(secrecy, _)| *secrecy == Secrecy::Always);
        let places = named
            .flat_map(|(_, value)| shown_in(text, &value))
            .chain(secrets::places_in(text));
        without(text, places.collect())
    }
}

/// Masks all words of a message that contain known secrets, or that look like secrets.
pub fn masked(message: &str) -> Cow<'_, str> {
    without(message, secrets::places_in(message))
}

/// Returns the values after a name: strings in quotes, otherwise the first word if it contains a
/// digit.
fn shown_in(text: &str, value: &Range<usize>) -> Vec<Range<usize>> {
    let value_text = &text[value.clone()];
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let range = |part: &str| start(part)..start(part) + part.len();
    if value_text.contains('"') {
        return situ_recorder::secret::quoted(value_text)
            .filter(|part| !part.is_empty())
            .map(range)
            .collect();
    }
    let word = value_text
        .split(is_edge)
        .find(|word| word.contains(|char: char| char.is_ascii_digit()));
    word.into_iter().map(range).collect()
}

/// Masks these ranges, extended to whole words, because the rest of the word is usually part of the
/// secret too.
fn without(text: &str, mut places: Vec<Range<usize>>) -> Cow<'_, str> {
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let (mut kept, mut done) = (String::new(), 0);
    for place in places.into_iter().filter(|place| place.start < place.end) {
        let start = floor_char_boundary(text, place.start);
        let start = text[..start]
            .rfind(is_edge)
            .map_or(0, |at| next_char(text, at))
            .max(done);
        let end = next_char(text, place.end.saturating_sub(1));
        let end = text[end..].find(is_edge).map_or(text.len(), |at| end + at);
        if end > done {
            kept.push_str(&text[done..start]);
            if !kept.ends_with(MASK) || start > done {
                kept.push_str(MASK);
            }
            done = end;
        }
    }
    kept.push_str(&text[done..]);
    Cow::Owned(kept)
}

fn is_edge(char: char) -> bool {
    char.is_whitespace() || "\"'`(){}[]<>,;".contains(char)
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// Returns the byte offset after the char at `at`.
fn next_char(text: &str, at: usize) -> usize {
    (at + 1..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::secrets::tests::know;

    #[test]
    fn a_text_is_masked_by_whole_words() {
        know("of-mask-2217");
        let masking = Masking::new(&SecretNames::default());
        let masked_ones = [
            (
                "expected \"of-mask-2217\", found \"x\"",
                "expected \"<withheld>\", found \"x\"",
            ),
            (
                "é of-mask-2217é and OF-MASK-2217",
                "é <withheld> and <withheld>",
            ),
            ("see ftp://a:bcde@host/ too", "see <withheld> too"),
            ("at /?p=%6F%66-mask-2217 it", "at <withheld> it"),
            (
                "[111, 102, 45, 109, 97, 115, 107, 45, 50, 50, 49, 55], [1, 2, 3, 4]",
                "[<withheld>], [1, 2, 3, 4]",
            ),
            ("6f 66 2d 6d 61 73 6b 2d 32 32 31 37", "<withheld>"),
            ("nothing at all é", "nothing at all é"),
        ];
        for (text, expected) in masked_ones {
            assert_eq!(masking.masked(text), expected);
        }
        assert!(secrets::is_in(b"the of-mask-2217") && !secrets::is_in(b"the mask"));
    }

    #[test]
    fn what_stands_under_the_name_of_a_secret_is_masked_and_known_in_other_texts() {
        let names = SecretNames {
            names: vec!["iban".to_owned()],
            not_secret: vec!["passphrase".to_owned()],
        };
        let masking = Masking::new(&names);
        let said = "left: Login { user: \"bob\", password: \"under its name\", otp: Some(604183), \
                    passphrase: \"may be said\" }, iban: DE02-1203";
        masking.learn(said);
        let shown = "left: Login { user: \"bob\", password: \"<withheld>\", otp: Some(<withheld>), \
                     passphrase: \"may be said\" }, iban: <withheld>";
        assert_eq!(masking.masked(said), shown);
        assert_eq!(
            masking.masked("it was 604183, as under its name"),
            "it was <withheld>, as <withheld>"
        );
        assert_eq!(
            masking.masked("wrong password: try again"),
            "wrong password: try again"
        );
    }
}
