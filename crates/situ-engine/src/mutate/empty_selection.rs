//! Explains why a selection of mutants is empty. An argument that matches nothing is the user's
//! mistake, and the message lists alternatives.

use super::inventory::Unreadable;
use super::mutant::{FileMutants, Mutant};
use super::select::{Diff, Wanted};
use crate::base::user_error;
use crate::base::words;
use crate::source::{NamedPlace, nearest_names};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Maximum number of alternatives in a message.
const NAMED: usize = 3;

/// Returns an error if an argument of the selection matches nothing. `root` is the workspace root.
pub(super) fn check(
    wanted: &Wanted,
    files: &[FileMutants],
    unreadable: &[Unreadable],
    root: &Path,
) -> Result<()> {
    for (said, place) in &wanted.places {
        if let Some(file) = unreadable
            .iter()
            .find(|file| place.is_in(&file.path, std::iter::empty()))
        {
            return Err(user_error::input(format!(
                "`--in {said}`: {} cannot be read: {}",
                file.path.display(),
                file.why
            )));
        }
        check_place(said, place, files)?;
    }
    let mutants = || {
        files
            .iter()
            .flat_map(|file| file.mutants.iter().map(move |mutant| (file, mutant)))
    };
    if !mutants().any(|(file, mutant)| wanted.is_named(file, mutant)) && !wanted.places.is_empty() {
        return Err(no_mutant_there(wanted, files));
    }
    if let Some(diff) = &wanted.diff {
        check_diff(diff, files, root)?;
    }
    if let Some(report) = &wanted.report
        && report.has_lines
        && !mutants().any(|(file, mutant)| wanted.is_reported(file, mutant))
    {
        let path = report.path.display();
        let what = "give it lines that `--json` printed for code as it is now";
        return Err(user_error::input(format!(
            "`--again {path}`: it names no existing mutant; {what}"
        )));
    }
    Ok(())
}

/// Returns an error unless a place is a file, folder, line or function of the selected packages.
fn check_place(said: &str, place: &NamedPlace, files: &[FileMutants]) -> Result<()> {
    let functions = |file: &FileMutants| {
        file.functions
            .iter()
            .filter(|function| !function.is_generated)
            .map(|function| function.name.clone())
            .collect::<Vec<_>>()
    };
    let known =
        |file: &&FileMutants| place.is_in(&file.path, functions(file).iter().map(String::as_str));
    let Some(file) = files.iter().find(known) else {
        let answer = match place {
            NamedPlace::Function(_) => {
                let names: Vec<String> = files.iter().flat_map(functions).collect();
                format!(
                    "the selected packages have no such function{}",
                    alike(said, &names)
                )
            }
            NamedPlace::Path(_) | NamedPlace::Line(..) => {
                let names: Vec<String> = files
                    .iter()
                    .map(|file| file.path.display().to_string())
                    .collect();
                format!(
                    "the selected packages have no such file or folder{}",
                    alike(said, &names)
                )
            }
        };
        return Err(user_error::input(format!("`--in {said}`: {answer}")));
    };
    match place {
        NamedPlace::Line(_, line) if *line == 0 || *line > file.line_count => {
            let (path, count) = (file.path.display(), file.line_count);
            Err(user_error::input(format!(
                "`--in {said}`: {path} has {}",
                words::count(count, "line")
            )))
        }
        _ => Ok(()),
    }
}

/// Formats the names that are most similar to a misspelt one.
fn alike(said: &str, names: &[String]) -> String {
    let said = said
        .rsplit_once(".rs:")
        .map_or(said.to_owned(), |(file, _)| format!("{file}.rs"));
    let nearest = nearest_names(&said, names.iter().map(String::as_str), NAMED);
    let nearest: Vec<String> = nearest
        .into_iter()
        .map(|name| format!("`{name}`"))
        .collect();
    if nearest.is_empty() {
        String::new()
    } else {
        format!("; there are {}", nearest.join(", "))
    }
}

/// Returns the error for existing places without any mutant.
fn no_mutant_there(wanted: &Wanted, files: &[FileMutants]) -> anyhow::Error {
    let said: Vec<String> = wanted
        .places
        .iter()
        .map(|(said, _)| format!("`--in {said}`"))
        .collect();
    let near = match wanted.places.as_slice() {
        [(_, NamedPlace::Line(path, line))] => {
            let own = files
                .iter()
                .filter(|file| file.path.ends_with(path))
                .flat_map(|file| &file.mutants);
            let lines: Vec<usize> = own.map(|mutant: &Mutant| mutant.line).collect();
            let before = lines.iter().filter(|other| *other < line).max();
            let behind = lines.iter().filter(|other| *other > line).min();
            let near: Vec<String> = before
                .into_iter()
                .chain(behind)
                .map(|line| format!("line {line}"))
                .collect();
            if near.is_empty() {
                String::new()
            } else {
                format!("; the nearest are on {}", near.join(" and "))
            }
        }
        _ => "; test code and code marked to be skipped have none".to_owned(),
    };
    user_error::input(format!("{}: no mutant there{near}", said.join(", ")))
}

/// Returns an error if no path of a diff is an existing file. Files without mutants are no error,
/// because many changes are in texts and tests.
fn check_diff(diff: &Diff, files: &[FileMutants], root: &Path) -> Result<()> {
    let path = diff.path.display();
    let changed = match &diff.changed {
        Some(changed) => changed,
        None => {
            return Err(user_error::input(format!(
                "`--in-diff {path}`: this is not a unified diff; make one with `git diff`"
            )));
        }
    };
    let sources: Vec<&PathBuf> = changed
        .iter()
        .map(|(path, _)| path)
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect();
    let is_source = |path: &PathBuf| files.iter().any(|file| path.ends_with(&file.path));
    let exists = |path: &PathBuf| root.ancestors().any(|folder| folder.join(path).exists());
    let Some(lost) = sources.iter().find(|path| !exists(path)) else {
        return Ok(());
    };
    if sources.iter().any(|path| is_source(path)) {
        return Ok(());
    }
    let names: Vec<String> = files
        .iter()
        .map(|file| file.path.display().to_string())
        .collect();
    let lost = lost.display().to_string();
    Err(user_error::input(format!(
        "`--in-diff {path}`: the selected packages have no file `{lost}`{}; paths of a diff begin at the repository, so make it without `--relative`",
        alike(&lost, &names)
    )))
}
