//! The recorder library, compiled once per compiler from the sources inside this program into
//! `target/situ`.

pub(crate) mod kept;

use crate::base::process;
use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use situ_recorder::secret::IS_CHECKED;
use situ_recorder::sources::SOURCES;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

/// Variable from which the recorder reads its default folder when it is compiled.
const DEFAULT_FOLDER: &str = "SITU_DEFAULT_DIR";

/// Compiled recorder library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runtime {
    /// Folder of the library, for `-L dependency=`.
    pub folder: PathBuf,
    /// The library, for `--extern name=`.
    pub rlib: PathBuf,
}

/// Part of the recorder to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    All,
    Judging,
    Switch,
    Explorer,
    Killing,
}

/// How much the library is optimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Effort {
    /// For programs that run so briefly that optimising takes longer than it saves.
    Little,
    /// For programs that may run long.
    Much,
}

impl Extent {
    fn root(self) -> &'static str {
        match self {
            Extent::All | Extent::Killing => "lib.rs",
            Extent::Judging => "judging.rs",
            Extent::Switch => "switch/mod.rs",
            Extent::Explorer => "explore/mod.rs",
        }
    }

    fn crate_name(self) -> &'static str {
        match self {
            Extent::All | Extent::Killing | Extent::Judging | Extent::Switch => "situ_recorder",
            Extent::Explorer => "situ_explore",
        }
    }
}

/// Compiles only the mutant switch, in a fraction of the time of the whole.
pub(crate) fn build_switch(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    Plan::new(situ_folder, version, None, (Extent::Switch, Effort::Much)).build(rustc)
}

/// Compiles the mutant switch and the code that judges rows with it.
pub(crate) fn build_judging(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    Plan::new(situ_folder, version, None, (Extent::Judging, Effort::Much)).build(rustc)
}

/// Compiles the explorer and the functions that instrumented code calls.
pub(crate) fn build_explorer(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    Plan::new(situ_folder, version, None, (Extent::Explorer, Effort::Much)).build(rustc)
}

/// Compiles what the search for killing calls needs, which is everything: the switch, the explorer
/// and capture. The second library has the names of the explorer's own.
pub(crate) fn build_killing(
    situ_folder: &Path,
    rustc: &Path,
    version: &str,
) -> Result<(Runtime, Runtime)> {
    let all =
        Plan::new(situ_folder, version, None, (Extent::Killing, Effort::Much)).build(rustc)?;
    let rlib = all.folder.join("libsitu_explore.rlib");
    if !kept::is_kept(&rlib) {
        let root = all.folder.join("src/explore_names.rs");
        let own = std::process::id();
        let unfinished = all.folder.join(format!("names{own}.rlib"));
        fs::write(&root, "pub use situ_recorder::explore::*;")
            .context("writing the explorer's names")?;
        let mut recorder = std::ffi::OsString::from("situ_recorder=");
        recorder.push(&all.rlib);
        let mut command = Command::new(rustc);
        command.args([
            "--crate-name=situ_explore",
            "--crate-type=rlib",
            "--edition=2024",
        ]);
        command.args(["-Cmetadata=situ", "-Cpanic=unwind", "--extern"]);
        command.arg(recorder).arg("-o").arg(&unfinished).arg(&root);
        let finished = process::run(&mut command, None)?;
        if !finished.status.success() {
            bail!("the explorer's names do not compile:\n{}", finished.stderr);
        }
        fs::rename(&unfinished, &rlib).context("putting the explorer's names in place")?;
        kept::keep(&rlib).context("putting the explorer's names in place")?;
    }
    let names = Runtime {
        folder: all.folder.clone(),
        rlib,
    };
    Ok((all, names))
}

/// Compiles the whole recorder below `situ_folder`, unless it is up to date.
pub(crate) fn build(situ_folder: &Path, rustc: &Path, version: &str) -> Result<Runtime> {
    Plan::recording_to(situ_folder, version, None, Effort::Much).build(rustc)
}

/// Returns the lock of the thread that compiles this library.
fn lock_of(rlib: &Path) -> Arc<Mutex<()>> {
    static LOCKS: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(locks.entry(rlib.to_path_buf()).or_default())
}

