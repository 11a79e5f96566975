//! `cargo situ test --accept` on a crate whose code has changed since its tests were written.

use crate::project::Project;
use situ_engine::edit::marked;

fn lib() -> String {
    let marked = |test: &str| marked(&format!("{test};"));
    let eq = marked("itest!(given(x = 1), check_eq(y, 0x02), check_eq(x, 7))");
    let table = marked("itest!(each((x, z), [(1, 3), (2, 5), (3, 9)]), check_eq(y, z))");
    let matches = marked("blocktest!(given(x = 1), check_matches(returned(), Some(\"one\")))");
    format!(
        "use situ::prelude::*;\n\n#[situ]\npub fn triple(x: u32) -> u32 {{\n    let y = x * 3;\n    {eq} // é\n    {table}\n    \
         itest!(\"by a person\", given(x = 2), check_eq(y,  /* kept */ 4));\n    y\n}}\n\n\
         #[situ]\npub fn name(x: u32) -> Option<&'static str> {{\n    {matches}\n    if x == 1 {{ None }} else {{ Some(\"other\") }}\n}}\n\n\
         pub struct Opaque(u32);\nimpl std::fmt::Debug for Opaque {{\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        \
         write!(f, \"<{{}}>\", self.0)\n    }}\n}}\nimpl PartialEq<u32> for Opaque {{\n    fn eq(&self, other: &u32) -> bool {{\n        self.0 == *other\n    }}\n}}\n\n\
         #[situ]\npub fn opaque(x: u32) -> Opaque {{\n    let o = Opaque(x);\n    itest!(\"without source\", given(x = 2), check_eq(o, 3));\n    o\n}}\n"
    )
}

fn project(lib: &str) -> Project {
    let project = Project::with_builds_of_last_run("accept");
    let situ = concat!(env!("CARGO_MANIFEST_DIR"), "/../situ");
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
             [dependencies]\nsitu = {{ path = {situ:?} }}\n\
             [dev-dependencies]\nsitu = {{ path = {situ:?}, features = [\"test\"] }}\n"
        ),
    );
    project.write("src/lib.rs", lib);
    project
}

#[test]
fn expected_values_become_what_was_found_in_all_tests_or_in_none_and_are_taken_back() {
    let lib = lib();
    let project = project(&lib);

    // Observed tests only: the two that a person wrote still fail.
    let ran = project.situ(&["test", "--accept", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(
        (&ran.summary["accepted"], &ran.summary["failed"]),
        (&3.into(), &5.into()),
        "{}",
        ran.stderr
    );
    let after = project.read("src/lib.rs");
    let without_marks = |text: &str| {
        let parts = text.split("observed(\"");
        parts
            .map(|part| part.trim_start_matches(|c: char| c.is_ascii_alphanumeric()))
            .collect::<Vec<_>>()
            .concat()
    };
    let wanted = lib
        .replace(
            "check_eq(y, 0x02), check_eq(x, 7)",
            "check_eq(y, 0x3), check_eq(x, 1)",
        )
        .replace("(2, 5)", "(2, 6)")
        .replace("returned(), Some(\"one\")", "returned(), None");
    assert_eq!(without_marks(&after), without_marks(&wanted));
    let listed = project.situ(&["list", "--json"]);
    let observed = listed.lines.iter().filter(|line| line["observed"] == true);
    assert_eq!(observed.count(), 3, "{after}\n{}", listed.stdout);

    // One that cannot be written keeps the other from being written.
    let ran = project.situ(&[
        "test",
        "--accept",
        "--json",
        "by_a_person",
        "without_source",
    ]);
    assert_eq!((ran.code, &ran.summary["accepted"]), (1, &0.into()));
    assert!(
        ran.stderr.contains(
            "situ_opaque::without_source cannot be accepted: what was found is no Rust expression"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(project.read("src/lib.rs"), after);

    // A person's test is accepted if it is named, or in a review.
    let ran = project.situ(&["test", "--accept", "--json", "by_a_person"]);
    assert_eq!(
        (ran.code, &ran.summary["accepted"]),
        (0, &1.into()),
        "{}",
        ran.stderr
    );
    let named = after.replace("/* kept */ 4", "/* kept */ 6");
    assert_eq!(project.read("src/lib.rs"), named);
    assert_eq!(project.situ(&["undo", "--json"]).code, 0);
    assert_eq!(project.read("src/lib.rs"), after);
    let arguments = ["test", "--accept", "--review", "--json", "--tag", "none"];
    assert_eq!(project.situ(&arguments).code, 2);
    let arguments = ["test", "--accept", "--review", "--json", "by_a_person"];
    let ran = project.situ_answered(&arguments, "n\n");
    assert_eq!((ran.code, &ran.summary["accepted"]), (1, &0.into()));
    assert_eq!(project.read("src/lib.rs"), after);
    let ran = project.situ_answered(&arguments, "y\n");
    assert_eq!((ran.code, &ran.summary["accepted"]), (0, &1.into()));
    assert_eq!(project.read("src/lib.rs"), named);

    // `Debug` does not say whether a string is owned.
    let owned = "#[situ]\npub fn shown(x: u32) -> Option<String> {\n    let s = Some(x.to_string());\n    \
                 itest!(\"owned\", given(x = 1), check_eq(s, None));\n    s\n}\n";
    project.write("src/lib.rs", &format!("{named}{owned}"));
    let ran = project.situ(&["test", "--accept", "--json", "owned"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let after = owned.replace("None", "Some(\"1\".to_owned())");
    assert_eq!(project.read("src/lib.rs"), format!("{named}{after}"));

    let ran = project.situ(&["test", "--accept", "--json", "by_a_person", "nobody"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`nobody`"), "{}", ran.stderr);
}
