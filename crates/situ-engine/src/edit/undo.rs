//! Takes back the last change of the user's files.

use super::changes::FileChange;
use super::write;
use crate::fault;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// What is kept of one change.
#[derive(Serialize, Deserialize)]
struct Record {
    /// The workspace: several may share a target folder.
    root: PathBuf,
    files: Vec<KeptFile>,
}

#[derive(Serialize, Deserialize)]
struct KeptFile {
    path: PathBuf,
    before: String,
    after: String,
    /// There was no such file.
    #[serde(default)]
    is_new: bool,
}

/// Keeps what is needed to take a change back; gives the file it is kept in.
pub fn keep(workspace: &Workspace, files: &[FileChange]) -> Result<PathBuf> {
    let folder = folder(workspace);
    fs::create_dir_all(&folder).context("making the folder of changes")?;
    let kept = files.iter().map(|file| KeptFile {
        path: file.path.clone(),
        before: file.before.clone(),
        after: file.after.clone(),
        is_new: file.is_new,
    });
    let record = Record { root: workspace.root().to_path_buf(), files: kept.collect() };
    let text = serde_json::to_string(&record).context("writing down a change")?;
    let (path, mut file) = next_record(&folder).context("keeping a change")?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).context("keeping a change")?;
    Ok(path)
}

/// Takes back the last change: every file gets the bytes back that it had. Refuses, and changes nothing, if one of them
/// has been edited since. Gives the files, relative to the root of the workspace.
pub fn undo(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let Some((path, record)) = last_record(workspace) else {
        return Err(fault::input("there is nothing to undo: no change was written since the target folder was made"));
    };
    let (mut back, mut new) = (Vec::new(), Vec::new());
    let mut edited = Vec::new();
    for kept in record.files {
        let now = fs::read(workspace.root().join(&kept.path)).unwrap_or_default();
        if now == kept.after.as_bytes() && kept.is_new {
            new.push(kept.path);
        } else if now == kept.after.as_bytes() {
            back.push(FileChange { path: kept.path, before: kept.after, after: kept.before, is_new: false });
        } else if now != kept.before.as_bytes() {
            edited.push(kept.path.display().to_string());
        }
    }
    if !edited.is_empty() {
        let text = format!("edited since the change was written: {}; nothing was undone", edited.join(", "));
        return Err(fault::input(text));
    }
    write::stage(workspace.root(), &back)?.finish()?;
    for path in &new {
        let path = workspace.root().join(path);
        fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        // The folder goes too where it was made for the file; where something else is in it, it stays.
        let _ = path.parent().map(fs::remove_dir);
    }
    fs::remove_file(&path).context("forgetting the change that was undone")?;
    Ok(back.into_iter().map(|file| file.path).chain(new).collect())
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.situ_folder().join("undo")
}

/// A new file behind all that are there. Another process that shares the folder may take the same number.
fn next_record(folder: &Path) -> std::io::Result<(PathBuf, File)> {
    let mut number = numbers(folder).last().map_or(1, |last| last + 1);
    loop {
        let path = folder.join(format!("{number}.json"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// The last change of this workspace.
fn last_record(workspace: &Workspace) -> Option<(PathBuf, Record)> {
    let folder = folder(workspace);
    numbers(&folder).into_iter().rev().find_map(|number| {
        let path = folder.join(format!("{number}.json"));
        let record: Record = serde_json::from_str(&fs::read_to_string(&path).ok()?).ok()?;
        (record.root == workspace.root()).then_some((path, record))
    })
}

/// The numbers of all changes that can be taken back, the last one last.
fn numbers(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_str().map(str::to_owned));
    let mut numbers: Vec<u64> = names.filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}
