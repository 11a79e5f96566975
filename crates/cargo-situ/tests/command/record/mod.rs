//! The recorder end to end, on small crates.

mod calls_and_exits;
mod generated;
mod project;
mod secrets;
mod undisturbed;

use project::Project;
use situ_recorder::recording;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

#[test]
fn nasty_constructs_are_recorded_without_changing_tests_or_tree() {
    let project = Project::copy_of("nasty");
    let before = project.files();
    let (summary, code) = project.summary(&["record", "--json"]);
    assert_eq!(code, 0, "{summary}");
    project.assert_untouched(&before);
    assert_eq!(summary["outcome_differences"], 0, "{summary}");
    assert_eq!(summary["probes_dropped"], 0, "{summary}");
    assert_eq!(summary["units_not_instrumented"], 0, "{summary}");
    assert_eq!(
        summary["losses"], 0,
        "everything that a recorder writes is read: {summary}"
    );
    assert_eq!(
        summary["statements_reached"], summary["statements_found"],
        "{summary}"
    );
    let (exact, sets) = (
        summary["exact_sets"].as_f64().unwrap(),
        summary["value_sets"].as_f64().unwrap(),
    );
    assert!(exact / sets > 0.9, "{summary}");

    let library = project.shown(&["src/lib.rs", "--rows", "400"]);
    for expected in [
        "text = \"12 monkeys\" → head = \"12\", rest = \"monkeys\"",
        "text = \"7\" → returns Some(7u32)",
        "text = \"300\" → panics: a small number",
        "cell = &std::cell::RefCell::new(String::from(\" ab \")) → result = 2usize",
        "text = \"alpha beta gamma\\n\" → items = [\"alpha\", \"beta\", \"gamma\"]",
        "name = \"a bc\" → local = sizes::Local { text: String::from(\"A BC\") }",
        "at = 0usize, bytes = &[3u8, 97, 98, 99, 100, 101] → condition = false",
    ] {
        assert!(
            library.contains(expected),
            "{expected} is not in\n{library}"
        );
    }
    let inner = project.shown(&["add"]);
    assert!(
        inner.contains("self.total = 0usize, line = \" xx\" → self.total = 2usize"),
        "{inner}"
    );
    let shapes = project.shown(&["low"]);
    assert!(
        shapes.contains("handle = &\"a-b\".parse::<shapes::Handle>().unwrap()"),
        "{shapes}"
    );
    // In its own crate, a value that holds memory by hand may be half made: nothing of it is looked at.
    let by_hand = project.shown(&["src/by_hand.rs"]);
    for expected in [
        "self = <Stack<String, 2>>",
        "self = <Stack<Counted<'_>, 2>>",
    ] {
        assert!(
            by_hand.contains(expected),
            "{expected} is not in\n{by_hand}"
        );
    }
    // The program that an integration test starts is recorded too.
    let program = project.shown(&["src/main.rs"]);
    assert!(
        program.contains("line = \"abcdefgh\", most = 5usize → short = String::from(\"abcde\")"),
        "{program}"
    );

    programs_for_elsewhere(&project);
}

/// On the same project, whose dependencies are built already.
fn programs_for_elsewhere(project: &Project) {
    let (summary, _) = project.summary(&["build", "--record", "--json"]);
    assert_eq!(summary["programs"], 1);
    let program = project.root().join("target/situ/instrumented/nasty");
    killed_at_any_moment(project, &program);
    unwritable_folders_do_no_harm(project, &program);
    a_full_disk_does_no_harm(project, &program);
    bounds_are_kept(project, &program);
}

fn killed_at_any_moment(project: &Project, program: &Path) {
    let elsewhere = project.root().join("target/elsewhere");
    for milliseconds in [5, 20, 45, 80, 150] {
        let mut child = Command::new(program)
            .arg("--endless")
            .env("SITU_RECORDING_DIR", &elsewhere)
            .env("SITU_UNIQUE_SETS", "1000000")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"(x)\n").unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut records = 0;
    for entry in fs::read_dir(&elsewhere).unwrap() {
        let path = entry.unwrap().path();
        records += recording::read(&path).unwrap().records.len();
        torn_anywhere(&path);
    }
    assert!(records > 100, "only {records} records");
    let (summary, code) = project.summary(&[
        "recordings",
        "--json",
        "merge",
        "target/elsewhere",
        "--into",
        "merged",
    ]);
    assert_eq!(code, 0);
    assert!(summary["files"].as_u64().unwrap() > 0);
    let shown = project.shown(&["squeeze", "--name", "merged", "--rows", "3"]);
    assert!(shown.contains("number = 0u32 → squeezed = 0u32"), "{shown}");
}

