//! The compiler wrapper of these builds: instruments units for coverage and comparisons, and adds
//! constructors of values to members.

use super::plan::{Answers, CRATE, plan};
use super::plan_cache;
use crate::base::process;
use crate::cargo::runtime::Runtime;
use crate::cargo::wrapper::{Invocation, RustcArguments};
use crate::record::instrumented_files;
use crate::record::plan::Plan;
use crate::record::settle::{Pieces, WovenFiles};
use crate::source::{SourceFile, module_files};
use crate::trial::settle::settle;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The mode of the wrapper.
pub const MODE: &str = "explore";
/// The environment variable that tells the macros that this build is for the explorer.
const EXPLORED_BUILD: &str = "SITU_EXPLORED_BUILD";
/// The number of rounds after which a unit is compiled unchanged.
const MAX_ROUNDS: usize = 8;
/// The flags with which the compiler inserts counters at edges and callbacks at comparisons.
pub(crate) const COVERAGE: [&str; 4] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Returns the compiler's arguments for a crate whose files, below the folder `swap`, replace the
/// user's: with coverage and comparisons, and with errors at the user's own paths.
pub(crate) fn covered_arguments(
    arguments: &RustcArguments,
    swap: &Path,
    root: &Path,
) -> Result<RustcArguments> {
    let mut arguments = arguments.clone();
    let at = arguments
        .root_position()
        .context("finding the root among the compiler's arguments")?;
    arguments.0[at] = swap.join(root).into();
    arguments
        .0
        .retain(|word| !word.to_string_lossy().starts_with("--cap-lints="));
    let mut remap = swap.as_os_str().to_owned();
    remap.push("/=");
    arguments.0.extend([
        "--cap-lints=allow".into(),
        "--remap-path-prefix".into(),
        remap,
    ]);
    arguments.0.extend(COVERAGE.map(OsString::from));
    Ok(arguments)
}
/// Crates that are not instrumented, because they run between the explorer and a theory.
pub(crate) const OWN_CRATES: [&str; 4] = ["situ", "situ_macros", "situ_recorder", "inventory"];

/// What the wrapper needs to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Configuration {
    /// The root files of members.
    pub roots: BTreeSet<PathBuf>,
    /// The explorer's library.
    pub runtime: Runtime,
    /// The version of the command: another one instruments differently.
    pub tool: String,
    /// The folder of instrumented copies.
    pub folder: PathBuf,
}

/// Compiles one unit. Whatever goes wrong with the instrumentation, the unit itself is compiled.
pub fn compile(invocation: &Invocation) -> Result<i32> {
    let arguments = &invocation.arguments;
    // Only units of the test programs have a `--target`: procedural macros and build scripts have
    // none.
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
    let root = root.filter(|root| is_member(root, &folder, &configuration));
    let Some(root) = root else {
        let mut covered = arguments.clone();
        covered.0.extend(COVERAGE.map(OsString::from));
        return process::run_as_is(&mut invocation.compiler(&covered));
    };
    // A root that cannot be parsed is compiled unchanged.
    if let Ok(unit) = Unit::new(invocation, &configuration, folder, root)
        && unit.settle()?
    {
        return Ok(0);
    }
    let plain = configuration.linked(arguments.clone());
    process::run_as_is(invocation.compiler(&plain).env(EXPLORED_BUILD, "explore"))
}

impl Configuration {
    /// Adds the explorer's library to the arguments.
    fn linked(&self, mut arguments: RustcArguments) -> RustcArguments {
        let mut path = OsString::from("dependency=");
        path.push(&self.runtime.folder);
        let mut library = OsString::from(format!("{CRATE}="));
        library.push(&self.runtime.rlib);
        arguments
            .0
            .extend(["-L".into(), path, "--extern".into(), library]);
        arguments
    }
}

/// Returns which crates with value generators a unit can name.
pub(crate) fn answers_of(arguments: &RustcArguments) -> Answers {
    Answers {
        arbitrary: arguments.has_extern("arbitrary"),
        proptest: arguments.has_extern("proptest"),
    }
}

fn is_member(root: &Path, folder: &Path, configuration: &Configuration) -> bool {
    let absolute = folder.join(root);
    let absolute = absolute.canonicalize().unwrap_or(absolute);
    root.is_relative() && configuration.roots.contains(&absolute)
}

/// A member that is being compiled.
struct Unit<'u> {
    invocation: &'u Invocation,
    configuration: &'u Configuration,
    folder: PathBuf,
    files: Vec<SourceFile>,
    plan: Plan,
    swap: PathBuf,
}

impl<'u> Unit<'u> {
    fn new(
        invocation: &'u Invocation,
        configuration: &'u Configuration,
        folder: PathBuf,
        root: PathBuf,
    ) -> Result<Unit<'u>> {
        let files = module_files(&root)?;
        let plan = plan(&files, answers_of(&invocation.arguments));
        let unit = invocation.arguments.unit().unwrap_or_default();
        let swap = configuration.folder.join("swap").join(unit);
        Ok(Unit {
            invocation,
            configuration,
            folder,
            files,
            plan,
            swap,
        })
    }

    /// Compiles in rounds until the compiler accepts; returns false if its errors have nothing to
    /// do with the instrumentation.
    fn settle(&self) -> Result<bool> {
        let arguments = self.arguments()?;
        let mut pieces = Pieces {
            files: &self.files,
            plan: &self.plan,
            swap: &self.swap,
            folder: &self.folder,
            compile: &|| {
                let mut compiler = self.invocation.compiler(&arguments);
                process::run(compiler.env(EXPLORED_BUILD, "explore,answers"), None)
            },
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
            let root = self.folder.join(&self.files[0].path);
            plan_cache::write(
                &self.configuration.folder,
                &root,
                answers_of(&self.invocation.arguments),
                &pieces.rejected.into_keys().collect(),
            )?;
        }
        Ok(true)
    }

    fn arguments(&self) -> Result<RustcArguments> {
        let root = &self.files[0].path;
        let arguments = covered_arguments(&self.invocation.arguments, &self.swap, root)?;
        Ok(self.configuration.linked(arguments))
    }
}
