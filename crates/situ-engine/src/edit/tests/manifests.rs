//! Adding the dependency to manifests.

use crate::cargo::manifest::{SituSource, is_in_workspace, takes_from_registry, with_situ};
use std::path::Path;

fn edited(manifest: &str, source: &SituSource) -> Option<String> {
    with_situ(manifest, Path::new("/w/member"), source).unwrap()
}

#[track_caller]
fn check(manifest: &str, expected: &str) {
    let registry = SituSource::Registry("0.1".to_owned());
    let found = edited(manifest, &registry);
    assert_eq!(found.as_deref().unwrap_or(manifest), expected);
    assert_eq!(
        edited(expected, &registry),
        None,
        "a second time changes something"
    );
}

#[test]
fn both_sections_are_made() {
    check(
        "[package]\nname = \"a\"\n",
        "[package]\nname = \"a\"\n\n[dependencies]\nsitu = \"0.1\"\n\n[dev-dependencies]\nsitu = { version = \"0.1\", features = [\"test\"] }\n",
    );
    check(
        "[package]\nname = \"a\"",
        "[package]\nname = \"a\"\n\n[dependencies]\nsitu = \"0.1\"\n\n[dev-dependencies]\nsitu = { version = \"0.1\", features = [\"test\"] }\n",
    );
    check(
        "[package] # it\n[dev-dependencies]\na = \"1\" # why\n\n# fast\n[profile.release]\n",
        "[package] # it\n[dependencies]\nsitu = \"0.1\"\n\n[dev-dependencies]\na = \"1\" # why\nsitu = { version = \"0.1\", features = [\"test\"] }\n\n# fast\n[profile.release]\n",
    );
    check(
        "[dependencies]\na = \"1\"\n# b = \"2\"\n\n# fast\n[profile.release]\n",
        "[dependencies]\na = \"1\"\nsitu = \"0.1\"\n# b = \"2\"\n\n[dev-dependencies]\nsitu = { version = \"0.1\", features = [\"test\"] }\n\n# fast\n[profile.release]\n",
    );
}

#[test]
fn entries_keep_their_order() {
    let dev = "\n[dev-dependencies]\nsitu = { version = \"0.1\", features = [\"test\"] }\n";
    check(
        &format!("[dependencies]\na = \"1\"\nz = {{ version = \"1\" }} # last\n{dev}"),
        &format!(
            "[dependencies]\na = \"1\"\nsitu = \"0.1\"\nz = {{ version = \"1\" }} # last\n{dev}"
        ),
    );
    check(
        &format!("[dependencies]\nz = \"1\"\na.version = \"1\"\na.optional = true\n{dev}"),
        &format!(
            "[dependencies]\nz = \"1\"\na.version = \"1\"\na.optional = true\nsitu = \"0.1\"\n{dev}"
        ),
    );
    check(
        &format!("[dependencies]\n# the first\nz = [\n] \n{dev}"),
        &format!("[dependencies]\nsitu = \"0.1\"\n# the first\nz = [\n] \n{dev}"),
    );
    check(
        &format!("[dependencies.a]\nversion = \"1\"\n{dev}"),
        &format!("[dependencies.a]\nversion = \"1\"\n\n[dependencies]\nsitu = \"0.1\"\n{dev}"),
    );
}

#[test]
fn what_is_there_is_completed() {
    let normal = "[dependencies]\nsitu = \"0.1.3\" # ours\n\n";
    let with = |text: &str| format!("{normal}[dev-dependencies]\n{text}\n");
    check(
        normal.trim_end(),
        &format!(
            "{}\n\n[dev-dependencies]\nsitu = {{ version = \"0.1.3\", features = [\"test\"] }}\n",
            normal.trim_end()
        ),
    );
    check(
        &with("situ = \"0.1\" # again"),
        &with("situ = { version = \"0.1\", features = [\"test\"] } # again"),
    );
    check(
        &with("situ = { path = \"../x\" }"),
        &with("situ = { path = \"../x\", features = [\"test\"] }"),
    );
    check(
        &with("situ = { path = \"../x\", features = [] }"),
        &with("situ = { path = \"../x\", features = [\"test\"] }"),
    );
    check(
        &with("situ = { features = [\"a\",\n  \"b\",\n], path = \"x\" }"),
        &with("situ = { features = [\"a\",\n  \"b\", \"test\",\n], path = \"x\" }"),
    );
    check(
        &with("situ.path = \"x\""),
        &with("situ.path = \"x\"\nsitu.features = [\"test\"]"),
    );
    check(
        &with("[dev-dependencies.situ]\npath = \"x\""),
        &with("[dev-dependencies.situ]\npath = \"x\"\nfeatures = [\"test\"]"),
    );
    check(
        "[dependencies]\nsitu = { path = \"x\", features = [\"test\"] }\n",
        "[dependencies]\nsitu = { path = \"x\", features = [\"test\"] }\n",
    );
}

