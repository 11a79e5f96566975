//! Compiler wrapper for recording: compiles one unit from instrumented sources, and drops the
//! pieces that the compiler rejects.

use super::index::UnitIndex;
use super::instrumented_files;
use super::plan::{self, Check, Crate, Plan, Wanted, WorkspaceNames};
use super::settle::{AcceptedUnit, Pieces, WovenFiles};
use crate::base::process;
use crate::cargo::prebuilt::Lent;
use crate::cargo::runtime::Runtime;
use crate::cargo::wrapper::{Invocation, RustcArguments};
use crate::source::{SourceFile, module_files};
use crate::trial::settle::settle;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Maximum number of compiler runs before a unit is compiled without instrumentation.
const MAX_ROUNDS: usize = 16;

/// What a build is instrumented for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Record code while it runs.
    Watching,
    /// Capture the values of the expressions in this file.
    Checking(PathBuf),
    /// Let in-situ tests record what their fragments compute, and which branches these take.
    Observing,
}

/// Configuration of the compiler wrapper.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Configuration {
    pub wanted: Wanted,
    /// Root files to instrument; other units are only linked with the recorder.
    pub roots: BTreeSet<PathBuf>,
    pub purpose: Purpose,
    /// Prebuilt library `situ`, for a copy whose manifests do not depend on it.
    pub lent: Option<Lent>,
    /// Crates of the workspace and their functions, if outgoing calls are recorded.
    pub names: WorkspaceNames,
    pub runtime: Runtime,
    /// Version of the command; another one instruments differently.
    pub tool: String,
    /// Folder of indexes, instrumented sources and lists of rejected pieces.
    pub folder: PathBuf,
}

impl Configuration {
    /// Returns the folder of the units' indexes.
    pub fn index_folder(&self) -> PathBuf {
        self.folder.join("index")
    }

    /// Adds the recorder, and the prebuilt library if there is one, to the compiler's arguments.
    fn link(&self, arguments: &mut RustcArguments) {
        let mut path = OsString::from("dependency=");
        path.push(&self.runtime.folder);
        arguments.0.extend(["-L".into(), path]);
        if let Some(lent) = &self.lent {
            lent.name_to(arguments);
        }
    }
}

/// Compiles one unit. If the instrumentation fails, compiles the original unit.
pub fn compile(invocation: &Invocation) -> Result<i32> {
    let arguments = &invocation.arguments;
    if arguments.is_query_or_build_script() {
        return invocation.pass_through();
    }
    let configuration: Configuration = invocation.configuration()?;
    let folder = env::current_dir().context("finding the current folder")?;
    let root = arguments.root().map(|root| {
        root.strip_prefix(&folder)
            .map(Path::to_path_buf)
            .unwrap_or(root)
    });
    let is_plugin = arguments.value("--crate-type") == Some("proc-macro");
    if let Some(root) = root
        .filter(|root| !is_plugin && root.is_relative() && is_wanted(root, &folder, &configuration))
    {
        match Unit::new(invocation, &configuration, folder, root) {
            Ok(unit) => {
                if unit.compile()? {
                    return Ok(0);
                }
            }
            Err(error) => not_read(arguments, &error).write(&configuration.index_folder())?,
        }
    }
    let mut linked = arguments.clone();
    configuration.link(&mut linked);
    process::run_as_is(&mut invocation.compiler(&linked))
}

/// Returns the index of a unit whose root cannot be read.
fn not_read(arguments: &RustcArguments, error: &anyhow::Error) -> UnitIndex {
    let name = arguments.crate_name().unwrap_or_default().to_owned();
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| name.clone());
    let unit = arguments.unit().unwrap_or(name);
    UnitIndex {
        unit,
        package,
        not_instrumented: Some(format!("{error:#}")),
        ..UnitIndex::default()
    }
}

fn is_wanted(root: &Path, folder: &Path, configuration: &Configuration) -> bool {
    let absolute = folder.join(root);
    let absolute = absolute.canonicalize().unwrap_or(absolute);
    configuration.roots.contains(&absolute)
}

/// Unit that is being compiled, with its instrumentation.
struct Unit<'u> {
    invocation: &'u Invocation,
    configuration: &'u Configuration,
    folder: PathBuf,
    files: Vec<SourceFile>,
    plan: Plan,
    swap: PathBuf,
    index: UnitIndex,
    rejected: BTreeMap<String, String>,
    rejected_file: PathBuf,
}

fn fingerprint(files: &[SourceFile]) -> u64 {
    let mut hasher = DefaultHasher::new();
    files
        .iter()
        .for_each(|file| (&file.module, &file.text).hash(&mut hasher));
    hasher.finish()
}

