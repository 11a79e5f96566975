//! The calls and assertions of a test, with their byte ranges.

use super::Step;
use super::assertion::Assertion;
use super::binders::Bound;
use super::walk::Walk;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::Visit as _;

/// A call in a test.
#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    /// All of it.
    pub range: Range<usize>,
    /// The step that contains it.
    pub statement: usize,
    /// The path of the function; of a method only its name.
    pub words: Vec<String>,
    /// The receiver of a method.
    pub receiver: Option<Argument>,
    pub arguments: Vec<Argument>,
    /// Whether it is in a loop or closure, and may be executed more than once.
    pub is_repeated: bool,
}

/// The number of the receiver among the arguments of a call.
pub(crate) const RECEIVER: usize = usize::MAX;

impl CallSite {
    /// Returns an argument, or the receiver.
    pub(crate) fn place(&self, number: usize) -> &Argument {
        match &self.receiver {
            Some(receiver) if number == RECEIVER => receiver,
            _ => &self.arguments[number],
        }
    }
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    /// Its bytes.
    pub range: Range<usize>,
    /// The form of the expression.
    pub form: Form,
}

/// The form of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A closure, or a mutable reference: it stays as it is.
    Fixed,
    /// Anything else.
    Expression,
}

/// A variable of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub name: String,
    /// `let mut`.
    pub is_mutable: bool,
    /// Whether it is bound by a field's shorthand in a pattern.
    pub is_field: bool,
    /// The byte range of its binding, with `mut`.
    pub range: Option<Range<usize>>,
}

impl Variable {
    /// Returns the binding, which distinguishes it from others of its name.
    pub(crate) fn bound(&self) -> Bound {
        (
            self.name.clone(),
            self.range.as_ref().map(|range| range.start),
        )
    }
}

/// A variable through which another one can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Borrow {
    pub name: String,
    /// The name of the other.
    pub of: String,
    /// Where it is bound.
    pub bound: Range<usize>,
}

/// What a test does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// The calls, in the order of their ends.
    pub calls: Vec<CallSite>,
    /// The assertions, in the order of the source.
    pub assertions: Vec<Assertion>,
    /// All variables that it binds.
    pub variables: Vec<Variable>,
    /// Variables through which another one can be changed: `let mut rest = &mut buffer[..];`
    pub borrows: Vec<Borrow>,
    /// The statements that only assign a variable: its name, and the statement's range.
    pub assignments: Vec<(String, Range<usize>)>,
}

impl Body {
    /// Parses steps. Calls of the functions with these names are assertions.
    pub(crate) fn of(steps: &[Step], asserting: &BTreeSet<String>) -> Body {
        let mut walk = Walk::new(asserting);
        for (number, step) in steps.iter().enumerate() {
            walk.statement = number;
            match step {
                Step::Statement(statement) => walk.visit_stmt(statement),
                Step::Given { name, binding, .. } => {
                    let is_mutable = binding.starts_with("let mut ");
                    walk.body.variables.push(Variable {
                        name: name.clone(),
                        is_mutable,
                        is_field: false,
                        range: None,
                    });
                }
            }
        }
        walk.body
            .assertions
            .sort_by_key(|assertion| assertion.range.start);
        walk.body
    }
}
