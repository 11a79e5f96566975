//! `cargo situ extract` with inputs that no run had: shorter ones for those that nobody wants to read, and nearby ones.

use crate::project::{Project, Ran};
use serde_json::json;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIBRARY: &str = r#"
/// How many parts of a line have something in them.
pub fn parts(line: &str) -> usize {
    let count = line.split(';').filter(|part| !part.trim().is_empty()).count();
    count
}

const LIMIT: usize = 1_999;

/// Whether a text is longer than all that are allowed.
pub fn is_over(text: &str) -> bool {
    if text.len() > LIMIT {
        return true;
    }
    false
}

/// The end of a text from a place on.
pub fn rest(text: &str, from: usize) -> &str {
    let rest = text[from..].trim_start();
    rest
}

/// The sum of the squares of the even ones.
pub fn evens(numbers: &[u32]) -> u32 {
    let sum = numbers.iter().filter(|number| **number % 2 == 0).map(|number| number * number).sum();
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted() {
        let line = format!("{};{}; ;{}", "alpha ".repeat(110), "beta ".repeat(120), "gamma ".repeat(120));
        assert_eq!(parts(&line), 3);
    }

    #[test]
    fn a_long_text_is_over() {
        assert!(is_over(&"x".repeat(2000)));
    }

    #[test]
    fn the_rest_is_trimmed() {
        assert_eq!(rest(&format!("{} y", "x".repeat(500)), 500), "y");
    }

    #[test]
    fn evens_are_added() {
        assert_eq!(evens(&(1..200).collect::<Vec<_>>()), 1_313_400);
    }
}
"#;

fn text_of<'r>(ran: &'r Ran, function: &str) -> &'r str {
    let test = ran
        .lines
        .iter()
        .find(|test| test["function"].as_str().unwrap().ends_with(function));
    test.unwrap_or_else(|| panic!("a test in {function}: {:?}", ran.lines))["text"]
        .as_str()
        .unwrap()
}

