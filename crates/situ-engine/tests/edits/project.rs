//! A project that edits are tried on.

use situ_engine::cargo::manifest::SituSource;
use situ_engine::cargo::workspace::{Selection, Workspace};
use situ_engine::edit::{Place, Proposal};
use std::path::PathBuf;
use testkit::project::Project;

/// A text with proposals in it, as `⟨A itest!(…);⟩` after a statement, `⟨S …⟩` behind the brace of a block and `⟨B …⟩`
/// before a statement.
pub fn read(file: &str, marked: &str) -> (String, Vec<Proposal>) {
    let mut text = String::new();
    let mut proposals = Vec::new();
    let mut rest = marked;
    while let Some((before, behind)) = rest.split_once('⟨') {
        text.push_str(before);
        let (inside, behind) = behind.split_once('⟩').expect("a marker ends");
        let place = match inside.split_at(2) {
            ("A ", _) => Place::After(text.len()),
            ("S ", _) => Place::BodyStart(text.len()),
            ("B ", _) => Place::Before(text.len()),
            (other, _) => panic!("{other} is no kind of place"),
        };
        proposals.push(Proposal {
            file: PathBuf::from(file),
            place,
            text: inside[2..].to_owned(),
        });
        rest = behind;
    }
    text.push_str(rest);
    (text, proposals)
}

/// A project of these files, and the tests that are proposed for it.
pub fn project(name: &str, files: &[(&str, &str)]) -> (Project, Vec<Proposal>) {
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), name);
    let mut proposals = Vec::new();
    for (file, marked) in files {
        let (text, found) = read(file, marked);
        project.write(file, &text);
        proposals.extend(found);
    }
    (project, proposals)
}

pub fn workspace(project: &Project) -> Workspace {
    let manifest_path = Some(project.folder().join("Cargo.toml"));
    Workspace::load(&Selection {
        manifest_path,
        packages: Vec::new(),
    })
    .expect("the project is a workspace")
}

pub fn situ() -> SituSource {
    SituSource::checkout(&testkit::repository::root()).expect("this is a checkout")
}

pub fn text(project: &Project, path: &str) -> String {
    std::fs::read_to_string(project.folder().join(path)).expect("the file can be read")
}

/// A manifest of a package in a workspace of its own.
pub fn manifest(edition: &str) -> String {
    format!(
        "[package]\nname = \"edited\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[workspace]\n"
    )
}
