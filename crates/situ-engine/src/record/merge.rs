//! Merges recordings that were made elsewhere into one folder. Reports those that cannot be used,
//! with the reason.

use super::close;
use super::read::files_in;
use super::secrets::Unusable;
use anyhow::{Context as _, Result};
use situ_recorder::recording::{Unreadable, read};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Result of merging.
#[derive(Debug, Default)]
pub struct Merged {
    /// Number of copied files.
    pub files: usize,
    pub left_out: Vec<LeftOut>,
}

/// Folder or file that is not merged.
#[derive(Debug)]
pub enum LeftOut {
    /// Folder without recordings.
    NoRecording(PathBuf),
    /// Folder whose secrets cannot be read, so that nothing of it may be copied.
    Secrets(Unusable),
    /// File that is no recording, or one of another version.
    File(Unreadable),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::NoRecording(folder) => {
                write!(f, "there is no recording in {}", folder.display())
            }
            LeftOut::Secrets(unusable) => unusable.fmt(f),
            LeftOut::File(unreadable) => unreadable.fmt(f),
        }
    }
}

/// Copies the recordings of folders into another one. Skips files that cannot be used.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<Merged> {
    let mut merged = Merged::default();
    for folder in folders {
        let files = files_in(folder);
        if files.is_empty() {
            merged.left_out.push(LeftOut::NoRecording(folder.clone()));
            continue;
        }
        if let Err(unusable) = close::learn_from_elsewhere(folder) {
            merged.left_out.push(LeftOut::Secrets(unusable));
            continue;
        }
        for file in files {
            if let Err(unreadable) = read(&file) {
                merged.left_out.push(LeftOut::File(unreadable));
                continue;
            }
            fs::create_dir_all(into).context("creating the recording's folder")?;
            close::copy_closed(&file, &into.join(file.file_name().unwrap_or_default()))?;
            merged.files += 1;
        }
    }
    files_in(into)
        .iter()
        .try_for_each(|file| close::withhold_in(file))?;
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::{LeftOut, merge};
    use situ_recorder::recording::{EXTENSION, header};
    use std::fs;

    #[test]
    fn what_cannot_be_read_keeps_nothing_else_away() {
        let all = tempfile::tempdir().unwrap();
        let (from, empty, into) = (
            all.path().join("from"),
            all.path().join("empty"),
            all.path().join("into"),
        );
        fs::create_dir_all(&from).unwrap();
        fs::create_dir_all(&empty).unwrap();
        fs::write(from.join(format!("a.{EXTENSION}")), "no recording").unwrap();
        fs::write(from.join(format!("b.{EXTENSION}")), header()).unwrap();
        let merged = merge(&[empty.clone(), from.clone()], &into).unwrap();
        assert_eq!(merged.files, 1);
        assert!(
            into.join(format!("b.{EXTENSION}")).exists()
                && !into.join(format!("a.{EXTENSION}")).exists()
        );
        let said: Vec<String> = merged.left_out.iter().map(LeftOut::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[0].contains("empty") && said[1].contains(&format!("a.{EXTENSION}")),
            "{said:?}"
        );
        assert_eq!(merge(&[empty], &all.path().join("none")).unwrap().files, 0);
        assert!(
            !all.path().join("none").exists(),
            "nothing is made for nothing"
        );
    }
}
