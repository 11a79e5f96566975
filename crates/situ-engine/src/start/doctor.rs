//! Checks everything that Situ needs, and says what is missing and what to do about it.

use crate::base::process::{self, sandbox};
use crate::cargo::workspace::{Selection, Workspace, cargo, rustc};
use crate::cargo::wrapper::chain::UserWrappers;
use crate::edit::{self, Recovery};
use crate::suite::nextest;
use serde::Serialize;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of free bytes below which builds are likely to fail.
const LITTLE_SPACE: u64 = 2 << 30;
const OLDEST_COMPILER: (u32, u32) = (1, 88);

/// Result of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Good,
    /// Situ works, but something is slower or missing.
    Lacking,
    /// Situ does not work.
    Bad,
}

/// Finding of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Name of the check.
    pub what: &'static str,
    pub state: State,
    /// What was found, and what to do about it.
    pub says: String,
}

/// Runs all checks. A check that cannot be made is a finding too.
pub fn examine(selection: &Selection) -> Vec<Finding> {
    let mut findings = vec![compiler(), cargo_itself(), formatter(), linker()];
    match Workspace::load(selection) {
        Ok(workspace) => {
            findings.extend(interrupted(&workspace));
            findings.extend([
                project(&workspace),
                wrappers(&workspace),
                space(&workspace),
                writable(&workspace),
            ])
        }
        Err(error) => findings.push(Finding {
            what: "workspace",
            state: State::Bad,
            says: format!("{error:#}"),
        }),
    }
    findings.push(runner());
    findings.extend(confinement());
    findings
}

/// Checks the sandbox. Returns one finding for each thing that it cannot confine.
fn confinement() -> Vec<Finding> {
    let missing = sandbox::missing();
    if missing.is_empty() {
        let says = "tests with mutants and generated inputs write only to Situ's folder, and reach no other machine";
        return vec![finding("sandbox", State::Good, says)];
    }
    missing
        .iter()
        .map(|missing| finding("sandbox", State::Lacking, missing.to_string()))
        .collect()
}

/// Finishes or rolls back a change of the user's files in which an earlier command was killed.
fn interrupted(workspace: &Workspace) -> Option<Finding> {
    match edit::recover(workspace) {
        Ok(recovery) if recovery.is_empty() => None,
        Ok(Recovery {
            finished,
            rolled_back,
            edited,
        }) => {
            let names = |files: &[PathBuf]| {
                files
                    .iter()
                    .map(|file| file.display().to_string())
                    .collect::<Vec<_>>()
            };
            let of =
                |words: &str, files: &[PathBuf]| format!("{words}: {}", names(files).join(", "));
            let all = [
                ("finished", &finished),
                ("rolled back", &rolled_back),
                ("edited since, so left unchanged", &edited),
            ];
            let said = all
                .iter()
                .filter(|(_, files)| !files.is_empty())
                .map(|(words, files)| of(words, files));
            let said = said.collect::<Vec<_>>().join("; ");
            Some(finding(
                "changes",
                State::Lacking,
                format!("an earlier command was interrupted; {said}"),
            ))
        }
        Err(error) => Some(finding("changes", State::Bad, format!("{error:#}"))),
    }
}

fn finding(what: &'static str, state: State, says: impl Into<String>) -> Finding {
    Finding {
        what,
        state,
        says: says.into(),
    }
}

fn compiler() -> Finding {
    let Ok((path, said)) = rustc() else {
        return finding(
            "compiler",
            State::Bad,
            "rustc is not found; install a toolchain with rustup",
        );
    };
    let first = said.lines().next().unwrap_or_default().to_owned();
    let version = first.split(' ').nth(1).and_then(|version| {
        let mut numbers = version
            .split(['.', '-'])
            .map(|part| part.parse::<u32>().ok());
        Some((numbers.next()??, numbers.next()??))
    });
    match version {
        Some(version) if version >= OLDEST_COMPILER => finding("compiler", State::Good, first),
        Some(_) => {
            let (major, minor) = OLDEST_COMPILER;
            finding(
                "compiler",
                State::Bad,
                format!("{first} is older than {major}.{minor}; `rustup update`"),
            )
        }
        None => finding(
            "compiler",
            State::Lacking,
            format!("{} prints no version: {first}", path.display()),
        ),
    }
}

