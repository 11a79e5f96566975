//! Doctests: rustdoc compiles and runs them once, and their programs are kept to be run again with
//! mutants.
//!
//! Linking a program for each doctest takes longer than anything else here. From edition 2024 on,
//! rustdoc merges them into one program. For older crates it is called with that edition first, and
//! with the crate's own if a doctest fails that way.

use super::build::Builder;
use super::unit::Configuration;
use crate::base::process::{self, Limit};
use crate::base::user_error;
use crate::cargo::workspace::{Workspace, folder_of};
use crate::cargo::wrapper::Invocation;
use crate::programs::failing::{below, outputs};
use crate::programs::harness::{Harness, ONE_DOCTEST, Switch, Workplace, run_tests};
use crate::programs::program::Program;
use anyhow::{Context as _, Result};
use cargo_metadata::{Package, TargetKind};
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mode of the wrapper that replaces rustdoc.
pub const RUSTDOC_MODE: &str = "rustdoc";
/// Mode of the wrapper that runs doctests for rustdoc.
pub const MODE: &str = "doctest";
/// Environment variable with the folder for the programs.
pub const FOLDER: &str = "SITU_DOCTESTS";
/// Environment variable with the rustdoc to call.
pub const RUSTDOC: &str = "SITU_RUSTDOC";
/// First edition in which rustdoc merges doctests.
const MERGING_EDITION: u32 = 2024;
/// Variable that makes a program of merged doctests run each in its own process, as rustdoc does
/// without a runner.
const PROGRAM: &str = "RUSTDOC_DOCTEST_BIN_PATH";

/// Metadata of a kept doctest program.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Folder of the package.
    folder: PathBuf,
    code: i32,
    is_merged: bool,
}

/// Error of doctests that do not compile because functions are not `const`; contains the
/// compiler's messages.
#[derive(Debug)]
pub struct CalledInConstants(pub Vec<String>);

impl fmt::Display for CalledInConstants {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the doctests do not build:\n{}",
            self.0.join("\n")
        )
    }
}

impl std::error::Error for CalledInConstants {}

/// Runs a doctest for rustdoc, and keeps its program.
pub fn keep(invocation: &Invocation) -> Result<i32> {
    let is_merged = holds(invocation.wrapped(), ONE_DOCTEST.as_bytes()).is_some();
    let mut command = Command::new(invocation.wrapped());
    command.args(&invocation.arguments.0);
    command.envs(is_merged.then_some((PROGRAM, invocation.wrapped())));
    let code = process::run_as_is(&mut command)?;
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return Ok(code);
    };
    let package = env::current_dir().context("finding the package's folder")?;
    let kept = folder.join(std::process::id().to_string());
    fs::copy(invocation.wrapped(), &kept).context("keeping a doctest's program")?;
    let about = Kept {
        folder: package,
        code,
        is_merged,
    };
    fs::write(kept.with_extension("json"), serde_json::to_string(&about)?)
        .context("keeping a doctest's folder")?;
    Ok(code)
}

/// Calls rustdoc so that it merges doctests. If that fails, calls it with unchanged arguments.
pub fn call_rustdoc(invocation: &Invocation) -> Result<i32> {
    let rustdoc = env::var_os(RUSTDOC).unwrap_or_else(|| "rustdoc".into());
    let mut arguments = invocation.arguments.clone();
    let configuration: Configuration = invocation.configuration()?;
    if let Some(lent) = &configuration.lent {
        lent.name_to(&mut arguments);
    }
    let own: Vec<OsString> = std::iter::once(invocation.wrapped().into())
        .chain(arguments.0)
        .collect();
    let folder = env::var_os(FOLDER).map(PathBuf::from);
    if let (Some(merging), Some(folder)) = (with_merging_edition(&own), folder) {
        let finished = process::run(Command::new(&rustdoc).args(merging), None)?;
        if finished.status.success() {
            return Ok(0);
        }
        empty(&folder)?;
    }
    process::run_as_is(Command::new(&rustdoc).args(own))
}

/// Returns the arguments with the first edition that merges doctests, or `None` if they need no
/// change.
fn with_merging_edition(arguments: &[OsString]) -> Option<Vec<OsString>> {
    if !arguments.iter().any(|word| word == "--test") {
        return None;
    }
    let mut changed = arguments.to_vec();
    let joined = arguments.iter().position(|word| {
        word.to_str()
            .is_some_and(|word| word.starts_with("--edition="))
    });
    let apart = arguments.iter().position(|word| word == "--edition");
    let edition = match (joined, apart) {
        (Some(at), _) => arguments[at]
            .to_str()?
            .strip_prefix("--edition=")?
            .parse::<u32>()
            .ok()?,
        (_, Some(at)) => arguments.get(at + 1)?.to_str()?.parse().ok()?,
        _ => 2015,
    };
    match (joined, apart) {
        (Some(at), _) => changed[at] = format!("--edition={MERGING_EDITION}").into(),
        (_, Some(at)) => changed[at + 1] = MERGING_EDITION.to_string().into(),
        _ => changed.push(format!("--edition={MERGING_EDITION}").into()),
    }
    (edition < MERGING_EDITION).then_some(changed)
}

/// Returns whether a package has a library, so that it may have doctests.
pub fn has_library(package: &Package) -> bool {
    let is_library = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::RLib);
    package
        .targets
        .iter()
        .any(|target| target.doctest && target.kind.iter().any(is_library))
}

