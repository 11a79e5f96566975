//! In-situ tests that fail because their statement has changed, removed before new ones are
//! generated.

use super::find::survey::{Survey, survey};
use crate::base::diagnostics::Diagnostic;
use crate::base::user_error;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, FileChange};
use crate::programs::harness::Outcome;
use crate::record::plan::Wanted;
use crate::source::{Splice, apply, byte_range, parse, tests_in};
use crate::trial::compile::{self, Build};
use crate::trial::ways::run;
use anyhow::Result;
use serde::Serialize;
use situ_syntax::{Kind, is_observed, kind_of_macro};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::StmtMacro;
use syn::visit::{self, Visit};

/// The maximum number of rounds of errors, more than the statements of a crate that change at once.
const MAX_ROUNDS: usize = 30;

/// The code that disables a test in a copy. It stands on the test's own line in a way that rustfmt
/// would change, so that the file is not formatted and can be restored byte for byte.
const SWITCHED_OFF: &str = "#[cfg(all( any(),any() ))] ";

/// The workspace without failing generated tests.
#[derive(Default)]
pub struct Outdated {
    /// The workspace without them, if there were any.
    pub rest: Option<Workspace>,
    /// The number of removed tests.
    pub tests: usize,
    /// Failing tests that people wrote or edited: they stay.
    pub failing: Vec<FailingTest>,
    /// The functions whose tests were taken out, each with its file.
    functions: BTreeSet<(PathBuf, String)>,
    /// The changed files, with the user's source and the one without the removed tests.
    files: BTreeMap<PathBuf, (String, String)>,
}

/// A failing test that somebody wrote or edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailingTest {
    /// Its name.
    pub name: String,
    /// The file, from the workspace's root.
    pub file: PathBuf,
    /// Where it stands there.
    pub line: usize,
}

impl fmt::Debug for Outdated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Outdated")
            .field("tests", &self.tests)
            .field("failing", &self.failing)
            .finish_non_exhaustive()
    }
}

impl Outdated {
    /// Whether a test of this function was taken out.
    pub(super) fn is_replaced(&self, file: &str, function: &str) -> bool {
        self.functions
            .iter()
            .any(|(path, name)| path == Path::new(file) && name == function)
    }

    /// Converts changes of the workspace without these tests into changes of the user's files.
    pub fn add_to(&self, changes: &mut ChangeSet) {
        for (path, (before, left)) in &self.files {
            match changes.files.iter_mut().find(|file| file.path == *path) {
                Some(file) => {
                    file.before.clone_from(before);
                    file.after = switched_on(&file.after);
                }
                None => changes.files.push(FileChange {
                    path: path.clone(),
                    before: before.clone(),
                    after: switched_on(left),
                    is_new: false,
                }),
            }
        }
        changes
            .files
            .retain(|file| file.is_new || file.before != file.after);
    }

    /// Removes tests from a file, and disables failing ones that stay.
    fn change(&mut self, path: PathBuf, text: &str, wrong: &WrongTests) {
        let (before, left) = self
            .files
            .entry(path.clone())
            .or_insert_with(|| (text.to_owned(), String::new()));
        self.tests += wrong.observed.len();
        *left = without(text, wrong);
        let specified = |text: &str| {
            calls(text)
                .into_iter()
                .filter(|call| !call.is_observed)
                .map(|call| call.range)
        };
        for (range, name) in &wrong.specified {
            // Its number stays the same; its line does not.
            let number = specified(text).position(|own| own == *range).unwrap_or(0);
            let line = specified(before)
                .nth(number)
                .map_or(1, |own| line_of(before, own.start));
            self.failing.push(FailingTest {
                name: name.clone(),
                file: path.clone(),
                line,
            });
        }
    }
}

fn switched_on(text: &str) -> String {
    text.replace(SWITCHED_OFF, "")
}

/// Removes tests that do not compile or fail, if they were generated and have not been edited.
pub(super) fn take_out(workspace: &Workspace, step: &dyn Fn(&str)) -> Result<Outdated> {
    let mut outdated = Outdated::default();
    let mut current = workspace.mirror("update", &[])?;
    for _ in 0..MAX_ROUNDS {
        step("looking for tests that do not hold any more");
        let wrong = wrong_tests(&current)?;
        if wrong.is_empty() {
            outdated.rest = (!outdated.files.is_empty()).then_some(current);
            return Ok(outdated);
        }
        let sources = survey(&current, &Wanted::default());
        for (path, wrong) in wrong {
            let text = &sources.files[&path].0;
            let functions = wrong
                .observed
                .iter()
                .filter_map(|(start, _)| nearest_function(&sources, &path, *start));
            outdated
                .functions
                .extend(functions.map(|function| (path.clone(), function)));
            outdated.change(path, text, &wrong);
        }
        let files: Vec<(PathBuf, String)> = outdated
            .files
            .iter()
            .map(|(path, (_, left))| (path.clone(), left.clone()))
            .collect();
        current = workspace.mirror("update", &files)?;
    }
    Err(user_error::user_code(
        "the in-situ tests do not compile, and it cannot be told which of them are at fault",
    ))
}

