//! Names of secrets: the words of an identifier, a map key, a header or an environment variable.
//!
//! A name is split into words at `_`, `-`, spaces, digits and camel-case humps, so that `author`,
//! `pinned` or `compass` are never mistaken for `auth`, `pin` or `pass`. Only words that occur in
//! no ordinary word (`password`) are also found inside others (`dbpassword`).

use super::Secrecy;

/// The names that mean secrets.
#[derive(Clone, Debug, Default)]
pub struct Names {
    added: Vec<String>,
    allowed: Vec<Vec<String>>,
}

/// Always a secret, also inside a longer word.
const ALWAYS_INSIDE: [&str; 7] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "credential",
    "authorization",
    "privkey",
];

/// Always a secret at the end of a word, where ordinary words (`secretary`) only begin in this way.
const ALWAYS_ENDING: [&str; 5] = ["secret", "secrets", "sessid", "sessionid", "passkey"];

/// Always a secret as a whole word.
const ALWAYS: [&str; 4] = ["creds", "otp", "totp", "psk"];

/// A secret if it contains a string: the `tokens` of a lexer are mostly none.
const IF_TEXT_ENDING: [&str; 6] = ["token", "tokens", "cookie", "cookies", "pwd", "jwt"];

/// A secret if it contains a string, as a whole word.
const IF_TEXT: [&str; 8] = [
    "auth",
    "oauth",
    "authentication",
    "bearer",
    "session",
    "sessions",
    "csrf",
    "xsrf",
];

/// A secret if it has four or more chars or digits: the pins of a microcontroller have fewer.
const IF_LONG: [&str; 4] = ["pin", "pins", "cvv", "cvc"];

/// Pairs of words that together name a secret.
const PAIRS: [(&[&str], &[&str]); 4] = [
    (
        &[
            "api",
            "private",
            "secret",
            "access",
            "auth",
            "encryption",
            "decryption",
            "signing",
            "master",
            "session",
            "ssh",
            "hmac",
            "aes",
            "rsa",
            "license",
            "shared",
            "account",
            "deploy",
            "client",
        ],
        &["key", "keys"],
    ),
    (
        &[
            "access",
            "auth",
            "api",
            "bearer",
            "csrf",
            "id",
            "identity",
            "oauth",
            "personal",
            "refresh",
            "reset",
            "security",
            "session",
            "verification",
            "xsrf",
        ],
        &["token", "tokens"],
    ),
    (&["session"], &["id", "ids"]),
    (
        &[
            "admin", "db", "ftp", "ldap", "login", "mail", "mysql", "pg", "proxy", "redis", "root",
            "smtp", "user",
        ],
        &["pass"],
    ),
];

/// Words that only look like names of secrets.
const ORDINARY: [&str; 2] = ["passwordless", "secretless"];

/// Words at the end of a name that is about a secret rather than one: `token_count`,
/// `password_len`.
const ABOUT_AT_END: [&str; 47] = [
    "addr",
    "address",
    "age",
    "at",
    "count",
    "counts",
    "dir",
    "disabled",
    "enabled",
    "endpoint",
    "err",
    "error",
    "errors",
    "expiration",
    "expires",
    "expiry",
    "field",
    "file",
    "folder",
    "host",
    "idx",
    "index",
    "kind",
    "kinds",
    "len",
    "length",
    "lifetime",
    "max",
    "min",
    "name",
    "names",
    "path",
    "policy",
    "port",
    "prefix",
    "required",
    "size",
    "sock",
    "socket",
    "status",
    "stream",
    "suffix",
    "timeout",
    "tree",
    "ttl",
    "type",
    "url",
];

/// Words at the beginning of a name that is about a secret: `has_password`.
const ABOUT_AT_START: [&str; 13] = [
    "check", "has", "is", "max", "min", "needs", "no", "num", "requires", "use", "uses",
    "validate", "verify",
];

/// The maximum length of a name; longer keys are none.
const LONGEST: usize = 64;

/// For each name of a secret, some of its letters: most names lack one of every entry, and need not
/// be split.
const LETTERS: [u32; 18] = [
    letters("pas"),
    letters("secret"),
    letters("cred"),
    letters("auth"),
    letters("key"),
    letters("session"),
    letters("sessid"),
    letters("token"),
    letters("cookie"),
    letters("pwd"),
    letters("jwt"),
    letters("bearer"),
    letters("csrf"),
    letters("xsrf"),
    letters("otp"),
    letters("pin"),
    letters("cv"),
    letters("psk"),
];

