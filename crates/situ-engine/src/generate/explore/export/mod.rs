//! Theories as targets of `cargo fuzz`: a project beside the package with a copy of its sources, so
//! that its theories can be called with bytes.

mod manifest;
mod program;
mod target;

use super::build;
use super::plan::plan;
use super::plan_cache;
use super::run::{Request, targets_of};
use super::theories::{self, Theory};
use crate::base::user_error;
use crate::cargo::workspace::{Workspace, folder_of};
use crate::record::plan::{weave, with_keys};
use crate::source::{SourceFile, module_files};
use anyhow::{Context as _, Result, bail};
use cargo_metadata::Package;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) use target::target_name;

/// A project for fuzzers, not yet written.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its folder.
    pub folder: PathBuf,
    /// Its files, relative to that.
    pub files: BTreeMap<PathBuf, String>,
    /// The theories with targets.
    pub targets: Vec<Target>,
    /// The theories without a target.
    pub left_out: Vec<LeftOut>,
}

/// A target.
#[derive(Clone, Debug)]
pub struct Target {
    /// The path of its theory.
    pub theory: String,
    /// Its name.
    pub name: String,
    /// Its root file, relative to the project.
    pub root: PathBuf,
}

/// A theory without a target.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// Its path.
    pub theory: String,
    /// Why.
    pub reason: String,
}

impl Export {
    /// Writes the project, and removes files of an earlier export that it no longer has.
    pub fn write(&self) -> Result<()> {
        for written in ["fuzz_targets", "src", "checks", "programs"] {
            let _ = fs::remove_dir_all(self.folder.join(written));
        }
        for (path, text) in &self.files {
            let path = self.folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))
                .context("making the project for fuzzers")?;
            fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }
}

/// Builds a project of the selected theories, which must be in one package. Its folder is `folder`,
/// or `fuzz` of the package.
pub fn export(workspace: &Workspace, request: &Request, folder: Option<&Path>) -> Result<Export> {
    let theories = theories::asked_for(theories::theories(workspace)?, &request.theories)?;
    let package = only_package(workspace, &theories)?;
    // Only a compilation shows what the compiler accepts of the instrumentation.
    build::build(
        workspace,
        &request.program,
        &request.cargo_arguments,
        &targets_of(workspace, &theories),
    )?;
    let folder = folder.map_or_else(|| folder_of(package).join("fuzz"), Path::to_path_buf);
    let mut export = Export {
        folder,
        files: BTreeMap::new(),
        targets: Vec::new(),
        left_out: Vec::new(),
    };
    let settled_in = workspace.situ_folder().join("explore");
    let roots: BTreeSet<&Path> = theories
        .iter()
        .map(|theory| theory.root.as_path())
        .collect();
    let library = package.targets.iter().find(|target| target.is_lib());
    let library_root = library.map(|library| library.src_path.as_std_path());
    for root in roots
        .into_iter()
        .chain(library_root)
        .collect::<BTreeSet<_>>()
    {
        let own: Vec<&Theory> = theories
            .iter()
            .filter(|theory| theory.root == root)
            .collect();
        let is_library = library_root == Some(root);
        let role = if is_library {
            Role::Library
        } else {
            Role::of(root)
        };
        let files = match woven(root, &settled_in) {
            Ok(files) => files,
            Err(reason) => {
                export.leave_out(&own, &reason.to_string());
                continue;
            }
        };
        let place = role.folder(&own);
        if let Role::Program = role {
            export.add_programs(&own, &files, &place);
        } else {
            let library = library.map(|library| library.name.replace('-', "_"));
            own.iter()
                .for_each(|theory| export.add_target(theory, role, library.as_deref()));
        }
        export.add(root, files, &place);
    }
    if export.targets.is_empty() {
        let reasons: Vec<String> = export
            .left_out
            .iter()
            .map(|left| format!("{}: {}", left.theory, left.reason))
            .collect();
        return Err(user_error::input(format!(
            "there is no theory to export; {}",
            reasons.join("; ")
        )));
    }
    manifest::add(&mut export, workspace, package, library)?;
    Ok(export)
}

