//! The manifest and the small files of a fuzzing project.

use super::Export;
use crate::base::user_error;
use crate::cargo::manifest::SituSource;
use crate::cargo::workspace::{Workspace, folder_of};
use anyhow::Result;
use cargo_metadata::{Dependency, DependencyKind, Package, Target};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Versions of what fuzzers need.
const LIBFUZZER: &str = "0.4";
const AFL: &str = "0.18";

/// The build script, which sets the `cfg` and the purpose of the project.
const BUILD_SCRIPT: &str = r#"//! Makes the theories part of this build, for a fuzzer to call.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=test");
    println!("cargo::rustc-env=SITU_EXPLORED_BUILD=fuzz,answers");
}
"#;

/// The explorer under the name that instrumented sources use.
const EXPLORER: &str = "//! What makes values of bytes.\n\npub use situ_recorder::explore::*;\n";

/// Adds all files that are no sources.
pub(super) fn add(
    export: &mut Export,
    workspace: &Workspace,
    package: &Package,
    library: Option<&Target>,
) -> Result<()> {
    let situ = situ_of(package)?;
    let manifest = manifest(export, package, library);
    let explorer = format!(
        "[package]\nname = \"situ_explore\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\nsitu-recorder = {{ {} }}\n",
        runtime_fields(situ, &export.folder.join("situ_explore"), workspace)
    );
    let files = [
        ("Cargo.toml", manifest),
        ("build.rs", BUILD_SCRIPT.to_owned()),
        ("situ_explore/Cargo.toml", explorer),
        ("situ_explore/src/lib.rs", EXPLORER.to_owned()),
        (
            ".gitignore",
            "target\ncorpus\nartifacts\ncoverage\nout\n".to_owned(),
        ),
        // AFL++ needs at least one seed.
        ("seeds/zero", "0".to_owned()),
    ];
    export
        .files
        .extend(files.map(|(path, text)| (PathBuf::from(path), text)));
    Ok(())
}

fn situ_of(package: &Package) -> Result<&Dependency> {
    let found = package
        .dependencies
        .iter()
        .find(|dependency| dependency.name == "situ");
    found.ok_or_else(|| user_error::input(format!("{} does not depend on situ", package.name)))
}

/// Returns the dependency on the explorer: beside `situ` if that is a folder, otherwise of the
/// version of this command.
fn runtime_fields(situ: &Dependency, from: &Path, workspace: &Workspace) -> String {
    match &situ.path {
        Some(path) => {
            let path = path
                .as_std_path()
                .parent()
                .unwrap_or(path.as_std_path())
                .join("situ-recorder");
            format!("path = {:?}", shown(from, &path, workspace))
        }
        None => match SituSource::published() {
            SituSource::Registry(version) => format!("version = {version:?}"),
            SituSource::Path(_) | SituSource::Workspace => {
                format!("version = {:?}", env!("CARGO_PKG_VERSION"))
            }
        },
    }
}

fn manifest(export: &Export, package: &Package, library: Option<&Target>) -> String {
    let mut text = format!(
        "# Written by `cargo situ explore --export fuzz`, which writes it anew.\n[package]\nname = \"{}-fuzz\"\nversion = \"0.0.0\"\n\
         edition = \"{}\"\npublish = false\n\n[package.metadata]\ncargo-fuzz = true\n\n[workspace]\n\n",
        package.name, package.edition
    );
    if let Some(library) = library {
        let root = library.src_path.file_name().unwrap_or("lib.rs");
        let _ = writeln!(
            text,
            "[lib]\nname = \"{}\"\npath = \"src/{root}\"\ntest = false\ndoctest = false\n",
            library.name.replace('-', "_")
        );
    }
    text.push_str(&features(package));
    text.push_str("[dependencies]\n");
    text.push_str("situ_explore = { path = \"situ_explore\" }\n");
    let _ = writeln!(
        text,
        "libfuzzer-sys = {{ version = \"{LIBFUZZER}\", optional = true }}"
    );
    let _ = writeln!(text, "afl = {{ version = \"{AFL}\", optional = true }}");
    for dependency in dependencies(package) {
        let _ = writeln!(text, "{}", dependency_line(&dependency, export, package));
    }
    // The build script sets `test` on purpose; the sources are copies whose lints were checked at
    // their origin.
    text.push_str(
        "\n[lints.rust]\nexplicit_builtin_cfgs_in_flags = \"allow\"\nunexpected_cfgs = \"allow\"\n",
    );
    text.push_str(
        "\n[profile.release]\ndebug = 1\ndebug-assertions = true\noverflow-checks = true\n",
    );
    for target in &export.targets {
        let (name, root) = (&target.name, target.root.display());
        let _ = write!(
            text,
            "\n[[bin]]\nname = \"{name}\"\npath = \"{root}\"\ntest = false\ndoc = false\nbench = false\n"
        );
    }
    text
}