/// Builds all doctests and returns their programs. Returns a user error if one fails.
pub fn keep_all(builder: &Builder, workspace: &Workspace, folder: &Path) -> Result<Vec<Program>> {
    fs::create_dir_all(folder).context("creating the doctests' folder")?;
    empty(folder)?;
    let finished = process::run(&mut builder.doctests(folder), None)?;
    if !finished.status.success() {
        let errors = finished.stdout.lines().chain(finished.stderr.lines());
        let in_constants: Vec<String> = errors
            .filter(|line| line.starts_with("error[E0015]"))
            .map(str::to_owned)
            .collect();
        return Err(match in_constants.is_empty() {
            true => failure(&finished.stdout, &finished.stderr),
            false => CalledInConstants(in_constants).into(),
        });
    }
    let place = Workplace::new(folder, 0)?;
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).context("listing the doctests")? {
        let path = entry.context("listing the doctests")?.path();
        let text = fs::read_to_string(path.with_extension("json")).unwrap_or_default();
        let Ok(kept) = serde_json::from_str::<Kept>(&text) else {
            continue;
        };
        if path.extension().is_none() {
            programs.extend(programs_of(path, &kept, (workspace, builder), &place)?);
        }
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(programs)
}

/// Returns the programs of a kept file: one doctest, merged ones that run together, or merged ones
/// that each run alone.
fn programs_of(
    path: PathBuf,
    kept: &Kept,
    (workspace, builder): (&Workspace, &Builder),
    place: &Workplace,
) -> Result<Vec<Program>> {
    let package = workspace
        .package_in(&kept.folder)
        .or(workspace.packages().first());
    let Some(package) = package else {
        return Ok(Vec::new());
    };
    let program = Program {
        name: name_of(&path).unwrap_or_else(|| format!("doctests of {}", package.name)),
        root: path.clone(),
        path,
        launcher: workspace.launcher().clone(),
        folder: folder_of(package).to_path_buf(),
        package: (package.name.to_string(), package.version.to_string()),
        libraries: builder.libraries.clone(),
        harness: Harness::Doctest {
            fails: kept.code != 0,
            number: None,
        },
        left_out: Vec::new(),
    };
    if !kept.is_merged {
        return Ok(vec![program]);
    }
    let together = Program {
        harness: Harness::MergedDoctests,
        ..program.clone()
    };
    let (_, transcript) = run_tests(&together, &[], &Switch::Off, place, Limit::None, false)?;
    if transcript.passed.is_some() {
        return Ok(vec![together]);
    }
    // Some doctests must panic, do not tolerate others in their process, or end it. Tests after
    // those count too.
    let count = transcript.announced.unwrap_or(transcript.ended.len());
    let alone = (0..count).map(|number| {
        let own = Program {
            name: format!("doctest {} of {}", number + 1, package.name),
            ..program.doctest(number)
        };
        let (finished, _) = run_tests(&own, &[], &Switch::Off, place, Limit::None, false)?;
        Ok(Program {
            harness: Harness::Doctest {
                fails: !finished.status.success(),
                number: Some(number),
            },
            ..own
        })
    });
    alone.collect()
}

/// Returns the error for doctests that fail.
fn failure(stdout: &str, stderr: &str) -> anyhow::Error {
    let outputs = outputs(stdout);
    let failed = stdout
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let failed = failed.map(|name| {
        let said = outputs
            .get(name)
            .map(|output| below(output))
            .unwrap_or_default();
        format!("the doctest `{name}` fails before anything is changed{said}")
    });
    let failed: Vec<String> = failed.collect();
    let text = match failed.is_empty() {
        true => format!("the doctests do not build:\n{}", stderr.trim_end()),
        false => failed.join("\n"),
    };
    user_error::user_code(text + "\n`--no-doctests` skips doctests")
}

fn empty(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).context("listing the doctests")? {
        let path = entry.context("listing the doctests")?.path();
        let removed = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
        removed.context("removing earlier doctests")?;
    }
    Ok(())
}

/// Returns the bytes of a file from a string on, if it contains that.
fn holds(path: &Path, text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    let at = bytes
        .windows(text.len())
        .position(|window| window == text)?;
    Some(bytes.split_off(at))
}

/// Returns the file and line of a doctest, from the name of its function:
/// `_doctest_main_src_lib_rs_12_0`.
fn name_of(path: &Path) -> Option<String> {
    const START: &[u8] = b"_doctest_main_";
    let bytes = holds(path, START)?.split_off(START.len());
    let word = bytes
        .into_iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let word = String::from_utf8(word.collect()).ok()?;
    let (file, line) = word.rsplit_once("_rs_")?;
    let line: String = line.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("doctest {}.rs:{line}", file.replace('_', "/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_edition_is_raised_where_doctests_are_run() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let raised = |text: &str| with_merging_edition(&words(text));
        assert_eq!(
            raised("--edition=2018 --test lib.rs"),
            Some(words("--edition=2024 --test lib.rs"))
        );
        assert_eq!(
            raised("--test lib.rs --edition 2021"),
            Some(words("--test lib.rs --edition 2024"))
        );
        assert_eq!(
            raised("--test lib.rs"),
            Some(words("--test lib.rs --edition=2024"))
        );
        assert_eq!(raised("--edition=2024 --test lib.rs"), None);
        assert_eq!(
            raised("--edition=2018 lib.rs"),
            None,
            "documentation is not for us"
        );
    }
}
