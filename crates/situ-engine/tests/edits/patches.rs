//! Patches, given to git.

use crate::project::{manifest, project, situ, text, workspace};
use situ_engine::edit::{ChangeSet, FileChange};
use std::path::Path;
use std::process::Command;

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "core.autocrlf=false",
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
    ]);
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git can be started");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Writes the files as they were, applies the patch, and compares what comes out.
fn check_patch(name: &str, changes: &ChangeSet) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("patches")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    // A workspace need not be the root of its repository.
    let (repository, folder) = (folder.clone(), folder.join("workspace"));
    for file in &changes.files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.before).unwrap();
    }
    std::fs::write(folder.join("situ.patch"), changes.patch()).unwrap();
    git(&repository, &["init", "-q"]);
    git(&folder, &["apply", "--check", "situ.patch"]);
    // What `git diff --check` would name.
    let cr = "core.whitespace=cr-at-eol,blank-at-eol,blank-at-eof,space-before-tab";
    git(
        &folder,
        &["-c", cr, "apply", "--whitespace=error", "situ.patch"],
    );
    for file in &changes.files {
        let found = std::fs::read(folder.join(&file.path)).unwrap();
        assert_eq!(
            String::from_utf8(found).unwrap(),
            file.after,
            "{}",
            file.path.display()
        );
    }
}

fn change(path: &str, before: &str, after: &str) -> FileChange {
    FileChange {
        path: path.into(),
        before: before.to_owned(),
        after: after.to_owned(),
        is_new: false,
    }
}

#[test]
fn git_takes_a_patch_whatever_the_lines_end_with() {
    let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let changes = ChangeSet {
        files: vec![
            change(
                "plain.rs",
                &long,
                &long
                    .replace("line 3\n", "line 3\nnew\n")
                    .replace("line 30\n", ""),
            ),
            change("crlf.rs", "a\r\nb\r\nc\r\n", "a\r\nnew\r\nb\r\nc\r\n"),
            change(
                "mixed.rs",
                "a\r\nb\nlone\rreturn\nc",
                "a\r\nb\nlone\rreturn\nnew\r\nc",
            ),
            change("no newline.rs", "a\nb", "a\nb\nc"),
            change("gets/newline.rs", "a\nb", "a\nb\n"),
            change("loses/ä \"newline\".rs", "a\nb\n", "new\na\nb"),
            change("empty.rs", "", "a\n"),
            change("same.rs", "a\n", "a\n"),
        ],
    };
    check_patch("endings", &changes);
}

#[test]
fn the_patch_of_a_workspace_is_what_would_be_written() {
    let files = [
        ("Cargo.toml", manifest("2021")),
        ("src/lib.rs", "mod inner;\r\nmod one_line;\r\npub fn f(x: u8) -> u8 {\r\n    let y = x + 1;⟨A itest!(given(x = 1), check_eq(y, 2));⟩\r\n    y\r\n}".to_owned()),
        ("src/inner.rs", "pub fn g(x: u8) -> u8 { ⟨B blocktest!(given(x = 1), check_return(2));⟩x + 1 }\n".to_owned()),
        (
            "src/one_line.rs",
            "pub fn h(a: u8) -> u8 {\n  if a > 1 {⟨S itest!(given(a = 1), check_false(cond()), tag(\"a tag that makes it longer than a line\"));⟩ return 1; } else { g(); }\n  \
             let b = a;⟨A itest!(given(a = 1), check_eq(b, 1), tag(\"another tag that makes it longer than a line\"));⟩ b }\n"
                .to_owned(),
        ),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let (project, proposals) = project("edits-patch", &files);
    let workspace = workspace(&project);
    let changes = ChangeSet::new(&workspace, &proposals, &situ()).unwrap();
    let paths: Vec<String> = changes
        .files
        .iter()
        .map(|file| file.path.display().to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "src/inner.rs",
            "src/lib.rs",
            "src/one_line.rs",
            "Cargo.toml"
        ]
    );
    check_patch("workspace", &changes);
    assert_eq!(
        text(&project, "src/inner.rs"),
        changes.files[0].before,
        "making a patch writes nothing"
    );
}
