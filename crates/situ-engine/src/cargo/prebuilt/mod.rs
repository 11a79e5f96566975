//! The library `situ`, prebuilt for copies of a workspace: compiled in a second, without a parser
//! of Rust.
//!
//! A crate that depends on `situ` in the ordinary way compiles the expansion of in-situ tests and
//! its dependencies first, which takes many times as long as most crates do. The command already
//! contains the expansion. It compiles only what expanded tests call, and a macro crate that asks
//! the command for expansions. Its compiler wrapper passes both to the user's crates, so that their
//! manifests do not change.

mod expander;

use super::manifest::SituSource;
use super::runtime::kept;
use super::workspace::{Workspace, rustc};
use super::wrapper::{self, Installed, Invocation, RustcArguments};
use crate::base::process;
use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use situ::sources::SOURCES;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

pub use expander::serve;

/// Mode of the compiler wrapper that compiles a unit with the prebuilt library.
pub const MODE: &str = "lend";
/// Mode in which the macro crate starts this program.
pub const EXPANDER_MODE: &str = "expand";
/// Source of the macro crate.
const ASKING: &str = include_str!("asking.rs");
/// Variable from which the macro crate reads the path of the expander when it is compiled.
const EXPANDER: &str = "SITU_EXPANDER";

/// Compiled library `situ` with its macros.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lent {
    /// Folder with the library and its macros.
    folder: PathBuf,
    rlib: PathBuf,
    /// Version of this program. It changes whenever the expansion of macros may change.
    version: String,
}

/// Configuration of the compiler wrapper.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Configuration {
    lent: Lent,
    /// Whether test programs are only checked, not linked.
    only_checks: bool,
}

/// Compiled library with the compiler wrappers that pass it to the user's crates.
#[derive(Clone, Debug)]
pub struct Lending {
    pub lent: Lent,
    wrapper: Installed,
    checking: Installed,
}

impl Lending {
    /// Compiles the library for a workspace unless it is up to date. Returns `None` if a crate of
    /// the workspace depends on `situ` already, or if `source` is another version of it.
    pub fn to(
        workspace: &Workspace,
        source: &SituSource,
        program: &Path,
    ) -> Result<Option<Lending>> {
        if knows_situ(workspace) || !is_own(source) {
            return Ok(None);
        }
        let folder = workspace.library_folder();
        let lent = Lent::compiled(&folder, program)?;
        let install = |only_checks: bool| {
            wrapper::install(
                &folder,
                program,
                MODE,
                &Configuration {
                    lent: lent.clone(),
                    only_checks,
                },
            )
        };
        let (wrapper, checking) = (install(false)?, install(true)?);
        Ok(Some(Lending {
            lent,
            wrapper,
            checking,
        }))
    }

    /// Makes a cargo command compile the user's crates with the library.
    pub fn apply(&self, command: &mut Command) {
        self.wrapper.apply(command);
    }

    /// Makes a cargo command check the user's crates with the library. The test programs that cargo
    /// reports are empty files.
    pub fn apply_checking(&self, command: &mut Command) {
        self.checking.apply(command);
    }
}

impl Lent {
    fn compiled(library_folder: &Path, program: &Path) -> Result<Lent> {
        let version = wrapper::version_of(program);
        let expander = wrapper::install(library_folder, program, EXPANDER_MODE, &version)?;
        let (rustc, compiler) = rustc()?;
        let mut hasher = DefaultHasher::new();
        (SOURCES, ASKING, compiler, expander.path()).hash(&mut hasher);
        let folder = library_folder
            .join("lent")
            .join(format!("{:016x}", hasher.finish()));
        let lent = Lent::in_folder(folder, version);
        if !lent.is_kept() {
            lent.bring(&rustc, expander.path())?;
        }
        Ok(lent)
    }

    fn in_folder(folder: PathBuf, version: String) -> Lent {
        Lent {
            rlib: folder.join("libsitu.rlib"),
            folder,
            version,
        }
    }

    /// Compiles the library in a temporary folder and renames that, because two commands may do so
    /// at once.
    fn bring(&self, rustc: &Path, expander: &Path) -> Result<()> {
        let own = self.folder.with_extension(std::process::id().to_string());
        let _ = fs::remove_dir_all(&own);
        Lent::in_folder(own.clone(), self.version.clone()).compile(rustc, expander)?;
        if self.is_kept() {
            // Another command was faster; its result is the same.
            let _ = fs::remove_dir_all(&own);
            return Ok(());
        }
        // The folder exists but is damaged.
        let _ = fs::remove_dir_all(&self.folder).or_else(|_| fs::remove_file(&self.folder));
        let placed = fs::rename(&own, &self.folder);
        if placed.is_err() && self.is_kept() {
            let _ = fs::remove_dir_all(&own);
            return Ok(());
        }
        placed.context("moving the library to its folder")
    }

