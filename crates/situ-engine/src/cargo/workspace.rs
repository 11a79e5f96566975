//! The user's workspace: its packages and targets, and the folders that Situ may write to.

mod config;
mod last_root;
mod launcher;
pub mod own_folder;
mod packages;
mod path_dependencies;
mod resolve;
mod seen_sources;

pub use resolve::Resolution;
pub use seen_sources::changed_since;

pub use config::{Config, SecretNames};
pub use launcher::Launcher;

use super::prebuilt::Lending;
use crate::base::process::{self, sandbox};
use crate::base::user_error;
use crate::source::{read_file, write_swap_folder};
use anyhow::{Context as _, Result};
use cargo_metadata::{Metadata, MetadataCommand, Package, Target, TargetKind};
use path_dependencies::relative_paths;
use seen_sources::SeenSources;
use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Workspace as cargo sees it, with the packages that the user selected.
pub struct Workspace {
    metadata: Metadata,
    selected: Vec<Package>,
    config: Config,
    folders: Folders,
    launcher: Launcher,
    seen: SeenSources,
}

/// Folders that Situ writes to and builds in.
struct Folders {
    situ: PathBuf,
    build: PathBuf,
    libraries: PathBuf,
    /// Prebuilt library `situ`, for a copy whose manifests do not depend on it.
    lending: Option<Lending>,
}

/// Workspace and packages that the user selected.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Manifest to start from; if `None`, the nearest one above the current folder.
    pub manifest_path: Option<PathBuf>,
    /// Package names; if empty, cargo's default selection.
    pub packages: Vec<String>,
}

impl Workspace {
    /// Loads a workspace with `cargo metadata --no-deps`, which neither reads nor writes the lock
    /// file.
    pub fn load(selection: &Selection) -> Result<Workspace> {
        Workspace::read_manifests(selection, |metadata| {
            let (root, target) = (
                metadata.workspace_root.as_std_path(),
                metadata.target_directory.as_std_path(),
            );
            let situ = own_folder::claim(root, target);
            let (build, libraries) = (situ.join(own_folder::BUILD), situ.clone());
            Ok((
                Folders {
                    situ,
                    build,
                    libraries,
                    lending: None,
                },
                Launcher::in_force(root)?,
            ))
        })
    }

    fn read_manifests(
        selection: &Selection,
        settings: impl FnOnce(&Metadata) -> Result<(Folders, Launcher)>,
    ) -> Result<Workspace> {
        let mut command = MetadataCommand::new();
        command.no_deps();
        if let Some(path) = &selection.manifest_path {
            command.manifest_path(path);
        }
        let finished = process::run(&mut command.cargo_command(), None)?;
        if !finished.status.success() {
            let said = finished.stderr.trim();
            let said = said.strip_prefix("error: ").unwrap_or(said);
            return Err(user_error::input(format!(
                "cargo cannot read the workspace: {said}"
            )));
        }
        let metadata =
            MetadataCommand::parse(&finished.stdout).context("reading what cargo metadata says")?;
        let selected = select(&metadata, selection)?;
        let config = Config::read(
            metadata.workspace_root.as_std_path(),
            &metadata.workspace_metadata,
        )?;
        sandbox::register_tree(
            metadata.workspace_root.as_std_path(),
            metadata.target_directory.as_std_path(),
        );
        let (folders, launcher) = settings(&metadata)?;
        Ok(Workspace {
            metadata,
            selected,
            config,
            folders,
            launcher,
            seen: SeenSources::default(),
        })
    }

    /// Returns the folder of the workspace manifest. Compilers run there, and paths in messages are
    /// relative to it.
    pub fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Returns the workspace's settings for Situ.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the only folder that Situ writes to.
    pub fn situ_folder(&self) -> PathBuf {
        self.folders.situ.clone()
    }

    /// Returns cargo's target folder for everything that Situ builds.
    pub fn build_folder(&self) -> PathBuf {
        self.folders.build.clone()
    }

    /// Returns the folder of libraries that Situ compiles itself, shared by a workspace and all its
    /// copies.
    pub fn library_folder(&self) -> PathBuf {
        self.folders.libraries.clone()
    }

    /// Returns the launcher for the workspace's programs.
    pub fn launcher(&self) -> &Launcher {
        &self.launcher
    }

    /// Creates a copy of this workspace with some files (relative to its root) replaced. The copy
    /// is a folder of links below Situ's own. It shares the builds of dependencies, and nothing
    /// else.
    pub fn mirror(&self, name: &str, files: &[(PathBuf, String)]) -> Result<Workspace> {
        let folder = self.situ_folder().join(name);
        let root = self.write_links(&folder.join("mirror"), files)?;
        let packages = self
            .selected
            .iter()
            .map(|package| package.name.to_string())
            .collect();
        let selection = Selection {
            manifest_path: Some(root.join("Cargo.toml")),
            packages,
        };
        let folders = Folders {
            situ: folder,
            build: self.build_folder(),
            libraries: self.library_folder(),
            lending: self.lending().cloned(),
        };
        let mirror =
            Workspace::read_manifests(&selection, |_| Ok((folders, self.launcher.clone())))?;
        mirror.builds_in(mirror.root())?;
        Ok(mirror)
    }

