//! Source files that Situ cannot use.

use super::SourceError;
use std::fmt;
use std::path::PathBuf;
use syn::Attribute;

/// Source file that exists but cannot be used.
#[derive(Debug)]
pub struct UnreadableFile {
    pub path: PathBuf,
    pub error: SourceError,
    /// `#[cfg(…)]` attributes of the `mod` items that lead to the file.
    pub conditions: Vec<Attribute>,
}

impl fmt::Display for UnreadableFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.path.display())?;
        match self.error.place() {
            (0, _) => {}
            (line, column) => write!(formatter, "{line}:{column}:")?,
        }
        write!(formatter, " {}", self.error)
    }
}
