//! What a normal build leaves in the binary.

use std::fs;

use testkit::project::Project;
use testkit::repository;

use crate::blanked::blanked;

const DEPENDENCIES: &str =
    "[dependencies]\nsitu = { path = SITU }\n[dev-dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n";

/// The quickstart as a user's project, with this library.
fn quickstart(resolver: &str) -> Project {
    let project =
        Project::new(env!("CARGO_TARGET_TMPDIR"), &format!("machine-code-resolver-{resolver}")).with_own_target();
    project.write_manifest("quickstart", DEPENDENCIES);
    let manifest = project.folder().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("just written") + &format!("resolver = \"{resolver}\"\n");
    fs::write(manifest, text).expect("files can be written");
    project.write("src/main.rs", &repository::text("examples/quickstart/src/main.rs"));
    project
}

/// The assembly of the release build of this library, and the program that links it.
fn release_build(project: &Project, library: &str) -> (String, Vec<u8>) {
    project.write("src/lib.rs", library);
    let assembly = project.folder().join("library.s");
    let emit = format!("--emit=asm={}", assembly.display());
    let flags = [&emit, "-Ccodegen-units=1", "-Cdebuginfo=0"];
    project.cargo(&[&["rustc", "--release", "--lib", "--"][..], &flags].concat()).expect_success();
    project.cargo(&["build", "--release"]).expect_success();
    let program = project.target().join("release").join(format!("quickstart{}", std::env::consts::EXE_SUFFIX));
    (fs::read_to_string(assembly).expect("assembly was asked for"), fs::read(program).expect("a program was built"))
}

fn with_and_without_tests_are_the_same_code(resolver: &str) {
    let source = repository::text("examples/quickstart/src/lib.rs");
    let project = quickstart(resolver);
    let (with_tests, program) = release_build(&project, &source);
    let (without_tests, _) = release_build(&project, &blanked(&source));
    let (changed, _) = release_build(&project, &source.replace("\"--- a/\"", "\"--- b/\""));
    for function in ["parse_diff", "count_changes", "bars"] {
        assert!(with_tests.contains(function), "no code for {function}");
    }
    assert_eq!(with_tests, without_tests, "the tests are in the machine code");
    assert_ne!(with_tests, changed, "the comparison sees nothing");
    assert!(contains(&program, b" added, "), "the program's own strings are in it");
    for trace in ["situ", "other lines", "python/regex.py"] {
        assert!(!contains(&program, trace.as_bytes()), "`{trace}` is in the binary");
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_release_build_is_the_same_machine_code_with_tests_as_with_their_lines_blanked() {
    with_and_without_tests_are_the_same_code("3");
}

#[test]
fn under_resolver_1_the_macro_parses_and_still_nothing_is_in_the_binary() {
    let project = quickstart("1");
    project.write("src/lib.rs", "");
    let tree = project.cargo(&["tree", "-e", "normal,build", "--prefix", "none"]).expect_success();
    assert!(tree.stdout.lines().any(|line| line.starts_with("syn ")), "the feature is on here: {}", tree.stdout);
    with_and_without_tests_are_the_same_code("1");
}
