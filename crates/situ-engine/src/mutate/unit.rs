//! Compiles one unit with mutants: entry point of the compiler wrapper in the mode `mutants`.

use super::blame::{self, Compiled};
use super::first_rows::with_first_rows;
use super::inventory::Inventory;
use super::isolate::{self, LeftOut};
use super::mutant::Mutant;
use super::rejection_cache::Learned;
use super::weave::FileState;
use crate::base::diagnostics::{Diagnostic, parse_rustc};
use crate::base::process;
use crate::cargo::prebuilt::Lent;
use crate::cargo::runtime::Runtime;
use crate::cargo::wrapper::{Invocation, RustcArguments};
use crate::source::cfg::Settings;
use crate::source::write_swap_folder;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Mode of the compiler wrapper.
pub const MODE: &str = "mutants";
/// Maximum number of compiler runs with errors before the unit is compiled without mutants.
const MAX_ROUNDS: usize = 25;

/// Configuration of the compiler wrapper.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Configuration {
    /// Recorder library to link.
    pub runtime: Runtime,
    /// File of the inventory.
    pub inventory: PathBuf,
    /// Workspace root.
    pub workspace: PathBuf,
    /// Folder of woven sources and unit reports.
    pub folder: PathBuf,
    /// Output of `rustc --print cfg`.
    pub settings: Vec<String>,
    /// Names of functions that must stay `const`, because another unit calls them in a constant.
    pub kept_const: BTreeSet<String>,
    /// File with the number of the only mutant to compile; if `None`, all are woven in.
    pub single: Option<PathBuf>,
    /// File with the requested ranges, if not all mutants are requested.
    pub asked: Option<PathBuf>,
    /// Whether to optimise units, because their tests are slow.
    pub is_optimized: bool,
    /// Hash that distinguishes builds with different additions.
    pub additions: u64,
    /// Number that distinguishes builds with other mutant numbers.
    pub generation: u64,
    /// Prebuilt library `situ`, if manifests do not depend on it.
    pub lent: Option<Lent>,
    /// Version of this program.
    pub version: String,
}

impl Configuration {
    /// Returns the compiler's arguments for a unit of this build.
    fn adjusted(&self, arguments: &RustcArguments) -> RustcArguments {
        let mut arguments = arguments.clone();
        arguments
            .0
            .push(format!("-Ldependency={}", self.runtime.folder.display()).into());
        if let Some(lent) = &self.lent {
            lent.name_to(&mut arguments);
        }
        if self.is_optimized && arguments.codegen("opt-level").is_none() {
            // Keeps the checks of unoptimised builds.
            let checks = ["debug-assertions", "overflow-checks"].into_iter();
            let missing = checks
                .filter(|check| arguments.codegen(check).is_none())
                .map(|check| format!("-C{check}=on"));
            let missing: Vec<String> = missing.collect();
            arguments.0.extend(
                missing
                    .into_iter()
                    .chain(["-Copt-level=1".to_owned()])
                    .map(Into::into),
            );
        }
        arguments
    }

    fn single_mutant(&self) -> Option<u32> {
        fs::read_to_string(self.single.as_ref()?)
            .ok()?
            .trim()
            .parse()
            .ok()
    }
}

/// What became of the mutants in one unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnitReport {
    /// Mutants that are in the unit.
    pub alive: Vec<u32>,
    /// Mutants that the compiler rejected.
    pub rejected: Vec<u32>,
    /// Mutants that cannot be switched at run time.
    pub not_tried: Vec<u32>,
    /// First and last mutant of each choice.
    pub choices: Vec<(u32, u32)>,
    /// Files that the compiler read but the inventory could not.
    #[serde(default)]
    pub unreadable: Vec<PathBuf>,
    /// Parts that were compiled without mutants and row judges.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// Number of compiler runs.
    pub rounds: usize,
    /// Duration of the last run in seconds.
    pub seconds: f64,
}

/// Compiles the unit of this invocation, and returns the exit code.
pub fn compile(invocation: &Invocation) -> Result<i32> {
    if invocation.arguments.is_query_or_build_script() {
        return invocation.pass_through();
    }
    let configuration: Configuration = invocation.configuration()?;
    match Unit::find(invocation, &configuration)? {
        Some(mut unit) => unit.compile(),
        None => {
            // The unit has no mutants, but may link units that do.
            let arguments = configuration.adjusted(&invocation.arguments);
            process::run_as_is(&mut invocation.compiler(&arguments))
        }
    }
}

/// The sources of a unit with some mutants woven in.
pub(crate) struct WovenSources {
    /// Files relative to the workspace, with their texts.
    pub texts: Vec<(PathBuf, String)>,
    /// The first and last number of each choice.
    pub choices: Vec<(u32, u32)>,
}

