//! Probes of statements, conditions, loops and tail expressions.

use super::changes::{borrows_mutably, changed_roots, given_away};
use super::exits::Exits;
use super::mentions::Mentions;
use super::places::{Place, Places, bindings_of, places_of, secrecy_among};
use super::probes::{About, Probe};
use super::tails::may_be_missing;
use super::walk::{Role, Walk};
use super::{Insertion, Phase, Position};
use crate::source::targets::{Kind, kind_of, kind_of_macro};
use crate::source::{bare_range, bare_statement_range, byte_range};
use situ_recorder::secret::Secrecy;
use situ_syntax::is_compound;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, ExprMacro, ExprReturn, Local, Macro, Stmt};

impl Walk<'_, '_> {
    /// Plans the probe of a statement that is to be recorded. Code before and after a statement is
    /// compiled even if the statement is not, so one under `#[cfg(…)]` gets no probe; statements
    /// inside it do.
    pub(super) fn statement(&mut self, statement: &Stmt, is_last: bool, role: Role) {
        if may_be_missing(statement) {
            return;
        }
        match statement {
            Stmt::Local(local) => self.local(local, statement),
            Stmt::Expr(expression, semicolon) => match expression {
                Expr::If(branch) => self.if_statement(branch, statement),
                Expr::ForLoop(cycle) => self.for_statement(cycle, statement),
                Expr::Return(leave) => self.return_statement(leave, statement),
                Expr::Match(choice) => self.match_statement(choice, statement),
                Expr::While(_) | Expr::Loop(_) | Expr::Block(_) | Expr::Unsafe(_) => {}
                Expr::Break(_) | Expr::Continue(_) | Expr::Async(_) | Expr::Closure(_) => {}
                _ if is_last && semicolon.is_none() => {
                    self.tail(expression, role, kind_of(expression))
                }
                _ => self.expression_statement(expression, statement),
            },
            Stmt::Macro(call) if is_last && call.semi_token.is_none() => {
                let kind = kind_of_macro(&call.mac);
                self.macro_tail(statement, role, kind, &call.mac);
            }
            _ => {}
        }
    }

    /// Returns the kind under which the code at this range is recorded, or `None` if it is not.
    pub(super) fn watched(&self, range: &Range<usize>, kind: Option<Kind>) -> Option<Kind> {
        let wanted = self.planner.wanted;
        if let Some(kind) = kind.filter(|_| wanted.targets || wanted.all_statements) {
            return Some(kind);
        }
        let is_selected = !wanted.at.is_empty() && {
            let text = &self.file.text;
            let first = 1 + text[..range.start].matches('\n').count();
            let last = first + text[range.clone()].matches('\n').count();
            wanted
                .at
                .iter()
                .any(|(file, line)| self.file.path.ends_with(file) && (first..=last).contains(line))
        };
        (is_selected || wanted.all_statements).then_some(kind.unwrap_or(Kind::Other))
    }

    pub(super) fn about_probe(
        &mut self,
        range: &Range<usize>,
        kind: Kind,
        position: Position,
    ) -> Probe {
        let (file, module, function) = (self.file, self.module.clone(), self.function.clone());
        let about = About {
            file,
            module: &module,
            function: &function,
            kind: kind.name(),
            position,
            range: range.clone(),
        };
        let mut probe = self.planner.probe(&about);
        probe.valid = self.unsafe_free.around(range);
        probe
    }

