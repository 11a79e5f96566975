//! Resolves dependencies, and updates locked packages if that is necessary.

use super::cargo;
use crate::base::process::{self, Finished};
use crate::base::user_error;
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Maximum number of locked packages to update, more than one new dependency conflicts with.
const MAX_CONFLICTS: usize = 10;

/// Result of resolving the dependencies of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The locked versions fit.
    AsLocked,
    /// Newer versions are necessary; contains the updated lock file.
    Newer(String),
    /// The registry has no matching version of `situ`.
    NoSitu,
}

/// Resolves the dependencies of the workspace in this folder, and updates locked packages as long
/// as they conflict with its manifests.
pub(super) fn newer_where_needed(root: &Path) -> Result<Resolution> {
    for updated in 0..MAX_CONFLICTS {
        let finished = call(root, &["metadata", "--format-version=1"])?;
        if finished.status.success() {
            let lock = fs::read_to_string(root.join("Cargo.lock"))
                .ok()
                .filter(|_| updated > 0);
            return Ok(lock.map_or(Resolution::AsLocked, Resolution::Newer));
        }
        let said = finished.stderr.trim_end();
        if lacks_situ(said) {
            return Ok(Resolution::NoSitu);
        }
        let is_updated = match in_conflict(said) {
            Some(package) => call(root, &["update", "--package", &package])?
                .status
                .success(),
            None => false,
        };
        if !is_updated {
            return Err(user_error::input(format!(
                "cargo cannot resolve the dependencies:\n{said}"
            )));
        }
    }
    Err(user_error::input(
        "cargo cannot resolve the dependencies; try `cargo update`",
    ))
}

fn call(root: &Path, words: &[&str]) -> Result<Finished> {
    let mut command = cargo();
    command
        .args(words)
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"));
    process::run(&mut command, None)
}

/// Returns the locked package that conflicts with a requirement, parsed from cargo's message.
fn in_conflict(said: &str) -> Option<String> {
    let (_, rest) = said.split_once("failed to select a version for `")?;
    let package = rest.split_once('`').map(|(package, _)| package)?;
    // Names the version, because other versions of the package may be locked too.
    let (_, locked) = said.split_once(&format!("previously selected package `{package} v"))?;
    let version = locked.split(['`', ' ']).next()?;
    Some(format!("{package}@{version}"))
}

/// Returns whether cargo's message says that the registry has no matching version of `situ`.
fn lacks_situ(said: &str) -> bool {
    [
        "no matching package named `situ` found",
        "failed to select a version for the requirement `situ = ",
    ]
    .iter()
    .any(|words| said.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_which_package_is_locked_to_an_older_version() {
        let said = "error: failed to select a version for `proc-macro2`.\n    ... required by package `situ-macros`\n\
                    all possible versions conflict with previously selected packages.\n\n  \
                    previously selected package `proc-macro2 v1.0.81`\n";
        assert_eq!(in_conflict(said).as_deref(), Some("proc-macro2@1.0.81"));
        assert!(!lacks_situ(said));
        assert_eq!(
            in_conflict("error: failed to select a version for `x`.\nversions are: none"),
            None
        );
    }

    #[test]
    fn cargo_says_that_the_registry_has_no_situ() {
        let none =
            "error: no matching package named `situ` found\nlocation searched: crates.io index\n";
        let other = "error: failed to select a version for the requirement `situ = \"^0.9\"`\n\
                     candidate versions found which didn't match: 0.1.0\n";
        assert!(lacks_situ(none) && lacks_situ(other));
        assert!(!lacks_situ(
            "error: no matching package named `situate` found"
        ));
    }
}
