use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn the_program_shortens_lines() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nasty"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"abcdefgh\n(x)\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "abcde 0\n(x) 1\n");
}

#[test]
fn the_library_from_outside() {
    assert_eq!(nasty::first_number("3 x"), Some(3));
    assert_eq!(file!(), "tests/outside.rs");
}
