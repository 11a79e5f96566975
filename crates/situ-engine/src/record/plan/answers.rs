//! Records the results of calls inside a statement whose receiver or argument may not be
//! capturable, so that a test can mock them.

use super::exits::evaluates_arguments;
use super::probes::{Probe, capture_macro};
use super::walk::Walk;
use super::{Insertion, Phase};
use crate::source::targets::macro_arguments;
use crate::source::{bare_range, byte_range};
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAsync, ExprClosure, Item, Macro};

/// Maximum number of recorded calls per statement. A test with many mocks tests these more than the
/// statement.
const MAX_CALLS: usize = 8;

/// Methods whose results cannot be written as values, because later calls consume or change them.
const PASSING_ON: [&str; 26] = [
    "as_ref",
    "borrow",
    "bytes",
    "by_ref",
    "chain",
    "char_indices",
    "chars",
    "clone",
    "cloned",
    "copied",
    "deref",
    "drain",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "into_iter",
    "iter",
    "lock",
    "map",
    "peekable",
    "rev",
    "skip",
    "split",
    "take",
    "zip",
];

impl Walk<'_, '_> {
    /// Records the results of calls inside a statement. `whole` is the statement's expression.
    pub(super) fn answers(&mut self, probe: &mut Probe, whole: &Expr) {
        if !self.planner.wanted.answers {
            return;
        }
        let mut calls = Calls {
            walk: self,
            found: Vec::new(),
        };
        calls.visit_parts(whole);
        for call in calls.found {
            let secrecy = self.secrecy_of(&call);
            let range = byte_range(&call);
            let text = self.file.text[range.clone()]
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let slot = probe.slot(Phase::Answer, &text, secrecy);
            let piece = self.planner.piece_of_slot(probe, slot, "answer");
            let layer = self.planner.layer();
            let value = format!("__situ_a{layer}");
            let (cap, guard) = (capture_macro(secrecy), probe.guard());
            let close = format!(
                ") {{ {value} => {{ ::situ_recorder::cap_answer!({guard}, {cap}, {slot}, {value}); {value} }} }})"
            );
            let bare = bare_range(&call);
            self.planner
                .insertions
                .push(Insertion::before(&bare, layer, "(match (", piece));
            self.planner
                .insertions
                .push(Insertion::after(&bare, layer, close, piece));
        }
    }

    /// Returns whether a call has a receiver or an argument that a recording may not hold
    /// completely.
    fn needs_mock(&self, call: &Expr) -> bool {
        match call {
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let passes_on = PASSING_ON.contains(&name.as_str()) || name.ends_with("_mut");
                !passes_on
                    && (self.starts_unseen(&call.receiver) || self.is_given_unseen(&call.args))
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return false;
                };
                let is_maker = path
                    .path
                    .segments
                    .last()
                    .is_none_or(|last| is_capital(&last.ident.to_string()));
                !is_maker && (self.is_unseen(&call.func) || self.is_given_unseen(&call.args))
            }
            _ => false,
        }
    }

    fn is_given_unseen<'a>(&self, arguments: impl IntoIterator<Item = &'a Expr>) -> bool {
        let mut changes = false;
        let mut is_unseen = false;
        for argument in arguments {
            changes |=
                matches!(argument, Expr::Reference(reference) if reference.mutability.is_some());
            is_unseen |= match argument {
                Expr::Reference(reference) => self.is_unseen(&reference.expr),
                other => self.is_unseen(other),
            };
        }
        is_unseen && !changes
    }

    /// Returns whether a chain of calls, fields and elements starts from a variable that a
    /// recording may not hold completely.
    fn starts_unseen(&self, expression: &Expr) -> bool {
        match expression {
            Expr::MethodCall(call) => self.starts_unseen(&call.receiver),
            Expr::Field(field) => self.starts_unseen(&field.base),
            Expr::Index(element) => self.starts_unseen(&element.expr),
            Expr::Reference(reference) => self.starts_unseen(&reference.expr),
            Expr::Unary(unary) => self.starts_unseen(&unary.expr),
            Expr::Paren(inner) => self.starts_unseen(&inner.expr),
            Expr::Try(question) => self.starts_unseen(&question.expr),
            variable => self.is_unseen(variable),
        }
    }

    fn is_unseen(&self, variable: &Expr) -> bool {
        let Expr::Path(path) = variable else {
            return false;
        };
        let name = path
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        self.scope
            .get(&name)
            .is_some_and(|variable| !variable.is_plain && !variable.is_stream)
    }
}

fn is_capital(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Visitor that finds the calls to record.
struct Calls<'c, 'w, 'p> {
    walk: &'c Walk<'w, 'p>,
    found: Vec<Expr>,
}

impl Calls<'_, '_, '_> {
    /// Visits all parts of an expression but the expression itself: mocking that would leave
    /// nothing to test.
    fn visit_parts(&mut self, whole: &Expr) {
        match whole {
            Expr::Paren(inner) => self.visit_parts(&inner.expr),
            Expr::Reference(inner) => self.visit_parts(&inner.expr),
            Expr::Try(inner) => self.visit_parts(&inner.expr),
            Expr::Assign(assign) => {
                self.visit_expr(&assign.left);
                self.visit_parts(&assign.right);
            }
            other => visit::visit_expr(self, other),
        }
    }
}

impl<'ast> Visit<'ast> for Calls<'_, '_, '_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if self.found.len() < MAX_CALLS && self.walk.needs_mock(expression) {
            self.found.push(expression.clone());
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if evaluates_arguments(call) {
            for argument in &macro_arguments(call.tokens.clone()) {
                match argument {
                    // `format!("{len}", len = self.len())`
                    Expr::Assign(named) => self.visit_expr(&named.right),
                    other => self.visit_expr(other),
                }
            }
        }
    }

    // A call that is awaited returns a future.
    fn visit_expr_await(&mut self, _: &'ast syn::ExprAwait) {}

    // Closures and blocks are recorded with their own statements.
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_item(&mut self, _: &'ast Item) {}
}