/// Returns a bit for each letter that a word has.
const fn letters(word: &str) -> u32 {
    let (bytes, mut found, mut at) = (word.as_bytes(), 0, 0);
    while at < bytes.len() {
        let lower = bytes[at] | 0x20;
        if lower.is_ascii_lowercase() {
            found |= 1 << (lower - b'a');
        }
        at += 1;
    }
    found
}

impl Names {
    /// Creates the list of names, with those that the user adds and without those that the user
    /// allows.
    pub fn new(added: &[String], allowed: &[String]) -> Names {
        let added = added
            .iter()
            .map(|name| name.trim().to_ascii_lowercase())
            .filter(|name| !name.is_empty());
        let allowed = allowed
            .iter()
            .map(|name| words(name))
            .filter(|words| !words.is_empty());
        Names {
            added: added.collect(),
            allowed: allowed.collect(),
        }
    }

    /// Returns the secrecy of a name. Names that the user added may occur anywhere in it.
    pub fn secrecy(&self, name: &str) -> Secrecy {
        let own = letters(name);
        let is_possible =
            !self.added.is_empty() || LETTERS.iter().any(|needed| own & needed == *needed);
        if name.len() > LONGEST || !is_possible {
            return Secrecy::None;
        }
        let words = words(name);
        if self.allowed.contains(&words) {
            return Secrecy::None;
        }
        if !self.added.is_empty() {
            let plain = name.to_ascii_lowercase();
            if self.added.iter().any(|part| plain.contains(part.as_str())) {
                return Secrecy::Always;
            }
        }
        let secrecy = (0..words.len())
            .map(|at| self.of_word(&words, at))
            .max()
            .unwrap_or_default();
        let is_about = words.len() > 1
            && (words
                .last()
                .is_some_and(|last| ABOUT_AT_END.contains(&last.as_str()))
                || ABOUT_AT_START.contains(&words[0].as_str()));
        match secrecy {
            Secrecy::Always if is_about => Secrecy::IfText,
            _ if is_about => Secrecy::None,
            secrecy => secrecy,
        }
    }

    /// Returns the secrecy of a type's values by its name. Only unambiguous names count: a lexer's
    /// `Token` contains strings and is no secret.
    pub fn secrecy_of_type(&self, name: &str) -> Secrecy {
        match self.secrecy(name) {
            Secrecy::Always => Secrecy::Always,
            _ => Secrecy::None,
        }
    }

    /// Returns the secrecy of a name because of one of its words.
    fn of_word(&self, words: &[String], at: usize) -> Secrecy {
        let word = words[at].as_str();
        let is_allowed =
            |meant: &[&str]| self.allowed.iter().any(|allowed| is_same(allowed, meant));
        if is_allowed(&[word]) || ORDINARY.contains(&word) {
            return Secrecy::None;
        }
        let behind = words.get(at + 1).map_or("", String::as_str);
        let pair = PAIRS.iter().any(|(first, second)| {
            let meant = |first: &str, second: &str| {
                // Two letters end many words: `validtoken` has nothing to do with an `id`.
                let is_first =
                    |start: &str| start == first || first.len() > 2 && start.ends_with(first);
                let is_fused = || word.strip_suffix(second).is_some_and(is_first);
                ((word == first && behind == second) || is_fused()) && !is_allowed(&[first, second])
            };
            first
                .iter()
                .any(|first| second.iter().any(|second| meant(first, second)))
        });
        let inside = |list: &[&str]| {
            list.iter()
                .any(|secret| word.contains(secret) && !is_allowed(&[secret]))
        };
        let ending = |list: &[&str]| {
            list.iter()
                .any(|secret| word.ends_with(secret) && !is_allowed(&[secret]))
        };
        if pair || inside(&ALWAYS_INSIDE) || ending(&ALWAYS_ENDING) || ALWAYS.contains(&word) {
            Secrecy::Always
        } else if IF_LONG.contains(&word) {
            Secrecy::IfLong
        } else if ending(&IF_TEXT_ENDING) || IF_TEXT.contains(&word) {
            Secrecy::IfText
        } else {
            Secrecy::None
        }
    }
}

/// Returns whether words are equal except for a plural.
fn is_same(allowed: &[String], meant: &[&str]) -> bool {
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    allowed.len() == meant.len()
        && allowed
            .iter()
            .zip(meant)
            .all(|(a, b)| singular(a) == singular(b))
}

