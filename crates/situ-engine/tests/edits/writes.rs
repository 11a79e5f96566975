//! Writing all files or none, and taking it back.

use crate::project::{manifest, project, situ, text, workspace};
use situ_engine::base::user_error::UserError;
use situ_engine::edit::{ChangeSet, undo};
use std::fs;
use std::path::Path;
use testkit::project::Project;

const LIB: &str = "pub fn f(x: u8) -> u8 {\n    let y = x + 1;⟨A itest!(given(x = 1), check_eq(y, 2));⟩\n    y\n}\n";
const OTHER: &str = "pub fn g(x: u8) -> u8 {\n    let y = x + 2;⟨A itest!(given(x = 1), check_eq(y, 3));⟩\n    y\n}\n";

fn example(name: &str) -> (Project, ChangeSet) {
    let manifest = manifest("2021");
    let (project, proposals) = project(
        name,
        &[
            ("Cargo.toml", &manifest),
            ("src/lib.rs", &format!("mod other;\n{LIB}")),
            ("src/other.rs", OTHER),
        ],
    );
    let changes = ChangeSet::new(&workspace(&project), &proposals, &situ()).unwrap();
    assert_eq!(changes.files.len(), 3);
    (project, changes)
}

fn texts(project: &Project) -> [String; 3] {
    ["src/lib.rs", "src/other.rs", "Cargo.toml"].map(|path| text(project, path))
}

#[track_caller]
fn is_input_fault(error: &anyhow::Error, words: &str) {
    assert!(
        matches!(error.downcast_ref(), Some(UserError::Input(text)) if text.contains(words)),
        "{error:?}"
    );
}

/// Every file below a folder, so that nothing is left behind unseen.
fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_was_written_is_undone_to_the_byte() {
    let (project, changes) = example("edits-undo");
    let before = texts(&project);
    changes.write(&workspace(&project)).unwrap();
    let after = texts(&project);
    assert!(
        before
            .iter()
            .zip(&after)
            .all(|(before, after)| before != after)
    );
    assert_eq!(
        listing(&project.folder().join("src")),
        ["lib.rs", "other.rs"]
    );
    let mut restored = undo(&workspace(&project)).unwrap();
    restored.sort();
    assert_eq!(
        restored,
        ["Cargo.toml", "src/lib.rs", "src/other.rs"].map(std::path::PathBuf::from)
    );
    assert_eq!(texts(&project), before);
    is_input_fault(&undo(&workspace(&project)).unwrap_err(), "nothing to undo");
}

#[test]
fn changes_are_undone_last_first() {
    let (project, changes) = example("edits-undo-twice");
    let before = texts(&project);
    changes.write(&workspace(&project)).unwrap();
    let between = texts(&project);
    let more = ChangeSet {
        files: vec![situ_engine::edit::FileChange {
            path: "src/lib.rs".into(),
            before: between[0].clone(),
            after: format!("{}// more\n", between[0]),
            is_new: false,
        }],
    };
    more.write(&workspace(&project)).unwrap();
    undo(&workspace(&project)).unwrap();
    assert_eq!(texts(&project), between);
    undo(&workspace(&project)).unwrap();
    assert_eq!(texts(&project), before);
}

#[cfg(unix)]
#[test]
fn workspaces_that_share_a_target_folder_undo_their_own_changes() {
    let shared = tempfile::tempdir().unwrap();
    let examples = ["edits-shared-one", "edits-shared-two"].map(|name| {
        let (project, changes) = example(name);
        let target = project.folder().join("target");
        // Reading the workspace has left a note of whose folder that is.
        fs::remove_dir_all(&target).unwrap();
        std::os::unix::fs::symlink(shared.path(), target).unwrap();
        let before = texts(&project);
        changes.write(&workspace(&project)).unwrap();
        (project, before)
    });
    for (project, before) in &examples {
        undo(&workspace(project)).unwrap();
        assert_eq!(texts(project), *before);
    }
}

#[test]
fn a_file_that_changed_since_it_was_read_stops_everything() {
    let (project, changes) = example("edits-changed");
    project.write("src/other.rs", "// mine\n");
    let before = texts(&project);
    is_input_fault(
        &changes.write(&workspace(&project)).unwrap_err(),
        "src/other.rs changed since it was read; nothing was written",
    );
    assert_eq!(texts(&project), before);
    assert_eq!(
        listing(&project.folder().join("src")),
        ["lib.rs", "other.rs"]
    );
    is_input_fault(&undo(&workspace(&project)).unwrap_err(), "nothing to undo");
}

#[test]
fn tests_made_for_another_text_of_a_file_are_not_put_into_it() {
    let manifest = manifest("2021");
    let (project, proposals) = project(
        "edits-seen",
        &[("Cargo.toml", &manifest), ("src/lib.rs", LIB)],
    );
    let workspace = workspace(&project);
    // A generator reads the file, makes tests for places in it, and the user saves another text meanwhile.
    assert!(workspace.note(Path::new("src/lib.rs"), &text(&project, "src/lib.rs")));
    let moved = format!("// mine\n{}", text(&project, "src/lib.rs"));
    project.write("src/lib.rs", &moved);
    let error = ChangeSet::new(&workspace, &proposals, &situ()).unwrap_err();
    is_input_fault(
        &error,
        "src/lib.rs changed since it was read; nothing was written",
    );
    fs::remove_file(project.folder().join("src/lib.rs")).unwrap();
    let error = ChangeSet::new(&workspace, &proposals, &situ()).unwrap_err();
    is_input_fault(&error, "src/lib.rs changed since it was read");
}

#[test]
fn what_the_user_edited_since_is_not_undone() {
    let (project, changes) = example("edits-edited");
    changes.write(&workspace(&project)).unwrap();
    project.write("src/other.rs", "// mine\n");
    let before = texts(&project);
    is_input_fault(&undo(&workspace(&project)).unwrap_err(), "src/other.rs");
    assert_eq!(texts(&project), before);
}

#[test]
fn a_read_only_file_stops_everything() {
    let (project, changes) = example("edits-read-only");
    let path = project.folder().join("src/other.rs");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let before = texts(&project);
    is_input_fault(
        &changes.write(&workspace(&project)).unwrap_err(),
        "src/other.rs is read-only",
    );
    assert_eq!(texts(&project), before);
    assert_eq!(
        listing(&project.folder().join("src")),
        ["lib.rs", "other.rs"]
    );
}

#[cfg(unix)]
#[test]
fn links_and_rights_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (project, changes) = example("edits-links");
    let (real, link) = (
        project.folder().join("real.rs"),
        project.folder().join("src/other.rs"),
    );
    fs::rename(&link, &real).unwrap();
    symlink("../real.rs", &link).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    changes.write(&workspace(&project)).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("itest!"));
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
    undo(&workspace(&project)).unwrap();
    assert!(link.is_symlink() && !fs::read_to_string(&real).unwrap().contains("itest!"));
}
