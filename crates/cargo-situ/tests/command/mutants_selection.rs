//! What `cargo situ mutants` is asked for: a selection of nothing is the user's mistake, and says what there is.

use crate::project::{Project, Ran};
use std::fs;

const LIBRARY: &str = "pub fn double(x: u32) -> u32 {\n    x + x\n}\n\npub fn triple(x: u32) -> u32 {\n    x * 3\n}\n\n\
                       #[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn doubles() { assert_eq!(double(3), 6); }\n    \
                       #[test]\n    fn triples() { assert_eq!(triple(3), 9); }\n}\n";

fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{word} in: {}", ran.stderr);
    }
}

#[test]
fn a_selection_of_nothing_says_what_there_is() {
    let project = Project::library("", LIBRARY);
    project.write(
        "tests/outside.rs",
        "#[test]\nfn outside() { assert_eq!(library::double(0), 0); }\n",
    );
    let situ =
        |arguments: &[&str]| project.situ(&[&["mutants", "--no-doctests"], arguments].concat());
    refused(
        &situ(&["--in", "src/lib.rs:9999"]),
        &["`--in src/lib.rs:9999`", "src/lib.rs", "16 lines"],
    );
    refused(
        &situ(&["--in", "src/lib.rs:4"]),
        &["`--in src/lib.rs:4`", "line 2", "line 6"],
    );
    refused(
        &situ(&["--in", "double", "--in", "tripel"]),
        &["`--in tripel`", "`triple`"],
    );
    refused(
        &situ(&["--in", "src/lob.rs"]),
        &["`--in src/lob.rs`", "src/lib.rs"],
    );
    refused(
        &situ(&["--tests", "dubles"]),
        &["`--tests dubles`", "tests::doubles", "3 tests"],
    );
    let diff = |path: &str, line: usize| {
        format!("--- a/{path}\n+++ b/{path}\n@@ -{line},1 +{line},1 @@\n-    old\n+    x + x\n")
    };
    for (name, text, words) in [
        (
            "relative",
            diff("lib.rs", 2),
            &["lib.rs", "src/lib.rs", "--relative"][..],
        ),
        (
            "elsewhere",
            diff("member/src/lab.rs", 2),
            &["member/src/lab.rs"],
        ),
        ("none", "no diff at all\n".to_owned(), &["unified diff"]),
    ] {
        project.write(&format!("target/{name}.diff"), &text);
        refused(&situ(&["--in-diff", &format!("target/{name}.diff")]), words);
    }
    project.write(
        "target/again",
        "{\"file\":\"src/lib.rs\",\"line\":1,\"column\":1,\"operator\":\"body\",\"replacement\":\"7\"}\n",
    );
    refused(&situ(&["--again", "target/again"]), &["target/again"]);
    // What has nothing to do with mutants is no mistake.
    for (name, text) in [
        ("text", diff("README.md", 1)),
        ("tests", diff("tests/outside.rs", 1)),
        ("comment", diff("src/lib.rs", 4)),
        (
            "gone",
            "--- a/src/old.rs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-fn old() {}\n".to_owned(),
        ),
        ("empty", String::new()),
    ] {
        project.write(&format!("target/{name}.diff"), &text);
        let ran = situ(&["--json", "--in-diff", &format!("target/{name}.diff")]);
        assert_eq!(
            (ran.code, ran.summary["mutants"].as_u64()),
            (0, Some(0)),
            "{name}: {}",
            ran.stderr
        );
    }
    project.write("target/change.diff", &diff("repository/src/lib.rs", 2));
    let found = situ(&["--json", "--in-diff", "target/change.diff"]);
    assert!(
        found.code == 0 && !found.lines.is_empty(),
        "{}",
        found.stderr
    );
}

#[test]
fn what_situ_keeps_may_be_removed_at_any_time() {
    let project = Project::library("", LIBRARY);
    let situ = || project.situ(&["mutants", "--json", "--no-doctests"]);
    let counts =
        |ran: &Ran| ["mutants", "killed", "survived"].map(|key| ran.summary[key].as_u64().unwrap());
    let first = situ();
    assert!(
        first.code == 0 && !first.lines.is_empty(),
        "{}",
        first.stderr
    );
    let kept = project.path().join("target/situ/mutants");
    for removed in ["", "units", "numbers.json", "inventory.json"] {
        let path = kept.join(removed);
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
        let again = situ();
        assert_eq!(again.code, 0, "{removed}: {}", again.stderr);
        assert_eq!(counts(&again), counts(&first), "without {removed}");
    }
    fs::write(kept.join("numbers.json"), "{\"next\": 900").unwrap();
    project.edit("src/lib.rs", "pub fn double", "// Doubles.\npub fn double");
    assert_eq!(counts(&situ()), counts(&first));
}
