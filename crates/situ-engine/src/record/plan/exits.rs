//! Probes of early exits: `return`, `?`, `break` and `continue` inside a recorded statement.

use super::places::Place;
use super::probes::Probe;
use super::walk::Walk;
use super::{Insertion, Phase};
use crate::source::targets::macro_arguments;
use crate::source::{behind_attributes, byte_range};
use quote::ToTokens;
use situ_recorder::secret::Secrecy;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Attribute, ExprAsync, ExprBlock, ExprBreak, ExprClosure, ExprContinue, ExprForLoop, ExprLoop,
    ExprReturn, ExprTry, ExprWhile, Item, Label, Lifetime, Macro,
};

/// Exit of a statement, as the source writes it.
struct Exit {
    range: (usize, usize),
    way: &'static str,
    label: String,
    has_value: bool,
}

/// Exit that is recorded by a probe.
pub(super) struct ToldExit {
    /// Statement that notifies the probe of the exit.
    leave: String,
    /// Number of the probe's piece.
    probe: usize,
    guard: String,
    /// Captures of the exit's value and of changed places, each with its piece.
    captures: Vec<(String, usize)>,
}

/// Macros that evaluate their arguments once, in the calling function.
const EVALUATING: [&str; 9] = [
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "print",
    "println",
    "vec",
    "write",
    "writeln",
];

/// Returns whether a macro evaluates its arguments once, in the calling function.
pub(super) fn evaluates_arguments(call: &Macro) -> bool {
    call.path
        .segments
        .last()
        .is_some_and(|last| EVALUATING.iter().any(|name| last.ident == name))
}

/// Variable that holds the value of the exit.
const VALUE: &str = "__situ_left";

impl Walk<'_, '_> {
    /// Makes a probe record the exits in its statement. `visit` visits the code of the statement.
    pub(super) fn tell_exits(
        &mut self,
        probe: &mut Probe,
        secrecy: Secrecy,
        visit: impl FnOnce(&mut Exits),
    ) {
        self.tell_exits_with(probe, secrecy, &[], visit);
    }

    /// Makes a probe record the exits in its statement, and capture the places in `changed` at each
    /// exit.
    pub(super) fn tell_exits_with(
        &mut self,
        probe: &mut Probe,
        secrecy: Secrecy,
        changed: &[Place],
        visit: impl FnOnce(&mut Exits),
    ) {
        let mut exits = Exits::default();
        visit(&mut exits);
        for exit in exits.found {
            let leave = format!(
                "{}.leave(::situ_recorder::recording::Way::{}, {:?}); ",
                probe.guard(),
                exit.way,
                exit.label.trim_start_matches('\'')
            );
            let mut captures = Vec::new();
            if exit.has_value {
                captures.push(probe.capture(
                    self.planner,
                    Phase::Left,
                    &exit.name(),
                    secrecy,
                    VALUE,
                ));
            }
            for place in changed {
                captures.push(probe.capture(
                    self.planner,
                    Phase::After,
                    &place.text,
                    place.secrecy,
                    &place.text,
                ));
            }
            let told = ToldExit {
                leave,
                probe: probe.piece,
                guard: probe.guard(),
                captures,
            };
            self.exits.entry(exit.range).or_default().push(told);
        }
    }

    fn take_exits(&mut self, exit: &Range<usize>) -> Vec<ToldExit> {
        self.exits
            .remove(&(exit.start, exit.end))
            .unwrap_or_default()
    }

    /// Creates a piece for the code around an exit.
    fn exit_piece(&mut self, what: &str) -> usize {
        let id = self
            .planner
            .identity(&self.function.clone(), &format!("exit {what}"));
        self.planner.piece(format!("exit {id:x}"), None, None)
    }

