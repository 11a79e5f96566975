//! Writing of HTML pages to the file that the user names.

use anyhow::{Context as _, Result};
use situ_engine::base::user_error;
use situ_engine::report::page::Page;
use std::fs;
use std::path::Path;

/// Writes the page if a path is given; builds it only then.
pub fn write(path: Option<&Path>, page: impl FnOnce() -> Page) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = page().html().context("writing the page")?;
    write_text(path, &text)
}

/// Writes a string to a file that the user names.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text)
        .map_err(|error| user_error::input(format!("cannot write {}: {error}", path.display())))
}