/// The tests of a file that do not compile or fail.
#[derive(Debug, Default)]
struct WrongTests {
    /// The byte ranges of the generated ones.
    observed: BTreeSet<(usize, usize)>,
    /// The byte ranges and names of those that somebody wrote or edited.
    specified: Vec<(Range<usize>, String)>,
}

/// Returns the tests that do not compile, or if all do, those that fail, by file.
fn wrong_tests(workspace: &Workspace) -> Result<BTreeMap<PathBuf, WrongTests>> {
    let sources = survey(workspace, &Wanted::default());
    let Build {
        errors, programs, ..
    } = compile::build(workspace)?;
    let mut wrong: BTreeMap<PathBuf, WrongTests> = BTreeMap::new();
    for error in &errors {
        if let Some((path, range)) = nearest_test(error, &sources) {
            wrong
                .entry(path)
                .or_default()
                .observed
                .insert((range.start, range.end));
        }
    }
    if !errors.is_empty() {
        let first = || {
            errors
                .iter()
                .find_map(|error| error.rendered.clone())
                .unwrap_or_default()
        };
        return if wrong.is_empty() {
            Err(user_error::user_code(first()))
        } else {
            Ok(wrong)
        };
    }
    let folder = workspace.situ_folder().join("runs");
    let mut failed: BTreeSet<String> = BTreeSet::new();
    for program in &programs {
        let ended = run(program, &folder, &["situ_"])?;
        failed.extend(
            ended
                .into_iter()
                .filter(|(_, outcome, _)| *outcome == Outcome::Failed)
                .map(|(name, ..)| name),
        );
    }
    for (path, file) in sources.files.iter().filter(|_| !failed.is_empty()) {
        for test in tests_in(&file.0) {
            let own = format!("{}::{}", test.module, test.name);
            let name = failed
                .iter()
                .find(|name| **name == own || name.ends_with(&format!("::{own}")));
            let Some(name) = name else { continue };
            let wrong = wrong.entry(path.clone()).or_default();
            if test.is_observed {
                wrong.observed.insert(test.own_bytes);
            } else {
                wrong
                    .specified
                    .push((test.own_bytes.0..test.own_bytes.1, name.clone()));
            }
        }
    }
    Ok(wrong)
}

/// The function of the statement that stands nearest to a byte.
fn nearest_function(sources: &Survey, path: &Path, at: usize) -> Option<String> {
    let own = sources
        .sites
        .values()
        .filter(|site| Path::new(&site.file) == path);
    let distance = |range: &Range<usize>| range.start.abs_diff(at).min(range.end.abs_diff(at));
    own.min_by_key(|site| distance(&site.range()))
        .map(|site| site.function.clone())
}

/// Returns the generated test that contains an error, or the nearest one in its file. Returns
/// `None` if the error is in a test that somebody wrote.
fn nearest_test(error: &Diagnostic, sources: &Survey) -> Option<(PathBuf, Range<usize>)> {
    let span = error.spans.iter().find(|span| span.is_primary)?;
    let (path, file) = sources
        .files
        .iter()
        .find(|(path, _)| Path::new(&span.file_name).ends_with(path))?;
    let tests = calls(&file.0);
    if tests
        .iter()
        .any(|call| !call.is_observed && call.range.contains(&span.byte_start))
    {
        return None;
    }
    let distance = |range: &Range<usize>| {
        if range.contains(&span.byte_start) {
            0
        } else {
            range.start.abs_diff(span.byte_start)
        }
    };
    let observed = tests
        .into_iter()
        .filter(|call| call.is_observed)
        .map(|call| call.range);
    observed
        .min_by_key(distance)
        .map(|range| (path.clone(), range))
}

/// A test of a file.
struct Call {
    range: Range<usize>,
    is_observed: bool,
}

