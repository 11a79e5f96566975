//! Source files of a workspace that Situ cannot read.

use super::workspace::Workspace;
use crate::source::{UnreadableFile, read_crate};
use std::collections::BTreeMap;

/// Returns the unreadable source files of the selected packages, with paths relative to the
/// workspace root.
pub fn unreadable_files(workspace: &Workspace) -> Vec<UnreadableFile> {
    let mut found = BTreeMap::new();
    for target in workspace
        .packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        for mut file in read_crate(target.src_path.as_std_path()).unreadable {
            file.path = file
                .path
                .strip_prefix(workspace.root())
                .unwrap_or(&file.path)
                .to_path_buf();
            found.insert(file.path.clone(), file);
        }
    }
    found.into_values().collect()
}
