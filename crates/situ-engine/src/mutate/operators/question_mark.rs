//! The `?` operator.

use super::{Change, Node, Operator};
use crate::source::byte_range;
use syn::{Expr, Stmt, Type};

/// Operator that removes the `?` of a statement, so that its error is ignored.
pub(super) const OPERATOR: Operator = Operator {
    name: "question_mark",
    about: "Removes the `?` of a statement, so that its error is ignored. Tests without that \
            error miss it.",
    before: "fn save(x: &X) -> Result<(), E> { x.write()?; x.done() }",
    after: &["fn save(x: &X) -> Result<(), E> { let _ = x.write(); x.done() }"],
    find: |node, around, found| {
        let Node::Statement {
            statement: statement @ Stmt::Expr(expression, Some(_)),
            ..
        } = node
        else {
            return;
        };
        let Some((operand, at)) = operand_of_question(expression) else {
            return;
        };
        if around.returns.is_some_and(is_formatting) {
            return;
        }
        let text = format!("let _ = {};", around.slice(operand));
        found.push(
            Change {
                removes_exit: true,
                ..Change::statement(statement, text)
            }
            .at(at),
        );
    },
};

/// Returns the operand of a `?`, and the offset of the operator. In a test's copy of a fragment,
/// the `?` was rewritten to a `match` that records how the fragment was left.
pub(super) fn operand_of_question(expression: &Expr) -> Option<(&Expr, usize)> {
    match expression {
        Expr::Try(question) => Some((&question.expr, byte_range(&question.question_token).start)),
        Expr::Match(rewritten) => {
            let Expr::Call(call) = &*rewritten.expr else {
                return None;
            };
            let Expr::Path(function) = &*call.func else {
                return None;
            };
            let path: Vec<String> = function
                .path
                .segments
                .iter()
                .map(|part| part.ident.to_string())
                .collect();
            let is_ours = path == ["situ", "rt", "Ask", "ask"];
            Some((
                call.args.first().filter(|_| is_ours)?,
                byte_range(rewritten).start,
            ))
        }
        _ => None,
    }
}

/// Returns whether a type is the result of formatting, which does not fail in practice.
fn is_formatting(returned: &Type) -> bool {
    let text = quote::quote!(#returned).to_string().replace(' ', "");
    text.ends_with("fmt::Result") || text.contains("fmt::Error")
}
