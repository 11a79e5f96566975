//! Resolves paths as another process would.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

/// Maximum number of links to follow, as in the kernel.
const MAX_LINKS: usize = 40;

/// Resolves an absolute path for the process `process`, following links. Returns `None` if the path
/// is a pipe or the like. `/proc/self` differs for each process, also behind links such as
/// `/dev/fd`.
///
/// # Errors
///
/// [`Unresolved`], if it is not known which file the process would reach.
pub(super) fn resolved(
    process: u32,
    path: &Path,
    follows_last: bool,
) -> Result<Option<PathBuf>, Unresolved> {
    let mut at = PathBuf::from("/");
    let mut left = parts(path);
    let mut links = 0;
    while let Some(part) = left.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        at.push(part);
        if at == Path::new("/proc/self") || at == Path::new("/proc/thread-self") {
            at = PathBuf::from(format!("/proc/{process}"));
            continue;
        }
        let is_link = fs::symlink_metadata(&at)?.is_symlink();
        if !is_link || (left.is_empty() && !follows_last) {
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(Unresolved::Missing);
        }
        let target = fs::read_link(&at)?;
        if at.starts_with("/proc") && (target.is_absolute() || is_no_file(&target)) {
            // A descriptor's link shows the file's resolved path, or the name of something that is
            // no file.
            if !target.is_absolute() {
                return Ok(None);
            }
            if !left.is_empty() && !is_path_of(&target, &at) {
                return Err(Unresolved::Unknown);
            }
            at = target;
        } else if target.is_absolute() {
            at = PathBuf::from("/");
            left.extend(parts(&target));
        } else {
            at.pop();
            left.extend(parts(&target));
        }
    }
    Ok(Some(at))
}

/// Reason why a path of another process cannot be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unresolved {
    /// There is no such file, or the process may not look there: the kernel refuses the call itself.
    Missing,
    /// The process may reach a file all the same: `..` still leads somewhere from a folder that was
    /// removed, or whose path is too long to be resolved from here.
    Unknown,
}

impl From<io::Error> for Unresolved {
    fn from(error: io::Error) -> Unresolved {
        match error.raw_os_error() {
            Some(libc::ENOENT | libc::ENOTDIR | libc::EACCES) => Unresolved::Missing,
            _ => Unresolved::Unknown,
        }
    }
}

/// Returns whether a path leads to what a link below `/proc` leads to. It does not if the folder was
/// removed or replaced.
pub(super) fn is_path_of(path: &Path, link: &Path) -> bool {
    match (fs::symlink_metadata(path), fs::metadata(link)) {
        (Ok(named), Ok(meant)) => (named.dev(), named.ino()) == (meant.dev(), meant.ino()),
        _ => false,
    }
}

/// Returns the components of a path, last one first.
fn parts(path: &Path) -> Vec<OsString> {
    let named = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    named
        .map(|part| part.as_os_str().to_owned())
        .rev()
        .collect()
}

/// Returns whether a link target names a pipe, a socket or the like: `pipe:[123]`.
fn is_no_file(name: &Path) -> bool {
    name.to_string_lossy().contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_path_leads_where_it_leads_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("inner")).unwrap();
        fs::write(folder.join("inner/file"), "x").unwrap();
        symlink("inner/../inner", folder.join("relative")).unwrap();
        symlink(&folder, folder.join("inner/absolute")).unwrap();
        symlink("round", folder.join("round")).unwrap();
        symlink("/proc/self", folder.join("own")).unwrap();
        let file = fs::File::open(folder.join("inner/file")).unwrap();
        let own = std::process::id();
        let leads = |path: &Path| resolved(own, path, true);
        let there = Ok(Some(folder.join("inner/file")));
        assert_eq!(leads(&folder.join("relative/absolute/inner/file")), there);
        assert_eq!(leads(&folder.join("inner/../relative/./file")), there);
        let missing = Err(Unresolved::Missing);
        assert_eq!(leads(&folder.join("inner/none")), missing);
        assert_eq!(leads(&folder.join("round")), missing);
        assert_eq!(
            resolved(own, &folder.join("relative"), false),
            Ok(Some(folder.join("relative")))
        );
        for way in [
            "/proc/self/fd",
            "/proc/../proc/self/fd",
            "/dev/fd",
            "/proc/thread-self/fd",
        ] {
            assert_eq!(
                leads(&Path::new(way).join(file.as_raw_fd().to_string())),
                there,
                "{way}"
            );
        }
        assert_eq!(
            leads(&folder.join("own/fd").join(file.as_raw_fd().to_string())),
            there
        );
        // Another process has other open files.
        let mut other = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let seen = resolved(
            other.id(),
            &Path::new("/dev/fd").join(file.as_raw_fd().to_string()),
            true,
        );
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(seen, missing);
    }
}
