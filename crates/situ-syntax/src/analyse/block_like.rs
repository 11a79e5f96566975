//! Expressions that end in a block.

use syn::Expr;

/// Returns whether an expression ends in a block, so that it can stand as a statement without a semicolon and needs
/// parentheses as an operand.
pub fn is_block_like(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::TryBlock(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}
