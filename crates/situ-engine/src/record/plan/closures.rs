//! Probes of closures: arguments, captured variables and result.

use super::probes::About;
use super::walk::Walk;
use super::{Insertion, Phase, Position};
use crate::source::byte_range;
use crate::source::targets::kind_of;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAwait, ExprClosure, ExprIf, ExprMatch, Stmt};

use super::changes::changed_in;
use super::places::{bindings_of, secrecy_among};

impl Walk<'_, '_> {
    /// Plans the probe of a closure, if fragments are recorded and the closure is worth a test:
    /// `|x| { begin; capture x; match same(BODY) { r => { capture r; end; r } } }`.
    pub(super) fn closure(&mut self, closure: &ExprClosure) {
        if !self.planner.wanted.fragments || !is_worth_a_test(closure) {
            return;
        }
        let range = byte_range(closure);
        let body = byte_range(&closure.body);
        let mut captured = self.places(|places| places.visit_expr_closure(closure));
        let roots = changed_in(|changed| changed.visit_expr(&closure.body));
        captured
            .iter_mut()
            .for_each(|place| place.changes |= roots.contains(&place.root));
        let secrecy = secrecy_among(&captured);
        let (file, module, function) = (self.file, self.module.clone(), self.function.clone());
        let (kind, position) = ("closure", Position::Closure);
        let valid = self.unsafe_free.around(&range);
        let mut probe = self.planner.probe(&About {
            file,
            module: &module,
            function: &function,
            kind,
            position,
            range,
        });
        probe.valid = valid;
        let layer = probe.number;
        let before = |text: String, piece: usize| Insertion::before(&body, layer, text, piece);
        let mut insertions = self
            .planner
            .captures(&mut probe, Phase::Before, &captured, &before);
        insertions.push(before(probe.capturing(), probe.piece));
        for (name, _) in closure.inputs.iter().flat_map(bindings_of) {
            let secrecy = self.planner.secrecy(&name);
            let (text, piece) = probe.capture(self.planner, Phase::Argument, &name, secrecy, &name);
            insertions.push(before(text, piece));
        }
        insertions.push(before(probe.captured(), probe.piece));
        let changed = self.planner.changed(&captured, &[]);
        let returns = self.returns.clone();
        insertions.extend(self.wrap_result(
            &mut probe,
            &body,
            returns.as_deref(),
            secrecy,
            &changed,
        ));
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_expr(&closure.body));
        // The guard describes all slots, so its text is made last, although it is inserted first.
        let begin = self.begin_text(&mut probe);
        self.planner
            .insertions
            .push(before(format!("{{ {begin}"), probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner
            .insertions
            .push(Insertion::after(&body, layer, " }", probe.piece));
    }
}

/// Returns whether a closure is worth a test. One that only names or calls something is not.
fn is_worth_a_test(closure: &ExprClosure) -> bool {
    let is_plain =
        closure.asyncness.is_none() && closure.constness.is_none() && !is_suspended(closure);
    is_plain
        && (has_statements(&closure.body)
            || kind_of(&closure.body).is_some()
            || has_branches(&closure.body))
}

fn has_statements(body: &Expr) -> bool {
    matches!(body, Expr::Block(block) if block.block.stmts.iter().filter(|statement| !matches!(statement, Stmt::Item(_))).count() > 1)
}

fn has_branches(body: &Expr) -> bool {
    struct Branches(bool);
    impl<'ast> Visit<'ast> for Branches {
        fn visit_expr_if(&mut self, _: &'ast ExprIf) {
            self.0 = true;
        }
        fn visit_expr_match(&mut self, _: &'ast ExprMatch) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    }
    let mut branches = Branches(false);
    branches.visit_expr(body);
    branches.0
}

/// Returns whether a closure awaits something or contains an `async` block. Other tasks may run
/// meanwhile, and an `async` block has no value yet.
fn is_suspended(closure: &ExprClosure) -> bool {
    struct Awaits(bool);
    impl<'ast> Visit<'ast> for Awaits {
        fn visit_expr_await(&mut self, _: &'ast ExprAwait) {
            self.0 = true;
        }
        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {
            self.0 = true;
        }
    }
    let mut awaits = Awaits(false);
    visit::visit_expr_closure(&mut awaits, closure);
    awaits.0
}
