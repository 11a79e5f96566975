//! Shared state of instrumented builds of one kind: recorder, compiler wrapper, folders.

use super::compile::{Configuration, Purpose};
use super::plan::{Wanted, WorkspaceNames};
use crate::base::process;
use crate::cargo::runtime::{Effort, Plan};
use crate::cargo::workspace::{Workspace, rustc};
use crate::cargo::wrapper::{self, Installed};
use crate::programs::outcomes::{self, Built, FailedBuild};
use crate::source::module_files;
use anyhow::Result;
use cargo_metadata::TargetKind;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Workspace prepared for instrumented builds of one kind.
pub(super) struct Session<'s> {
    pub workspace: &'s Workspace,
    pub root: PathBuf,
    pub target_folder: PathBuf,
    pub configuration: Configuration,
    pub wrapper: Installed,
    /// Default folder of recordings, for programs that are run elsewhere.
    pub default: Option<String>,
    /// Optimisation of the recorder.
    pub effort: Effort,
    compiler: PathBuf,
    version: String,
}

impl<'s> Session<'s> {
    pub(super) fn prepare(
        workspace: &'s Workspace,
        program: &Path,
        wanted: &Wanted,
        default: Option<&str>,
        purpose: Purpose,
    ) -> Result<Session<'s>> {
        let situ = workspace.situ_folder();
        let (compiler, version) = rustc()?;
        let effort = Effort::Much;
        let runtime =
            Plan::recording_to(&workspace.library_folder(), &version, default, effort).runtime;
        let root = workspace.build_root()?;
        let changed = fs::metadata(program).and_then(|data| data.modified()).ok();
        // Another version of the command instruments differently, so their builds must not be
        // mixed.
        let tool = format!("{changed:?}");
        let key = situ_recorder::bytes::checksum(
            format!("{wanted:?}{default:?}{purpose:?}{tool}").as_bytes(),
        );
        let configuration = Configuration {
            wanted: wanted.clone(),
            roots: instrumented_roots(workspace, &root),
            purpose,
            lent: workspace.lending().map(|lending| lending.lent.clone()),
            names: if wanted.calls {
                names_of(workspace)
            } else {
                WorkspaceNames::default()
            },
            runtime,
            folder: situ.join("record").join(format!("{key:016x}")),
            tool,
        };
        let wrapper = wrapper::install(&situ, program, "record", &configuration)?;
        let target_folder = workspace.build_folder();
        Ok(Session {
            workspace,
            root,
            target_folder,
            configuration,
            wrapper,
            default: default.map(str::to_owned),
            effort,
            compiler,
            version,
        })
    }

    /// Builds the workspace with or without the compiler wrapper.
    pub(super) fn built(
        &self,
        wrapper: Option<&Installed>,
        arguments: &[String],
    ) -> Result<Result<Built, FailedBuild>> {
        if has_shared_library(self.workspace) {
            self.workspace
                .builds_in(wrapper.map_or(&self.root, Installed::path))?;
        }
        outcomes::build(
            self.workspace,
            &self.root,
            &self.target_folder,
            wrapper,
            arguments,
        )
    }

    /// Removes all builds of the workspace's own crates.
    pub(super) fn forget_own_crates(&self) -> Result<()> {
        let mut command = outcomes::cargo_in(&self.root, &self.target_folder, None);
        command.arg("clean");
        command.args(
            self.workspace
                .ids_in(&self.root)
                .iter()
                .flat_map(|id| ["--package", id]),
        );
        let finished = process::run(&mut command, None)?;
        anyhow::ensure!(
            finished.status.success(),
            "cargo clean: {}",
            finished.stderr.trim()
        );
        Ok(())
    }

    /// Builds from instrumented sources. Code that is not instrumented, such as tests of other
    /// crates, may fail the supertrait bound on implementors of traits. Then builds again without
    /// that bound.
    pub(super) fn build_instrumented(
        &mut self,
        program: &Path,
        arguments: &[String],
    ) -> Result<Built> {
        self.compile_runtime(program)?;
        let first = match self.built(Some(&self.wrapper), arguments)? {
            Ok(built) => return Ok(built),
            Err(said) => said,
        };
        let effort = self.effort;
        let wanted = Wanted {
            through_traits: false,
            ..self.configuration.wanted.clone()
        };
        *self = Session::prepare(
            self.workspace,
            program,
            &wanted,
            self.default.as_deref(),
            self.configuration.purpose.clone(),
        )?;
        self.effort = effort;
        self.compile_runtime(program)?;
        let second = self.built(Some(&self.wrapper), arguments)?;
        second.map_err(|_| anyhow::anyhow!("the instrumented copy does not build:\n{first}"))
    }
}

impl Session<'_> {
    /// Compiles the recorder for the current effort, and makes the wrapper link it.
    fn compile_runtime(&mut self, program: &Path) -> Result<()> {
        let folder = self.workspace.library_folder();
        let plan = Plan::recording_to(&folder, &self.version, self.default.as_deref(), self.effort);
        let runtime = plan.build(&self.compiler)?;
        if runtime != self.configuration.runtime {
            self.configuration.runtime = runtime;
            let situ = self.workspace.situ_folder();
            self.wrapper = wrapper::install(&situ, program, "record", &self.configuration)?;
        }
        Ok(())
    }
}

/// Returns whether there is a library that non-Rust programs can link. Its file name is the same in
/// every kind of build, so cargo would confuse them.
fn has_shared_library(workspace: &Workspace) -> bool {
    let is_shared = |kind: &TargetKind| {
        matches!(
            kind,
            TargetKind::CDyLib | TargetKind::DyLib | TargetKind::StaticLib
        )
    };
    let packages = workspace.all_packages();
    packages.iter().any(|package| {
        package
            .targets
            .iter()
            .any(|target| target.kind.iter().any(is_shared))
    })
}

/// Returns the names of the workspace's crates and functions.
fn names_of(workspace: &Workspace) -> WorkspaceNames {
    let mut names = WorkspaceNames::default();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        let is_code =
            |kind: &TargetKind| !matches!(kind, TargetKind::CustomBuild | TargetKind::Bench);
        if target.kind.iter().all(is_code) {
            let files = module_files(target.src_path.as_std_path()).unwrap_or_default();
            names.add(&target.name.replace('-', "_"), &files);
        }
    }
    names
}

/// Returns the root files of libraries, binaries and examples. Tests are run, but not instrumented.
fn instrumented_roots(workspace: &Workspace, root: &Path) -> BTreeSet<PathBuf> {
    let mut roots = BTreeSet::new();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        let hidden = |kind: &TargetKind| {
            matches!(
                kind,
                TargetKind::Test
                    | TargetKind::Bench
                    | TargetKind::CustomBuild
                    | TargetKind::ProcMacro
            )
        };
        if target.kind.iter().any(hidden) {
            continue;
        }
        let path = target.src_path.as_std_path();
        let inside = path
            .strip_prefix(workspace.root())
            .map(|inside| root.join(inside));
        for path in [path.to_path_buf()].into_iter().chain(inside) {
            roots.insert(path.canonicalize().unwrap_or(path));
        }
    }
    roots
}
