//! Doctests: rustdoc compiles and runs them once, and their programs are kept to be run again with mutants.

use super::build::{Builder, Program};
use crate::process;
use crate::workspace::{Workspace, folder_of};
use crate::wrapper::Invocation;
use anyhow::{Context as _, Result};
use cargo_metadata::{Package, TargetKind};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The mode of the wrapper in which it runs doctests for rustdoc.
pub const MODE: &str = "doctest";
/// Names the folder that takes the programs.
pub const FOLDER: &str = "SITU_DOCTESTS";

/// Runs a doctest in rustdoc's place, and keeps its program.
pub fn keep(invocation: &Invocation) -> Result<i32> {
    let mut command = Command::new(invocation.wrapped());
    command.args(&invocation.arguments.0);
    let code = process::run_as_is(&mut command)?;
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return Ok(code) };
    let package = env::current_dir().context("finding the package's folder")?;
    let kept = folder.join(format!("{}-{code}", std::process::id()));
    fs::copy(invocation.wrapped(), &kept).context("keeping a doctest's program")?;
    fs::write(kept.with_extension("folder"), package.as_os_str().as_encoded_bytes())
        .context("keeping a doctest's folder")?;
    Ok(code)
}

/// Whether a package has a library, so that it may have doctests.
pub fn has_library(package: &Package) -> bool {
    let is_library = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::RLib);
    package.targets.iter().any(|target| target.doctest && target.kind.iter().any(is_library))
}

/// Builds all doctests and gives their programs. Where rustdoc says that some fail, those that do are left out.
pub fn keep_all(builder: &Builder, workspace: &Workspace, folder: &Path) -> Result<Vec<Program>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).context("making the doctests' folder")?;
    let finished = process::run(&mut builder.doctests(folder), None)?;
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).context("listing the doctests")? {
        let path = entry.context("listing the doctests")?.path();
        let fails = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| !name.ends_with("-0"));
        if path.extension().is_some() || (fails && !finished.status.success()) {
            continue;
        }
        let home = fs::read_to_string(path.with_extension("folder")).unwrap_or_default();
        let packages = workspace.packages();
        let package =
            packages.iter().find(|package| home.ends_with(&relative_folder(package, workspace))).or(packages.first());
        let Some(package) = package else { continue };
        programs.push(Program {
            name: name_of(&path).unwrap_or_else(|| format!("doctests of {}", package.name)),
            path,
            folder: folder_of(package).to_path_buf(),
            package: (package.name.to_string(), package.version.to_string()),
            fails,
            is_doctest: true,
        });
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(programs)
}

fn relative_folder(package: &Package, workspace: &Workspace) -> String {
    let folder = folder_of(package).strip_prefix(workspace.root()).unwrap_or(Path::new(""));
    folder.display().to_string()
}

/// The file and line of a doctest, from the name of its function: `_doctest_main_src_lib_rs_12_0`.
fn name_of(path: &Path) -> Option<String> {
    const START: &[u8] = b"_doctest_main_";
    let bytes = fs::read(path).ok()?;
    let at = bytes.windows(START.len()).position(|window| window == START)? + START.len();
    let word = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let word = String::from_utf8(word.copied().collect()).ok()?;
    let (file, line) = word.rsplit_once("_rs_")?;
    let line: String = line.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("doctest {}.rs:{line}", file.replace('_', "/")))
}
