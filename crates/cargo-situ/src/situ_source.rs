//! Where the dependency on Situ comes from that generated tests need.

use anyhow::Result;
use situ_engine::cargo::manifest::SituSource;
use std::path::Path;

/// The checkout that the user names, else the registry. A checkout that nobody names would put a path of this machine into a
/// manifest that others build too.
pub fn situ_source(named: Option<&Path>) -> Result<SituSource> {
    named.map_or_else(|| Ok(SituSource::published()), SituSource::checkout)
}
