//! Reads source files.

use super::SourceError;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Maximum size of a source file in bytes.
const MAX_SIZE: u64 = 1 << 30;

/// Reads a regular file, following links. Reading a pipe would block, and a device has no end.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let data = fs::metadata(path)?;
    if !data.is_file() || data.len() > MAX_SIZE {
        let reason = if data.is_file() {
            "it is too large"
        } else {
            "it is not a regular file"
        };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(data.len()).unwrap_or(0));
    File::open(path)?.take(MAX_SIZE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file unchanged, with its byte order mark and line endings, so that byte ranges can be
/// edited.
pub fn read_text(path: &Path) -> Result<String, SourceError> {
    let bytes = read_file(path).map_err(SourceError::Io)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        SourceError::NotUtf8 {
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pipes_and_devices_are_no_sources() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, zero, file] =
            ["pipe.rs", "zero.rs", "file.rs"].map(|name| folder.path().join(name));
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
        fs::write(folder.path().join("text"), "fn f() {}").unwrap();
        std::os::unix::fs::symlink("text", &file).unwrap();
        assert!(matches!(read_text(&pipe), Err(SourceError::Io(_))));
        assert!(matches!(read_text(&zero), Err(SourceError::Io(_))));
        assert!(matches!(read_text(folder.path()), Err(SourceError::Io(_))));
        assert_eq!(read_text(&file).unwrap(), "fn f() {}");
    }
}