/// Cutting the file at any byte loses no record before the cut.
fn torn_anywhere(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let whole = recording::read(path).unwrap().records.len();
    for length in (bytes.len().saturating_sub(200)..bytes.len()).step_by(7) {
        fs::write(path, &bytes[..length]).unwrap();
        let records = recording::read(path).unwrap().records.len();
        assert!(
            records <= whole && records + 8 > whole,
            "{records} of {whole} at {length}"
        );
    }
    fs::write(path, &bytes).unwrap();
}

fn unwritable_folders_do_no_harm(project: &Project, program: &Path) {
    let file = project.root().join("target/a-file");
    fs::write(&file, "not a folder").unwrap();
    let mut child = Command::new(program)
        .env("SITU_RECORDING_DIR", file.join("below"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"((abc\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "((abc 0\n");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said.matches("situ: recording stopped, the program continues")
            .count(),
        1,
        "{said}"
    );
}

/// A small file system of its own, where the machine allows to mount one.
fn a_full_disk_does_no_harm(project: &Project, program: &Path) {
    let disk = project.root().join("target/small-disk");
    fs::create_dir_all(&disk).unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=32k", "tmpfs"])
        .arg(&disk)
        .output();
    if !mount.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no file system can be mounted here, so no disk can be full");
        return;
    }
    let mut child = Command::new(program)
        .env("SITU_RECORDING_DIR", &disk)
        .env("SITU_UNIQUE_SETS", "100000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = (0..400).map(|number| format!("line {number}\n")).collect();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let files: Vec<_> = fs::read_dir(&disk)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let records: usize = files
        .iter()
        .map(|path| recording::read(path).unwrap().records.len())
        .sum();
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    assert!(output.status.success());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).lines().count(),
        400,
        "the program ran to its end"
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        said.matches("situ: recording stopped, the program continues")
            .count(),
        1,
        "{said}"
    );
    assert!(said.contains("No space left on device"), "{said}");
    assert!(records > 10, "what fitted is there: {records} records");
}

fn bounds_are_kept(project: &Project, program: &Path) {
    let folder = project.root().join("target/bounded");
    let mut child = Command::new(program)
        .env("SITU_RECORDING_DIR", &folder)
        .env("SITU_BYTES_A_RECORDING", "2000")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let lines: String = (0..500).map(|number| format!("line {number}\n")).collect();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    let written: u64 = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!((500..=2200).contains(&written), "{written} bytes");
}

/// Cargo gives such a library the same file whoever compiles it.
#[test]
fn a_library_for_other_languages_is_recorded_too() {
    let project = Project::copy_of("two_members");
    let manifest = project.root().join("lib/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(
        &manifest,
        format!("{text}\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n"),
    )
    .unwrap();
    let (summary, code) =
        project.summary(&["record", "--json", "--", "sh", "-c", "\"$SITU_BIN\" ef"]);
    assert_eq!(code, 0, "{summary}");
    let shown = project.shown(&["initials"]);
    assert!(
        shown.contains("text = \"ef\" → result = String::from(\"e\")"),
        "{shown}"
    );
}

#[test]
fn from_another_crate_memory_by_hand_is_its_elements() {
    let project = Project::copy_of("two_members");
    let by_hand = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nasty/src/by_hand.rs");
    fs::copy(by_hand, project.root().join("lib/src/lib.rs")).unwrap();
    let manifest = project.root().join("lib/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("2018", "2021")).unwrap();
    let user = "use member_lib::Stack;\n\nfn joined(words: &Stack<String, 4>) -> String {\n    let text = \
                words.as_slice().join(\"-\").to_uppercase();\n    text\n}\n\nfn main() {\n    \
                println!(\"{}\", joined(&std::env::args().skip(1).collect()));\n}\n";
    fs::write(project.root().join("app/src/main.rs"), user).unwrap();
    let (summary, code) =
        project.summary(&["record", "--json", "--", "sh", "-c", "\"$SITU_BIN\" a b"]);
    assert_eq!(code, 0, "{summary}");
    let shown = project.shown(&["joined"]);
    let words = "words = &vec![String::from(\"a\"), String::from(\"b\")].into_iter().collect::<";
    assert!(
        shown.contains(words) && shown.contains("text = String::from(\"A-B\")"),
        "{shown}"
    );
}

#[test]
fn an_old_edition_without_a_lock_file_stays_without_one() {
    let project = Project::copy_of("old_edition");
    let before = project.files();
    let (summary, code) = project.summary(&["record", "--json", "--functions", "--all-statements"]);
    assert_eq!(code, 0, "{summary}");
    project.assert_untouched(&before);
    assert_eq!(summary["outcome_differences"], 0, "{summary}");
    assert!(
        summary["statements_reached"].as_u64().unwrap() >= 5,
        "{summary}"
    );
    let shown = project.shown(&["show"]);
    assert!(
        shown.contains("thing = &inner::Thing { name: String::from(\"a\"), count: 1u8 }"),
        "{shown}"
    );
    assert!(shown.contains("result = String::from(\"A\")"), "{shown}");
}

#[test]
fn cargo_run_inside_the_command_is_recorded_in_a_workspace() {
    let project = Project::copy_of("two_members");
    let locked = Command::new("cargo")
        .arg("generate-lockfile")
        .current_dir(project.root())
        .status()
        .unwrap();
    assert!(locked.success());
    let before = project.files();
    let (summary, code) = project.summary(&[
        "record",
        "--json",
        "--",
        "sh",
        "-c",
        "cargo run -q -p app -- ab cd && \"$SITU_BIN\" ef",
    ]);
    assert_eq!(code, 0, "{summary}");
    project.assert_untouched(&before);
    assert_eq!(summary["statements_reached"], 2, "{summary}");
    let shown = project.shown(&["initials"]);
    assert!(
        shown.contains("text = \"ab cd\" → result = String::from(\"ac\")"),
        "{shown}"
    );
    assert!(
        shown.contains("text = \"ef\" → result = String::from(\"e\")"),
        "{shown}"
    );
    recordings_of_a_newer_version_are_refused(&project);
}

fn recordings_of_a_newer_version_are_refused(project: &Project) {
    let folder = project.recording("latest");
    let newer = fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut bytes = fs::read(&newer).unwrap();
    bytes[recording::MAGIC.len()] = 9;
    fs::write(&newer, bytes).unwrap();
    let others: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    others
        .iter()
        .filter(|path| **path != newer)
        .for_each(|path| fs::remove_file(path).unwrap());
    let output = project.situ(&["recordings", "show"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("newer Situ") && said.contains("update cargo-situ"),
        "{said}"
    );
    assert_eq!(
        project
            .situ(&["recordings", "prune", "nothing"])
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        project.situ(&["recordings", "prune"]).status.code(),
        Some(0)
    );
    assert_eq!(project.situ(&["recordings", "show"]).status.code(), Some(2));
}

#[test]
fn a_crate_without_std_is_recorded_and_its_own_failures_are_told() {
    let project = Project::copy_of("no_std_crate");
    let (summary, code) = project.summary(&["record", "--json"]);
    assert_eq!(code, 3, "a test fails without recording too");
    assert_eq!(summary["failing_tests"], 1, "{summary}");
    assert_eq!(summary["outcome_differences"], 0, "{summary}");
    let shown = project.shown(&["set"]);
    assert!(
        shown.contains("self.bits = 1u8, bit = 3u8 → self.bits = 9u8"),
        "{shown}"
    );
    fs::write(project.root().join("src/lib.rs"), "fn broken( {").unwrap();
    assert_eq!(
        project.situ(&["record", "--json"]).status.code(),
        Some(3),
        "the user's own build fails"
    );
    assert_eq!(
        project.situ(&["record", "--at", "nonsense"]).status.code(),
        Some(2)
    );
}

#[test]
fn secrets_are_found_nowhere_in_a_recording() {
    let project = Project::copy_of("secrets");
    let (summary, code) = project.summary(&["record", "--json", "--secret", "iban", "--functions"]);
    assert_eq!(code, 0, "{summary}");
    assert!(summary["withheld"].as_u64().unwrap() >= 8, "{summary}");
    let mut seen = 0;
    for entry in fs::read_dir(project.recording("latest")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        seen += text.matches("admin").count();
        for secret in ["hunter2", "0123456789", "3704", "5512", "4417"] {
            assert!(!text.contains(secret), "`{secret}` was written");
        }
    }
    assert!(seen > 0, "what is no secret was not written either");
    let shown = project.shown(&["value_of"]);
    assert!(
        shown.contains("Token::Digit(1u8)"),
        "the token of a parser is no secret: {shown}"
    );
}

#[test]
fn what_serde_shows_is_recorded_where_the_crate_has_it() {
    let project = Project::copy_of("serializing");
    let (summary, code) = project.summary(&["record", "--json", "--functions"]);
    assert_eq!(code, 0, "{summary}");
    assert_eq!(summary["units_not_instrumented"], 0, "{summary}");
    assert_eq!(summary["outcome_differences"], 0, "{summary}");
    let shown = project.shown(&["bits"]);
    assert!(
        shown.contains("point = Point { x: 4, label: Some(\"a b\") }, silent = <Silent>"),
        "{shown}"
    );
    assert!(
        shown.contains(" 1 value set, 0 exact"),
        "nothing rebuilds it:\n{shown}"
    );
}
