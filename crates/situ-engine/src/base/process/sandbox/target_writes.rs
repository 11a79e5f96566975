//! Finds the folders below cargo's target folder that the unmodified tests write to, so that
//! confined tests may write there too.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Cargo's own folders, in which no test writes.
const CARGOS: [&str; 5] = ["deps", "incremental", "build", ".fingerprint", "examples"];
/// Maximum depth of the search. A deeper folder counts as part of its ancestor.
const MAX_DEPTH: usize = 4;

/// Start of a period in which changes below a target folder are tracked, while the unmodified tests
/// run.
#[derive(Debug)]
pub struct TargetWatch {
    target: PathBuf,
    started: SystemTime,
}

impl TargetWatch {
    /// Starts tracking. Must be called before the tests run.
    pub(super) fn start(target: &Path) -> TargetWatch {
        // Timestamps of file systems are coarser than the clock.
        let started = SystemTime::now() - std::time::Duration::from_millis(20);
        TargetWatch {
            target: target.to_path_buf(),
            started,
        }
    }

    /// Returns the folders that have changed since the start, without Situ's own.
    pub(super) fn changed(&self) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for folder in self.folders_in(&self.target) {
            self.collect(&folder, 1, &mut changed);
        }
        changed
            .into_iter()
            .filter_map(|folder| folder.canonicalize().ok())
            .collect()
    }

    /// Collects the outermost folders that have changed: who created a folder may fill it.
    fn collect(&self, folder: &Path, depth: usize, changed: &mut Vec<PathBuf>) {
        let is_new = |path: &Path| {
            fs::symlink_metadata(path)
                .and_then(|data| data.modified())
                .is_ok_and(|time| time >= self.started)
        };
        let files = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        if is_new(folder)
            || files
                .filter(|path| path.is_file())
                .any(|path| is_new(&path))
        {
            changed.push(folder.to_path_buf());
        } else if depth < MAX_DEPTH {
            for inner in self.folders_in(folder) {
                self.collect(&inner, depth + 1, changed);
            }
        }
    }

    fn folders_in(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let paths = folders
            .map(|entry| entry.path())
            .filter(|path| *path != self.target.join("situ"));
        paths
            .filter(|path| {
                !path
                    .file_name()
                    .is_some_and(|name| CARGOS.iter().any(|cargos| name == *cargos))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn folders_that_changed_are_found_and_those_of_cargo_and_situ_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().canonicalize().unwrap();
        for inner in ["tmp/old", "debug/deps", "situ/x", "tests"] {
            fs::create_dir_all(target.join(inner)).unwrap();
        }
        let mut watch = TargetWatch::start(&target);
        watch.started = SystemTime::now() + Duration::from_secs(100);
        assert_eq!(watch.changed(), Vec::<PathBuf>::new());
        let later = SystemTime::now() + Duration::from_secs(200);
        for inner in ["tmp/old/new.txt", "debug/deps/x", "situ/x/y"] {
            let file = fs::File::create(target.join(inner)).unwrap();
            file.set_modified(later).unwrap();
        }
        assert_eq!(watch.changed(), [target.join("tmp/old")]);
    }
}
