//! The mutants that universalmutator makes of the statements of a file.

use super::Selection;
use super::own::Own;
use super::targets::{Statement, Tested};
use anyhow::{Context as _, Result, ensure};
use proc_macro2::TokenStream;
use situ_engine::base::process;
use situ_engine::source::parse;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file with one statement changed.
pub struct Mutant {
    /// The file.
    pub path: PathBuf,
    /// Its text without the change.
    pub original: String,
    /// Its text with it.
    pub text: String,
    /// The change for people to read.
    pub shown: String,
    /// Does Situ's own engine make it too?
    pub is_own: bool,
}

/// All mutants of a file that are Rust, change a statement and nothing else, and differ in more than blanks and comments.
pub fn make(tested: &Tested, folder: &Path, asked: &Selection) -> Result<Vec<Mutant>> {
    let path = folder.join(&tested.path);
    let mut seen = BTreeSet::from([tokens(&tested.text).context("the written file is no Rust")?]);
    let own = Own::of(tested)?;
    let mut mutants = Vec::new();
    for text in texts(tested, &path, &folder.join("target/foreign"), asked)? {
        let change = changed(&tested.text, &text);
        let Some(statement) = around(&tested.statements, &change) else {
            continue;
        };
        if tokens(&text).is_some_and(|tokens| seen.insert(tokens)) {
            let shown = format!(
                "{}:{}: {}",
                tested.path,
                statement.line,
                shown(&tested.text, &text, &change)
            );
            let is_own = own.has(tested, statement, &text);
            mutants.push(Mutant {
                path: path.clone(),
                original: tested.text.clone(),
                text,
                shown,
                is_own,
            });
        }
    }
    Ok(mutants)
}

/// What universalmutator writes, in its order: line after line.
fn texts(tested: &Tested, path: &Path, scratch: &Path, asked: &Selection) -> Result<Vec<String>> {
    let _ = fs::remove_dir_all(scratch);
    fs::create_dir_all(scratch.join("mutants")).context("making a folder for mutants")?;
    let lines: Vec<String> = tested.lines.iter().map(usize::to_string).collect();
    fs::write(scratch.join("lines"), lines.join("\n")).context("writing the lines to mutate")?;
    let mut command = Command::new(&asked.mutator);
    // It leaves files where it runs, and reads files as the locale says.
    command
        .current_dir(scratch)
        .env("PYTHONUTF8", "1")
        .arg(path);
    command.args([
        "rust",
        "--noCheck",
        "--lines",
        "lines",
        "--mutantDir",
        "mutants",
    ]);
    let finished = process::run(&mut command, Some(asked.limit))?;
    let said = finished.stderr.lines().last().unwrap_or_default();
    ensure!(
        finished.status.success() && !finished.timed_out,
        "universalmutator failed: {said}"
    );
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = (0..).map(|number| scratch.join(format!("mutants/{name}.mutant.{number}.rs")));
    let existing = numbered.take_while(|mutant| mutant.exists());
    let texts: Vec<String> = existing
        .map(|mutant| fs::read_to_string(mutant).context("reading a mutant"))
        .collect::<Result<_>>()?;
    ensure!(
        !texts.is_empty() || lines.is_empty(),
        "universalmutator made nothing of {} lines",
        lines.len()
    );
    Ok(texts)
}

/// At most so many, evenly from all.
pub fn evenly<T>(all: &[T], most: usize) -> Vec<&T> {
    let chosen = most.min(all.len());
    (0..chosen)
        .map(|number| &all[number * all.len() / chosen])
        .collect()
}

/// What the compiler sees of a text, if it is Rust: the same for texts that differ in blanks and comments only.
fn tokens(text: &str) -> Option<String> {
    parse(text).ok()?;
    Some(text.parse::<TokenStream>().ok()?.to_string())
}

/// The bytes of a text that another one has differently.
fn changed(before: &str, after: &str) -> Range<usize> {
    let same = |(one, other): &(u8, u8)| one == other;
    let start = before.bytes().zip(after.bytes()).take_while(same).count();
    let most = before.len().min(after.len()) - start;
    let behind = before
        .bytes()
        .rev()
        .zip(after.bytes().rev())
        .take(most)
        .take_while(same)
        .count();
    start..before.len() - behind
}

/// The smallest statement that has the whole change in it. What is put behind a statement, as a `break`, is not in it.
fn around<'s>(statements: &'s [Statement], change: &Range<usize>) -> Option<&'s Statement> {
    let inside = |one: &&Statement| one.bytes.start <= change.start && change.end <= one.bytes.end;
    statements
        .iter()
        .filter(inside)
        .min_by_key(|one| one.bytes.len())
}

/// The lines of a change, before and after.
fn shown(before: &str, after: &str, change: &Range<usize>) -> String {
    let behind = before.len() - change.end;
    let line = |text: &str, end: usize| {
        let bytes = text.as_bytes();
        let start = bytes[..change.start]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let end = bytes[end..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(bytes.len(), |at| end + at);
        String::from_utf8_lossy(&bytes[start..end])
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    format!(
        "{} → {}",
        line(before, change.end),
        line(after, after.len() - behind)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_spread_over_all() {
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(evenly(&all, 3), [&0, &3, &6]);
        assert_eq!(evenly(&all, 20).len(), 10);
        assert!(evenly(&all, 0).is_empty());
        assert!(evenly(&[0; 0], 5).is_empty());
    }

    #[test]
    fn blanks_and_comments_make_no_mutant() {
        let original = tokens("fn f() { g(1); }");
        assert_eq!(tokens("fn f() {\n    g(1); // once\n}"), original);
        assert_eq!(tokens("fn f() { g(1); /* g(2); */ }"), original);
        assert_ne!(tokens("fn f() { /* g(1); */ }"), original);
        assert_ne!(tokens("fn f() { g(2); }"), original);
        assert_eq!(tokens("fn f() { g(1; }"), None);
    }

    #[test]
    fn a_change_is_where_two_texts_differ() {
        assert_eq!(changed("a + b;", "a - b;"), 2..3);
        assert_eq!(changed("a;\nb;", "a;\nc;\nb;"), 3..3);
        assert_eq!(changed("aab", "ab"), 1..2);
        assert_eq!(changed("ab", "aab"), 1..1);
        assert_eq!(changed("ä", "ö"), 1..2);
    }

    #[test]
    fn only_changes_inside_a_statement_are_of_it() {
        let statements = [
            Statement {
                line: 1,
                bytes: 4..30,
            },
            Statement {
                line: 2,
                bytes: 10..20,
            },
        ];
        let line = |change| around(&statements, &change).map(|statement| statement.line);
        assert_eq!(line(10..20), Some(2));
        assert_eq!(line(10..21), Some(1));
        assert_eq!(line(3..5), None);
        assert_eq!(line(31..31), None);
    }

    #[test]
    fn a_change_is_shown_as_its_lines() {
        let (before, after) = ("f();\n    a + b;\nc", "f();\n    a - b;\nc");
        assert_eq!(
            shown(before, after, &changed(before, after)),
            "a + b; → a - b;"
        );
    }
}
