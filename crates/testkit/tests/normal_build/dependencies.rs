//! What a normal build compiles.

use testkit::project::{Project, cargo_here};

/// The names of the packages in a tree that cargo printed without indentation.
fn package_names(tree: &str) -> Vec<&str> {
    let mut names: Vec<&str> = tree
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn without_the_feature_situ_needs_only_its_macro_crate_and_that_needs_nothing() {
    let tree = cargo_here(&[
        "tree",
        "-p",
        "situ",
        "-e",
        "normal,build",
        "--prefix",
        "none",
    ])
    .expect_success();
    assert_eq!(package_names(&tree.stdout), ["situ", "situ-macros"]);
}

#[test]
fn with_the_feature_the_real_thing_is_there() {
    let arguments = [
        "tree",
        "-p",
        "situ",
        "-e",
        "normal,build",
        "--prefix",
        "none",
        "--features",
        "test",
    ];
    let tree = cargo_here(&arguments).expect_success();
    assert!(
        package_names(&tree.stdout).contains(&"syn"),
        "{}",
        tree.stdout
    );
}

#[test]
fn the_users_dev_dependency_does_not_reach_a_normal_build() {
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), "user-tree");
    project.write_manifest(
        "user",
        "[dependencies]\nsitu = { path = SITU }\n[dev-dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n",
    );
    project.write("src/lib.rs", "");
    let tree = project
        .cargo(&["tree", "-e", "normal,build", "--prefix", "none"])
        .expect_success();
    assert_eq!(package_names(&tree.stdout), ["situ", "situ-macros", "user"]);
}
