//! Writes several files, all or none; new ones too.

use super::changes::FileChange;
use crate::fault;
use anyhow::{Context as _, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process;

/// Files whose new text stands beside them already.
pub struct Staged {
    files: Vec<StagedFile>,
}

struct StagedFile {
    /// As the user knows it.
    shown: PathBuf,
    /// The file itself, behind any links.
    path: PathBuf,
    /// Its new text.
    beside: PathBuf,
    /// Its old text, should another file fail.
    before: String,
    /// There was no such file.
    is_new: bool,
    done: bool,
}

/// Puts the new text of every file beside it. Nothing of the user's is changed yet, and nothing is left if one cannot
/// be changed: because it is not what it was when it was read, or because it may not be written.
pub fn stage(root: &Path, files: &[FileChange]) -> Result<Staged> {
    let mut staged = Staged { files: Vec::new() };
    for file in files {
        let is_new = file.is_new;
        let path = if is_new { place_of_new(root, &file.path)? } else { resolve(root, &file.path)? };
        if !is_new {
            check_unchanged(&file.path, &path, &file.before)?;
            check_writable(&file.path, &path)?;
        }
        let beside = beside(&path);
        staged.files.push(StagedFile {
            shown: file.path.clone(),
            path: path.clone(),
            beside: beside.clone(),
            before: file.before.clone(),
            is_new,
            done: false,
        });
        let like = if is_new { root.join("Cargo.toml") } else { path };
        write_new(&beside, &like, &file.after).map_err(|error| not_writable(&file.path, &error))?;
    }
    Ok(staged)
}

impl Staged {
    /// Puts every new file in the place of the old one.
    pub fn finish(mut self) -> Result<()> {
        for number in 0..self.files.len() {
            let file = &mut self.files[number];
            match fs::rename(&file.beside, &file.path) {
                Ok(()) => file.done = true,
                Err(error) => {
                    let failed = not_writable(&file.shown, &error);
                    self.restore()?;
                    return Err(failed);
                }
            }
        }
        self.files.iter().filter_map(|file| file.path.parent()).for_each(sync_folder);
        Ok(())
    }

    /// Takes back what was done.
    fn restore(&self) -> Result<()> {
        for file in self.files.iter().filter(|file| file.done) {
            if file.is_new {
                fs::remove_file(&file.path).with_context(|| format!("removing {}", file.shown.display()))?;
                continue;
            }
            let restored =
                write_new(&file.beside, &file.path, &file.before).and_then(|()| fs::rename(&file.beside, &file.path));
            restored.with_context(|| format!("restoring {}", file.shown.display()))?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = fs::remove_file(&file.beside);
        }
    }
}

/// Where a file will be that is not there yet.
fn place_of_new(root: &Path, shown: &Path) -> Result<PathBuf> {
    let path = root.join(shown);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| not_writable(shown, &error))?;
    }
    Ok(path)
}

/// The file itself: an edit of a link is an edit of what it leads to.
fn resolve(root: &Path, shown: &Path) -> Result<PathBuf> {
    root.join(shown).canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => fault::input(format!("{} is gone; run the command again", shown.display())),
        _ => anyhow::Error::new(error).context(format!("finding {}", shown.display())),
    })
}

fn check_unchanged(shown: &Path, path: &Path, before: &str) -> Result<()> {
    let now = fs::read(path).with_context(|| format!("reading {}", shown.display()))?;
    if now != before.as_bytes() {
        let text =
            format!("{} has changed since it was read; nothing was written, run the command again", shown.display());
        return Err(fault::input(text));
    }
    Ok(())
}

fn check_writable(shown: &Path, path: &Path) -> Result<()> {
    let metadata = fs::metadata(path).with_context(|| format!("looking at {}", shown.display()))?;
    if metadata.permissions().readonly() {
        let text = format!(
            "{} is read-only; nothing was written, make it writable and run the command again",
            shown.display()
        );
        return Err(fault::input(text));
    }
    Ok(())
}

fn not_writable(shown: &Path, error: &std::io::Error) -> anyhow::Error {
    fault::input(format!("{} cannot be written: {error}; nothing was changed", shown.display()))
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.situ-{}", process::id()))
}

/// Writes a new file with the rights and the owner of another one, and waits until it is on the disk.
fn write_new(new: &Path, like: &Path, text: &str) -> std::io::Result<()> {
    let metadata = fs::metadata(like)?;
    let _ = fs::remove_file(new);
    let mut file = OpenOptions::new().write(true).create_new(true).open(new)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(metadata.permissions())?;
    keep_owner(new, &metadata);
    file.sync_all()
}

/// Only a privileged user's new file has another owner than the old one; for others there is nothing to do.
#[cfg(unix)]
fn keep_owner(path: &Path, like: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let _ = chown(path, Some(like.uid()), Some(like.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

/// Makes renames in a folder last. Not every file system can; the files themselves are safe then too.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_file_cannot_be_replaced_the_others_get_their_text_back() {
        let folder = tempfile::tempdir().unwrap();
        let change = |name: &str| {
            fs::write(folder.path().join(name), "old").unwrap();
            FileChange { path: name.into(), before: "old".to_owned(), after: "new".to_owned(), is_new: false }
        };
        let staged = stage(folder.path(), &[change("one"), change("two")]).unwrap();
        // A folder in the place of the second file makes its turn fail after the first had its own.
        fs::remove_file(folder.path().join("two")).unwrap();
        fs::create_dir_all(folder.path().join("two/inner")).unwrap();
        let error = staged.finish().unwrap_err();
        assert!(error.to_string().starts_with("two cannot be written"), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join("one")).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside the files");
    }
}
