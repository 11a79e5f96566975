//! The wrapper's part: compiles a unit with the alive mutants, coverage and comparisons in it, with values that can be
//! made and captured, and with tests that call its functions.

use crate::base::process;
use crate::cargo::runtime::Runtime;
use crate::cargo::wrapper::{Invocation, RustcArguments};
use crate::generate::explore::compile::{COVERAGE, OWN_CRATES, answers_of, covered_arguments};
use crate::generate::explore::plan::{Function, VERIFIED, Work, plan_calls};
use crate::mutate::unit::{self, woven_sources};
use crate::record::instrumented_files;
use crate::record::plan::{self, Crate, Plan, Wanted, WorkspaceNames};
use crate::record::settle::{Pieces, WovenFiles};
use crate::source::{SourceFile, module_files, parse};
use crate::trial::settle::settle;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The mode of the wrapper.
pub const MODE: &str = "kill";
/// Rounds of the compiler before a unit is compiled as it is.
const MAX_ROUNDS: usize = 12;

/// Written calls to verify: by the root of the unit and the number of the function, each with a number of its own.
pub(super) type Checks = BTreeMap<PathBuf, BTreeMap<usize, Vec<(usize, String)>>>;

/// What the wrapper needs to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Configuration {
    /// How mutants are woven.
    pub mutants: unit::Configuration,
    /// The mutants to weave: file, number, line.
    pub selected: Vec<(PathBuf, u32, usize)>,
    /// The root files of members.
    pub roots: BTreeSet<PathBuf>,
    /// Everything that instrumented code calls.
    pub runtime: Runtime,
    /// The explorer's own names.
    pub names: Runtime,
    /// Whether functions are called that reach outside.
    pub allows_effects: bool,
    /// Calls to verify; where there are some, nothing is searched.
    pub checks: Checks,
    /// The command that made the wrapper.
    pub tool: String,
    /// Where swap folders and lists of functions go.
    pub folder: PathBuf,
}

/// What a unit says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct UnitReport {
    /// Its root, as the compiler names it.
    pub root: PathBuf,
    /// Its name.
    pub krate: String,
    /// Its functions, by number.
    pub functions: Vec<Function>,
    /// The first and last number of each choice between mutants.
    pub choices: Vec<(u32, u32)>,
    /// The numbers of written calls that do not compile.
    pub rejected_checks: BTreeSet<usize>,
}

/// Compiles one unit. Whatever goes wrong with what is added, the unit itself is compiled.
pub fn compile(invocation: &Invocation) -> Result<i32> {
    let arguments = &invocation.arguments;
    let is_own = arguments
        .crate_name()
        .is_some_and(|name| OWN_CRATES.contains(&name));
    if arguments.is_query_or_build_script() || arguments.value("--target").is_none() || is_own {
        return invocation.pass_through();
    }
    let configuration: Configuration = invocation.configuration()?;
    let folder = env::current_dir().context("finding the current folder")?;
    let root = arguments.root().map(|root| {
        root.strip_prefix(&folder)
            .map(Path::to_path_buf)
            .unwrap_or(root)
    });
    let is_member = |root: &PathBuf| {
        let absolute = folder.join(root);
        let absolute = absolute.canonicalize().unwrap_or(absolute);
        root.is_relative() && configuration.roots.contains(&absolute)
    };
    let Some(root) = root.filter(is_member) else {
        let mut covered = arguments.clone();
        covered.0.extend(COVERAGE.map(OsString::from));
        return process::run_as_is(&mut invocation.compiler(&covered));
    };
    if let Ok(unit) = Unit::new(invocation, &configuration, folder, root)
        && unit.settle()?
    {
        return Ok(0);
    }
    let plain = configuration.linked(arguments.clone());
    process::run_as_is(&mut invocation.compiler(&plain))
}

impl Configuration {
    fn linked(&self, mut arguments: RustcArguments) -> RustcArguments {
        let mut path = OsString::from("dependency=");
        path.push(&self.runtime.folder);
        arguments.0.extend(["-L".into(), path]);
        let libraries = [
            ("situ_recorder", &self.runtime),
            ("__situ", &self.runtime),
            ("situ_explore", &self.names),
        ];
        for (name, runtime) in libraries {
            let mut library = OsString::from(format!("{name}="));
            library.push(&runtime.rlib);
            arguments.0.extend(["--extern".into(), library]);
        }
        if let Some(lent) = &self.mutants.lent {
            lent.name_to(&mut arguments);
        }
        arguments
    }
}

struct Unit<'u> {
    invocation: &'u Invocation,
    configuration: &'u Configuration,
    folder: PathBuf,
    files: Vec<SourceFile>,
    plan: Plan,
    report: UnitReport,
    swap: PathBuf,
}