    /// Plans the probes of a `return`, `break` or `continue`: `exit` is the whole expression,
    /// `value` the range of its operand.
    fn plain_exit(
        &mut self,
        exit: &impl ToTokens,
        attributes: &[Attribute],
        value: Option<Range<usize>>,
        of_type: Option<String>,
    ) {
        let exits = self.take_exits(&byte_range(exit));
        if exits.is_empty() {
            return;
        }
        let (piece, layer) = (self.exit_piece("plain"), self.planner.layer());
        match value {
            Some(value) => {
                let open = format!("match {}", same(of_type.as_deref()));
                self.planner
                    .insertions
                    .push(Insertion::before(&value, layer, open, piece));
                let after =
                    |text: String, piece: usize| Insertion::after(&value, layer, text, piece);
                let mut insertions = vec![after(format!(") {{ {VALUE} => {{ "), piece)];
                insertions.extend(
                    texts(exits)
                        .into_iter()
                        .map(|(text, piece)| after(text, piece)),
                );
                insertions.push(after(format!("{VALUE} }} }}"), piece));
                self.planner.insertions.extend(insertions);
            }
            None => {
                // `#[cfg(unix)] return;` exits only under its condition.
                let bare = behind_attributes(exit, attributes);
                let before =
                    |text: String, piece: usize| Insertion::before(&bare, layer, text, piece);
                let mut insertions = vec![before("{ ".to_owned(), piece)];
                insertions.extend(
                    texts(exits)
                        .into_iter()
                        .map(|(text, piece)| before(text, piece)),
                );
                insertions.push(Insertion::after(&bare, layer, " }", piece));
                self.planner.insertions.extend(insertions);
            }
        }
    }

    pub(super) fn exit_by_return(&mut self, leave: &ExprReturn) {
        let returns = self.returns.clone();
        self.plain_exit(
            leave,
            &leave.attrs,
            leave.expr.as_ref().map(byte_range),
            returns,
        );
    }

    pub(super) fn exit_by_break(&mut self, leave: &ExprBreak) {
        self.plain_exit(
            leave,
            &leave.attrs,
            leave.expr.as_ref().map(byte_range),
            None,
        );
    }

    pub(super) fn exit_by_continue(&mut self, leave: &ExprContinue) {
        self.plain_exit(leave, &leave.attrs, None, None);
    }

    /// Plans the probes of a `?`, which also ends the function: `(match (EXPR) { q => if leaves(&q)
    /// { return … } else { q } })?`.
    pub(super) fn exit_by_question(&mut self, question: &ExprTry) {
        let exits = self.take_exits(&byte_range(question));
        let result = self.result_of_question();
        if exits.is_empty() && result.is_empty() {
            return;
        }
        let (piece, layer) = (self.exit_piece("question"), self.planner.layer());
        let range = byte_range(&question.expr);
        self.planner
            .insertions
            .push(Insertion::before(&range, layer, "(match (", piece));
        let after = |text: String, piece: usize| Insertion::after(&range, layer, text, piece);
        let returned = same(self.returns.as_deref());
        let mut insertions = vec![after(
            format!(
                ") {{ __situ_q => if ::situ_recorder::exits::leaves(&__situ_q) {{ return match \
                 {returned}::situ_recorder::exits::leaving(__situ_q)) {{ {VALUE} => {{ "
            ),
            piece,
        )];
        insertions.extend(
            texts(exits)
                .into_iter()
                .chain(result)
                .map(|(text, piece)| after(text, piece)),
        );
        insertions.push(after(
            format!("{VALUE} }} }} }} else {{ __situ_q }} }})"),
            piece,
        ));
        self.planner.insertions.extend(insertions);
    }

    /// Plans the probes of each `?` in the arguments of a standard macro, which exits the function
    /// like any other.
    pub(super) fn exits_in_macro(&mut self, call: &Macro) {
        struct Questions(Vec<ExprTry>);
        impl<'ast> Visit<'ast> for Questions {
            fn visit_expr_try(&mut self, question: &'ast ExprTry) {
                self.0.push(question.clone());
                visit::visit_expr_try(self, question);
            }

            fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

            fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
        }
        if !evaluates_arguments(call) {
            return;
        }
        let mut questions = Questions(Vec::new());
        macro_arguments(call.tokens.clone())
            .iter()
            .for_each(|argument| questions.visit_expr(argument));
        questions
            .0
            .iter()
            .for_each(|question| self.exit_by_question(question));
    }

    /// Returns the captures of the function's result for a `?`, which returns from the function.
    fn result_of_question(&mut self) -> Vec<(String, usize)> {
        let Some(mut function) = self.function_probe.take() else {
            return Vec::new();
        };
        let (probe, secrecy) = (&mut function.probe, function.secrecy);
        let mut result = vec![(probe.capturing(), probe.piece)];
        result.push(probe.capture(self.planner, Phase::Result, "result", secrecy, VALUE));
        for place in function.changed.clone() {
            result.push(probe.capture(
                self.planner,
                Phase::After,
                &place.text,
                place.secrecy,
                &place.text,
            ));
        }
        result.push((
            format!("{}{}.end(); ", probe.captured(), probe.guard()),
            probe.piece,
        ));
        self.function_probe = Some(function);
        result
    }
}

