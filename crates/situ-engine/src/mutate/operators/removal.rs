//! Statements.

use super::question_mark::operand_of_question;
use super::{Change, Node, Operator};
use crate::source::byte_range;
use situ_syntax::kind_of_macro;
use syn::{Expr, Macro, Stmt};

/// Operator that removes a statement.
pub(super) const OPERATOR: Operator = Operator {
    name: "removal",
    about: "Removes a statement: a call, an assignment, a loop, a `match`, an exit. Tests \
            that do not check its effect miss it.",
    before: "fn add(list: &mut Vec<u8>) { list.push(ONE); list.sort() }",
    after: &["fn add(list: &mut Vec<u8>) {  list.sort() }"],
    find: |node, _, found| {
        let Node::Statement {
            statement, is_last, ..
        } = node
        else {
            return;
        };
        let removes_exit = match statement {
            Stmt::Expr(expression, semicolon) => {
                if (semicolon.is_none() && *is_last) || !worth_removing(expression) {
                    return;
                }
                leaves(expression)
            }
            Stmt::Macro(call) => {
                if (call.semi_token.is_none() && *is_last) || is_noise(&call.mac) {
                    return;
                }
                true
            }
            _ => return,
        };
        let change = Change {
            removes_exit,
            ..Change::statement(statement, "")
        };
        // In a test's copy, a statement with `?` starts with the code that records the exit, so the
        // operand's start is used.
        let operand = match statement {
            Stmt::Expr(expression, _) => operand_of_question(expression),
            _ => None,
        };
        found.push(match operand {
            Some((operand, _)) => change.at(byte_range(operand).start),
            None => change,
        });
    },
};

fn worth_removing(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(call) => !is_hint(&call.method.to_string()),
        Expr::Macro(call) => !is_noise(&call.mac),
        Expr::Call(_) | Expr::Assign(_) | Expr::Binary(_) | Expr::ForLoop(_) | Expr::While(_) => {
            true
        }
        Expr::Match(_) | Expr::Loop(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
            true
        }
        Expr::Try(_) | Expr::Await(_) => true,
        // Mock of a call in a test's copy.
        Expr::Paren(inner) => matches!(*inner.expr, Expr::Match(_)),
        Expr::If(conditional) => {
            conditional.else_branch.is_some() || super::holds_let(&conditional.cond)
        }
        _ => false,
    }
}

/// Returns whether a method only saves time or memory.
pub(super) fn is_hint(method: &str) -> bool {
    matches!(
        method,
        "reserve" | "reserve_exact" | "shrink_to_fit" | "shrink_to" | "flush"
    )
}

/// Returns whether tests cannot be expected to detect that a macro call is missing.
pub fn is_noise(call: &Macro) -> bool {
    const NOISE: &[&str] = &[
        "trace",
        "debug",
        "info",
        "warn",
        "error",
        "log",
        "event",
        "span",
        "println",
        "eprintln",
        "print",
        "eprint",
        "dbg",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "macro_rules",
    ];
    kind_of_macro(call).is_some()
        || call
            .path
            .segments
            .last()
            .is_some_and(|last| NOISE.contains(&last.ident.to_string().as_str()))
}

fn leaves(expression: &Expr) -> bool {
    struct Exits(bool);
    impl<'ast> syn::visit::Visit<'ast> for Exits {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            self.0 |= matches!(
                expression,
                Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_)
            );
            self.0 |= matches!(expression, Expr::Loop(_) | Expr::Assign(_));
            syn::visit::visit_expr(self, expression);
        }
    }
    let mut exits = Exits(false);
    syn::visit::Visit::visit_expr(&mut exits, expression);
    exits.0
}
