//! Composed files, built and run with the real macros.

use crate::project::{manifest, project, situ, text, workspace};
use situ_engine::edit::{ChangeSet, undo};

/// Writes the proposed tests, runs them in a build that denies warnings, checks that so many pass, and takes it back.
#[track_caller]
fn check(name: &str, files: &[(&str, &str)], tests: usize) {
    let (project, proposals) = project(name, files);
    let before: Vec<String> = files.iter().map(|(path, _)| text(&project, path)).collect();
    let changes = ChangeSet::new(&workspace(&project), &proposals, &situ()).unwrap();
    changes.write(&workspace(&project)).unwrap();
    let outcome = project
        .cargo(&["test", "--quiet", "--workspace", "--lib", "--bins"])
        .expect_success();
    let passed: usize = outcome
        .stdout
        .split("test result: ok. ")
        .skip(1)
        .map(|rest| {
            rest.split(' ')
                .next()
                .and_then(|count| count.parse::<usize>().ok())
                .unwrap_or_default()
        })
        .sum();
    assert_eq!(passed, tests, "{}\n{}", outcome.stdout, changes.patch());
    project
        .cargo(&["build", "--quiet", "--workspace"])
        .expect_success();
    undo(&workspace(&project)).unwrap();
    let restored: Vec<String> = files.iter().map(|(path, _)| text(&project, path)).collect();
    assert_eq!(before, restored);
}

const CODE: &str = "
pub struct X(pub u8);

impl X {
    pub fn add(&self, n: u8) -> u8 {
        let sum = self.0 + n;⟨A itest!(given(self = X(1), n = 2), check_eq(sum, 3));⟩⟨A itest!(given(self = X(2), n = 2), check_eq(sum, 4));⟩
        ⟨B blocktest!(given(sum = 3), check_return(6));⟩sum * 2
    }
}

impl X {
    pub fn kind(&self) -> &'static str {
        if self.0 > 3 && self.0 < 9 {⟨S itest!(given(self = X(4)), check(cond()), check(cond(2)));⟩ \"some\" } else { \"other\" }
    }
}

impl From<u8> for X {
    fn from(n: u8) -> X {
        let n = n + 1;⟨A itest!(given(n = 1), check_eq(n, 2));⟩
        X(n)
    }
}

impl From<u16> for X {
    fn from(n: u16) -> X {
        let n = n as u8;⟨A itest!(given(n = 1), check_eq(n, 1));⟩
        X(n)
    }
}

pub fn name(x: u8) -> &'static str {
    match x {
        0 => ⟨B itest!(given(x = 0), check_eq(scrutinee(), 0));⟩\"none\",
        n if n > 9 => {⟨S itest!(given(n = 10), check(cond()));⟩
            \"many\"
        }
        _ => \"some\",
    }
}

pub fn total(all: &[u8]) -> u8 {
    let mut sum = 0;
    for n in all {⟨S itest!(given(all = &[1, 2]), check_eq(items().len(), 2));⟩
        sum += n;⟨A itest!(given(sum = 1, n = &2), check_eq(sum, 3));⟩
    }
    all.iter().map(|n| ⟨B blocktest!(given(n = &2), check_return(3));⟩n + 1).sum::<u8>() + sum
}

pub mod inner {
    use super::*;

    pub fn halve(x: &X) -> u8 {
        let half = x.0 / 2;⟨A itest!(given(x = &X(4)), check_eq(half, 2));⟩
        half
    }

    pub mod deep {
        pub fn twice(x: u8) -> u8 {
            let twice = x * 2;⟨A itest!(given(x = 4), check_eq(twice, 8));⟩
            twice
        }
    }
}
";

/// The number of tests in it.
const TESTS: usize = 13;

#[test]
fn a_crate_of_each_edition_builds_and_passes() {
    for edition in ["2015", "2018", "2021", "2024"] {
        let manifest = manifest(edition);
        let root = "//! An example.\n#![deny(warnings)]\n\npub mod code;\n";
        let files = [
            ("Cargo.toml", manifest.as_str()),
            ("src/lib.rs", root),
            ("src/code.rs", CODE),
        ];
        check(&format!("edits-{edition}"), &files, TESTS);
        let root =
            format!("#![deny(warnings)]\nextern crate core as base;\npub use base::mem;\n{CODE}");
        check(
            &format!("edits-root-{edition}"),
            &[("Cargo.toml", &manifest), ("src/lib.rs", &root)],
            TESTS,
        );
    }
}

#[test]
fn no_import_is_one_too_many() {
    let function = "pub fn f(x: u8) -> u8 {\n    let y = x + 1;⟨A itest!(given(x = 1), check_eq(y, 2));⟩\n    y\n}\n";
    let root = format!(
        "#![deny(warnings)]\npub mod child;\npub mod sometimes;\npub struct Y;\n{function}"
    );
    let child = format!("use super::*;\npub fn y() -> Y {{\n    Y\n}}\n{function}");
    let sometimes = format!("#[cfg(debug_assertions)]\n{function}");
    let manifest = manifest("2021");
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", &root),
        ("src/child.rs", &child),
        ("src/sometimes.rs", &sometimes),
    ];
    check("edits-imports", &files, 3);
    let (project, proposals) = project("edits-imports-release", &files);
    ChangeSet::new(&workspace(&project), &proposals, &situ())
        .unwrap()
        .write(&workspace(&project))
        .unwrap();
    project
        .cargo(&["build", "--quiet", "--release"])
        .expect_success();
}

#[test]
fn a_crate_without_the_standard_library_builds_and_passes() {
    let root = format!("#![no_std]\n#![deny(warnings)]\n#[cfg(test)]\nextern crate std;\n{CODE}");
    check(
        "edits-no-std",
        &[("Cargo.toml", &manifest("2021")), ("src/lib.rs", &root)],
        TESTS,
    );
}

#[test]
fn in_a_virtual_workspace_only_members_with_tests_change() {
    let member = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n"
        )
    };
    let files = [
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"2\"\n".to_owned(),
        ),
        ("one/Cargo.toml", member("one")),
        ("one/src/lib.rs", CODE.to_owned()),
        ("two/Cargo.toml", member("two")),
        ("two/src/lib.rs", "pub fn f() {}\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    check("edits-virtual", &files, TESTS);
    let (project, proposals) = project("edits-virtual-again", &files);
    let changes = ChangeSet::new(&workspace(&project), &proposals, &situ()).unwrap();
    let paths: Vec<String> = changes
        .files
        .iter()
        .map(|file| file.path.display().to_string())
        .collect();
    assert_eq!(paths, ["one/src/lib.rs", "one/Cargo.toml"]);
}

#[test]
fn a_second_run_of_a_written_crate_changes_nothing() {
    let (project, proposals) = project(
        "edits-again",
        &[("Cargo.toml", &manifest("2021")), ("src/lib.rs", CODE)],
    );
    let changes = ChangeSet::new(&workspace(&project), &proposals, &situ()).unwrap();
    changes.write(&workspace(&project)).unwrap();
    let written = text(&project, "src/lib.rs");
    let place = written.find("let half = x.0 / 2;").unwrap() + "let half = x.0 / 2;".len();
    let mut again = proposals
        .iter()
        .find(|proposal| proposal.text.contains("half"))
        .unwrap()
        .clone();
    again.place = situ_engine::edit::Place::After(place);
    let changes = ChangeSet::new(&workspace(&project), &[again], &situ()).unwrap();
    assert_eq!(changes, ChangeSet::default());
}