#[test]
fn a_dependency_of_the_workspace_stays_one() {
    check(
        "[dependencies]\nsitu.workspace = true\n",
        "[dependencies]\nsitu.workspace = true\n\n[dev-dependencies]\nsitu = { workspace = true, features = [\"test\"] }\n",
    );
    check(
        "[dependencies]\nsitu = { workspace = true, optional = true }\n[dev-dependencies]\nsitu.workspace = true\n",
        "[dependencies]\nsitu = { workspace = true, optional = true }\n[dev-dependencies]\nsitu.workspace = true\nsitu.features = [\"test\"]\n",
    );
}

#[test]
fn a_member_takes_what_the_workspace_says() {
    let found = edited("[dependencies]\na = \"1\"\n", &SituSource::Workspace).unwrap();
    let expected = "[dependencies]\na = \"1\"\nsitu.workspace = true\n\n[dev-dependencies]\nsitu = { workspace = true, features = [\"test\"] }\n";
    assert_eq!(found, expected);
    assert!(is_in_workspace(
        "[workspace.dependencies]\nsitu = \"0.1\"\n"
    ));
    assert!(!is_in_workspace("[dependencies]\nsitu = \"0.1\"\n"));
}

#[test]
fn line_endings_are_kept() {
    check(
        "[package]\r\nname = \"a\"\r\n\r\n[dependencies]\r\nb = \"1\"\nz = \"1\"\r\n",
        "[package]\r\nname = \"a\"\r\n\r\n[dependencies]\r\nb = \"1\"\nsitu = \"0.1\"\r\nz = \"1\"\r\n\r\n[dev-dependencies]\r\nsitu = { version = \"0.1\", features = [\"test\"] }\r\n",
    );
}

#[test]
fn a_path_is_relative_to_the_manifest_wherever_it_leads() {
    let path = |path: &str| edited("[dependencies]\n", &SituSource::Path(path.into())).unwrap();
    assert!(
        path("/w/tools/situ").contains("situ = { path = \"../tools/situ\" }"),
        "{}",
        path("/w/tools/situ")
    );
    assert!(
        path("/else/situ").contains("situ = { path = \"../../else/situ\", features = [\"test\"] }")
    );
}

#[test]
fn what_comes_from_the_registry_is_told_from_what_does_not() {
    for (dependency, is_from_registry) in [
        ("\"0.1\"", true),
        ("{ version = \"0.1\", features = [\"test\"] }", true),
        ("{ path = \"../situ\" }", false),
        ("{ workspace = true }", false),
        ("{ git = \"https://example.com/situ\" }", false),
    ] {
        assert_eq!(
            takes_from_registry(&format!("[dependencies]\nsitu = {dependency}\n")),
            is_from_registry
        );
        assert_eq!(
            takes_from_registry(&format!("[dev-dependencies]\nsitu = {dependency}\n")),
            is_from_registry
        );
    }
    assert!(!takes_from_registry("[dependencies]\nother = \"1\"\n"));
}

#[test]
fn a_checkout_is_the_crate_or_its_repository() {
    let root = testkit::repository::root();
    let crate_folder = root.join("crates/situ").canonicalize().unwrap();
    assert_eq!(
        SituSource::checkout(&root).unwrap(),
        SituSource::Path(crate_folder.clone())
    );
    assert_eq!(
        SituSource::checkout(&crate_folder).unwrap(),
        SituSource::Path(crate_folder)
    );
    let error = SituSource::checkout(&root.join("book")).unwrap_err();
    assert!(
        error
            .downcast_ref::<crate::base::user_error::UserError>()
            .is_some(),
        "{error}"
    );
}

#[test]
fn a_manifest_that_cannot_be_edited_says_what_to_do() {
    let registry = SituSource::Registry("0.1".to_owned());
    let error =
        with_situ("dependencies = { a = \"1\" }\n", Path::new("/w"), &registry).unwrap_err();
    assert!(
        error.to_string().contains("write it as `[dependencies]`"),
        "{error}"
    );
}
