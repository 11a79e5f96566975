//! What calls give, as Rust that an assertion compares with.

use super::trial_tests::{Home, TrialTest, TrialTests};
use crate::cargo::workspace::Workspace;
use crate::source::parse_part;
use crate::trial::ways;
use anyhow::Result;
use std::collections::BTreeMap;
use syn::Expr;

/// What the failing trial tests write before the number of their call.
const MARK: &str = "situ-observed ";

/// A call of a function, with what it gives.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Which subject.
    pub subject: usize,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The whole expression, where it is not just the function's path with its arguments.
    pub written: Option<String>,
    pub expected: Expected,
}

/// What a call gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// A value, as Rust.
    Value(String),
    /// A panic whose message contains this text.
    Panic(String),
}

impl Expected {
    /// The text that a reader has to take in.
    pub(crate) fn text(&self) -> &str {
        match self {
            Expected::Value(text) | Expected::Panic(text) => text,
        }
    }
}

/// A call that nobody has made yet.
#[derive(Clone, Debug)]
pub(crate) struct OpenCall {
    pub subject: usize,
    pub arguments: Vec<String>,
    /// The call as it is written in the tests of its file.
    pub text: String,
    pub home: Home,
}

/// Makes the calls in a copy of the workspace, and keeps those whose result can be written and compared.
pub(crate) fn observed(workspace: &Workspace, calls: &[OpenCall]) -> Result<Vec<(usize, Call)>> {
    let tests: Vec<TrialTest> = calls
        .iter()
        .enumerate()
        .map(|(at, call)| {
            let body = format!("::std::panic!(\"{MARK}{at} {{:?}}\", {});", call.text);
            TrialTest {
                home: call.home.clone(),
                panic: None,
                body,
            }
        })
        .collect();
    let Some(built) = TrialTests::of(tests).built(workspace, "improve-observe")? else {
        return Ok(Vec::new());
    };
    let folder = workspace.situ_folder().join("improve/runs");
    let mut given: BTreeMap<usize, String> = BTreeMap::new();
    for program in &built.programs {
        // Twice, because what differs between two runs is no oracle.
        let first = read(&ways::output(
            program,
            &folder,
            &[super::trial_tests::NAME],
        )?);
        let second = read(&ways::output(
            program,
            &folder,
            &[super::trial_tests::NAME],
        )?);
        given.extend(
            first
                .into_iter()
                .filter(|(at, text)| second.get(at) == Some(text)),
        );
    }
    let kept = given.into_iter().filter_map(|(at, text)| {
        let open = calls.get(at)?;
        Some((
            at,
            Call {
                subject: open.subject,
                arguments: open.arguments.clone(),
                written: None,
                expected: Expected::Value(expression(&text)?),
            },
        ))
    });
    Ok(kept.collect())
}

fn read(output: &str) -> BTreeMap<usize, String> {
    let marked = output.lines().filter_map(|line| {
        let (number, text) = line.trim().strip_prefix(MARK)?.split_once(' ')?;
        Some((number.parse().ok()?, text.to_owned()))
    });
    marked.collect()
}

/// Characters of a result that a reader takes in.
const MAX_LENGTH: usize = 100;

/// The text of `Debug` as an expression, where it is one that people write.
fn expression(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let parsed: Expr = parse_part(text).ok()?;
    is_written(&parsed).then(|| text.to_owned())
}

fn is_written(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_written(&unary.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_written),
        Expr::Array(array) => !array.elems.is_empty() && array.elems.iter().all(is_written),
        Expr::Path(path) => ["None", "true", "false"]
            .iter()
            .any(|name| path.path.is_ident(name)),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(path) if ["Some", "Ok", "Err"].iter().any(|name| path.path.is_ident(name)))
                && call.args.iter().all(is_written)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_people_write_are_kept() {
        for text in [
            "\"1.0 KB\"",
            "Some(\"a\")",
            "-3",
            "None",
            "(1, true)",
            "[1, 2]",
            "Ok(0.5)",
        ] {
            assert_eq!(expression(text).as_deref(), Some(text));
        }
        for text in ["Size { bytes: 1 }", "NaN", "<opaque>", "[]", "Err(Empty)"] {
            assert_eq!(expression(text), None, "{text}");
        }
        assert_eq!(
            read("---- x stdout ----\nsitu-observed 3 \"a b\"\n")[&3],
            "\"a b\""
        );
    }
}
