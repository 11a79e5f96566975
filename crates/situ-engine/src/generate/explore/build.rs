//! The build of the test programs that theories are explored in.

use super::compile::{Configuration, MODE};
use crate::base::diagnostics::{CargoMessage, parse_cargo};
use crate::base::process;
use crate::base::user_error;
use crate::cargo::runtime;
use crate::cargo::workspace::{Launcher, Workspace, build_into, cargo, folder_of, rustc};
use crate::cargo::wrapper;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A test program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The file.
    pub path: PathBuf,
    /// The root file of its target, as the workspace has it.
    pub root: PathBuf,
    /// The folder to run it in.
    pub folder: PathBuf,
    /// The launcher that starts it.
    pub launcher: Launcher,
}

/// Builds all test programs of the selected packages that have one of these roots.
pub(super) fn build(
    workspace: &Workspace,
    program: &Path,
    arguments: &[String],
    targets: &[String],
) -> Result<(Vec<Program>, Duration)> {
    let situ = workspace.situ_folder();
    let (compiler, version) = rustc()?;
    let runtime = runtime::build_explorer(&situ, &compiler, &version)?;
    let root = workspace.build_root()?;
    let changed = fs::metadata(program).and_then(|data| data.modified()).ok();
    let folder = situ.join("explore");
    let configuration = Configuration {
        roots: member_roots(workspace, &root),
        runtime,
        tool: format!("{changed:?}"),
        folder,
    };
    let wrapper = wrapper::install(&situ, program, MODE, &configuration)?;
    build_with(
        workspace,
        &wrapper,
        &situ.join("explore/build"),
        arguments,
        targets,
    )
}

/// Builds test programs through a wrapper that compiles with coverage, optimized.
pub(crate) fn build_with(
    workspace: &Workspace,
    wrapper: &wrapper::Installed,
    target: &Path,
    arguments: &[String],
    targets: &[String],
) -> Result<(Vec<Program>, Duration)> {
    let (_, version) = rustc()?;
    let root = workspace.build_root()?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("asking the compiler for its host")?;
    forget_other_builds(workspace, &root, target, host, &format!("{wrapper:?}"))?;
    let mut command = cargo();
    build_into(&mut command, target)
        .current_dir(&root)
        .env("CARGO_INCREMENTAL", "0");
    // Assertions and overflow checks stay on; only the speed matters.
    command
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "2")
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
    command
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "2")
        .env("CARGO_PROFILE_TEST_DEBUG", "0");
    wrapper.apply_to_all(&mut command);
    command
        .args([
            "test",
            "--no-run",
            "--message-format=json",
            "--target",
            host,
        ])
        .args(targets)
        .args(arguments);
    command.args(
        workspace
            .ids_in(&root)
            .iter()
            .flat_map(|id| ["--package", id]),
    );
    let finished = process::run(&mut command, None)?;
    let messages = parse_cargo(&finished.stdout);
    if !finished.status.success() {
        return Err(user_error::user_code(format!(
            "the tests do not build:\n{}",
            said(&messages, &finished.stderr)
        )));
    }
    let programs = messages
        .into_iter()
        .filter_map(|message| program_of(message, workspace, &root))
        .collect();
    Ok((programs, finished.took))
}

/// Removes members that another wrapper compiled, because cargo does not see what a wrapper does.
/// Dependencies stay.
fn forget_other_builds(
    workspace: &Workspace,
    root: &Path,
    target: &Path,
    host: &str,
    wrapper: &str,
) -> Result<()> {
    let stamp = target.join("wrapper");
    if fs::read_to_string(&stamp).ok().as_deref() == Some(wrapper) {
        return Ok(());
    }
    if target.exists() {
        let mut command = cargo();
        build_into(&mut command, target)
            .current_dir(root)
            .args(["clean", "--target", host]);
        for package in workspace.all_packages() {
            command.args(["--package", &workspace.id_in(root, package)]);
        }
        // What cannot be removed member by member is removed altogether.
        if !process::run(&mut command, None)?.status.success() {
            fs::remove_dir_all(target).context("removing an old build")?;
        }
    }
    fs::create_dir_all(target).context("making the build folder")?;
    fs::write(&stamp, wrapper).context("noting who builds")
}

fn said(messages: &[CargoMessage], stderr: &str) -> String {
    let errors = messages.iter().filter_map(|message| match message {
        CargoMessage::CompilerMessage { message, .. } if message.is_error() => {
            message.rendered.clone()
        }
        _ => None,
    });
    let errors: String = errors.take(10).collect();
    format!("{errors}{}", stderr.trim())
}

fn program_of(message: CargoMessage, workspace: &Workspace, root: &Path) -> Option<Program> {
    let CargoMessage::CompilerArtifact(artifact) = message else {
        return None;
    };
    let path = artifact.executable.filter(|_| artifact.profile.test)?;
    // In a folder of links the same file has another path.
    let source = match artifact.target.src_path.strip_prefix(root) {
        Ok(inside) => workspace.root().join(inside),
        Err(_) => artifact.target.src_path.clone(),
    };
    let package = workspace.package_with(&artifact.target.name, &artifact.target.src_path)?;
    let folder = folder_of(package).to_path_buf();
    Some(Program {
        path,
        root: source,
        folder,
        launcher: workspace.launcher().clone(),
    })
}

/// Returns the root files of all members but build scripts and procedural macros, by every path
/// they have.
pub(crate) fn member_roots(workspace: &Workspace, root: &Path) -> BTreeSet<PathBuf> {
    let mut roots = BTreeSet::new();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
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
