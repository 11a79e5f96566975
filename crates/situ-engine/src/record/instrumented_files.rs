//! A unit's woven files: written where the compiler finds them, and hidden from cargo again.

use super::plan::{Plan, weave};
use super::settle::WovenFiles;
use crate::cargo::wrapper::Invocation;
use crate::source::{SourceFile, write_swap_folder};
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Weaves all pieces but the dropped ones into a unit's files, and writes these to a folder that looks like the user's.
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

/// Tells cargo what it waits for after a compilation that succeeded. It must watch the user's own files, not the swapped
/// ones.
pub(crate) fn tell_cargo(
    invocation: &Invocation,
    swap: &Path,
    stdout: &str,
    stderr: &str,
) -> Result<()> {
    restore_dependency_list(invocation, swap)?;
    print!("{stdout}");
    // Cargo waits for the notices about finished files; warnings about instrumented code are of no use.
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
