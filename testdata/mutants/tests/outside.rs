//! Tests from outside: the library's face, a thread, and the program.

use std::process::Command;

#[test]
fn places_stay_where_they_are() {
    let (file, line) = mutants::nested::place();
    assert!(file.ends_with("nested/mod.rs"), "{file}");
    assert_eq!(line, 13);
}

#[test]
fn in_another_thread() {
    let thread = std::thread::spawn(|| mutants::nested::lines());
    assert_eq!(thread.join().unwrap(), 2);
}

#[test]
fn the_program_adds() {
    let output = Command::new(env!("CARGO_BIN_EXE_mutants")).args(["1", "2"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "4\n");
}

/// A constant outside the library that needs one of its functions.
const ONCE: usize = mutants::once(3);

#[test]
fn constants() {
    assert_eq!(ONCE, 3);
    assert_eq!((mutants::TWICE, mutants::thrice(2)), (16, 6));
}
