//! The run-time library: compiled once per compiler from the sources inside this program, into `target/situ`.

use crate::process;
use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use situ_rt::sources::SOURCES;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Read by the run time when it is compiled.
const DEFAULT_FOLDER: &str = "SITU_DEFAULT_DIR";

/// The compiled run time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Runtime {
    /// The folder that holds it, for `-L dependency=`.
    pub folder: PathBuf,
    /// The library itself, for `--extern name=`.
    pub rlib: PathBuf,
}

/// How much of the run time is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    All,
    Switch,
    Explorer,
}

impl Extent {
    fn root(self) -> &'static str {
        match self {
            Extent::All => "lib.rs",
            Extent::Switch => "switch/mod.rs",
            Extent::Explorer => "explore/mod.rs",
        }
    }

    fn crate_name(self) -> &'static str {
        match self {
            Extent::All | Extent::Switch => "situ_rt",
            Extent::Explorer => "situ_explore",
        }
    }
}

/// Compiles the mutant switch alone, which takes a fraction of the time.
pub fn build_switch(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    build_extent(situ_folder, rustc, version, None, Extent::Switch)
}

/// Compiles the explorer, with what instrumented code calls.
pub fn build_explorer(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    build_extent(situ_folder, rustc, version, None, Extent::Explorer)
}

/// Compiles the run time with this compiler below `situ_folder`, unless it is there already.
pub fn build(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    build_recording_to(situ_folder, rustc, version, None)
}

/// The same for programs that record into `default`, relative to where they run, when nothing else is said.
pub fn build_recording_to(situ_folder: &Path, rustc: &Path, version: &str, default: Option<&str>) -> Result<Runtime> {
    build_extent(situ_folder, rustc, version, default, Extent::All)
}

fn build_extent(
    situ_folder: &Path,
    rustc: &Path,
    version: &str,
    default: Option<&str>,
    extent: Extent,
) -> Result<Runtime> {
    let mut hasher = DefaultHasher::new();
    (SOURCES, version, default, extent).hash(&mut hasher);
    let folder = situ_folder.join("runtime").join(format!("{:016x}", hasher.finish()));
    let rlib = folder.join(format!("lib{}.rlib", extent.crate_name()));
    if !rlib.exists() {
        compile(&folder, &rlib, rustc, default, extent)?;
    }
    Ok(Runtime { folder, rlib })
}

fn compile(folder: &Path, rlib: &Path, rustc: &Path, default: Option<&str>, extent: Extent) -> Result<()> {
    let sources = folder.join("src");
    for (name, text) in SOURCES {
        let path = sources.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&sources)).context("making the run time's folder")?;
        fs::write(&path, text).context("writing the run time's sources")?;
    }
    let unfinished = folder.join("unfinished.rlib");
    let mut command = Command::new(rustc);
    match default {
        Some(default) => command.env(DEFAULT_FOLDER, default),
        None => command.env_remove(DEFAULT_FOLDER),
    };
    command.args(["--crate-name", extent.crate_name()]);
    if extent == Extent::Explorer {
        command.arg("--cfg=situ_explored");
    }
    command.args(["--crate-type=rlib", "--edition=2024", "-Copt-level=3", "-Cdebuginfo=0"]);
    command
        .args(["--cap-lints=allow", "-Ccodegen-units=1", "-Cmetadata=situ", "-Cpanic=unwind", "-o"])
        .arg(&unfinished);
    command.arg(sources.join(extent.root()));
    let finished = process::run(&mut command, None)?;
    if !finished.status.success() {
        bail!("the run time does not compile with {}:\n{}", rustc.display(), finished.stderr);
    }
    // Two commands may compile it at once: the last rename wins, and both results are the same.
    fs::rename(&unfinished, rlib).context("putting the run time in place")
}
