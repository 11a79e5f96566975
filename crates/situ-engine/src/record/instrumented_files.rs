//! Writes the instrumented files of a unit where the compiler finds them, and hides them from
//! cargo.

use super::plan::{Plan, weave};
use super::settle::WovenFiles;
use crate::cargo::wrapper::Invocation;
use crate::source::{SourceFile, write_swap_folder};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Inserts all pieces but the dropped ones into a unit's files, and writes these to a folder that
/// mirrors the user's.
pub(crate) fn write(
    files: &[SourceFile],
    plan: &Plan,
    dropped: &BTreeSet<usize>,
    swap: &Path,
    folder: &Path,
) -> Result<WovenFiles> {
    let mut woven = WovenFiles::new();
    let mut texts = Vec::new();
    for (file, insertions) in files.iter().zip(&plan.insertions) {
        let result = weave(&file.text, insertions, &plan.pieces, dropped);
        texts.push((file.path.clone(), result.text.clone()));
        woven.insert(file.path.to_string_lossy().into_owned(), result);
    }
    write_swap_folder(swap, folder, &texts)?;
    Ok(woven)
}

/// Prints the messages that cargo expects after a successful compilation. Makes cargo track the
/// user's own files, not the instrumented ones.
pub(crate) fn tell_cargo(
    invocation: &Invocation,
    swap: &Path,
    stdout: &str,
    stderr: &str,
) -> Result<()> {
    restore_dependency_list(invocation, swap)?;
    print!("{stdout}");
    // Cargo waits for the messages about finished files. Warnings about instrumented code are
    // useless.
    let notices = stderr
        .lines()
        .filter(|line| line.contains("\"artifact\"") && !line.contains("\"spans\""));
    notices.for_each(|line| eprintln!("{line}"));
    Ok(())
}

fn restore_dependency_list(invocation: &Invocation, swap: &Path) -> Result<()> {
    let Some(path) = invocation.arguments.dep_info().filter(|path| path.exists()) else {
        return Ok(());
    };
    let text = fs::read_to_string(&path).context("reading the list of dependencies")?;
    let swapped = format!("{}/", swap.display()).replace(' ', "\\ ");
    fs::write(&path, text.replace(&swapped, "")).context("writing the list of dependencies")
}