impl<'u> Unit<'u> {
    fn new(
        invocation: &'u Invocation,
        configuration: &'u Configuration,
        folder: PathBuf,
        root: PathBuf,
    ) -> Result<Unit<'u>> {
        let mut files = module_files(&root)?;
        let is_test = invocation.arguments.is_test();
        let mut choices = Vec::new();
        if is_test {
            let selected = configuration
                .selected
                .iter()
                .map(|(_, id, _)| *id)
                .collect();
            if let Some(woven) = woven_sources(invocation, &configuration.mutants, &selected)? {
                choices = woven.choices;
                let mut texts: BTreeMap<PathBuf, String> = woven.texts.into_iter().collect();
                for file in &mut files {
                    if let Some(text) = texts.remove(&file.path) {
                        file.tree = parse(&text)?;
                        file.text = text;
                    }
                }
            }
        }
        let name = invocation
            .arguments
            .crate_name()
            .unwrap_or_default()
            .to_owned();
        let checks = configuration.checks.get(&root).cloned().unwrap_or_default();
        let has_mutants = |function: &Function| {
            configuration
                .selected
                .iter()
                .any(|(file, _, line)| *file == function.file && contains(function, *line))
        };
        let searches = is_test && configuration.checks.is_empty();
        let is_wanted =
            |function: &Function| searches && (function.is_public || has_mutants(function));
        let work = Work {
            is_wanted: &is_wanted,
            allows_effects: configuration.allows_effects,
            checks: if is_test { &checks } else { &BTreeMap::new() },
        };
        let answers = answers_of(&invocation.arguments);
        let (mut plan, functions) = plan_calls(&files, answers, &work);
        let krate = Crate {
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| name.clone()),
            name: name.clone(),
            edition: invocation
                .arguments
                .value("--edition")
                .unwrap_or("2015")
                .to_owned(),
            workspace: WorkspaceNames::default(),
            has_serde: false,
        };
        plan.extend(plan::plan_checks(&krate, &files, &Wanted::default(), &[]));
        let unit = invocation.arguments.unit().unwrap_or_default();
        Ok(Unit {
            invocation,
            configuration,
            folder,
            files,
            plan,
            report: UnitReport {
                root,
                krate: name,
                functions,
                choices,
                rejected_checks: BTreeSet::new(),
            },
            swap: configuration.folder.join("swap").join(unit),
        })
    }

    /// Compiles in rounds until the compiler accepts; false where its errors have nothing to do with what was added.
    fn settle(&self) -> Result<bool> {
        let arguments = self.arguments()?;
        let mut pieces = Pieces {
            files: &self.files,
            plan: &self.plan,
            swap: &self.swap,
            folder: &self.folder,
            compile: &|| process::run(&mut self.invocation.compiler(&arguments), None),
            note: &|_| Ok(()),
            max_rounds: MAX_ROUNDS,
            rejected: BTreeMap::new(),
            woven: WovenFiles::new(),
        };
        let Ok(accepted) = settle(&mut pieces)? else {
            return Ok(false);
        };
        instrumented_files::tell_cargo(
            self.invocation,
            &self.swap,
            &accepted.finished.stdout,
            &accepted.finished.stderr,
        )?;
        if self.invocation.arguments.is_test() {
            self.write_report(&pieces.rejected.into_keys().collect())?;
        }
        Ok(true)
    }

    fn write_report(&self, rejected: &BTreeSet<String>) -> Result<()> {
        let mut report = self.report.clone();
        for (number, function) in report.functions.iter_mut().enumerate() {
            if function.test.is_ok() && rejected.contains(&format!("__situ_call_{number}")) {
                function.test = Err("a call with made values does not compile".to_owned());
            }
        }
        report.rejected_checks = rejected
            .iter()
            .filter_map(|key| key.strip_prefix(VERIFIED)?.parse().ok())
            .collect();
        let folder = self.configuration.folder.join("units");
        fs::create_dir_all(&folder).context("making a folder for reports")?;
        let name = self
            .report
            .root
            .display()
            .to_string()
            .replace(['/', '\\'], "-");
        let text = serde_json::to_string(&report).context("writing the functions of a unit")?;
        fs::write(folder.join(format!("{name}.json")), text)
            .context("writing the functions of a unit")
    }

    fn arguments(&self) -> Result<RustcArguments> {
        let root = &self.files[0].path;
        let arguments = covered_arguments(&self.invocation.arguments, &self.swap, root)?;
        Ok(self.configuration.linked(arguments))
    }
}

/// Whether a line is one of a function's.
pub(super) fn contains(function: &Function, line: usize) -> bool {
    (function.lines.0..=function.lines.1).contains(&line)
}
