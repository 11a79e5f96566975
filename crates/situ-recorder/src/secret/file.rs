//! The file of fingerprints beside a recording, needed when the recording is closed.

use super::known::{FINGERPRINT_BYTES, Fingerprint};
use super::sip::Key;
use std::fs::{DirBuilder, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable with the key that all processes of a recording share.
pub const KEY_VARIABLE: &str = "SITU_SECRETS_KEY";

/// The extension of files of fingerprints.
pub const EXTENSION: &str = "situsec";

/// The first bytes of such a file. The 16 bytes of the key follow, or zeros if the command that
/// closes the recording knows it.
const MAGIC: &[u8; 8] = b"SITUSEC\n";

/// Returns a random key.
pub fn random_key() -> Key {
    // The standard library has no other source of random numbers.
    [(); 2].map(|()| std::hash::RandomState::new().build_hasher().finish())
}

/// Formats a key for the environment variable.
pub fn key_to_text(key: Key) -> String {
    format!("{:016x}{:016x}", key[0], key[1])
}

/// Parses a key from the environment variable.
pub fn key_from_text(text: &str) -> Option<Key> {
    let part = |range| u64::from_str_radix(text.get(range)?, 16).ok();
    (text.len() == 32).then_some([part(0..16)?, part(16..32)?])
}

fn given_key() -> Option<Key> {
    static KEY: OnceLock<Option<Key>> = OnceLock::new();
    *KEY.get_or_init(|| key_from_text(&std::env::var(KEY_VARIABLE).ok()?))
}

/// Returns the key of this process: the one from the environment, otherwise one of its own.
pub(super) fn key() -> Key {
    static OWN: OnceLock<Key> = OnceLock::new();
    given_key().unwrap_or_else(|| *OWN.get_or_init(random_key))
}

/// Appends fingerprints to the file of this process. The file is opened each time, which is rare,
/// because a program may close descriptors that it has not opened.
pub(super) fn append(folder: &Path, prints: &[Fingerprint]) -> Result<(), String> {
    static STARTED: OnceLock<u128> = OnceLock::new();
    if prints.is_empty() {
        return Ok(());
    }
    let started = STARTED.get_or_init(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos())
    });
    let path = folder.join(format!("{}-{started:x}.{EXTENSION}", std::process::id()));
    let cannot = |error: io::Error| format!("cannot write to {}: {error}", folder.display());
    DirBuilder::new()
        .recursive(true)
        .create(folder)
        .map_err(cannot)?;
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).map_err(cannot)?;
    let mut bytes = Vec::with_capacity(24 + prints.len() * FINGERPRINT_BYTES);
    if file.metadata().is_ok_and(|data| data.len() == 0) {
        let written_key = if given_key().is_some() { [0; 2] } else { key() };
        bytes.extend_from_slice(MAGIC);
        written_key
            .iter()
            .for_each(|part| bytes.extend_from_slice(&part.to_le_bytes()));
    }
    prints
        .iter()
        .for_each(|print| bytes.extend_from_slice(&print.to_bytes()));
    file.write_all(&bytes).map_err(cannot)
}

/// Reads a file of fingerprints: its key, if it is written there, and the readable part of the
/// rest.
pub fn read(path: &Path) -> io::Result<(Option<Key>, Vec<Fingerprint>)> {
    let bytes = std::fs::read(path)?;
    let Some((key, prints)) = bytes
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.split_first_chunk::<16>())
    else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it is not a file of fingerprints",
        ));
    };
    let part = |at: usize| {
        key[at..at + 8]
            .first_chunk()
            .map_or(0, |bytes| u64::from_le_bytes(*bytes))
    };
    let key = [part(0), part(8)];
    let prints = prints
        .chunks_exact(FINGERPRINT_BYTES)
        .filter_map(Fingerprint::from_bytes)
        .collect();
    Ok(((key != [0; 2]).then_some(key), prints))
}
