//! The scopes of a call in a test: its own block, one iteration of a loop, or a function that it
//! calls.

pub(crate) mod assertion;
pub(crate) mod binders;
pub(crate) mod body;
pub(crate) mod loop_cases;
pub(crate) mod scopes;
pub(crate) mod token_text;
pub(crate) mod walk;

use super::find::test_code::Helper;
use super::slice::lasting_changes::Lasting;
use crate::record::plan::bindings_of;
use body::Body;
use quote::ToTokens as _;
use std::collections::BTreeSet;
use syn::{Expr, ExprClosure, Item, Local, Pat, Stmt, Type};
use token_text::words_in;

/// One step of a scope.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A statement of the source.
    Statement(Stmt),
    /// The binding of a function's parameter to its argument, or of a loop variable to an element.
    Given {
        name: String,
        /// `let name: Type = `
        binding: String,
        /// The argument.
        text: String,
        /// The argument as an expression.
        expression: Box<Expr>,
        /// The type of a parameter, if it is declared.
        of_type: Option<Box<Type>>,
    },
}

impl Step {
    /// Returns the variables that it binds for later steps.
    pub(crate) fn bound(&self) -> Vec<String> {
        match self {
            Step::Statement(Stmt::Local(local)) => bindings_of(&local.pat)
                .into_iter()
                .map(|(name, _)| name)
                .collect(),
            Step::Statement(_) => Vec::new(),
            Step::Given { name, .. } => vec![name.clone()],
        }
    }

    /// Returns whether the initializer reads a variable of this name.
    pub(crate) fn reads(&self, name: &str) -> bool {
        let mentions = |expression: &Expr| {
            words_in(&expression.to_token_stream().to_string())
                .iter()
                .any(|word| word == name)
        };
        match self {
            Step::Statement(Stmt::Local(local)) => {
                local.init.as_ref().is_some_and(|init| mentions(&init.expr))
            }
            Step::Statement(_) => true,
            Step::Given { expression, .. } => mentions(expression),
        }
    }
}

/// The kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The test's own block.
    Own,
    /// The body of a loop, once, after the steps before the loop.
    Loop,
    /// The body of a loop for one element that is written in the test.
    Pass,
    /// The body of a function or closure that the test calls, inlined.
    Helper,
}

/// A run of steps that a copy can be made of.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// What it is.
    pub kind: Kind,
    /// The variables that enclosing loops bind.
    pub names: BTreeSet<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The first step inside the loop or function.
    pub first: usize,
    /// The calls and assertions of the steps.
    pub body: Body,
    /// The effects of the steps that no variable shows.
    pub lasting: Lasting,
}

impl Scope {
    /// Returns whether a step belongs to the scope itself, and not only to what precedes it.
    pub(crate) fn owns(&self, step: usize) -> bool {
        self.kind == Kind::Own || step >= self.first
    }

    /// Returns the closure or function of this name in the scope.
    pub(crate) fn helper_named(&self, name: &str, text: &str) -> Option<Helper> {
        self.steps.iter().rev().find_map(|step| match step {
            Step::Statement(Stmt::Item(Item::Fn(function))) if function.sig.ident == name => {
                Some(Helper::of_function(text, function))
            }
            Step::Statement(statement) => {
                closure_named(statement, name).map(|closure| Helper::of_closure(text, closure))
            }
            Step::Given { .. } => None,
        })
    }

    /// Returns whether the steps differ from those of the test because values were inlined.
    pub(crate) fn is_rewritten(&self) -> bool {
        matches!(self.kind, Kind::Pass | Kind::Helper)
    }

    /// Returns whether a loop or the call of a function binds a name: it is a parameter already.
    pub(crate) fn gives(&self, name: &str) -> bool {
        let is_given =
            |step: &Step| matches!(step, Step::Given { name: given, .. } if given == name);
        self.names.contains(name) || self.steps.iter().any(is_given)
    }

    /// Returns whether a name still refers to the binding of a loop or function when a step begins,
    /// and is not shadowed.
    pub(crate) fn gives_at(&self, name: &str, step: usize) -> bool {
        let binds = |one: &Step| {
            matches!(one, Step::Statement(_)) && one.bound().iter().any(|bound| bound == name)
        };
        self.gives(name) && !self.steps.iter().take(step).skip(self.first).any(binds)
    }

    /// Returns whether statements use variables of a loop, other than these.
    pub(crate) fn depends_on_loop(&self, statements: &[String], given: &[String]) -> bool {
        let mut words = statements.iter().flat_map(|text| words_in(text));
        words.any(|word| self.names.contains(&word) && !given.contains(&word))
    }
}

/// Returns the closure that a statement gives this name.
pub(super) fn closure_named<'s>(statement: &'s Stmt, name: &str) -> Option<&'s ExprClosure> {
    let Stmt::Local(Local {
        pat: Pat::Ident(pattern),
        init: Some(init),
        ..
    }) = statement
    else {
        return None;
    };
    match &*init.expr {
        Expr::Closure(closure) if pattern.ident == name => Some(closure),
        _ => None,
    }
}
