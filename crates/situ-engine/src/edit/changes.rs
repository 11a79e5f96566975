//! Changes of the workspace's files for accepted tests.

use super::formatting::Formatting;
use super::observed::{marked_proposals, marks_settled};
use super::user_files::UserFiles;
use super::{Proposal, compose, patch, undo};
use crate::base::user_error;
use crate::cargo::manifest::{
    Dependency, SituSource, is_in_workspace, takes_from_registry, with_dev_dependency, with_situ,
};
use crate::cargo::workspace::{Resolution, Workspace, folder_of};
use anyhow::{Context as _, Result};
use cargo_metadata::{Edition, Package};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// All files that change, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// Sources, then manifests.
    pub files: Vec<FileChange>,
}

/// Contents of one file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Path relative to the workspace root.
    pub path: PathBuf,
    /// Contents when Situ read the file.
    pub before: String,
    pub after: String,
    /// Whether the file does not exist yet.
    pub is_new: bool,
}

impl ChangeSet {
    /// Returns the changes for these tests: the files that contain them, and the manifests of their
    /// packages.
    pub fn new(
        workspace: &Workspace,
        accepted: &[Proposal],
        situ: &SituSource,
    ) -> Result<ChangeSet> {
        ChangeSet::compose(workspace, accepted, situ, false)
    }

    /// Returns the changes for these tests with their text unchanged, for copies that only tools
    /// read.
    pub fn verbatim(
        workspace: &Workspace,
        accepted: &[Proposal],
        situ: &SituSource,
    ) -> Result<ChangeSet> {
        ChangeSet::compose(workspace, accepted, situ, true)
    }

    fn compose(
        workspace: &Workspace,
        accepted: &[Proposal],
        situ: &SituSource,
        verbatim: bool,
    ) -> Result<ChangeSet> {
        let mut by_file: BTreeMap<&Path, Vec<&Proposal>> = BTreeMap::new();
        let marked = if verbatim {
            accepted.to_vec()
        } else {
            marked_proposals(accepted)
        };
        for proposal in &marked {
            by_file.entry(&proposal.file).or_default().push(proposal);
        }
        let mut files = Vec::new();
        let mut packages: BTreeMap<&Path, &Package> = BTreeMap::new();
        let all = workspace.all_packages();
        for (path, proposals) in by_file {
            let before = workspace.read(path)?;
            let options = Formatting {
                verbatim,
                ..formatting_of(workspace, path)
            };
            let after = compose(&before, &proposals, &options)?;
            let after = if verbatim {
                after
            } else {
                marks_settled(&before, after)
            };
            if after != before {
                packages.extend(
                    package_of(&all, &workspace.root().join(path)).map(|one| (folder_of(one), one)),
                );
                files.push(FileChange {
                    path: path.to_path_buf(),
                    before,
                    after,
                    is_new: false,
                });
            }
        }
        for package in packages.values() {
            files.extend(old_roots(workspace, package, &files)?);
        }
        let situ = Dependency::Situ(situ.clone());
        for folder in packages.keys() {
            files.extend(manifest_change(workspace, folder, &situ)?);
        }
        Ok(ChangeSet { files })
    }

    /// Adds a dependency to the manifests of the packages that contain `sources`.
    pub fn with_dependency(
        mut self,
        workspace: &Workspace,
        sources: &[&Path],
        dependency: &Dependency,
    ) -> Result<ChangeSet> {
        let all = workspace.all_packages();
        let folders: BTreeSet<&Path> = sources
            .iter()
            .filter_map(|path| package_of(&all, &workspace.root().join(path)))
            .map(folder_of)
            .collect();
        for folder in folders {
            let full = folder.join("Cargo.toml");
            let changed = self
                .files
                .iter_mut()
                .find(|file| workspace.root().join(&file.path) == full);
            match (changed, dependency) {
                (
                    Some(file),
                    Dependency::Published {
                        name,
                        version,
                        has_default_features,
                    },
                ) => {
                    let after =
                        with_dev_dependency(&file.after, name, version, *has_default_features)?;
                    file.after = after.unwrap_or(file.after.clone());
                }
                _ => self
                    .files
                    .extend(manifest_change(workspace, folder, dependency)?),
            }
        }
        Ok(self)
    }

    /// Adds the lock file to the changes if it locks older versions than `situ` needs. Returns an
    /// error if the registry has no `situ` at all.
    pub fn resolved(self, workspace: &Workspace) -> Result<ChangeSet> {
        let (changes, resolution) = self.with_lock_file(workspace)?;
        match resolution {
            Resolution::NoSitu => Err(user_error::input(NoSitu.to_string())),
            Resolution::AsLocked | Resolution::Newer(_) => Ok(changes),
        }
    }

    /// Adds the lock file as [`ChangeSet::resolved`] does, for changes that are only shown: it is
    /// no error if the registry has no `situ`.
    pub fn resolved_to_show(self, workspace: &Workspace) -> Result<ChangeSet> {
        Ok(self.with_lock_file(workspace)?.0)
    }

