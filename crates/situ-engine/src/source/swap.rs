//! Copies of the user's tree in which some files are replaced and the rest are links.

use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Creates a folder in which each of `files` (paths relative to `original`) has its new text, and
/// everything beside them is a link to the original. So `mod`, `#[path]` and `include_str!` find
/// their files. Does not rewrite files whose text has not changed.
pub fn write_swap_folder(
    folder: &Path,
    original: &Path,
    files: &[(PathBuf, String)],
) -> Result<()> {
    let mut tree = Folder::default();
    for (path, text) in files {
        tree.insert(path, text);
    }
    tree.write(folder, original)
}

#[derive(Default)]
struct Folder<'a> {
    files: BTreeMap<OsString, &'a str>,
    folders: BTreeMap<OsString, Folder<'a>>,
}

impl<'a> Folder<'a> {
    fn insert(&mut self, path: &Path, text: &'a str) {
        let mut at = self;
        let mut parts = path
            .components()
            .filter(|part| matches!(part, Component::Normal(_)))
            .peekable();
        while let Some(part) = parts.next() {
            let name = part.as_os_str().to_owned();
            if parts.peek().is_none() {
                at.files.insert(name, text);
                return;
            }
            at = at.folders.entry(name).or_default();
        }
    }

    fn write(&self, folder: &Path, original: &Path) -> Result<()> {
        if folder.is_symlink() || folder.is_file() {
            fs::remove_file(folder).context("replacing a file by a folder")?;
        }
        fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        for (name, text) in &self.files {
            let path = folder.join(name);
            if path.is_symlink() {
                fs::remove_file(&path).context("replacing a link by a file")?;
            } else if path.is_dir() {
                fs::remove_dir_all(&path).context("replacing a folder by a file")?;
            }
            if fs::read_to_string(&path).ok().as_deref() != Some(*text) {
                fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
            }
        }
        for (name, inner) in &self.folders {
            inner.write(&folder.join(name), &original.join(name))?;
        }
        self.remove_links_elsewhere(folder, original);
        if !original.exists() {
            return Ok(());
        }
        let entries =
            fs::read_dir(original).with_context(|| format!("listing {}", original.display()))?;
        for entry in entries {
            let name = entry.context("listing a source folder")?.file_name();
            let replaced = self.files.contains_key(&name)
                || self.folders.contains_key(&name)
                || name == "target";
            let path = folder.join(&name);
            if !replaced && !path.is_symlink() {
                remove_earlier_replacement(&path)
                    .with_context(|| format!("removing {}", path.display()))?;
                link(&original.join(&name), &path)
                    .with_context(|| format!("linking {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Removes links that do not point to the original's entries. The folder may hold an earlier
    /// copy of another folder, and cargo takes any manifest above a package for its workspace's.
    fn remove_links_elsewhere(&self, folder: &Path, original: &Path) {
        for path in fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            let meant = path.file_name().map(|name| original.join(name));
            let is_right = |target: &PathBuf| Some(target) == meant.as_ref() && target.exists();
            let leads_elsewhere =
                path.is_symlink() && !fs::read_link(&path).is_ok_and(|target| is_right(&target));
            let is_replaced = path
                .file_name()
                .is_some_and(|name| self.files.contains_key(name));
            let is_old_manifest = path.ends_with("Cargo.toml")
                && !is_replaced
                && !original.join("Cargo.toml").exists();
            if leads_elsewhere || is_old_manifest {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

fn remove_earlier_replacement(path: &Path) -> std::io::Result<()> {
    match (path.is_dir(), path.exists()) {
        (true, _) => fs::remove_dir_all(path),
        (false, true) => fs::remove_file(path),
        (false, false) => Ok(()),
    }
}

#[cfg(unix)]
fn link(original: &Path, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, path)
}

#[cfg(windows)]
fn link(original: &Path, path: &Path) -> std::io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    if original.is_dir() {
        symlink_dir(original, path)
    } else {
        symlink_file(original, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_folder_shows_replaced_files_and_links_to_the_rest() {
        let place = tempfile::tempdir().unwrap();
        let original = place.path().join("original");
        fs::create_dir_all(original.join("src/deep")).unwrap();
        fs::write(original.join("src/lib.rs"), "old").unwrap();
        fs::write(original.join("src/deep/x.rs"), "x").unwrap();
        fs::write(original.join("README.md"), "read").unwrap();
        let swap = place.path().join("swap");
        write_swap_folder(&swap, &original, &[("src/lib.rs".into(), "new".to_owned())]).unwrap();
        let shown = |name: &str| fs::read_to_string(swap.join(name)).unwrap();
        assert_eq!(
            [
                shown("src/lib.rs"),
                shown("src/deep/x.rs"),
                shown("README.md")
            ],
            ["new", "x", "read"]
        );
        write_swap_folder(
            &swap,
            &original,
            &[("src/deep/x.rs".into(), "y".to_owned())],
        )
        .unwrap();
        assert_eq!([shown("src/lib.rs"), shown("src/deep/x.rs")], ["old", "y"]);
        assert_eq!(
            fs::read_to_string(original.join("src/deep/x.rs")).unwrap(),
            "x"
        );
    }

    #[test]
    fn what_somebody_has_put_into_a_swap_folder_gives_way() {
        let place = tempfile::tempdir().unwrap();
        let original = place.path().join("original");
        fs::create_dir_all(original.join("src")).unwrap();
        let swap = place.path().join("swap");
        let write =
            || write_swap_folder(&swap, &original, &[("src/lib.rs".into(), "new".to_owned())]);
        let file = swap.join("src/lib.rs");
        let damages: [&dyn Fn(); 3] = [
            &|| fs::create_dir_all(file.join("inside")).unwrap(),
            &|| {
                fs::remove_dir_all(swap.join("src"))
                    .and_then(|()| fs::write(swap.join("src"), "x"))
                    .unwrap()
            },
            &|| fs::write(&file, [0xff, 0xfe]).unwrap(),
        ];
        for damage in damages {
            damage();
            write().unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "new");
            fs::remove_file(&file).unwrap();
        }
    }

    #[test]
    fn links_of_an_earlier_copy_of_another_folder_go() {
        let folder = tempfile::tempdir().unwrap();
        let above = folder.path().join("above");
        let inner = above.join("inner");
        fs::create_dir_all(inner.join("src")).unwrap();
        fs::write(inner.join("Cargo.toml"), "inner").unwrap();
        fs::write(above.join("beside.txt"), "beside").unwrap();
        let swap = folder.path().join("swap");
        write_swap_folder(
            &swap,
            &inner,
            &[(PathBuf::from("src/lib.rs"), "new".to_owned())],
        )
        .unwrap();
        assert_eq!(
            fs::read_to_string(swap.join("Cargo.toml")).unwrap(),
            "inner"
        );
        write_swap_folder(
            &swap,
            &above,
            &[(PathBuf::from("inner/src/lib.rs"), "new".to_owned())],
        )
        .unwrap();
        assert!(!swap.join("Cargo.toml").exists(), "there is none above");
        write_swap_folder(
            &swap,
            &inner,
            &[(PathBuf::from("Cargo.toml"), "replaced".to_owned())],
        )
        .unwrap();
        assert_eq!(
            fs::read_to_string(swap.join("Cargo.toml")).unwrap(),
            "replaced"
        );
        write_swap_folder(
            &swap,
            &above,
            &[(PathBuf::from("inner/src/lib.rs"), "new".to_owned())],
        )
        .unwrap();
        assert!(!swap.join("Cargo.toml").exists(), "there is none above");
        assert_eq!(
            fs::read_to_string(swap.join("inner/Cargo.toml")).unwrap(),
            "inner"
        );
        assert_eq!(
            fs::read_to_string(swap.join("beside.txt")).unwrap(),
            "beside"
        );
        fs::write(above.join("Cargo.toml"), "above").unwrap();
        write_swap_folder(&swap, &inner, &[]).unwrap();
        write_swap_folder(&swap, &above, &[]).unwrap();
        assert_eq!(
            fs::read_to_string(swap.join("Cargo.toml")).unwrap(),
            "above"
        );
    }
}
