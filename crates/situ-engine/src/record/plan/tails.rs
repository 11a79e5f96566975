//! Finds the expressions that are the value of a block.

use crate::source::bare_statement_range;
use situ_syntax::{attributes_of_statement, is_conditional};
use std::ops::Range;
use syn::{Expr, Stmt};

/// Returns whether a statement is under `#[cfg(…)]`, so that it may not be compiled.
pub(super) fn may_be_missing(statement: &Stmt) -> bool {
    is_conditional(attributes_of_statement(statement))
}

/// Returns the byte ranges, without attributes, of the expressions that can be the value of a
/// block. There are several if the last ones are under `#[cfg(…)]`: `#[cfg(unix)] { 1 }
/// #[cfg(not(unix))] { 2 }`.
pub(super) fn tails_of<'s>(
    mut statements: impl DoubleEndedIterator<Item = &'s Stmt>,
) -> Vec<Range<usize>> {
    let Some(last) = statements.next_back() else {
        return Vec::new();
    };
    if !may_be_missing(last) {
        return if is_tail(last) {
            vec![bare_statement_range(last)]
        } else {
            Vec::new()
        };
    }
    let before = statements
        .rev()
        .take_while(|statement| may_be_missing(statement));
    let mut tails: Vec<Range<usize>> = [last]
        .into_iter()
        .chain(before)
        .filter(|statement| gives_value(statement))
        .map(bare_statement_range)
        .collect();
    tails.reverse();
    tails
}

/// Returns whether the value of a statement is that of its block, if it is the last one.
fn is_tail(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => false,
        Stmt::Expr(_, semicolon) => semicolon.is_none(),
        Stmt::Macro(call) => call.semi_token.is_none(),
        Stmt::Local(_) | Stmt::Item(_) => false,
    }
}

/// Returns whether a statement that need not be the last one has a value other than `()`, judged by
/// its syntax.
fn gives_value(statement: &Stmt) -> bool {
    is_tail(statement)
        && match statement {
            Stmt::Expr(Expr::If(branch), _) => branch.else_branch.is_some(),
            Stmt::Expr(Expr::ForLoop(_) | Expr::While(_) | Expr::Assign(_), _) => false,
            Stmt::Expr(Expr::Block(block), _) => block.block.stmts.last().is_some_and(gives_value),
            Stmt::Expr(Expr::Unsafe(block), _) => block.block.stmts.last().is_some_and(gives_value),
            _ => true,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_conditional_expression_at_the_end_can_be_the_value() {
        let tails = |text: &str| -> Vec<String> {
            let text = format!("{{ {text} }}");
            let block: syn::Block = syn::parse_str(&text).unwrap();
            tails_of(block.stmts.iter())
                .into_iter()
                .map(|range| text[range].to_owned())
                .collect()
        };
        assert_eq!(tails("a(); b()"), ["b()"]);
        assert_eq!(tails("a(); b();"), [""; 0]);
        assert_eq!(
            tails("if a { 1 } else { 2 } #[cfg(x)] { 3 } #[cfg(y)] return 4; #[cfg(z)] m!(5)"),
            ["{ 3 }", "m!(5)"]
        );
        assert_eq!(
            tails("#[cfg(x)] let a = 1; #[cfg(x)] { a } #[cfg(y)] { 2 }"),
            ["{ a }", "{ 2 }"]
        );
        assert_eq!(
            tails("#[allow(x)] match a { _ => 1 }"),
            ["match a { _ => 1 }"]
        );
        assert_eq!(tails("return 1"), [""; 0]);
        assert_eq!(
            tails("#[cfg(x)] if a { b() } #[cfg(x)] { b(); } #[cfg(x)] for a in b {} #[cfg(y)] 1"),
            ["1"]
        );
    }
}
