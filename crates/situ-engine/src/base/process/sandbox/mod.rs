//! Sandbox for the user's programs while they run with mutants, instrumentation or inputs that the
//! user did not write: no writes outside a scratch folder, no network beyond this machine, no
//! signals to other processes, bounded memory and files.

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#[path = "linux.rs"]
mod system;
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "elsewhere.rs"]
mod system;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod capabilities;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod filter;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod kin;
mod limits;
pub(crate) mod own_files;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod paths;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod rules;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod spawner;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod supervisor;
mod target_writes;
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod tree_copy;

use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

pub(super) use limits::PULSE;
pub use limits::{Exceeded, Limits};
pub use target_writes::TargetWatch;
pub use tree_copy::remove_copies;

/// Effect of a program that this system cannot confine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    Landlock,
    Truncation,
    Signals,
    Network,
    /// Changes of modes, owners, times and attributes of files.
    Modes,
    /// System calls that change the whole machine, such as setting the clock.
    Filter,
}

impl fmt::Display for Missing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Missing::Landlock => {
                "writes are not confined (no Landlock): tests run in a copy of the workspace, but absolute paths are not \
                 protected"
            }
            Missing::Truncation => "truncating files by path is not confined (Landlock is older than version 3)",
            Missing::Signals => "signals to other processes are not confined (Landlock is older than version 6)",
            Missing::Network => "connections to other machines are not confined (no seccomp supervisor)",
            Missing::Modes => "modes and owners of files are not confined (no seccomp supervisor)",
            Missing::Filter => "system calls that change the machine are not refused (no seccomp)",
        })
    }
}

/// Settings of the sandbox, from the user's arguments.
#[derive(Clone, Debug)]
pub struct Settings {
    pub is_on: bool,
    /// Files and folders that confined programs may write to, besides their scratch folders.
    pub writable: BTreeSet<PathBuf>,
    pub limits: Limits,
    /// Target folders by workspace root. Where writes cannot be confined, programs run in copies of
    /// these workspaces.
    pub trees: BTreeMap<PathBuf, PathBuf>,
}

/// Sandbox settings of this process. They are global, because one process works on one workspace.
/// Until they are set, everything is confined.
static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);

fn settings() -> MutexGuard<'static, Option<Settings>> {
    SETTINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_settings<T>(use_them: impl FnOnce(&mut Settings) -> T) -> T {
    let standard = || Settings {
        is_on: true,
        writable: BTreeSet::new(),
        limits: Limits::default(),
        trees: BTreeMap::new(),
    };
    use_them(settings().get_or_insert_with(standard))
}

/// Sets what is confined and how. Paths in `writable` that do not exist are ignored.
pub fn configure(is_on: bool, writable: &[PathBuf], limits: Limits) {
    with_settings(|settings| {
        settings.is_on = is_on;
        settings.limits = limits;
        settings
            .writable
            .extend(writable.iter().filter_map(|path| path.canonicalize().ok()));
    });
}

/// Registers a workspace and its target folder. Where writes cannot be confined, its programs run
/// in copies of it.
pub fn register_tree(root: &Path, target: &Path) {
    with_settings(|settings| {
        settings
            .trees
            .insert(root.to_path_buf(), target.to_path_buf())
    });
}

/// Lets confined programs of unit tests write below this folder.
#[cfg(test)]
pub fn allow_in_tests(folder: &Path) {
    let folder = folder.canonicalize().unwrap_or_default();
    with_settings(|settings| settings.writable.insert(folder));
}

/// Starts to track changes below the target folders of all registered workspaces.
pub fn watch_targets() -> Vec<TargetWatch> {
    let targets: BTreeSet<PathBuf> =
        with_settings(|settings| settings.trees.values().cloned().collect());
    targets
        .iter()
        .map(|target| TargetWatch::start(target))
        .collect()
}

/// Lets confined programs write to the folders that have changed. Returns whether any of them is
/// new.
pub fn allow_changed(watches: Vec<TargetWatch>) -> bool {
    let changed: Vec<PathBuf> = watches.iter().flat_map(TargetWatch::changed).collect();
    with_settings(|settings| {
        let before = settings.writable.len();
        settings.writable.extend(changed);
        settings.writable.len() > before
    })
}

pub fn limits() -> Limits {
    with_settings(|settings| settings.limits)
}

/// Returns whether the sandbox is on at all.
pub fn is_on() -> bool {
    with_settings(|settings| settings.is_on)
}

/// Returns what this system cannot confine.
pub fn missing() -> Vec<Missing> {
    system::missing()
}

/// Returns what could not be confined for the programs that were started so far.
pub fn missed() -> Vec<Missing> {
    system::missed()
}

/// Folder that a confined process writes to: temporary files, a home, and the output that Situ
/// reads.
#[derive(Clone, Debug)]
pub struct Scratch {
    folder: PathBuf,
    writable: Vec<PathBuf>,
    bounds_memory: bool,
    is_confined: bool,
}

impl Scratch {
    /// Creates the scratch folder if it is missing. A process that gets it may write only there.
    pub fn new(folder: &Path) -> Result<Scratch> {
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        let folder = folder
            .canonicalize()
            .with_context(|| format!("finding {}", folder.display()))?;
        Ok(Scratch {
            writable: vec![folder.clone()],
            folder,
            bounds_memory: true,
            is_confined: true,
        })
    }

