//! Situ's own files in folders that confined programs write to. Such a program may have put a link,
//! a pipe or a folder in their place. Reading and writing here never follows a link and never
//! blocks.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Maximum number of bytes read. No journal and no report is that long.
const MAX_READ: u64 = 1 << 30;

/// Creates an empty file that only the user can access, and replaces whatever is there.
///
/// # Errors
///
/// Returns an error if the folder cannot be written to.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    if let Ok(file) = opened(path, &mut options) {
        file.set_len(0)?;
        return Ok(file);
    }
    remove(path)?;
    options.create_new(true).open(path)
}

/// Writes a file that only the user can access, and replaces whatever is there.
///
/// # Errors
///
/// Returns an error if the folder cannot be written to or the disk is full.
pub(crate) fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    create(path)?.write_all(contents.as_ref())
}

/// Reads a regular file.
///
/// # Errors
///
/// Returns an error if there is no such file, or if the path is a link, a pipe or a folder.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = opened(path, OpenOptions::new().read(true))?;
    let mut contents = Vec::new();
    file.take(MAX_READ).read_to_end(&mut contents)?;
    Ok(contents)
}

/// Opens a file for writing as it is, and creates it if there is none.
///
/// # Errors
///
/// Returns an error if the path is a link, a pipe or a folder, or cannot be written to.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    opened(
        path,
        OpenOptions::new().write(true).create(true).truncate(false),
    )
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// Opens a regular file; links and pipes are errors.
fn opened(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn nothing_is_written_or_read_by_way_of_what_a_program_has_put_there() {
        let folder = tempfile::tempdir().unwrap();
        let (outside, own) = (folder.path().join("outside"), folder.path().join("journal"));
        fs::write(&outside, "untouched").unwrap();
        let put: [&dyn Fn(); 4] = [
            &|| symlink(&outside, &own).unwrap(),
            &|| assert!(Command::new("mkfifo").arg(&own).status().unwrap().success()),
            &|| fs::create_dir_all(own.join("deep")).unwrap(),
            &|| symlink("/dev/zero", &own).unwrap(),
        ];
        for put in put {
            put();
            assert!(read(&own).is_err());
            write(&own, "new").unwrap();
            assert_eq!(read(&own).unwrap(), b"new");
            write(&own, "n").unwrap();
            assert_eq!(read(&own).unwrap(), b"n");
            assert_eq!(fs::read_to_string(&outside).unwrap(), "untouched");
            fs::remove_file(&own).unwrap();
        }
    }
}
