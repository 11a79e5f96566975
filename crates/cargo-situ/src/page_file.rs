//! The HTML page of a run, in the file that the user names.

use anyhow::{Context as _, Result};
use situ_engine::page::Page;
use std::fs;
use std::path::Path;

/// Writes the page, if one is asked for.
pub fn write(path: Option<&Path>, page: impl FnOnce() -> Page) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = page().html().context("writing the page")?;
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
