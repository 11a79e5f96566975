//! Visits expressions and patterns.

use super::attributes::leaves_out;
use super::{LONGEST_LIST, Walk};
use crate::mutate::operators::{BlockKind, Node, holds_let};
use crate::source::byte_range;
use situ_syntax::attributes_of;
use syn::visit;
use syn::{Arm, Expr, ExprArray, ExprCall, ExprClosure, ExprIf, ExprMethodCall, Pat, ReturnType};

/// Name in an expanded test of the whole condition under test.
const COPIED_CONDITION: &str = "__situ_cond_0";

impl Walk<'_> {
    pub(super) fn expression(&mut self, expression: &Expr) {
        let attributes = attributes_of(expression);
        if attributes.iter().any(leaves_out) || self.expanded.is_some() && chooses_row(expression) {
            return;
        }
        self.depth += 1;
        // A choice in parentheses cannot follow an attribute of the expression it replaces.
        if attributes.is_empty() {
            self.offer(&Node::Expression(expression));
        }
        self.children(expression);
        self.depth -= 1;
    }

    pub(super) fn pattern(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Guard(guarded) => {
                self.pattern(&guarded.pat);
                self.expression(&guarded.guard);
            }
            _ => {
                self.offer(&Node::Pattern(pattern));
                self.constant(|walk| visit::visit_pat(walk, pattern));
            }
        }
    }

    fn condition(&mut self, condition: &Expr, is_loop: bool) {
        if !holds_let(condition) {
            if is_loop {
                self.loop_conditions.extend(self.origin_of(condition));
            }
            self.offer(&Node::Condition { condition, is_loop });
            self.full(condition, |walk| walk.expression(condition));
        } else {
            self.expression(condition);
        }
    }

    /// Offers the mutants of a condition for its copy, which a test evaluates separately.
    pub(super) fn copied_condition(&mut self, pattern: &Pat, value: &Expr) {
        let name = match pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        let is_copy = matches!(name, Pat::Ident(name) if name.ident == COPIED_CONDITION);
        if let (true, Some(origin)) = (is_copy && !holds_let(value), self.origin_of(value)) {
            let is_loop = self.loop_conditions.contains(&origin);
            self.offer(&match self.guards.contains(&origin) {
                true => Node::Guard(value),
                false => Node::Condition {
                    condition: value,
                    is_loop,
                },
            });
        }
    }

    /// Returns the original offset of an expression, if the file is expanded.
    fn origin_of(&self, expression: &Expr) -> Option<usize> {
        self.expanded?.origin(byte_range(expression).start)
    }

    fn closure(&mut self, closure: &ExprClosure) {
        let returned = match &closure.output {
            ReturnType::Default => (None, false),
            ReturnType::Type(_, returned) => (Some((**returned).clone()), true),
        };
        self.returns.push(returned);
        let around = std::mem::take(&mut self.around);
        self.full(&closure.body, |walk| walk.expression(&closure.body));
        self.around = around;
        self.returns.pop();
    }

    /// Visits the children of an expression that are values, as opposed to places and constants.
    fn children(&mut self, expression: &Expr) {
        match expression {
            Expr::Closure(closure) => self.closure(closure),
            Expr::Async(block) => {
                self.returns.push((None, false));
                self.block(&block.block, BlockKind::Plain);
                self.returns.pop();
            }
            Expr::If(conditional) => self.conditional(conditional),
            Expr::While(repeated) => {
                self.condition(&repeated.cond, true);
                self.block(&repeated.body, BlockKind::Loop);
            }
            Expr::ForLoop(repeated) => {
                self.full(&repeated.expr, |walk| walk.expression(&repeated.expr));
                self.block(&repeated.body, BlockKind::Loop);
            }
            Expr::Loop(repeated) => self.block(&repeated.body, BlockKind::ValueLoop),
            Expr::Block(block) => {
                self.copied_block(block);
                self.block(&block.block, BlockKind::Plain);
            }
            Expr::Unsafe(block) => self.block(&block.block, BlockKind::Plain),
            Expr::Const(block) => self.constant(|walk| walk.block(&block.block, BlockKind::Plain)),
            Expr::Match(choice) => {
                self.full(&choice.expr, |walk| walk.expression(&choice.expr));
                self.arms(&choice.arms);
            }
            Expr::Repeat(repeat) => {
                self.expression(&repeat.expr);
                self.constant(|walk| walk.expression(&repeat.len));
            }
            Expr::Macro(call) => self.arguments_of(&call.mac),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Array(array) if is_long_list(array) => {
                [array.elems.first(), array.elems.last()]
                    .into_iter()
                    .flatten()
                    .for_each(|end| self.expression(end));
            }
            Expr::Unary(negative) if matches!(&*negative.expr, Expr::Lit(_)) => {
                self.expression(&negative.expr)
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn conditional(&mut self, conditional: &ExprIf) {
        self.condition(&conditional.cond, false);
        self.block(&conditional.then_branch, BlockKind::Plain);
        match conditional.else_branch.as_ref().map(|(_, other)| &**other) {
            Some(Expr::Block(block)) => self.block(&block.block, BlockKind::Plain),
            Some(nested) => self.children(nested),
            None => {}
        }
    }

    fn call(&mut self, call: &ExprCall) {
        self.expression(&call.func);
        let name = self.text[byte_range(&*call.func)]
            .rsplit("::")
            .next()
            .unwrap_or("")
            .to_owned();
        if !matches!(
            name.as_str(),
            "with_capacity" | "with_capacity_in" | "sleep"
        ) {
            call.args
                .iter()
                .for_each(|argument| self.expression(argument));
        }
    }

    fn method_call(&mut self, call: &ExprMethodCall) {
        self.copied_closure(call);
        self.expression(&call.receiver);
        let is_message = matches!(
            call.method.to_string().as_str(),
            "expect" | "expect_err" | "reserve" | "context"
        );
        if !is_message {
            call.args
                .iter()
                .for_each(|argument| self.expression(argument));
        }
    }

    fn arms(&mut self, arms: &[Arm]) {
        let is_catch_all = |arm: &Arm| match &arm.pat {
            Pat::Wild(_) => true,
            Pat::Ident(name) => {
                name.subpat.is_none()
                    && name
                        .ident
                        .to_string()
                        .starts_with(|first: char| first.is_lowercase())
            }
            _ => false,
        };
        let fallback = arms.iter().rposition(is_catch_all).unwrap_or(0);
        for (at, arm) in arms.iter().enumerate() {
            self.under(&arm.attrs, |walk| {
                walk.offer(&Node::Arm {
                    arm,
                    has_fallback: at < fallback,
                });
                if let Pat::Guard(guarded) = &arm.pat {
                    walk.guards.extend(walk.origin_of(&guarded.guard));
                    walk.offer(&Node::Guard(&guarded.guard));
                }
                walk.pattern(&arm.pat);
                walk.full(&arm.body, |walk| walk.expression(&arm.body));
            });
        }
    }
}

/// Returns whether an expression chooses between the rows of a test. There may be thousands, and
/// none is the user's code.
fn chooses_row(expression: &Expr) -> bool {
    let Expr::Match(choice) = expression else {
        return false;
    };
    let Expr::Call(call) = &*choice.expr else {
        return false;
    };
    let Expr::Path(called) = &*call.func else {
        return false;
    };
    let ends: Vec<String> = called
        .path
        .segments
        .iter()
        .rev()
        .take(2)
        .map(|part| part.ident.to_string())
        .collect();
    call.args.is_empty() && ends == ["row", "rows"]
}

/// Returns whether an array consists of literals, and is too long to mutate all of them.
fn is_long_list(array: &ExprArray) -> bool {
    array.elems.len() > LONGEST_LIST
        && array
            .elems
            .iter()
            .all(|element| matches!(element, Expr::Lit(_)))
}
