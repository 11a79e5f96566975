//! `cargo situ extract` from end to end, on a copy of the crate under `testdata/extract`.

use crate::project::{Project, own_cargo};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn cargo_test(project: &Project) -> (bool, String) {
    let output = own_cargo(project).args(["test", "--lib"]).output().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output.status.success(), said)
}

fn git(folder: &Path, arguments: &[&str], input: &str) -> bool {
    use std::io::Write as _;
    let mut command = Command::new("git");
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait().unwrap().success()
}

#[test]
fn a_crate_gets_tests_that_pass_kill_mutants_and_are_not_added_twice() {
    let project = Project::copy("extract");
    let before = project.snapshot();
    let shown = project.situ(&["extract", "--all", "--json", "--situ-path", REPOSITORY]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without --write"
    );
    let number = |key: &str| {
        shown.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", shown.summary))
    };
    assert!(number("statements_reached") <= number("statements_found"));
    assert!(
        number("statements_with_tests") * 10 >= number("statements_reached") * 8,
        "{}",
        shown.summary
    );
    assert!(number("candidates") >= number("after_coverage"));
    assert!(
        number("killed_by_extracted") >= number("killed_by_unit"),
        "{}",
        shown.summary
    );
    assert!(number("killed_by_either") <= number("mutants"));
    assert_eq!(number("killed_and_lost"), 0, "{}", shown.summary);
    assert!(shown.summary["seconds"].as_f64().unwrap() > 0.0);
    for test in &shown.lines {
        assert_eq!(test["file"], "src/lib.rs");
        assert!(
            test["line"].as_u64().unwrap() > 0 && test["text"].as_str().unwrap().contains("test!("),
            "{test}"
        );
    }
    let unstable = shown.lines.iter().find(|test| test["function"] == "stamp");
    assert!(
        unstable.is_none(),
        "no test rests on the time: {unstable:?}"
    );
    check_review(&project);
    check_writing(&project, shown.lines.len());
    check_one_line(&project);
}

/// The first test is kept, the second refused, and no more are looked at.
fn check_review(project: &Project) {
    let before = project.snapshot();
    let review = [
        "extract",
        "--all",
        "--from",
        "extract",
        "--review",
        "--situ-path",
        REPOSITORY,
    ];
    let nothing = project.situ_answered(&review, "n\nq\n");
    assert_eq!(nothing.code, 0, "{}", nothing.stderr);
    assert_eq!(project.snapshot(), before, "nothing was kept");
    let reviewed = project.situ_answered(&review, "y\nn\nq\n");
    assert_eq!(reviewed.code, 0, "{}", reviewed.stderr);
    assert_eq!(
        reviewed.stderr.matches("Keep this test?").count(),
        3,
        "{}",
        reviewed.stderr
    );
    assert!(
        reviewed.stderr.contains("src/lib.rs:") && reviewed.stderr.contains("(3 of "),
        "{}",
        reviewed.stderr
    );
    let source = project.read("src/lib.rs");
    assert_eq!(source.matches("test!(").count(), 1, "{source}");
    assert!(
        project.read("Cargo.toml").contains("situ"),
        "the dependency comes with the first test"
    );
    let (passes, said) = cargo_test(project);
    assert!(passes, "{said}\n{source}");
    check_undo(project, &before);
}

