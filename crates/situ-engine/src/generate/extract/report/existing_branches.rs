//! The branches that existing in-situ tests cover, from a run in an instrumented copy.

use crate::generate::extract::compile::settle::Copies;
use crate::generate::extract::find::survey::Survey;
use crate::generate::extract::judge::observer_tests::{branches, run_number};
use crate::record::observe::observe;
use crate::record::plan::Wanted;
use crate::source::{Splice, apply, byte_range, parse, tests_in};
use proc_macro2::{Delimiter, TokenTree};
use situ_recorder::observe::PATH_SLOT;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::StmtMacro;
use syn::visit::{self, Visit};

/// The prefix of the tests' names in the copy.
const NAME: &str = "situ_existing_";

/// Branches in the targets of tests that were there before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Existing {
    /// The branches that a test covers.
    pub taken: BTreeSet<u32>,
    /// The branches of which this is unknown, because a test that may cover them cannot report.
    pub unknown: BTreeSet<u32>,
}

/// An existing test, with the branches in its target.
struct Known {
    branches: BTreeSet<u32>,
    can_tell: bool,
}

impl Existing {
    /// Runs the tests of a workspace and collects which of these branches they cover.
    pub(crate) fn of(
        copies: Copies<'_>,
        survey: &Survey,
        open: &BTreeSet<u32>,
        wanted: &Wanted,
        program: &Path,
    ) -> Existing {
        let (mut tests, mut files) = (Vec::new(), Vec::new());
        for (path, file) in survey
            .files
            .iter()
            .filter(|(_, file)| file.0.contains("test!"))
        {
            if let Some(text) = telling(path, &file.0, survey, open, &mut tests) {
                files.push((path.clone(), text));
            }
        }
        let told = if files.is_empty() {
            None
        } else {
            told_by(copies, &files, wanted, program)
        };
        let mut existing = Existing::default();
        for (number, test) in tests.iter().enumerate() {
            match told
                .as_ref()
                .and_then(|told| told.get(&number))
                .filter(|_| test.can_tell)
            {
                Some(taken) => existing.taken.extend(taken.intersection(&test.branches)),
                None => existing.unknown.extend(&test.branches),
            }
        }
        existing.unknown = existing
            .unknown
            .difference(&existing.taken)
            .copied()
            .collect();
        existing
    }
}

/// Returns the branches that each test covers, by number; empty if the copy cannot be built.
fn told_by(
    copies: Copies<'_>,
    files: &[(PathBuf, String)],
    wanted: &Wanted,
    program: &Path,
) -> Option<BTreeMap<usize, BTreeSet<u32>>> {
    let mirror = copies.workspace.mirror("extract", files).ok()?;
    let observations = observe(&mirror, wanted, program, NAME, 1).ok()??;
    let number = |test: &str| test.rsplit_once(NAME)?.1.parse::<usize>().ok();
    let passed = observations
        .passed
        .iter()
        .filter_map(|(test, _)| number(test));
    let told = passed.filter_map(|number| {
        let seen = observations
            .seen
            .get(&run_number(number, 0))?
            .get(&PATH_SLOT)?;
        Some((number, branches(seen)?))
    });
    Some(told.collect())
}

/// Returns a source whose tests report their branches, if any of them can and one of these branches
/// is in its target.
fn telling(
    path: &Path,
    text: &str,
    survey: &Survey,
    open: &BTreeSet<u32>,
    tests: &mut Vec<Known>,
) -> Option<String> {
    let calls = calls(text);
    let mut splices = Vec::new();
    for test in tests_in(text) {
        let file = path.to_string_lossy();
        let branches = survey.branches_between(&file, test.bytes.0..test.bytes.1);
        if branches.is_disjoint(open) {
            continue;
        }
        let call = calls.iter().find(|call| {
            test.own_bytes.0 <= call.inside.start && call.inside.end <= test.own_bytes.1
        });
        let can_tell = call.is_some_and(|call| call.can_tell);
        if let Some(call) = call.filter(|call| call.can_tell) {
            splices.extend(call.splices(text, tests.len()));
        }
        tests.push(Known { branches, can_tell });
    }
    (!splices.is_empty()).then(|| apply(text, &splices))
}

