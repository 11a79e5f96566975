//! Files of a workspace that Situ cannot read, to be named to the user.

use super::{SourceError, read_crate};
use crate::workspace::Workspace;
use std::collections::BTreeMap;
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

/// The files of the selected packages that cannot be read, by their paths from the workspace's root.
pub fn unreadable_files(workspace: &Workspace) -> Vec<UnreadableFile> {
    let mut found = BTreeMap::new();
    for target in workspace.packages().iter().flat_map(|package| &package.targets) {
        for mut file in read_crate(target.src_path.as_std_path()).unreadable {
            file.path = file.path.strip_prefix(workspace.root()).unwrap_or(&file.path).to_path_buf();
            found.insert(file.path.clone(), file);
        }
    }
    found.into_values().collect()
}
