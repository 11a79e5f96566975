//! The assertions of a test: what counts as one, and which calls it can check.

use super::body::CallSite;
use super::token_text::words_in;
use crate::generate::generalize::slice::covers;
use crate::record::plan::bindings_of;
use quote::ToTokens as _;
use std::ops::Range;
use syn::Expr;

/// What kind of assertion it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A macro that asserts.
    Macro,
    /// A macro that compares with a value stored under the test's name.
    Snapshot,
    /// `unwrap`, `expect` and `?`.
    Unwrap,
    /// `panic!` in a branch that must not be taken.
    Panic,
}

/// An assertion of a test.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// Its byte range, with its semicolon if it is a statement.
    pub range: Range<usize>,
    /// What kind it is.
    pub kind: Kind,
    /// The step that contains it.
    pub statement: usize,
    /// Whether it is a statement of some block.
    pub is_statement: bool,
    /// Its operands: the arguments, or what is unwrapped.
    pub operands: Vec<Range<usize>>,
    /// Whether the rest of its statement uses its value: `let found = assert_ok!(find());`
    pub gives_value: bool,
    /// Whether it is an unknown macro, which may change its arguments.
    pub is_custom: bool,
    /// The variables that it binds for what follows: `let_assert!(Some(found) = find());`
    pub binds: Vec<String>,
}

impl Assertion {
    /// Returns whether it is an explicit assertion, which a copy can omit.
    pub(crate) fn is_explicit(&self) -> bool {
        matches!(self.kind, Kind::Macro | Kind::Snapshot) && !self.gives_value
            || self.kind == Kind::Unwrap && self.is_statement
    }
}

/// Returns whether a method unwraps its receiver or panics.
pub(crate) fn is_unwrap(method: &str) -> bool {
    matches!(method, "unwrap" | "expect" | "unwrap_err" | "expect_err")
}

/// Returns what an expression unwraps, if it does nothing else.
pub(crate) fn unwrapped(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::MethodCall(call) if is_unwrap(&call.method.to_string()) => Some(&call.receiver),
        Expr::Try(question) => Some(&question.expr),
        _ => None,
    }
}

/// Returns whether a macro belongs to the standard library or to a known assertion crate, so that
/// it changes nothing.
pub(crate) fn is_known(name: &str) -> bool {
    let said = name
        .trim_start_matches("debug_")
        .trim_start_matches("assert_");
    let stem = said.trim_end_matches("_eq").trim_end_matches("_matches");
    is_of_std(name)
        || matches!(
            stem,
            "ok" | "err"
                | "some"
                | "none"
                | "matches"
                | "ready"
                | "pending"
                | "str"
                | "lt"
                | "le"
                | "gt"
                | "ge"
        )
        || matches!(name, "check" | "let_assert" | "panic" | "unreachable")
}

/// Returns whether an assertion belongs to the standard library, so that it has no value.
pub(crate) fn is_of_std(name: &str) -> bool {
    matches!(
        name.strip_prefix("debug_").unwrap_or(name),
        "assert" | "assert_eq" | "assert_ne"
    )
}

/// Returns the variables that an operand binds: `let Some(found) = find()`, or in `let_assert!` the
/// same without `let`.
pub(crate) fn bound_by(operand: &Expr) -> Vec<String> {
    match operand {
        Expr::Let(binding) => bindings_of(&binding.pat)
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
        Expr::Assign(assign) => {
            let words = words_in(&assign.left.to_token_stream().to_string());
            words
                .into_iter()
                .filter(|word| word.starts_with(char::is_lowercase))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the kind of assertion of a macro, if it is one.
pub(crate) fn kind_of_macro(name: &str) -> Option<Kind> {
    match name {
        "panic" | "unreachable" => Some(Kind::Panic),
        _ if name.contains("snapshot") => Some(Kind::Snapshot),
        "check" | "let_assert" => Some(Kind::Macro),
        _ if name.starts_with("assert") || name.starts_with("debug_assert") => Some(Kind::Macro),
        _ => None,
    }
}

/// Returns whether an assertion can form a candidate with this call: it is checked together with
/// the call, or later.
pub(crate) fn can_pair(call: &CallSite, assertion: &Assertion) -> bool {
    match assertion.kind {
        Kind::Snapshot => false,
        Kind::Macro => {
            assertion.statement > call.statement
                || covers(&assertion.range, &call.range)
                || (assertion.statement == call.statement
                    && assertion.range.start >= call.range.end)
        }
        // Most of these belong to the set-up: only those on the result of the call are claims about
        // it.
        Kind::Unwrap => assertion
            .operands
            .iter()
            .any(|operand| covers(operand, &call.range)),
        Kind::Panic => assertion.statement == call.statement,
    }
}
