//! `cargo situ mutants` where something is special: doctests, random tests, macros, compiler wrappers, no tests at all.

use crate::project::{Project, Ran};
use std::fs;

/// A library whose only test is this one.
fn tested(function: &str, test: &str) -> String {
    format!(
        "{function}\n#[cfg(test)]\nmod tests {{\n    use super::*;\n    #[test]\n    {test}\n}}\n"
    )
}

const DOUBLE: &str = "pub fn double(x: u32) -> u32 {\n    x + x\n}";

#[test]
fn a_doctest_that_fails_is_named_and_can_be_left_out() {
    let doctest = "/// ```\n/// assert_eq!(library::double(2), 5);\n/// ```\n";
    let text = tested(
        &format!("{doctest}{DOUBLE}"),
        "fn doubles() { assert_eq!(double(2), 4); }",
    );
    let project = Project::library("", &text);
    let failing = project.situ(&["mutants", "--json"]);
    assert_eq!(
        (failing.code, failing.lines.len()),
        (3, 0),
        "{}",
        failing.stdout
    );
    assert!(
        failing.stderr.contains("src/lib.rs - double (line 1)"),
        "{}",
        failing.stderr
    );
    let without = project.situ(&["mutants", "--json", "--no-doctests"]);
    assert_eq!(without.code, 0, "{}", without.stderr);
    assert!(without.summary["killed"].as_u64().unwrap() > 0);
}

#[test]
fn doctests_of_any_edition_count_and_so_do_those_that_panic() {
    let text = "/// ```\n/// assert_eq!(library::double(3), 6);\n/// ```\n/// ```should_panic\n/// library::double(u32::MAX);\n\
                /// ```\n/// ```compile_fail\n/// library::double(\"\");\n/// ```\npub fn double(x: u32) -> u32 {\n    x + x\n}\n\
                /// ```\n/// const LIMIT: u32 = library::limit(1);\n/// assert_eq!(LIMIT, 2);\n/// ```\n\
                pub const fn limit(x: u32) -> u32 { x + 1 }\n";
    let project = Project::library("", text);
    for edition in ["2018", "2024"] {
        project.edit("Cargo.toml", "edition = \"20", "edition = \"2000\" # ");
        let manifest = project.read("Cargo.toml");
        let others = manifest.lines().filter(|line| !line.starts_with("edition"));
        let manifest = others.map(|line| format!("{line}\n")).collect::<String>();
        project.write(
            "Cargo.toml",
            &manifest.replacen(
                "version = ",
                &format!("edition = \"{edition}\"\nversion = "),
                1,
            ),
        );
        let ran = project.situ(&["mutants", "--json"]);
        assert_eq!(ran.code, 0, "{edition}: {}", ran.stderr);
        let minus = ran
            .lines
            .iter()
            .find(|mutant| mutant["replacement"] == "x - x")
            .unwrap();
        assert!(
            minus["killed_by"][0]
                .as_str()
                .unwrap()
                .starts_with("doctest src/lib.rs"),
            "{edition}: {minus}"
        );
    }
}

#[test]
fn verdicts_that_rest_on_random_tests_are_marked() {
    let random = "fn some_pass() {\n        use std::time::{SystemTime, UNIX_EPOCH};\n\
                  let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();\n\
                  for _ in 0..nanos % 9973 { assert!(double(1) < 1000); }\n    }";
    let ran = Project::library("", &tested(DOUBLE, random)).situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let survivors: Vec<_> = ran
        .lines
        .iter()
        .filter(|mutant| mutant["status"] == "survived")
        .collect();
    assert!(
        !survivors.is_empty() && survivors.iter().all(|mutant| mutant["is_unstable"] == true),
        "{survivors:?}"
    );
}

