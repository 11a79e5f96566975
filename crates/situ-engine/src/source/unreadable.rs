//! A source file that Situ cannot read, to be named to the user.

use super::SourceError;
use std::fmt;
use std::path::PathBuf;
use syn::Attribute;

/// A source file that is there and cannot be used.
#[derive(Debug)]
pub struct UnreadableFile {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: SourceError,
    /// The `#[cfg(…)]` attributes of the `mod` items that lead to it.
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
