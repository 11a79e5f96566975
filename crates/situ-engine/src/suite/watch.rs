//! Waits for changes of the files that tests are built from.

use crate::cargo::workspace::{Workspace, folder_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

const PAUSE: Duration = Duration::from_millis(300);

/// Extensions of files that are always watched. Other files are watched only if the compiler has
/// read them: tests write files of all kinds, and a run must not trigger itself.
const SOURCES: [&str; 3] = ["rs", "toml", "lock"];

/// Files that tests are built from, and their state at the last check.
pub struct Watch {
    seen: BTreeMap<PathBuf, Stamp>,
    /// Files other than sources that were compiled in.
    compiled_in: BTreeSet<PathBuf>,
}

/// Modification time and length of a file; `None` if it does not exist.
type Stamp = Option<(SystemTime, u64)>;

impl Watch {
    /// Starts to watch: records the current state of all files.
    pub fn start(workspace: &Workspace) -> Watch {
        let mut watch = Watch {
            seen: BTreeMap::new(),
            compiled_in: BTreeSet::new(),
        };
        watch.seen = watch.look(workspace);
        watch
    }

    /// Adds the files that the compiler read when it built the tests: `include_str!`, `env!`.
    pub fn add_compiled_in(&mut self, workspace: &Workspace) {
        let root = workspace
            .build_root()
            .unwrap_or_else(|_| workspace.root().to_path_buf());
        for file in compiled_in(&workspace.build_folder().join("debug/deps")) {
            let file = root.join(file);
            if self.compiled_in.insert(file.clone()) {
                self.seen
                    .entry(file.clone())
                    .or_insert_with(|| stamp(&file));
            }
        }
    }

    /// Waits until a file is changed, created or removed.
    pub fn wait(&mut self, workspace: &Workspace) {
        loop {
            thread::sleep(PAUSE);
            let now = self.look(workspace);
            if now != self.seen {
                self.seen = now;
                return;
            }
        }
    }

    fn look(&self, workspace: &Workspace) -> BTreeMap<PathBuf, Stamp> {
        let mut folders: BTreeSet<PathBuf> = BTreeSet::from([workspace.root().to_path_buf()]);
        for package in workspace.all_packages() {
            folders.insert(folder_of(package).to_path_buf());
            let paths = package
                .dependencies
                .iter()
                .filter_map(|dependency| dependency.path.as_ref());
            folders.extend(paths.map(|path| path.clone().into_std_path_buf()));
        }
        let mut seen = BTreeMap::new();
        folders
            .iter()
            .for_each(|folder| add_sources(folder, &mut seen));
        seen.extend(
            self.compiled_in
                .iter()
                .map(|file| (file.clone(), stamp(file))),
        );
        seen
    }
}

fn stamp(file: &Path) -> Stamp {
    let data = fs::metadata(file).ok()?;
    Some((data.modified().ok()?, data.len()))
}

/// Adds the sources below a folder, except hidden folders and cargo's target folders.
fn add_sources(folder: &Path, seen: &mut BTreeMap<PathBuf, Stamp>) {
    if folder.join("CACHEDIR.TAG").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if name.to_string_lossy().starts_with('.') || seen.contains_key(&path) {
            continue;
        }
        if kind.is_dir() {
            add_sources(&path, seen);
        } else if path
            .extension()
            .is_some_and(|ending| SOURCES.iter().any(|source| ending == *source))
        {
            let stamp = stamp(&path);
            seen.insert(path, stamp);
        }
    }
}

/// Returns the files that the compiler has read, from the dep-info files in cargo's folder.
fn compiled_in(folder: &Path) -> BTreeSet<PathBuf> {
    let lists = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let lists = lists.filter(|path| path.extension().is_some_and(|ending| ending == "d"));
    lists
        .flat_map(|list| files_in(&fs::read_to_string(list).unwrap_or_default()))
        .collect()
}

/// Parses a dep-info file, which names each source on its own line with a colon. Returns the files
/// that are no Rust sources.
fn files_in(list: &str) -> Vec<PathBuf> {
    let alone = list.lines().filter_map(|line| line.strip_suffix(':'));
    alone
        .filter(|file| !file.ends_with(".rs"))
        .map(|file| PathBuf::from(file.replace("\\ ", " ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compilers_lists_name_files_that_are_no_sources() {
        let list = "/t/deps/a.d: src/lib.rs src/a\\ b.txt\n\nsrc/lib.rs:\nsrc/a\\ b.txt:\n\n# env-dep:CARGO\n";
        assert_eq!(files_in(list), [PathBuf::from("src/a b.txt")]);
    }

    #[test]
    fn sources_are_seen_and_what_is_built_or_hidden_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        let files = [
            "src/lib.rs",
            "Cargo.toml",
            "notes.txt",
            ".git/x.rs",
            "target/CACHEDIR.TAG",
            "target/x.rs",
        ];
        files.into_iter().for_each(write);
        let mut seen = BTreeMap::new();
        add_sources(folder.path(), &mut seen);
        let names: Vec<_> = seen
            .keys()
            .map(|path| path.strip_prefix(folder.path()).unwrap().to_owned())
            .collect();
        assert_eq!(
            names,
            [PathBuf::from("Cargo.toml"), PathBuf::from("src/lib.rs")]
        );
    }
}
