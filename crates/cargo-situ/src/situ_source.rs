//! Where the dependency on Situ comes from that generated tests need.

use anyhow::Result;
use situ_engine::edit::manifest::SituSource;
use situ_engine::fault;
use std::path::{Path, PathBuf};

/// The checkout that the user names, else the one that this command was built from, else the registry.
pub fn situ_source(named: Option<&Path>) -> Result<SituSource> {
    if let Some(path) = named {
        return checkout(path).map(SituSource::Path).ok_or_else(|| {
            let path = path.display();
            fault::input(format!("`--situ-path {path}` is no checkout of Situ: there is no crates/situ/Cargo.toml in it"))
        });
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Ok(match checkout(&own) {
        Some(path) => SituSource::Path(path),
        None => SituSource::Registry(env!("CARGO_PKG_VERSION").to_owned()),
    })
}

/// The folder of the crate `situ` in a checkout, or that folder itself.
fn checkout(path: &Path) -> Option<PathBuf> {
    let inside = path.join("crates/situ");
    let folder = if inside.join("Cargo.toml").exists() { inside } else { path.to_path_buf() };
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    manifest.lines().any(|line| line.trim() == "name = \"situ\"").then_some(folder)?.canonicalize().ok()
}
