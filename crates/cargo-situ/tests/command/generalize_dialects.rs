//! `cargo situ generalize` on tests in the words of other crates: `#[tokio::test]`, `claims`, `assert2`, `pretty_assertions`.

use crate::project::{Project, Ran, own_cargo};
use std::fs;
use std::path::Path;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn dialects() -> Project {
    let project = Project::with_builds_of_last_run("generalize-dialects");
    for name in ["Cargo.toml", "src/lib.rs"] {
        let path = Path::new(REPOSITORY)
            .join("testdata/generalize-dialects")
            .join(name);
        project.write(name, &fs::read_to_string(path).unwrap());
    }
    project
}

/// The class of an assertion, told by how it begins.
fn class(ran: &Ran, test: &str, assertion: &str) -> String {
    let is_meant = |line: &&serde_json::Value| {
        line["test"] == format!("tests::{test}")
            && line["assertion"]
                .as_str()
                .is_some_and(|text| text.starts_with(assertion))
    };
    let found = ran
        .lines
        .iter()
        .find(is_meant)
        .unwrap_or_else(|| panic!("{test} × {assertion}: {}", ran.stdout));
    found["class"].as_str().unwrap().to_owned()
}

fn text<'r>(ran: &'r Ran, name: &str) -> &'r str {
    let found = ran.lines.iter().find(|line| line["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is not there: {}", ran.stdout))["text"]
        .as_str()
        .unwrap()
}

fn cargo_test(project: &Project) {
    let output = own_cargo(project)
        .args(["test", "--quiet"])
        .output()
        .unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success() && !said.contains("warning"),
        "{said}"
    );
}

#[test]
fn tests_in_the_words_of_other_crates_are_generalized() {
    let project = dialects();
    let ran = project.situ(&["generalize", "--json", "--write"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        class(&ran, "a_word_has_a_size", "assert_ne!"),
        "falsifiably_coupled"
    );
    assert_eq!(
        class(&ran, "nothing_is_unknown", "assert!(matches!("),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "half_is_fifty", "assert_ok!"),
        "falsifiably_coupled"
    );
    assert_eq!(
        class(&ran, "half_is_fifty", "pretty_assertions::assert_eq!"),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "too_much_is_none", "claims::assert_matches!"),
        "falsifiably_coupled"
    );
    assert_eq!(
        class(&ran, "all_is_a_hundred", "assert2::assert!(let"),
        "falsifiably_coupled"
    );
    assert_eq!(
        class(&ran, "all_is_a_hundred", "assert2::check!"),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "all_is_a_hundred", "debug_assert!"),
        "falsifiably_coupled"
    );
    assert_eq!(
        class(&ran, "cases_of_a_table_are_cases", "assert!(percent(text)"),
        "falsifiably_coupled"
    );
    assert_eq!(ran.summary["ill_formed"], 0, "{}", ran.stdout);

    let waiting = text(&ran, "a_word_has_a_size_over_ask");
    for part in [
        "#[case::as_in_a_name_is_known(\"situ\")]",
        "#[tokio::test]",
        "async fn ",
        "ask(key).await",
    ] {
        assert!(waiting.contains(part), "{part} in {waiting}");
    }
    let bound = text(&ran, "all_is_a_hundred_over_percent_2");
    assert!(
        bound.contains("assert2::assert!(let Ok(all) = percent(text));"),
        "{bound}"
    );
    cargo_test(&project);
}
