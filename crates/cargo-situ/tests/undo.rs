//! `cargo situ undo` on a project that was changed.

mod project;

use project::Project;
use situ_engine::edit::manifest::SituSource;
use situ_engine::edit::{ChangeSet, Place, Proposal};
use situ_engine::workspace::{Selection, Workspace};
use std::process::Command;

const LIB: &str = "pub fn f(x: u8) -> u8 {\n    let y = x + 1;\n    y\n}\n";

fn changed() -> Project {
    let project = Project::empty();
    project.write("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n");
    project.write("src/lib.rs", LIB);
    let manifest_path = Some(project.path().join("Cargo.toml"));
    let workspace = Workspace::load(&Selection { manifest_path, packages: Vec::new() }).unwrap();
    let place = Place::After(LIB.find(';').unwrap() + 1);
    let proposal = Proposal { file: "src/lib.rs".into(), place, text: "itest!(given(x = 1), check_eq(y, 2));".into() };
    ChangeSet::new(&workspace, &[proposal], &SituSource::published()).unwrap().write(&workspace).unwrap();
    assert!(project.read("src/lib.rs").contains("itest!") && project.read("Cargo.toml").contains("situ = "));
    project
}

/// The command, with the target folder that the change was kept in.
fn undo(project: &Project) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-situ"));
    let output = command.args(["situ", "undo"]).current_dir(project.path()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_last_change_is_taken_back_and_then_there_is_none() {
    let project = changed();
    let (code, said, errors) = undo(&project);
    assert_eq!((code, said.as_str()), (Some(0), "restored src/lib.rs\nrestored Cargo.toml\n"), "{errors}");
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
        assert_eq!((ran.code, ran.summary["files"].as_u64()), (0, Some(2)), "{verb}: {}", ran.stderr);
        assert_eq!(ran.lines.len() + 1, ran.stdout.lines().count(), "{verb}: {}", ran.stdout);
        assert_eq!(project.read("src/lib.rs"), LIB);
    }
}