/// Returns the words of a name in lower case: `userToken2` is `user` and `token`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (at, char) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let is_hump = char.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || before.is_some_and(char::is_uppercase)
                    && chars
                        .get(at + 1)
                        .is_some_and(|behind| behind.is_lowercase()));
        if is_hump || !char.is_alphabetic() {
            words.push(String::new());
        }
        if let (true, Some(last)) = (char.is_alphabetic(), words.last_mut()) {
            last.extend(char.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrecy(name: &str) -> Secrecy {
        Names::default().secrecy(name)
    }

    #[test]
    fn names_of_secrets_are_found_in_any_case_with_digits_and_in_compounds() {
        let always = "password user_Password password1 dbpassword old_passwords DB_PASSWORD userPassword2 passwd \
                      passphrase passcode AUTHORIZATION authorization x-api-key api_key apikey apiKey APIKey ApiKeys \
                      client_secret clientsecret secret secrets secretToken secret_key secretKey SECRET_KEY_BASE \
                      private_key privateKey privkey credential credentials aws_credentials creds access_key \
                      AWS_SECRET_ACCESS_KEY session_id sessionId PHPSESSID JSESSIONID otp totp otp2 access_token \
                      authToken refresh-token csrf_token id_token db_pass dbpass userPass session_key passkey psk \
                      GITHUB_API_TOKEN";
        for name in always.split_whitespace() {
            assert_eq!(secrecy(name), Secrecy::Always, "{name}");
        }
        let if_text = "token tokens userToken next_token GITHUB_TOKEN Cookie cookies set-cookie pwd dbpwd auth oauth2 \
                       auth_header bearer session sessions jwt csrf authentication password_len has_password";
        for name in if_text.split_whitespace() {
            assert_eq!(secrecy(name), Secrecy::IfText, "{name}");
        }
        for name in ["pin", "card_pin", "PIN2", "cvv"] {
            assert_eq!(secrecy(name), Secrecy::IfLong, "{name}");
        }
    }

    #[test]
    fn ordinary_words_are_no_names_of_secrets() {
        let harmless = "line tokenizer tokenize tokenized secretary secretion author authors authority authored \
                        co_author pinned pinning spin opinion shopping pinch compass bypass pass passed passing \
                        trespass passenger session_count sessionless cookie_name token_type token_count token_stream \
                        tokenTree auth_url SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS key keys map_key primary_key \
                        public_key foreign_key keyboard monkey hotkey turkey cwd forward passwordless obsession \
                        possession cookiecutter bearing processed option photo laptop user name id hotpot stop \
                        is_token has_session invalid_pin_count";
        for name in harmless.split_whitespace() {
            assert_eq!(secrecy(name), Secrecy::None, "{name}");
        }
    }

    #[test]
    fn the_user_adds_names_and_allows_others() {
        let names = Names::new(
            &["IBAN".to_owned()],
            &["token".to_owned(), "session_key".to_owned()],
        );
        assert_eq!(names.secrecy("iban_of_owner"), Secrecy::Always);
        for allowed in [
            "token",
            "tokens",
            "next_token",
            "nextToken",
            "session_key",
            "sessionKey",
        ] {
            assert_eq!(names.secrecy(allowed), Secrecy::None, "{allowed}");
        }
        for still in ["access_token", "password_token", "authtoken", "api_key"] {
            assert_eq!(names.secrecy(still), Secrecy::Always, "{still}");
        }
        let exact = Names::new(&[], &["next_token".to_owned()]);
        assert_eq!(
            (exact.secrecy("next_token"), exact.secrecy("token")),
            (Secrecy::None, Secrecy::IfText)
        );
        let both = Names::new(&["token".to_owned()], &[]);
        assert_eq!(both.secrecy("token"), Secrecy::Always, "the user means it");
    }

    #[test]
    fn types_are_secrets_where_their_names_cannot_mean_anything_else() {
        let names = Names::default();
        for secret in [
            "Password",
            "SecretString",
            "Secret",
            "ApiKey",
            "AccessToken",
            "Credentials",
            "SecretBox",
        ] {
            assert_eq!(names.secrecy_of_type(secret), Secrecy::Always, "{secret}");
        }
        for harmless in [
            "Token",
            "Tokens",
            "Session",
            "Cookie",
            "Auth",
            "Secretary",
            "TokenStream",
            "Author",
        ] {
            assert_eq!(names.secrecy_of_type(harmless), Secrecy::None, "{harmless}");
        }
    }
}
