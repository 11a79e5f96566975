//! What the README shows is what there is: its first example, and its two commands.

use testkit::project::Project;
use testkit::{markdown, repository};

/// The commands of the README's console blocks, without their prompt, in order.
fn commands() -> Vec<String> {
    let blocks = markdown::code_blocks(&repository::text("README.md"));
    let consoles = blocks.iter().filter(|block| block.is("console"));
    let lines = consoles.flat_map(|block| block.code.lines());
    lines
        .filter_map(|line| line.strip_prefix("$ "))
        .map(str::to_string)
        .collect()
}

#[test]
fn the_first_example_is_the_code_of_the_quickstart() {
    let blocks = markdown::code_blocks(&repository::text("README.md"));
    let first = blocks
        .iter()
        .find(|block| block.is("rust"))
        .expect("the README has an example");
    let example = repository::text("examples/quickstart/src/lib.rs");
    assert!(
        example.contains(&first.code),
        "not in examples/quickstart/src/lib.rs:\n{}",
        first.code
    );
}

#[test]
fn the_first_command_runs_a_bundled_example() {
    let first = commands()
        .into_iter()
        .next()
        .expect("the README has a command");
    let package = first
        .strip_prefix("cargo test -p ")
        .expect("it tests one package");
    let folder = repository::root().join("examples").join(package);
    assert!(
        folder.join("Cargo.toml").is_file(),
        "there is no example called {package}"
    );
}

#[test]
fn what_the_first_command_shows_is_what_the_readme_shows() {
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), "readme-quickstart");
    project.write_manifest(
        "quickstart",
        "[dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n",
    );
    project.write(
        "src/lib.rs",
        &repository::text("examples/quickstart/src/lib.rs"),
    );
    let output = project.cargo(&["test", "--lib"]).expect_success().stdout;
    let mut tests: Vec<&str> = output
        .lines()
        .filter(|line| line.ends_with(" ... ok"))
        .collect();
    tests.sort_unstable();
    let blocks = markdown::code_blocks(&repository::text("README.md"));
    let shown = blocks
        .iter()
        .find(|block| block.is("text"))
        .expect("the README shows what the command prints");
    assert_eq!(shown.code.lines().collect::<Vec<_>>(), tests);
}

#[test]
fn the_test_command_is_the_one_that_ci_runs() {
    let command = commands()
        .into_iter()
        .nth(1)
        .expect("the README has a second command");
    assert!(
        command.starts_with("cargo test"),
        "the second command is to run all tests: {command}"
    );
    let script = repository::text(".ci/run");
    let steps: Vec<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("step "))
        .collect();
    let tests: Vec<&&str> = steps
        .iter()
        .filter(|step| step.starts_with("cargo test"))
        .collect();
    assert_eq!(tests.len(), 1, ".ci/run tests once: {steps:?}");
    assert_eq!(tests[0].split(" | ").next(), Some(command.as_str()));
}
