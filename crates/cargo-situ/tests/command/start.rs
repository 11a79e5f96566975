//! `cargo situ init` and `cargo situ doctor` as somebody meets them first.

use crate::project::{Project, own_cargo};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const LIB: &str = "#![deny(warnings)]\n\npub fn one() -> u8 {\n    1\n}\n";

#[test]
fn init_shows_then_writes_a_test_that_passes_and_can_be_taken_back() {
    let project = Project::with_builds_of_last_run("init");
    project.write(
        "Cargo.toml",
        "[package]\nname = \"fresh\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
    );
    project.write("src/lib.rs", LIB);
    let before = project.snapshot();
    let shown = project.situ(&["init", "--situ-path", REPOSITORY]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(
        shown.stdout.contains("+[dev-dependencies]") && shown.stdout.contains("+        itest!("),
        "{}",
        shown.stdout
    );
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without --write"
    );
    // A registry that has nothing.
    let cargo_home = tempfile::tempdir().unwrap();
    let without_registry = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        command
            .env("CARGO_HOME", cargo_home.path())
            .env("CARGO_NET_OFFLINE", "true");
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (code, patch, errors) = without_registry(&["init"]);
    assert!(
        code == Some(0) && patch.contains("+situ = \"0.1\""),
        "{patch}{errors}"
    );
    assert!(
        errors.contains("cargo finds no version of `situ` in the registry"),
        "{errors}"
    );
    let (code, _, errors) = without_registry(&["init", "--write"]);
    assert_eq!(code, Some(2), "{errors}");
    assert!(
        errors.contains("`--situ-path DIR`") && errors.contains("nothing was written"),
        "{errors}"
    );
    assert_eq!(project.snapshot(), before);
    let written = project.situ(&["init", "--write", "--situ-path", REPOSITORY]);
    let manifest = project.read("Cargo.toml");
    assert!(
        manifest.contains("situ = { path = \"../") && !manifest.contains("path = \"/"),
        "{manifest}"
    );
    assert_eq!(
        written.stdout,
        "changed Cargo.toml\nchanged src/lib.rs\nnow run: cargo test\n"
    );
    let output = own_cargo(&project)
        .args(["test", "--lib"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("first_in_situ_test::situ_initials::") && said.contains("1 passed"),
        "{said}"
    );
    let again = project.situ(&["init", "--write", "--situ-path", REPOSITORY]);
    assert_eq!(
        again.stdout,
        "nothing to do: the dependency and a first test are there\n"
    );
    assert_eq!(project.situ(&["undo"]).code, 0);
    assert_eq!(project.read("src/lib.rs"), LIB);
}

#[test]
fn the_doctor_says_what_is_there_and_what_to_do() {
    let project = Project::library("", "pub fn f() {}\n");
    let seen = project.situ(&["doctor"]);
    assert_eq!(seen.code, 0, "{}{}", seen.stdout, seen.stderr);
    assert!(
        seen.stdout
            .contains("ok    linker     a program can be linked\n"),
        "{}",
        seen.stdout
    );
    assert!(seen.stdout.contains(
        "note  workspace  without the dependency on situ: library; `cargo situ init --write`"
    ));
    let as_json = project.situ(&["doctor", "--json"]);
    assert_eq!(as_json.summary["bad"], 0);
    assert!(
        as_json
            .lines
            .iter()
            .any(|line| line["what"] == "compiler" && line["state"] == "good")
    );
    let nowhere = project.situ(&["doctor", "--manifest-path", "missing/Cargo.toml"]);
    assert_eq!(nowhere.code, 1);
    assert!(
        nowhere.stdout.contains("BAD   workspace"),
        "{}",
        nowhere.stdout
    );
}