impl<'u> Unit<'u> {
    fn new(
        invocation: &'u Invocation,
        configuration: &'u Configuration,
        folder: PathBuf,
        root: PathBuf,
    ) -> Result<Unit<'u>> {
        let arguments = &invocation.arguments;
        let name = arguments.crate_name().unwrap_or_default().to_owned();
        let unit = arguments.unit().unwrap_or_else(|| name.clone());
        let files = module_files(&root)?;
        let files = match configuration.purpose {
            // In-situ tests stay if they are recorded themselves, or if nothing is inserted into
            // their code.
            Purpose::Observing | Purpose::Checking(_) => files,
            Purpose::Watching => plan::as_watched(files),
        };
        let krate = Crate {
            package: env::var("CARGO_PKG_NAME").unwrap_or_else(|_| name.clone()),
            name: name.clone(),
            edition: arguments.value("--edition").unwrap_or("2015").to_owned(),
            workspace: configuration.names.clone(),
            has_serde: arguments.has_extern("serde"),
        };
        let plan = match &configuration.purpose {
            Purpose::Watching => plan::plan(&krate, &files, &configuration.wanted),
            Purpose::Checking(path) => {
                plan::plan_checks(&krate, &files, &configuration.wanted, &read_checks(path)?)
            }
            Purpose::Observing => plan::plan_observations(&krate, &files, &configuration.wanted),
        };
        // Pieces that the compiler rejected in other code are not relevant for this one.
        let texts = fingerprint(&files);
        let rejected_file = configuration
            .folder
            .join("rejected")
            .join(format!("{}-{name}-{texts:016x}", krate.package));
        let rejected = read_rejected(&rejected_file);
        let swap = configuration.folder.join("swap").join(&unit);
        let index = UnitIndex {
            unit,
            package: krate.package,
            ..UnitIndex::default()
        };
        Ok(Unit {
            invocation,
            configuration,
            folder,
            files,
            plan,
            swap,
            index,
            rejected,
            rejected_file,
        })
    }

    /// Compiles the instrumented unit. Returns `false` if it must be compiled without
    /// instrumentation, and writes the reason to the index.
    fn compile(mut self) -> Result<bool> {
        let why = match self.settle() {
            Ok(true) => return Ok(true),
            Ok(false) => "the compiler rejects it for other reasons".to_owned(),
            Err(error) => format!("{error:#}"),
        };
        self.index.not_instrumented = Some(why);
        self.index.write(&self.configuration.index_folder())?;
        Ok(false)
    }

    /// Compiles repeatedly until the compiler accepts the unit. Returns `false` if its errors are
    /// not caused by the instrumentation.
    fn settle(&mut self) -> Result<bool> {
        let arguments = self.arguments()?;
        let mut pieces = Pieces {
            files: &self.files,
            plan: &self.plan,
            swap: &self.swap,
            folder: &self.folder,
            compile: &|| process::run(&mut self.invocation.compiler(&arguments), None),
            note: &|rejected| self.note_rejected(rejected),
            max_rounds: MAX_ROUNDS,
            rejected: self.rejected.clone(),
            woven: WovenFiles::new(),
        };
        let settled = settle(&mut pieces)?;
        self.rejected = pieces.rejected;
        if let Ok(accepted) = &settled {
            self.finish(accepted)?;
        }
        Ok(settled.is_ok())
    }

    fn arguments(&self) -> Result<RustcArguments> {
        let mut arguments = self.invocation.arguments.clone();
        let at = arguments
            .root_position()
            .context("finding the root among the compiler's arguments")?;
        arguments.0[at] = self.swap.join(&self.files[0].path).into();
        cap_lints(&mut arguments.0);
        arguments.without_pictures();
        less_debug_information(&mut arguments.0);
        self.configuration.link(&mut arguments);
        let mut library = OsString::from("situ_recorder=");
        library.push(&self.configuration.runtime.rlib);
        let mut remap = self.swap.clone().into_os_string();
        remap.push("/=");
        arguments.0.extend([
            "--extern".into(),
            library,
            "--remap-path-prefix".into(),
            remap,
        ]);
        Ok(arguments)
    }

    /// Adds pieces to the cache of those that the compiler rejects in these files.
    fn note_rejected(&self, rejected: &BTreeMap<String, String>) -> Result<()> {
        let lines: String = rejected
            .iter()
            .map(|(key, code)| format!("{key}\t{code}\n"))
            .collect();
        if let Some(folder) = self.rejected_file.parent() {
            fs::create_dir_all(folder).context("creating the folder of rejected pieces")?;
        }
        // Units of one crate are compiled concurrently, so each only appends.
        let file = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.rejected_file);
        let mut file = file.context("opening the list of rejected pieces")?;
        file.write_all(lines.as_bytes())
            .context("writing the list of rejected pieces")
    }

    fn finish(&mut self, accepted: &AcceptedUnit) -> Result<()> {
        let index = UnitIndex::of(
            &self.index.unit,
            &self.plan,
            &accepted.dropped,
            &self.rejected,
        );
        self.index = UnitIndex {
            rounds: accepted.rounds,
            package: self.index.package.clone(),
            ..index
        };
        self.index.write(&self.configuration.index_folder())?;
        instrumented_files::tell_cargo(
            self.invocation,
            &self.swap,
            &accepted.finished.stdout,
            &accepted.finished.stderr,
        )
    }
}

fn read_checks(path: &Path) -> Result<Vec<Check>> {
    let text = fs::read_to_string(path).context("reading the expressions to check")?;
    serde_json::from_str(&text).context("parsing the expressions to check")
}

fn read_rejected(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(key, code)| (key.into(), code.into()))
        .collect()
}

/// Reduces debug information to line tables, which backtraces need. The rest takes a good part of
/// the compiler's time, and nobody debugs the copy.
fn less_debug_information(arguments: &mut Vec<OsString>) {
    let has_all = |word: &OsString| {
        matches!(
            word.to_str(),
            Some("debuginfo=2" | "debuginfo=full" | "-Cdebuginfo=2")
        )
    };
    if arguments.iter().any(has_all) {
        arguments.push("-Cdebuginfo=line-tables-only".into());
    }
}

/// Silences all lints, because warnings about instrumented code do not concern the user.
fn cap_lints(arguments: &mut Vec<OsString>) {
    let given = arguments.iter().position(|word| word == "--cap-lints");
    if let Some(at) = given {
        arguments.drain(at..(at + 2).min(arguments.len()));
    }
    arguments.retain(|word| !word.to_string_lossy().starts_with("--cap-lints="));
    arguments.push("--cap-lints=allow".into());
}
