//! What this command knows to be secret: fingerprints that the recorded processes leave for it, in memory only.
//!
//! The key of the fingerprints is made here, handed to the processes in their environment and written nowhere. So the files of
//! fingerprints tell nobody else anything, also where a crash keeps this command from removing them.

use super::plan::Wanted;
use crate::cargo::workspace::SecretNames;
use situ_recorder::secret::known::Known;
use situ_recorder::secret::{self, Key, Names, Secrecy, shapes};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::{env, fs, io};

/// By their keys: those of this command's own processes, and those that a program elsewhere has made.
static KNOWN: RwLock<BTreeMap<Key, Known>> = RwLock::new(BTreeMap::new());

fn key() -> Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    *KEY.get_or_init(secret::random_key)
}

/// The environment by which recorded processes know what to withhold.
pub(crate) fn variables(wanted: &Wanted) -> Vec<(String, String)> {
    let mut variables = vec![(secret::KEY_VARIABLE.to_owned(), secret::key_to_text(key()))];
    let SecretNames { names, not_secret } = &wanted.secrets;
    for (variable, names) in [
        (secret::NAMES_VARIABLE, names),
        (secret::ALLOWED_VARIABLE, not_secret),
    ] {
        if !names.is_empty() {
            variables.push((variable.to_owned(), names.join(",")));
        }
    }
    variables
}

/// Learns the secrets in this command's own environment, which programs that it starts have too.
pub(crate) fn learn_environment(secrets: &SecretNames) {
    let names = Names::new(&secrets.names, &secrets.not_secret);
    for (value, secrecy) in secret::of_environment(&names, env::vars_os()) {
        add(&value, secrecy);
    }
}

/// Learns a secret, where it is long enough to be known again.
pub(crate) fn add(secret: &str, secrecy: Secrecy) {
    if let Some(trust) = secrecy.trust_in(secret.as_bytes()) {
        with_known(key(), |known| drop(known.add(secret.as_bytes(), trust)));
    }
}

fn with_known(key: Key, change: impl FnOnce(&mut Known)) {
    let mut all = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    change(all.entry(key).or_insert_with(|| Known::from_elsewhere(key)));
}

/// The files of fingerprints in a folder. While there are some, the recording is not closed.
pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    entries
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == secret::EXTENSION)
        })
        .collect()
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
                write!(
                    f,
                    "the recording in {folder} was not closed, so that it may hold secrets: record again"
                )
            }
        }
    }
}

impl std::error::Error for Unusable {}

/// Learns the fingerprints in a file. `is_own` says that a process of this command wrote it.
pub(crate) fn learn(path: &Path, is_own: bool) -> Result<(), Unusable> {
    let (written_key, prints) =
        secret::read(path).map_err(|error| Unusable::Io(path.to_owned(), error))?;
    let key = match written_key {
        Some(key) => key,
        None if is_own => key(),
        None => return Err(Unusable::KeyLost(path.to_owned())),
    };
    with_known(key, |known| {
        prints
            .iter()
            .for_each(|print| _ = known.add_fingerprint(*print))
    });
    Ok(())
}

/// Tells whether any secret is known.
pub(crate) fn is_any_known() -> bool {
    KNOWN
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
        .any(|known| !known.is_empty())
}

/// Tells whether a text is a secret or was made from one.
pub(crate) fn is_in(text: &[u8]) -> bool {
    let is_known = |text: &[u8]| {
        let all = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        all.values().any(|known| known.is_in(text))
    };
    shapes::first(text, 0).is_some() || is_known(text)
}

/// Tells whether a number is a secret.
pub(crate) fn is_number(number: i128) -> bool {
    KNOWN
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
        .any(|known| known.is_number(number))
}

/// Finds the parts of a text that are known to be secret or have the shape of it.
pub(crate) fn places_in(text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = shapes::all(text.as_bytes())
        .into_iter()
        .map(|found| found.secret)
        .collect();
    for known in KNOWN
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
    {
        let mut from = 0;
        while let Some(part) = known.first_part(text.as_bytes(), from) {
            from = part.start + 1;
            places.push(part);
        }
    }
    places
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use situ_recorder::secret::known::Trust;

    /// Makes a secret known, as a recorded process would.
    pub(crate) fn know(secret: &str) {
        with_known(key(), |known| {
            drop(known.add(secret.as_bytes(), Trust::Named))
        });
    }
}