/// The role of a root file in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The library: its sources are the project's own library.
    Library,
    /// An integration test: a module of each target.
    Check,
    /// A program, which cannot be linked: each target is the program itself with another `main`.
    Program,
}

impl Role {
    fn of(root: &Path) -> Role {
        if root.components().any(|part| part.as_os_str() == "tests") {
            Role::Check
        } else {
            Role::Program
        }
    }

    /// Returns the folder of its files.
    fn folder(self, theories: &[&Theory]) -> PathBuf {
        match self {
            Role::Library => PathBuf::from("src"),
            Role::Check => PathBuf::from("checks"),
            Role::Program => {
                Path::new("programs").join(theories.first().map_or("", |theory| &theory.krate))
            }
        }
    }
}

impl Export {
    fn leave_out(&mut self, theories: &[&Theory], reason: &str) {
        let reason = || reason.to_owned();
        self.left_out.extend(theories.iter().map(|theory| LeftOut {
            theory: theory.path(),
            reason: reason(),
        }));
    }

    /// Adds the files of a crate with their paths relative to its root, including files that are no
    /// sources.
    fn add(&mut self, root: &Path, files: Vec<(PathBuf, String)>, place: &Path) {
        let around = root.parent().unwrap_or(root);
        for (path, text) in files {
            if let Ok(inside) = path.strip_prefix(around) {
                self.files.insert(place.join(inside), text);
            }
        }
        for path in others_in(around) {
            if let (Ok(inside), Ok(text)) = (path.strip_prefix(around), fs::read_to_string(&path)) {
                self.files.entry(place.join(inside)).or_insert(text);
            }
        }
    }

    fn add_target(&mut self, theory: &Theory, role: Role, library: Option<&str>) {
        let name = target_name(theory);
        let root = Path::new("fuzz_targets").join(format!("{name}.rs"));
        self.files
            .insert(root.clone(), target::text(theory, role, library));
        self.targets.push(Target {
            theory: theory.path(),
            name,
            root,
        });
    }

    /// Adds one program with another `main` for each theory, beside the modules of the original.
    fn add_programs(&mut self, theories: &[&Theory], files: &[(PathBuf, String)], place: &Path) {
        for theory in theories {
            let name = target_name(theory);
            let root = place.join(format!("situ_fuzz_{name}.rs"));
            let program = files.iter().find(|(path, _)| *path == theory.root);
            match program.and_then(|(_, text)| program::text(text, theory)) {
                Some(text) => {
                    self.files.insert(root.clone(), text);
                    self.targets.push(Target {
                        theory: theory.path(),
                        name,
                        root,
                    });
                }
                None => self.leave_out(&[theory], "its program has no `main` that can be replaced"),
            }
        }
    }
}

fn only_package<'w>(workspace: &'w Workspace, theories: &[Theory]) -> Result<&'w Package> {
    let with = workspace.packages().iter().filter(|package| {
        package.targets.iter().any(|target| {
            theories
                .iter()
                .any(|one| one.root == target.src_path.as_std_path())
        })
    });
    let with: Vec<&Package> = with.collect();
    match with.as_slice() {
        [only] => Ok(only),
        several => {
            let names: Vec<&str> = several
                .iter()
                .map(|package| package.name.as_str())
                .collect();
            let text = format!(
                "theories of several packages ({}); choose one with `-p`",
                names.join(", ")
            );
            Err(user_error::input(text))
        }
    }
}

/// Returns the sources of a crate with generated constructors for its types.
fn woven(root: &Path, settled_in: &Path) -> Result<Vec<(PathBuf, String)>> {
    let files: Vec<SourceFile> = module_files(root)?;
    let Some(settled) = plan_cache::read(settled_in, root) else {
        bail!("its crate cannot be instrumented");
    };
    let plan = plan(&files, settled.answers);
    let dropped = with_keys(&plan.pieces, &settled.rejected);
    let woven = files
        .iter()
        .zip(&plan.insertions)
        .map(|(file, insertions)| {
            (
                file.path.clone(),
                weave(&file.text, insertions, &plan.pieces, &dropped).text,
            )
        });
    Ok(woven.collect())
}

/// Files below a folder that sources may include.
fn others_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|extension| extension != "rs") {
                found.push(path);
            }
        }
    }
    found
}