#[test]
fn long_inputs_become_short_where_they_kill_the_same_mutants() {
    let project = Project::library("", LIBRARY);
    let ran = project.situ(&["extract", "--all", "--json", "--situ-path", REPOSITORY]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let number = |key: &str| {
        ran.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", ran.summary))
    };
    assert_eq!(number("rows_shortened"), 3, "{:?}", ran.lines);
    assert_eq!(number("killed_and_lost"), 0, "{}", ran.summary);
    let [parts, evens, rest, over] =
        ["parts", "evens", "rest", "is_over"].map(|function| text_of(&ran, function));
    // The mark of a generated test is as long in every test.
    let length = |test: &str| test.split(", observed(").next().unwrap_or_default().len();
    assert!(
        length(parts) < 100 && parts.contains("check_eq(count, "),
        "{parts}"
    );
    assert!(
        length(evens) < 100 && evens.contains("numbers = &["),
        "{evens}"
    );
    assert!(length(rest) < 120 && rest.contains("\"y\""), "{rest}");
    assert!(
        over.contains(&"x".repeat(2000)),
        "what must be long stays: {over}"
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
    // A line that is too long is broken, with a comma behind the last clause.
    let squeezed = |text: &str| {
        text.split_whitespace()
            .collect::<String>()
            .replace(",)", ")")
    };
    assert!(
        squeezed(&source).contains(&squeezed(parts)),
        "the same tests are written:\n{source}"
    );
}

const GROWN_UP: &str = r#"
/// What somebody pays.
pub fn price(age: u32) -> u32 {
    if age >= 18 {
        return 10;
    }
    6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_pay_less() {
        assert!(price(5) < price(30));
    }
}
"#;

#[test]
fn nearby_inputs_kill_what_the_recorded_ones_leave_alive_unless_only_recorded_ones_are_wanted() {
    let project = Project::library("", GROWN_UP);
    let place = ["--json", "--situ-path", REPOSITORY];
    let nearby = project.situ(&[&["extract", "--all"], &place[..]].concat());
    assert_eq!(nearby.code, 0, "{}", nearby.stderr);
    let tagged = text_of(&nearby, "price");
    assert!(
        ["tag(\"nearby\")", "(17, false)", "(18, true)"]
            .iter()
            .all(|part| tagged.contains(part)),
        "{tagged}"
    );
    let recorded = project.situ(
        &[
            &["extract", "--all", "--from", "extract", "--recorded-only"],
            &place[..],
        ]
        .concat(),
    );
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    assert!(
        !text_of(&recorded, "price").contains("tag("),
        "{:?}",
        recorded.lines
    );
    let number = |ran: &Ran, key: &str| {
        ran.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", ran.summary))
    };
    assert_eq!(
        (
            number(&recorded, "rows_nearby"),
            number(&nearby, "rows_nearby")
        ),
        (0, 2)
    );
    assert_eq!(
        number(&recorded, "tests"),
        number(&nearby, "tests"),
        "rows near recorded ones are rows of their tests"
    );
    assert!(
        number(&nearby, "killed_by_extracted") > number(&recorded, "killed_by_extracted"),
        "{}",
        nearby.summary
    );
}

const SIZES: &str = r#"
/// What a size is called.
pub fn called(size: u32) -> Option<&'static str> {
    let mut name = "small";
    if size > 100 {
        return None;
    }
    if size > 9 {
        name = "large";
    }
    if size == 42 {
        name = "just right";
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_have_names() {
        assert_eq!(super::called(3), Some("small"));
        assert_eq!(super::called(500), None);
    }
}
"#;

#[test]
fn nearby_inputs_take_branches_and_exits_of_fragments_that_no_run_took() {
    let project = Project::library("", SIZES);
    let arguments = [
        "extract",
        "--all",
        "--level",
        "block",
        "--json",
        "--situ-path",
        REPOSITORY,
    ];
    let recorded = project.situ(&[&arguments[..], &["--recorded-only"]].concat());
    assert_eq!(
        recorded.summary["untaken_branches"],
        json!(["src/lib.rs:8", "src/lib.rs:11"]),
        "{}",
        recorded.summary
    );
    let ran = project.situ(&arguments);
    assert_eq!(
        (ran.code, &ran.summary["untaken_branches"]),
        (0, &json!([])),
        "{}",
        ran.stderr
    );
    let number = |key: &str| {
        ran.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", ran.summary))
    };
    assert!(
        number("fragment_branches_reached") < number("fragment_branches"),
        "{}",
        ran.summary
    );
    assert_eq!(
        number("fragment_branches_covered"),
        number("fragment_branches"),
        "{:?}",
        ran.lines
    );
    let texts: String = ran
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .collect();
    assert!(
        texts.contains("just right") && texts.contains("101"),
        "{texts}"
    );
}

const WORDS: &str = r#"
/// How long the words of a text are together.
pub fn length(text: &str) -> Result<usize, String> {
    let mut sum = 0;
    for word in text.split(' ') {
        let trimmed = word.trim_matches(',');
        if trimmed.is_empty() {
            return Err(format!("`{word}` is no word"));
        }
        if trimmed == "stop" {
            break;
        }
        sum += trimmed.len();
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_are_added() {
        assert_eq!(super::length("a, bc"), Ok(3));
    }
}
"#;

#[test]
fn blocks_leave_as_no_run_did() {
    let project = Project::library("", WORDS);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--kind",
        "block",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(
        (ran.code, &ran.summary["untaken_branches"]),
        (0, &json!([])),
        "{}",
        ran.stderr
    );
    let texts: String = ran
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .collect();
    for part in [
        "check_eq(sum, ",
        "check_break()",
        "check_return(Err(String::from(\"`` is no word\")))",
    ] {
        assert!(texts.contains(part), "{part} in {texts}");
    }
    let of_recorded = ran
        .lines
        .iter()
        .filter(|test| !test["text"].as_str().unwrap().contains("tag(\"nearby\")"));
    assert_eq!(
        of_recorded.count(),
        1,
        "what no run did says so: {:?}",
        ran.lines
    );
}

const TAGS: &str = r#"
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Plain,
    Strict,
}

pub struct Reader {
    pub mode: Mode,
    pub depth: u8,
    pub open: Vec<u32>,
}

impl Reader {
    /// What a tag does.
    pub fn tag(&mut self, tag: &str) -> Result<usize, String> {
        if let Some(name) = tag.strip_prefix("</") {
            if self.mode == Mode::Strict && self.depth > 40 {
                if name.ends_with("!>") {
                    return Err(format!("`{name}` cannot be closed"));
                }
            }
            if name == "loop" {
                loop {
                    self.depth = 0;
                }
            }
            if name == "abort" {
                std::process::abort();
            }
            if self.open.len() == 2 && self.open[1] == 7 {
                self.open.clear();
            }
            if self.depth == 200 {
                panic!("{} are too many", self.depth);
            } else if self.depth == 150 {
                unreachable!();
            }
        }
        Ok(tag.len())
    }
}

/// Whether a reader is strict.
pub fn is_strict(reader: &Reader) -> bool {
    let is = matches!(reader.mode, Mode::Strict);
    is
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        let mut reader = Reader { mode: Mode::Plain, depth: 1, open: vec![] };
        assert_eq!(reader.tag("<a>"), Ok(3));
        assert!(!is_strict(&reader));
        assert!(is_strict(&Reader { mode: Mode::Strict, depth: 2, open: vec![1] }));
    }
}
"#;

/// Each condition that holds lets a search see the next one. What loops or takes its process along does not end it.
#[test]
fn branches_behind_several_conditions_are_found_step_by_step() {
    let project = Project::library("", TAGS);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--in",
        "tag",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let untaken = ran.summary["untaken_branches"].to_string();
    let texts: String = ran
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .collect();
    assert!(texts.contains("cannot be closed"), "{untaken} {texts}");
    assert!(texts.contains("Mode::Strict"), "{texts}");
    assert!(
        texts.contains("check(self.open.is_empty())"),
        "what no run changed is compared: {texts}"
    );
    assert!(
        texts.contains("check_panic(\"200 are too many\")"),
        "{texts}"
    );
    assert!(
        !texts.contains("unreachable code"),
        "nobody asks for what no run should do: {texts}"
    );
    let line = |part: &str| 1 + TAGS.lines().position(|line| line.contains(part)).unwrap();
    let parts = [
        ("cannot be closed", true),
        ("open.clear", true),
        ("unreachable!", true),
        ("loop {", false),
        ("abort()", false),
    ];
    for (part, is_taken) in parts {
        let place = format!("src/lib.rs:{}", line(part) - 1);
        assert_eq!(
            !untaken.contains(&place),
            is_taken,
            "{part} at {place}: {untaken}"
        );
    }
}

const DEVICE: &str = r#"
pub mod table {
    #[derive(Debug, Default)]
    pub struct Table(Vec<u16>);

    impl Table {
        pub fn is_full(&self) -> bool {
            self.0.len() == 8
        }

        pub fn push(&mut self, number: u16) {
            self.0.push(number);
        }
    }
}

pub trait Device {
    fn send(&mut self, is_cut: bool, letter: char);
}

pub struct Parser {
    pub table: table::Table,
    pub is_cut: bool,
    pub number: u16,
}

impl Parser {
    pub fn dispatch<D: Device>(&mut self, device: &mut D, byte: u8) {
        if self.table.is_full() {
            self.is_cut = true;
        } else {
            self.table.push(self.number);
        }
        device.send(self.is_cut, byte as char);
        self.number = 0;
    }
}

pub const BITS: u32 = 64;

/// So many seconds after another time, or after now.
pub fn later(seconds: &str, start: Option<u64>) -> Option<u64> {
    let start = match start {
        Some(start) => start,
        None => std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64,
    };
    let wide = if BITS == 32 { 1 } else { 2 };
    seconds.parse::<u64>().ok().map(|seconds| start + wide * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Sent(String);

    impl Device for Sent {
        fn send(&mut self, is_cut: bool, letter: char) {
            self.0.push(if is_cut { '!' } else { letter });
        }
    }

    #[test]
    fn letters_are_sent() {
        let (mut sent, mut table) = (Sent::default(), table::Table::default());
        table.push(1);
        let mut parser = Parser { table, is_cut: false, number: 4 };
        parser.dispatch(&mut sent, b'm');
        assert_eq!(sent.0, "m");
    }

    #[test]
    fn seconds_are_added() {
        assert_eq!(later("3", Some(4)), Some(10));
    }
}
"#;

fn blocks_of(function: &str) -> Ran {
    let project = Project::library("", DEVICE);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--in",
        function,
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(
        (ran.code, &ran.summary["untaken_branches"]),
        (0, &json!([])),
        "{}",
        ran.stderr
    );
    ran
}

/// A mock that looks at its arguments would not stand for the call that is made then.
#[test]
fn what_stands_for_calls_may_give_something_else_and_be_called_otherwise() {
    let ran = blocks_of("dispatch");
    let nearby = ran
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .find(|text| text.contains("nearby"));
    let nearby = nearby.unwrap_or_else(|| panic!("{:?}", ran.lines));
    for part in [
        "mock(self.table.is_full(), true)",
        "check_called(self.table.push(..), 0)",
        "check_true(self.is_cut)",
    ] {
        assert!(nearby.contains(part), "{part} in {nearby}");
    }
}

/// What the time says is another number in each run; where the text is none, nobody sees it. What constants decide is no branch.
#[test]
fn a_branch_that_gives_something_else_each_time_is_taken_where_that_is_not_seen() {
    let ran = blocks_of("later");
    let texts: String = ran
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .collect();
    assert!(texts.contains("None"), "{texts}");
    assert_eq!(ran.summary["fragment_branches"], 4, "{}", ran.summary);
}
