//! Compiled libraries that are kept between commands. A library that was changed since is compiled
//! again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Returns whether a library exists and is unchanged since [`keep`].
pub(crate) fn is_kept(library: &Path) -> bool {
    let noted = fs::read_to_string(note_of(library));
    noted.is_ok_and(|noted| state_of(library).is_ok_and(|state| state == noted))
}

/// Writes a note with the state of a library beside it.
pub(crate) fn keep(library: &Path) -> io::Result<()> {
    fs::write(note_of(library), state_of(library)?)
}

/// Removes a library and its note.
pub(crate) fn clear(library: &Path) {
    for path in [library, &note_of(library)] {
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
}

fn note_of(library: &Path) -> PathBuf {
    library.with_extension("kept")
}

/// Returns length and modification time of a file, which change whenever somebody writes to it.
fn state_of(library: &Path) -> io::Result<String> {
    let data = fs::metadata(library)?;
    let written = data
        .modified()?
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    match data.is_file() {
        true => Ok(format!("{} {}", data.len(), written.as_nanos())),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_was_changed_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("libmine.rlib");
        let damages: [&dyn Fn(); 5] = [
            &|| fs::write(&library, "abc").unwrap(),
            &|| fs::write(&library, "").unwrap(),
            &|| fs::remove_file(&library).unwrap(),
            &|| {
                fs::remove_file(&library)
                    .and_then(|()| fs::create_dir(&library))
                    .unwrap()
            },
            &|| fs::write(folder.path().join("libmine.kept"), [0xff, 0]).unwrap(),
        ];
        for (number, damage) in damages.iter().enumerate() {
            clear(&library);
            fs::write(&library, "compiled").unwrap();
            assert!(!is_kept(&library), "nobody has said so yet");
            keep(&library).unwrap();
            assert!(is_kept(&library));
            damage();
            assert!(!is_kept(&library), "{number}");
        }
    }
}
