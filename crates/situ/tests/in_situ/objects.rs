//! `given` of objects: oracles see what stands for a `dyn Write`, also where its trait is not imported.

use situ::prelude::*;
use std::{fmt, io};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("objects.rs"));
}

#[situ]
fn number(out: &mut dyn io::Write, number: u8) -> io::Result<()> {
    out.write_all(&[b'#', number])?;
    itest!(
        "written",
        given(out = &mut Vec::new(), number = 50),
        check_eq(out, b"#2")
    );
    itest!(
        "not looked at",
        given(out = &mut Vec::new(), number = 50),
        check_runs()
    );
    Ok(())
}

#[situ]
fn text(mut out: Box<dyn fmt::Write + '_>, words: &[&str]) -> fmt::Result {
    out.write_str(&words.join(" "))?;
    itest!(
        "boxed",
        given(out = String::new(), words = &["a", "b"]),
        check_eq(out, "a b")
    );
    itest!(
        "in a box",
        given(out = Box::new(String::new()), words = &["a"]),
        check_eq(*out, "a")
    );
    Ok(())
}

#[situ]
fn first(input: &mut dyn io::Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    itest!(
        given(byte = [0], input = &mut "ab".as_bytes()),
        check_eq(byte, *b"a"),
        check_eq(*input, b"b")
    );
    Ok(byte[0])
}
