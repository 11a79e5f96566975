//! Starts the user's programs with the environment variables and the runner of cargo's
//! configuration, as `cargo test` would.

use crate::base::user_error;
use anyhow::Result;
use cargo_config2::{Config, PathAndArgs, de};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Launcher that starts programs of a workspace as `cargo test` would.
#[derive(Clone, Debug, Default)]
pub struct Launcher {
    settings: Arc<Settings>,
}

#[derive(Debug, Default)]
struct Settings {
    /// Variables of the table `[env]`.
    variables: Vec<(String, OsString)>,
    runner: Option<Runner>,
}

/// Program that cargo runs test programs of a target with.
#[derive(Debug)]
struct Runner {
    target: String,
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Launcher {
    /// Reads cargo's configuration for a folder. Ignores one that cannot be read, because cargo
    /// reports it.
    pub fn in_force(folder: &Path) -> Result<Launcher> {
        let Ok(configuration) = Config::load_with_cwd(folder) else {
            return Ok(Launcher::default());
        };
        let is_meant = |name: &str, is_forced: bool| is_forced || env::var_os(name).is_none();
        let variables = configuration
            .env
            .iter()
            .filter(|(name, value)| is_meant(name, value.force));
        let variables = variables
            .map(|(name, value)| (name.clone(), value.value.clone()))
            .collect();
        let runner = if names_runner(folder) {
            runner_of(&configuration)?
        } else {
            None
        };
        Ok(Launcher {
            settings: Arc::new(Settings { variables, runner }),
        })
    }

    /// Returns an error if the configured runner cannot be found.
    pub fn check(&self) -> Result<()> {
        let Some(runner) = &self.settings.runner else {
            return Ok(());
        };
        let is_there = match runner.program.components().count() {
            1 => env::split_paths(&env::var_os("PATH").unwrap_or_default())
                .any(|folder| folder.join(&runner.program).is_file()),
            _ => runner.program.is_file(),
        };
        let (program, target) = (runner.program.display(), &runner.target);
        let text = format!(
            "cargo's configuration runs programs for {target} with `{program}`, which cannot be found; install it"
        );
        if is_there {
            Ok(())
        } else {
            Err(user_error::input(text))
        }
    }

    /// Returns a command that runs a program of the user, with runner and environment variables.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = match &self.settings.runner {
            Some(runner) => {
                let mut command = Command::new(&runner.program);
                command.args(&runner.arguments).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.envs(
            self.settings
                .variables
                .iter()
                .map(|(name, value)| (name, value)),
        );
        command
    }

    /// Returns the runner with its arguments, separated by spaces, or `None` if no runner is
    /// configured.
    pub fn runner(&self) -> Option<String> {
        let runner = self.settings.runner.as_ref()?;
        let words = runner.arguments.iter().map(|word| word.to_string_lossy());
        Some(
            std::iter::once(runner.program.to_string_lossy())
                .chain(words)
                .collect::<Vec<_>>()
                .join(" "),
        )
    }

    /// Returns the environment variable that overrides the runner, or `None` if no runner is
    /// configured.
    pub fn runner_variable(&self) -> Option<String> {
        let target = &self.settings.runner.as_ref()?.target;
        Some(format!(
            "CARGO_TARGET_{}_RUNNER",
            target.to_uppercase().replace(['-', '.'], "_")
        ))
    }
}

/// Returns whether any runner is configured. Whether it is for the host only the compiler can say,
/// and starting that takes time.
fn names_runner(folder: &Path) -> bool {
    let is_variable = |name: OsString| {
        name.to_str()
            .is_some_and(|name| name.starts_with("CARGO_TARGET_") && name.ends_with("_RUNNER"))
    };
    let in_files = || {
        de::Config::load_with_cwd(folder)
            .is_ok_and(|found| found.target.values().any(|target| target.runner.is_some()))
    };
    env::vars_os().any(|(name, _)| is_variable(name)) || in_files()
}

fn runner_of(configuration: &Config) -> Result<Option<Runner>> {
    let broken = |error: cargo_config2::Error| {
        user_error::input(format!(
            "cargo's configuration of runners cannot be used: {error}"
        ))
    };
    let configured = configuration
        .build
        .target
        .as_ref()
        .and_then(|targets| targets.first());
    let target = match configured {
        Some(target) => target.triple().to_owned(),
        None => configuration.host_triple().map_err(broken)?.to_owned(),
    };
    let found = configuration.runner(target.as_str()).map_err(broken)?;
    let is_named = |found: &PathAndArgs| found.path.as_os_str() != OsStr::new("");
    Ok(found.filter(is_named).map(|found| Runner {
        target,
        program: found.path,
        arguments: found.args,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn launcher(configuration: &str) -> (tempfile::TempDir, Launcher) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".cargo")).unwrap();
        fs::write(folder.path().join(".cargo/config.toml"), configuration).unwrap();
        let launcher = Launcher::in_force(folder.path()).unwrap();
        (folder, launcher)
    }

    fn launcher_with(runner: &str) -> (tempfile::TempDir, Launcher) {
        launcher(&format!("[target.'cfg(all())']\nrunner = {runner:?}\n"))
    }

    fn variable(command: &Command, name: &str) -> Option<OsString> {
        command
            .get_envs()
            .find(|(key, _)| *key == name)
            .and_then(|(_, value)| value.map(OsStr::to_owned))
    }

    #[test]
    fn variables_are_set_where_they_are_not_or_must_be() {
        let text = "[env]\nSITU_TRIED_HERE = \"new\"\nPATH = \"not this\"\nHOME = { value = \"forced\", force = true }\n\
                    SITU_TRIED_PATH = { value = \"data\", relative = true }\n";
        let (folder, launcher) = launcher(text);
        let command = launcher.command(Path::new("program"));
        assert_eq!(command.get_program(), "program");
        assert_eq!(variable(&command, "SITU_TRIED_HERE"), Some("new".into()));
        assert_eq!(variable(&command, "PATH"), None);
        assert_eq!(variable(&command, "HOME"), Some("forced".into()));
        let relative = PathBuf::from(variable(&command, "SITU_TRIED_PATH").unwrap());
        assert!(
            relative.ends_with("data") && relative.starts_with(folder.path()),
            "{relative:?}"
        );
    }

    #[test]
    fn programs_are_started_by_the_runner_of_their_target() {
        let (folder, launcher) =
            launcher("[target.'cfg(all())']\nrunner = [\"tools/run\", \"--gently\"]\n");
        let command = launcher.command(Path::new("program"));
        assert!(
            Path::new(command.get_program()).ends_with("tools/run"),
            "{command:?}"
        );
        assert!(
            Path::new(command.get_program()).starts_with(folder.path()),
            "{command:?}"
        );
        assert_eq!(
            command.get_args().collect::<Vec<_>>(),
            ["--gently", "program"]
        );
        let named = launcher.runner_variable().unwrap();
        assert!(
            named.starts_with("CARGO_TARGET_")
                && named.ends_with("_RUNNER")
                && !named.contains('-'),
            "{named}"
        );
    }

    #[test]
    fn a_runner_that_is_not_there_is_told() {
        let (_folder, launcher) = launcher_with("no-such-runner");
        assert!(
            launcher
                .check()
                .unwrap_err()
                .to_string()
                .contains("`no-such-runner`")
        );
        let (_folder, launcher) = launcher_with("sh");
        launcher.check().unwrap();
    }

    #[test]
    fn a_runner_of_another_target_is_not_used() {
        let (_folder, launcher) = launcher("[target.wasm32-unknown-unknown]\nrunner = \"other\"\n");
        assert_eq!(
            (launcher.runner(), launcher.runner_variable()),
            (None, None)
        );
        assert_eq!(
            launcher.command(Path::new("program")).get_program(),
            "program"
        );
    }
}