    pub(super) fn places(&self, visit: impl FnOnce(&mut Places<'_>)) -> Vec<Place> {
        let scope = self.planner.with_statics(&self.scope);
        places_of(&scope, &|name| self.planner.secrecy(name), visit)
    }

    fn local(&mut self, local: &Local, statement: &Stmt) {
        let Some(init) = &local.init else { return };
        let range = byte_range(statement);
        let Some(kind) = self.watched(&byte_range(&init.expr), kind_of(&init.expr)) else {
            return;
        };
        // The block after `else` may read variables too.
        let mut inputs = self.inputs_among(&init.expr, |places| places.visit_local(local));
        let of_else = init
            .diverge
            .as_ref()
            .map(|(_, otherwise)| self.secrecy_of(otherwise))
            .unwrap_or_default();
        let made: Vec<String> = bindings_of(&local.pat)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let named = made.iter().map(|name| self.planner.secrecy(name));
        let secrecy = named.fold(self.secrecy_of(&init.expr), Secrecy::max);
        let mut probe = self.about_probe(&range, kind, Position::Statement);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let streams = self.use_streams(&mut probe, &mut inputs, &before, |mentions| {
            visit::visit_local(mentions, local)
        });
        let outputs: Vec<Place> = made.iter().map(|name| made_place(name, secrecy)).collect();
        let mut changed = self.planner.changed(&inputs, &made);
        if borrows_mutably(&init.expr) {
            let borrowed = changed_roots(&init.expr);
            changed.retain(|place| !borrowed.contains(&place.root));
        }
        self.tell_exits(&mut probe, secrecy.max(of_else), |exits| {
            exits.visit_stmt(statement)
        });
        self.answers(&mut probe, &init.expr);
        self.around(&mut probe, &range, streams, &inputs, &outputs, &changed);
    }

    fn expression_statement(&mut self, expression: &Expr, statement: &Stmt) {
        let range = byte_range(statement);
        let Some(kind) = self.watched(&range, kind_of(expression)) else {
            return;
        };
        let secrecy = self.secrecy_of(expression);
        let assigned = match expression {
            Expr::Assign(assign) => Some(&*assign.left),
            Expr::Binary(binary) if is_compound(&binary.op) => Some(&*binary.left),
            _ => None,
        };
        let mut inputs = self.inputs(expression);
        let mut outputs = Vec::new();
        if let Some(left) = assigned {
            let targets = self.places(|places| places.visit_expr(left));
            let plain = matches!((expression, left), (Expr::Assign(_), Expr::Path(_)));
            if let (true, Expr::Assign(assign)) = (plain, expression) {
                // A variable that is only assigned may not be initialised yet.
                let read = self.places(|places| places.visit_expr(&assign.right));
                inputs.retain(|input| read.iter().any(|place| place.text == input.text));
            }
            outputs = targets
                .iter()
                .map(|place| made_place(&place.text, secrecy.max(place.secrecy)))
                .collect();
        }
        let mut probe = self.about_probe(&range, kind, Position::Statement);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let streams = self.use_streams(&mut probe, &mut inputs, &before, |mentions| {
            mentions.visit_expr(expression)
        });
        let mut changed = self.planner.changed(&inputs, &[]);
        changed.retain(|place| !outputs.iter().any(|output| output.text == place.text));
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_stmt(statement));
        self.answers(&mut probe, expression);
        self.around(&mut probe, &range, streams, &inputs, &outputs, &changed);
    }

