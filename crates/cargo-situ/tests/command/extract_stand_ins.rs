//! `cargo situ extract --level block` on fragments that use what no test can give: values stand for calls, fields for the whole.

use crate::project::{Project, assert_own_tests_pass};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"#![deny(warnings)]
use std::io::{self, Read};

mod counted {
    /// What is made in here only.
    pub struct Counted {
        all: u32,
    }

    impl Counted {
        pub fn starting(all: &str) -> Counted {
            Counted { all: all.len() as u32 }
        }

        pub fn note(&mut self, weight: u32) {
            self.all += weight;
        }

        pub fn is_full(&self) -> bool {
            self.all > 9
        }
    }
}

/// Who is told of what was parsed.
pub trait Listener {
    fn letter(&mut self, letter: u8);
    fn bell(&mut self);
    fn width(&self) -> usize;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Ground,
    Escape,
}

pub struct Parser {
    pub state: State,
    counted: counted::Counted,
    skipped: usize,
}

impl Parser {
    pub fn new() -> Parser {
        Parser { state: State::Ground, counted: counted::Counted::starting("abc"), skipped: 0 }
    }

    pub fn advance<L: Listener>(&mut self, listener: &mut L, byte: u8) {
        match byte {
            7 => {
                listener.bell();
                self.state = State::Ground;
            }
            27 => {
                self.counted.note(4);
                self.state = State::Escape;
            }
            _ => {
                if self.counted.is_full() || listener.width() < 3 {
                    self.skipped += 1;
                    return;
                }
                listener.letter(byte | 32);
                self.state = State::Ground;
            }
        }
    }
}

/// The numbers of an input, each seven bits long.
pub fn sevens<R: ?Sized + Read>(input: &mut R) -> io::Result<u32> {
    let mut sum = 0;
    loop {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        sum = sum << 7 | u32::from(byte[0] & 127);
        if byte[0] < 128 {
            return Ok(sum);
        }
    }
}

/// What is said of a word by whoever knows.
pub fn asked<F>(word: &str, known: F) -> String
where
    F: Fn(&str) -> Option<usize>,
{
    let word = word.trim();
    match known(word) {
        Some(count) if count > 1 => format!("{word} ×{count}"),
        Some(_) => word.to_owned(),
        None => String::from("?"),
    }
}

/// Where something is.
pub trait Place {
    fn row(&self) -> usize;
}

/// Who knows that.
pub trait Atlas {
    fn place(&self, name: &str) -> Box<dyn Place>;
}

/// The row behind a name, further down for long names.
pub fn row_of<A: Atlas>(atlas: &A, name: &str) -> usize {
    let name = name.trim();
    let row = atlas.place(name).row();
    row + name.len()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair(u32, u32);

impl std::ops::AddAssign<Self> for Pair {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
        self.1 += other.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Heard(String, usize);

    impl Listener for Heard {
        fn letter(&mut self, letter: u8) {
            self.0.push(letter as char);
        }
        fn bell(&mut self) {
            self.0.push('!');
        }
        fn width(&self) -> usize {
            self.1
        }
    }

    #[test]
    fn letters_and_bells_are_heard() {
        let (mut parser, mut heard) = (Parser::new(), Heard(String::new(), 80));
        b"A\x07b\x1bc\x1bd".iter().for_each(|byte| parser.advance(&mut heard, *byte));
        heard.1 = 2;
        parser.advance(&mut heard, b'e');
        assert_eq!((heard.0.as_str(), parser.state, parser.skipped), ("a!bc", State::Escape, 2));
    }

    #[test]
    fn sevens_are_read_one_by_one() {
        assert_eq!(sevens(&mut &b"\x81\x02"[..]).unwrap(), 130);
        assert_eq!(sevens(&mut &b"\x05"[..]).unwrap(), 5);
    }

    #[test]
    fn words_are_asked_for() {
        let counts = std::collections::HashMap::from([("wab", 2), ("wa", 1)]);
        let known = |word: &str| counts.get(word).copied();
        assert_eq!([asked(" wab", known), asked("wa", known), asked("x", known)], ["wab ×2", "wa", "?"]);
    }

    struct Grid;

    struct Spot(usize);

    impl Place for Spot {
        fn row(&self) -> usize {
            self.0
        }
    }

    impl Atlas for Grid {
        fn place(&self, name: &str) -> Box<dyn Place> {
            Box::new(Spot(name.len() * 10))
        }
    }

    #[test]
    fn rows_are_found() {
        assert_eq!(row_of(&Grid, " ab"), 22);
    }

    #[test]
    fn pairs_add_up() {
        let mut pair = Pair(1, 2);
        pair += Pair(3, 4);
        assert_eq!(pair, Pair(4, 6));
    }
}
"#;

#[test]
fn calls_and_fields_stand_for_what_cannot_be_given() {
    let project = Project::library("", LIBRARY);
    let shown = project.situ(&[
        "extract",
        "--all",
        "--recorded-only",
        "--level",
        "block",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let texts = |function: &str, parts: &[&str]| {
        let text = shown.text_of(function, parts[0]);
        parts
            .iter()
            .for_each(|part| assert!(text.contains(part), "{part} in {text}"));
    };
    // A parameter that is known by a trait only: what is called of it, and that it is called.
    texts(
        "advance",
        &[
            "mock(listener.bell(), ())",
            "check_eq(self.state, State::Ground)",
            "check_called(listener.bell(), 1)",
        ],
    );
    texts(
        "advance",
        &[
            "check_called(listener.letter(98), 1)",
            "mock(listener.width(), 80)",
            "mock(self.counted.is_full(), false)",
        ],
    );
    // A field of a type that only its own module can make.
    texts(
        "advance",
        &[
            "mock(self.counted.note(4), ())",
            "check_eq(self.state, State::Escape)",
        ],
    );
    texts("sevens", &["given(input = &mut"]);
    texts(
        "asked",
        &[
            "mock(known(\"wab\"), Some(2usize))",
            "check_return(String::from(\"wab ×2\"))",
        ],
    );
    // Of what the first call gave nothing is known: a value stands for the call that is made with it.
    texts(
        "row_of",
        &["mock(atlas.place(name).row(), 20)", "check_return(22)"],
    );
    texts("add_assign", &["check_eq(self.1, 6)"]);
    assert_eq!(
        shown.summary["statements_with_tests"], shown.summary["statements_reached"],
        "{}",
        shown.summary
    );
    assert_eq!(
        shown.summary["fragment_branches_covered"], shown.summary["fragment_branches_reached"],
        "{}",
        shown.summary
    );
    let missed: Vec<&str> = shown.summary["killed_only_by_unit"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|mutant| mutant.as_str())
        .collect();
    assert!(
        missed.is_empty(),
        "mutants of calls that values stand for: {missed:?}"
    );
    let written = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--write",
        "--from",
        "extract",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert_own_tests_pass(&project);
}
