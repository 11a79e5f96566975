//! Composing a file, rule by rule.

mod formats;
mod imports;
mod manifests;
mod marks;
mod places;

use super::{Formatting, Place, Proposal, compose};
use cargo_metadata::Edition;
use std::path::PathBuf;

/// Parses a text with proposals: `⟨A itest!(…);⟩` after a statement, `⟨S …⟩` after the brace of a
/// block, and `⟨B …⟩` before a statement.
fn read(marked: &str) -> (String, Vec<Proposal>) {
    let mut text = String::new();
    let mut proposals = Vec::new();
    let mut rest = marked;
    while let Some((before, behind)) = rest.split_once('⟨') {
        text.push_str(before);
        let (inside, behind) = behind.split_once('⟩').expect("a marker ends");
        let (kind, test) = inside
            .split_once(' ')
            .expect("a marker has a kind and a test");
        let place = match kind {
            "A" => Place::After(text.len()),
            "S" => Place::BodyStart(text.len()),
            "B" => Place::Before(text.len()),
            other => panic!("{other} is no kind of place"),
        };
        proposals.push(Proposal {
            file: PathBuf::from("src/lib.rs"),
            place,
            text: test.to_owned(),
        });
        rest = behind;
    }
    text.push_str(rest);
    (text, proposals)
}

fn composed_with(marked: &str, options: &Formatting) -> String {
    let (text, proposals) = read(marked);
    let composed = compose(&text, &proposals.iter().collect::<Vec<_>>(), options).unwrap();
    assert_eq!(wrong_blanks(&text, &composed), Vec::<String>::new());
    composed
}

/// Returns the lines that `git diff --check` would report. Ignores carriage returns, which match
/// the file's line endings.
fn wrong_blanks(before: &str, after: &str) -> Vec<String> {
    let hunks = super::patch::hunks(before, after);
    let added = hunks
        .lines()
        .filter_map(|line| line.strip_prefix('+'))
        .map(|line| line.trim_end_matches('\r'));
    let mut wrong: Vec<String> = added
        .filter(|line| line.ends_with([' ', '\t']))
        .map(str::to_owned)
        .collect();
    if after.ends_with("\n\n") && !before.ends_with("\n\n") {
        wrong.push("an empty line at the end".to_owned());
    }
    wrong
}

#[track_caller]
fn check(marked: &str, expected: &str) {
    assert_eq!(
        composed_with(marked, &Formatting::plain(Edition::E2021)),
        expected
    );
}

/// Checks the body of a function that has `#[situ]` and the import already.
#[track_caller]
fn check_body(marked: &str, expected: &str) {
    let around = |body: &str| format!("use situ::prelude::*;\n\n#[situ]\nfn f() {{\n{body}}}\n");
    check(&around(marked), &around(expected));
}

#[track_caller]
fn refuses(marked: &str) {
    let (text, proposals) = read(marked);
    for proposal in &proposals {
        assert!(
            !super::admits(&text, proposal.place),
            "{:?} is admitted",
            proposal.place
        );
        assert!(compose(&text, &[proposal], &Formatting::plain(Edition::E2021)).is_err());
    }
}