    /// Returns a scratch folder in which the process may write nothing at all.
    pub fn none() -> Scratch {
        Scratch {
            folder: env::temp_dir(),
            writable: Vec::new(),
            bounds_memory: true,
            is_confined: true,
        }
    }

    /// Allows the process to write also to this file, or below this folder, which must exist.
    pub fn with(mut self, path: &Path) -> Result<Scratch> {
        let path = path
            .canonicalize()
            .with_context(|| format!("finding {}", path.display()))?;
        if !path.starts_with(&self.folder) {
            self.writable.push(path);
        }
        Ok(self)
    }

    /// Disables the sandbox for the process. For programs that execute only what the user wrote,
    /// with the user's own inputs.
    #[must_use]
    pub fn unconfined(mut self) -> Scratch {
        self.is_confined = false;
        self.with_any_memory()
    }

    /// Removes the memory limit of the process. For programs without mutants and generated inputs.
    #[must_use]
    pub fn with_any_memory(mut self) -> Scratch {
        self.bounds_memory = false;
        self
    }

    /// Returns whether the process has a memory limit.
    pub fn bounds_memory(&self) -> bool {
        self.bounds_memory
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sets the environment variables for temporary folder and home, and creates both folders,
    /// whatever an earlier program did to them. The settings of the toolchain and of git stay where
    /// they are.
    pub fn prepare(&self, command: &mut Command) {
        let temporary = self.folder.join(TEMPORARY);
        make_folder(&temporary);
        for name in ["TMPDIR", "TEMP", "TMP"] {
            command.env(name, &temporary);
        }
        if !self.confines() {
            return;
        }
        let home = self.folder.join(HOME);
        make_folder(&home);
        command
            .env("HOME", home)
            .envs(kept_settings().iter().cloned());
        for name in [
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
            "XDG_RUNTIME_DIR",
        ] {
            command.env_remove(name);
        }
    }

    /// Removes the contents of the temporary folder and of the home, so that each program finds the
    /// same state. For folders that only one program uses at a time.
    pub fn clear(&self) {
        for folder in [TEMPORARY, HOME].map(|name| self.folder.join(name)) {
            // A link is replaced when the next program is prepared; its target is not touched.
            let is_folder = fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir());
            if is_folder && fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some())
            {
                // Files that cannot be removed remain for the next program, as they would without
                // Situ.
                let _ = fs::remove_dir_all(&folder);
            }
        }
    }

    /// Returns whether the process is confined at all.
    pub(super) fn confines(&self) -> bool {
        self.is_confined && is_on()
    }

    /// Returns everything that the process may write to, sorted.
    fn all_writable(&self) -> Vec<PathBuf> {
        let mut all: BTreeSet<PathBuf> = self.writable.iter().cloned().collect();
        with_settings(|settings| all.extend(settings.writable.iter().cloned()));
        all.into_iter().collect()
    }
}

/// Temporary folder of programs below a scratch folder. Situ's own files are beside it, where no
/// program finds them by chance.
const TEMPORARY: &str = "tmp";
/// Home of programs below a scratch folder.
const HOME: &str = "home";

/// Creates a folder. Replaces a file or link that an earlier program left there.
fn make_folder(path: &Path) {
    if fs::create_dir(path).is_err() && !fs::symlink_metadata(path).is_ok_and(|data| data.is_dir())
    {
        let _ = fs::remove_file(path);
        // If this fails, the program itself reports the missing folder.
        let _ = fs::create_dir(path);
    }
}

/// Returns the variables by which the toolchain and git find their settings although `HOME` is
/// changed. Computed once.
fn kept_settings() -> &'static [(&'static str, PathBuf)] {
    static KEPT: OnceLock<Vec<(&'static str, PathBuf)>> = OnceLock::new();
    KEPT.get_or_init(|| {
        let home = env::home_dir().unwrap_or_default();
        let all = [
            ("CARGO_HOME", ".cargo"),
            ("RUSTUP_HOME", ".rustup"),
            ("GIT_CONFIG_GLOBAL", ".gitconfig"),
        ];
        let all = all
            .into_iter()
            .map(|(name, below)| (name, home.join(below)));
        all.filter(|(name, path)| env::var_os(name).is_none() && path.exists())
            .collect()
    })
}

/// Names of tests that fail in the sandbox only.
static LEFT_OUT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records a test that passes only outside the sandbox, so that the report can list it.
pub fn note_left_out(test: &str) {
    LEFT_OUT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(test.to_owned());
}

/// Returns the tests that pass only outside the sandbox.
pub fn left_out() -> BTreeSet<String> {
    LEFT_OUT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Starts a command in the sandbox.
pub(super) fn spawn(command: &mut Command, scratch: &Scratch) -> io::Result<Child> {
    if !scratch.confines() {
        return command.spawn();
    }
    let limits = limits();
    let memory = if scratch.bounds_memory {
        limits.memory
    } else {
        limits::UNBOUNDED
    };
    system::spawn(
        command,
        &scratch.all_writable(),
        Limits { memory, ..limits },
    )
}
