//! Adds the dependency on Situ and a first test.

use crate::base::user_error;
use crate::cargo::manifest::{SituSource, with_situ};
use crate::cargo::workspace::{Workspace, folder_of};
use crate::edit::{ChangeSet, FileChange};
use crate::programs::catalog::Catalog;
use crate::source::module_files;
use anyhow::Result;
use cargo_metadata::Package;
use std::path::Path;

/// Test that serves as an example; it is not part of a normal build.
const FIRST_TEST: &str = include_str!("first_test.rs.txt");

/// Returns the changes that prepare a workspace: the dependency for each package, and a first test
/// for each package without in-situ tests.
pub fn init(workspace: &Workspace, source: &SituSource) -> Result<ChangeSet> {
    let catalog = Catalog::read(workspace)?;
    let mut files = Vec::new();
    for package in workspace.packages() {
        let manifest = relative(workspace, package.manifest_path.as_std_path());
        let before = workspace.read(manifest)?;
        if let Some(after) = with_situ(&before, folder_of(package), source)? {
            files.push(FileChange {
                path: manifest.to_path_buf(),
                before,
                after,
                is_new: false,
            });
        }
        let own = |test: &&crate::programs::catalog::Listed| test.package == package.name.as_str();
        if !catalog
            .tests
            .iter()
            .filter(own)
            .any(|test| test.kind.is_in_situ())
        {
            files.push(first_test(workspace, package)?);
        }
    }
    Ok(ChangeSet { files })
}

fn first_test(workspace: &Workspace, package: &Package) -> Result<FileChange> {
    let libraries = package
        .targets
        .iter()
        .filter(|target| target.is_lib() || target.is_bin());
    let root = libraries.min_by_key(|target| !target.is_lib());
    let root = root.ok_or_else(|| {
        user_error::input(format!(
            "the package `{}` has neither a library nor a binary for a first test",
            package.name
        ))
    })?;
    // Returns an error if the file cannot be parsed, because a test after broken code would not
    // help.
    module_files(root.src_path.as_std_path())?;
    let path = relative(workspace, root.src_path.as_std_path());
    let before = workspace.read(path)?;
    let line_end = if before.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let gap = if before.is_empty() || before.ends_with('\n') {
        line_end.to_owned()
    } else {
        line_end.repeat(2)
    };
    let after = format!("{before}{gap}{}", FIRST_TEST.replace('\n', line_end));
    Ok(FileChange {
        path: path.to_path_buf(),
        before,
        after,
        is_new: false,
    })
}

fn relative<'a>(workspace: &Workspace, path: &'a Path) -> &'a Path {
    path.strip_prefix(workspace.root()).unwrap_or(path)
}
