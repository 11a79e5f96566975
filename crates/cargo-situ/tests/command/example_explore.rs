//! The way of the book's page about exploring, as a new user would follow it: its sources, its commands, what they say.

use crate::project::{Project, Ran, own_cargo};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The blocks of a page between fences with this word, in order.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let open = format!("```{kind}\n");
    let parts = page.split(&open).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// The way from a theory to a better one.
fn section() -> String {
    let page = std::fs::read_to_string(format!("{REPOSITORY}/book/src/explore.md")).unwrap();
    let (_, rest) = page.split_once("## From a theory to a better one").unwrap();
    rest.split("\n## ").next().unwrap().to_owned()
}

fn cargo_test_passes(project: &Project) -> bool {
    own_cargo(project)
        .args(["test", "--lib"])
        .output()
        .unwrap()
        .status
        .success()
}

/// Runs the command of a block; everything that stands below it is said, but for numbers that differ from run to run.
fn follow(project: &Project, block: &str) -> Ran {
    let (command, expected) = block.split_once('\n').unwrap();
    let words: Vec<&str> = command
        .strip_prefix("$ cargo situ ")
        .unwrap()
        .split(' ')
        .collect();
    let ran = project.situ(&words);
    let said = format!("{}{}", ran.stderr, ran.stdout);
    let is_fixed = |line: &&str| !line.contains(" executions in ") && !line.trim().is_empty();
    for line in expected.lines().filter(is_fixed) {
        assert!(
            said.contains(line.trim_end()),
            "`{line}` after `{command}` in:\n{said}"
        );
    }
    ran
}

#[test]
fn the_way_from_a_theory_to_a_better_one_is_as_the_book_says() {
    let section = section();
    let (sources, commands) = (blocks(&section, "rust"), blocks(&section, "text"));
    let ([first, better], [explore, write, again]) = (sources.as_slice(), commands.as_slice())
    else {
        panic!("{} sources and {} commands", sources.len(), commands.len());
    };
    // The folder that other tests keep their builds in: programs of tests run one after the other.
    let project = Project::with_builds_of_last_run("explore");
    let manifest = format!(
        "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         situ = {{ path = \"{REPOSITORY}/crates/situ\" }}\n[dev-dependencies]\n\
         situ = {{ path = \"{REPOSITORY}/crates/situ\", features = [\"test\"] }}\n"
    );
    project.write("Cargo.toml", &manifest);
    project.write("src/lib.rs", first);
    assert!(
        cargo_test_passes(&project),
        "the theory holds on its data points"
    );
    assert_eq!(follow(&project, explore).code, 1);
    assert_eq!(follow(&project, write).code, 1);
    assert!(!cargo_test_passes(&project), "it does not on the new one");
    project.write("src/lib.rs", better);
    assert!(cargo_test_passes(&project), "it says what it assumes");
    assert_eq!(follow(&project, again).code, 0);
}
