//! Builds the tests of a workspace with all mutants woven in.

use super::doctests;
use super::inventory::{Inventory, ONLY_JUDGES};
use super::isolate::LeftOut;
use super::unit::{Configuration, MODE, UnitReport, report_path};
use crate::base::diagnostics::{Artifact, CargoMessage, Diagnostic, parse_cargo};
use crate::base::process::{self, Finished, Scratch};
use crate::base::user_error;
use crate::cargo::runtime;
use crate::cargo::workspace::{Launcher, Workspace, build_into, cargo, rustc, without_debuggers};
use crate::cargo::wrapper::{self, Installed};
use crate::programs::program::{Program, compiler_settings, program_of};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Finished build of test programs with mutants.
pub struct Built {
    pub programs: Vec<Program>,
    /// Mutants that are in at least one unit.
    pub alive: BTreeSet<u32>,
    /// Mutants that compile in no unit.
    pub rejected: BTreeSet<u32>,
    /// Mutants that cannot be switched at run time.
    pub not_tried: BTreeSet<u32>,
    /// Last mutant of each choice, by its first.
    pub choices: BTreeMap<u32, u32>,
    /// Files that the compiler read but the inventory could not.
    pub unreadable: BTreeSet<PathBuf>,
    /// Files that are compiled without row judges.
    pub left_out: BTreeSet<LeftOut>,
    /// Time in seconds of the successful compiler runs of units with mutants.
    pub seconds: f64,
    /// Builder for further builds of the same kind.
    pub builder: Builder,
}

/// Time limit for the build of a single mutant, with which a procedural macro may loop.
const LONGEST_CONFINED_BUILD: Duration = Duration::from_secs(600);

/// Builder that calls cargo so that it compiles through the compiler wrapper.
#[derive(Clone)]
pub struct Builder {
    root: PathBuf,
    target: PathBuf,
    /// Full ids of the selected packages.
    packages: Vec<String>,
    launcher: Launcher,
    wrapper: Installed,
    /// Wrapper that replaces rustdoc.
    rustdoc: Installed,
    /// Wrapper that runs doctests for rustdoc.
    keeper: Installed,
    configuration: Configuration,
    situ: PathBuf,
    program: PathBuf,
    /// Folder of the compiler's shared libraries.
    pub libraries: PathBuf,
    /// Whether to build the libraries that doctests need.
    has_doctests: bool,
    /// Scratch folder for builds that execute mutated code.
    confined: Option<Scratch>,
}

impl Builder {
    /// Writes the inventory and installs the compiler wrapper.
    pub fn prepare(
        workspace: &Workspace,
        inventory: &Inventory,
        program: &Path,
    ) -> Result<Builder> {
        let situ = workspace.situ_folder();
        let folder = situ.join("mutants");
        fs::create_dir_all(&folder).context("creating the mutants' folder")?;
        // These are independent, and each waits for a process.
        let (runtime, settings, root) = thread::scope(|scope| {
            let runtime = scope.spawn(|| {
                let (path, version) = rustc()?;
                // Code that is added to the user's may need more of the recorder than the switch.
                let build = match inventory.additions {
                    0 => runtime::build_switch,
                    ONLY_JUDGES => runtime::build_judging,
                    _ => runtime::build,
                };
                build(&workspace.library_folder(), &path, &version)
            });
            let settings = scope.spawn(compiler_settings);
            let root = workspace.build_root();
            (joined(runtime), joined(settings), root)
        });
        let (runtime, (libraries, settings), root) = (runtime?, settings?, root?);
        let inventory_path = folder.join("inventory.json");
        let text = serde_json::to_string(inventory).context("writing the inventory")?;
        fs::write(&inventory_path, text).context("writing the inventory")?;
        let configuration = Configuration {
            runtime,
            inventory: inventory_path,
            workspace: workspace.root().to_path_buf(),
            folder: folder.clone(),
            settings,
            kept_const: &constants(&folder) | &inventory.called_in_constants,
            single: None,
            asked: inventory.asked.clone(),
            is_optimized: false,
            additions: inventory.additions,
            generation: inventory.generation,
            lent: workspace.lending().map(|lending| lending.lent.clone()),
            version: wrapper::version_of(program),
        };
        Ok(Builder {
            target: workspace.build_folder(),
            packages: workspace.ids_in(&root),
            root,
            launcher: workspace.launcher().clone(),
            wrapper: wrapper::install(&situ, program, MODE, &configuration)?,
            rustdoc: wrapper::install(&situ, program, doctests::RUSTDOC_MODE, &configuration)?,
            keeper: wrapper::install(&situ, program, doctests::MODE, &configuration)?,
            configuration,
            situ,
            program: program.to_path_buf(),
            libraries,
            // Callers that add code bring their own tests.
            has_doctests: inventory.additions == 0,
            confined: None,
        })
    }