fn cargo_itself() -> Finding {
    match process::run(cargo().arg("--version"), None) {
        Ok(finished) if finished.status.success() => {
            finding("cargo", State::Good, finished.stdout.trim())
        }
        _ => finding(
            "cargo",
            State::Bad,
            "cargo is not found; install a toolchain with rustup",
        ),
    }
}

fn formatter() -> Finding {
    match process::run(Command::new("rustfmt").arg("--version"), None) {
        Ok(finished) if finished.status.success() => {
            finding("rustfmt", State::Good, finished.stdout.trim())
        }
        _ => finding(
            "rustfmt",
            State::Lacking,
            "not found: generated tests are not formatted; `rustup component add rustfmt`",
        ),
    }
}

/// Checks that a program can be linked, as every test needs.
fn linker() -> Finding {
    let Ok(folder) = scratch() else {
        return finding(
            "linker",
            State::Lacking,
            "not tried: the folder for temporary files cannot be written to",
        );
    };
    let (source, program) = (folder.join("main.rs"), folder.join("main"));
    let linked = fs::write(&source, "fn main() {}\n").is_ok()
        && process::run(
            Command::new(crate::cargo::workspace::rustc_path())
                .arg(&source)
                .arg("-o")
                .arg(&program),
            None,
        )
        .is_ok_and(|finished| finished.status.success());
    let _ = fs::remove_dir_all(&folder);
    match linked {
        true => finding("linker", State::Good, "a program can be linked"),
        false => finding(
            "linker",
            State::Bad,
            "no program can be linked; install a C compiler (gcc or clang, or build tools)",
        ),
    }
}

fn scratch() -> std::io::Result<PathBuf> {
    let folder = env::temp_dir().join(format!("situ-doctor-{}", std::process::id()));
    // Fails if the path exists: it may be somebody else's folder or link.
    fs::create_dir(&folder)?;
    Ok(folder)
}

fn project(workspace: &Workspace) -> Finding {
    let names: Vec<&str> = workspace
        .packages()
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let without = workspace.packages().iter().filter(|package| {
        !package
            .dependencies
            .iter()
            .any(|dependency| dependency.name == "situ")
    });
    let without: Vec<&str> = without.map(|package| package.name.as_str()).collect();
    match without.is_empty() {
        true => finding("workspace", State::Good, names.join(", ")),
        false => finding(
            "workspace",
            State::Lacking,
            format!(
                "without the dependency on situ: {}; `cargo situ init --write` adds it (recording and mutants need none)",
                without.join(", ")
            ),
        ),
    }
}

fn wrappers(workspace: &Workspace) -> Finding {
    let found = UserWrappers::in_force(workspace.root());
    let words: Vec<String> = found
        .words()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    match words.is_empty() {
        true => finding("wrappers", State::Good, "no other compiler wrapper is set"),
        false => finding(
            "wrappers",
            State::Good,
            format!("called through: {}", words.join(" ")),
        ),
    }
}

fn space(workspace: &Workspace) -> Finding {
    let folder = existing(&workspace.situ_folder());
    match process::free_space(&folder) {
        Some(bytes) if bytes < LITTLE_SPACE => finding(
            "disk",
            State::Lacking,
            format!(
                "only {} MB are free; builds may fail; `cargo situ recordings prune`",
                bytes >> 20
            ),
        ),
        Some(bytes) => finding("disk", State::Good, format!("{} GB are free", bytes >> 30)),
        None => finding("disk", State::Lacking, "the free space is not known here"),
    }
}

fn writable(workspace: &Workspace) -> Finding {
    let folder = workspace.situ_folder();
    let probe = folder.join("doctor");
    let result = fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&probe, ""))
        .and_then(|()| fs::remove_file(&probe));
    match result {
        Ok(()) => finding(
            "folder",
            State::Good,
            format!("{} can be written to", folder.display()),
        ),
        Err(error) => finding(
            "folder",
            State::Bad,
            format!(
                "{} cannot be written to ({error}); set CARGO_TARGET_DIR to a folder that can",
                folder.display()
            ),
        ),
    }
}

fn runner() -> Finding {
    match nextest::is_present() {
        true => finding(
            "nextest",
            State::Good,
            "`cargo situ test --runner nextest` can be used",
        ),
        false => finding(
            "nextest",
            State::Good,
            "not installed; `cargo test` runs the tests",
        ),
    }
}

fn existing(path: &Path) -> PathBuf {
    path.ancestors()
        .find(|above| above.exists())
        .unwrap_or(Path::new("/"))
        .to_path_buf()
}
