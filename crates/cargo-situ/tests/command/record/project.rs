//! A copy of a small crate from `testdata`, and the command run in it.

use crate::project::share_runtime;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A project of its own for one test.
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// A copy of `testdata/NAME`.
    pub fn copy_of(name: &str) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let original = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../testdata")
            .join(name);
        copy(&original, folder.path());
        Project { folder }
    }

    /// Its root.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// `cargo situ …` in it.
    pub fn situ(&self, words: &[&str]) -> Output {
        self.situ_with(words, &[])
    }

    /// `cargo situ …` in it, with these environment variables.
    pub fn situ_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Output {
        share_runtime(self.root());
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-situ"));
        command
            .current_dir(self.root())
            .arg("situ")
            .args(words)
            .envs(variables.iter().copied());
        command
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .env("CARGO_TERM_COLOR", "never");
        command.output().unwrap()
    }

    /// The summary that a verb prints under `--json`, and its exit code.
    pub fn summary(&self, words: &[&str]) -> (Value, i32) {
        let output = self.situ(words);
        let text = String::from_utf8(output.stdout).unwrap();
        for line in text.lines() {
            assert!(
                serde_json::from_str::<Value>(line).is_ok(),
                "no JSON: {line}"
            );
        }
        let last = text
            .lines()
            .last()
            .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        let mut last: Value = serde_json::from_str(last).unwrap();
        (last["summary"].take(), output.status.code().unwrap())
    }

    /// What `recordings show` prints.
    pub fn shown(&self, words: &[&str]) -> String {
        let words: Vec<&str> = ["recordings", "show"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let output = self.situ(&words);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Every file outside `target`, with its contents.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.root(), &mut files);
        files
    }

    /// Fails if a file outside `target` was written, made or removed.
    pub fn assert_untouched(&self, before: &BTreeMap<PathBuf, Vec<u8>>) {
        let after = self.files();
        let changed: Vec<_> = before
            .keys()
            .chain(after.keys())
            .filter(|path| before.get(*path) != after.get(*path))
            .collect();
        assert!(
            changed.is_empty(),
            "the user's tree was written to: {changed:?}"
        );
    }

    /// The folder of a recording.
    pub fn recording(&self, name: &str) -> PathBuf {
        self.root().join("target/situ/recordings").join(name)
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().unwrap() != "target" {
                collect(&path, files);
            }
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            if entry.file_name() != "target" {
                copy(&entry.path(), &target);
            }
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