/// Judges the mutants of a crate whose test fails until it has been run so often. It counts in a folder that it may write to: that for
/// temporary files is empty in every run.
fn with_test_passing_after(runs: usize, options: &[&str]) -> Ran {
    let project = Project::library("", "");
    let state = project.path().join("state");
    fs::create_dir(&state).unwrap();
    let test = format!(
        "fn flaky() {{\n        let path = std::path::Path::new({state:?}).join(\"passes\");\n\
         let passes = std::fs::read_to_string(&path).map_or(0, |text| text.len());\n\
         std::fs::write(&path, \"x\".repeat(passes + 1)).unwrap();\n\
         assert!(passes >= {runs});\n        assert_eq!(double(4), 8);\n    }}"
    );
    project.write("src/lib.rs", &tested(DOUBLE, &test));
    let ran = project.situ(
        &[
            &[
                "mutants",
                "--json",
                "--allow-write",
                state.to_str().unwrap(),
            ],
            options,
        ]
        .concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

#[test]
fn a_test_that_does_not_always_pass_kills_nothing_and_marks_what_it_reaches() {
    // Two runs side by side fail, and the first of those with nothing beside them.
    let ran = with_test_passing_after(3, &[]);
    assert_eq!(
        ran.summary["survived"], ran.summary["mutants"],
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.summary["unstable"], ran.summary["mutants"],
        "{}",
        ran.stdout
    );
}

#[test]
fn what_a_test_reaches_is_known_from_the_one_run_in_which_it_passes() {
    // With one job: two runs as they come, two alone, and one of this test.
    let ran = with_test_passing_after(4, &["--jobs", "1"]);
    assert_eq!(
        (&ran.summary["unreached"], &ran.summary["survived"]),
        (&0.into(), &ran.summary["mutants"]),
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.summary["unstable"], ran.summary["mutants"],
        "{}",
        ran.stdout
    );
}

#[test]
fn mutants_of_procedural_macros_are_counted_as_not_tried() {
    let text = "extern crate proc_macro;\nuse proc_macro::TokenStream;\n\
                #[proc_macro]\npub fn one(_: TokenStream) -> TokenStream { if true { \"1\".parse().unwrap() } else { \"2\".parse().unwrap() } }\n";
    let project = Project::library("[lib]\nproc-macro = true\n", text);
    project.write(
        "tests/use.rs",
        "#[test] fn is_one() { assert_eq!(library::one!(), 1); }",
    );
    let ran = project.situ(&["mutants", "--json"]);
    assert_eq!((ran.code, ran.lines.len()), (0, 0), "{}", ran.stderr);
    assert!(
        ran.summary["not_tried"].as_u64().unwrap() >= 2,
        "{}",
        ran.summary
    );
    let said = project.situ(&["mutants"]).stdout;
    assert!(said.contains("procedural macros were not tried"), "{said}");
    let thorough = project.situ(&["mutants", "--json", "--thorough", "--no-doctests"]);
    let killed = thorough
        .lines
        .iter()
        .filter(|mutant| mutant["status"] == "killed")
        .count();
    assert!(
        killed >= 1,
        "built one by one, tests of what it expands to notice: {}",
        thorough.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_compiler_wrapper_of_the_user_stays_in_use() {
    use std::os::unix::fs::PermissionsExt as _;
    let text = tested(DOUBLE, "fn doubles() { assert_eq!(double(2), 4); }");
    let project = Project::library("", &text);
    let log = project.path().join("target/calls");
    project.write("target/calls", "");
    project.write(
        "target/wrap",
        &format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display()),
    );
    let wrap = project.path().join("target/wrap");
    fs::set_permissions(&wrap, fs::Permissions::from_mode(0o755)).unwrap();
    project.write(
        ".cargo/config.toml",
        &format!("[build]\nrustc-wrapper = {wrap:?}\n"),
    );
    let ran = project.situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.summary["killed"].as_u64().unwrap() > 0);
    let calls = fs::read_to_string(log).unwrap();
    let woven = calls
        .lines()
        .filter(|call| call.contains("--crate-name library") && call.contains("/swap/"));
    assert!(
        woven.count() >= 2,
        "it compiles what is swapped in, with tests and without:\n{calls}"
    );
}

#[test]
fn a_crate_without_tests_has_only_mutants_that_nothing_reaches() {
    let ran = Project::library("", DOUBLE).situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        !ran.lines.is_empty()
            && ran
                .lines
                .iter()
                .all(|mutant| mutant["status"] == "unreached")
    );
    let denied = Project::library("", DOUBLE).situ(&["mutants", "--deny-survivors"]);
    assert_eq!(
        denied.code, 1,
        "what no test reaches survives too: {}",
        denied.stderr
    );
}

#[test]
fn an_earlier_report_names_the_mutants_to_try_again() {
    let project = Project::library("", &tested(DOUBLE, "fn runs() { double(2); }"));
    let first = project.situ(&["mutants", "--json"]);
    let survivors: Vec<&str> = first
        .stdout
        .lines()
        .filter(|line| line.contains("\"survived\""))
        .collect();
    assert!(survivors.len() > 1, "{}", first.stdout);
    project.write("target/survivors", survivors[0]);
    let again = project.situ(&["mutants", "--json", "--again", "target/survivors"]);
    assert_eq!(again.lines.len(), 1, "{}", again.stdout);
    assert_eq!(
        again.lines[0]["replacement"],
        first
            .lines
            .iter()
            .find(|m| m["status"] == "survived")
            .unwrap()["replacement"]
    );
}
