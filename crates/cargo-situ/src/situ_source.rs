//! Where the dependency on Situ comes from that generated tests need.

use anyhow::Result;
use situ_engine::edit::manifest::SituSource;
use std::path::Path;

/// The checkout that the user names, else the one that this command was built from, else the registry.
pub fn situ_source(named: Option<&Path>) -> Result<SituSource> {
    match named {
        Some(path) => SituSource::checkout(path),
        None => {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../situ");
            Ok(SituSource::checkout(&own).unwrap_or_else(|_| SituSource::published()))
        }
    }
}
