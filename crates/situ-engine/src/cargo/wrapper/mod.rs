//! The compiler wrapper: this program under another name, which cargo calls instead of rustc for
//! workspace members.
//!
//! Cargo distinguishes artifacts by the wrapper's *path*, not by what the wrapper does. So each
//! mode and configuration gets its own link, with its configuration in a file beside it.

pub mod chain;

use self::chain::UserWrappers;
use crate::base::process;
use anyhow::{Context as _, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

/// Variable that contains the path of the configuration, for processes below an instrumented build.
const CONFIGURATION: &str = "SITU_WRAPPER";
/// Start of the file name of every wrapper of Situ.
const PREFIX: &str = "situ-";
const WORKSPACE_WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// Installed wrapper: its link, and its configuration.
#[derive(Clone, Debug)]
pub struct Installed {
    link: PathBuf,
    /// Link that replaces a wrapper of the user.
    chain: PathBuf,
    configuration: PathBuf,
}

/// Creates a wrapper for this mode and configuration below `situ_folder`. `program` is the command
/// `cargo-situ`.
pub fn install(
    situ_folder: &Path,
    program: &Path,
    mode: &str,
    configuration: &impl Serialize,
) -> Result<Installed> {
    let text =
        serde_json::to_string(configuration).context("writing the wrapper's configuration")?;
    let mut hasher = DefaultHasher::new();
    (&text, program).hash(&mut hasher);
    let folder = situ_folder.join("wrappers");
    fs::create_dir_all(&folder).context("creating the wrappers' folder")?;
    let name = |mode: &str| folder.join(format!("{PREFIX}{mode}-{:016x}", hasher.finish()));
    let (link, chain) = (name(mode), name(chain::MODE));
    let configuration = link.with_extension("json");
    fs::write(&configuration, text).context("writing the wrapper's configuration")?;
    for link in [&link, &chain].into_iter().filter(|link| !link.exists()) {
        let _ = fs::remove_file(link);
        link_program(program, link).context("linking the wrapper")?;
    }
    Ok(Installed {
        link,
        chain,
        configuration,
    })
}

/// Returns a string that changes whenever the command's file changes.
pub fn version_of(program: &Path) -> String {
    let changed = fs::metadata(program)
        .and_then(|metadata| metadata.modified())
        .ok();
    let changed = changed
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map_or(0, |time| time.as_nanos());
    format!("{} {changed}", env!("CARGO_PKG_VERSION"))
}

/// Returns the mode of Situ's wrapper from its file name, or `None` for any other program.
fn mode_of(program: &Path) -> Option<&str> {
    let (mode, hash) = program
        .file_name()?
        .to_str()?
        .strip_prefix(PREFIX)?
        .rsplit_once('-')?;
    (hash.len() == 16 && hash.chars().all(|digit| digit.is_ascii_hexdigit())).then_some(mode)
}

impl Installed {
    /// Returns the path of the wrapper, for tools other than cargo.
    pub fn path(&self) -> &Path {
        &self.link
    }

    /// Makes a cargo command compile everything through this wrapper, including dependencies.
    pub fn apply_to_all(&self, command: &mut Command) {
        let folder = command
            .get_current_dir()
            .unwrap_or(Path::new("."))
            .to_path_buf();
        UserWrappers::in_force(&folder).apply(command, &self.chain);
        // The wrapper itself calls both wrappers of the user, after it has replaced the sources.
        command
            .env("RUSTC_WRAPPER", &self.link)
            .env(WORKSPACE_WRAPPER, "")
            .env(CONFIGURATION, &self.configuration);
    }

    /// Makes a cargo command, and every cargo command that it starts, compile workspace members
    /// through this wrapper.
    pub fn apply(&self, command: &mut Command) {
        let folder = command
            .get_current_dir()
            .unwrap_or(Path::new("."))
            .to_path_buf();
        UserWrappers::in_force(&folder).apply(command, &self.chain);
        command
            .env(WORKSPACE_WRAPPER, &self.link)
            .env(CONFIGURATION, &self.configuration);
    }
}

/// Call of this program as a compiler wrapper.
pub struct Invocation {
    /// Mode that the wrapper was installed with.
    pub mode: String,
    configuration: PathBuf,
    /// Compiler to call, preceded by the user's own wrappers.
    program: Vec<OsString>,
    pub arguments: RustcArguments,
}

impl Invocation {
    /// Returns the invocation if this process was started as a wrapper: under a wrapper's name,
    /// with a compiler to call.
    pub fn of_this_process() -> Option<Invocation> {
        let mut words = env::args_os();
        let own = PathBuf::from(words.next()?);
        let mode = mode_of(&own)?.to_owned();
        let configuration = PathBuf::from(env::var_os(CONFIGURATION)?);
        let mut program: Vec<OsString> = UserWrappers::of_this_process().words().collect();
        program.push(words.next()?);
        Some(Invocation {
            mode,
            configuration,
            program,
            arguments: RustcArguments(words.collect()),
        })
    }

    /// Reads the configuration that the wrapper was installed with.
    pub fn configuration<T: DeserializeOwned>(&self) -> Result<T> {
        let text = fs::read_to_string(&self.configuration)
            .context("reading the wrapper's configuration")?;
        serde_json::from_str(&text).context("parsing the wrapper's configuration")
    }

    /// Returns a call of the compiler with these arguments.
    pub fn compiler(&self, arguments: &RustcArguments) -> Command {
        let mut command = Command::new(&self.program[0]);
        command.args(&self.program[1..]).args(&arguments.0);
        command
    }

    /// Returns the program that the caller wanted to run: the compiler or another wrapper.
    pub fn wrapped(&self) -> &Path {
        self.program
            .last()
            .map_or(Path::new(""), |program| Path::new(program))
    }

    /// Calls the compiler with unchanged arguments.
    pub fn pass_through(&self) -> Result<i32> {
        process::run_as_is(&mut self.compiler(&self.arguments))
    }
}

/// Arguments of rustc.
#[derive(Clone, Debug)]
pub struct RustcArguments(pub Vec<OsString>);

impl RustcArguments {
    /// Returns the value of an option, written as `--option value` or `--option=value`.
    pub fn value(&self, option: &str) -> Option<&str> {
        let mut words = self.0.iter().filter_map(|word| word.to_str());
        while let Some(word) = words.next() {
            match word.strip_prefix(option) {
                Some("") => return words.next(),
                Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
                _ => {}
            }
        }
        None
    }

    /// Returns whether a library of this name is passed with `--extern`.
    pub fn has_extern(&self, name: &str) -> bool {
        let words: Vec<&str> = self.0.iter().filter_map(|word| word.to_str()).collect();
        let named =
            |given: &str| given.rsplit(':').next().unwrap_or(given).split('=').next() == Some(name);
        words.windows(2).any(|pair| {
            pair[0] == "--extern" && named(pair[1].split('=').next().unwrap_or_default())
        }) || words
            .iter()
            .any(|word| word.strip_prefix("--extern=").is_some_and(named))
    }

    /// Returns the value of `-C name=value`, in any of its spellings.
    pub fn codegen(&self, name: &str) -> Option<&str> {
        let words: Vec<&str> = self.0.iter().filter_map(|word| word.to_str()).collect();
        let settings =
            words
                .iter()
                .enumerate()
                .filter_map(|(at, word)| match word.strip_prefix("-C") {
                    Some("") => words.get(at + 1).copied(),
                    other => other,
                });
        settings
            .filter_map(|setting| setting.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }

    /// Returns the crate's name, with underscores.
    pub fn crate_name(&self) -> Option<&str> {
        self.value("--crate-name")
    }

    /// Returns the file name stem that distinguishes this unit from others of its package:
    /// `strsim-0123456789abcdef`.
    pub fn unit(&self) -> Option<String> {
        Some(format!(
            "{}{}",
            self.crate_name()?,
            self.codegen("extra-filename").unwrap_or("")
        ))
    }

    /// Returns whether this builds a test program.
    pub fn is_test(&self) -> bool {
        self.0.iter().any(|word| word == "--test")
    }

    /// Returns arguments that check this unit as a library without its tests, with output in this
    /// folder.
    pub fn without_tests(&self, folder: &Path) -> RustcArguments {
        let mut arguments = RustcArguments(
            self.0
                .iter()
                .filter(|word| *word != "--test")
                .cloned()
                .collect(),
        );
        arguments.0.push("--crate-type=lib".into());
        arguments.only_checked(folder)
    }

    /// Returns arguments that check this unit, with output in this folder.
    pub fn only_checked(&self, folder: &Path) -> RustcArguments {
        let mut arguments = self.clone();
        for at in 0..arguments.0.len() {
            if arguments.0[at] == "--out-dir" && at + 1 < arguments.0.len() {
                arguments.0[at + 1] = folder.into();
            }
        }
        arguments.emit("metadata");
        arguments
    }

    /// Replaces what the compiler writes (`--emit`).
    pub fn emit(&mut self, kinds: &str) {
        self.0.retain(|word| {
            word.to_str()
                .is_none_or(|word| !word.starts_with("--emit="))
        });
        self.0.push(format!("--emit={kinds}").into());
    }

    /// Disables source excerpts in diagnostics. rustc renders one for each error, and for many
    /// errors in long lines that takes longer than finding them.
    pub fn without_pictures(&mut self) {
        for word in &mut self.0 {
            if let Some(kinds) = word.to_str().and_then(|word| word.strip_prefix("--json=")) {
                let others = kinds
                    .split(',')
                    .filter(|kind| !kind.starts_with("diagnostic-"));
                let kinds: Vec<&str> = ["diagnostic-short"].into_iter().chain(others).collect();
                *word = format!("--json={}", kinds.join(",")).into();
            }
        }
    }

    /// Returns the path of the program that the compiler writes.
    pub fn program(&self) -> Option<PathBuf> {
        Some(Path::new(self.value("--out-dir")?).join(format!(
            "{}{}",
            self.unit()?,
            env::consts::EXE_SUFFIX
        )))
    }

    /// Returns whether this is a query of cargo or a build script.
    pub fn is_query_or_build_script(&self) -> bool {
        self.crate_name()
            .is_none_or(|name| name == "___" || name.starts_with("build_script_"))
    }

    /// Returns the index of the crate's root file in the arguments.
    pub fn root_position(&self) -> Option<usize> {
        let is_root = |word: &OsString| {
            word.to_str()
                .is_some_and(|word| !word.starts_with('-') && word.ends_with(".rs"))
        };
        self.0.iter().position(is_root)
    }

    /// Returns the crate's root file as cargo passes it: relative to the workspace if it is inside.
    pub fn root(&self) -> Option<PathBuf> {
        self.root_position().map(|at| PathBuf::from(&self.0[at]))
    }

    /// Returns the values of `--cfg`.
    pub fn cfgs(&self) -> Vec<String> {
        let words: Vec<&str> = self.0.iter().filter_map(|word| word.to_str()).collect();
        let pairs = words
            .windows(2)
            .filter(|pair| pair[0] == "--cfg")
            .map(|pair| pair[1].to_owned());
        pairs
            .chain(
                words
                    .iter()
                    .filter_map(|word| Some(word.strip_prefix("--cfg=")?.to_owned())),
            )
            .collect()
    }

    /// Returns the path of the dep-info file, which lists the source files.
    pub fn dep_info(&self) -> Option<PathBuf> {
        Some(Path::new(self.value("--out-dir")?).join(format!("{}.d", self.unit()?)))
    }
}

#[cfg(unix)]
fn link_program(program: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, link)
}

#[cfg(not(unix))]
fn link_program(program: &Path, link: &Path) -> std::io::Result<()> {
    fs::copy(program, link).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_without_pictures_and_with_everything_else_that_cargo_asks_for() {
        let words = [
            "--error-format=json",
            "--json=diagnostic-rendered-ansi,artifacts,future-incompat",
            "src/lib.rs",
        ];
        let mut arguments = RustcArguments(words.map(Into::into).to_vec());
        arguments.without_pictures();
        assert_eq!(
            arguments.0[1],
            "--json=diagnostic-short,artifacts,future-incompat"
        );
        assert_eq!(
            (&arguments.0[0], &arguments.0[2]),
            (&words[0].into(), &words[2].into())
        );
    }
}
