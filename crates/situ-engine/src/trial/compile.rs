//! Builds a mirror of the workspace, and separates the compiler's errors from all other failures.

use crate::base::diagnostics::{CargoMessage, Diagnostic, parse_cargo};
use crate::base::process;
use crate::cargo::workspace::{Workspace, build_into, cargo, without_debuggers};
use crate::programs::program::{Program, compiler_libraries, program_of};
use anyhow::{Result, bail};
use cargo_metadata::TargetKind;

/// Result of building a mirror.
pub(crate) struct Build {
    /// Test programs, if the build succeeded.
    pub programs: Vec<Program>,
    /// Errors of the compiler, if the build failed.
    pub errors: Vec<Diagnostic>,
    /// Warnings about the workspace's own code.
    pub warnings: Vec<Diagnostic>,
}

/// Which tests to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tests {
    /// Unit tests of libraries and binaries.
    Inside,
    /// Integration tests too.
    All,
}

/// Builds the unit tests of libraries and binaries.
pub(crate) fn build(mirror: &Workspace) -> Result<Build> {
    build_tests(mirror, Tests::Inside)
}

/// Checks the unit tests of libraries and binaries without linking programs.
pub(crate) fn check(mirror: &Workspace) -> Result<Build> {
    call_cargo(mirror, Tests::Inside, false)
}

pub(crate) fn build_tests(mirror: &Workspace, tests: Tests) -> Result<Build> {
    call_cargo(mirror, tests, true)
}

fn call_cargo(mirror: &Workspace, tests: Tests, is_run: bool) -> Result<Build> {
    let mut command = cargo();
    build_into(&mut command, &mirror.build_folder()).current_dir(mirror.root());
    command.args(["test", "--no-run", "--message-format=json"]);
    // Cargo returns an error for a kind of target that no package has.
    let has = |wanted: &dyn Fn(&TargetKind) -> bool| {
        mirror
            .packages()
            .iter()
            .flat_map(|package| &package.targets)
            .any(|target| target.kind.iter().any(wanted))
    };
    let is_library = |kind: &TargetKind| !matches!(kind, TargetKind::Bin) && is_tested_inside(kind);
    if has(&is_library) {
        command.arg("--lib");
    }
    if has(&|kind| matches!(kind, TargetKind::Bin)) {
        command.arg("--bins");
    }
    if tests == Tests::All && has(&|kind| matches!(kind, TargetKind::Test)) {
        command.args(["--test", "*"]);
    }
    command.args(
        mirror
            .ids_in(mirror.root())
            .iter()
            .flat_map(|id| ["--package", id]),
    );
    without_debuggers(&mut command);
    match mirror.lending() {
        Some(lending) if !is_run => lending.apply_checking(&mut command),
        Some(lending) => lending.apply(&mut command),
        None => {}
    }
    let finished = process::run(&mut command, None)?;
    let libraries = compiler_libraries()?;
    let mut build = Build {
        programs: Vec::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    for message in parse_cargo(&finished.stdout) {
        match message {
            CargoMessage::CompilerArtifact(artifact) => build
                .programs
                .extend(program_of(&artifact, mirror, &libraries)),
            CargoMessage::CompilerMessage { message, .. } if message.is_error() => {
                build.errors.push(message)
            }
            CargoMessage::CompilerMessage { message, .. } => build.warnings.push(message),
            _ => {}
        }
    }
    // Errors of the compiler are a result of the trial; any other failure of cargo is not.
    if !finished.status.success() && build.errors.is_empty() {
        bail!(
            "cargo cannot build the copy of the workspace:\n{}",
            finished.stderr.trim_end()
        );
    }
    build
        .programs
        .sort_by(|one, other| one.path.cmp(&other.path));
    Ok(build)
}

fn is_tested_inside(kind: &TargetKind) -> bool {
    !matches!(
        kind,
        TargetKind::Test
            | TargetKind::Bench
            | TargetKind::Example
            | TargetKind::CustomBuild
            | TargetKind::ProcMacro
    )
}
