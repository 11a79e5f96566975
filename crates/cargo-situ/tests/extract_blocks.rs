//! `cargo situ extract --level block` from end to end, on a copy of the crate under `testdata/fragments`.

mod project;

use project::Project;
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn blocks_and_closures_get_tests_that_pass_and_are_not_added_twice() {
    let project = Project::copy("fragments");
    let shown = project.situ(&["extract", "--level", "block", "--json", "--situ-path", REPOSITORY]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let number = |key: &str| shown.summary[key].as_u64().unwrap_or_else(|| panic!("{key} in {}", shown.summary));
    assert!(number("statements_with_tests") * 10 >= number("statements_reached") * 9, "{}", shown.summary);
    assert_eq!(number("fragment_branches_covered"), number("fragment_branches_reached"), "{}", shown.summary);
    assert!(number("fragment_branches_reached") <= number("fragment_branches"));
    assert!(shown.lines.iter().all(|test| test["level"] == "block"));
    let texts: Vec<&str> = shown.lines.iter().map(|test| test["text"].as_str().unwrap()).collect();
    let says = |part: &str| texts.iter().any(|text| text.contains(part));
    for part in [
        "check_return(None)",
        "check_break()",
        "check_continue()",
        "check_panic(\"attempt to divide by zero\")",
        "check_value(300)",
        "mock(env::var(\"SITU_FIXTURE_GREETING\"), Err",
        "mock_seq(fs::read_to_string(..), [Ok(String::from(\"one\\n\")), Ok(String::from(\"three\\n\")), Ok(",
        "closuretest!(",
        "args(",
        "next(",
    ] {
        assert!(says(part), "no test says {part}: {texts:#?}");
    }
    check_writing(&project, texts.len());
}

fn check_writing(project: &Project, tests: usize) {
    let arguments = ["extract", "--level", "block", "--write", "--situ-path", REPOSITORY];
    let written = project.situ(&[&arguments[..], &["--from", "extract"]].concat());
    assert_eq!(written.code, 0, "{}", written.stderr);
    let source = project.read("src/lib.rs");
    assert_eq!(source.matches("test!(").count(), tests, "{source}");
    let mut command = Command::new("cargo");
    command
        .args(["test", "--lib"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", project.path().join("target/own"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}\n{source}", String::from_utf8_lossy(&output.stdout));
    let again = project.situ(&arguments);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(project.read("src/lib.rs"), source, "nothing new the second time");
    let start = source.find("        let part = part.trim();").unwrap();
    let first = source[..start].rfind("{\n").unwrap() + 2;
    assert!(source[first..start].contains("blocktest!("), "{source}");
    project.write("src/lib.rs", &format!("{}{}", &source[..first], &source[start..]));
    let once_more = project.situ(&arguments);
    assert_eq!(once_more.code, 0, "{}", once_more.stderr);
    assert_eq!(project.read("src/lib.rs"), source, "what is missing is found, beside the tests that are there");
}

#[test]
fn the_least_tested_come_first_and_a_line_names_the_innermost() {
    let project = Project::copy("fragments");
    let one = project.situ(&["extract", "--level", "block", "--top", "1", "--json", "--situ-path", REPOSITORY]);
    assert_eq!(one.code, 0, "{}", one.stderr);
    assert_eq!(one.summary["statements_with_tests"], 1, "{}", one.summary);
    let line = 1 + project.read("src/lib.rs").lines().position(|line| line.contains("part * 100")).unwrap();
    let at = format!("src/lib.rs:{line}");
    let inner = project.situ(&["extract", "--level", "block", "--at", &at, "--json", "--situ-path", REPOSITORY]);
    assert_eq!(inner.code, 0, "{}", inner.stderr);
    assert_eq!(inner.summary["statements_found"], 1, "{}", inner.summary);
    assert!(inner.lines.iter().all(|test| test["line"] == line - 1), "{:?}", inner.lines);
}
