//! Remembers which copy of a workspace was built last in a build folder.
//!
//! Cargo identifies packages by their path relative to the workspace root, so all copies of a
//! workspace are the same to it. It decides by modification times what to build again, and files
//! that are links have the same times in every copy. So a build of one copy would pass for a build
//! of another.

use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;

/// File in the build folder that contains the path of the last root.
const NAME: &str = "situ-last-root";

/// Makes cargo rebuild these packages if the build folder was last used for another root.
pub(super) fn switch_to(root: &Path, build_folder: &Path, packages: &[&str]) -> Result<()> {
    let note = build_folder.join(NAME);
    let own = root.to_string_lossy();
    if fs::read_to_string(&note).is_ok_and(|last| last == own) {
        return Ok(());
    }
    for profile in folders_in(build_folder) {
        forget(&profile, packages);
        folders_in(&profile)
            .iter()
            .for_each(|profile_of_target| forget(profile_of_target, packages));
    }
    fs::create_dir_all(build_folder).context("creating the build folder")?;
    fs::write(&note, &*own).context("recording what is built")
}

/// Makes cargo rebuild the workspace's own packages the next time.
pub(super) fn forget_all(build_folder: &Path) {
    let _ = fs::remove_file(build_folder.join(NAME));
}

fn folders_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    entries.filter(|path| path.is_dir()).collect()
}

fn forget(profile: &Path, packages: &[&str]) {
    for fingerprint in folders_in(&profile.join(".fingerprint")) {
        let name = fingerprint
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name
            .rsplit_once('-')
            .is_some_and(|(package, _)| packages.contains(&package))
        {
            let _ = fs::remove_dir_all(fingerprint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_root_finds_dependencies_built_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder
            .path()
            .join("debug/.fingerprint/mine-0123456789abcdef");
        let other = folder
            .path()
            .join("debug/.fingerprint/mine-too-0123456789abcdef");
        let make = || [&own, &other].map(|path| fs::create_dir_all(path).unwrap());
        make();
        switch_to(Path::new("/one"), folder.path(), &["mine"]).unwrap();
        assert!(!own.exists() && other.exists());
        make();
        switch_to(Path::new("/one"), folder.path(), &["mine"]).unwrap();
        assert!(own.exists(), "nothing has changed");
        switch_to(Path::new("/two"), folder.path(), &["mine"]).unwrap();
        assert!(!own.exists() && other.exists());
        make();
        forget_all(folder.path());
        switch_to(Path::new("/two"), folder.path(), &["mine"]).unwrap();
        assert!(
            !own.exists() && other.exists(),
            "what was built last is not known any more"
        );
    }
}
