//! Brings the sources of subjects from the registry and makes them ready: no pinned toolchain, no benchmarks.

use crate::list::Subject;
use anyhow::{Context as _, Result, bail};
use situ_engine::base::process;
use situ_engine::cargo::workspace::cargo;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item};

/// Libraries that only benchmarks need; they dominate a cold build.
const BENCHMARKING: &[&str] = &[
    "criterion",
    "bencher",
    "divan",
    "iai",
    "iai-callgrind",
    "codspeed-criterion-compat",
];

/// A subject with its own copy of its sources.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The subject.
    pub subject: Subject,
    /// Its folder, or why there is none.
    pub folder: Result<PathBuf, String>,
}

/// Brings all subjects below a folder. One that cannot be brought is told, the others are.
pub fn prepare(subjects: &[Subject], work: &Path) -> Result<Vec<Prepared>> {
    let work = work.to_path_buf();
    fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
    let work = work.canonicalize().context("finding the working folder")?;
    let missing: Vec<&Subject> = subjects
        .iter()
        .filter(|subject| !vendored(&work, subject).exists())
        .collect();
    let mut failures = Vec::new();
    if !missing.is_empty() && bring(&missing, &work).is_err() {
        // One bad name spoils the whole call: bring them one by one to find it.
        for subject in missing {
            if let Err(error) = bring(&[subject], &work) {
                failures.push((subject.name.clone(), format!("{error:#}")));
            }
        }
    }
    let prepared = subjects.iter().map(|subject| {
        let failed = failures.iter().find(|(name, _)| *name == subject.name);
        let folder = match failed {
            Some((_, reason)) => Err(reason.clone()),
            None => copy(subject, &work).map_err(|error| format!("{error:#}")),
        };
        Prepared {
            subject: subject.clone(),
            folder,
        }
    });
    Ok(prepared.collect())
}

fn vendored(work: &Path, subject: &Subject) -> PathBuf {
    work.join("vendor")
        .join(format!("{}-{}", subject.name, subject.version))
}

fn bring(subjects: &[&Subject], work: &Path) -> Result<()> {
    let scratch = work.join("scratch");
    fs::create_dir_all(scratch.join("src")).context("making the scratch project")?;
    let mut manifest =
        "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n".to_owned();
    for subject in subjects {
        // A table of its own each: programs cannot be dependencies, but their sources come all the same.
        let _ = writeln!(
            manifest,
            "[dependencies.{0}]\nversion = \"={1}\"\n",
            subject.name, subject.version
        );
    }
    fs::write(scratch.join("Cargo.toml"), manifest).context("writing the scratch manifest")?;
    fs::write(scratch.join("src/lib.rs"), "").context("writing the scratch library")?;
    let _ = fs::remove_file(scratch.join("Cargo.lock"));
    let mut command = cargo();
    command
        .current_dir(&scratch)
        .args(["vendor", "--versioned-dirs", "--no-delete"])
        .arg(work.join("vendor"));
    let finished = process::run(&mut command, None)?;
    if !finished.status.success() {
        bail!(
            "cargo vendor: {}",
            finished.stderr.lines().last().unwrap_or_default()
        );
    }
    Ok(())
}

fn copy(subject: &Subject, work: &Path) -> Result<PathBuf> {
    let folder = work.join(format!("{}-{}", subject.name, subject.version));
    if folder.exists() {
        return Ok(folder);
    }
    let unfinished = work.join(format!(".{}-{}", subject.name, subject.version));
    let _ = fs::remove_dir_all(&unfinished);
    copy_tree(&vendored(work, subject), &unfinished)?;
    for name in [
        "rust-toolchain",
        "rust-toolchain.toml",
        "Cargo.toml.orig",
        ".cargo-checksum.json",
    ] {
        let _ = fs::remove_file(unfinished.join(name));
    }
    strip_benchmarks(&unfinished.join("Cargo.toml"))?;
    fs::rename(&unfinished, &folder).context("putting a subject in place")?;
    Ok(folder)
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("making {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("listing {}", from.display()))? {
        let entry = entry.context("listing a subject")?;
        let target = to.join(entry.file_name());
        if entry.file_type().context("looking at a file")?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("copying {}", entry.path().display()))?;
        }
    }
    Ok(())
}

fn strip_benchmarks(manifest: &Path) -> Result<()> {
    let text = fs::read_to_string(manifest).context("reading a manifest")?;
    let mut document: DocumentMut = text.parse().context("understanding a manifest")?;
    document.remove("bench");
    strip_dependencies(document.get_mut("dev-dependencies"));
    if let Some(Item::Table(targets)) = document.get_mut("target") {
        for (_, target) in targets.iter_mut() {
            strip_dependencies(target.get_mut("dev-dependencies"));
        }
    }
    // The package's lock file may still name what was removed; cargo brings it up to date in its own copy.
    fs::write(manifest, document.to_string()).context("writing a manifest")
}

fn strip_dependencies(dependencies: Option<&mut Item>) {
    if let Some(dependencies) = dependencies.and_then(Item::as_table_like_mut) {
        for name in BENCHMARKING {
            dependencies.remove(name);
        }
    }
}