    /// Inserts guard and captures before a statement, and captures and the end after it.
    fn around(
        &mut self,
        probe: &mut Probe,
        range: &Range<usize>,
        streams: Vec<Insertion>,
        inputs: &[Place],
        outputs: &[Place],
        changed: &[Place],
    ) {
        let before = |text: String, piece: usize| Insertion::statement_before(range, text, piece);
        let after = |text: String, piece: usize| Insertion::statement_after(range, text, piece);
        let mut insertions = streams;
        insertions.extend(self.planner.captures(probe, Phase::Before, inputs, &before));
        insertions.push(after(" ".to_owned(), probe.piece));
        insertions.extend(self.planner.captures_after(probe, outputs, changed, &after));
        insertions.push(after(format!("{}.end(); ", probe.guard()), probe.piece));
        let begin = self.begin_text(probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
    }

    pub(super) fn begin_text(&mut self, probe: &mut Probe) -> String {
        let call = self.planner.site_call(probe, "probe::begin");
        format!("let mut {} = {call}); ", probe.guard())
    }

    pub(super) fn inputs(&self, expression: &Expr) -> Vec<Place> {
        self.inputs_among(expression, |places| places.visit_expr(expression))
    }

    /// Returns the places that `visit` visits, with how the expression changes them.
    fn inputs_among(&self, expression: &Expr, visit: impl FnOnce(&mut Places<'_>)) -> Vec<Place> {
        let mut inputs = self.places(visit);
        let (changed, given) = (changed_roots(expression), given_away(expression));
        for input in &mut inputs {
            input.changes |= changed.contains(&input.root);
            input.changes &= !given.contains(&input.text) || self.refers(input);
            let is_still = |roots: &[String]| roots.iter().all(|root| !changed.contains(root));
            let stays = is_still(std::slice::from_ref(&input.root));
            input
                .elements
                .retain(|element| stays && is_still(&element.index_roots));
        }
        inputs
    }

    /// Returns whether the value that a place refers to may change when the place is moved.
    fn refers(&self, place: &Place) -> bool {
        let last = place.text.rsplit('.').next().unwrap_or_default();
        match place.text == place.root {
            true => self
                .scope
                .get(&place.root)
                .is_none_or(|variable| variable.refers),
            false => self.planner.referring_fields.contains(last),
        }
    }

    fn tail(&mut self, expression: &Expr, role: Role, kind: Option<Kind>) {
        let ranges = (&byte_range(expression), &bare_range(expression));
        let inputs = self.inputs(expression);
        self.wrapped_tail(ranges, role, kind, inputs, expression, |exits| {
            exits.visit_expr(expression)
        });
    }

    fn macro_tail(&mut self, statement: &Stmt, role: Role, kind: Option<Kind>, call: &Macro) {
        let ranges = (&byte_range(statement), &bare_statement_range(statement));
        let inputs = self.places(|places| places.visit_macro(call));
        let whole = Expr::Macro(ExprMacro {
            attrs: Vec::new(),
            mac: call.clone(),
        });
        self.wrapped_tail(ranges, role, kind, inputs, &whole, |_| {});
    }

    /// Plans the probe of a tail expression at these ranges: with its attributes, and without.
    fn wrapped_tail(
        &mut self,
        (range, bare): (&Range<usize>, &Range<usize>),
        role: Role,
        kind: Option<Kind>,
        mut inputs: Vec<Place>,
        whole: &Expr,
        exits: impl FnOnce(&mut Exits),
    ) {
        let Some(kind) = self.watched(range, kind) else {
            return;
        };
        let secrecy = secrecy_among(&inputs);
        let mut probe = self.about_probe(range, kind, Position::Tail);
        let before = |text: String, piece: usize| Insertion::statement_before(range, text, piece);
        let uses = |mentions: &mut Mentions<'_>| mentions.visit_expr(whole);
        let mut insertions = self.use_streams(&mut probe, &mut inputs, &before, uses);
        insertions.extend(
            self.planner
                .captures(&mut probe, Phase::Before, &inputs, &before),
        );
        let returns = if role == Role::Body {
            self.returns.clone()
        } else {
            None
        };
        let changed = self.planner.changed(&inputs, &[]);
        let wrapped = self.wrap_result(&mut probe, bare, returns.as_deref(), secrecy, &changed);
        self.tell_exits(&mut probe, secrecy, exits);
        self.answers(&mut probe, whole);
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner.insertions.extend(wrapped);
    }

    /// Wraps an expression in `match same::<T>(EXPR) { r => { capture r; end; r } }`.
    pub(super) fn wrap_result(
        &mut self,
        probe: &mut Probe,
        range: &Range<usize>,
        returns: Option<&str>,
        secrecy: Secrecy,
        changed: &[Place],
    ) -> Vec<Insertion> {
        self.wrap_result_with(probe, range, returns, secrecy, changed, &[])
    }

    /// Wraps an expression as [`Walk::wrap_result`] does, and also captures the variables in
    /// `made`.
    pub(super) fn wrap_result_with(
        &mut self,
        probe: &mut Probe,
        range: &Range<usize>,
        returns: Option<&str>,
        secrecy: Secrecy,
        changed: &[Place],
        made: &[Place],
    ) -> Vec<Insertion> {
        let layer = probe.number;
        let result = format!("__situ_r{}", probe.number);
        let open = match returns {
            Some(returns) => format!("match ::situ_recorder::probe::same::<{returns}>("),
            None => "match ::situ_recorder::probe::same(".to_owned(),
        };
        let after = |text: String, piece: usize| Insertion::after(range, layer, text, piece);
        let mut insertions = vec![Insertion::before(range, layer, open, probe.piece)];
        insertions.push(after(
            format!(") {{ {result} => {{ {}", probe.capturing()),
            probe.piece,
        ));
        let (text, piece) = probe.capture(self.planner, Phase::Result, "result", secrecy, &result);
        insertions.push(after(text, piece));
        insertions.extend(self.planner.bare_captures(probe, Phase::Made, made, &after));
        insertions.extend(
            self.planner
                .bare_captures(probe, Phase::After, changed, &after),
        );
        insertions.push(after(
            format!(
                "{}{}.end(); {result} }} }}",
                probe.captured(),
                probe.guard()
            ),
            probe.piece,
        ));
        insertions
    }

    fn return_statement(&mut self, leave: &ExprReturn, statement: &Stmt) {
        let Some(value) = &leave.expr else { return };
        let Some(kind) = self.watched(&byte_range(value), kind_of(value)) else {
            return;
        };
        let range = byte_range(statement);
        let mut inputs = self.inputs(value);
        let secrecy = secrecy_among(&inputs);
        let mut probe = self.about_probe(&range, kind, Position::Return);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let mut insertions = self.use_streams(&mut probe, &mut inputs, &before, |mentions| {
            mentions.visit_expr(value)
        });
        insertions.extend(
            self.planner
                .captures(&mut probe, Phase::Before, &inputs, &before),
        );
        let returns = self.returns.clone();
        let changed = self.planner.changed(&inputs, &[]);
        let wrapped = self.wrap_result(
            &mut probe,
            &byte_range(value),
            returns.as_deref(),
            secrecy,
            &changed,
        );
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_expr(value));
        self.answers(&mut probe, value);
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
        self.planner.insertions.extend(wrapped);
    }

    fn for_statement(&mut self, cycle: &ExprForLoop, statement: &Stmt) {
        let Some(kind) = self.watched(&byte_range(&cycle.expr), kind_of(&cycle.expr)) else {
            return;
        };
        let range = byte_range(statement);
        let inputs = self.inputs(&cycle.expr);
        let secrecy = self.secrecy_of(&cycle.expr);
        let header = byte_range(&cycle.for_token).start..byte_range(&cycle.expr).end;
        let mut probe = self.about_probe(&header, kind, Position::Iterable);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let mut insertions = self
            .planner
            .captures(&mut probe, Phase::Before, &inputs, &before);
        let start = byte_range(&cycle.body.brace_token.span.join()).start + 1;
        let inside =
            |text: String, piece: usize| Insertion::statement_before(&(start..start), text, piece);
        insertions.push(inside(
            format!(" if {}.item() {{ ", probe.guard()),
            probe.piece,
        ));
        for (name, _) in bindings_of(&cycle.pat) {
            let secrecy = secrecy.max(self.planner.secrecy(&name));
            let (text, piece) = probe.capture(self.planner, Phase::Item, &name, secrecy, &name);
            insertions.push(inside(text, piece));
        }
        insertions.push(inside(probe.captured(), probe.piece));
        let end = format!(" {}.end(); ", probe.guard());
        insertions.push(Insertion::statement_after(&range, end, probe.piece));
        self.tell_exits(&mut probe, secrecy, |exits| exits.visit_stmt(statement));
        self.answers(&mut probe, &cycle.expr);
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
    }
}

/// Returns a place to capture after it was assigned.
pub(super) fn made_place(name: &str, secrecy: Secrecy) -> Place {
    let root = name.split('.').next().unwrap_or(name).to_owned();
    Place {
        text: name.to_owned(),
        root,
        changes: true,
        secrecy,
        elements: Vec::new(),
    }
}
