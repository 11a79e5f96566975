//! Test program that cargo has built: its path, and how its tests are started.

use super::harness::Harness;
use crate::base::diagnostics::Artifact;
use crate::base::process;
use crate::cargo::workspace::{self, Launcher, Workspace, rustc_path};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Test program that cargo has built, with everything needed to run its tests.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the target, as reports show it.
    pub name: String,
    /// Root file of the target; the program's own path if it has none.
    pub root: PathBuf,
    /// Path of the executable.
    pub path: PathBuf,
    pub launcher: Launcher,
    /// Folder of the package, in which its tests run.
    pub folder: PathBuf,
    /// Name and version of the package.
    pub package: (String, String),
    /// Folder of the compiler's shared libraries, which programs with procedural macros need.
    pub libraries: PathBuf,
    pub harness: Harness,
    /// Tests that are excluded from every run, because they fail in the sandbox.
    pub left_out: Vec<String>,
}

impl Program {
    /// Returns one of the doctests that rustdoc has merged into this program, to be run alone in
    /// its process.
    pub fn doctest(&self, number: usize) -> Program {
        Program {
            harness: Harness::Doctest {
                fails: false,
                number: Some(number),
            },
            ..self.clone()
        }
    }
}

/// Returns the test program of an artifact, or `None` if it is not a test program of the workspace.
pub(crate) fn program_of(
    artifact: &Artifact,
    workspace: &Workspace,
    libraries: &Path,
) -> Option<Program> {
    let path = artifact
        .executable
        .clone()
        .filter(|_| artifact.profile.test)?;
    let package = workspace.package_with(&artifact.target.name, &artifact.target.src_path)?;
    Some(Program {
        name: artifact.target.name.clone(),
        root: artifact.target.src_path.clone(),
        path,
        launcher: workspace.launcher().clone(),
        folder: workspace::folder_of(package).to_path_buf(),
        package: (package.name.to_string(), package.version.to_string()),
        libraries: libraries.to_path_buf(),
        harness: Harness::Tests,
        left_out: Vec::new(),
    })
}

/// Returns the folder of the compiler's shared libraries.
pub(crate) fn compiler_libraries() -> Result<PathBuf> {
    compiler_settings().map(|(libraries, _)| libraries)
}

/// Returns the folder of the compiler's shared libraries, and the `cfg` settings of this compiler
/// and target.
pub(crate) fn compiler_settings() -> Result<(PathBuf, Vec<String>)> {
    let mut command = Command::new(rustc_path());
    let said = process::run(
        command.args(["--print", "target-libdir", "--print", "cfg"]),
        None,
    )?
    .stdout;
    let mut lines = said.lines().map(str::to_owned);
    Ok((
        PathBuf::from(lines.next().unwrap_or_default()),
        lines.collect(),
    ))
}
