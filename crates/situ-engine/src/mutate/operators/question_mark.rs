//! The question mark.

use super::{Change, Node, Operator};
use syn::{Expr, Stmt, Type};

/// An error that nobody looks at.
pub const OPERATOR: Operator = Operator {
    name: "question_mark",
    about: "The `?` of a statement is left out, so that its error is ignored. Tests without that error do not notice.",
    before: "fn save(x: &X) -> Result<(), E> { x.write()?; x.done() }",
    after: &["fn save(x: &X) -> Result<(), E> { let _ = x.write(); x.done() }"],
    find: |node, around, found| {
        let Node::Statement { statement: statement @ Stmt::Expr(Expr::Try(asked), Some(_)), .. } = node else { return };
        if around.returns.is_some_and(is_formatting) {
            return;
        }
        let text = format!("let _ = {};", around.slice(&*asked.expr));
        found.push(Change { removes_exit: true, ..Change::statement(statement, text) });
    },
};

/// Writing to a formatter does not fail in practice.
fn is_formatting(returned: &Type) -> bool {
    let text = quote::quote!(#returned).to_string().replace(' ', "");
    text.ends_with("fmt::Result") || text.contains("fmt::Error")
}
