//! What this command knows to be secret: fingerprints that the recorded processes leave for it, in memory only.
//!
//! The key of the fingerprints is made here, handed to the processes in their environment and written nowhere. So the files of
//! fingerprints tell nobody else anything, also where a crash keeps this command from removing them.

use super::plan::Wanted;
use crate::workspace::SecretNames;
use situ_rt::secret::known::{Known, Trust};
use situ_rt::secret::{self, Key, Names, Secrecy, shapes};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::{env, fs, io};

/// What stands where a secret stood.
pub const MASK: &str = "<withheld>";

/// By their keys: those of this command's own processes, and those that a program elsewhere has made.
static KNOWN: RwLock<BTreeMap<Key, Known>> = RwLock::new(BTreeMap::new());

fn key() -> Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    *KEY.get_or_init(secret::random_key)
}

/// The environment by which recorded processes know what to withhold.
pub fn variables(wanted: &Wanted) -> Vec<(String, String)> {
    let mut variables = vec![(secret::KEY_VARIABLE.to_owned(), secret::key_to_text(key()))];
    let SecretNames { names, not_secret } = &wanted.secrets;
    for (variable, names) in [(secret::NAMES_VARIABLE, names), (secret::ALLOWED_VARIABLE, not_secret)] {
        if !names.is_empty() {
            variables.push((variable.to_owned(), names.join(",")));
        }
    }
    variables
}

/// Learns the secrets in this command's own environment, which programs that it starts have too.
pub fn learn_environment(wanted: &Wanted) {
    let names = Names::new(&wanted.secrets.names, &wanted.secrets.not_secret);
    for (value, secrecy) in secret::of_environment(&names, env::vars_os()) {
        let trust = if secrecy == Secrecy::Always { Trust::Named } else { Trust::Ambiguous };
        with_known(key(), |known| drop(known.add(value.as_bytes(), trust)));
    }
}

fn with_known(key: Key, change: impl FnOnce(&mut Known)) {
    let mut all = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    change(all.entry(key).or_insert_with(|| Known::from_elsewhere(key)));
}

/// The files of fingerprints in a folder. While there are some, the recording is not closed.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == secret::EXTENSION)).collect()
}

/// Why fingerprints cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// Another command made the key, and has ended.
    KeyLost(PathBuf),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unusable::Io(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Unusable::KeyLost(path) => {
                let folder = path.parent().unwrap_or(path).display();
                write!(f, "the recording in {folder} was not closed, so that it may hold secrets: record again")
            }
        }
    }
}

impl std::error::Error for Unusable {}

/// Learns the fingerprints in a file. `is_own` says that a process of this command wrote it.
pub fn learn(path: &Path, is_own: bool) -> Result<(), Unusable> {
    let (written_key, prints) = secret::read(path).map_err(|error| Unusable::Io(path.to_owned(), error))?;
    let key = match written_key {
        Some(key) => key,
        None if is_own => key(),
        None => return Err(Unusable::KeyLost(path.to_owned())),
    };
    with_known(key, |known| prints.iter().for_each(|print| _ = known.add_fingerprint(*print)));
    Ok(())
}

/// Tells whether any secret is known.
pub fn is_any_known() -> bool {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).values().any(|known| !known.is_empty())
}

/// Tells whether a text is a secret or was made from one.
pub fn is_in(text: &[u8]) -> bool {
    let is_known = |text: &[u8]| {
        let all = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        all.values().any(|known| known.is_in(text))
    };
    shapes::first(text, 0).is_some() || is_known(text)
}

/// Returns a message without the words that hold secrets.
pub fn masked(message: &str) -> Cow<'_, str> {
    let mut places: Vec<(usize, usize)> =
        shapes::all(message.as_bytes()).iter().map(|found| ends(&found.secret)).collect();
    for known in KNOWN.read().unwrap_or_else(PoisonError::into_inner).values() {
        let mut from = 0;
        while let Some(part) = known.first_part(message.as_bytes(), from) {
            from = part.start + 1;
            places.push(ends(&part));
        }
    }
    if places.is_empty() {
        return Cow::Borrowed(message);
    }
    places.sort_unstable();
    let is_edge = |char: char| char.is_whitespace() || "\"'`(){}[]<>,;".contains(char);
    let (mut kept, mut done) = (String::new(), 0);
    for (start, end) in places.into_iter().filter(|(start, end)| start < end) {
        // Characters are not cut, and words are taken whole: what is around a part of a secret is mostly the rest of it.
        let start = floor_char_boundary(message, start);
        let start = message[..start].rfind(is_edge).map_or(0, |at| next_char(message, at)).max(done);
        let end = next_char(message, end.saturating_sub(1));
        let end = message[end..].find(is_edge).map_or(message.len(), |at| end + at);
        if end > done {
            kept.push_str(&message[done..start]);
            if !kept.ends_with(MASK) || start > done {
                kept.push_str(MASK);
            }
            done = end;
        }
    }
    kept.push_str(&message[done..]);
    Cow::Owned(kept)
}

fn ends(range: &std::ops::Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The byte behind the character at a byte.
fn next_char(text: &str, at: usize) -> usize {
    (at + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Makes a secret known, as a recorded process would.
    pub fn know(secret: &str) {
        with_known(key(), |known| drop(known.add(secret.as_bytes(), Trust::Named)));
    }

    #[test]
    fn a_message_is_masked_by_whole_words() {
        know("of-mask-2217");
        let masked_ones = [
            ("expected \"of-mask-2217\", found \"x\"", "expected \"<withheld>\", found \"x\""),
            ("é of-mask-2217é and OF-MASK-2217", "é <withheld> and <withheld>"),
            ("see ftp://a:bcde@host/ too", "see <withheld> too"),
            ("nothing at all é", "nothing at all é"),
        ];
        for (message, expected) in masked_ones {
            assert_eq!(masked(message), expected);
        }
        assert!(is_in(b"the of-mask-2217") && !is_in(b"the mask"));
    }
}
