//! Reads the text of a source file.

use super::SourceError;
use std::fs;
use std::path::Path;

/// Reads a file as it is, with its byte order mark and line ends, so that its bytes can be edited.
pub fn read_text(path: &Path) -> Result<String, SourceError> {
    let bytes = fs::read(path).map_err(SourceError::Io)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        SourceError::NotUtf8 { line: before.iter().filter(|byte| **byte == b'\n').count() + 1 }
    })
}
