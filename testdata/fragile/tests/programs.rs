//! Each program does what it does, whoever watches.

use std::path::PathBuf;
use std::process::Command;

fn is_fine(what: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(what);
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fragile")).arg(what).arg(&folder).output().unwrap();
    let said = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((said.0.as_ref(), said.1.as_ref()), ("fine\n", ""), "{:?}", output.status);
}

#[test]
fn closing_all_descriptors() {
    is_fine("descriptors");
}

#[test]
fn allowing_few_descriptors() {
    is_fine("few-descriptors");
}

#[test]
fn going_elsewhere() {
    is_fine("elsewhere");
}

#[test]
fn forking_while_threads_are_at_work() {
    is_fine("forks");
}

#[test]
fn going_on_in_a_child() {
    is_fine("daemon");
}

#[test]
fn handling_signals() {
    is_fine("signals");
}

#[test]
fn starting_without_an_environment() {
    is_fine("cleared");
}

#[test]
fn going_deep_on_the_main_thread() {
    is_fine("deep");
}
