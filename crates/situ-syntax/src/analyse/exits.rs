//! The exits of a piece of code.

use crate::macros::{Arguments, always_panics, may_leave};
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprAsync, ExprAwait, ExprBlock, ExprBreak, ExprClosure, ExprContinue, ExprForLoop,
    ExprLoop, ExprReturn, ExprTry, ExprWhile, Item, Lifetime, Macro,
};

/// The exits that occur.
#[derive(Default)]
pub struct Exits {
    /// `return`
    pub returns: bool,
    /// `?`
    pub asks: bool,
    /// `break`s of a loop outside, with their labels
    pub breaks: Vec<Option<String>>,
    /// `continue`s of a loop outside, with their labels
    pub continues: Vec<Option<String>>,
    /// `panic!` and its like
    pub panics: bool,
    /// a macro that may do any of these
    pub unknown: bool,
    /// where the first of them is
    pub first: Option<Span>,
    /// `.await`, which is no exit
    pub awaits: bool,
    loops: usize,
    labels: Vec<Lifetime>,
}

impl Exits {
    /// Returns the exits of the code that `visit` traverses.
    pub fn of(visit: impl FnOnce(&mut Exits)) -> Exits {
        let mut exits = Exits::default();
        visit(&mut exits);
        exits
    }

    /// Returns whether there is a visible exit.
    pub fn can_leave(&self) -> bool {
        self.returns
            || self.asks
            || !self.breaks.is_empty()
            || !self.continues.is_empty()
            || self.panics
    }

    /// Returns whether `return` or `?` occurs.
    pub fn can_return(&self) -> bool {
        self.returns || self.asks
    }

    fn leaves_loop(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => !self.labels.contains(label),
            None => self.loops == 0,
        }
    }

    fn in_loop(&mut self, label: Option<&syn::Label>, visit: impl FnOnce(&mut Self)) {
        let depth = self.labels.len();
        self.labels.extend(label.map(|label| label.name.clone()));
        self.loops += 1;
        visit(self);
        self.loops -= 1;
        self.labels.truncate(depth);
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr_return(&mut self, return_: &'ast ExprReturn) {
        self.returns = true;
        self.first.get_or_insert(return_.return_token.span);
        visit::visit_expr_return(self, return_);
    }

    fn visit_expr_try(&mut self, try_: &'ast ExprTry) {
        self.asks = true;
        self.first.get_or_insert(try_.question_token.span);
        visit::visit_expr_try(self, try_);
    }

    fn visit_expr_await(&mut self, await_: &'ast ExprAwait) {
        self.awaits = true;
        visit::visit_expr_await(self, await_);
    }

    fn visit_expr_break(&mut self, break_: &'ast ExprBreak) {
        if self.leaves_loop(break_.label.as_ref()) {
            self.first.get_or_insert(break_.break_token.span);
            self.breaks
                .push(break_.label.as_ref().map(|label| label.ident.to_string()));
        }
        visit::visit_expr_break(self, break_);
    }

    fn visit_expr_continue(&mut self, continue_: &'ast ExprContinue) {
        if self.leaves_loop(continue_.label.as_ref()) {
            self.first.get_or_insert(continue_.continue_token.span);
            self.continues.push(
                continue_
                    .label
                    .as_ref()
                    .map(|label| label.ident.to_string()),
            );
        }
    }

    fn visit_expr_for_loop(&mut self, for_: &'ast ExprForLoop) {
        self.visit_expr(&for_.expr);
        self.in_loop(for_.label.as_ref(), |this| this.visit_block(&for_.body));
    }

    fn visit_expr_while(&mut self, while_: &'ast ExprWhile) {
        self.in_loop(while_.label.as_ref(), |this| {
            visit::visit_expr_while(this, while_)
        });
    }

    fn visit_expr_loop(&mut self, loop_: &'ast ExprLoop) {
        self.in_loop(loop_.label.as_ref(), |this| this.visit_block(&loop_.body));
    }

    fn visit_expr_block(&mut self, block: &'ast ExprBlock) {
        let depth = self.labels.len();
        self.labels
            .extend(block.label.as_ref().map(|label| label.name.clone()));
        self.visit_block(&block.block);
        self.labels.truncate(depth);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if crate::grammar::kind_of_macro(call).is_some() {
            return;
        }
        self.panics |= always_panics(call);
        self.unknown |= may_leave(call);
        let arguments = Arguments::of(call);
        for expression in arguments.iter().flat_map(Arguments::expressions) {
            Visit::visit_expr(self, expression);
        }
    }

    // These have a `return` of their own, which does not leave the surrounding code.
    fn visit_expr_closure(&mut self, _closure: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _async: &'ast ExprAsync) {}
    fn visit_item(&mut self, _item: &'ast Item) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        visit::visit_expr(self, expression);
    }
}
