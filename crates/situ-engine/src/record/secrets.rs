//! Known secrets of this command: fingerprints that the recorded processes wrote, kept in memory
//! only.
//!
//! The key of the fingerprints is generated here, passed to the processes in their environment and
//! never written. So the files of fingerprints reveal nothing, even if a crash keeps this command
//! from removing them.

use super::encoded;
use super::plan::Wanted;
use crate::cargo::workspace::SecretNames;
use situ_recorder::secret::known::Known;
use situ_recorder::secret::{self, Key, Names, Secrecy, shapes};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};
use std::{env, fs, io};

/// Fingerprints by key: that of this command's processes, and those of programs elsewhere.
static KNOWN: RwLock<BTreeMap<Key, Known>> = RwLock::new(BTreeMap::new());

fn key() -> Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    *KEY.get_or_init(secret::random_key)
}

/// Returns the environment variables that tell recorded processes what to withhold.
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

/// Adds the secrets in this command's own environment, which the programs that it starts inherit.
pub(crate) fn learn_environment(secrets: &SecretNames) {
    let names = Names::new(&secrets.names, &secrets.not_secret);
    for (value, secrecy) in secret::of_environment(&names, env::vars_os()) {
        add(&value, secrecy);
    }
}

/// Adds a secret, if it is long enough to be recognised.
pub(crate) fn add(secret: &str, secrecy: Secrecy) {
    if let Some(trust) = secrecy.trust_in(secret.as_bytes()) {
        with_known(key(), |known| drop(known.add(secret.as_bytes(), trust)));
    }
}

fn with_known(key: Key, change: impl FnOnce(&mut Known)) {
    let mut all = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    change(all.entry(key).or_insert_with(|| Known::from_elsewhere(key)));
}

/// Returns the files of fingerprints in a folder. While there are any, the recording is not closed.
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

/// Reason why fingerprints cannot be used.
#[derive(Debug)]
pub enum Unusable {
    Io(PathBuf, io::Error),
    /// The key of the fingerprints is lost: another command generated it, and has ended.
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
                    "the recording in {folder} was not closed, so it may contain secrets; record again"
                )
            }
        }
    }
}

impl std::error::Error for Unusable {}

/// Reads the fingerprints in a file. `is_own` says whether a process of this command wrote it.
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

/// Returns whether any secret is known.
pub(crate) fn is_any_known() -> bool {
    KNOWN
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
        .any(|known| !known.is_empty())
}

/// Returns whether a string is a secret, contains one, or looks like one.
pub(crate) fn is_in(text: &[u8]) -> bool {
    let is_known = |text: &[u8]| {
        let all = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        all.values().any(|known| known.is_in(text))
    };
    let is_encoded = || {
        is_any_known()
            && std::str::from_utf8(text)
                .is_ok_and(|text| encoded::parts(text).iter().any(|(_, part)| is_known(part)))
    };
    shapes::first(text, 0).is_some() || is_known(text) || is_encoded()
}

/// Returns whether a number is a secret.
pub(crate) fn is_number(number: i128) -> bool {
    KNOWN
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .values()
        .any(|known| known.is_number(number))
}

/// Returns the ranges of a string that are known secrets or look like secrets.
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
        places.extend(
            encoded::parts(text)
                .into_iter()
                .filter(|(_, decoded)| known.is_in(decoded))
                .map(|(place, _)| place),
        );
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
