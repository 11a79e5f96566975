//! `cargo situ test` and `cargo situ list` on a crate with every kind of test.

use crate::project::{Project, Ran};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};

const LIB: &str = r#"
use situ::prelude::*;

/// Doubles.
///
/// ```
/// assert_eq!(library::double(2), 4);
/// ```
#[situ]
pub fn double(x: u32) -> u32 {
    let y = x * 2;
    itest!("of one", given(x = 1), check_eq(y, 2), tag("fast"));
    itest!("wrong on purpose", given(x = 1), check_eq(y, 3), tag("slow", "text"));
    y
}

#[datapoints]
const SOME: [u32; 2] = [1, 2];

#[theory]
fn doubling_grows(x: u32) {
    assert!(double(x) > x);
}

#[cfg(test)]
mod tests {
    #[test]
    fn four() {
        assert_eq!(super::double(2), 4);
    }

    #[test]
    #[ignore = "not now"]
    fn later() {}
}
"#;

/// One name for all tests that build: the dependencies take longer than the tests.
fn crate_with_tests(name: &str) -> Project {
    let project = Project::with_builds_of_last_run(name);
    let situ = concat!(env!("CARGO_MANIFEST_DIR"), "/../situ");
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
             [dependencies]\nsitu = {{ path = {situ:?} }}\n\
             [dev-dependencies]\nsitu = {{ path = {situ:?}, features = [\"test\"] }}\n"
        ),
    );
    project.write("src/lib.rs", LIB);
    project.write("tests/whole.rs", "#[test]\nfn ends_its_process() {\n    std::process::abort();\n}\n#[test]\nfn eight() {\n    assert_eq!(library::double(4), 8);\n}\n");
    project
}

fn outcomes(ran: &Ran) -> Vec<[String; 3]> {
    let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    let mut all: Vec<_> = ran
        .lines
        .iter()
        .map(|line| ["name", "kind", "outcome"].map(|key| text(line, key)))
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn each_test_is_run_and_told_and_one_that_aborts_takes_no_other_with_it() {
    let project = crate_with_tests("suite");
    let before = project.snapshot();
    let page = project.path().join("target/report.html");
    let xml = project.path().join("target/report.xml");
    let ran = project.situ(&[
        "test",
        "--json",
        "--html",
        page.to_str().unwrap(),
        "--junit",
        xml.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "nothing of the user's is written"
    );
    assert_eq!(
        outcomes(&ran),
        [
            ["doubling_grows", "theory", "passed"],
            ["eight", "test", "passed"],
            ["ends_its_process", "test", "failed"],
            ["situ_double::of_one", "itest", "passed"],
            ["situ_double::wrong_on_purpose", "itest", "failed"],
            ["src/lib.rs - double (line 6)", "doctest", "passed"],
            ["tests::four", "test", "passed"],
            ["tests::later", "test", "ignored"],
        ]
    );
    let count = |key: &str| ran.summary[key].as_u64().unwrap();
    assert_eq!(
        (
            count("tests"),
            count("passed"),
            count("failed"),
            count("ignored")
        ),
        (8, 5, 2, 1)
    );
    let failed = ran
        .lines
        .iter()
        .find(|line| line["name"] == "situ_double::wrong_on_purpose")
        .unwrap();
    assert_eq!(failed["line"], 13);
    assert!(
        failed["output"].as_str().unwrap().contains("let y = x * 2"),
        "{failed}"
    );
    let xml = std::fs::read_to_string(xml).unwrap();
    assert!(
        xml.contains("tests=\"8\" failures=\"2\" skipped=\"1\""),
        "{xml}"
    );
    assert!(
        xml.contains(
            "classname=\"situ_double\" name=\"wrong_on_purpose\" file=\"src/lib.rs\" line=\"13\""
        ),
        "{xml}"
    );
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("wrong_on_purpose") && page.contains("let y = x * 2;"));
}

#[test]
fn tests_are_chosen_by_kind_tag_name_and_line() {
    let project = crate_with_tests("suite");
    let names = |arguments: &[&str]| {
        let ran = project.situ(&[&["test", "--json"], arguments].concat());
        let names: Vec<String> = outcomes(&ran).into_iter().map(|[name, ..]| name).collect();
        (ran.code, names)
    };
    assert_eq!(
        names(&["--tag", "fast"]),
        (0, vec!["situ_double::of_one".to_owned()])
    );
    assert_eq!(
        names(&["--only-insitu", "--file", "src/lib.rs:12"]),
        (0, vec!["situ_double::of_one".to_owned()])
    );
    assert_eq!(
        names(&["--no-insitu", "four", "grows"]),
        (
            0,
            vec!["doubling_grows".to_owned(), "tests::four".to_owned()]
        )
    );
    let (code, all) = names(&["--only-insitu", "--order", "slow", "--repeat", "3"]);
    assert_eq!((code, all.len()), (1, 2));
    let text = project.situ(&["test", "--only-insitu", "--repeat", "2"]);
    assert!(
        text.stdout
            .starts_with("src/lib.rs:13: situ_double::wrong_on_purpose failed 2 of 2 times\n"),
        "{}",
        text.stdout
    );
    assert!(text.stdout.contains("2 tests in "), "{}", text.stdout);
    let said = project.situ(&["test", "--tag", "fsat"]);
    assert_eq!(said.code, 2);
    assert!(
        said.stderr
            .contains("no test has the tag `fsat`; there are: fast, slow, text"),
        "{}",
        said.stderr
    );
    let said = project.situ(&["test", "nothing_is_called_so"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("cargo situ list"), "{}", said.stderr);
    let shown = project.situ(&["test", "--github", "--only-insitu"]);
    assert!(
        shown.stdout.starts_with(
            "::error file=src/lib.rs,line=13,title=situ_double%3A%3Awrong_on_purpose::"
        ),
        "{}",
        shown.stdout
    );
}

#[test]
fn the_list_shows_kind_place_and_tags_without_a_build() {
    let project = crate_with_tests("suite-list");
    let ran = project.situ(&["list", "--json"]);
    assert_eq!(
        (
            ran.code,
            ran.summary["tests"].as_u64(),
            ran.summary["itest"].as_u64()
        ),
        (0, Some(7), Some(2))
    );
    let text = project.situ(&["list", "--tag", "slow"]);
    assert!(
        text.stdout
            .contains("itest  src/lib.rs:13  11     situ_double::wrong_on_purpose  slow, text"),
        "{}",
        text.stdout
    );
    assert!(!project.path().join("target/situ/build").exists());
}

#[test]
fn a_test_whose_assumption_does_not_hold_is_skipped_whoever_runs_it() {
    let project = crate_with_tests("suite");
    let skipped = r#"itest!("skipped", given(x = 1), assume(x > 4), check_eq(y, 2));
    itest!("some cases", each(x, [1, 5]), assume(x > 4), check_eq(y, 10));
    itest!("no case", each(x, [1, 2]), assume(x > 4), check_eq(y, 10));
    y
}"#;
    let text = LIB.replacen("    y\n}", &format!("    {skipped}"), 1);
    let assumed = "    #[test]\n    fn assumed() {\n        situ::assume!(super::double(1) > 2);\n        panic!(\"not reached\");\n    }\n\n    #[test]\n    fn four";
    project.write(
        "src/lib.rs",
        &text.replacen("    #[test]\n    fn four", assumed, 1),
    );
    let junit = project.path().join("target/junit.xml");
    let runners: [&[&str]; 3] = [&[], &["--jobs", "1"], &["--runner", "nextest"]];
    for runner in runners {
        let nextest = std::process::Command::new("cargo")
            .args(["nextest", "--version"])
            .output();
        if runner.contains(&"nextest") && !nextest.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: nextest is not installed");
            continue;
        }
        let arguments = [
            "test",
            "--json",
            "--no-doctests",
            "--junit",
            junit.to_str().unwrap(),
            "situ_",
            "assumed",
        ];
        let ran = project.situ(&[&arguments, runner].concat());
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let outcome = |name: &str| {
            let line = ran
                .lines
                .iter()
                .find(|line| line["name"].as_str().unwrap().ends_with(name));
            let line = line.unwrap_or_else(|| panic!("{name} in {:?}", ran.lines));
            (
                line["outcome"].as_str().unwrap().to_owned(),
                line["output"].as_str().unwrap_or_default().to_owned(),
            )
        };
        assert_eq!(
            outcome("::skipped"),
            ("skipped".to_owned(), "assume(x > 4) is false".to_owned()),
            "{runner:?}"
        );
        assert_eq!(outcome("::some_cases").0, "passed", "{runner:?}");
        assert_eq!(outcome("::assumed").0, "skipped", "{runner:?}");
        let (failed, said) = outcome("::no_case");
        assert_eq!(failed, "failed", "{runner:?}");
        assert!(
            said.contains("none of 2, so nothing was checked; rejected by assume(x > 4) 2"),
            "{said}"
        );
        assert_eq!(ran.summary["skipped"], 2, "{runner:?}: {}", ran.summary);
        let report = project.read("target/junit.xml");
        assert!(
            report.contains("<skipped message=\"assume(x &gt; 4) is false\"/>"),
            "{report}"
        );
    }
    let told = project.situ(&["test", "--no-doctests", "situ_double::skipped"]);
    assert!(
        told.stdout
            .contains("situ_double::skipped skipped: assume(x > 4) is false"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("0 passed, 0 failed, 1 skipped"),
        "{}",
        told.stdout
    );
}

#[test]
fn an_in_situ_test_that_fails_is_told_by_record_and_is_no_difference() {
    let project = crate_with_tests("suite");
    std::fs::remove_file(project.path().join("tests/whole.rs")).unwrap();
    let ran = project.situ(&["record"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let fails = "error: the test `situ_double::wrong_on_purpose` of `library lib library` fails before anything is changed:\n";
    assert!(
        ran.stderr.contains(fails) && ran.stderr.contains("let y = x * 2"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains("warning: "), "{}", ran.stdout);
    let ran = project.situ(&["record", "--json"]);
    assert_eq!(
        (
            ran.summary["failing_tests"].as_u64(),
            ran.summary["outcome_differences"].as_u64()
        ),
        (Some(1), Some(0))
    );
}

#[test]
fn tests_that_do_not_compile_are_the_users_own_fault() {
    let project = crate_with_tests("suite");
    project.edit("src/lib.rs", "x * 2", "x * \"2\"");
    let ran = project.situ(&["test", "--only-insitu"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("the tests do not compile") && ran.stderr.contains("E0277"),
        "{}",
        ran.stderr
    );
}

#[test]
fn watching_runs_every_test_that_a_change_can_reach() {
    let project = crate_with_tests("suite");
    project.edit("src/lib.rs", "check_eq(y, 3)", "check_eq(y, 2)");
    project.write("src/factor.txt", "2");
    project.edit(
        "src/lib.rs",
        "use situ",
        "pub const FACTOR: &str = include_str!(\"factor.txt\");\nuse situ",
    );
    let mut watching = project.watched(&[
        "test",
        "--no-doctests",
        "--watch",
        "situ_double",
        "tests::four",
    ]);
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut until = |wanted: &str| {
        lines
            .find(|line| line.as_ref().unwrap().contains(wanted))
            .unwrap()
            .unwrap()
    };
    assert!(until("tests in ").contains("3 passed, 0 failed"));
    until("waiting for a change");
    project.edit("src/lib.rs", "x * 2", "x * 3");
    assert!(
        until("tests in ").contains("0 passed, 3 failed"),
        "a unit test elsewhere notices it too"
    );
    until("waiting for a change");
    project.write("src/factor.txt", "3, which is longer");
    until("tests in ");
    watching.kill().unwrap();
    watching.wait().unwrap();
}
