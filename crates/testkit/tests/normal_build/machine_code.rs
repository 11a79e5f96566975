//! What a normal build leaves in the binary.

use std::fs;

use testkit::project::Project;
use testkit::{markdown, repository};

use crate::blanked::{without_situ, without_tests};

const DEPENDENCIES: &str = "[dependencies]\nsitu = { path = SITU }\n[dev-dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n";

/// A user's project under this resolver: with 1, the feature `test` is on in normal builds too.
fn project(name: &str, resolver: &str) -> Project {
    let folder = format!("{name}-resolver-{resolver}");
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), &folder)
        .with_target(&format!("resolver-{resolver}-target"));
    project.write_manifest(name, DEPENDENCIES);
    let manifest = project.folder().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("just written")
        + &format!("resolver = \"{resolver}\"\n");
    fs::write(manifest, text).expect("files can be written");
    project
}

fn uses_a_parser(project: &Project) -> bool {
    project.write("src/lib.rs", "");
    let tree = project
        .cargo(&["tree", "-e", "normal,build", "--prefix", "none"])
        .expect_success();
    tree.stdout.lines().any(|line| line.starts_with("syn "))
}

/// The assembly of the release build of this library, of all its functions, also those that nobody calls.
fn assembly(project: &Project, library: &str) -> String {
    project.write("src/lib.rs", library);
    let path = project.folder().join("library.s");
    // So that what is read below was written now.
    let _ = fs::remove_file(&path);
    let emit = format!("--emit=asm={}", path.display());
    let flags = [
        &emit,
        "-Ccodegen-units=1",
        "-Cdebuginfo=0",
        "-Clink-dead-code",
    ];
    project
        .cargo(&[&["rustc", "--release", "--lib", "--"][..], &flags].concat())
        .expect_success();
    fs::read_to_string(path).expect("assembly was asked for")
}

/// The assembly of this library with its tests, which is the same as with their lines blanked.
#[track_caller]
fn same_as(project: &Project, library: &str, blanked: &str) -> String {
    let with_tests = assembly(project, library);
    assert_ne!(library, blanked, "there are no tests in it");
    assert!(
        with_tests == assembly(project, blanked),
        "the tests are in the machine code"
    );
    with_tests
}

fn quickstart_has_nothing_of_situ(project: &Project) {
    let library = repository::text("examples/quickstart/src/lib.rs");
    let assembly_with_tests = same_as(project, &library, &without_situ(&library));
    for function in ["parse_diff", "count_changes", "bars"] {
        assert!(
            assembly_with_tests.contains(function),
            "no code for {function}"
        );
    }
    let changed = assembly(project, &library.replace("\"--- a/\"", "\"--- b/\""));
    assert!(
        assembly_with_tests != changed,
        "the comparison sees nothing"
    );

    project.write("src/lib.rs", &library);
    project.write(
        "src/main.rs",
        &repository::text("examples/quickstart/src/main.rs"),
    );
    project.cargo(&["build", "--release"]).expect_success();
    let program = project
        .target()
        .join("release")
        .join(format!("quickstart{}", std::env::consts::EXE_SUFFIX));
    let program = fs::read(program).expect("a program was built");
    assert!(
        contains(&program, b" added, "),
        "the program's own strings are in it"
    );
    for trace in ["situ", "other lines", "python/regex.py"] {
        assert!(
            !contains(&program, trace.as_bytes()),
            "`{trace}` is in the binary"
        );
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_release_build_is_the_same_machine_code_with_tests_as_with_their_lines_blanked() {
    let project = project("quickstart", "3");
    assert!(!uses_a_parser(&project));
    quickstart_has_nothing_of_situ(&project);
}

#[test]
fn under_resolver_1_the_macro_parses_and_still_nothing_of_the_tests_is_in_the_binary() {
    let project = project("quickstart", "1");
    assert!(uses_a_parser(&project));
    quickstart_has_nothing_of_situ(&project);
}

/// Each listing of the book's chapter, so that every construct is seen.
///
/// The attribute stays here: any attribute, also one that does nothing, makes the compiler number `impl` blocks in another
/// order, and the numbers are in the names of symbols.
#[test]
fn under_resolver_1_every_listing_of_the_book_is_the_same_machine_code() {
    let blocks = markdown::code_blocks(&repository::text("book/src/in-situ.md"));
    let listings = blocks.iter().filter(|block| block.is("rust"));
    let modules = listings.map(|block| format!("mod line_{} {{\n{}}}\n", block.line, block.code));
    let library = format!("#![allow(dead_code)]\n{}", modules.collect::<String>());
    let assembly = same_as(
        &project("listings", "1"),
        &library,
        &without_tests(&library),
    );
    for function in ["withdraw", "split_header", "longest_run", "poll", "grade"] {
        assert!(assembly.contains(function), "no code for {function}");
    }
}
