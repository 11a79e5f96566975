//! Sources as they come: byte order marks, carriage returns, `include!`, files from a build script, and files that Situ
//! cannot read beside those that it can.

use crate::project::Project;
use std::fs;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A crate with a byte order mark and carriage returns, whose other files are special in other ways.
fn library() -> Project {
    let lib = "\u{feff}//! Sums.\r\n\
        include!(\"included.rs\");\r\n\
        include!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));\r\n\
        mod deep;\r\n\
        #[cfg(any())]\r\n\
        mod latin;\r\n\
        pub fn limited(x: u32, limit: u32) -> u32 {\r\n    \
            let sum = included(x).min(limit) + generated() + deep::ONE;\r\n    \
            if sum > 8 {\r\n        \
                return sum;\r\n    \
            }\r\n    \
            sum * 2\r\n\
        }\r\n\
        #[cfg(test)]\r\n\
        mod tests {\r\n    \
            #[test]\r\n    \
            fn is_limited() {\r\n        \
                assert_eq!(super::limited(2, 2), 8);\r\n        \
                assert_eq!(super::limited(7, 3), 10);\r\n    \
            }\r\n\
        }\r\n";
    let project = Project::library("[build-dependencies]\n", lib);
    project.write(
        "src/included.rs",
        "fn included(x: u32) -> u32 {\n    x + 1\n}\n",
    );
    let generate = "std::fs::write(std::path::Path::new(&folder).join(\"generated.rs\"), \"fn generated() -> u32 { 1 }\")";
    project.write(
        "build.rs",
        &format!("fn main() {{ let folder = std::env::var(\"OUT_DIR\").unwrap(); {generate}.unwrap(); }}\n"),
    );
    let deep = format!(
        "#![allow(unused_parens)]\npub const ONE: u32 = {}1{};\n",
        "(".repeat(1_100),
        ")".repeat(1_100)
    );
    project.write("src/deep.rs", &deep);
    fs::write(
        project.path().join("src/latin.rs"),
        b"// caf\xe9\nfn f() {}\n",
    )
    .unwrap();
    project
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_are_worked_on() {
    let project = library();
    let before = project.snapshot();
    let listed = project.situ(&["list"]);
    assert_eq!(listed.code, 3, "{}", listed.stderr);
    assert!(
        listed.stdout.contains("tests::is_limited"),
        "{}",
        listed.stdout
    );
    let mutants = project.situ(&["mutants", "--json"]);
    assert_eq!(mutants.code, 0, "{}", mutants.stderr);
    for ran in [&listed, &mutants] {
        assert!(
            ran.stderr.contains("src/deep.rs:2:") && ran.stderr.contains("nested too deeply"),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("src/latin.rs:1:1: this is not UTF-8"),
            "{}",
            ran.stderr
        );
    }
    let text = project.read("src/lib.rs");
    let line = text
        .lines()
        .position(|line| line.contains("sum * 2"))
        .unwrap() as u64
        + 1;
    let product = mutants
        .lines
        .iter()
        .find(|mutant| mutant["line"] == line && mutant["operator"] == "arithmetic");
    let product = product.unwrap_or_else(|| panic!("{:?}", mutants.lines));
    assert_eq!(product["status"], "killed");
    assert!(
        product["diff"].as_str().unwrap().contains("sum * 2"),
        "{product}"
    );
    assert_eq!(project.snapshot(), before);
}

#[test]
fn tests_are_written_into_a_file_with_a_byte_order_mark() {
    let project = library();
    let before = project.read("src/lib.rs");
    let ran = project.situ(&[
        "extract",
        "--all",
        "--json",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.summary["tests"].as_u64().unwrap() > 0,
        "{}",
        ran.summary
    );
    let after = project.read("src/lib.rs");
    assert!(
        after.starts_with("\u{feff}//! Sums.\r\n") && after.contains("itest!("),
        "{after}"
    );
    assert_eq!(after.matches('\u{feff}').count(), 1);
    assert_eq!(
        after.matches('\n').count(),
        after.matches("\r\n").count(),
        "{after}"
    );
    let undone = project.situ(&["undo"]);
    assert_eq!(
        (undone.code, project.read("src/lib.rs")),
        (0, before),
        "{}",
        undone.stderr
    );
}
