//! Replaces files by rename: the new contents are written to a file beside the old one, with the
//! same permissions, and synced to the disk first.

use crate::source::read_file;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Returns the path of the temporary file that will replace another one. `process` is the id of the
/// process that writes it.
pub(super) fn beside(path: &Path, process: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.situ-{process}"))
}

/// Writes a new file with the permissions and owner of another one, and waits until it is on the
/// disk.
pub(super) fn write_new(new: &Path, like: &Path, text: &str) -> io::Result<()> {
    let metadata = fs::metadata(like)?;
    let _ = fs::remove_file(new);
    let mut file = OpenOptions::new().write(true).create_new(true).open(new)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(metadata.permissions())?;
    keep_owner(new, &metadata);
    file.sync_all()
}

/// Copies the owner of a file. Only root's new files have another owner than the old ones; without
/// root privileges the call changes nothing.
#[cfg(unix)]
fn keep_owner(path: &Path, like: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let _ = chown(path, Some(like.uid()), Some(like.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

/// Syncs the renames in a folder to the disk. Errors are ignored, because not every file system
/// supports this.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Returns the contents of a file, or `None` if there is no such file.
pub(super) fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read_file(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
