//! Exits of loops and functions.

use super::values::values_of;
use super::{BlockKind, Change, Node, Operator};
use syn::{Expr, Lifetime, Stmt};

/// Operator that swaps `break` and `continue`, or inserts one of them or a `return`.
pub(super) const OPERATOR: Operator = Operator {
    name: "exits",
    about: "Swaps `break` and `continue`, inserts one of them before the last statement of a \
            loop, or inserts a `return` before the last statement of a function. Tests with \
            one iteration of the loop miss it.",
    before: "fn all(list: &[u8]) { for item in list { first(item); second(item); } }",
    after: &[
        "fn all(list: &[u8]) { for item in list { first(item); break; second(item); } }",
        "fn all(list: &[u8]) { for item in list { first(item); continue; second(item); } }",
    ],
    find: |node, around, found| match node {
        Node::Statement {
            statement,
            is_last: true,
            is_first: false,
            block,
        } => {
            let mut put = |text: &str| found.push(Change::before(statement, text));
            let leaves = matches!(
                statement,
                Stmt::Expr(Expr::Continue(_) | Expr::Break(_) | Expr::Return(_), _)
            );
            match block {
                BlockKind::Loop if !leaves => {
                    ["break;", "continue;"].into_iter().for_each(&mut put)
                }
                BlockKind::ValueLoop if !leaves => put("continue;"),
                BlockKind::Function if around.returns_known && !leaves => match around.returns {
                    None => put("return;"),
                    Some(returned) => {
                        let own = around.slice(*statement);
                        let value = values_of(returned)
                            .into_iter()
                            .next()
                            .filter(|value| *value != own);
                        value
                            .iter()
                            .for_each(|value| put(&format!("return {value};")));
                    }
                },
                _ => {}
            }
        }
        Node::Expression(expression @ Expr::Break(exit))
            if exit.label.as_ref().is_some_and(is_fragments) =>
        {
            let own = around.slice(*expression);
            let other = match own.contains("Broke") {
                true => own.replacen("Broke", "Continued", 1),
                false => own.replacen("Continued", "Broke", 1),
            };
            if other != own {
                found.push(Change {
                    removes_exit: true,
                    ..Change::expression(expression, other)
                });
            }
        }
        Node::Expression(expression @ Expr::Break(exit))
            if exit.label.is_none() && exit.expr.is_none() =>
        {
            found.push(Change {
                removes_exit: true,
                ..Change::expression(expression, "continue")
            });
        }
        Node::Expression(expression @ Expr::Continue(exit))
            if exit.label.is_none() && around.in_loop == Some(BlockKind::Loop) =>
        {
            found.push(Change {
                removes_exit: true,
                ..Change::expression(expression, "break")
            });
        }
        _ => {}
    },
};

/// Returns whether a label is that of a fragment's copy in a test, which records how the fragment
/// was left.
fn is_fragments(label: &Lifetime) -> bool {
    label.ident == "__situ"
}