/// Returns the start of a call that fixes the type of a value, with its parenthesis open.
fn same(of_type: Option<&str>) -> String {
    let of_type = of_type
        .map(|name| format!("::<{name}>"))
        .unwrap_or_default();
    format!("::situ_recorder::probe::same{of_type}(")
}

fn texts(exits: Vec<ToldExit>) -> Vec<(String, usize)> {
    let mut texts = Vec::new();
    for exit in exits {
        if !exit.captures.is_empty() {
            texts.push((format!("if {}.on() {{ ", exit.guard), exit.probe));
            texts.extend(exit.captures);
            texts.push((format!("{}.close(); }} ", exit.guard), exit.probe));
        }
        texts.push((exit.leave, exit.probe));
    }
    texts
}

/// Visitor that finds the exits that leave a statement, but not those inside its closures and
/// loops.
#[derive(Default)]
pub(super) struct Exits {
    found: Vec<Exit>,
    loops: usize,
    labels: Vec<String>,
}

impl Exit {
    /// Returns the exit as reports show it.
    fn name(&self) -> String {
        match self.way {
            "Return" => "return".to_owned(),
            "Question" => "?".to_owned(),
            _ => format!("break {}", self.label).trim_end().to_owned(),
        }
    }
}

impl Exits {
    fn leaves(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => !self.labels.contains(&label.to_string()),
            None => self.loops == 0,
        }
    }

    fn found(
        &mut self,
        range: Range<usize>,
        way: &'static str,
        label: Option<&Lifetime>,
        has_value: bool,
    ) {
        let label = label.map(ToString::to_string).unwrap_or_default();
        self.found.push(Exit {
            range: (range.start, range.end),
            way,
            label,
            has_value,
        });
    }

    fn inside(&mut self, label: Option<&Label>, loops: usize, visit: impl FnOnce(&mut Exits)) {
        let known = self.labels.len();
        self.labels
            .extend(label.map(|label| label.name.to_string()));
        self.loops += loops;
        visit(self);
        self.loops -= loops;
        self.labels.truncate(known);
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr_return(&mut self, leave: &'ast ExprReturn) {
        self.found(byte_range(leave), "Return", None, leave.expr.is_some());
        visit::visit_expr_return(self, leave);
    }

    fn visit_expr_try(&mut self, question: &'ast ExprTry) {
        self.found(byte_range(question), "Question", None, true);
        visit::visit_expr_try(self, question);
    }

    fn visit_expr_break(&mut self, leave: &'ast ExprBreak) {
        if self.leaves(leave.label.as_ref()) {
            self.found(
                byte_range(leave),
                "Break",
                leave.label.as_ref(),
                leave.expr.is_some(),
            );
        }
        visit::visit_expr_break(self, leave);
    }

    fn visit_expr_continue(&mut self, leave: &'ast ExprContinue) {
        if self.leaves(leave.label.as_ref()) {
            self.found(byte_range(leave), "Continue", leave.label.as_ref(), false);
        }
    }

    fn visit_expr_for_loop(&mut self, cycle: &'ast ExprForLoop) {
        self.visit_expr(&cycle.expr);
        self.inside(cycle.label.as_ref(), 1, |exits| {
            exits.visit_block(&cycle.body)
        });
    }

    fn visit_expr_while(&mut self, cycle: &'ast ExprWhile) {
        self.inside(cycle.label.as_ref(), 1, |exits| {
            visit::visit_expr_while(exits, cycle)
        });
    }

    fn visit_expr_loop(&mut self, cycle: &'ast ExprLoop) {
        self.inside(cycle.label.as_ref(), 1, |exits| {
            visit::visit_expr_loop(exits, cycle)
        });
    }

    fn visit_expr_block(&mut self, block: &'ast ExprBlock) {
        self.inside(block.label.as_ref(), 0, |exits| {
            visit::visit_expr_block(exits, block)
        });
    }

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_macro(&mut self, _: &'ast Macro) {}
}
