//! A test program that cargo has built: where it is, and how its tests are started.

use super::harness::Harness;
use crate::base::diagnostics::Artifact;
use crate::base::process;
use crate::cargo::workspace::{self, Launcher, Workspace, rustc_path};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A test program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called in reports: the target's name.
    pub name: String,
    /// The file that its target begins with; the program itself where it is no target.
    pub root: PathBuf,
    /// Where it is.
    pub path: PathBuf,
    /// Starts it.
    pub launcher: Launcher,
    /// The folder of its package, in which its tests run.
    pub folder: PathBuf,
    /// The name and version of its package.
    pub package: (String, String),
    /// Where the compiler's own shared libraries are; programs with procedural macros in them need these.
    pub libraries: PathBuf,
    /// How its tests are started.
    pub harness: Harness,
    /// Tests of it that are not run with the others.
    pub left_out: Vec<String>,
}

impl Program {
    /// One of the doctests that rustdoc has merged into this program, alone in its process.
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

/// The test program that cargo tells of, if it is one of the workspace.
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

/// Where the compiler's own shared libraries are.
pub(crate) fn compiler_libraries() -> Result<PathBuf> {
    compiler_settings().map(|(libraries, _)| libraries)
}

/// Where the compiler's shared libraries are, and the `cfg` settings of this compiler and target.
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
