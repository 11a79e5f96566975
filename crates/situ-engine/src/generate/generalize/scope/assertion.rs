//! The assertions of a test: what counts as one, and which calls it can be about.

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
    /// A macro that compares with what is stored elsewhere under the test's name.
    Snapshot,
    /// `unwrap`, `expect` and `?`.
    Unwrap,
    /// `panic!` in a branch that is not to be taken.
    Panic,
}

/// An assertion in a test.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// All of it, with its semicolon where it is a statement.
    pub range: Range<usize>,
    /// What kind it is.
    pub kind: Kind,
    /// The step that holds it.
    pub statement: usize,
    /// Whether it is a statement of some block.
    pub is_statement: bool,
    /// What it is about: its arguments, or what is unwrapped.
    pub operands: Vec<Range<usize>>,
    /// Whether the rest of its statement uses what it gives: `let found = assert_ok!(find());`
    pub gives_value: bool,
    /// Whether it is a macro that nobody here knows: it may change what it is given.
    pub is_custom: bool,
    /// The variables that it binds for what follows: `let_assert!(Some(found) = find());`
    pub binds: Vec<String>,
}

impl Assertion {
    /// Is it a claim by itself, which a copy can go without?
    pub(crate) fn is_explicit(&self) -> bool {
        matches!(self.kind, Kind::Macro | Kind::Snapshot) && !self.gives_value
            || self.kind == Kind::Unwrap && self.is_statement
    }
}

/// Whether a method takes out what is inside, or panics.
pub(crate) fn is_unwrap(method: &str) -> bool {
    matches!(method, "unwrap" | "expect" | "unwrap_err" | "expect_err")
}

/// What an expression unwraps, if that is all that it does with it.
pub(crate) fn unwrapped(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::MethodCall(call) if is_unwrap(&call.method.to_string()) => Some(&call.receiver),
        Expr::Try(question) => Some(&question.expr),
        _ => None,
    }
}

/// Whether a macro of this name is one of the standard library or of the crates for assertions, which change nothing.
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

/// Whether an assertion of this name is one of the standard library, which gives nothing.
pub(crate) fn is_of_std(name: &str) -> bool {
    matches!(
        name.strip_prefix("debug_").unwrap_or(name),
        "assert" | "assert_eq" | "assert_ne"
    )
}

/// The variables that an operand binds: `let Some(found) = find()`, or in `let_assert!` the same without `let`.
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

/// What a macro of this name asserts, if it does.
pub(crate) fn kind_of_macro(name: &str) -> Option<Kind> {
    match name {
        "panic" | "unreachable" => Some(Kind::Panic),
        _ if name.contains("snapshot") => Some(Kind::Snapshot),
        "check" | "let_assert" => Some(Kind::Macro),
        _ if name.starts_with("assert") || name.starts_with("debug_assert") => Some(Kind::Macro),
        _ => None,
    }
}

/// Whether an assertion can be one of a candidate with this call: it is made when the call is, or later.
pub(crate) fn can_pair(call: &CallSite, assertion: &Assertion) -> bool {
    match assertion.kind {
        Kind::Snapshot => false,
        Kind::Macro => {
            assertion.statement > call.statement
                || covers(&assertion.range, &call.range)
                || (assertion.statement == call.statement
                    && assertion.range.start >= call.range.end)
        }
        // Most of these are about the set-up: only those that look at what the call gives are claims about it.
        Kind::Unwrap => assertion
            .operands
            .iter()
            .any(|operand| covers(operand, &call.range)),
        Kind::Panic => assertion.statement == call.statement,
    }
}
