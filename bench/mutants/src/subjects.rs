//! The crates, as published, without their benchmarks.

use crate::tools::{Tools, run};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Subject {
    pub name: &'static str,
    version: &'static str,
}

pub const SUBJECTS: &[Subject] = &[
    Subject {
        name: "shell-words",
        version: "1.1.1",
    },
    Subject {
        name: "shlex",
        version: "2.0.1",
    },
    Subject {
        name: "heck",
        version: "0.5.0",
    },
    Subject {
        name: "strsim",
        version: "0.11.1",
    },
    Subject {
        name: "semver",
        version: "1.0.28",
    },
    Subject {
        name: "humantime",
        version: "2.4.0",
    },
    Subject {
        name: "minimal-lexical",
        version: "0.2.1",
    },
];

/// The sources of a crate, fetched by a scratch project.
pub fn fetch(tools: &Tools, subject: &Subject) -> Result<PathBuf> {
    let scratch = tools.folder.join("fetch").join(subject.name);
    let sources = scratch.join("vendor").join(subject.name);
    if !sources.exists() {
        fs::create_dir_all(scratch.join("src"))?;
        fs::write(scratch.join("src/lib.rs"), "")?;
        let manifest = format!(
            "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n{} = \"={}\"\n",
            subject.name, subject.version
        );
        fs::write(scratch.join("Cargo.toml"), manifest)?;
        run(Command::new("cargo")
            .args(["vendor", "vendor"])
            .current_dir(&scratch))?;
    }
    Ok(sources)
}

/// A copy that nothing was built in, without what belongs to benchmarks.
pub fn fresh_copy(sources: &Path, purpose: &str) -> Result<PathBuf> {
    let name = sources.file_name().context("naming a copy")?;
    let copy = sources
        .ancestors()
        .nth(4)
        .context("placing a copy")?
        .join(purpose)
        .join(name);
    let _ = fs::remove_dir_all(&copy);
    copy_folder(sources, &copy)?;
    for unwanted in [
        "rust-toolchain",
        "rust-toolchain.toml",
        "Cargo.toml.orig",
        "benches",
        ".cargo-checksum.json",
    ] {
        let path = copy.join(unwanted);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
    }
    let manifest = fs::read_to_string(copy.join("Cargo.toml"))?;
    fs::write(
        copy.join("Cargo.toml"),
        without_benchmarks(&manifest) + "\n[workspace]\n",
    )?;
    Ok(copy)
}

/// The manifest without `[[bench]]` tables and the libraries that only they need.
fn without_benchmarks(manifest: &str) -> String {
    let mut kept = String::new();
    let mut keeping = true;
    for line in manifest.lines() {
        if line.starts_with('[') {
            let names = ["criterion", "bencher", "divan", "iai"];
            let library = names
                .iter()
                .any(|name| line.contains(&format!("dev-dependencies.{name}")));
            keeping = !line.starts_with("[[bench]]") && !library;
        }
        if keeping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The lines of the crate's own sources.
pub fn lines_of(sources: &Path) -> Result<usize> {
    let mut lines = 0;
    let mut open = vec![sources.join("src")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false => lines += fs::read_to_string(&path).map_or(0, |text| text.lines().count()),
            }
        }
    }
    Ok(lines)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
