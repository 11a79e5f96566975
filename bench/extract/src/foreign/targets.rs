//! The target statements that have tests: where they stand in the files that these were written into.

use anyhow::{Context as _, Result};
use serde_json::Value;
use situ_engine::cargo::workspace::{Selection, Workspace};
use situ_engine::generate::extract::find::survey::{Survey, survey};
use situ_engine::record::plan::{Site, Wanted, as_watched};
use situ_engine::source::{SourceFile, parse};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The sources of a subject and the target statements in them, by an identity that the insertion of tests does not change.
pub struct Sources(Survey);

/// A file that tests were written into.
pub struct Tested {
    /// Its path in the subject.
    pub path: String,
    /// Its text, with the tests.
    pub text: String,
    /// Its text with blanks where in-situ tests are.
    pub without_tests: String,
    /// The lines that may be mutated: those of the statements, but none with a part of a test.
    pub lines: Vec<usize>,
    /// The statements.
    pub statements: Vec<Statement>,
}

/// A statement with tests.
pub struct Statement {
    /// Its line before any test was written.
    pub line: usize,
    /// Its bytes in the written file.
    pub bytes: Range<usize>,
}

impl Sources {
    /// Are the files other ones now?
    pub fn is_changed(&self, folder: &Path) -> bool {
        let mut files = self.0.files.iter();
        !files.all(|(path, file)| {
            fs::read_to_string(folder.join(path)).is_ok_and(|now| now == file.0)
        })
    }
}

/// Reads the library and the programs of a subject.
pub fn read(folder: &Path) -> Result<Sources> {
    let manifest_path = Some(folder.join("Cargo.toml"));
    let workspace = Workspace::load(&Selection {
        manifest_path,
        ..Selection::default()
    })?;
    Ok(Sources(survey(
        &workspace,
        &Wanted {
            targets: true,
            ..Wanted::default()
        },
    )))
}

/// The files with tests and the statements that these are about, as the summary of an extraction tells them.
pub fn tested(summary: &Value, before: &Sources, after: &Sources) -> Result<Vec<Tested>> {
    let mut with_tests: BTreeMap<(String, usize), usize> = BTreeMap::new();
    for statement in summary["statements"]
        .as_array()
        .context("the summary names no statements")?
    {
        if statement["tests"].as_u64() > Some(0) {
            let file = statement["file"]
                .as_str()
                .context("a statement without a file")?
                .to_owned();
            let line = statement["line"]
                .as_u64()
                .context("a statement without a line")? as usize;
            *with_tests.entry((file, line)).or_default() += 1;
        }
    }
    let mut files: BTreeMap<String, Vec<Statement>> = BTreeMap::new();
    for ((file, line), count) in with_tests {
        let here: Vec<&Site> = before
            .0
            .sites
            .values()
            .filter(|site| site.file == file && site.line == line)
            .collect();
        // The summary names lines only: where not all statements of a line have tests, nobody knows which ones do.
        if here.len() == count {
            let found = here
                .iter()
                .map(|site| after.0.sites.get(&site.id))
                .collect::<Option<Vec<&Site>>>();
            let found =
                found.with_context(|| format!("{file}:{line} is lost in the written file"))?;
            let statements = found.iter().map(|site| Statement {
                line,
                bytes: site.range(),
            });
            files.entry(file).or_default().extend(statements);
        }
    }
    let tested = files.into_iter().map(|(path, statements)| {
        let text = &after
            .0
            .files
            .get(Path::new(&path))
            .with_context(|| format!("{path} is gone"))?
            .0;
        let without_tests = without_tests(text)?;
        let (lines, text) = (lines(text, &without_tests, &statements), text.clone());
        Ok(Tested {
            path,
            text,
            without_tests,
            lines,
            statements,
        })
    });
    tested.collect()
}

/// A file with blanks where in-situ tests are.
fn without_tests(text: &str) -> Result<String> {
    let (tree, path) = (parse(text)?, "src/lib.rs".into());
    let file = SourceFile {
        path,
        module: Vec::new(),
        conditions: Vec::new(),
        text: text.to_owned(),
        tree,
    };
    Ok(as_watched(vec![file]).swap_remove(0).text)
}

/// The numbers of the lines that hold a part of a statement and no part of a test.
fn lines(whole: &str, without_tests: &str, statements: &[Statement]) -> Vec<usize> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (at, (line, watched)) in whole
        .split_inclusive('\n')
        .zip(without_tests.split_inclusive('\n'))
        .enumerate()
    {
        let end = start + line.len();
        let is_of_statement = statements
            .iter()
            .any(|one| one.bytes.start < end && start < one.bytes.end);
        if is_of_statement && line == watched {
            lines.push(at + 1);
        }
        start = end;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_statements_are_mutated_and_tests_in_them_are_not() {
        let whole = "fn f() {\n    let a = g(|| {\n        1;\n        itest!(\n        );\n    });\n    a\n}\n";
        let without_tests = whole
            .replace("itest!(", "       ")
            .replace("        );", "          ");
        let bytes = whole.find("let").unwrap()..whole.find("});").unwrap() + 3;
        let statements = [Statement { line: 2, bytes }];
        assert_eq!(lines(whole, &without_tests, &statements), [2, 3, 6]);
    }
}
