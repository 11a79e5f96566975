//! The folder below cargo's target folder in which Situ keeps what belongs to one workspace root.
//!
//! Projects, worktrees and moved checkouts may share a target folder. What is kept of one (recordings, mirrors, builds, what is
//! known of mutants) has its paths and its names, which are those of another as well; so each root has a folder of its own. Where
//! the target folder belongs to the root, that is `target/situ`, and a note in it says which root that is: a checkout may be moved
//! or copied with its target folder.

use crate::base::process;
use anyhow::{Context as _, Result};
use situ_recorder::bytes::checksum;
use std::fs;
use std::path::{Path, PathBuf};

/// Situ's folder below cargo's target folder.
const SITU: &str = "situ";
/// Holds the folders of roots that the target folder does not belong to.
const ROOTS: &str = "roots";
/// The note that names the root.
const NOTE: &str = "root";
/// Stays where it is when the root changes: what is built of dependencies is right for every root, and the packages of the
/// workspace itself are built anew for another one.
pub const BUILD: &str = "build";
/// The file that commands of one workspace lock.
pub const TURN: &str = "turn";

/// Returns the folder for what is kept of a root, and makes it this root's.
pub fn claim(root: &Path, target: &Path) -> PathBuf {
    let root = without_links(root);
    let own = target.join(SITU);
    let apart = own.join(ROOTS).join(name_of(bytes_of(&root)));
    if !belongs_to(&without_links(target), &root) {
        // Whoever cannot write here is told so by what writes first.
        let _ = write_note(&apart, &root);
        return apart;
    }
    match fs::read(own.join(NOTE)) {
        Ok(noted) if noted == bytes_of(&root) => own,
        // Nothing of another root is used, whatever happens.
        Ok(noted) => take_over(&own, &noted, &root).map_or(apart, |()| own),
        Err(_) => {
            let _ = write_note(&own, &root);
            own
        }
    }
}

/// Whether a target folder is one of this root alone: it lies in the root's folder, and in no other package's there.
fn belongs_to(target: &Path, root: &Path) -> bool {
    let between = target
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != root);
    target != root
        && target.starts_with(root)
        && !between
            .into_iter()
            .any(|folder| folder.join("Cargo.toml").exists())
}

/// Puts aside what is kept of another root, and brings back what was put aside of this one.
fn take_over(own: &Path, noted: &[u8], root: &Path) -> Result<()> {
    let _turn = process::alone(&own.join(TURN), || {})?;
    let other = own.join(ROOTS).join(name_of(noted));
    move_entries(own, &other)?;
    let aside = own.join(ROOTS).join(name_of(bytes_of(root)));
    if aside.exists() {
        move_entries(&aside, own)?;
    }
    write_note(own, root)
}

/// Moves everything that belongs to one root from a folder to another.
fn move_entries(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context("making a folder for another checkout's things")?;
    for entry in fs::read_dir(from).context("listing what is kept of another checkout")? {
        let entry = entry.context("listing what is kept of another checkout")?;
        let name = entry.file_name();
        if [ROOTS, BUILD, TURN].iter().all(|kept| name != *kept) {
            let place = to.join(&name);
            let _ = fs::remove_dir_all(&place).or_else(|_| fs::remove_file(&place));
            fs::rename(entry.path(), place).context("putting another checkout's things aside")?;
        }
    }
    Ok(())
}

fn write_note(folder: &Path, root: &Path) -> Result<()> {
    let note = folder.join(NOTE);
    if fs::read(&note).is_ok_and(|noted| noted == bytes_of(root)) {
        return Ok(());
    }
    fs::create_dir_all(folder).context("making Situ's folder")?;
    fs::write(note, bytes_of(root)).context("noting whose folder this is")
}

fn bytes_of(root: &Path) -> &[u8] {
    root.as_os_str().as_encoded_bytes()
}

/// The name of a root's folder: for people, and so that no two roots have the same.
fn name_of(root: &[u8]) -> String {
    let path = String::from_utf8_lossy(root);
    let name = Path::new(&*path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    format!("{name}-{:016x}", checksum(root))
}

/// Returns a path without links, as far as it leads to something that is there.
fn without_links(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(path), ..) => path,
        (Err(_), Some(parent), Some(name)) => without_links(parent).join(name),
        (Err(_), ..) => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots with a manifest each, below one folder.
    fn roots<const N: usize>(names: [&str; N]) -> (tempfile::TempDir, [PathBuf; N]) {
        let folder = tempfile::tempdir().unwrap();
        let above = folder.path().canonicalize().unwrap();
        let roots = names.map(|name| above.join(name));
        for root in &roots {
            fs::create_dir_all(root).unwrap();
            fs::write(root.join("Cargo.toml"), "").unwrap();
        }
        (folder, roots)
    }

    #[test]
    fn a_target_folder_of_one_root_has_its_things_in_the_plain_place() {
        let (_folder, [root]) = roots(["a"]);
        assert_eq!(claim(&root, &root.join("target")), root.join("target/situ"));
        assert_eq!(
            claim(&root, &root.join("out/of/it")),
            root.join("out/of/it/situ")
        );
    }

    #[test]
    fn two_roots_of_one_name_that_share_a_target_folder_have_a_folder_each() {
        let (folder, [one, two]) = roots(["x/demo", "y/demo"]);
        let shared = folder.path().join("shared");
        let [of_one, of_two] = [&one, &two].map(|root| claim(root, &shared));
        assert_ne!(of_one, of_two);
        assert!(
            [&of_one, &of_two]
                .iter()
                .all(|path| path.starts_with(shared.join("situ")))
        );
        // Also where it lies in the folder of one of them, or both.
        let inside = two.join("target");
        assert_ne!(claim(&one, &inside), claim(&two, &inside));
        let (_folder, [outer, inner]) = roots(["demo", "demo/inner"]);
        for target in [outer.join("target"), inner.join("target")] {
            assert_ne!(claim(&outer, &target), claim(&inner, &target), "{target:?}");
        }
    }

    #[test]
    fn a_moved_checkout_starts_anew_with_what_is_built_and_finds_its_things_when_it_is_back() {
        let (_folder, [old]) = roots(["old"]);
        let new = old.with_file_name("new");
        let kept = claim(&old, &old.join("target"));
        for name in ["recordings", "build", "undo"] {
            fs::create_dir_all(kept.join(name)).unwrap();
        }
        fs::rename(&old, &new).unwrap();
        let found = claim(&new, &new.join("target"));
        assert_eq!(found, new.join("target/situ"));
        assert!(
            found.join("build").exists()
                && !found.join("recordings").exists()
                && !found.join("undo").exists()
        );
        fs::create_dir_all(found.join("recordings/of-new")).unwrap();
        assert_eq!(claim(&new, &new.join("target")), found);
        assert!(
            found.join("recordings/of-new").exists(),
            "nothing has changed"
        );
        fs::rename(&new, &old).unwrap();
        assert_eq!(claim(&old, &old.join("target")), kept);
        assert!(kept.join("undo").exists() && !kept.join("recordings/of-new").exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_root_is_the_same_by_every_path_that_leads_to_it() {
        let (folder, [root]) = roots(["real"]);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&root, &link).unwrap();
        fs::create_dir_all(claim(&root, &root.join("target")).join("recordings")).unwrap();
        assert!(
            claim(&link, &link.join("target"))
                .join("recordings")
                .exists()
        );
        // A link to a folder that others may have too.
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, root.join("linked")).unwrap();
        assert_ne!(claim(&root, &root.join("linked")), root.join("linked/situ"));
    }
}
