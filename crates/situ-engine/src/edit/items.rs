//! Inserts whole items after items of the user's files: tests beside other tests.

use super::changes::{ChangeSet, FileChange, formatting_of, manifest_change, package_of};
use super::compose::{Preview, formatted_twice};
use super::formatting::{Formatting, keeps};
use super::{layout::Layout, patch};
use crate::cargo::manifest::Dependency;
use crate::cargo::workspace::{Workspace, folder_of};
use crate::source::lines::{dominant_ending, indent_of_line, indent_unit, line_number};
use crate::source::{Splice, apply, parse};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Item that a user can accept or reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem {
    /// Path relative to the workspace root.
    pub file: PathBuf,
    /// Byte offset of the end of the existing item after which the new one is inserted.
    pub after: usize,
    /// One or more items, in any layout, without indentation.
    pub text: String,
}

impl ChangeSet {
    /// Returns the changes for these items: their files, and the manifests of their packages.
    pub fn of_items(
        workspace: &Workspace,
        accepted: &[NewItem],
        dependency: &Dependency,
    ) -> Result<ChangeSet> {
        let mut by_file: BTreeMap<&Path, Vec<&NewItem>> = BTreeMap::new();
        for item in accepted {
            by_file.entry(&item.file).or_default().push(item);
        }
        let all = workspace.all_packages();
        let mut files = Vec::new();
        let mut folders: BTreeSet<&Path> = BTreeSet::new();
        for (path, items) in by_file {
            let before = workspace.read(path)?;
            let after = compose_items(&before, &items, &formatting_of(workspace, path))?;
            folders.extend(package_of(&all, &workspace.root().join(path)).map(folder_of));
            files.push(FileChange {
                path: path.to_path_buf(),
                before,
                after,
                is_new: false,
            });
        }
        for folder in folders {
            files.extend(manifest_change(workspace, folder, dependency)?);
        }
        Ok(ChangeSet { files })
    }
}

/// Returns the text of a file with new items. Formats the whole file if it was formatted before,
/// otherwise only the new items.
pub fn compose_items(original: &str, items: &[&NewItem], options: &Formatting) -> Result<String> {
    let plain = with_items(original, items, &|text| text.to_owned());
    let is_formatted = || {
        options
            .formatted(original)
            .is_some_and(|formatted| formatted == original)
    };
    let composed = if !options.verbatim && is_formatted() {
        formatted_twice(&plain, options).filter(|formatted| keeps(original, &plain, formatted))
    } else {
        None
    };
    let composed = composed.unwrap_or_else(|| {
        let formatted = |text: &str| {
            Some(text)
                .filter(|_| !options.verbatim)
                .and_then(|text| options.formatted(text))
        };
        with_items(original, items, &|text| {
            formatted(text).unwrap_or_else(|| text.to_owned())
        })
    });
    parse(&composed).context("reading the file with its new tests")?;
    Ok(composed)
}

/// Inserts texts at bytes of a file. Formats the whole file if it was formatted before.
pub fn compose_insertions(
    original: &str,
    insertions: &[(usize, String)],
    options: &Formatting,
) -> Result<String> {
    let ending = dominant_ending(original);
    let splices: Vec<Splice> = insertions
        .iter()
        .map(|(at, text)| Splice {
            range: *at..*at,
            text: text.replace('\n', ending),
        })
        .collect();
    let plain = apply(original, &splices);
    let is_formatted = options
        .formatted(original)
        .is_some_and(|formatted| formatted == original);
    let formatted = match is_formatted {
        true => formatted_twice(&plain, options).filter(|text| keeps(original, &plain, text)),
        false => None,
    };
    let composed = formatted.unwrap_or(plain);
    parse(&composed).context("reading the file with its new tests")?;
    Ok(composed)
}

/// Shows a new item in its context.
pub fn preview_item(original: &str, item: &NewItem, options: &Formatting) -> Result<Preview> {
    let composed = compose_items(original, &[item], options)?;
    Ok(Preview {
        line: line_number(original, item.after),
        hunk: patch::hunks(original, &composed),
    })
}

fn with_items(original: &str, items: &[&NewItem], formatted: &dyn Fn(&str) -> String) -> String {
    let (ending, unit) = (dominant_ending(original), indent_unit(original));
    let insert = |item: &&NewItem| {
        let indent = indent_of_line(original, item.after);
        let indent = if indent.contains('\t') && unit != "\t" {
            "\t"
        } else {
            indent
        };
        let text = Layout::of(formatted(&item.text).trim_end(), "").written(indent, ending);
        Splice {
            range: item.after..item.after,
            text: format!("{ending}{ending}{text}"),
        }
    };
    let splices: Vec<Splice> = items.iter().map(insert).collect();
    apply(original, &splices)
}
