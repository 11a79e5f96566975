//! Every verb where things are not as they should be: a clear message, the right exit code, nothing lost.

mod project;

use project::Project;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const GOOD: &str = "pub fn double(x: u32) -> u32 {
    let text = x.to_string().trim().to_owned();
    text.parse::<u32>().unwrap_or(0) * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
";

/// The verbs, as they are called in every situation.
const RECORD: &[&str] = &["record"];
const MUTANTS: &[&str] = &["mutants"];
const EXTRACT: &[&str] = &["extract"];
const GENERALIZE: &[&str] = &["generalize"];
const CARVE: &[&str] = &["carve", "--", "cargo", "run", "-q"];
const EXPLORE: &[&str] = &["explore"];
const TEST: &[&str] = &["test"];
const LIST: &[&str] = &["list"];
const INIT: &[&str] = &["init"];
const DOCTOR: &[&str] = &["doctor"];
const RECORDINGS: &[&str] = &["recordings"];
const UNDO: &[&str] = &["undo"];
const BUILD: &[&str] = &["build", "--record"];

const ALL: &[&[&str]] =
    &[RECORD, MUTANTS, EXTRACT, GENERALIZE, CARVE, EXPLORE, TEST, LIST, INIT, DOCTOR, RECORDINGS, UNDO, BUILD];

/// What a verb ends with, and a part of what it says on standard error.
type Row<'r> = (&'r [&'r str], i32, &'r str);

fn small(text: &str) -> Project {
    let project = Project::library("", text);
    project.write("src/main.rs", "fn main() {\n    println!(\"{}\", library::double(2));\n}\n");
    project
}

