//! Marks at the branches of a function. A statement's record contains the marks of the branches
//! that it took.

use super::in_situ::is_inline_test;
use super::walk::Walk;
use super::{Branch, Insertion};
use crate::source::{bare_range, behind_attributes, byte_range};
use syn::{Block, Expr, ExprIf};

/// Prefix of the keys of pieces that are marks.
pub(super) const KEY: &str = "mark ";

impl Walk<'_, '_> {
    /// Inserts a mark at the start of a block.
    pub(super) fn mark(&mut self, block: &Block) {
        let inside = byte_range(&block.brace_token.span.join());
        let tests = block
            .stmts
            .iter()
            .take_while(|statement| is_inline_test(statement))
            .last();
        let at = tests.map_or(inside.start + 1, |test| byte_range(test).end);
        let (text, piece) = self.mark_text(at);
        self.planner
            .insertions
            .push(Insertion::statement_before(&(at..at), text, piece));
    }

    fn mark_text(&mut self, at: usize) -> (String, usize) {
        let id = self.planner.identity(&self.function.clone(), "mark") as u32;
        self.planner.branches.push(Branch {
            mark: id.max(1),
            at,
        });
        let piece = self.planner.piece(format!("{KEY}{id:x}"), None, None);
        (format!(" ::situ_recorder::marks::mark({id:#x}); "), piece)
    }

    /// Inserts a mark around an expression that is a branch.
    pub(super) fn mark_expression(&mut self, expression: &Expr) {
        if let Expr::Block(block) = expression
            && block.label.is_none()
            && block.attrs.is_empty()
        {
            return self.mark(&block.block);
        }
        let node = bare_range(expression);
        let layer = self.planner.layer();
        let (text, piece) = self.mark_text(node.start);
        self.planner
            .insertions
            .push(Insertion::before(&node, layer, format!("{{{text}"), piece));
        self.planner
            .insertions
            .push(Insertion::after(&node, layer, " }", piece));
    }

    /// Inserts an `else` with a mark, because skipping an `if` is a path through a fragment too.
    pub(super) fn mark_missing_else(&mut self, branch: &ExprIf) {
        let node = behind_attributes(branch, &branch.attrs);
        let layer = self.planner.layer();
        let (text, piece) = self.mark_text(node.end - 1);
        self.planner.insertions.push(Insertion::after(
            &node,
            layer,
            format!(" else {{{text}}}"),
            piece,
        ));
    }
}
