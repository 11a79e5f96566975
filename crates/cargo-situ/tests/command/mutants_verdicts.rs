//! What a verdict of `cargo situ mutants` rests on: tests that pass alone and always, all of them, and files that can be read.

use crate::project::{Project, Ran};
use serde_json::Value;

const DOUBLE: &str = "pub fn double(x: u32) -> u32 {\n    x + x\n}";

/// A library with these tests.
fn tested(function: &str, tests: &str) -> String {
    format!("{function}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n{tests}\n}}\n")
}

/// The mutants of a function.
fn mutants_of<'r>(ran: &'r Ran, function: &str) -> Vec<&'r Value> {
    ran.lines
        .iter()
        .filter(|mutant| mutant["function"] == function)
        .collect()
}

/// The first of these tests prepares what the second needs. The third fails where the first has run, unless the one between them
/// has cleaned up: all of them together pass, and so does each of the last two alone.
const ORDER_DEPENDENT: &str = r#"
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    static IS_READY: AtomicBool = AtomicBool::new(false);
    static IS_DIRTY: AtomicBool = AtomicBool::new(false);
    #[test]
    fn a_prepares() { triple(1); IS_DIRTY.store(true, SeqCst); IS_READY.store(true, SeqCst); }
    #[test]
    fn b_needs_it() { double(1); assert!(IS_READY.load(SeqCst)); }
    #[test]
    fn c_cleans_up() { IS_DIRTY.store(false, SeqCst); }
    #[test]
    fn d_needs_a_clean_place() { triple(1); assert!(!IS_DIRTY.load(SeqCst)); }
    #[test]
    fn e_checks() { assert_eq!(half(4), 2); }
"#;

#[test]
fn a_test_that_needs_others_before_it_kills_nothing() {
    let functions = format!(
        "{DOUBLE}\npub fn triple(x: u32) -> u32 {{ x * 3 }}\npub fn half(x: u32) -> u32 {{ x / 2 }}"
    );
    let project = Project::library("", &tested(&functions, ORDER_DEPENDENT));
    let ran = project.situ(&["mutants", "--json", "--no-doctests"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for mutant in mutants_of(&ran, "double")
        .into_iter()
        .chain(mutants_of(&ran, "triple"))
    {
        assert_eq!(mutant["status"], "survived", "{mutant}");
    }
    assert!(
        !mutants_of(&ran, "double").is_empty()
            && mutants_of(&ran, "double")
                .iter()
                .all(|mutant| mutant["is_unstable"] == true)
    );
    assert!(
        mutants_of(&ran, "triple")
            .iter()
            .all(|mutant| mutant["is_unstable"] == false),
        "alone it passes: {}",
        ran.stdout
    );
    assert_eq!(
        ran.summary["unstable_tests"][0]["test"], "tests::b_needs_it",
        "{}",
        ran.summary
    );
    let said = project
        .situ(&["mutants", "--no-doctests", "--in", "double"])
        .stdout;
    assert!(
        said.contains("survived (`tests::b_needs_it` reaches it, but also fails without it): "),
        "{said}"
    );
    let why = "kills no mutant: it failed in 3 of 3 runs alone, without a mutant";
    assert!(
        said.contains(&format!("the test `tests::b_needs_it` of `library` {why}")),
        "{said}"
    );
    assert!(
        mutants_of(&ran, "half")
            .iter()
            .any(|mutant| mutant["status"] == "killed"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_test_that_ends_its_process_hides_no_failing_neighbour() {
    let tests = "#[test]\nfn a_exits() { std::process::exit(0) }\n#[test]\nfn b_fails() { assert_eq!(double(2), 5); }\n\
                 #[test]\nfn c_passes() { assert_eq!(double(2), 4); }";
    let project = Project::library("", &tested(DOUBLE, tests));
    let ran = project.situ(&["mutants", "--json", "--no-doctests"]);
    assert_eq!(
        (ran.code, ran.lines.len()),
        (3, 0),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert!(
        ran.stderr.contains("tests::b_fails") && ran.stderr.contains("tests::a_exits"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("c_passes"), "{}", ran.stderr);
    let tested = project.situ(&["test", "--json", "--no-doctests"]);
    let outcome = |name: &str| {
        &tested
            .lines
            .iter()
            .find(|test| test["name"] == format!("tests::{name}"))
            .unwrap()["outcome"]
    };
    assert_eq!(
        (
            tested.code,
            outcome("a_exits"),
            outcome("b_fails"),
            outcome("c_passes")
        ),
        (1, &"failed".into(), &"failed".into(), &"passed".into())
    );
}

#[test]
fn a_doctest_that_ends_its_process_hides_no_other_one() {
    let text = "/// ```\n/// std::process::exit(0)\n/// ```\npub fn alpha(x: u32) -> u32 { x + x }\n\
                /// ```\n/// assert_eq!(library::zed(3), 6);\n/// ```\npub fn zed(x: u32) -> u32 { x + x }\n";
    let project = Project::library("", text);
    let ran = project.situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        mutants_of(&ran, "zed")
            .iter()
            .all(|mutant| mutant["status"] == "killed"),
        "{}",
        ran.stdout
    );
}

/// Rust that the compiler accepts and the parser does not.
const NEWER: &str = "#[cfg(any())]\npub trait Newer { type Item<'a> where Self: 'a = u32; }\npub fn triple(x: u32) -> u32 { x * 3 }\n";

#[test]
fn a_file_that_cannot_be_read_is_named_and_denies_that_nothing_survives() {
    let modules = "mod newer;\n#[cfg(any())]\nmod elsewhere;\npub use newer::triple;\n";
    let tests = "#[test]\nfn doubles() { assert_eq!((double(0), double(1), double(2)), (0, 2, 4)); }\nmod also_newer;";
    let project = Project::library("", &tested(&format!("{modules}{DOUBLE}"), tests));
    for file in [
        "src/newer.rs",
        "src/elsewhere.rs",
        "src/tests/also_newer.rs",
    ] {
        project.write(file, NEWER);
    }
    let deny = ["mutants", "--json", "--no-doctests", "--deny-survivors"];
    let ran = project.situ(&deny);
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.lines.iter().all(|mutant| mutant["status"] == "killed"),
        "{}",
        ran.stdout
    );
    let unreadable = ran.summary["unreadable"].as_array().unwrap();
    assert_eq!(
        unreadable.len(),
        1,
        "what is not compiled has no mutants, and neither has test code: {unreadable:?}"
    );
    assert_eq!(unreadable[0]["file"], "src/newer.rs");
    assert!(
        unreadable[0]["why"]
            .as_str()
            .unwrap()
            .contains("expected `;`"),
        "{unreadable:?}"
    );
    assert!(
        ran.stderr.contains("src/newer.rs") && ran.stderr.contains("--in"),
        "what to do: {}",
        ran.stderr
    );
    // In another run nothing is compiled.
    let said = project.situ(&["mutants", "--no-doctests"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("warning: src/newer.rs:"),
        "{}",
        said.stderr
    );
    assert!(
        said.stdout
            .contains("src/newer.rs: has no mutants, because it cannot be parsed: "),
        "{}",
        said.stdout
    );
    let elsewhere = project.situ(&[&deny[..], &["--in", "src/lib.rs"]].concat());
    assert_eq!(
        (
            elsewhere.code,
            elsewhere.summary["unreadable"].as_array().unwrap().len()
        ),
        (0, 0),
        "{}",
        elsewhere.stderr
    );
}