/// Returns the tests of a file.
fn calls(text: &str) -> Vec<Call> {
    struct Calls(Vec<Call>);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_stmt_macro(&mut self, call: &'ast StmtMacro) {
            if kind_of_macro(&call.mac).is_some_and(|kind| kind != Kind::End) {
                self.0.push(Call {
                    range: byte_range(call),
                    is_observed: is_observed(&call.mac.tokens),
                });
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

/// Returns a source without generated tests and the lines that they leave empty; tests that stay
/// are disabled.
fn without(text: &str, wrong: &WrongTests) -> String {
    let taken_out = wrong.observed.iter().map(|(start, end)| {
        let line_start = text[..*start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[*end..]
            .find('\n')
            .map_or(text.len(), |newline| end + newline + 1);
        let is_first = text[line_start..*start].trim().is_empty();
        let is_last = text[*end..line_end].trim().is_empty();
        let range = match (is_first, is_last) {
            (true, true) => line_start..line_end,
            // No white space at the end of the line.
            (false, true) => text[..*start].trim_end_matches([' ', '\t']).len()..*end,
            _ => {
                *start
                    ..end
                        + (text[*end..].len() - text[*end..].trim_start_matches([' ', '\t']).len())
            }
        };
        Splice {
            range,
            text: String::new(),
        }
    });
    let stay = wrong.specified.iter().map(|(range, _)| Splice {
        range: range.start..range.start,
        text: SWITCHED_OFF.to_owned(),
    });
    apply(text, &taken_out.chain(stay).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::marked;

    fn ranges(text: &str) -> BTreeSet<(usize, usize)> {
        calls(text)
            .into_iter()
            .map(|call| (call.range.start, call.range.end))
            .collect()
    }

    #[test]
    fn tests_leave_no_empty_lines_and_no_spaces_behind() {
        let text = "fn f() {\n    let x = 1;\n    itest!(check_eq(x, 2));\n    g(); itest!(check_runs());\n    \
                    itest!(check_eq(x, 2)); h();\n}\n";
        let wrong = WrongTests {
            observed: ranges(text),
            specified: Vec::new(),
        };
        assert_eq!(
            without(text, &wrong),
            "fn f() {\n    let x = 1;\n    g();\n    h();\n}\n"
        );
    }

    #[test]
    fn what_somebody_wrote_stays_and_is_told_of_with_its_own_line() {
        let generated = marked("itest!(check_eq(x, 2));");
        let text = format!(
            "fn f() {{\n    let x = 1;\n    {generated}\n    itest!(\n        check_eq(x, 3),\n    );\n}}\n"
        );
        let [first, second] = ranges(&text).into_iter().collect::<Vec<_>>()[..] else {
            panic!("two tests")
        };
        let mut outdated = Outdated::default();
        let one = WrongTests {
            observed: BTreeSet::from([first]),
            specified: Vec::new(),
        };
        outdated.change("src/lib.rs".into(), &text, &one);
        let left = outdated.files[Path::new("src/lib.rs")].1.clone();
        let moved = calls(&left)[0].range.clone();
        assert_eq!(moved.len(), second.1 - second.0);
        let other = WrongTests {
            observed: BTreeSet::new(),
            specified: vec![(moved, "situ_f::x_3".to_owned())],
        };
        outdated.change("src/lib.rs".into(), &left, &other);
        assert_eq!(
            outdated.failing,
            [FailingTest {
                name: "situ_f::x_3".to_owned(),
                file: "src/lib.rs".into(),
                line: 4
            }]
        );
        let mut changes = ChangeSet::default();
        outdated.add_to(&mut changes);
        assert_eq!(changes.files[0].before, text);
        assert_eq!(
            changes.files[0].after,
            text.replace(&format!("    {generated}\n"), "")
        );
        assert_eq!(outdated.tests, 1);
    }

    #[test]
    fn nothing_changes_where_only_tests_fail_that_somebody_wrote() {
        let text = "fn f() {\n    let x = 1;\n    itest!(check_eq(x, 3));\n}\n";
        let own = calls(text)[0].range.clone();
        let mut outdated = Outdated::default();
        let wrong = WrongTests {
            observed: BTreeSet::new(),
            specified: vec![(own, "situ_f::x_3".to_owned())],
        };
        outdated.change("src/lib.rs".into(), text, &wrong);
        assert_ne!(outdated.files[Path::new("src/lib.rs")].1, text);
        let mut changes = ChangeSet::default();
        outdated.add_to(&mut changes);
        assert_eq!(changes, ChangeSet::default());
    }
}