    /// Makes the prebuilt library `situ` available to this copy, whose manifests do not depend on
    /// it.
    pub fn with_situ(mut self, lending: &Lending) -> Workspace {
        self.folders.lending = Some(lending.clone());
        self
    }

    /// Returns the prebuilt library `situ` that this copy uses.
    pub fn lending(&self) -> Option<&Lending> {
        self.folders.lending.as_ref()
    }

    /// Lets cargo resolve the dependencies of this workspace with these files (relative to its
    /// root) replaced.
    pub fn resolve(&self, files: &[(PathBuf, String)]) -> Result<Resolution> {
        let folder = self.situ_folder().join("resolved");
        // The lock file of an earlier call contains the newer versions already.
        let _ = fs::remove_dir_all(&folder);
        let root = self.write_links(&folder, files)?;
        resolve::newer_where_needed(&root)
    }

    /// Reads a file of the user, relative to the root. Returns an error if it has changed since
    /// this command first read it.
    pub fn read(&self, path: &Path) -> Result<String> {
        let bytes = read_file(&self.root().join(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound if self.seen.has(path) => changed_since(path),
            _ => anyhow::Error::new(error).context(format!("reading {}", path.display())),
        })?;
        let text = String::from_utf8(bytes).map_err(|_| {
            user_error::input(format!("{} is not UTF-8; convert it first", path.display()))
        })?;
        if self.note(path, &text) {
            Ok(text)
        } else {
            Err(changed_since(path))
        }
    }

    /// Records the contents of a file, relative to the root. Returns whether they are the same as
    /// when this command first read the file.
    pub fn note(&self, path: &Path, text: &str) -> bool {
        self.seen.note(path, text)
    }

    /// Returns the packages that the user selected.
    pub fn packages(&self) -> &[Package] {
        &self.selected
    }

    /// Returns the folder to run cargo in: the workspace itself if its lock file is complete.
    /// Otherwise cargo would write to the lock file, so this is a folder of links with its own lock
    /// file.
    pub fn build_root(&self) -> Result<PathBuf> {
        self.launcher.check()?;
        // `--locked` fails if the lock file is missing or would have to change.
        let mut locked = cargo();
        locked
            .args([
                "metadata",
                "--locked",
                "--format-version=1",
                "--manifest-path",
            ])
            .arg(self.root().join("Cargo.toml"));
        let root = match process::run(&mut locked, None)?.status.success() {
            true => self.root().to_path_buf(),
            false => self.write_links(&self.situ_folder().join("shadow"), &[])?,
        };
        self.builds_in(&root)?;
        Ok(root)
    }

    /// Prepares cargo to build the workspace's packages from this folder or with this wrapper.
    /// Invalidates what was built from another one.
    pub fn builds_in(&self, root: &Path) -> Result<()> {
        let packages = self.all_packages();
        let names: Vec<&str> = packages
            .iter()
            .map(|package| package.name.as_str())
            .collect();
        last_root::switch_to(root, &self.build_folder(), &names)
    }

    /// Removes a damaged file of Situ's own and returns the error for it. The next command builds
    /// everything again, because the build folder may be older than the file.
    pub fn damaged(&self, note: &Path) -> anyhow::Error {
        let _ = fs::remove_file(note).or_else(|_| fs::remove_dir_all(note));
        last_root::forget_all(&self.build_folder());
        let note = note.display();
        user_error::input(format!(
            "{note} was damaged, or another version of Situ wrote it; it is removed: run the command again"
        ))
    }

    /// Creates a folder of links with these files (relative to the root) and its own lock file.
    /// Returns the copy's root.
    fn write_links(&self, folder: &Path, files: &[(PathBuf, String)]) -> Result<PathBuf> {
        let above = self.common_ancestor_of_path_dependencies(files);
        let below = self
            .root()
            .strip_prefix(&above)
            .unwrap_or(Path::new(""))
            .to_path_buf();
        let root = folder.join(&below);
        let kept_lock = fs::read_to_string(root.join("Cargo.lock"))
            .ok()
            .filter(|_| !root.join("Cargo.lock").is_symlink());
        let own_lock = fs::read_to_string(self.root().join("Cargo.lock")).ok();
        // If cargo has completed the copy's lock file before, that one fits the replaced files
        // better.
        let lock = if files.is_empty() {
            own_lock.or(kept_lock)
        } else {
            kept_lock.or(own_lock)
        };
        let lock = lock.unwrap_or_else(|| "version = 3\n".to_owned());
        let mut replaced = vec![(below.join("Cargo.lock"), lock)];
        replaced.extend(
            files
                .iter()
                .map(|(path, text)| (below.join(path), text.clone())),
        );
        write_swap_folder(folder, &above, &replaced)?;
        Ok(root)
    }

