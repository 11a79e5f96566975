//! A mutant in its file's place, for as long as it is needed.

use super::mutants::Mutant;
use anyhow::{Context as _, Result};
use std::fs;

/// When this is dropped, the file is what it was.
pub struct Placed<'m>(&'m Mutant);

impl Placed<'_> {
    /// Puts a mutant in place.
    pub fn put(mutant: &Mutant) -> Result<Placed<'_>> {
        let placed = Placed(mutant);
        fs::write(&mutant.path, &mutant.text).context("putting a mutant in place")?;
        Ok(placed)
    }
}

impl Drop for Placed<'_> {
    fn drop(&mut self) {
        let _ = fs::write(&self.0.path, &self.0.original);
    }
}
