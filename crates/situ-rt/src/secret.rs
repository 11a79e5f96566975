//! Values that must never be written: known by the names of what holds them, and recognised elsewhere by their content.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::bytes::checksum;

/// Parts of names that always mean a secret.
pub const NAMES: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "authorization",
    "credential",
    "api_key",
    "apikey",
    "private_key",
    "privatekey",
    "access_key",
    "session_id",
    "cookie",
];

/// The environment variable with the names that the user adds, separated by commas.
pub const NAMES_VARIABLE: &str = "SITU_SECRETS";

/// Texts shorter than this are too common to be recognised as secrets elsewhere.
const SHORTEST: usize = 4;

/// Is this the name of a secret: does it have one of the words above, or contain one that the user listed?
pub fn is_name(name: &str, more: &[String]) -> bool {
    let words = words(name);
    let plain = name.to_ascii_lowercase();
    NAMES.iter().any(|secret| {
        words.match_indices(secret).any(|(at, _)| {
            let rest = &words[at + secret.len()..];
            // The `tokens` of a parser are no secrets; `passwords` are.
            words[..at].ends_with('_') && (rest.starts_with('_') || (*secret != "token" && rest.starts_with("s_")))
        })
    }) || more.iter().any(|part| !part.is_empty() && plain.contains(&part.to_ascii_lowercase()))
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

/// Is this text the key of a secret, as in a map of headers?
pub fn is_key(text: &str) -> bool {
    text.len() < 64 && is_name(text, names_of_the_user())
}

/// Does the text of a `Debug` name a secret field?
pub fn is_named_in(text: &str) -> bool {
    text.len() < 1 << 20 && is_name(text, names_of_the_user())
}

static ANY: AtomicBool = AtomicBool::new(false);
static SEEN: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// Remembers the content of a secret by its checksum.
pub fn remember(text: &str) {
    if text.len() < SHORTEST {
        return;
    }
    if let Ok(mut seen) = SEEN.lock() {
        seen.insert(checksum(text.as_bytes()));
        ANY.store(true, Ordering::Relaxed);
    }
}

/// Was this content seen under the name of a secret?
pub fn is_known(text: &str) -> bool {
    ANY.load(Ordering::Relaxed)
        && text.len() >= SHORTEST
        && SEEN.lock().is_ok_and(|seen| seen.contains(&checksum(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_inside_others() {
        assert!(is_name("user_Password", &[]));
        assert!(is_name("AUTHORIZATION", &[]));
        assert!(is_name("userToken", &[]));
        assert!(is_name("x-api-key", &[]));
        assert!(is_name("old_passwords", &[]));
        for harmless in ["line", "tokenizer", "tokens", "secretary"] {
            assert!(!is_name(harmless, &[]), "{harmless}");
        }
        assert!(is_name("iban_of_owner", &["IBAN".to_owned()]));
    }

    #[test]
    fn a_secret_is_recognised_under_another_name() {
        assert!(!is_known("hunter2-of-this-test"));
        remember("hunter2-of-this-test");
        assert!(is_known("hunter2-of-this-test"));
    }
}