/// A call of a test macro.
struct Call {
    /// The range between its delimiters.
    inside: Range<usize>,
    /// Its name as it is written.
    name: Option<Range<usize>>,
    /// Whether it can report after its run: not after a panic.
    can_tell: bool,
}

impl Call {
    /// Returns the edits that name the test and make it report its branches.
    fn splices(&self, text: &str, number: usize) -> [Splice; 2] {
        let name = format!("\"{NAME}{number}\", ignore(\"it tells\")");
        let start = self.inside.start;
        let head = match &self.name {
            Some(range) => Splice {
                range: range.clone(),
                text: name,
            },
            None => Splice {
                range: start..start,
                text: format!("{name}, "),
            },
        };
        let run = run_number(number, 0);
        let comma = if text[self.inside.clone()].trim_end().ends_with(',') {
            ""
        } else {
            ","
        };
        let tell = format!(
            "{comma} setup({{ ::situ_recorder::observe::begin(); }}), check(match &::situ_recorder::observe::taken() {{ situ_seen => \
             ::situ_recorder::observed!({run}u64, {PATH_SLOT}, situ_seen) }})"
        );
        [
            head,
            Splice {
                range: self.inside.end..self.inside.end,
                text: tell,
            },
        ]
    }
}

/// Returns the calls of test macros in a text.
fn calls(text: &str) -> Vec<Call> {
    struct Calls(Vec<Call>);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_stmt_macro(&mut self, call: &'ast StmtMacro) {
            let macro_name = call
                .mac
                .path
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default();
            if matches!(macro_name.as_str(), "itest" | "blocktest" | "closuretest") {
                let span = call.mac.delimiter.span();
                let inside = byte_range(&span.open()).end..byte_range(&span.close()).start;
                let tokens: Vec<TokenTree> = call.mac.tokens.clone().into_iter().collect();
                let name = match tokens.first() {
                    Some(TokenTree::Literal(name)) => Some(byte_range(name)),
                    _ => None,
                };
                self.0.push(Call {
                    inside,
                    name,
                    can_tell: can_tell(&tokens),
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

fn can_tell(tokens: &[TokenTree]) -> bool {
    let is_call = |at: usize| matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    let mut clauses = tokens.iter().enumerate().filter(|(at, _)| is_call(*at));
    !clauses.any(|(_, clause)| {
        matches!(clause, TokenTree::Ident(name) if ["check_panic", "ignore", "repeat"].iter().any(|other| name == other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let calls = calls(text);
        let told = calls.iter().enumerate().filter(|(_, call)| call.can_tell);
        told.map(|(number, call)| apply(text, &call.splices(text, number)))
            .collect()
    }

    #[test]
    fn tests_get_a_number_and_tell_behind_their_own_clauses() {
        let [named] = &told("fn f() { itest!(\"a\", given(x = 1), check_eq(y, 2),); y }")[..]
        else {
            panic!()
        };
        assert!(named.contains(
            "itest!(\"situ_existing_0\", ignore(\"it tells\"), given(x = 1), check_eq(y, 2), setup("
        ));
        let [unnamed] = &told("fn f() { blocktest! { given(x = 1), check_value(2) } y }")[..]
        else {
            panic!()
        };
        assert!(
            unnamed.contains(
                "{\"situ_existing_0\", ignore(\"it tells\"),  given(x = 1), check_value(2) , setup("
            ),
            "{unnamed}"
        );
        assert!(parse(named).is_ok() && parse(unnamed).is_ok());
    }

    #[test]
    fn what_panics_or_is_not_run_tells_nothing() {
        assert!(
            told(
                "fn f() { itest!(check_panic(\"x\")); itest!(ignore(\"slow\"), check_eq(y, 2)); }"
            )
            .is_empty()
        );
    }
}
