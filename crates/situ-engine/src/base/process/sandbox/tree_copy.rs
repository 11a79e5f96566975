//! Copies of the user's tree, for systems that cannot confine writes. Programs run in the copy, so
//! that writes to relative paths change only the copy.

use super::with_settings;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Maximum size of a tree in bytes. Copying a larger one would take longer than everything else.
const MAX_BYTES: u64 = 2 << 30;

/// Tree, its copy, and the state of the copy when it was made.
struct Copy {
    tree: PathBuf,
    copy: PathBuf,
    state: Vec<(PathBuf, u64, SystemTime)>,
}

static COPIES: Mutex<Vec<Copy>> = Mutex::new(Vec::new());

/// Moves a command's working folder from a registered tree to the copy of that tree.
pub(super) fn redirect(command: &mut Command) -> io::Result<()> {
    let folder = command
        .get_current_dir()
        .map_or_else(env::current_dir, |folder| Ok(folder.to_path_buf()))?;
    let trees = with_settings(|settings| settings.trees.clone());
    let Some(tree) = trees
        .keys()
        .filter(|tree| folder.starts_with(tree))
        .max_by_key(|tree| tree.as_os_str().len())
    else {
        return Ok(());
    };
    let copy = fresh_copy(tree)?;
    let moved = |path: &Path| path.strip_prefix(tree).ok().map(|inside| copy.join(inside));
    if let Some(folder) = moved(&folder) {
        command.current_dir(folder);
    }
    let variables: Vec<(OsString, PathBuf)> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), moved(Path::new(value?))?)))
        .filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_MANIFEST"))
        .collect();
    command.envs(variables);
    Ok(())
}

/// Returns a copy of a tree. Creates it if there is none, and again if a program has changed it.
fn fresh_copy(tree: &Path) -> io::Result<PathBuf> {
    let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = copies.iter_mut().find(|known| known.tree == tree) {
        if state_of(&known.copy)? != known.state {
            fs::remove_dir_all(&known.copy)?;
            copy_tree(tree, &known.copy)?;
            known.state = state_of(&known.copy)?;
        }
        return Ok(known.copy.clone());
    }
    let copy = env::temp_dir().join(format!("situ-tree-{}-{}", std::process::id(), copies.len()));
    // Fails if the path exists: it may be somebody else's folder or link.
    fs::create_dir(&copy)?;
    copy_tree(tree, &copy)?;
    let state = state_of(&copy)?;
    copies.push(Copy {
        tree: tree.to_path_buf(),
        copy: copy.clone(),
        state,
    });
    Ok(copy)
}

/// Removes all copies of trees, at the end of the command.
pub fn remove_copies() {
    for copy in COPIES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .drain(..)
    {
        let _ = fs::remove_dir_all(&copy.copy);
    }
}

fn copy_tree(tree: &Path, copy: &Path) -> io::Result<()> {
    let mut left = MAX_BYTES;
    copy_folder(tree, copy, &mut left)
}

/// Copies a folder. Follows links, because a write through a copied link would reach the original.
fn copy_folder(from: &Path, to: &Path, left: &mut u64) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        // A dangling link is not worth copying.
        let Ok(data) = fs::metadata(&path) else {
            continue;
        };
        if data.is_dir() {
            // Cargo marks its target folders with this file.
            let is_built = path.join("CACHEDIR.TAG").exists();
            if !is_built {
                copy_folder(&path, &target, left)?;
            }
        } else if data.is_file() {
            *left = left.checked_sub(data.len()).ok_or_else(|| {
                io::Error::other(format!(
                    "{} is too large to be copied for a sandbox; `--no-sandbox` runs the tests in it",
                    from.display()
                ))
            })?;
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Returns path, size and modification time of all files below a folder, in a fixed order.
fn state_of(folder: &Path) -> io::Result<Vec<(PathBuf, u64, SystemTime)>> {
    let mut state = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let data = entry.metadata()?;
            if data.is_dir() {
                folders.push(entry.path());
            }
            state.push((entry.path(), data.len(), data.modified()?));
        }
    }
    state.sort();
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_does_to_its_folder_happens_to_a_copy_that_the_next_one_does_not_see() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().canonicalize().unwrap();
        fs::create_dir(tree.join("src")).unwrap();
        fs::write(tree.join("src/lib.rs"), "original").unwrap();
        super::super::register_tree(&tree, &tree.join("target"));
        for _ in 0..2 {
            let mut command = Command::new("sh");
            command.args(["-c", "cat src/lib.rs; rm -rf src; echo $CARGO_MANIFEST_DIR"]);
            command.current_dir(&tree).env("CARGO_MANIFEST_DIR", &tree);
            redirect(&mut command).unwrap();
            let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
            assert!(
                said.starts_with("original") && !said.contains(tree.to_str().unwrap()),
                "{said}"
            );
        }
        assert_eq!(
            fs::read_to_string(tree.join("src/lib.rs")).unwrap(),
            "original"
        );
        remove_copies();
    }
}
