//! Decides which files Situ may change: those of the workspace, wherever a path in its own journals
//! claims to lead.

use crate::cargo::workspace::{Workspace, folder_of};
use crate::source::module_files;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// Files of a workspace, and the folder of journals and undo records.
pub(super) struct UserFiles<'w> {
    /// Folder of the workspace manifest.
    pub root: PathBuf,
    /// Folder of the journal and the undo records.
    pub notes: PathBuf,
    /// Every folder that contains files of the workspace, with links resolved.
    folders: Vec<PathBuf>,
    workspace: Option<&'w Workspace>,
}

/// Reason why a file must not be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotOurs {
    /// The path is empty.
    Empty,
    /// The path contains `..`.
    Climbs,
    /// The path is outside the workspace.
    Outside,
}

impl fmt::Display for NotOurs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NotOurs::Empty => "it names no file",
            NotOurs::Climbs => "its path has `..`",
            NotOurs::Outside => "it is outside of the workspace",
        })
    }
}

impl<'w> UserFiles<'w> {
    pub(super) fn of(workspace: &'w Workspace) -> UserFiles<'w> {
        let packages = workspace.all_packages();
        let folders = packages
            .iter()
            .map(|package| folder_of(package))
            .chain([workspace.root()]);
        UserFiles {
            root: workspace.root().to_path_buf(),
            notes: workspace.situ_folder().join("undo"),
            folders: folders
                .filter_map(|folder| folder.canonicalize().ok())
                .collect(),
            workspace: Some(workspace),
        }
    }

    /// Returns the files below `root`, with journals in `notes`.
    #[cfg(test)]
    pub(super) fn below(root: &Path, notes: &Path) -> UserFiles<'static> {
        let folders = root.canonicalize().into_iter().collect();
        UserFiles {
            root: root.to_path_buf(),
            notes: notes.to_path_buf(),
            folders,
            workspace: None,
        }
    }

    /// Resolves a path from a journal, with links followed. The file may be missing, but must be
    /// inside the workspace.
    pub(super) fn admit(&self, path: &Path) -> Result<PathBuf, NotOurs> {
        if path.file_name().is_none() {
            return Err(NotOurs::Empty);
        }
        let full = self.root.join(path);
        let resolved = resolved(&full);
        let is_inside = self
            .folders
            .iter()
            .any(|folder| resolved.starts_with(folder));
        if is_inside
            && path
                .components()
                .all(|part| !matches!(part, Component::ParentDir))
            || self.is_source(&full)
        {
            return Ok(resolved);
        }
        let climbs = path.components().any(|part| part == Component::ParentDir);
        Err(if climbs {
            NotOurs::Climbs
        } else {
            NotOurs::Outside
        })
    }

    /// Returns whether a file outside all packages is a module of one of them (`#[path]`, a link),
    /// or is beside such a module.
    fn is_source(&self, full: &Path) -> bool {
        let packages = self
            .workspace
            .map(Workspace::all_packages)
            .unwrap_or_default();
        let mut roots = packages
            .iter()
            .flat_map(|package| &package.targets)
            .map(|target| &target.src_path);
        roots.any(|root| {
            let files = module_files(root.as_std_path()).unwrap_or_default();
            files
                .iter()
                .any(|file| file.path == full || file.path.parent() == full.parent())
        })
    }
}

/// Resolves the links in the part of a path that exists.
fn resolved(full: &Path) -> PathBuf {
    if let Ok(path) = full.canonicalize() {
        return path;
    }
    match (full.parent(), full.file_name()) {
        (Some(parent), Some(name)) => resolved(parent).join(name),
        _ => full.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_files_below_the_workspace_are_admitted() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("mine"), folder.path().join("other"));
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        let files = UserFiles::below(&root, &root.join("target/situ/undo"));
        let own = root.canonicalize().unwrap();
        assert_eq!(
            files.admit(Path::new("src/lib.rs")),
            Ok(own.join("src/lib.rs"))
        );
        assert_eq!(
            files.admit(Path::new("new/deep/a.txt")),
            Ok(own.join("new/deep/a.txt"))
        );
        assert_eq!(
            files.admit(&root.join("src/lib.rs")),
            Ok(own.join("src/lib.rs"))
        );
        assert_eq!(
            files.admit(Path::new("../other/a.rs")),
            Err(NotOurs::Climbs)
        );
        assert_eq!(
            files.admit(Path::new("src/../../other/a.rs")),
            Err(NotOurs::Climbs)
        );
        assert_eq!(files.admit(&outside.join("a.rs")), Err(NotOurs::Outside));
        assert_eq!(files.admit(Path::new("/etc/hosts")), Err(NotOurs::Outside));
        assert_eq!(files.admit(Path::new("")), Err(NotOurs::Empty));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_links_out_of_the_workspace_is_outside() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("mine"), folder.path().join("other"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("linked")).unwrap();
        let files = UserFiles::below(&root, &root.join("notes"));
        assert_eq!(files.admit(Path::new("linked/a.rs")), Err(NotOurs::Outside));
        assert_eq!(
            files.admit(Path::new("linked/deep/a.rs")),
            Err(NotOurs::Outside)
        );
    }
}
