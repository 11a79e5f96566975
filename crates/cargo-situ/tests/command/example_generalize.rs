//! The tests of `examples/generalize` have the classes that the paper on Proze gives to those they are made after.

use crate::project::{Project, Ran, own_cargo};
use std::fs;
use std::path::Path;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const EXAMPLES: [&str; 3] = ["bag-management", "periodic-table", "radio-buttons"];
const MANIFEST: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"*-*\"]\n\n[workspace.package]\nversion = \"0.1.0\"\n\
                        edition = \"2024\"\nrust-version = \"1.88\"\nlicense = \"MIT\"\n\n[workspace.lints.rust]\nmissing_docs = \"warn\"\n";

/// The three examples as a workspace of their own.
fn examples() -> Project {
    let project = Project::with_builds_of_last_run("example-generalize");
    let read = |path: &str| fs::read_to_string(Path::new(REPOSITORY).join(path)).unwrap();
    project.write("Cargo.toml", MANIFEST);
    project.write("rustfmt.toml", &read("rustfmt.toml"));
    for example in EXAMPLES {
        for name in ["Cargo.toml", "src/lib.rs", "src/main.rs"] {
            project.write(
                &format!("{example}/{name}"),
                &read(&format!("examples/generalize/{example}/{name}")),
            );
        }
    }
    project
}

/// The classes of a test's assertions over a function, in the order of the source; a decoupled one that is general is told.
fn classes(ran: &Ran, test: &str, function: &str) -> Vec<String> {
    let own = ran
        .lines
        .iter()
        .filter(|line| line["test"] == test && line["function"] == function);
    let classes = own.filter_map(|line| {
        let general = if line["general"] == true {
            " general"
        } else {
            ""
        };
        // Every assertion after the unwrapping of what the call gives.
        let is_macro = line["assertion"].as_str()?.starts_with("assert");
        is_macro.then(|| Some(format!("{}{general}", line["class"].as_str()?)))?
    });
    classes.collect()
}

#[test]
fn assertions_have_the_classes_of_the_paper() {
    let project = examples();
    let before = project.snapshot();
    let workloads = EXAMPLES.join(" && ");
    let ran = project.situ(&[
        "generalize",
        "--json",
        "--write",
        "--",
        "sh",
        "-c",
        &workloads,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let bag = [
        "strongly_coupled",
        "decoupled",
        "strongly_coupled",
        "falsifiably_coupled",
    ];
    assert_eq!(
        classes(&ran, "tests::bag_management", "Schema::create_text"),
        bag
    );
    let form = ["strongly_coupled", "falsifiably_coupled"];
    assert_eq!(
        classes(&ran, "tests::radio_buttons", "Document::select"),
        form
    );
    let table = [
        "strongly_coupled",
        "strongly_coupled",
        "falsifiably_coupled",
        "falsifiably_coupled",
    ];
    assert_eq!(
        classes(&ran, "tests::one_element", "PeriodicTable::element"),
        table
    );
    let number = |key: &str| {
        ran.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", ran.summary))
    };
    let classes = [
        "strongly_coupled",
        "falsifiably_coupled",
        "decoupled",
        "ill_formed",
    ]
    .map(number);
    assert_eq!(classes.iter().sum::<u64>(), number("candidates"));
    assert_eq!(number("ill_formed"), 0, "{}", ran.summary);
    assert_eq!(
        number("general") + number("independent"),
        number("decoupled")
    );
    assert_eq!(number("tests_considered"), 5);
    check_emitted(&ran);
    check_written(&project);
    let undone = project.situ(&["generalize", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    let mut after = project.snapshot();
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before, "undo gives the files back");
}

fn check_emitted(ran: &Ran) {
    let text_of = |name: &str| {
        let test = ran
            .lines
            .iter()
            .find(|line| line["name"] == name)
            .unwrap_or_else(|| panic!("{name} is not there"));
        test["text"].as_str().unwrap().to_owned()
    };
    let noble = ran
        .lines
        .iter()
        .filter_map(|line| line["text"].as_str())
        .find(|text| text.contains("group_18"));
    let noble = noble.expect("what holds for noble gases is a test");
    for symbol in ["He", "Ne", "Ar", "Kr", "Xe"] {
        assert!(
            noble.contains(&format!("(\"{symbol}\")]")),
            "{symbol}:\n{noble}"
        );
    }
    assert!(
        !noble.contains("\"Fe\"") && noble.contains("#[case::original(\"He\")]"),
        "{noble}"
    );
    let bag = text_of("bag_management_over_create_text");
    assert!(
        bag.contains("#[case::original(None, \"rdf\", \"li\", \"valueOne\")]"),
        "{bag}"
    );
    assert!(
        bag.contains("(Some(\"nsURI\"), \"nsSchem\", \"li\", \"valueTwo\")]"),
        "{bag}"
    );
    assert_eq!(bag.matches("assert").count(), 1, "{bag}");
    assert!(
        !bag.contains("let values ="),
        "what only other assertions need is gone:\n{bag}"
    );
}

/// What was written passes in the user's own hands, and neither the compiler nor clippy has anything to say.
fn check_written(project: &Project) {
    for words in [&["test", "--quiet"][..], &["clippy", "--quiet", "--tests"]] {
        let output = own_cargo(project).args(words).output().unwrap();
        let said = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(
            output.status.success() && !said.contains("warning"),
            "{words:?}: {said}"
        );
    }
}