    /// Returns a builder that optimises the user's own crates.
    pub fn optimized(&self) -> Result<Builder> {
        let configuration = Configuration {
            is_optimized: true,
            ..self.configuration.clone()
        };
        let wrapper = wrapper::install(&self.situ, &self.program, MODE, &configuration)?;
        Ok(Builder {
            wrapper,
            configuration,
            ..self.clone()
        })
    }

    /// What the wrapper is told.
    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Returns a builder that skips libraries only doctests need.
    pub fn without_doctests(self) -> Builder {
        Builder {
            has_doctests: false,
            ..self
        }
    }

    /// Returns a builder that compiles only the mutant whose number is in this file.
    pub fn single(&self, number: &Path) -> Result<Builder> {
        let configuration = Configuration {
            single: Some(number.to_path_buf()),
            ..self.configuration.clone()
        };
        let wrapper = wrapper::install(&self.situ, &self.program, MODE, &configuration)?;
        fs::create_dir_all(&self.target).context("creating the build folder")?;
        let scratch = Scratch::new(&self.situ.join("mutants/single-build"))?.with_any_memory();
        // The compiler executes a mutated procedural macro like any other.
        let confined = Some(scratch.with(&self.situ)?.with(&self.target)?);
        Ok(Builder {
            wrapper,
            configuration,
            confined,
            ..self.clone()
        })
    }

    fn run(&self, command: &mut Command) -> Result<Finished> {
        let Some(scratch) = &self.confined else {
            return process::run(command, None);
        };
        scratch.prepare(command);
        process::run_confined(command, scratch, Some(LONGEST_CONFINED_BUILD))
    }

    /// Returns a cargo command of this build.
    pub fn cargo(&self, verb: &[&str]) -> Command {
        let mut command = cargo();
        build_into(&mut command, &self.target)
            .args(verb)
            .current_dir(&self.root);
        command
            .arg("--manifest-path")
            .arg(self.root.join("Cargo.toml"));
        for package in &self.packages {
            command.args(["-p", package]);
        }
        without_debuggers(&mut command);
        self.wrapper.apply(&mut command);
        command
    }

    /// Returns a cargo command that runs the doctests and keeps their programs in a folder.
    pub fn doctests(&self, folder: &Path) -> Command {
        let mut command = self.cargo(&["test", "--doc"]);
        let [keeper, runtime] = [self.keeper.path(), &self.configuration.runtime.folder]
            .map(|path| path.to_string_lossy());
        let mut flags = rustdoc_flags();
        flags.extend([
            format!("-Ldependency={runtime}"),
            "--cap-lints=allow".to_owned(),
        ]);
        match self.launcher.runner_variable() {
            // Cargo passes its configured runner to rustdoc, which accepts only one.
            Some(variable) => drop(command.env(variable, &*keeper)),
            None => flags.extend(["--test-runtool".to_owned(), keeper.into_owned()]),
        }
        command.env("CARGO_ENCODED_RUSTDOCFLAGS", flags.join(SEPARATOR));
        command.env(doctests::FOLDER, folder);
        command.env(
            doctests::RUSTDOC,
            std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()),
        );
        command.env("RUSTDOC", self.rustdoc.path());
        command
    }

    /// Builds all test programs, and the libraries that doctests need.
    pub fn build(mut self, workspace: &Workspace) -> Result<Built> {
        let has_library =
            self.has_doctests && workspace.packages().iter().any(doctests::has_library);
        loop {
            let mut command = self.cargo(&["build", "--tests", "--message-format=json"]);
            command.args(has_library.then_some("--lib"));
            let finished = self.run(&mut command)?;
            if finished.status.success() {
                return self.built(workspace, &finished);
            }
            let errors = parse_cargo(&finished.stdout)
                .into_iter()
                .filter_map(|message| match message {
                    CargoMessage::CompilerMessage { message, .. } if message.is_error() => {
                        Some(message)
                    }
                    _ => None,
                });
            let errors: Vec<Diagnostic> = errors.collect();
            // Another unit calls a function in a constant that is not `const` with its mutants. The
            // unit with the function cannot know that, so it is compiled again.
            let in_constants = errors.iter().filter(|error| error.code() == "E0015");
            if !self.keep_const(in_constants.map(|error| error.message.as_str()))? {
                // A crate has the same errors with and without its tests.
                let mut texts: Vec<String> = Vec::new();
                for text in errors.into_iter().filter_map(|error| error.rendered) {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                let text = texts.concat();
                let said = if text.is_empty() {
                    finished.stderr
                } else {
                    text
                };
                return Err(user_error::user_code(format!(
                    "the tests do not build:\n{}",
                    said.trim_end()
                )));
            }
        }
    }

    /// Records functions that another unit needs to be `const`. Returns whether any is new.
    /// `messages` are those of E0015, which quote the function's path.
    pub fn keep_const<'a>(&mut self, messages: impl Iterator<Item = &'a str>) -> Result<bool> {
        let before = self.configuration.kept_const.len();
        let called = messages.filter_map(|message| message.split('`').nth(1));
        let names = called
            .filter_map(|called| called.rsplit("::").next())
            .map(str::to_owned);
        self.configuration.kept_const.extend(names);
        if self.configuration.kept_const.len() == before {
            return Ok(false);
        }
        let text = serde_json::to_string(&self.configuration.kept_const)
            .context("writing the list of const functions")?;
        fs::write(constants_path(&self.configuration.folder), text)
            .context("writing the list of const functions")?;
        self.wrapper = wrapper::install(&self.situ, &self.program, MODE, &self.configuration)?;
        Ok(true)
    }

    fn built(self, workspace: &Workspace, finished: &Finished) -> Result<Built> {
        let artifacts =
            parse_cargo(&finished.stdout)
                .into_iter()
                .filter_map(|message| match message {
                    CargoMessage::CompilerArtifact(artifact) => Some(artifact),
                    _ => None,
                });
        let artifacts: Vec<Artifact> = artifacts.collect();
        let folder = workspace.situ_folder().join("mutants");
        let mut built = Built {
            programs: artifacts
                .iter()
                .filter_map(|artifact| program_of(artifact, workspace, &self.libraries))
                .collect(),
            alive: BTreeSet::new(),
            rejected: BTreeSet::new(),
            not_tried: BTreeSet::new(),
            choices: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            left_out: BTreeSet::new(),
            seconds: 0.0,
            builder: self,
        };
        // Cargo reports programs in the order in which they are finished.
        built
            .programs
            .sort_by(|one, other| one.path.cmp(&other.path));
        built
            .read_reports(&artifacts, &folder)
            .map_err(|damaged| workspace.damaged(&damaged))?;
        Ok(built)
    }
}

