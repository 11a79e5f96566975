//! Where programs of the user's run with mutants, instrumentation or inputs that the user did not write: no write outside a
//! scratch folder, no network beyond this machine, no signal to others, bounded memory and files.

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

/// Something that this system cannot confine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// Writes to files.
    Landlock,
    /// Truncation of files by their path.
    Truncation,
    /// Signals to processes outside.
    Signals,
    /// Connections to other machines.
    Network,
    /// Changes of modes, owners, times and attributes of files.
    Modes,
    /// Calls that change the whole machine, such as setting the clock.
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

/// What the user has said about the sandbox.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether programs are confined at all.
    pub is_on: bool,
    /// Files and folders that confined programs may write to, beside their scratch folders.
    pub writable: BTreeSet<PathBuf>,
    /// What one process may use.
    pub limits: Limits,
    /// Workspaces by their roots, with their target folders. Where writes cannot be confined, programs run in copies of them.
    pub trees: BTreeMap<PathBuf, PathBuf>,
}

/// One process works on one workspace, so there is one sandbox; until it is configured, everything is confined.
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

/// Takes the user's word on what is confined and how. Folders to write to need not exist.
pub fn configure(is_on: bool, writable: &[PathBuf], limits: Limits) {
    with_settings(|settings| {
        settings.is_on = is_on;
        settings.limits = limits;
        settings
            .writable
            .extend(writable.iter().filter_map(|path| path.canonicalize().ok()));
    });
}

/// Names a workspace and its target folder. Where writes cannot be confined, its programs run in copies of it.
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

/// Starts to notice what changes below the target folders of all workspaces that are known.
pub fn watch_targets() -> Vec<TargetWatch> {
    let targets: BTreeSet<PathBuf> =
        with_settings(|settings| settings.trees.values().cloned().collect());
    targets
        .iter()
        .map(|target| TargetWatch::start(target))
        .collect()
}

/// Lets confined programs write to the folders that have changed; returns whether there are new ones.
pub fn allow_changed(watches: Vec<TargetWatch>) -> bool {
    let changed: Vec<PathBuf> = watches.iter().flat_map(TargetWatch::changed).collect();
    with_settings(|settings| {
        let before = settings.writable.len();
        settings.writable.extend(changed);
        settings.writable.len() > before
    })
}

/// The bounds of confined processes.
pub fn limits() -> Limits {
    with_settings(|settings| settings.limits)
}

/// Whether programs are confined.
pub fn is_on() -> bool {
    with_settings(|settings| settings.is_on)
}

/// What this system cannot confine.
pub fn missing() -> Vec<Missing> {
    system::missing()
}

/// What could not be confined of the programs that were run so far.
pub fn missed() -> Vec<Missing> {
    system::missed()
}

/// The folder that a confined process writes to: temporary files, a home, and whatever Situ asks it for.
#[derive(Clone, Debug)]
pub struct Scratch {
    folder: PathBuf,
    writable: Vec<PathBuf>,
    bounds_memory: bool,
    is_confined: bool,
}

impl Scratch {
    /// Makes the folder where it is missing.
    pub fn new(folder: &Path) -> Result<Scratch> {
        fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
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

    /// Lets the process write nothing at all.
    pub fn none() -> Scratch {
        Scratch {
            folder: env::temp_dir(),
            writable: Vec::new(),
            bounds_memory: true,
            is_confined: true,
        }
    }

    /// Also lets the process write to this file or below this folder, which exists.
    pub fn with(mut self, path: &Path) -> Result<Scratch> {
        let path = path
            .canonicalize()
            .with_context(|| format!("finding {}", path.display()))?;
        if !path.starts_with(&self.folder) {
            self.writable.push(path);
        }
        Ok(self)
    }

    /// Does not confine the process: it does what the user wrote, with the user's own inputs.
    #[must_use]
    pub fn unconfined(mut self) -> Scratch {
        self.is_confined = false;
        self.with_any_memory()
    }

    /// Does not bound memory: the program does what it always does.
    #[must_use]
    pub fn with_any_memory(mut self) -> Scratch {
        self.bounds_memory = false;
        self
    }

    /// Whether the process may use only so much memory.
    pub fn bounds_memory(&self) -> bool {
        self.bounds_memory
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sets the variables by which programs find their temporary folder and their home, which are there whatever an earlier
    /// program did to them. What belongs to the toolchain and to git stays where it is.
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

    /// Removes what earlier programs have left in the temporary folder and in the home, so that the next one finds what the first
    /// one found. For folders that one program uses at a time.
    pub fn clear(&self) {
        for folder in [TEMPORARY, HOME].map(|name| self.folder.join(name)) {
            // A link is replaced when the next program is prepared; where it leads to is nobody's concern.
            let is_folder = fs::symlink_metadata(&folder).is_ok_and(|data| data.is_dir());
            if is_folder && fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some())
            {
                // What cannot be removed is found by the next program, as it would be without us.
                let _ = fs::remove_dir_all(&folder);
            }
        }
    }

    /// Whether the process is confined at all.
    pub(super) fn confines(&self) -> bool {
        self.is_confined && is_on()
    }

    /// Everything that the process may write to, in one order.
    fn all_writable(&self) -> Vec<PathBuf> {
        let mut all: BTreeSet<PathBuf> = self.writable.iter().cloned().collect();
        with_settings(|settings| all.extend(settings.writable.iter().cloned()));
        all.into_iter().collect()
    }
}

/// The temporary folder of programs below a scratch folder. Situ's own files are beside it: no program meets them by chance.
const TEMPORARY: &str = "tmp";
/// The home of programs below a scratch folder.
const HOME: &str = "home";

/// Makes a folder where there is none, also where an earlier program has put something else.
fn make_folder(path: &Path) {
    if fs::create_dir(path).is_err() && !fs::symlink_metadata(path).is_ok_and(|data| data.is_dir())
    {
        let _ = fs::remove_file(path);
        // A program says itself what is wrong with a folder that is not there.
        let _ = fs::create_dir(path);
    }
}

/// Where the toolchain and git find their settings, though the home is another one; asked for once.
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

/// Tests that do not pass in the sandbox, each once.
static LEFT_OUT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Notes a test that passes outside the sandbox only, so that the user can be told in the end.
pub fn note_left_out(test: &str) {
    LEFT_OUT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(test.to_owned());
}

/// The tests that pass outside the sandbox only.
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