    fn compile(&self, rustc: &Path, expander: &Path) -> Result<()> {
        let sources = self.folder.join("src");
        let asking = self.folder.join("asking.rs");
        for (path, text) in SOURCES
            .iter()
            .map(|(name, text)| (sources.join(name), *text))
            .chain([(asking.clone(), ASKING)])
        {
            fs::create_dir_all(path.parent().unwrap_or(&sources))
                .context("creating the library's folder")?;
            fs::write(&path, text).context("writing the library's sources")?;
        }
        let mut macros = self.rustc(rustc, "situ_macros", "proc-macro");
        macros
            .args(["--extern=proc_macro", "-Cprefer-dynamic"])
            .arg(asking)
            .env(EXPANDER, expander);
        run(&mut macros)?;
        let mut library = self.rustc(rustc, "situ", "rlib");
        let named = format!("--extern=situ_macros={}", self.macros()?.display());
        library
            .args(["--cfg=feature=\"_in-situ\"", &named, "-o"])
            .arg(&self.rlib)
            .arg(sources.join("lib.rs"));
        run(&mut library)?;
        [self.rlib.clone(), self.macros()?]
            .iter()
            .try_for_each(|path| kept::keep(path))
            .context("keeping the library")
    }

    /// Returns whether both parts exist and are unchanged since they were compiled.
    fn is_kept(&self) -> bool {
        kept::is_kept(&self.rlib) && self.macros().is_ok_and(|macros| kept::is_kept(&macros))
    }

    fn rustc(&self, rustc: &Path, name: &str, kind: &str) -> Command {
        let mut command = Command::new(rustc);
        command.args([
            "--edition=2024",
            "--cap-lints=allow",
            "-Cdebuginfo=0",
            "-Cmetadata=situ-lent",
        ]);
        command
            .arg(format!("--crate-name={name}"))
            .arg(format!("--crate-type={kind}"));
        command.arg("--out-dir").arg(&self.folder);
        command
    }

    /// Returns the path of the macro crate, whose file name depends on the system.
    fn macros(&self) -> Result<PathBuf> {
        let name = format!(
            "{}situ_macros{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        );
        let path = self.folder.join(name);
        if !path.exists() {
            bail!("the compiler has not written {}", path.display());
        }
        Ok(path)
    }

    /// Adds the library to the arguments of a compiler call.
    pub fn name_to(&self, arguments: &mut RustcArguments) {
        arguments
            .0
            .push(format!("-Ldependency={}", self.folder.display()).into());
        arguments
            .0
            .push(format!("--extern=situ={}", self.rlib.display()).into());
    }
}

/// Compiles one unit with the library. Entry point of the compiler wrapper in the mode [`MODE`].
pub fn compile(invocation: &Invocation) -> Result<i32> {
    if invocation.arguments.is_query_or_build_script() {
        return invocation.pass_through();
    }
    let Configuration { lent, only_checks } = invocation.configuration()?;
    let mut arguments = invocation.arguments.clone();
    lent.name_to(&mut arguments);
    let program = arguments
        .program()
        .filter(|_| only_checks && arguments.is_test());
    let Some(program) = program else {
        return process::run_as_is(&mut invocation.compiler(&arguments));
    };
    arguments.emit("dep-info,metadata");
    // Only errors matter here; warnings are checked when the tests are shown.
    arguments.0.push("--cap-lints=allow".into());
    let code = process::run_as_is(&mut invocation.compiler(&arguments))?;
    if code == 0 {
        fs::write(&program, "").with_context(|| format!("writing {}", program.display()))?;
    }
    Ok(code)
}

fn run(command: &mut Command) -> Result<()> {
    let finished = process::run(command, None)?;
    if !finished.status.success() {
        bail!(
            "the library for tests does not compile:\n{}",
            finished.stderr
        );
    }
    Ok(())
}

/// Returns whether a crate of the workspace depends on `situ`, is `situ`, or inherits it.
fn knows_situ(workspace: &Workspace) -> bool {
    let packages = workspace.all_packages();
    let depends = packages
        .iter()
        .flat_map(|package| &package.dependencies)
        .any(|dependency| {
            dependency.name.as_str() == "situ" || dependency.rename.as_deref() == Some("situ")
        });
    let is_situ = packages
        .iter()
        .any(|package| package.name.as_str() == "situ");
    let manifest = fs::read_to_string(workspace.root().join("Cargo.toml")).unwrap_or_default();
    depends || is_situ || super::manifest::is_in_workspace(&manifest)
}

/// Returns whether the library from this source is the one inside this program.
fn is_own(source: &SituSource) -> bool {
    match source {
        SituSource::Registry(_) => *source == SituSource::published(),
        SituSource::Path(path) => {
            let read = |name: &str| fs::read_to_string(path.join("src").join(name)).ok();
            SOURCES
                .iter()
                .all(|(name, text)| read(name).as_deref() == Some(*text))
        }
        SituSource::Workspace => false,
    }
}
