//! What shown tests are worth, in words.

use situ_engine::base::words::{count, of_number};
use situ_engine::generate::worth::Worth;

/// Kills of one test that a reader is told of.
const MAX_LINES: usize = 6;

/// A shown test: where it goes, and what it is worth.
pub struct Place<'p> {
    pub file: &'p str,
    pub line: usize,
    pub worth: &'p Worth,
}

/// Says on standard error what each test is worth, the best first, and how many others hold.
pub fn print<'p>(tests: impl Iterator<Item = Place<'p>>, others: usize) {
    for test in tests.filter(|test| !test.worth.is_empty()) {
        eprintln!("{}:{}:", test.file, test.line);
        for line in lines(test.worth) {
            eprintln!("  {line}");
        }
    }
    if others > 0 {
        eprintln!(
            "{} {} too and {} not shown: {} nothing to the suite, or there is no room; see --all and --budget",
            count(others, "other test"),
            of_number(others, "holds", "hold"),
            of_number(others, "is", "are"),
            of_number(others, "it adds", "they add"),
        );
    }
}

/// The worth of a test in as many lines as a reader looks at.
pub fn lines(worth: &Worth) -> Vec<String> {
    let mut lines = worth.in_words();
    if lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!("and {}", count(more, "more mutant")));
    }
    lines
}
