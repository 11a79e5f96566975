//! `cargo situ undo` on a project that was changed.

use crate::project::Project;
use situ_engine::cargo::manifest::SituSource;
use situ_engine::cargo::workspace::{Selection, Workspace};
use situ_engine::edit::{ChangeSet, Place, Proposal};
use std::fs;
use std::path::Path;
use std::process::Command;

const LIB: &str = "pub fn f(x: u8) -> u8 {\n    let y = x + 1;\n    y\n}\n";

fn changed() -> Project {
    let project = Project::empty();
    project.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n",
    );
    project.write("src/lib.rs", LIB);
    let manifest_path = Some(project.path().join("Cargo.toml"));
    let workspace = Workspace::load(&Selection {
        manifest_path,
        packages: Vec::new(),
    })
    .unwrap();
    let place = Place::After(LIB.find(';').unwrap() + 1);
    let proposal = Proposal {
        file: "src/lib.rs".into(),
        place,
        text: "itest!(given(x = 1), check_eq(y, 2));".into(),
    };
    ChangeSet::new(&workspace, &[proposal], &SituSource::published())
        .unwrap()
        .write(&workspace)
        .unwrap();
    assert!(
        project.read("src/lib.rs").contains("itest!")
            && project.read("Cargo.toml").contains("situ = ")
    );
    project
}

/// The command, with the target folder that the change was kept in.
fn undo(project: &Project) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-situ"));
    let output = command
        .args(["situ", "undo"])
        .current_dir(project.path())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_last_change_is_taken_back_and_then_there_is_none() {
    let project = changed();
    let (code, said, errors) = undo(&project);
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "restored src/lib.rs\nrestored Cargo.toml\n"),
        "{errors}"
    );
    assert_eq!(project.read("src/lib.rs"), LIB);
    let (code, _, errors) = undo(&project);
    assert_eq!(code, Some(2));
    assert!(errors.contains("nothing to undo"), "{errors}");
}

#[test]
fn what_was_edited_since_is_named_and_left_alone() {
    let project = changed();
    project.edit("src/lib.rs", "x + 1", "x + 2");
    let (code, _, errors) = undo(&project);
    assert_eq!(code, Some(2));
    assert!(errors.contains("src/lib.rs"), "{errors}");
    assert!(project.read("Cargo.toml").contains("situ = "));
}

#[test]
fn every_verb_that_writes_takes_the_last_change_back_and_json_is_all_it_prints() {
    for verb in ["extract", "generalize", "carve", "explore"] {
        let project = changed();
        let ran = project.situ(&[verb, "--undo", "--json"]);
        assert_eq!(
            (ran.code, ran.summary["files"].as_u64()),
            (0, Some(2)),
            "{verb}: {}",
            ran.stderr
        );
        assert_eq!(
            ran.lines.len() + 1,
            ran.stdout.lines().count(),
            "{verb}: {}",
            ran.stdout
        );
        assert_eq!(project.read("src/lib.rs"), LIB);
    }
}

/// A workspace of several packages, of which `init` changes two files each.
fn packages(count: usize) -> Project {
    let project = Project::empty();
    let names: Vec<String> = (0..count).map(|number| format!("\"p{number}\"")).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"2\"\nmembers = [{}]\n",
        names.join(", ")
    );
    project.write("Cargo.toml", &manifest);
    for number in 0..count {
        let head =
            format!("[package]\nname = \"p{number}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        project.write(&format!("p{number}/Cargo.toml"), &head);
        project.write(&format!("p{number}/src/lib.rs"), LIB);
    }
    project
}

#[cfg(unix)]
#[test]
fn a_write_that_is_killed_changes_all_files_or_none() {
    const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let project = packages(12);
    let old = project.snapshot();
    let written = project.situ(&["init", "--write", "--situ-path", REPOSITORY]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let new = project.snapshot();
    assert_eq!(project.situ(&["undo"]).code, 0);
    assert_eq!(project.snapshot(), old);
    let notes = project.path().join("target/situ/undo");
    let journal = || {
        fs::read_dir(&notes)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .find(|path| is_journal(path))
    };
    // The first two are killed while new texts are put beside the files, the others while files are replaced.
    for replaced in [0, 0, 1, 5, 11, 17, 23] {
        let mut writing = project.start(&["init", "--write", "--situ-path", REPOSITORY]);
        let is_there = || match replaced {
            0 => journal().is_some(),
            count => changed_files(&project) >= count,
        };
        while writing.try_wait().unwrap().is_none() && !is_there() {}
        writing.kill().unwrap();
        writing.wait().unwrap();
        let is_half_done = journal().is_some() && changed_files(&project) > 0;
        let listed = project.situ(&["list"]);
        assert_eq!(listed.code, 0, "{}", listed.stderr);
        assert_eq!(
            listed
                .stderr
                .contains("was interrupted while it changed files"),
            is_half_done
        );
        assert_eq!(journal(), None);
        let now = project.snapshot();
        assert!(
            now == old || now == new,
            "{:?}",
            now.keys().collect::<Vec<_>>()
        );
        if now == new {
            assert_eq!(project.situ(&["undo"]).code, 0);
        }
        assert_eq!(project.snapshot(), old);
    }
    let mut writing = project.start(&["init", "--write", "--situ-path", REPOSITORY]);
    while writing.try_wait().unwrap().is_none() && changed_files(&project) == 0 {}
    writing.kill().unwrap();
    writing.wait().unwrap();
    let (code, _, errors) = undo(&project);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(
        project.snapshot(),
        old,
        "what is undone is the change that was killed"
    );
}

fn is_journal(path: &Path) -> bool {
    path.file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .starts_with("journal-")
        && path.extension().is_none()
}

/// The manifests that have the dependency by now.
fn changed_files(project: &Project) -> usize {
    let manifests = (0..12).map(|number| project.path().join(format!("p{number}/Cargo.toml")));
    let sources = (0..12).map(|number| project.path().join(format!("p{number}/src/lib.rs")));
    manifests
        .chain(sources)
        .filter(|path| fs::read_to_string(path).unwrap().contains("situ"))
        .count()
}

#[test]
fn what_somebody_else_put_into_the_notes_is_refused() {
    let project = changed();
    let notes = project.path().join("target/situ/undo");
    let record = notes.join("1.json");
    let kept = fs::read_to_string(&record).unwrap();
    let outside = project
        .path()
        .parent()
        .unwrap()
        .join("situ-outside-of-the-workspace.rs");
    let before = project.snapshot();
    for (text, words) in [
        (
            kept.replace("src/lib.rs", "../situ-outside-of-the-workspace.rs"),
            "its path has `..`",
        ),
        (
            kept.replace("src/lib.rs", outside.to_str().unwrap()),
            "it is outside of the workspace",
        ),
        (
            kept.replace("\"format\":2", "\"format\":3"),
            "another version of Situ wrote it",
        ),
        ("{".to_owned(), "it is damaged"),
    ] {
        fs::write(&record, text).unwrap();
        let (code, _, errors) = undo(&project);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(words), "{errors}");
        assert!(!outside.exists() && project.snapshot() == before);
    }
}
