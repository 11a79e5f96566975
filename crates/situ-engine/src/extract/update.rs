//! In-situ tests that do not hold any more, because their statement has changed: they are taken out before new ones are made.

use super::survey::{Survey, survey};
use crate::diagnostics::Diagnostic;
use crate::edit::{ChangeSet, FileChange};
use crate::fault;
use crate::mutate::suite::Outcome;
use crate::record::plan::Wanted;
use crate::source::{Splice, apply, byte_range, parse, tests_in};
use crate::trial::compile::{self, Build};
use crate::trial::ways::run;
use crate::workspace::Workspace;
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::StmtMacro;
use syn::visit::{self, Visit};

/// More rounds of errors than a crate has statements that changed at once.
const MOST_ROUNDS: usize = 30;

/// What is left when tests that do not hold are taken out.
#[derive(Default)]
pub struct Outdated {
    /// The workspace without them, where there were any.
    pub rest: Option<Workspace>,
    /// How many were taken out.
    pub tests: usize,
    /// The files that changed, with the user's text and the one that is left.
    files: BTreeMap<PathBuf, (String, String)>,
}

impl Outdated {
    /// Makes changes of the workspace that is left changes of the user's.
    pub fn add_to(&self, changes: &mut ChangeSet) {
        for (path, (before, left)) in &self.files {
            match changes.files.iter_mut().find(|file| file.path == *path) {
                Some(file) => file.before.clone_from(before),
                None => {
                    changes.files.push(FileChange {
                        path: path.clone(),
                        before: before.clone(),
                        after: left.clone(),
                        is_new: false,
                    });
                }
            }
        }
    }
}

/// Takes out what does not compile or does not pass.
pub fn take_out(workspace: &Workspace, step: &dyn Fn(&str)) -> Result<Outdated> {
    let mut outdated = Outdated::default();
    let mut current = workspace.mirror("update", &[])?;
    for _ in 0..MOST_ROUNDS {
        step("looking for tests that do not hold any more");
        let wrong = wrong_tests(&current)?;
        if wrong.is_empty() {
            outdated.rest = (outdated.tests > 0).then_some(current);
            return Ok(outdated);
        }
        let sources = survey(&current, &Wanted::default());
        for (path, ranges) in wrong {
            let text = &sources.files[&path].0;
            outdated.tests += ranges.len();
            let left = without(text, &ranges);
            outdated.files.entry(path).or_insert_with(|| (text.clone(), String::new())).1 = left;
        }
        let files: Vec<(PathBuf, String)> =
            outdated.files.iter().map(|(path, (_, left))| (path.clone(), left.clone())).collect();
        current = workspace.mirror("update", &files)?;
    }
    Err(fault::user_code("the in-situ tests do not compile, and it cannot be told which of them are at fault"))
}

/// The tests that do not compile, or else those that do not pass: file → their bytes.
fn wrong_tests(workspace: &Workspace) -> Result<BTreeMap<PathBuf, BTreeSet<(usize, usize)>>> {
    let sources = survey(workspace, &Wanted::default());
    let Build { errors, programs, .. } = compile::build(workspace)?;
    let mut wrong: BTreeMap<PathBuf, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for error in &errors {
        if let Some((path, range)) = nearest_test(error, &sources) {
            wrong.entry(path).or_default().insert((range.start, range.end));
        }
    }
    if !errors.is_empty() {
        let first = || errors.iter().find_map(|error| error.rendered.clone()).unwrap_or_default();
        return if wrong.is_empty() { Err(fault::user_code(first())) } else { Ok(wrong) };
    }
    let folder = workspace.situ_folder().join("runs");
    let mut failed: BTreeSet<String> = BTreeSet::new();
    for program in &programs {
        let ended = run(program, &folder, &["situ_"], &|_| {})?;
        failed.extend(ended.into_iter().filter(|(_, outcome, _)| *outcome == Outcome::Failed).map(|(name, ..)| name));
    }
    for (path, file) in sources.files.iter().filter(|_| !failed.is_empty()) {
        let tests = calls(&file.0);
        for test in tests_in(&file.0) {
            let own = format!("{}::{}", test.module, test.name);
            let is_failed = failed.iter().any(|name| *name == own || name.ends_with(&format!("::{own}")));
            let range = tests.iter().find(|range| line_of(&file.0, range.start) == test.line);
            if let (true, Some(range)) = (is_failed, range) {
                wrong.entry(path.clone()).or_default().insert((range.start, range.end));
            }
        }
    }
    Ok(wrong)
}

/// The test in the file of an error that stands nearest to it.
fn nearest_test(error: &Diagnostic, sources: &Survey) -> Option<(PathBuf, Range<usize>)> {
    let span = error.spans.iter().find(|span| span.is_primary)?;
    let (path, file) = sources.files.iter().find(|(path, _)| Path::new(&span.file_name).ends_with(path))?;
    let distance = |range: &Range<usize>| {
        if range.contains(&span.byte_start) { 0 } else { range.start.abs_diff(span.byte_start) }
    };
    calls(&file.0).into_iter().min_by_key(distance).map(|range| (path.clone(), range))
}

/// The bytes of the tests of a file.
fn calls(text: &str) -> Vec<Range<usize>> {
    struct Calls(Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_stmt_macro(&mut self, call: &'ast StmtMacro) {
            let name = call.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            if matches!(name.as_str(), "itest" | "blocktest" | "closuretest") {
                self.0.push(byte_range(call));
            }
            visit::visit_stmt_macro(self, call);
        }
    }
    let mut calls = Calls(Vec::new());
    if let Ok(file) = parse(text) {
        calls.visit_file(&file);
    }
    calls.0
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// A text without these bytes, and without the lines that they leave empty.
fn without(text: &str, ranges: &BTreeSet<(usize, usize)>) -> String {
    let splices = ranges.iter().map(|(start, end)| {
        let line_start = text[..*start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[*end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
        let is_alone = text[line_start..*start].trim().is_empty() && text[*end..line_end].trim().is_empty();
        let range = if is_alone { line_start..line_end } else { *start..*end };
        Splice { range, text: String::new() }
    });
    apply(text, &splices.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_leave_no_empty_lines_behind() {
        let text = "fn f() {\n    let x = 1;\n    itest!(check_eq(x, 2));\n    g(); itest!(check_runs());\n}\n";
        let ranges = calls(text).into_iter().map(|range| (range.start, range.end)).collect();
        assert_eq!(without(text, &ranges), "fn f() {\n    let x = 1;\n    g(); \n}\n");
    }
}