impl Built {
    /// Adds the reports of all units. The error is the path of a damaged report.
    fn read_reports(&mut self, artifacts: &[Artifact], folder: &Path) -> Result<(), PathBuf> {
        for artifact in artifacts {
            for unit in artifact
                .filenames
                .iter()
                .chain(&artifact.executable)
                .filter_map(|path| path.file_stem()?.to_str())
            {
                let unit = unit
                    .strip_prefix("lib")
                    .filter(|_| !report_path(folder, unit).exists())
                    .unwrap_or(unit);
                self.add_report(&report_path(folder, unit))?;
            }
        }
        self.rejected.retain(|id| !self.alive.contains(id));
        self.not_tried
            .retain(|id| !self.alive.contains(id) && !self.rejected.contains(id));
        Ok(())
    }

    fn add_report(&mut self, path: &Path) -> Result<(), PathBuf> {
        // Units without mutants, and those of other packages, have no report.
        if !path.exists() {
            return Ok(());
        }
        let report = fs::read_to_string(path)
            .ok()
            .and_then(|text| serde_json::from_str::<UnitReport>(&text).ok());
        let report = report.ok_or_else(|| path.to_path_buf())?;
        self.seconds += report.seconds;
        self.alive.extend(report.alive);
        self.rejected.extend(report.rejected);
        self.not_tried.extend(report.not_tried);
        self.unreadable.extend(report.unreadable);
        self.left_out.extend(report.left_out);
        for (low, high) in report.choices {
            let known = self.choices.entry(low).or_insert(high);
            *known = high.max(*known);
        }
        Ok(())
    }
}

fn constants_path(folder: &Path) -> PathBuf {
    folder.join("constants.json")
}

/// Returns the functions that earlier builds have shown to be needed as `const`.
fn constants(folder: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(constants_path(folder)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Separator between flags, which may contain spaces.
const SEPARATOR: &str = "\u{1f}";

/// Returns rustdoc flags from the user's environment.
fn rustdoc_flags() -> Vec<String> {
    if let Ok(flags) = std::env::var("CARGO_ENCODED_RUSTDOCFLAGS") {
        return flags
            .split(SEPARATOR)
            .filter(|flag| !flag.is_empty())
            .map(str::to_owned)
            .collect();
    }
    let flags = std::env::var("RUSTDOCFLAGS").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}
