//! The tests of `examples/generalize` have the classes that the paper on Proze gives to those they are made after.

mod project;

use project::{Project, Ran};
use std::fs;
use std::path::Path;
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const MANIFEST: &str = "[package]\nname = \"generalize\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

fn example() -> Project {
    let project = Project::with_builds_of_last_run("example-generalize");
    project.write("Cargo.toml", MANIFEST);
    project.write("rustfmt.toml", &fs::read_to_string(Path::new(REPOSITORY).join("rustfmt.toml")).unwrap());
    for name in ["lib.rs", "main.rs", "bag.rs", "form.rs", "periodic_table.rs"] {
        let text = fs::read_to_string(Path::new(REPOSITORY).join("examples/generalize/src").join(name)).unwrap();
        project.write(&format!("src/{name}"), &text);
    }
    project
}

/// The classes of a test's assertions over a function, in the order of the source; a decoupled one that is general is told.
fn classes(ran: &Ran, test: &str, function: &str) -> Vec<String> {
    let own = ran.lines.iter().filter(|line| line["test"] == test && line["function"] == function);
    let classes = own.filter_map(|line| {
        let general = if line["general"] == true { " general" } else { "" };
        // Every assertion after the unwrapping of what the call gives.
        let is_macro = line["assertion"].as_str()?.starts_with("assert");
        is_macro.then(|| Some(format!("{}{general}", line["class"].as_str()?)))?
    });
    classes.collect()
}

#[test]
fn assertions_have_the_classes_of_the_paper() {
    let project = example();
    let before = project.snapshot();
    let ran = project.situ(&["generalize", "--json", "--", "sh", "-c", "$SITU_BIN"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(project.snapshot(), before, "nothing is written without --write");
    assert_eq!(
        classes(&ran, "bag::tests::bag_management", "bag::Schema::create_text"),
        ["strongly_coupled", "decoupled", "strongly_coupled", "falsifiably_coupled"]
    );
    assert_eq!(
        classes(&ran, "form::tests::radio_buttons", "form::Document::select"),
        ["strongly_coupled", "falsifiably_coupled"]
    );
    assert_eq!(
        classes(&ran, "periodic_table::tests::one_element", "periodic_table::PeriodicTable::element"),
        ["strongly_coupled", "strongly_coupled", "falsifiably_coupled", "falsifiably_coupled"]
    );
    let number = |key: &str| ran.summary[key].as_u64().unwrap_or_else(|| panic!("{key} in {}", ran.summary));
    let classes = ["strongly_coupled", "falsifiably_coupled", "decoupled", "ill_formed"].map(number);
    assert_eq!(classes.iter().sum::<u64>(), number("candidates"));
    assert_eq!(number("ill_formed"), 0, "{}", ran.summary);
    assert_eq!(number("general") + number("independent"), number("decoupled"));
    assert_eq!(number("tests_considered"), 5);
    check_emitted(&ran);
    check_written(&project, number("emitted"));
}

fn check_emitted(ran: &Ran) {
    let text_of = |name: &str| {
        let test = ran.lines.iter().find(|line| line["name"] == name).unwrap_or_else(|| panic!("{name} is not there"));
        test["text"].as_str().unwrap().to_owned()
    };
    let noble = ran.lines.iter().filter_map(|line| line["text"].as_str()).find(|text| text.contains("group_18"));
    let noble = noble.expect("what holds for noble gases is a test");
    for symbol in ["He", "Ne", "Ar", "Kr", "Xe"] {
        assert!(noble.contains(&format!("(\"{symbol}\")]")), "{symbol}:\n{noble}");
    }
    assert!(!noble.contains("\"Fe\"") && noble.contains("#[case::original(\"He\")]"), "{noble}");
    let bag = text_of("bag_management_over_create_text");
    assert!(bag.contains("#[case::original(None, \"rdf\", \"li\", \"valueOne\")]"), "{bag}");
    assert!(bag.contains("(Some(\"nsURI\"), \"nsSchem\", \"li\", \"valueTwo\")]"), "{bag}");
    assert_eq!(bag.matches("assert").count(), 1, "{bag}");
    assert!(!bag.contains("let values ="), "what only other assertions need is gone:\n{bag}");
}

fn check_written(project: &Project, emitted: u64) {
    let before = project.snapshot();
    let ran = project.situ(&["generalize", "--json", "--write", "--", "sh", "-c", "$SITU_BIN"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.summary["emitted"], emitted);
    let output = Command::new("cargo")
        .args(["test", "--quiet"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", project.path().join("target/own"))
        .env("RUSTFLAGS", "-Dwarnings")
        .output()
        .unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    let undone = project.situ(&["generalize", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    let lock = project.path().join("Cargo.lock");
    let without_lock = |mut files: std::collections::BTreeMap<_, _>| {
        files.remove(&lock);
        files
    };
    assert_eq!(without_lock(project.snapshot()), without_lock(before));
}