/// Library to compile, unless it is up to date.
pub(crate) struct Plan {
    /// Paths of the result.
    pub runtime: Runtime,
    default: Option<String>,
    extent: Extent,
    effort: Effort,
}

impl Plan {
    /// Plans the recorder for programs that record into `default`, relative to their working
    /// folder, unless an environment variable says otherwise.
    pub(crate) fn recording_to(
        situ_folder: &Path,
        version: &str,
        default: Option<&str>,
        effort: Effort,
    ) -> Plan {
        Plan::new(situ_folder, version, default, (Extent::All, effort))
    }

    fn new(
        situ_folder: &Path,
        version: &str,
        default: Option<&str>,
        (extent, effort): (Extent, Effort),
    ) -> Plan {
        let mut hasher = DefaultHasher::new();
        (SOURCES, version, default, extent, effort, IS_CHECKED).hash(&mut hasher);
        let folder = situ_folder
            .join("runtime")
            .join(format!("{:016x}", hasher.finish()));
        let rlib = folder.join(format!("lib{}.rlib", extent.crate_name()));
        let runtime = Runtime { folder, rlib };
        Plan {
            runtime,
            default: default.map(str::to_owned),
            extent,
            effort,
        }
    }

    /// Compiles the library unless it is up to date. Waits if another thread is compiling it.
    pub(crate) fn build(&self, rustc: &Path) -> Result<Runtime> {
        let own = lock_of(&self.runtime.rlib);
        let _compiling = own.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept::is_kept(&self.runtime.rlib) {
            self.compile(rustc)?;
        }
        Ok(self.runtime.clone())
    }

    fn compile(&self, rustc: &Path) -> Result<()> {
        let folder = &self.runtime.folder;
        let sources = folder.join("src");
        let own = std::process::id().to_string();
        for (name, text) in SOURCES {
            let path = sources.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&sources))
                .context("creating the run-time library's folder")?;
            // Another command may be reading the file, so it is replaced by a rename.
            if fs::read_to_string(&path).ok().as_deref() != Some(text) {
                let unfinished = path.with_extension(own.as_str());
                fs::write(&unfinished, text).context("writing the run-time library's sources")?;
                fs::rename(&unfinished, &path).context("writing the run-time library's sources")?;
            }
        }
        let unfinished = folder.join(format!("unfinished{own}.rlib"));
        let mut command = Command::new(rustc);
        match &self.default {
            Some(default) => command.env(DEFAULT_FOLDER, default),
            None => command.env_remove(DEFAULT_FOLDER),
        };
        let optimized = if self.effort == Effort::Much {
            "-Copt-level=3"
        } else {
            "-Copt-level=0"
        };
        command.args(["--crate-name", self.extent.crate_name()]);
        let settings: &[&str] = match self.extent {
            Extent::Explorer | Extent::Killing => &["--cfg=situ_explored"],
            Extent::All if IS_CHECKED => &["--cfg=situ_recorded"],
            Extent::All => &["--cfg=situ_recorded", "--cfg=situ_secrets_unchecked"],
            Extent::Judging | Extent::Switch => &[],
        };
        command.args(settings);
        command.args([
            "--crate-type=rlib",
            "--edition=2024",
            "-Cdebuginfo=0",
            optimized,
        ]);
        command.args([
            "--cap-lints=allow",
            "-Ccodegen-units=1",
            "-Cmetadata=situ",
            "-Cpanic=unwind",
            "-o",
        ]);
        command
            .arg(&unfinished)
            .arg(sources.join(self.extent.root()));
        let finished = process::run(&mut command, None)?;
        if !finished.status.success() {
            bail!(
                "the run-time library does not compile with {}:\n{}",
                rustc.display(),
                finished.stderr
            );
        }
        if self.runtime.rlib.is_dir() {
            kept::clear(&self.runtime.rlib);
        }
        // Two commands may compile it at once: the last rename wins, and both results are the same.
        fs::rename(&unfinished, &self.runtime.rlib)
            .context("moving the run-time library to its folder")?;
        kept::keep(&self.runtime.rlib).context("moving the run-time library to its folder")
    }
}
