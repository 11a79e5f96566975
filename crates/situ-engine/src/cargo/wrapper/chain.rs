//! Keeps the user's own compiler wrappers in use, inside Situ's.
//!
//! Cargo calls `RUSTC_WRAPPER` with `RUSTC_WORKSPACE_WRAPPER` with rustc. Situ is the second. A
//! compiler cache as the first would hash the sources that cargo names, not those that Situ
//! replaces them with. So if the user has set `RUSTC_WRAPPER`, Situ takes its place too, and calls
//! the user's wrapper after the sources have been replaced.

use super::{Invocation, mode_of};
use crate::base::process;
use anyhow::Result;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mode of Situ's wrapper that replaces the user's `RUSTC_WRAPPER`.
pub const MODE: &str = "chain";
/// Variables that contain the user's wrappers.
const OUTER: &str = "SITU_OUTER_WRAPPER";
const INNER: &str = "SITU_INNER_WRAPPER";

/// Wrappers that the user has set by environment variable or cargo configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserWrappers {
    outer: Option<OsString>,
    inner: Option<OsString>,
}

impl UserWrappers {
    /// Returns the wrappers that are configured for a folder. Ignores a configuration that cannot
    /// be read, because cargo reports it.
    pub fn in_force(folder: &Path) -> UserWrappers {
        let Ok(configuration) = cargo_config2::Config::load_with_cwd(folder) else {
            return UserWrappers::default();
        };
        UserWrappers {
            outer: users_own(configuration.build.rustc_wrapper, OUTER),
            inner: users_own(configuration.build.rustc_workspace_wrapper, INNER),
        }
    }

    /// Passes the user's wrappers to a command in environment variables. `chain` is Situ's wrapper
    /// that replaces `RUSTC_WRAPPER`.
    pub fn apply(&self, command: &mut Command, chain: &Path) {
        if let Some(outer) = &self.outer {
            command.env("RUSTC_WRAPPER", chain).env(OUTER, outer);
        }
        if let Some(inner) = &self.inner {
            command.env(INNER, inner);
        }
    }

    /// Returns the wrappers that were passed to this process.
    pub fn of_this_process() -> UserWrappers {
        UserWrappers {
            outer: env::var_os(OUTER),
            inner: env::var_os(INNER),
        }
    }

    /// Returns the wrappers to call before the compiler, outermost first.
    pub fn words(&self) -> impl Iterator<Item = OsString> {
        self.outer
            .iter()
            .chain(&self.inner)
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// Returns the user's wrapper. If `found` is a wrapper of an outer Situ, that is the one in the
/// variable `kept`.
fn users_own(found: Option<PathBuf>, kept: &str) -> Option<OsString> {
    let found = found.filter(|found| !found.as_os_str().is_empty())?;
    if mode_of(&found).is_some() {
        env::var_os(kept)
    } else {
        Some(found.into_os_string())
    }
}

/// Calls the user's `RUSTC_WRAPPER`, which this program replaces, unless the wrapped program is
/// Situ's workspace wrapper, which calls it itself.
pub fn call(invocation: &Invocation) -> Result<i32> {
    let program = invocation.wrapped();
    let mut command = match UserWrappers::of_this_process().outer {
        Some(outer) if mode_of(program).is_none() => {
            let mut command = Command::new(outer);
            command.arg(program);
            command
        }
        _ => Command::new(program),
    };
    process::run_as_is(command.args(&invocation.arguments.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn wrappers_of_a_configuration_file_are_found_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".cargo")).unwrap();
        let text =
            "[build]\nrustc-wrapper = \"cache\"\nrustc-workspace-wrapper = \"./tools/shim\"\n";
        fs::write(folder.path().join(".cargo/config.toml"), text).unwrap();
        let found = UserWrappers::in_force(folder.path());
        let words: Vec<OsString> = found.words().collect();
        assert_eq!(words.len(), 2);
        assert_eq!(words[0], "cache");
        assert!(Path::new(&words[1]).ends_with("tools/shim"), "{words:?}");
        let mut command = Command::new("cargo");
        found.apply(&mut command, Path::new("/situ-chain-0"));
        let set = |name: &str| {
            command
                .get_envs()
                .find(|(key, _)| *key == name)
                .and_then(|(_, value)| value)
        };
        assert_eq!(set("RUSTC_WRAPPER"), Some("/situ-chain-0".as_ref()));
        assert_eq!(set(OUTER), Some("cache".as_ref()));
    }

    #[test]
    fn without_wrappers_nothing_is_put_between() {
        let mut command = Command::new("cargo");
        UserWrappers::default().apply(&mut command, Path::new("/situ-chain-0"));
        assert_eq!(command.get_envs().count(), 0);
    }
}
