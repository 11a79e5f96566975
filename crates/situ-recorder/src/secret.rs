//! Secrets, which must never be written: values with the names or the formats of secrets, and all
//! that is computed from these.
//!
//! A value that its name or format shows to be a secret is remembered by its fingerprints, and any
//! value with one of these is withheld. A secret may have been written before it was known to be
//! one. So the fingerprints are also appended to a file beside the recording, and when the
//! recording is closed, such values are withheld in it and the file is removed. Fingerprints are
//! hashes with a key, which the command passes to all processes that it starts and never writes to
//! disk. A file that is left after a crash therefore reveals nothing.

mod base64;
mod file;
mod forms;
pub mod known;
mod names;
pub mod shapes;
mod sip;

pub use file::{EXTENSION, KEY_VARIABLE, key_from_text, key_to_text, random_key, read};
pub use forms::{SHORTEST, without_percents};
pub use names::Names;
pub use sip::Key;

use crate::recorder;
use known::{Fingerprint, Known, Trust};
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{OnceLock, RwLock};

/// How secret a value is because of its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Secrecy {
    /// It is written.
    #[default]
    None,
    /// The name may mean something else, as the `token` of a parser. It is written unless it
    /// contains a string, bytes or a number that is long enough to be a secret.
    IfText,
    /// The name may mean something else, as the `pin` of a microcontroller. It is written unless it
    /// has four or more chars or digits.
    IfLong,
    /// It was computed from a secret, and is never written.
    Derived,
    /// It is never written.
    Always,
}

/// The environment variable with the names that the user adds, separated by commas.
pub const NAMES_VARIABLE: &str = "SITU_SECRETS";

/// The environment variable with the names that the user allows, separated by commas.
pub const ALLOWED_VARIABLE: &str = "SITU_NOT_SECRET";

/// Variables with the working directory of a shell, which are no passwords.
const FOLDERS: [&str; 2] = ["PWD", "OLDPWD"];

impl Secrecy {
    /// Returns the secrecy of what is computed from a value of this secrecy.
    pub fn of_what_is_made(self) -> Secrecy {
        if self == Secrecy::Always {
            Secrecy::Derived
        } else {
            self
        }
    }

    /// Returns the secrecy of a value under this key, as in a map of headers.
    pub fn of_key(key: &str) -> Secrecy {
        names().secrecy(key)
    }

    /// Returns why a string under such a name is a secret, or `None` if it is none or too short to
    /// be recognised.
    pub fn trust_in(self, text: &[u8]) -> Option<Trust> {
        match self {
            _ if text.len() < SHORTEST => None,
            Secrecy::None => None,
            // The number of a microcontroller's pin is smaller.
            Secrecy::IfLong if forms::is_number(text) => Some(Trust::Named),
            Secrecy::IfText | Secrecy::IfLong => Some(Trust::Ambiguous),
            Secrecy::Derived => Some(Trust::Derived),
            Secrecy::Always => Some(Trust::Named),
        }
    }
}

/// Whether values are checked for secrets. They always are, except in the build that `bench/taint`
/// compares with, which sets a compiler flag; there is no feature, option or variable for it.
pub const IS_CHECKED: bool = cfg!(not(situ_secrets_unchecked));

/// Returns the names of this process.
pub(crate) fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| {
        let listed = |variable: &str| {
            let listed = std::env::var(variable).unwrap_or_default();
            listed
                .split(',')
                .map(str::to_owned)
                .collect::<Vec<String>>()
        };
        Names::new(&listed(NAMES_VARIABLE), &listed(ALLOWED_VARIABLE))
    })
}

/// Whether any secret is known.
static ANY: AtomicBool = AtomicBool::new(false);

fn process() -> &'static RwLock<Known> {
    static KNOWN: OnceLock<RwLock<Known>> = OnceLock::new();
    KNOWN.get_or_init(|| RwLock::new(Known::new(file::key())))
}