/// Runs the rows; a verb without one must end well.
#[track_caller]
fn check(project: &Project, rows: &[Row<'_>]) {
    let before = project.snapshot();
    for verb in ALL {
        let (code, words) = rows.iter().find(|(named, ..)| named == verb).map_or((0, ""), |row| (row.1, row.2));
        // What follows `--` belongs to the command that is run.
        let mut arguments = vec![verb[0], "--json"];
        arguments.extend(&verb[1..]);
        let ran = project.situ(&arguments);
        assert_eq!(ran.code, code, "{verb:?}: {}\n{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words), "{verb:?} does not say `{words}`: {}", ran.stderr);
        let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        assert!(ran.stdout.lines().all(is_json), "{verb:?} prints more than JSON: {}", ran.stdout);
        assert!(code == 0 || !ran.stderr.is_empty(), "{verb:?} says nothing");
        assert_eq!(project.snapshot(), before, "{verb:?} has changed the user's files");
    }
}

const NO_THEORY: Row<'_> = (EXPLORE, 2, "there is no theory here");
const NOTHING_TO_UNDO: Row<'_> = (UNDO, 2, "nothing to undo");

#[test]
fn a_folder_with_spaces_and_other_letters_is_a_folder() {
    let project = small(GOOD).moved_to("a b ü/c%20d");
    check(&project, &[NO_THEORY, NOTHING_TO_UNDO]);
}

#[test]
fn code_that_does_not_compile_is_the_users() {
    let project = small(&GOOD.replace("to_string", "to_strin"));
    let fails = |verb| (verb, 3, "no method named `to_strin`");
    let rows = [RECORD, MUTANTS, EXTRACT, GENERALIZE, CARVE, TEST, BUILD].map(fails);
    check(&project, &[&rows[..], &[NO_THEORY, NOTHING_TO_UNDO]].concat());
}

#[test]
fn code_that_cannot_be_read_is_told_with_its_place() {
    let project = small("pub fn double( {\n");
    let fails = |verb| (verb, 3, "lib.rs:1:");
    let rows = [RECORD, MUTANTS, EXTRACT, GENERALIZE, CARVE, TEST, BUILD, EXPLORE, LIST, INIT].map(fails);
    check(&project, &[&rows[..], &[NOTHING_TO_UNDO]].concat());
}

#[test]
fn tests_that_fail_are_told_before_anything_is_changed() {
    let project = small(&GOOD.replace("4);", "5);"));
    let fails = |verb| (verb, 3, "fail");
    let rows = [RECORD, MUTANTS, EXTRACT, GENERALIZE].map(fails);
    // That tests fail is what `test` is asked about; a command and a theory do not depend on them.
    let others = [(TEST, 1, ""), NO_THEORY, NOTHING_TO_UNDO];
    let before = project.snapshot();
    for (verb, code, words) in rows.iter().chain(&others) {
        let ran = project.situ(verb);
        assert_eq!(ran.code, *code, "{verb:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{verb:?}: {}", ran.stderr);
        assert_eq!(project.snapshot(), before, "{verb:?}");
    }
}

#[test]
fn a_crate_without_tests_is_no_mistake() {
    check(&small("pub fn double(x: u32) -> u32 {\n    x * 2\n}\n"), &[NO_THEORY, NOTHING_TO_UNDO]);
}

#[test]
fn where_nothing_can_be_written_the_way_out_is_told() {
    let project = small(GOOD);
    project.write("target", "a file where a folder should be");
    let fails = |verb| (verb, 2, "CARGO_TARGET_DIR");
    let rows = [RECORD, MUTANTS, EXTRACT, GENERALIZE, CARVE, TEST, BUILD].map(fails);
    let before = project.read("target");
    for (verb, code, words) in rows.iter().chain(&[(DOCTOR, 1, ""), (LIST, 0, ""), (INIT, 0, "")]) {
        let ran = project.situ(verb);
        assert_eq!(ran.code, *code, "{verb:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{verb:?}: {}", ran.stderr);
    }
    assert_eq!(project.read("target"), before);
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let project = small(GOOD);
    let disk = project.path().join("target");
    fs::create_dir_all(&disk).unwrap();
    let Some(_mounted) = SmallDisk::at(&disk) else {
        eprintln!("skipped: no file system can be mounted here, so no disk can be full");
        return;
    };
    let before = project.snapshot();
    for verb in [RECORD, MUTANTS, EXTRACT, GENERALIZE, TEST, BUILD] {
        let ran = project.situ(verb);
        assert!([2, 3].contains(&ran.code), "{verb:?} ends with {}: {}", ran.code, ran.stderr);
        let told = ["No space left", "disk is full"].iter().any(|words| ran.stderr.contains(words));
        assert!(told, "{verb:?}: {}", ran.stderr);
        assert_eq!(project.snapshot(), before, "{verb:?}");
    }
}

/// A disk that holds next to nothing.
struct SmallDisk<'p>(&'p Path);

impl<'p> SmallDisk<'p> {
    fn at(folder: &'p Path) -> Option<Self> {
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=200k", "tmpfs"]).arg(folder).output();
        mount.is_ok_and(|output| output.status.success()).then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn an_interrupt_ends_everything_and_leaves_what_can_be_used() {
    const INTERRUPTED: i32 = 130;
    // A test that takes its time, so that there is something to interrupt.
    let slow = GOOD.replace("assert_eq", "std::thread::sleep(std::time::Duration::from_secs(20));\n        assert_eq");
    let project = small(&slow);
    let before = project.snapshot();
    for verb in [RECORD, MUTANTS, EXTRACT, TEST] {
        let mut child = project.command(verb).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_secs(4));
        let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(interrupt.success(), "{verb:?} had ended already");
        let interrupted = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(INTERRUPTED), "{verb:?}");
        assert!(interrupted.elapsed() < Duration::from_secs(10), "{verb:?} took its time");
        assert_eq!(project.snapshot(), before, "{verb:?}");
    }
    project.write("src/lib.rs", GOOD);
    for verb in [RECORD, MUTANTS, EXTRACT, TEST] {
        let ran = project.situ(verb);
        assert_eq!(ran.code, 0, "{verb:?} afterwards: {}", ran.stderr);
    }
}

#[test]
fn two_at_once_wait_for_each_other() {
    let project = small(GOOD);
    for verb in [RECORD, MUTANTS, EXTRACT] {
        let start = || project.command(verb).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let both = [start(), start()];
        for child in both {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{verb:?}: {said}");
        }
    }
}
