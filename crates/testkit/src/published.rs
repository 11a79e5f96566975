//! Sources of published crates: those that this workspace depends on, and so needs no download for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{CargoOpt, MetadataCommand};

use crate::repository;

/// A crate from the registry.
pub struct PublishedCrate {
    /// Its name.
    pub name: String,
    /// All its Rust files below `src`, sorted.
    pub files: Vec<PathBuf>,
}

/// Every published crate in this workspace's dependency graph, sorted by name.
///
/// Only crates that the running platform needs: cargo has no others on disk.
pub fn crates() -> Vec<PublishedCrate> {
    let metadata = MetadataCommand::new()
        .manifest_path(repository::root().join("Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .other_options([
            "--offline".to_string(),
            "--filter-platform".to_string(),
            host(),
        ])
        .exec()
        .expect("cargo knows this workspace");
    let from_registry = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_some());
    let mut crates: Vec<PublishedCrate> = from_registry
        .filter_map(|package| {
            let source = package.manifest_path.parent()?.join("src");
            let mut files = Vec::new();
            collect_rust_files(source.as_std_path(), &mut files);
            files.sort();
            Some(PublishedCrate {
                name: package.name.to_string(),
                files,
            })
        })
        .collect();
    crates.retain(|published| !published.files.is_empty());
    crates.sort_by(|one, other| one.name.cmp(&other.name));
    crates
}

fn collect_rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect_rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The platform that the compiler runs on.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("-vV")
        .output()
        .expect("rustc can be started");
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host")
        .to_string()
}
