//! Wrappers that the user has set: they stay in use, with Situ's own outside of them.
//!
//! Cargo calls `RUSTC_WRAPPER` with `RUSTC_WORKSPACE_WRAPPER` with rustc. Situ takes the second place. A compiler cache in
//! the first would hash the sources that cargo names, not those that Situ swaps in; so Situ takes the first place as well
//! where the user has it occupied, and calls the user's wrapper where the swapped sources are known.

use super::{Invocation, mode_of};
use crate::base::process;
use anyhow::Result;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The mode of Situ's wrapper in the user's place.
pub const MODE: &str = "chain";
/// Hold the wrappers that the user has set.
const OUTER: &str = "SITU_OUTER_WRAPPER";
const INNER: &str = "SITU_INNER_WRAPPER";

/// What the user has set, by environment or by a configuration file that cargo would read in this folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserWrappers {
    outer: Option<OsString>,
    inner: Option<OsString>,
}

impl UserWrappers {
    /// Those in force where cargo runs in this folder. A configuration that cannot be read is cargo's to complain about.
    pub fn in_force(folder: &Path) -> UserWrappers {
        let Ok(configuration) = cargo_config2::Config::load_with_cwd(folder) else {
            return UserWrappers::default();
        };
        UserWrappers {
            outer: users_own(configuration.build.rustc_wrapper, OUTER),
            inner: users_own(configuration.build.rustc_workspace_wrapper, INNER),
        }
    }

    /// Tells the processes below a command what they are. `chain` is Situ's wrapper in the user's place.
    pub fn apply(&self, command: &mut Command, chain: &Path) {
        if let Some(outer) = &self.outer {
            command.env("RUSTC_WRAPPER", chain).env(OUTER, outer);
        }
        if let Some(inner) = &self.inner {
            command.env(INNER, inner);
        }
    }

    /// Those that a process was told.
    pub fn of_this_process() -> UserWrappers {
        UserWrappers {
            outer: env::var_os(OUTER),
            inner: env::var_os(INNER),
        }
    }

    /// The words before the compiler's own.
    pub fn words(&self) -> impl Iterator<Item = OsString> {
        self.outer
            .iter()
            .chain(&self.inner)
            .cloned()
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// Where Situ already runs below itself, the user's wrapper is the one that was there before.
fn users_own(found: Option<PathBuf>, kept: &str) -> Option<OsString> {
    let found = found.filter(|found| !found.as_os_str().is_empty())?;
    if mode_of(&found).is_some() {
        env::var_os(kept)
    } else {
        Some(found.into_os_string())
    }
}

/// Stands in for the user's wrapper: Situ's workspace wrapper calls it by itself, everything else is compiled with it.
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