/// Weaves these mutants into the unit of a call of the compiler, as far as they are known to compile. None where it has none.
pub(crate) fn woven_sources(
    invocation: &Invocation,
    configuration: &Configuration,
    selected: &BTreeSet<u32>,
) -> Result<Option<WovenSources>> {
    let Some(mut unit) = Unit::find(invocation, configuration)? else {
        return Ok(None);
    };
    Learned::read(&unit.learned_path()).apply(&mut unit.files);
    let mut woven = WovenSources {
        texts: Vec::new(),
        choices: Vec::new(),
    };
    for file in &mut unit.files {
        file.state.keep_const(&configuration.kept_const);
        for (alive, mutant) in file.state.alive.iter_mut().zip(&file.state.file.mutants) {
            *alive &= selected.contains(&mutant.id);
        }
        let result = file.state.weave();
        woven.choices.extend(result.choices);
        woven
            .texts
            .push((file.state.file.path.clone(), result.text));
    }
    Ok(Some(woven))
}

/// Returns the folder of the unit reports.
pub fn reports_folder(folder: &Path) -> PathBuf {
    folder.join("units")
}

/// Returns the path of a unit's report.
pub fn report_path(folder: &Path, unit: &str) -> PathBuf {
    reports_folder(folder).join(format!("{unit}.json"))
}

/// Part of a unit that is checked before all of it is compiled.
#[derive(Clone, Copy)]
enum Checked {
    WithoutTests,
    WithFirstRows,
}

struct Unit<'a> {
    invocation: &'a Invocation,
    configuration: &'a Configuration,
    name: String,
    root: PathBuf,
    files: Vec<Compiled>,
    not_tried: Vec<u32>,
    /// Files of the workspace that the inventory could not read.
    unreadable: Vec<PathBuf>,
    /// Parts that are compiled without mutants and row judges.
    left_out: Vec<LeftOut>,
}

