//! The folder below cargo's target folder in which Situ keeps the data of one workspace root.
//!
//! Projects, worktrees and moved checkouts may share a target folder. The data of one root
//! (recordings, mirrors, builds, mutants) contains its paths and names, which may be valid for
//! another root as well. So each root has its own folder. If the target folder belongs to the root,
//! that is `target/situ`. A note in it names the root, because a checkout may be moved or copied
//! together with its target folder.

use crate::base::process::{self, own_files};
use anyhow::{Context as _, Result};
use situ_recorder::bytes::checksum;
use std::fs;
use std::path::{Path, PathBuf};

/// Situ's folder below cargo's target folder.
const SITU: &str = "situ";
/// Folder for roots that the target folder does not belong to.
const ROOTS: &str = "roots";
/// File that contains the path of the root.
const NOTE: &str = "root";
/// Cargo's target folder of Situ. It stays when the root changes: builds of dependencies are valid
/// for every root, and the workspace's own packages are rebuilt.
pub const BUILD: &str = "build";
/// File that commands of one workspace lock.
pub const TURN: &str = "turn";
/// File that holds the device and number of Situ's folder, which nobody knows before it is made.
const IDENTITY: &str = "identity";

/// Returns the folder for the data of a root, and marks it as this root's.
pub fn claim(root: &Path, target: &Path) -> PathBuf {
    let root = without_links(root);
    let own = target.join(SITU);
    #[cfg(unix)]
    remove_foreign_links(&own);
    let apart = own.join(ROOTS).join(name_of(bytes_of(&root)));
    if !belongs_to(&without_links(target), &root) {
        // A folder that cannot be written to is reported by the first real write.
        let _ = write_note(&apart, &root);
        return apart;
    }
    match own_files::read(&own.join(NOTE)) {
        Ok(noted) if noted == bytes_of(&root) => own,
        // If moving the other root's data fails, this root gets a separate folder, so that it never
        // uses that data.
        Ok(noted) => take_over(&own, &noted, &root).map_or(apart, |()| own),
        Err(_) => {
            let _ = write_note(&own, &root);
            own
        }
    }
}

/// Returns whether a target folder belongs to this root alone: it is inside the root's folder and
/// in no other package there.
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

/// Moves the data of another root aside, and restores the data of this root.
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

/// Moves all data of one root from a folder to another.
fn move_entries(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context("creating a folder for another checkout's data")?;
    for entry in fs::read_dir(from).context("listing another checkout's data")? {
        let entry = entry.context("listing another checkout's data")?;
        let name = entry.file_name();
        if [ROOTS, BUILD, TURN, IDENTITY]
            .iter()
            .all(|kept| name != *kept)
        {
            let place = to.join(&name);
            let _ = fs::remove_dir_all(&place).or_else(|_| fs::remove_file(&place));
            fs::rename(entry.path(), place).context("moving another checkout's data aside")?;
        }
    }
    Ok(())
}

fn write_note(folder: &Path, root: &Path) -> Result<()> {
    let note = folder.join(NOTE);
    if own_files::read(&note).is_ok_and(|noted| noted == bytes_of(root)) {
        return Ok(());
    }
    fs::create_dir_all(folder).context("creating Situ's folder")?;
    own_files::write(&note, bytes_of(root)).context("recording whose folder this is")
}

/// Removes all links and special files from a folder that Situ did not make here: one that came with
/// a checkout or from a cache. Everything that Situ writes, and lets confined programs write, is below
/// this folder, and a link would lead it outside. Links that Situ needs are made again.
#[cfg(unix)]
fn remove_foreign_links(own: &Path) {
    use std::os::unix::fs::MetadataExt as _;
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    if is_link(own) {
        let _ = fs::remove_file(own);
    }
    let Ok(data) = fs::create_dir_all(own).and_then(|()| fs::symlink_metadata(own)) else {
        // A folder that cannot be made is reported by the first real write.
        return;
    };
    let identity = format!("{}:{}", data.dev(), data.ino());
    let mark = own.join(IDENTITY);
    if own_files::read(&mark).is_ok_and(|noted| noted == identity.as_bytes()) {
        return;
    }
    let mut folders = vec![own.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => {}
                _ => drop(fs::remove_file(entry.path())),
            }
        }
    }
    let _ = own_files::write(&mark, identity);
}

fn bytes_of(root: &Path) -> &[u8] {
    root.as_os_str().as_encoded_bytes()
}

/// Returns the folder name for a root: readable, and unique by a checksum of the path.
fn name_of(root: &[u8]) -> String {
    let path = String::from_utf8_lossy(root);
    let name = Path::new(&*path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    format!("{name}-{:016x}", checksum(root))
}

/// Resolves the links in the part of a path that exists.
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

    /// Creates roots below one temporary folder, each with a manifest.
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
        // Also if the target folder is inside one root, or in both.
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
    fn links_in_a_folder_that_came_from_elsewhere_lead_nowhere() {
        use std::os::unix::fs::symlink;
        let (folder, [root]) = roots(["a"]);
        let (target, outside) = (root.join("target"), folder.path().join("outside"));
        fs::create_dir(&outside).unwrap();
        fs::create_dir(&target).unwrap();
        // The whole folder, one in it, and the files that Situ reads first.
        symlink(&outside, target.join("situ")).unwrap();
        let own = claim(&root, &target);
        assert!(!fs::symlink_metadata(&own).unwrap().is_symlink());
        let links = ["recording", "undo/lock", "root", "identity"];
        fs::create_dir(own.join("undo")).unwrap();
        for (count, link) in links.iter().enumerate() {
            let link = own.join(link);
            let _ = fs::remove_file(own.join("identity"));
            let _ = fs::remove_file(&link);
            symlink(outside.join(count.to_string()), &link).unwrap();
            assert_eq!(claim(&root, &target), own);
            let is_link = fs::symlink_metadata(&link).is_ok_and(|data| data.is_symlink());
            assert!(!is_link, "{}", link.display());
        }
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        // Links that Situ has made itself stay.
        symlink(&outside, own.join("shadow")).unwrap();
        assert_eq!(claim(&root, &target), own);
        assert!(own.join("shadow").exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_in_place_of_a_note_blocks_nobody() {
        let (_folder, [root]) = roots(["a"]);
        let note = claim(&root, &root.join("target")).join("root");
        fs::remove_file(&note).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&note).status();
        assert!(made.unwrap().success());
        claim(&root, &root.join("target"));
        assert!(fs::metadata(&note).unwrap().is_file());
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
        // The target folder is a link to a folder that others may share.
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, root.join("linked")).unwrap();
        assert_ne!(claim(&root, &root.join("linked")), root.join("linked/situ"));
    }
}
