//! Where in a test a call stands: in its own block, in a pass of a loop, or in a function that it calls.

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

/// One thing that happens in a scope.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A statement of the source.
    Statement(Stmt),
    /// A parameter of a function gets the argument that the test gives it, or a variable of a loop one of its elements.
    Given {
        /// Its name.
        name: String,
        /// `let name: Type = `
        binding: String,
        /// The argument.
        text: String,
        /// The same as an expression.
        expression: Box<Expr>,
        /// The type of a parameter, where it is said.
        of_type: Option<Box<Type>>,
    },
}

impl Step {
    /// The variables that it binds for what follows.
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

    /// Whether what it binds is made from a variable of this name.
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

/// What a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The test's own block.
    Own,
    /// The body of a loop, once, behind what stands before the loop.
    Loop,
    /// The same for one element that is written there: what the loop gives is known.
    Pass,
    /// The body of a function or closure that the test calls, in the place of the call.
    Helper,
}

/// A run of steps that a copy can be made of.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// What it is.
    pub kind: Kind,
    /// What loops around it give in each pass.
    pub names: BTreeSet<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The first step that belongs to the loop or function.
    pub first: usize,
    /// What they do.
    pub body: Body,
    /// What of them leaves a change that no variable shows.
    pub lasting: Lasting,
}

impl Scope {
    /// Whether a call belongs to it, and not only to what stands before it.
    pub(crate) fn owns(&self, step: usize) -> bool {
        self.kind == Kind::Own || step >= self.first
    }

    /// The closure or function that has this name in it.
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

    /// Whether its steps are no longer those of the test: something is given that the test got from elsewhere.
    pub(crate) fn is_rewritten(&self) -> bool {
        matches!(self.kind, Kind::Pass | Kind::Helper)
    }

    /// Whether a name is one that a loop or the call of a function gives: it is a parameter already.
    pub(crate) fn gives(&self, name: &str) -> bool {
        let is_given =
            |step: &Step| matches!(step, Step::Given { name: given, .. } if given == name);
        self.names.contains(name) || self.steps.iter().any(is_given)
    }

    /// Whether a name is still what a loop or the call of a function gives when a step begins: no variable has taken it since.
    pub(crate) fn gives_at(&self, name: &str, step: usize) -> bool {
        let binds = |one: &Step| {
            matches!(one, Step::Statement(_)) && one.bound().iter().any(|bound| bound == name)
        };
        self.gives(name) && !self.steps.iter().take(step).skip(self.first).any(binds)
    }

    /// Whether statements look at what a loop gives, other than these.
    pub(crate) fn depends_on_loop(&self, statements: &[String], given: &[String]) -> bool {
        let mut words = statements.iter().flat_map(|text| words_in(text));
        words.any(|word| self.names.contains(&word) && !given.contains(&word))
    }
}

/// The closure that a statement gives this name.
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
