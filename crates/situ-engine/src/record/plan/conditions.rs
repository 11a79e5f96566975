//! Probes of conditions and of scrutinees.

use super::mentions::Mentions;
use super::places::secrecy_among;
use super::probes::Probe;
use super::walk::Walk;
use super::{Insertion, Phase, Position, SlotKey};
use crate::source::byte_range;
use crate::source::targets::kind_of_condition;
use situ_recorder::secret::Secrecy;
use std::ops::Range;
use syn::visit::Visit as _;
use syn::{BinOp, Expr, ExprIf, ExprMatch, ExprWhile, Stmt, UnOp};

impl Walk<'_, '_> {
    /// Plans the probe for the condition of an `if` that is a statement or a tail expression.
    pub(super) fn if_statement(&mut self, branch: &ExprIf, statement: &Stmt) {
        let condition = byte_range(&branch.cond);
        self.handled.insert(byte_range(branch).start);
        let Some(kind) = self.watched(&condition, kind_of_condition(&branch.cond)) else {
            return;
        };
        let range = byte_range(statement);
        let mut inputs = self.inputs(&branch.cond);
        let has_let = has_let(&branch.cond);
        let mut probe = self.about_probe(&condition, kind, Position::Condition);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let uses = |mentions: &mut Mentions<'_>| mentions.visit_expr(&branch.cond);
        let mut insertions = self.use_streams(&mut probe, &mut inputs, &before, uses);
        insertions.extend(
            self.planner
                .captures(&mut probe, Phase::Before, &inputs, &before),
        );
        let slot = probe.slot(Phase::Result, "condition", Secrecy::None);
        let wrapped = if has_let {
            self.end_in_branches(&probe, branch, &range, slot)
        } else {
            self.wrap_condition(&mut probe, &branch.cond, slot, "")
        };
        let secrecy = self.secrecy_of(&branch.cond);
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_expr(&branch.cond));
        self.answers(&mut probe, &branch.cond);
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner.insertions.extend(wrapped);
    }

    /// Wraps a condition in `match (COND) { c => guard.end_condition(slot, c) }`, and records each
    /// operand of its outermost `&&` or `||`.
    fn wrap_condition(
        &mut self,
        probe: &mut Probe,
        condition: &Expr,
        slot: usize,
        close: &str,
    ) -> Vec<Insertion> {
        let (guard, layer) = (probe.guard(), probe.number);
        let range = byte_range(condition);
        let mut insertions = vec![Insertion::before(&range, layer, "match (", probe.piece)];
        let operands = operands_of(condition);
        for (number, operand) in operands.iter().enumerate().filter(|_| operands.len() > 1) {
            let slot = probe.slot(Phase::Operand, SlotKey::Operand(number + 1), Secrecy::None);
            let range = byte_range(*operand);
            // The guard is not borrowed while the operand is evaluated, because exits and streams
            // in the operand use it too.
            let close = format!(") {{ __situ_o => {guard}.operand({slot}, __situ_o) }})");
            insertions.push(Insertion::before(&range, layer, "(match (", probe.piece));
            insertions.push(Insertion::after(&range, layer, close, probe.piece));
        }
        let end = format!(") {{ __situ_c => {guard}.end_condition({slot}, __situ_c) }}{close}");
        insertions.push(Insertion::after(&range, layer, end, probe.piece));
        insertions
    }

    /// Ends the probe of a condition with `let` in its branches, because such a condition has no
    /// value.
    fn end_in_branches(
        &self,
        probe: &Probe,
        branch: &ExprIf,
        range: &Range<usize>,
        slot: usize,
    ) -> Vec<Insertion> {
        let inside = |block: &syn::Block| {
            let start = byte_range(&block.brace_token.span.join()).start + 1;
            start..start
        };
        let guard = probe.guard();
        let at = |range: &Range<usize>, text: String| {
            Insertion::statement_before(range, text, probe.piece)
        };
        let not_met = format!(" {guard}.end_condition_unless_ended({slot}); ");
        let met = format!(" {guard}.end_condition({slot}, true); ");
        let mut insertions = vec![at(&inside(&branch.then_branch), met)];
        let mut rest = branch.else_branch.as_ref().map(|(_, other)| &**other);
        while let Some(Expr::If(other)) = rest {
            insertions.push(at(&inside(&other.then_branch), not_met.clone()));
            rest = other.else_branch.as_ref().map(|(_, other)| &**other);
        }
        match rest {
            Some(Expr::Block(last)) => insertions.push(at(&inside(&last.block), not_met)),
            _ => insertions.push(Insertion::statement_after(range, not_met, probe.piece)),
        }
        insertions
    }

    /// Plans the probe for the condition of an `if` that is no statement: one in an `else if` chain
    /// or in a value.
    pub(super) fn condition_of_if(&mut self, branch: &ExprIf) {
        if !self.handled.contains(&byte_range(branch).start) {
            self.inner_condition(&branch.cond);
        }
    }

    /// Plans the probe for the condition of a `while`.
    pub(super) fn condition_of_while(&mut self, cycle: &ExprWhile) {
        self.inner_condition(&cycle.cond);
    }

    /// Plans the probe of a condition that is no statement: the condition becomes a block.
    pub(super) fn inner_condition(&mut self, condition: &Expr) {
        let range = byte_range(condition);
        if has_let(condition) {
            return;
        }
        let Some(kind) = self.watched(&range, kind_of_condition(condition)) else {
            return;
        };
        let mut inputs = self.inputs(condition);
        let mut probe = self.about_probe(&range, kind, Position::Condition);
        let layer = probe.number;
        let before = |text: String, piece: usize| Insertion::before(&range, layer, text, piece);
        let uses = |mentions: &mut Mentions<'_>| mentions.visit_expr(condition);
        let mut insertions = self.use_streams(&mut probe, &mut inputs, &before, uses);
        insertions.extend(
            self.planner
                .captures(&mut probe, Phase::Before, &inputs, &before),
        );
        let slot = probe.slot(Phase::Result, "condition", Secrecy::None);
        let wrapped = self.wrap_condition(&mut probe, condition, slot, " }");
        let secrecy = self.secrecy_of(condition);
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_expr(condition));
        self.answers(&mut probe, condition);
        let begin = self.begin_text(&mut probe);
        self.planner
            .insertions
            .push(before(format!("{{ {begin}"), probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner.insertions.extend(wrapped);
    }

    /// Plans the probe for the scrutinee of a `match` that is a statement or a tail expression.
    pub(super) fn match_statement(&mut self, choice: &ExprMatch, statement: &Stmt) {
        if is_place(&choice.expr) {
            return;
        }
        let scrutinee = byte_range(&choice.expr);
        let Some(kind) = self.watched(&scrutinee, kind_of_condition(&choice.expr)) else {
            return;
        };
        let range = byte_range(statement);
        let mut inputs = self.inputs(&choice.expr);
        let secrecy = secrecy_among(&inputs);
        let mut probe = self.about_probe(&scrutinee, kind, Position::Scrutinee);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let uses = |mentions: &mut Mentions<'_>| mentions.visit_expr(&choice.expr);
        let mut insertions = self.use_streams(&mut probe, &mut inputs, &before, uses);
        insertions.extend(
            self.planner
                .captures(&mut probe, Phase::Before, &inputs, &before),
        );
        let wrapped = self.wrap_result(&mut probe, &scrutinee, None, secrecy, &[]);
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_expr(&choice.expr));
        self.answers(&mut probe, &choice.expr);
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner.insertions.extend(wrapped);
    }
}

fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(chain) => has_let(&chain.left) || has_let(&chain.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// Returns whether an expression is a place. Patterns may bind to it, so it must not become a
/// temporary value.
fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// Returns the operands of the outermost `&&` or `||` in source order, or the condition itself if
/// there is none.
fn operands_of(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Binary(chain) if matches!(chain.op, BinOp::And(_) | BinOp::Or(_)) => {
            let is_same = |side: &Expr| matches!(side, Expr::Binary(inner) if inner.op == chain.op);
            let side = |side| {
                if is_same(side) {
                    operands_of(side)
                } else {
                    vec![side]
                }
            };
            [side(&chain.left), side(&chain.right)].concat()
        }
        other => vec![other],
    }
}
