//! Values that must never be written: known by the names of what holds them, and recognised elsewhere by their content.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::bytes::checksum;

/// How secret what has a name is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Secrecy {
    /// It is written.
    #[default]
    None,
    /// The name may mean something else, as the `token` of a parser does: it is written unless it holds text, bytes or
    /// a number that is long enough to be a secret.
    IfText,
    /// It is never written.
    Always,
}

/// Words that always mean a secret.
const ALWAYS: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "authorization",
    "credential",
    "api_key",
    "apikey",
    "private_key",
    "privatekey",
    "access_key",
    "session_id",
];

/// Words that mean a secret where what they name holds text.
const IF_TEXT: [&str; 2] = ["token", "cookie"];

/// The environment variable with the names that the user adds, separated by commas.
pub const NAMES_VARIABLE: &str = "SITU_SECRETS";

/// Bytes of text that may be a secret. Shorter ones are too common to be recognised elsewhere.
pub const SHORTEST: usize = 4;

impl Secrecy {
    /// How secret what has this name is: it has one of the words above, or contains one that the user listed.
    pub fn of_name(name: &str, more: &[String]) -> Secrecy {
        let (words, plain) = (words(name), name.to_ascii_lowercase());
        if ALWAYS
            .iter()
            .any(|secret| ends_of(&words, secret).any(|rest| rest.starts_with('_') || rest.starts_with("s_")))
            || more.iter().any(|part| !part.is_empty() && plain.contains(&part.to_ascii_lowercase()))
        {
            return Secrecy::Always;
        }
        // The `tokens` of a parser are no secrets.
        let is_ambiguous = IF_TEXT.iter().any(|secret| ends_of(&words, secret).any(|rest| rest.starts_with('_')));
        if is_ambiguous { Secrecy::IfText } else { Secrecy::None }
    }

    /// How secret what stands under this key is, as in a map of headers.
    pub fn of_key(text: &str) -> Secrecy {
        if text.len() < 64 { Secrecy::of_name(text, names_of_the_user()) } else { Secrecy::None }
    }
}

/// What follows each place where a word begins in this way.
fn ends_of<'w>(words: &'w str, start: &str) -> impl Iterator<Item = &'w str> {
    let starts = words.match_indices(start).filter(|(at, _)| words[..*at].ends_with('_'));
    starts.map(|(at, found)| &words[at + found.len()..])
}

/// The words of a name in lower case, each between underscores: `userToken` is `_user_token_`.
fn words(name: &str) -> String {
    let mut words = String::from("_");
    let mut after_small = false;
    for char in name.chars() {
        if !char.is_alphanumeric() {
            words.push('_');
        } else {
            if after_small && char.is_uppercase() {
                words.push('_');
            }
            words.extend(char.to_lowercase());
        }
        after_small = char.is_lowercase();
    }
    words.push('_');
    words
}

fn names_of_the_user() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let listed = std::env::var(NAMES_VARIABLE).unwrap_or_default();
        listed.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    })
}

/// Does the text of a `Debug` name a secret field, and may it show what that holds?
pub fn is_named_in(text: &str) -> bool {
    let secrecy = if text.len() < 1 << 20 { Secrecy::of_name(text, names_of_the_user()) } else { Secrecy::None };
    match secrecy {
        Secrecy::None => false,
        // Names of variants are neither quoted nor numbered.
        Secrecy::IfText => text.contains(|char: char| char == '"' || char.is_ascii_digit()),
        Secrecy::Always => true,
    }
}

static ANY: AtomicBool = AtomicBool::new(false);
static SEEN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// Remembers the content of a secret by its checksum.
pub fn remember(text: &[u8]) {
    if text.len() < SHORTEST {
        return;
    }
    if let Ok(mut seen) = SEEN.lock() {
        seen.insert(checksum(text));
        ANY.store(true, Ordering::Relaxed);
    }
}

/// Was this content seen under the name of a secret?
pub fn is_known(text: &[u8]) -> bool {
    ANY.load(Ordering::Relaxed)
        && text.len() >= SHORTEST
        && SEEN.lock().is_ok_and(|seen| seen.contains(&checksum(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_inside_others() {
        for secret in ["user_Password", "AUTHORIZATION", "x-api-key", "old_passwords", "secretToken"] {
            assert_eq!(Secrecy::of_name(secret, &[]), Secrecy::Always, "{secret}");
        }
        for ambiguous in ["userToken", "token", "Cookie", "next_token"] {
            assert_eq!(Secrecy::of_name(ambiguous, &[]), Secrecy::IfText, "{ambiguous}");
        }
        for harmless in ["line", "tokenizer", "tokens", "secretary"] {
            assert_eq!(Secrecy::of_name(harmless, &[]), Secrecy::None, "{harmless}");
        }
        assert_eq!(Secrecy::of_name("iban_of_owner", &["IBAN".to_owned()]), Secrecy::Always);
        assert_eq!(Secrecy::of_name("token", &["token".to_owned()]), Secrecy::Always, "the user means it");
    }

    #[test]
    fn a_debug_text_with_an_ambiguous_name_is_secret_where_it_shows_text() {
        assert!(is_named_in("Session { token: \"abcdef\" }"));
        assert!(is_named_in("Session { token: Id(9f86d081) }"));
        assert!(!is_named_in("Parser { token: Plus }"));
        assert!(is_named_in("Login { password: Hidden }"));
    }

    #[test]
    fn a_secret_is_recognised_under_another_name() {
        assert!(!is_known(b"hunter2-of-this-test"));
        remember(b"hunter2-of-this-test");
        assert!(is_known(b"hunter2-of-this-test"));
    }
}
