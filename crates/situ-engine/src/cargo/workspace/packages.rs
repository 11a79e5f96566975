//! Identifies packages in cargo's arguments and output.

use super::{Workspace, folder_of};
use cargo_metadata::Package;
use std::fmt::Write as _;
use std::path::Path;

impl Workspace {
    /// Returns the full package id for cargo in a copy of the workspace at `root`. The name alone
    /// would be ambiguous if a dependency needs another version of the same package.
    pub fn id_in(&self, root: &Path, package: &Package) -> String {
        if root == self.root() {
            return package.id.repr.clone();
        }
        let inside = folder_of(package)
            .strip_prefix(self.root())
            .unwrap_or(Path::new(""));
        let folder = root.join(inside);
        let folder = encoded(folder.to_string_lossy().trim_end_matches('/'));
        format!("path+file://{folder}#{}@{}", package.name, package.version)
    }

    /// Returns the full ids of the selected packages.
    pub fn ids_in(&self, root: &Path) -> Vec<String> {
        self.packages()
            .iter()
            .map(|package| self.id_in(root, package))
            .collect()
    }

    /// Returns the package with a target of this name and root file. Compares paths relative to the
    /// workspace, because cargo may run in a folder of links.
    pub fn package_with(&self, target: &str, file: &Path) -> Option<&Package> {
        let below = |path: &Path| path.strip_prefix(self.root()).unwrap_or(path).to_path_buf();
        let files = self
            .all_packages()
            .into_iter()
            .flat_map(|package| package.targets.iter().map(move |own| (package, own)));
        let files = files
            .filter(|(_, own)| own.name == target)
            .map(|(package, own)| (package, below(own.src_path.as_std_path())));
        // `tests/a.rs` of the root package also matches `member/tests/a.rs`, so the longest path
        // wins.
        let found = files
            .filter(|(_, own)| file.ends_with(own))
            .max_by_key(|(_, own)| own.components().count());
        found.map(|(package, _)| package)
    }

    /// Returns the package in this folder, in the workspace or in a folder of links.
    pub fn package_in(&self, folder: &Path) -> Option<&Package> {
        let below = |package: &Package| {
            folder_of(package)
                .strip_prefix(self.root())
                .unwrap_or(Path::new(""))
                .to_path_buf()
        };
        let packages = self
            .packages()
            .iter()
            .filter(|package| folder.ends_with(below(package)));
        packages.max_by_key(|package| below(package).components().count())
    }
}

/// Encodes the special chars of a path for a URL, with percent signs.
fn encoded(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        match byte {
            b' '
            | b'"'
            | b'<'
            | b'>'
            | b'`'
            | b'#'
            | b'?'
            | b'{'
            | b'}'
            | b'%'
            | b'\\'
            | 0..=31
            | 127.. => {
                let _ = write!(address, "%{byte:02X}");
            }
            _ => address.push(char::from(byte)),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::workspace::Selection;
    use std::fs;
    use std::path::PathBuf;

    /// Creates a workspace with a package in the root and one in a folder, both with a test `same`.
    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("with space");
        for (below, name, more) in [
            ("", "outer", "[workspace]\nmembers = [\"inner\"]\n"),
            ("inner", "inner", ""),
        ] {
            fs::create_dir_all(root.join(below).join("src")).unwrap();
            fs::create_dir_all(root.join(below).join("tests")).unwrap();
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}"
            );
            fs::write(root.join(below).join("Cargo.toml"), manifest).unwrap();
            fs::write(root.join(below).join("src/lib.rs"), "").unwrap();
            fs::write(root.join(below).join("tests/same.rs"), "").unwrap();
        }
        let selection = Selection {
            manifest_path: Some(root.join("Cargo.toml")),
            packages: vec!["outer".into(), "inner".into()],
        };
        let workspace = Workspace::load(&selection).unwrap();
        (folder, workspace)
    }

    #[test]
    fn a_program_belongs_to_the_innermost_package_with_its_file() {
        let (_folder, workspace) = workspace();
        for root in [workspace.root().to_path_buf(), PathBuf::from("/links")] {
            let name = |file: &str| {
                workspace
                    .package_with("same", &root.join(file))
                    .map(|package| package.name.to_string())
            };
            assert_eq!(name("tests/same.rs").as_deref(), Some("outer"));
            assert_eq!(name("inner/tests/same.rs").as_deref(), Some("inner"));
            assert_eq!(name("inner/tests/other.rs"), None);
            let name = |folder: &Path| {
                workspace
                    .package_in(folder)
                    .map(|package| package.name.to_string())
            };
            assert_eq!(
                (name(&root).as_deref(), name(&root.join("inner")).as_deref()),
                (Some("outer"), Some("inner"))
            );
        }
    }

    #[test]
    fn an_id_says_where_the_package_is() {
        let (_folder, workspace) = workspace();
        let inner = workspace
            .all_packages()
            .into_iter()
            .find(|package| package.name == "inner")
            .unwrap();
        assert_eq!(workspace.id_in(workspace.root(), inner), inner.id.repr);
        let elsewhere = workspace.id_in(Path::new("/some links/100%"), inner);
        assert_eq!(
            elsewhere,
            "path+file:///some%20links/100%25/inner#inner@0.1.0"
        );
        // The folder name contains a space, which cargo encodes in the same way.
        let own = encoded(&workspace.root().join("inner").to_string_lossy());
        assert!(inner.id.repr.contains(&own), "{} {own}", inner.id.repr);
    }
}
