//! Environments in which generated tests must pass: settings that differ between the machines,
//! terminals and folders of those who run them.

use crate::base::process;
use crate::programs::program::Program;
use crate::source::write_swap_folder;
use anyhow::{Context as _, Result};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Setting that may differ where a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// No difference: the test runs once more.
    Again,
    /// One test after the other.
    OneThread,
    /// Another working folder than the package's.
    WorkingFolder,
    /// Package and test program in another folder.
    CopiedTree,
    TimeZone,
    Language,
    /// Another home folder, or none.
    Home(Option<&'static str>),
    /// Another user name, or none.
    User(Option<&'static str>),
    /// `RUST_BACKTRACE` has this value, or is not set.
    Backtrace(Option<&'static str>),
    /// `CI` has this value, or is not set.
    Ci(Option<&'static str>),
    /// `NO_COLOR` has this value, or is not set.
    NoColor(Option<&'static str>),
    /// Another value of `TERM`.
    Terminal(&'static str),
    Umask(u32),
    NoNetwork,
    /// Cargo's own environment variables are not set.
    NoCargo,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Setting::Again => "fails when it is run again",
            Setting::OneThread => "depends on the order or on other tests",
            Setting::WorkingFolder => "depends on the working folder",
            Setting::CopiedTree => "depends on the folder that the package is in",
            Setting::TimeZone => "depends on the time zone",
            Setting::Language => "depends on the language",
            Setting::Home(_) => "depends on the home folder",
            Setting::User(_) => "depends on the user's name",
            Setting::Backtrace(_) => "depends on RUST_BACKTRACE",
            Setting::Ci(_) => "depends on CI",
            Setting::NoColor(_) => "depends on NO_COLOR",
            Setting::Terminal(_) => "depends on the terminal",
            Setting::Umask(_) => "depends on the umask",
            Setting::NoNetwork => "depends on the network",
            Setting::NoCargo => "depends on variables that only cargo sets",
        })
    }
}

/// Environments to run generated tests in. Each combines many settings, so that few runs try all of
/// them. If a test fails, it is run again with each setting alone to find the cause.
pub(crate) const ENVIRONMENTS: &[&[Setting]] = &[
    &[Setting::Again],
    &[
        Setting::OneThread,
        Setting::Backtrace(Some("1")),
        Setting::TimeZone,
        Setting::Language,
        Setting::Ci(Some("true")),
        Setting::NoColor(None),
        Setting::Terminal("dumb"),
        Setting::Umask(0o077),
        Setting::User(Some("somebody-else")),
        Setting::Home(Some("/nonexistent")),
    ],
    &[
        Setting::WorkingFolder,
        Setting::Backtrace(None),
        Setting::Ci(None),
        Setting::NoColor(Some("1")),
        Setting::Home(None),
        Setting::User(None),
        Setting::NoNetwork,
        Setting::NoCargo,
        Setting::Umask(0),
    ],
    &[
        Setting::CopiedTree,
        Setting::Backtrace(Some("full")),
        Setting::Terminal("xterm-256color"),
        Setting::Umask(0o027),
    ],
];

/// Copy of a package with its test program.
#[derive(Clone, Debug)]
pub(crate) struct CopiedTree {
    package: PathBuf,
    program: PathBuf,
}

impl CopiedTree {
    /// Creates the copy in a folder, as links, because nothing is written to it.
    pub(crate) fn make(program: &Program, folder: &Path) -> Result<CopiedTree> {
        let package = folder.join("copied tree");
        let _ = fs::remove_dir_all(&package);
        write_swap_folder(&package, &program.folder, &[])?;
        let copy = folder.join("copied program");
        let _ = fs::remove_file(&copy);
        let copied = fs::hard_link(&program.path, &copy)
            .or_else(|_| fs::copy(&program.path, &copy).map(drop));
        copied.context("copying a test program")?;
        Ok(CopiedTree {
            package,
            program: copy,
        })
    }
}

impl Setting {
    /// Returns the program to start with this setting.
    pub(crate) fn program<'p>(self, program: &'p Path, copy: &'p CopiedTree) -> &'p Path {
        if self == Setting::CopiedTree {
            &copy.program
        } else {
            program
        }
    }

    /// Applies the setting to a command.
    pub(crate) fn apply(self, command: &mut Command, copy: &CopiedTree) {
        let mut set_or_remove = |names: &[&str], value: Option<&str>| {
            for name in names {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
        };
        match self {
            Setting::Again => {}
            Setting::OneThread => drop(command.arg("--test-threads=1")),
            Setting::WorkingFolder => drop(command.current_dir("/")),
            Setting::CopiedTree => {
                command
                    .current_dir(&copy.package)
                    .env("CARGO_MANIFEST_DIR", &copy.package);
                command.env("CARGO_MANIFEST_PATH", copy.package.join("Cargo.toml"));
            }
            Setting::TimeZone => set_or_remove(&["TZ"], Some("Pacific/Kiritimati")),
            Setting::Language => set_or_remove(&["LANG", "LC_ALL", "LANGUAGE"], Some("C")),
            Setting::Home(folder) => {
                set_or_remove(&["HOME", "USERPROFILE", "XDG_CONFIG_HOME"], folder)
            }
            Setting::User(name) => set_or_remove(&["USER", "LOGNAME", "USERNAME"], name),
            Setting::Backtrace(value) => {
                set_or_remove(&["RUST_LIB_BACKTRACE"], None);
                set_or_remove(&["RUST_BACKTRACE"], value);
            }
            Setting::Ci(value) => {
                set_or_remove(&["CI", "CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS"], value)
            }
            Setting::NoColor(value) => set_or_remove(&["NO_COLOR"], value),
            Setting::Terminal(name) => set_or_remove(&["TERM"], Some(name)),
            Setting::Umask(mask) => process::with_umask(command, mask),
            Setting::NoNetwork => process::without_network(command),
            Setting::NoCargo => {
                let names = [
                    "CARGO",
                    "CARGO_MANIFEST_DIR",
                    "CARGO_MANIFEST_PATH",
                    "CARGO_PKG_NAME",
                    "CARGO_PKG_VERSION",
                ];
                set_or_remove(&names, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_that_a_test_may_depend_on_is_tried() {
        let all: Vec<Setting> = ENVIRONMENTS
            .iter()
            .flat_map(|settings| settings.iter().copied())
            .collect();
        // `RUST_BACKTRACE=0` is the default of every run.
        for value in [None, Some("1"), Some("full")] {
            assert!(all.contains(&Setting::Backtrace(value)), "{value:?}");
        }
        for setting in [
            // Whatever the command itself was started with: it may run in CI.
            Setting::Ci(None),
            Setting::Ci(Some("true")),
            Setting::NoColor(None),
            Setting::NoColor(Some("1")),
            Setting::CopiedTree,
            Setting::NoNetwork,
            Setting::OneThread,
        ] {
            assert!(all.contains(&setting), "{setting:?}");
        }
        let count =
            |is: &dyn Fn(&Setting) -> bool| all.iter().filter(|setting| is(setting)).count();
        assert!(count(&|setting| matches!(setting, Setting::Umask(_))) >= 2);
        assert!(count(&|setting| matches!(setting, Setting::Terminal(_))) >= 2);
        assert!(count(&|setting| matches!(setting, Setting::User(_))) >= 2);
        assert!(ENVIRONMENTS.len() <= 4, "each is a run of all tests");
    }
}