fn check_writing(project: &Project, tests: usize) {
    let before = project.snapshot();
    let patch = project.situ(&[
        "extract",
        "--all",
        "--from",
        "extract",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(patch.code, 0, "{}", patch.stderr);
    assert!(
        git(project.path(), &["apply", "--check", "-"], &patch.stdout),
        "git takes the patch:\n{}",
        patch.stdout
    );
    let written = project.situ(&[
        "extract",
        "--all",
        "--from",
        "extract",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let source = project.read("src/lib.rs");
    assert_eq!(
        source.matches("use situ::prelude::*;").count(),
        1,
        "{source}"
    );
    assert_eq!(source.matches("test!(").count(), tests, "{source}");
    let (passes, said) = cargo_test(project);
    assert!(passes, "{said}\n{source}");
    assert!(said.contains("situ_read_line::"), "{said}");
    let formatted = Command::new("rustfmt")
        .args(["--check", "--edition=2024", "src/lib.rs"])
        .current_dir(project.path())
        .status();
    assert!(
        formatted.unwrap().success(),
        "the file was formatted and stays so:\n{source}"
    );
    let after = project.snapshot();
    let again = project.situ(&["extract", "--all", "--write", "--situ-path", REPOSITORY]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(
        project.read("src/lib.rs"),
        source,
        "nothing new the second time"
    );
    assert_eq!(
        project.read("Cargo.toml").into_bytes(),
        after[&project.path().join("Cargo.toml")]
    );
    check_undo(project, &before);
}

fn check_undo(project: &Project, before: &BTreeMap<PathBuf, Vec<u8>>) {
    let undone = project.situ(&["extract", "--all", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    let restored = project.snapshot();
    for (path, bytes) in before {
        assert_eq!(restored.get(path), Some(bytes), "{}", path.display());
    }
}

#[test]
fn tests_of_a_statement_that_has_changed_are_replaced_when_asked() {
    let project = Project::copy("extract");
    let place = ["--in", "read_line", "--situ-path", REPOSITORY];
    let written = project.situ(&[&["extract", "--all", "--write"], &place[..]].concat());
    assert_eq!(written.code, 0, "{}", written.stderr);
    let tests = project.read("src/lib.rs").matches("test!(").count();
    project.edit(
        "src/lib.rs",
        "unwrap_or(\"\").trim();",
        "unwrap_or(\"\").trim_start();",
    );
    let before = project.snapshot();
    let stale = project.situ(&[&["extract", "--all"], &place[..]].concat());
    assert_eq!(
        stale.code, 3,
        "a test fails before anything is changed: {}",
        stale.stderr
    );
    check_that_what_somebody_wrote_stays(&project, &place);
    let updated = project.situ(
        &[
            &["extract", "--all", "--update", "--write", "--json"],
            &place[..],
        ]
        .concat(),
    );
    assert_eq!(updated.code, 0, "{}", updated.stderr);
    assert_eq!(updated.summary["tests_taken_out"], 1, "{}", updated.summary);
    let source = project.read("src/lib.rs");
    assert_eq!(source.matches("test!(").count(), tests, "{source}");
    let (passes, said) = cargo_test(&project);
    assert!(passes, "{said}");
    check_undo(&project, &before);
}

/// The tests of the statement, taken over by a person: the one that fails is told of and not replaced, nor is another one put beside it.
fn check_that_what_somebody_wrote_stays(project: &Project, place: &[&str]) {
    let generated = project.read("src/lib.rs");
    let from = generated.find("let bare =").unwrap();
    let to = from + generated[from..].find("if bare.is_empty()").unwrap();
    let taken_over = generated[from..to].replace("observed(", "tag(");
    let specified = [&generated[..from], &taken_over, &generated[to..]].concat();
    project.write("src/lib.rs", &specified);
    let updated = project.situ(
        &[
            &["extract", "--all", "--update", "--write", "--json"],
            place,
        ]
        .concat(),
    );
    assert_eq!(updated.code, 1, "{}", updated.stderr);
    assert_eq!(project.read("src/lib.rs"), specified);
    assert_eq!(updated.summary["tests_taken_out"], 0, "{}", updated.summary);
    let failing = updated.summary["specified_failing"].as_array().unwrap();
    assert_eq!(failing.len(), 1, "{}", updated.summary);
    let line = usize::try_from(failing[0]["line"].as_u64().unwrap()).unwrap();
    assert!(
        specified.lines().nth(line - 1).unwrap().contains("itest!("),
        "{}",
        updated.summary
    );
    assert!(
        specified
            .lines()
            .take(line)
            .any(|line| line.contains("let bare =")),
        "{}",
        updated.summary
    );
    let counted = project.situ(&["list", "--json"]);
    let observed = specified.matches("observed(").count();
    assert_eq!(counted.summary["observed"], observed, "{}", counted.summary);
    assert_eq!(
        counted.summary["files"][0]["file"], "src/lib.rs",
        "{}",
        counted.summary
    );
    assert_eq!(
        counted.summary["files"][0]["observed"], observed,
        "{}",
        counted.summary
    );
    project.write("src/lib.rs", &generated);
}

/// The line stands elsewhere in copies that hold tests; its mutants are found there all the same.
fn check_one_line(project: &Project) {
    let source = project.read("src/lib.rs");
    let line = 1 + source
        .lines()
        .position(|line| line.contains("self.checksum ="))
        .unwrap();
    let at = format!("src/lib.rs:{line}");
    let shown = project.situ(&[
        "extract",
        "--all",
        "--at",
        &at,
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_eq!(shown.summary["statements_found"], 1, "{}", shown.summary);
    assert!(
        shown.summary["mutants"].as_u64().unwrap() > 0,
        "{}",
        shown.summary
    );
    assert!(
        shown.lines.iter().all(|test| test["line"] == line),
        "{:?}",
        shown.lines
    );
}

#[test]
fn what_is_at_fault_is_said_with_the_right_exit_code() {
    let project = Project::copy("extract");
    let unknown = project.situ(&["extract", "--all", "--from", "nothing"]);
    assert_eq!(unknown.code, 2, "{}", unknown.stderr);
    assert!(
        unknown.stderr.contains("cargo situ record"),
        "{}",
        unknown.stderr
    );
    for wrong in [
        ["--in", "nowhere"],
        ["--kind", "string"],
        ["--at", "src/lib.rs:1"],
        ["--hold-back", "nothing"],
    ] {
        let ran = project.situ(&["extract", "--all", wrong[0], wrong[1]]);
        assert_eq!(ran.code, 2, "{wrong:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(wrong[1]), "{}", ran.stderr);
    }
    let elsewhere = project.situ(&["extract", "--all", "--situ-path", "/nowhere"]);
    assert_eq!(elsewhere.code, 2, "{}", elsewhere.stderr);
    project.edit(
        "src/lib.rs",
        "assert!(bits(0).is_empty());",
        "assert!(!bits(0).is_empty());",
    );
    let failing = project.situ(&["extract", "--all"]);
    assert_eq!(failing.code, 3, "{}", failing.stderr);
    assert!(
        failing.stderr.contains("bits_are_found"),
        "{}",
        failing.stderr
    );
}

const PARTS: &str = r#"
mod class;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt;

pub struct Failed(Backtrace);

impl fmt::Debug for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.status() == BacktraceStatus::Captured { "Failed, from here" } else { "Failed" })
    }
}

fn positive(number: usize) -> Result<usize, Failed> {
    if number > 0 { Ok(number) } else { Err(Failed(Backtrace::capture())) }
}

pub fn doubled(text: &str) -> Result<usize, Failed> {
    let length = positive(text.trim().len())?;
    Ok(length << 1)
}

pub fn settings(path: &str) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    text.len()
}

#[cfg(test)]
mod tests {
    #[test]
    fn all() {
        assert_eq!(super::class::of(" x "), 2);
        assert_eq!(super::doubled(" ab ").unwrap(), 4);
        assert!(super::doubled("").is_err());
        assert_eq!(super::settings("target/none.ini"), 0);
    }
}
"#;

const CLASS: &str = r#"
pub fn of(word: &str) -> u8 {
    match word.trim() {
        #[cfg(feature = "big")]
        "big" => 1,
        #[cfg(not(feature = "big"))]
        _ => 2,
    }
}
"#;

#[test]
fn a_part_that_cannot_be_judged_is_named_and_the_rest_gets_tests_that_hold_everywhere() {
    let project = Project::library("[features]\nbig = []\n", PARTS);
    project.write("src/class.rs", CLASS);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--json",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let without = ran.summary["without_tests"].to_string();
    // The test of this one stands in an arm that this build leaves out: nothing else is lost with it.
    assert!(
        without.contains("the place of its test is not compiled in this build"),
        "{without}"
    );
    let setback = &ran.summary["setbacks"][0];
    assert_eq!(
        (&setback["phase"], &setback["file"]),
        (&"judging".into(), &"src/class.rs".into()),
        "{}",
        ran.summary
    );
    assert!(
        ran.stderr
            .contains("warning: running the candidates of src/class.rs came to nothing"),
        "{}",
        ran.stderr
    );
    assert!(without.contains("it interacts with files"), "{without}");
    ran.text_of("doubled", "*found == 4usize");
    let texts = ran
        .lines
        .iter()
        .map(|test| test["text"].to_string())
        .collect::<String>();
    assert!(
        !texts.contains("{:?}") && !texts.contains("none.ini"),
        "{texts}"
    );
    for value in ["0", "1", "full"] {
        let mut command = own_cargo(&project);
        let output = command
            .args(["test", "--lib"])
            .env("RUST_BACKTRACE", value)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{value}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}
