//! Finds the path dependencies of manifests, so that copies of a workspace contain them too.

use std::path::{Component, Path, PathBuf};
use toml_edit::{Document, Item, TableLike};

/// Returns the folders that relative `path` entries in a manifest point to. `folder` is the
/// manifest's folder.
pub(super) fn relative_paths(manifest: &str, folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Ok(document) = Document::parse(manifest) {
        collect(document.as_table(), &mut found);
    }
    found.retain(|path| path.is_relative());
    found
        .iter()
        .map(|path| without_climbing(&folder.join(path)))
        .collect()
}

fn collect(table: &dyn TableLike, found: &mut Vec<PathBuf>) {
    for (name, item) in table.iter() {
        match (name, item.as_str()) {
            ("path", Some(path)) => found.push(PathBuf::from(path)),
            _ => item
                .as_table_like()
                .into_iter()
                .for_each(|inner| collect(inner, found)),
        }
        if let Item::ArrayOfTables(tables) = item {
            tables.iter().for_each(|inner| collect(inner, found));
        }
    }
}

/// Removes `.` and `..` from a path as cargo does, without resolving links.
fn without_climbing(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_found_wherever_a_manifest_has_them() {
        let manifest = "[dependencies]\na = { path = \"../a\" }\nb = \"1\"\nc = { path = \"/whole\" }\n\
                        [dev-dependencies.d]\npath = \"../../d/./e\"\n[target.'cfg(unix)'.dependencies]\nf.path = \"f\"\n\
                        [[bin]]\nname = \"x\"\npath = \"src/x.rs\"\n";
        let found = relative_paths(manifest, Path::new("/w/mine"));
        assert_eq!(
            found,
            ["/w/a", "/d/e", "/w/mine/f", "/w/mine/src/x.rs"].map(PathBuf::from)
        );
        assert!(relative_paths("no manifest", Path::new("/w")).is_empty());
    }
}
