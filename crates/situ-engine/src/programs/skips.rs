//! Tests that an assumption has ended. Test runners count them as passed, so the tests themselves
//! write a note.

use super::workspace_programs::ProgramTest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Environment variable with the file that tests write to.
const FILE: &str = "SITU_SKIPPED";

/// File in which the tests of one command note that they were skipped.
pub(crate) struct Skips {
    file: PathBuf,
}

/// Note of a test that it was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// Name of the thread that ran the test: the test's name, or `main` if tests run one after the
    /// other.
    thread: String,
    /// File and line of the test or of its assumption.
    file: PathBuf,
    line: usize,
    /// Reason for the skip.
    pub why: String,
}

impl Skips {
    /// Makes the tests of a command write to a new file in this folder.
    pub(crate) fn of(command: &mut Command, folder: &Path) -> Skips {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let file = folder.join(format!("skipped-{}-{number}", std::process::id()));
        // If the folder cannot be created, tests write no notes.
        let _ = fs::create_dir_all(folder);
        let _ = fs::remove_file(&file);
        command.env(FILE, &file);
        Skips { file }
    }

    /// Returns all notes.
    pub(crate) fn read(&self) -> Vec<Note> {
        let text = fs::read(&self.file).unwrap_or_default();
        String::from_utf8_lossy(&text)
            .lines()
            .filter_map(Note::parse)
            .collect()
    }
}

impl Drop for Skips {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

impl Note {
    fn parse(line: &str) -> Option<Note> {
        let mut fields = line.splitn(4, '\t');
        let mut next = || fields.next().map(str::to_owned);
        Some(Note {
            thread: next()?,
            file: next()?.into(),
            line: next()?.parse().ok()?,
            why: next()?,
        })
    }

    /// Returns whether this test wrote the note.
    pub(crate) fn is_of(&self, test: &ProgramTest) -> bool {
        let Some(listed) = &test.listed else {
            return self.thread == test.name;
        };
        let lines = listed.first_line.min(listed.line)..=listed.last_line.max(listed.end_line);
        let is_here = self.file.ends_with(&listed.file) || listed.file.ends_with(&self.file);
        let is_named = self.thread == test.name;
        // An in-situ test notes its own line, because other tests may be within its range.
        let is_own_line = if test.kind.is_in_situ() {
            listed.line == self.line
        } else {
            lines.contains(&self.line)
        };
        is_here && (is_named || self.thread == "main" && is_own_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::catalog::{Kind, Listed};

    fn test(name: &str, kind: Kind, line: usize, target: (usize, usize)) -> ProgramTest {
        let listed = Listed {
            name: name.to_owned(),
            kind,
            package: "p".to_owned(),
            target: "lib p".to_owned(),
            file: "member/src/lib.rs".into(),
            line,
            end_line: line + 1,
            first_line: target.0,
            last_line: target.1,
            tags: Vec::new(),
            observed: false,
        };
        ProgramTest {
            name: name.to_owned(),
            kind,
            listed: Some(listed),
        }
    }

    #[test]
    fn a_note_is_known_by_the_name_of_the_thread_or_by_its_line() {
        let inline = |name: &str, line: usize| {
            test(name, Kind::InSitu(situ_syntax::Kind::Inline), line, (3, 3))
        };
        let unit = test("tests::unit", Kind::Unit, 10, (9, 14));
        let note = |thread: &str, line: usize| {
            Note::parse(&format!(
                "{thread}\tmember/src/lib.rs\t{line}\tassume(x > 0) is false"
            ))
            .unwrap()
        };
        assert!(note("situ_f::a", 4).is_of(&inline("situ_f::a", 4)));
        assert!(!note("situ_f::a", 4).is_of(&inline("situ_f::b", 5)));
        assert!(
            note("main", 5).is_of(&inline("situ_f::b", 5))
                && !note("main", 4).is_of(&inline("situ_f::b", 5))
        );
        assert!(
            note("main", 12).is_of(&unit)
                && note("tests::unit", 12).is_of(&unit)
                && !note("main", 15).is_of(&unit)
        );
        assert_eq!(note("main", 1).why, "assume(x > 0) is false");
        assert_eq!(Note::parse("nonsense"), None);
    }
}