/// Remembers the values of environment variables with the names of secrets, before anything is
/// recorded in this folder.
pub(crate) fn remember_environment(folder: &Path) -> Result<(), String> {
    if !IS_CHECKED {
        return Ok(());
    }
    for (secret, secrecy) in of_environment(names(), std::env::vars_os()) {
        if let Some(trust) = secrecy.trust_in(secret.as_bytes()) {
            learn_for(folder, secret.as_bytes(), trust)?;
        }
    }
    Ok(())
}

/// Returns the secrets among environment variables.
pub fn of_environment(
    names: &Names,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (String, Secrecy)> {
    variables.filter_map(|(name, value)| {
        let (name, value) = (name.to_str()?, value.into_string().ok()?);
        let is_own = name.starts_with("SITU_") || FOLDERS.contains(&name);
        let secrecy = if is_own {
            Secrecy::None
        } else {
            names.secrecy(name)
        };
        (secrecy != Secrecy::None).then_some((value, secrecy))
    })
}

/// Adds a string to the known secrets, because its name marks it as one.
pub fn remember(text: &[u8], secrecy: Secrecy) {
    if let Some(trust) = secrecy.trust_in(text).filter(|_| IS_CHECKED) {
        learn(text, trust);
    }
}

fn learn(text: &[u8], trust: Trust) {
    let Some(recorder) = recorder::get() else {
        add(text, trust);
        return;
    };
    if let Err(reason) = learn_for(recorder.folder(), text, trust) {
        // What cannot be withheld later must not be written now.
        recorder.stop(&reason);
    }
}

fn learn_for(folder: &Path, text: &[u8], trust: Trust) -> Result<(), String> {
    let new = add(text, trust);
    if process().read().is_ok_and(|known| known.is_full()) {
        return Err("there are too many secrets".to_owned());
    }
    file::append(folder, &new)
}

/// Adds a secret to those that this process knows, and returns the new fingerprints.
fn add(text: &[u8], trust: Trust) -> Vec<Fingerprint> {
    let known = process();
    if known.read().is_ok_and(|known| known.has(text, trust)) {
        return Vec::new();
    }
    let Ok(mut known) = known.write() else {
        return Vec::new();
    };
    ANY.store(true, Ordering::Relaxed);
    known.add(text, trust)
}

/// Returns whether a string is a secret or was computed from one. Remembers the secrets whose
/// format it contains.
pub fn is_in(text: &[u8]) -> bool {
    if !IS_CHECKED {
        return false;
    }
    if shapes::first(text, 0).is_some() {
        for found in shapes::all(text) {
            learn_shape(&text[found.secret]);
            found.inner.iter().for_each(|inner| learn_shape(inner));
        }
        return true;
    }
    ANY.load(Ordering::Relaxed) && process().read().is_ok_and(|known| known.is_in(text))
}

fn learn_shape(secret: &[u8]) {
    if secret.len() >= SHORTEST {
        learn(secret, Trust::Named);
    }
}

/// Returns whether the decimal digits of a float are a secret.
pub(crate) fn is_known(float: f64) -> bool {
    ANY.load(Ordering::Relaxed)
        && process()
            .read()
            .is_ok_and(|known| known.is_in(float.to_string().as_bytes()))
}

/// Returns whether the decimal digits of a number are a secret.
pub(crate) fn is_number(number: i128) -> bool {
    ANY.load(Ordering::Relaxed) && process().read().is_ok_and(|known| known.is_number(number))
}

/// Returns whether `Debug` output names a secret and may show its value, which is remembered.
pub fn is_named_in(text: &str) -> bool {
    if !IS_CHECKED {
        return false;
    }
    let mut is_named = false;
    for (secrecy, held) in named_in(text, names()) {
        is_named = true;
        quoted(&text[held]).for_each(|quoted| remember(quoted.as_bytes(), secrecy));
    }
    is_named
}

/// Finds the names of secrets in `Debug` output that are followed by a value: `password: …`,
/// `"authorization": …`, `("cookie", …`, `Secret(…`. Returns the secrecy of each and the byte range
/// of its value.
pub fn named_in(text: &str, names: &Names) -> Vec<(Secrecy, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, separator) in text.match_indices([':', '=', '(', ',', '{']) {
        let part = &text[std::mem::replace(&mut from, at)..at];
        if separator == "," && !part.ends_with('"') {
            continue;
        }
        let is_type = separator == "(" || separator == "{";
        let secrecy = of_last_name(part, is_type, names);
        if secrecy == Secrecy::None {
            continue;
        }
        let held = held_by(&text[at + 1..]);
        // Names of variants are neither quoted nor do they contain digits.
        if secrecy >= Secrecy::Derived
            || held.contains(|char: char| char == '"' || char.is_ascii_digit())
        {
            found.push((secrecy, at + 1..at + 1 + held.len()));
        }
    }
    found
}