impl<'a> Unit<'a> {
    fn find(
        invocation: &'a Invocation,
        configuration: &'a Configuration,
    ) -> Result<Option<Unit<'a>>> {
        let arguments = &invocation.arguments;
        let (Some(root), Some(name)) = (arguments.root(), arguments.unit()) else {
            return Ok(None);
        };
        let text = fs::read_to_string(&configuration.inventory).context("reading the inventory")?;
        let inventory: Inventory = serde_json::from_str(&text).context("parsing the inventory")?;
        let Some(indices) = inventory.crates.get(&root) else {
            return Ok(None);
        };
        let mut lines = configuration.settings.clone();
        lines.extend(arguments.cfgs());
        // `rustc --print cfg` does not contain `test`, which `--test` sets.
        if arguments.is_test() {
            lines.push("test".to_owned());
        }
        let settings = Settings::new(lines.iter().map(String::as_str));
        let unreadable = inventory
            .unreadable
            .iter()
            .map(|file| file.path.clone())
            .collect();
        let (files, not_tried, left_out) = (Vec::new(), Vec::new(), Vec::new());
        let mut unit = Unit {
            invocation,
            configuration,
            name,
            root,
            files,
            not_tried,
            unreadable,
            left_out,
        };
        for &index in indices {
            let file = inventory.files[index].clone();
            let text = match &file.expanded {
                Some(expanded) => expanded.clone(),
                None => fs::read_to_string(configuration.workspace.join(&file.path))
                    .context("reading a source file")?,
            };
            let reached = file
                .conditions
                .iter()
                .all(|condition| settings.hold(condition));
            let exists = |mutant: &Mutant| {
                reached
                    && mutant
                        .conditions
                        .iter()
                        .all(|condition| settings.hold(condition))
            };
            let fixed = file
                .mutants
                .iter()
                .filter(|mutant| !file.can_switch(mutant) && exists(mutant));
            unit.not_tried.extend(fixed.map(|mutant| mutant.id));
            let state = match configuration.single_mutant() {
                Some(id) => FileState::single(text, file, id),
                None => FileState::new(text, file, exists),
            };
            let woven = state.weave();
            unit.files.push(Compiled { state, woven });
        }
        Ok(Some(unit))
    }

    fn compile(&mut self) -> Result<i32> {
        let existing: Vec<u32> = self.alive();
        let known = self.learned_path();
        Learned::read(&known).apply(&mut self.files);
        self.files
            .iter_mut()
            .for_each(|file| file.state.keep_const(&self.configuration.kept_const));
        if self.has_rows() {
            self.settle_checked(Checked::WithoutTests)?;
        }
        let mut first_error = None;
        for round in 1..=MAX_ROUNDS {
            let swap = self.weave()?;
            let finished =
                process::run(&mut self.invocation.compiler(&self.arguments(&swap)), None)?;
            if finished.status.success() {
                std::io::stderr()
                    .write_all(finished.stderr.as_bytes())
                    .context("passing on the compiler's messages")?;
                self.repair_dep_info(&swap)?;
                blame::drop_impossible(&mut self.files, &parse_rustc(&finished.stderr));
                self.write_report(&existing, round, finished.took.as_secs_f64())?;
                if self.configuration.single.is_none() {
                    // Without the cache, the next unit only takes longer.
                    let _ = Learned::of(&self.files).write(&known);
                }
                return Ok(0);
            }
            let diagnostics = parse_rustc(&finished.stderr);
            first_error = diagnostics
                .iter()
                .find(|said| said.is_error())
                .map(|error| error.message.clone());
            if !self.drop_blamed(&diagnostics)? {
                break;
            }
            // An error in tests may hide others, which appear when it is gone.
            if self.has_rows() {
                self.settle_checked(Checked::WithFirstRows)?;
            }
        }
        // The errors are not caused by mutants: show the compiler's own errors to the user.
        self.files.clear();
        self.left_out.push(LeftOut {
            file: None,
            error: first_error.unwrap_or_default(),
        });
        self.write_report(&existing, MAX_ROUNDS, 0.0)?;
        let arguments = self.configuration.adjusted(&self.invocation.arguments);
        process::run_as_is(&mut self.invocation.compiler(&arguments))
    }

    /// Drops what the compiler rejects by checking only a part of the unit. If tests have thousands
    /// of rows, each run with all of them would take many times as long.
    fn settle_checked(&mut self, checked: Checked) -> Result<()> {
        for _ in 1..=MAX_ROUNDS {
            let swap = self.weave()?;
            let arguments = self.arguments(&swap);
            let folder = swap.with_extension("checked");
            let arguments = match checked {
                Checked::WithoutTests => arguments.without_tests(&folder),
                Checked::WithFirstRows => {
                    if !self.write_first_rows(&swap)? {
                        break;
                    }
                    arguments.only_checked(&folder)
                }
            };
            let finished = process::run(&mut self.invocation.compiler(&arguments), None)?;
            let is_over =
                finished.status.success() || !self.drop_blamed(&parse_rustc(&finished.stderr))?;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// Drops what errors are about: row judges, files without remaining mutants, mutants. Returns
    /// whether anything was dropped.
    fn drop_blamed(&mut self, diagnostics: &[Diagnostic]) -> Result<bool> {
        if self.has_rows() {
            let configuration = self.configuration;
            let as_it_is = |file: &Path| {
                fs::read_to_string(configuration.workspace.join(file))
                    .context("reading a source file once more")
            };
            let left_out = isolate::leave_out(&mut self.files, diagnostics, &as_it_is)?;
            if !left_out.is_empty() {
                self.left_out.extend(left_out);
                return Ok(true);
            }
        }
        Ok(blame::apply(&mut self.files, diagnostics))
    }

    /// Returns whether this unit contains tests with rows and their judges.
    fn has_rows(&self) -> bool {
        self.configuration.additions != 0 && self.invocation.arguments.is_test()
    }

    /// Reduces tests in the written sources to their first rows. Returns whether there were others.
    fn write_first_rows(&self, swap: &Path) -> Result<bool> {
        let mut has_more = false;
        for file in &self.files {
            let path = swap.join(&file.state.file.path);
            let text = fs::read_to_string(&path).context("reading a source file with mutants")?;
            if let Some(short) = with_first_rows(&text) {
                has_more = true;
                fs::write(&path, short).context("writing a source file with mutants")?;
            }
        }
        Ok(has_more)
    }

    /// Writes the sources with the current mutants, and returns their folder.
    fn weave(&mut self) -> Result<PathBuf> {
        for file in &mut self.files {
            file.woven = file.state.weave();
        }
        self.write_swap_folder()
    }

    fn learned_path(&self) -> PathBuf {
        let name = self
            .root
            .display()
            .to_string()
            .replace(['/', '\\', ':'], "-");
        self.configuration
            .folder
            .join(format!("learned-{name}.json"))
    }

    fn alive(&self) -> Vec<u32> {
        let alive = self
            .files
            .iter()
            .flat_map(|file| file.state.file.mutants.iter().zip(&file.state.alive));
        alive
            .filter(|(_, alive)| **alive)
            .map(|(mutant, _)| mutant.id)
            .collect()
    }

    fn write_swap_folder(&self) -> Result<PathBuf> {
        let swap = self.configuration.folder.join("swap").join(&self.name);
        let texts = self.files.iter().map(|file| {
            let mut text = file.woven.text.clone();
            if file.state.file.path == self.root {
                text.push_str("\nextern crate __situ;\n");
                // In the 2015 edition, paths of expanded tests start at the root, which may not
                // declare `core`.
                let knows_core = ["extern crate core", "no_std"]
                    .iter()
                    .any(|known| text.contains(known));
                if self
                    .invocation
                    .arguments
                    .value("--edition")
                    .unwrap_or("2015")
                    == "2015"
                    && !knows_core
                {
                    text.push_str("#[allow(unused_extern_crates)] extern crate core;\n");
                }
            }
            (file.state.file.path.clone(), text)
        });
        write_swap_folder(
            &swap,
            &self.configuration.workspace,
            &texts.collect::<Vec<_>>(),
        )?;
        Ok(swap)
    }

    fn arguments(&self, swap: &Path) -> RustcArguments {
        let mut arguments = self.configuration.adjusted(&self.invocation.arguments);
        if let Some(at) = arguments.root_position() {
            arguments.0[at] = swap.join(&self.root).into();
        }
        arguments.without_pictures();
        let runtime = &self.configuration.runtime;
        let remap = format!("--remap-path-prefix={}/=", swap.display());
        arguments
            .0
            .push(format!("--extern=__situ={}", runtime.rlib.display()).into());
        arguments
            .0
            .extend([remap.into(), "--cap-lints=allow".into()]);
        // A mutant with an overflowing literal is unrealistic, so it must be reported.
        arguments.0.push("--force-warn=overflowing_literals".into());
        arguments
    }

    /// Replaces woven files by the user's in the dep-info file, so that cargo sees when these
    /// change.
    fn repair_dep_info(&self, swap: &Path) -> Result<()> {
        let Some(path) = self.invocation.arguments.dep_info() else {
            return Ok(());
        };
        let Ok(text) = fs::read_to_string(&path) else {
            return Ok(());
        };
        let prefix = format!("{}/", swap.display());
        let mut text = text.replace(&prefix, "");
        for decides in self
            .configuration
            .single
            .iter()
            .chain(&self.configuration.asked)
        {
            // A change of this file makes cargo compile the unit again.
            let decides = decides.display();
            text = text.replacen(".rs", &format!(".rs {decides}"), 1) + &format!("\n{decides}:\n");
        }
        fs::write(&path, text).context("writing the list of files read")
    }

    /// Returns those unreadable files that the compiler has read; others belong to another
    /// configuration.
    fn unreadable_files_compiled(&self) -> Vec<PathBuf> {
        let Some(list) = self.invocation.arguments.dep_info() else {
            return Vec::new();
        };
        let list = fs::read_to_string(list).unwrap_or_default();
        let has_read = |path: &&PathBuf| {
            let target = format!("{}:", path.display().to_string().replace(' ', "\\ "));
            list.lines().any(|line| line == target)
        };
        self.unreadable.iter().filter(has_read).cloned().collect()
    }

    fn write_report(&self, existing: &[u32], rounds: usize, seconds: f64) -> Result<()> {
        let path = report_path(&self.configuration.folder, &self.name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
            .context("creating the reports' folder")?;
        let alive: BTreeSet<u32> = self.alive().into_iter().collect();
        let existing: BTreeSet<u32> = existing.iter().copied().collect();
        let constant = self.files.iter().flat_map(|file| {
            let is_kept = |mutant: &&Mutant| {
                mutant
                    .function
                    .is_some_and(|function| file.state.kept_const.contains(&function))
            };
            file.state
                .file
                .mutants
                .iter()
                .filter(is_kept)
                .map(|mutant| mutant.id)
        });
        let constant: BTreeSet<u32> = constant.filter(|id| existing.contains(id)).collect();
        let rejected = existing
            .iter()
            .filter(|id| !alive.contains(id) && !constant.contains(id))
            .copied()
            .collect();
        let alive = alive.into_iter().collect();
        let constant: Vec<u32> = constant.into_iter().collect();
        let choices = self
            .files
            .iter()
            .flat_map(|file| file.woven.choices.iter().copied())
            .collect();
        let not_tried = [self.not_tried.clone(), constant].concat();
        let unreadable = self.unreadable_files_compiled();
        let left_out = self.left_out.clone();
        let report = UnitReport {
            alive,
            rejected,
            not_tried,
            choices,
            unreadable,
            left_out,
            rounds,
            seconds,
        };
        fs::write(
            &path,
            serde_json::to_string(&report).context("writing a unit's report")?,
        )
        .context("writing a unit's report")
    }
}
