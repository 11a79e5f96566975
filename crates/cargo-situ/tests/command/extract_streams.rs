//! `cargo situ extract` on statements that read and write: bytes stand for the streams that a function is given.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"#![deny(warnings)]
use std::io::{self, BufRead, Read, Write};

/// Writes a line with its number.
pub fn numbered<W: Write>(out: &mut W, number: usize, line: &str) -> io::Result<()> {
    out.write_all(format!("{:>3} {}\n", number, line.trim_end()).as_bytes())?;
    Ok(())
}

/// Writes two bytes, or fewer.
pub fn pair(out: &mut impl Write, text: &[u8], from: usize) -> io::Result<usize> {
    let count = out.write(&text[from..from + 2])?;
    Ok(count)
}

/// Writes words as a list.
pub fn listed<W: std::fmt::Write>(mut out: W, words: &[&str]) -> std::fmt::Result {
    out.write_str(&words.join(", "))?;
    Ok(())
}

/// The number that an input begins with.
pub fn header(input: &mut impl Read) -> io::Result<u16> {
    let mut bytes = [0; 3];
    input.read_exact(&mut bytes[1..])?;
    Ok(u16::from(bytes[1]) << 8 | u16::from(bytes[2]))
}

/// How many of three bytes there are.
pub fn sampled<R: Read>(input: R) -> io::Result<usize> {
    let mut buffered = io::BufReader::new(input);
    let mut sample = [0; 4];
    let count = buffered.read(&mut sample[1..])?;
    Ok(count)
}

/// The lines of an input, one after the other.
pub struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is none of a comment.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::from("> ");
        if self.input.read_line(&mut line)? == 0 || line.len() > 100 {
            return Ok(None);
        }
        Ok(Some(line))
    }
}

/// Something that is drawn.
pub struct Drawing<'d, W: Write> {
    out: &'d mut W,
    width: usize,
}

impl<W: Write> Drawing<'_, W> {
    /// Draws a line.
    pub fn rule(&mut self) -> io::Result<()> {
        write!(self.out, "{}\n", "─".repeat(self.width + 1))?;
        Ok(())
    }
}

/// Writes what an object is given.
pub fn framed(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(format!("[{}]", text.trim()).as_bytes())?;
    let mut copy: Box<dyn Write> = Box::new(out);
    copy.write_all(&text.as_bytes()[1..])?;
    Ok(())
}

/// A version.
pub struct Version(u32, u32);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if f.alternate() && self.0 > 0 {
            f.write_str("v")?;
        }
        f.pad(&format!("{}.{}", self.0, self.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_framed() {
        let mut out = Vec::new();
        framed(&mut out, " x ").unwrap();
        assert_eq!(out, b"[x]x ");
    }

    #[test]
    fn a_version_is_formatted_as_asked() {
        assert_eq!(format!("{:>5} {:#} {:*<4}", Version(1, 2), Version(1, 2), Version(3, 0)), "  1.2 v1.2 3.0*");
    }

    #[test]
    fn lines_are_numbered() {
        let mut out = Vec::new();
        numbered(&mut out, 7, "seven ").unwrap();
        assert_eq!(out, b"  7 seven\n");
    }

    /// Takes one byte at a time, and not more than three.
    struct Narrow(Vec<u8>);

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() == 3 {
                return Err(io::Error::other("full"));
            }
            self.0.push(bytes[0]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_behind_the_stream_decides() {
        let mut narrow = Narrow(Vec::new());
        assert_eq!(pair(&mut narrow, b"abcd", 1).unwrap(), 1);
        assert_eq!(numbered(&mut narrow, 1234, "x").unwrap_err().to_string(), "full");
        assert_eq!(narrow.0, b"b12");
    }

    #[test]
    fn two_bytes_are_a_pair() {
        assert_eq!(pair(&mut Vec::new(), b"abcd", 1).unwrap(), 2);
    }

    #[test]
    fn words_are_listed() {
        let mut out = String::new();
        listed(&mut out, &["a", "b"]).unwrap();
        assert_eq!(out, "a, b");
    }

    #[test]
    fn a_header_is_big_endian() {
        assert_eq!(header(&mut &b"\x01\x02\x03"[..]).unwrap(), 0x0102);
        assert!(header(&mut &b"\x01"[..]).is_err());
    }

    #[test]
    fn two_of_three_are_there() {
        assert_eq!(sampled(&b"ab"[..]).unwrap(), 2);
    }

    #[test]
    fn lines_come_one_by_one() {
        let mut lines = Lines { input: &b"one\ntwo"[..] };
        assert_eq!(lines.next_line().unwrap().unwrap(), "> one\n");
        assert_eq!(lines.next_line().unwrap().unwrap(), "> two");
        assert!(lines.next_line().unwrap().is_none());
    }

    #[test]
    fn a_rule_is_drawn() {
        let mut out = Vec::new();
        Drawing { out: &mut out, width: 2 }.rule().unwrap();
        assert_eq!(out, "───\n".as_bytes());
    }
}
"#;

#[test]
fn what_is_written_is_checked_and_what_was_read_is_given() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--json",
        "--write",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let expected = [
        (
            "numbered",
            vec![
                "out = &mut Vec::<u8>::new())",
                "check_eq(*out, b\"  7 seven\\n\")",
            ],
        ),
        (
            "pair",
            vec!["check_eq(count, 2)", "check_eq(*out, b\"bc\")"],
        ),
        (
            "listed",
            vec!["out = String::new())", "check_eq(out, \"a, b\")"],
        ),
        (
            "header",
            vec![
                "input = &mut b\"\\x01\\x02\".as_slice()",
                "check_eq(bytes, [0, 1, 2])",
                "check(input.is_empty())",
            ],
        ),
        (
            "sampled",
            vec![
                "buffered = std::io::BufReader::new(\"ab\".as_bytes())",
                "check_eq(count, 2)",
            ],
        ),
        (
            "next_line",
            vec!["given(", "self.input = ", "as_bytes()", "cond()"],
        ),
        (
            "framed",
            vec!["check_eq(*out, b\"[x]\")", "out = &mut vec![]"],
        ),
        ("framed", vec!["check_eq(copy, b\"x \")", "copy = vec![]"]),
        (
            "fmt",
            vec![
                "check_return(Ok(()))",
                "f = \"{:#}\"",
                "check_eq(f, \"1.2\")",
            ],
        ),
        ("fmt", vec!["check_true(cond())", "f = \"{:#}\""]),
        (
            "rule",
            vec![
                "self.out = &mut Vec::<u8>::new()",
                "check_eq(*self.out, \"───\\n\".as_bytes())",
            ],
        ),
    ];
    for (function, parts) in expected {
        let text = ran.text_of(function, parts[0]);
        parts
            .iter()
            .for_each(|part| assert!(text.contains(part), "{part} in {text}"));
    }
    let number = |key: &str| {
        ran.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", ran.summary))
    };
    assert_eq!(
        number("statements_with_tests"),
        number("statements_reached"),
        "{}",
        ran.summary
    );
    assert_eq!(number("killed_and_lost"), 0, "{}", ran.summary);
    let missed = ran.summary["killed_only_by_unit"].as_array().unwrap();
    assert!(
        missed
            .iter()
            .all(|mutant| !mutant.as_str().unwrap().contains(": removal: ")),
        "{missed:?}"
    );
    assert_own_tests_pass(&project);
}

#[test]
fn streams_of_a_recorded_program_do_what_they_did() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&["record", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.summary["outcome_differences"], 0, "{}", ran.summary);
    assert_eq!(ran.summary["probes_dropped"], 0, "{}", ran.summary);
}