/// Returns the secrecy of the last name in a part of a string.
fn of_last_name(part: &str, is_type: bool, names: &Names) -> Secrecy {
    let trimmed = part.trim_end_matches([' ', '"', '\\']);
    let name = trimmed
        .rsplit(|char: char| !char.is_alphanumeric() && char != '_' && char != '-')
        .next();
    let name = name.unwrap_or_default();
    if is_type {
        names.secrecy_of_type(name)
    } else {
        names.secrecy(name)
    }
}

/// Returns the quoted parts of `Debug` output.
pub fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Returns whether a type name shows that its values are secrets, also inside containers:
/// `Option<secrecy::SecretBox<str>>`.
pub(crate) fn is_type_of_secrets(type_name: &str) -> bool {
    let words = type_name.split(|char: char| !char.is_alphanumeric() && char != '_');
    // Modules with such names contain other types too.
    let mut types = words.filter(|word| word.starts_with(|first: char| first.is_uppercase()));
    types.any(|name| names().secrecy_of_type(name) != Secrecy::None)
}

/// Returns what follows a name in `Debug` output, up to the next field.
fn held_by(text: &str) -> &str {
    const LONGEST: usize = 4096;
    let (mut depth, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate().take(LONGEST) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' if depth > 0 => depth -= 1,
            b',' | b')' | b'}' | b']' if depth == 0 => return &text[..at],
            _ => {}
        }
    }
    let end = (0..=text.len().min(LONGEST))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_text_is_withheld_where_it_shows_what_a_secret_holds() {
        for secret in [
            "Session { token: \"abcdef\" }",
            "Session { token: Id(9f86d081) }",
            "Login { password: Hidden }",
            "{\"authorization\": \"of-debug 1\"}",
            "[(\"cookie\", \"of-debug=2\")]",
            "Login { user: \"a\", api_key: Some(\"of-debug-3\") }",
            "secrecy::Secret([REDACTED])",
        ] {
            assert!(is_named_in(secret), "{secret}");
        }
        for harmless in [
            "Parser { token: Plus }",
            "Err(\"wrong password\")",
            "Token(\"while\")",
            "a::b(c)",
            "(,:=é{",
        ] {
            assert!(!is_named_in(harmless), "{harmless}");
        }
        assert!(
            is_in(b"see of-debug-3"),
            "what it held is known from then on"
        );
    }

    #[test]
    fn a_secret_is_recognised_under_another_name() {
        assert!(!is_in(b"hunter2-named-before"));
        remember(b"hunter2-named-before", Secrecy::Always);
        assert!(is_in(b"hunter2-named-before") && is_in(b"login HUNTER2-NAMED-BEFORE"));
    }

    #[test]
    fn what_has_the_shape_of_a_secret_is_one_from_then_on() {
        assert!(!is_in(b"of-shape-417"));
        assert!(is_in(b"ftp://me:of-shape-417@host"));
        assert!(is_in(b"of-shape-417") && is_in(b"b2Ytc2hhcGUtNDE3"));
    }

    #[test]
    fn environment_variables_count_by_their_names() {
        let variables = [
            ("DB_PASSWORD", "a"),
            ("HOME", "b"),
            ("PWD", "c"),
            ("SITU_SECRETS", "d"),
            ("NPM_TOKEN", "e"),
        ];
        let variables =
            variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let found: Vec<_> = of_environment(&Names::default(), variables.into_iter()).collect();
        assert_eq!(
            found,
            [
                ("a".to_owned(), Secrecy::Always),
                ("e".to_owned(), Secrecy::IfText)
            ]
        );
    }
}