    fn with_lock_file(mut self, workspace: &Workspace) -> Result<(ChangeSet, Resolution)> {
        let path = PathBuf::from("Cargo.lock");
        let resolution = workspace.resolve(&self.new_texts())?;
        if let (Resolution::Newer(after), Ok(before)) = (&resolution, workspace.read(&path)) {
            self.files.push(FileChange {
                path,
                before,
                after: after.clone(),
                is_new: false,
            });
        }
        Ok((self, resolution))
    }

    fn new_texts(&self) -> Vec<(PathBuf, String)> {
        self.files
            .iter()
            .map(|file| (file.path.clone(), file.after.clone()))
            .collect()
    }

    /// Returns why these manifests cannot be written: they take `situ` from the registry, which
    /// does not have it. Returns `None` if cargo cannot reach the registry.
    pub fn lacks_situ(&self, workspace: &Workspace) -> Option<NoSitu> {
        let takes = |file: &FileChange| {
            file.path.ends_with("Cargo.toml")
                && takes_from_registry(&file.after)
                && !takes_from_registry(&file.before)
        };
        if !self.files.iter().any(takes) {
            return None;
        }
        matches!(workspace.resolve(&self.new_texts()), Ok(Resolution::NoSitu)).then_some(NoSitu)
    }

    /// Returns all changes as a unified diff with paths relative to the workspace root.
    pub fn patch(&self) -> String {
        self.files.iter().map(patch::file_patch).collect()
    }

    /// Writes all files or none, and keeps the old contents for [`undo()`](super::undo()).
    pub fn write(&self, workspace: &Workspace) -> Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        undo::write(&UserFiles::of(workspace), &self.files)
    }
}

/// The registry has no version of `situ` that belongs to this command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSitu;

impl fmt::Display for NoSitu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        write!(
            formatter,
            "cargo finds no version of `situ` in the registry that belongs to this command ({version}); give `--situ-path DIR`, \
             the folder of a checkout, and the manifest gets the path to it"
        )
    }
}

/// Returns how to format a file of the workspace: with rustfmt and the edition of its package.
pub fn formatting_of(workspace: &Workspace, path: &Path) -> Formatting {
    let full = workspace.root().join(path);
    let all = workspace.all_packages();
    let package = package_of(&all, &full);
    let target = package.and_then(|package| {
        package
            .targets
            .iter()
            .find(|target| target.src_path.as_std_path() == full)
    });
    let edition = target
        .map(|target| target.edition)
        .or(package.map(|package| package.edition));
    Formatting {
        edition: edition.unwrap_or(Edition::E2021),
        folder: full.parent().map(Path::to_path_buf),
        is_root: target.is_some(),
        verbatim: false,
    }
}

pub(super) fn package_of<'p>(all: &[&'p Package], file: &Path) -> Option<&'p Package> {
    let around = all
        .iter()
        .filter(|package| file.starts_with(folder_of(package)));
    around
        .max_by_key(|package| folder_of(package).components().count())
        .copied()
}

/// Returns changes that add `extern crate situ;` to crate roots of the 2015 edition, where import
/// paths start at the root.
fn old_roots(
    workspace: &Workspace,
    package: &Package,
    changed: &[FileChange],
) -> Result<Vec<FileChange>> {
    let mut roots = Vec::new();
    for target in package
        .targets
        .iter()
        .filter(|target| target.edition == Edition::E2015)
    {
        let Ok(path) = target.src_path.as_std_path().strip_prefix(workspace.root()) else {
            continue;
        };
        if changed.iter().any(|file| file.path == path)
            || !holds_changed_module(workspace, target, changed)
        {
            continue;
        }
        let before = workspace.read(path)?;
        if let Some(after) = compose::with_extern_crate(&before)? {
            roots.push(FileChange {
                path: path.to_path_buf(),
                before,
                after,
                is_new: false,
            });
        }
    }
    Ok(roots)
}

fn holds_changed_module(
    workspace: &Workspace,
    target: &cargo_metadata::Target,
    changed: &[FileChange],
) -> bool {
    let Ok(files) = crate::source::module_files(target.src_path.as_std_path()) else {
        return false;
    };
    files.iter().any(|file| {
        changed
            .iter()
            .any(|changed| workspace.root().join(&changed.path) == file.path)
    })
}

/// Returns the change of a package's manifest for a dependency of its tests.
pub(super) fn manifest_change(
    workspace: &Workspace,
    folder: &Path,
    dependency: &Dependency,
) -> Result<Option<FileChange>> {
    let full = folder.join("Cargo.toml");
    let path = full
        .strip_prefix(workspace.root())
        .unwrap_or(&full)
        .to_path_buf();
    let before = workspace.read(&path)?;
    let after = match dependency {
        Dependency::Situ(situ) => {
            let shared = workspace
                .read(Path::new("Cargo.toml"))
                .is_ok_and(|root| is_in_workspace(&root));
            let situ = if shared { &SituSource::Workspace } else { situ };
            with_situ(&before, folder, situ)
        }
        Dependency::Published {
            name,
            version,
            has_default_features,
        } => with_dev_dependency(&before, name, version, *has_default_features),
    };
    let after =
        after.with_context(|| format!("adding {} to {}", dependency.name(), path.display()))?;
    Ok(after.map(|after| FileChange {
        path,
        before,
        after,
        is_new: false,
    }))
}