fn features(package: &Package) -> String {
    let mut text = "[features]\n".to_owned();
    let mut of_package: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, enabled) in &package.features {
        of_package.insert(name, enabled.clone());
    }
    of_package
        .entry("default")
        .or_default()
        .push("libfuzzer".to_owned());
    of_package.insert("libfuzzer", vec!["dep:libfuzzer-sys".to_owned()]);
    of_package.insert("afl", vec!["dep:afl".to_owned()]);
    for (name, enabled) in of_package {
        let _ = writeln!(text, "{name} = {enabled:?}");
    }
    text + "\n"
}

/// Returns dependencies and dev-dependencies, each once, with the features of both;
/// platform-specific ones are left out.
fn dependencies(package: &Package) -> Vec<Dependency> {
    let mut all: BTreeMap<String, Dependency> = BTreeMap::new();
    let wanted = package
        .dependencies
        .iter()
        .filter(|one| one.kind != DependencyKind::Build && one.target.is_none());
    for dependency in wanted {
        let name = dependency
            .rename
            .clone()
            .unwrap_or_else(|| dependency.name.clone());
        match all.get_mut(&name) {
            Some(known) => {
                known.features.extend(dependency.features.iter().cloned());
                known.uses_default_features |= dependency.uses_default_features;
                known.optional &= dependency.optional;
            }
            None => drop(all.insert(name, dependency.clone())),
        }
    }
    all.into_values().collect()
}

fn dependency_line(dependency: &Dependency, export: &Export, package: &Package) -> String {
    let name = dependency.rename.as_ref().unwrap_or(&dependency.name);
    let mut fields = Vec::new();
    if dependency.rename.is_some() {
        fields.push(format!("package = {:?}", dependency.name));
    }
    match &dependency.path {
        Some(path) => {
            let near = folder_of(package);
            let path = relative(&export.folder, path.as_std_path(), near);
            fields.push(format!("path = {path:?}"));
        }
        None => fields.push(format!("version = {:?}", dependency.req.to_string())),
    }
    let mut features = dependency.features.clone();
    // Theories exist only with this feature.
    if dependency.name == "situ" {
        features.push("test".to_owned());
    }
    features.sort();
    features.dedup();
    if !features.is_empty() {
        fields.push(format!("features = {features:?}"));
    }
    if !dependency.uses_default_features {
        fields.push("default-features = false".to_owned());
    }
    if dependency.optional {
        fields.push("optional = true".to_owned());
    }
    format!("{name} = {{ {} }}", fields.join(", "))
}

fn shown(from: &Path, path: &Path, workspace: &Workspace) -> String {
    relative(from, path, workspace.root())
}

/// Returns a path for a manifest in `from`: relative if both are below `common`.
fn relative(from: &Path, path: &Path, common: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let text = match (from.strip_prefix(common), path.strip_prefix(common)) {
        (Ok(from), Ok(to)) => from
            .components()
            .map(|_| "..")
            .collect::<PathBuf>()
            .join(to),
        _ => path,
    };
    text.to_string_lossy().replace('\\', "/")
}
