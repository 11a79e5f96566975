//! The source of the dependency on `situ` that generated tests need.

use anyhow::Result;
use situ_engine::cargo::manifest::SituSource;
use std::path::Path;

/// Returns the checkout that the user names, otherwise the registry. There is no search for a
/// checkout: it would put a path of this machine into a manifest that others build too.
pub fn situ_source(named: Option<&Path>) -> Result<SituSource> {
    named.map_or_else(|| Ok(SituSource::published()), SituSource::checkout)
}
