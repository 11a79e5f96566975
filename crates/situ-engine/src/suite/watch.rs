//! Waits for a change of what the tests are built from.

use crate::cargo::workspace::{Workspace, folder_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

const PAUSE: Duration = Duration::from_millis(300);

/// Files whose names end so are watched, whoever uses them. Others are watched once the compiler has read them: tests write
/// files of all kinds, and a run must not be its own reason to run again.
const SOURCES: [&str; 3] = ["rs", "toml", "lock"];

/// The files that tests are built from, as they were when somebody looked last.
pub struct Watch {
    seen: BTreeMap<PathBuf, Stamp>,
    /// Files that are no sources and were compiled in.
    compiled_in: BTreeSet<PathBuf>,
}

/// By what a change of a file is noticed: when it was written, and its length.
type Stamp = Option<(SystemTime, u64)>;

impl Watch {
    /// Looks for the first time.
    pub fn start(workspace: &Workspace) -> Watch {
        let mut watch = Watch {
            seen: BTreeMap::new(),
            compiled_in: BTreeSet::new(),
        };
        watch.seen = watch.look(workspace);
        watch
    }

    /// Also watches the files that were read by the compiler when the tests were built: `include_str!`, `env!`.
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

    /// Waits until a file is another than before, is new, or is gone.
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

/// Adds the sources below a folder, but for hidden folders and those that cargo builds in.
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

/// The files that the compiler says it has read, from the lists that it leaves in cargo's folder.
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

/// The files that a list names, each on a line of its own with a colon behind it.
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
