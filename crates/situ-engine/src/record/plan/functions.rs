//! Probes of whole functions: arguments, receiver before and after, result or panic.

use super::places::{Place, secrecy_among};
use super::probes::{About, Probe};
use super::tails::{may_be_missing, tails_of};
use super::walk::Walk;
use super::{Insertion, Phase, Position};
use crate::source::{behind_attributes, byte_range};
use situ_recorder::secret::Secrecy;
use std::ops::Range;
use syn::{Block, ExprReturn, Signature, Stmt};

/// Probe of the function that is being visited.
pub(super) struct FunctionProbe {
    pub probe: Probe,
    /// Secrecy of the function's result.
    pub secrecy: Secrecy,
    /// Places that the function may have changed when it ends.
    pub changed: Vec<Place>,
    before: Vec<Insertion>,
    streams: Vec<Insertion>,
    start: Range<usize>,
}

impl Walk<'_, '_> {
    /// Inserts a mark that the function was reached. Begins its probe if functions are recorded.
    pub(super) fn begin_function(&mut self, signature: &Signature, block: &Block) {
        let opening = byte_range(&block.brace_token.span.join()).start + 1;
        let start = opening..opening;
        self.activate(block);
        let recorded = self.planner.wanted.functions && self.returns.is_some();
        let position = if recorded {
            Position::Function
        } else {
            Position::Reach
        };
        let (file, module, function) = (self.file, self.module.clone(), self.function.clone());
        let range = byte_range(signature);
        let about = About {
            file,
            module: &module,
            function: &function,
            kind: "",
            position,
            range,
        };
        let mut probe = self.planner.probe(&about);
        if !recorded {
            let call = self.planner.site_call(&mut probe, "probe::reach");
            let piece = probe.piece;
            self.planner.insertions.push(Insertion::statement_before(
                &start,
                format!(" {call}); "),
                piece,
            ));
            return;
        }
        let places: Vec<Place> = self
            .scope
            .iter()
            .map(|(name, variable)| Place {
                text: name.clone(),
                root: name.clone(),
                changes: variable.changes,
                secrecy: variable.secrecy,
                elements: Vec::new(),
            })
            .collect();
        let insert = |text: String, piece: usize| Insertion::statement_before(&start, text, piece);
        let before = self
            .planner
            .captures(&mut probe, Phase::Before, &places, &insert);
        let streams = self.streams(&mut probe, signature, block, &insert);
        let changed = self.planner.changed(&places, &[]);
        // A string computed from a secret may be secret too; whether a password is correct is not.
        let of_inputs = secrecy_among(&places).min(Secrecy::IfText);
        let secrecy = self
            .planner
            .secrecy(&signature.ident.to_string())
            .max(of_inputs);
        self.function_probe = Some(FunctionProbe {
            probe,
            secrecy,
            changed,
            before,
            streams,
            start,
        });
    }

    /// Captures the value of a `return` as the function's result.
    pub(super) fn result_of_return(&mut self, leave: &ExprReturn) {
        let Some(mut function) = self.function_probe.take() else {
            return;
        };
        let returns = self.returns.clone();
        match &leave.expr {
            Some(value) => {
                let changed = function.changed.clone();
                let range = byte_range(value);
                let secrecy = function.secrecy;
                let wrapped = self.wrap_result(
                    &mut function.probe,
                    &range,
                    returns.as_deref(),
                    secrecy,
                    &changed,
                );
                self.planner.insertions.extend(wrapped);
            }
            None => {
                let range = behind_attributes(leave, &leave.attrs);
                let (layer, piece) = (function.probe.number, function.probe.piece);
                let end = format!("{{ {}.end(); ", function.probe.guard());
                self.planner
                    .insertions
                    .push(Insertion::before(&range, layer, end, piece));
                self.planner
                    .insertions
                    .push(Insertion::after(&range, layer, " }", piece));
            }
        }
        self.function_probe = Some(function);
    }

    /// Ends the function's probe at its tail expression, or at its end if it returns `()`.
    pub(super) fn end_function(&mut self, block: &Block) {
        let Some(mut function) = self.function_probe.take() else {
            return;
        };
        let changed = function.changed.clone();
        let returns = self.returns.clone();
        let gives_nothing = returns.as_deref() == Some("()")
            && block
                .stmts
                .last()
                .is_none_or(|last| matches!(last, Stmt::Macro(_)) || may_be_missing(last));
        let tails = if gives_nothing {
            Vec::new()
        } else {
            tails_of(block.stmts.iter())
        };
        let mut ends = Vec::new();
        for tail in &tails {
            let secrecy = function.secrecy;
            ends.extend(self.wrap_result(
                &mut function.probe,
                tail,
                returns.as_deref(),
                secrecy,
                &changed,
            ));
        }
        if tails.is_empty() {
            ends = self.end_without_value(&mut function.probe, block, &changed);
        }
        let call = self.planner.site_call(&mut function.probe, "probe::enter");
        let text = format!(" let mut {} = {call}); ", function.probe.guard());
        let piece = function.probe.piece;
        self.planner
            .insertions
            .push(Insertion::statement_before(&function.start, text, piece));
        self.planner.insertions.extend(function.before);
        self.planner.insertions.extend(function.streams);
        self.planner.insertions.extend(ends);
    }

    fn end_without_value(
        &mut self,
        probe: &mut Probe,
        block: &Block,
        changed: &[Place],
    ) -> Vec<Insertion> {
        if self.returns.as_deref() != Some("()") {
            return Vec::new();
        }
        let end = byte_range(&block.brace_token.span.join()).end - 1;
        let insert =
            |text: String, piece: usize| Insertion::statement_before(&(end..end), text, piece);
        // The last statement may be a macro call without semicolon.
        let mut insertions = vec![insert("; ".to_owned(), probe.piece)];
        insertions.extend(self.planner.captures(probe, Phase::After, changed, &insert));
        insertions.push(insert(format!("{}.end(); ", probe.guard()), probe.piece));
        insertions
    }
}