    /// Returns the folder that contains the workspace and every path dependency, including those of
    /// replaced manifests. Relative paths stay valid below a copy of it.
    fn common_ancestor_of_path_dependencies(&self, files: &[(PathBuf, String)]) -> PathBuf {
        let packages = self.all_packages();
        let mut paths = Vec::new();
        for package in &packages {
            let manifest = fs::read_to_string(&package.manifest_path).unwrap_or_default();
            // An absolute path is valid wherever the manifest is. Quotes on both sides, because a
            // relative path may end with the same characters.
            let is_whole = |path: &str| {
                ['"', '\'']
                    .iter()
                    .any(|quote| manifest.contains(&format!("{quote}{path}{quote}")))
            };
            let relative = |path: &&cargo_metadata::camino::Utf8PathBuf| !is_whole(path.as_str());
            paths.extend(
                package
                    .dependencies
                    .iter()
                    .filter_map(|found| found.path.as_ref())
                    .filter(relative),
            );
        }
        let manifests = files
            .iter()
            .filter(|(path, _)| path.ends_with("Cargo.toml"));
        let new = manifests.flat_map(|(path, text)| {
            relative_paths(text, self.root().join(path).parent().unwrap_or(self.root()))
        });
        let paths = paths
            .into_iter()
            .map(|path| path.as_std_path().to_path_buf())
            .chain(new);
        let mut above = self.root().to_path_buf();
        for path in paths {
            while !path.starts_with(&above) && above.pop() {}
        }
        above
    }

    pub fn all_packages(&self) -> Vec<&Package> {
        self.metadata.workspace_packages()
    }
}

/// Returns whether a target is compiled into tests: everything but build scripts, examples and
/// benchmarks.
pub fn is_tested(target: &Target) -> bool {
    !target.kind.iter().any(|kind| {
        matches!(
            kind,
            TargetKind::CustomBuild | TargetKind::Example | TargetKind::Bench
        )
    })
}

/// Returns a command for the user's cargo: the one that called this program, else the one in
/// `PATH`.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Makes a cargo command put everything that it builds into this folder, whatever cargo's
/// configuration says.
pub fn build_into<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command
        .env("CARGO_TARGET_DIR", folder)
        .env("CARGO_BUILD_BUILD_DIR", folder)
}

/// Disables incremental compilation and debug information, which make a single build slower. All
/// builds of Situ use the same settings, because cargo would build dependencies again for others.
pub fn without_debuggers(command: &mut Command) {
    command.env("CARGO_INCREMENTAL", "0");
    for profile in ["DEV", "TEST"] {
        command.env(format!("CARGO_PROFILE_{profile}_DEBUG"), "0");
    }
}

/// Returns the path of the user's compiler.
pub fn rustc_path() -> PathBuf {
    PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Returns the path of the user's compiler and its output for `-vV`.
pub fn rustc() -> Result<(PathBuf, String)> {
    let rustc = rustc_path();
    let finished = process::run(Command::new(&rustc).arg("-vV"), None)?;
    Ok((rustc, finished.stdout))
}

fn select(metadata: &Metadata, selection: &Selection) -> Result<Vec<Package>> {
    let all = metadata.workspace_packages();
    if !selection.packages.is_empty() {
        return selection
            .packages
            .iter()
            .map(|name| by_name(&all, name))
            .collect();
    }
    let start = match &selection.manifest_path {
        Some(path) => path
            .parent()
            .map(Path::to_path_buf)
            .filter(|path| !path.as_os_str().is_empty()),
        None => None,
    };
    let start = match start {
        Some(start) => start
            .canonicalize()
            .context("finding the manifest's folder")?,
        None => env::current_dir().context("finding the current folder")?,
    };
    let nearest = all
        .iter()
        .filter(|package| start.starts_with(folder_of(package)));
    let nearest = nearest.max_by_key(|package| folder_of(package).as_os_str().len());
    if let Some(package) =
        nearest.filter(|package| folder_of(package) != metadata.workspace_root.as_std_path())
    {
        return Ok(vec![(*package).clone()]);
    }
    Ok(metadata
        .workspace_default_packages()
        .into_iter()
        .cloned()
        .collect())
}

fn by_name(all: &[&Package], name: &str) -> Result<Package> {
    let is_meant = |package: &Package| {
        let id = &package.id.repr;
        package.name.as_str() == name
            || id == name
            || format!("{}@{}", package.name, package.version) == name
    };
    let found = all.iter().find(|package| is_meant(package));
    found.map(|package| (*package).clone()).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|package| package.name.as_str()).collect();
        user_error::input(format!(
            "there is no package `{name}` in this workspace; there are: {}",
            names.join(", ")
        ))
    })
}

/// Returns the folder of a package's manifest.
pub fn folder_of(package: &Package) -> &Path {
    package
        .manifest_path
        .parent()
        .map_or(Path::new(""), |path| path.as_std_path())
}
