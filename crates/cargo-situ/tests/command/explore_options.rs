//! `cargo situ explore`: what its options do, on a copy of the crate under `testdata/explore`.

use crate::project::Project;
use std::collections::BTreeMap;
use std::fs;

/// The fixture, in the folder that another test keeps its builds in: programs of tests run one after the other.
fn fixture() -> Project {
    Project::copy_with_builds("explore", "explore")
}

const ADDRESSES: &str = "every_address_has_a_path";

fn corpus_of(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let folder = project.path().join(format!(
        "target/situ/explore/explored..tests..{ADDRESSES}/corpus"
    ));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                fs::read(entry.path()).unwrap(),
            )
        })
        .collect()
}

fn forget_corpus(project: &Project) {
    let _ = fs::remove_dir_all(
        project
            .path()
            .join("target/situ/explore")
            .join(format!("explored..tests..{ADDRESSES}")),
    );
}

fn machines_share_a_search_and_put_their_corpora_together(project: &Project) {
    forget_corpus(project);
    let of_machine = |part: &str| {
        forget_corpus(project);
        let ran = project.situ(&[
            "explore", ADDRESSES, "--runs", "4000", "--shard", part, "--json", "-j1",
        ]);
        assert!(matches!(ran.code, 0 | 1), "{}", ran.stderr);
        corpus_of(project)
    };
    let (first, second) = (of_machine("1/2"), of_machine("2/2"));
    assert!(!first.is_empty() && !second.is_empty());
    assert_ne!(first, second, "two machines do not do the same work");
    let folder = project.path().join(format!(
        "target/situ/explore/explored..tests..{ADDRESSES}/corpus"
    ));
    first
        .iter()
        .for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    let both = corpus_of(project);
    assert!(
        first
            .keys()
            .chain(second.keys())
            .all(|name| both.contains_key(name))
    );
    let more = project.situ(&["explore", ADDRESSES, "--runs", "4000", "--json", "-j1"]);
    assert!(corpus_of(project).len() >= both.len(), "{}", more.stderr);
}

fn inputs_that_hold_on_new_paths_are_told(project: &Project) {
    let ran = project.situ(&[
        "explore",
        ADDRESSES,
        "--runs",
        "8000",
        "--seed",
        "5",
        "--passing",
        "--json",
        "-j1",
    ]);
    let passing: Vec<&str> = ran
        .lines
        .iter()
        .filter_map(|line| line["passing"].as_str())
        .collect();
    assert!(passing.contains(&"\"situ://\""), "{passing:?}");
}

fn a_search_ends_when_nothing_new_is_covered(project: &Project) {
    let ran = project.situ(&[
        "explore",
        "reversing_twice_changes_nothing",
        "--until-covered",
        "--json",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let seconds = ran.summary["seconds"].as_f64().unwrap();
    assert!((1.9..59.0).contains(&seconds), "{seconds} s");
}

fn only_what_the_user_says_yes_to_is_written(project: &Project) {
    let source = project.read("src/lib.rs");
    let ask = [
        "explore",
        "the_first_becomes_the_last",
        "--runs",
        "2000",
        "--review",
    ];
    let refused = project.situ_answered(&ask, "n\n");
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("const EMPTY: &str = \"\";"),
        "{}",
        refused.stderr
    );
    assert_eq!(project.read("src/lib.rs"), source);
    assert_eq!(project.situ_answered(&ask, "y\n").code, 1);
    assert!(
        project
            .read("src/lib.rs")
            .contains("    #[datapoint]\n    const EMPTY: &str = \"\";\n")
    );
    assert_eq!(project.situ(&["explore", "--undo"]).code, 0);
    assert_eq!(project.read("src/lib.rs"), source);
}

#[test]
fn options_do_what_they_say() {
    let project = fixture();
    machines_share_a_search_and_put_their_corpora_together(&project);
    inputs_that_hold_on_new_paths_are_told(&project);
    a_search_ends_when_nothing_new_is_covered(&project);
    only_what_the_user_says_yes_to_is_written(&project);
}
