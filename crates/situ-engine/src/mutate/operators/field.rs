//! Fields of struct expressions.

use super::{Change, Node, Operator};
use crate::source::byte_range;
use syn::Expr;

/// Operator that removes a field of a struct expression with a base.
pub(super) const OPERATOR: Operator = Operator {
    name: "field",
    about: "Removes a field of a struct expression with a base, so that the base's value is \
            used. Tests whose base has the same value miss it.",
    before: "fn wide() -> Style { Style { width: WIDE, ..Style::default() } }",
    after: &["fn wide() -> Style { Style { ..Style::default() } }"],
    find: |node, around, found| {
        let Node::Expression(expression @ Expr::Struct(literal)) = node else {
            return;
        };
        let Some(dots) = literal.dot2_token.filter(|_| literal.rest.is_some()) else {
            return;
        };
        let whole = byte_range(*expression);
        let ends = literal
            .fields
            .iter()
            .skip(1)
            .map(|next| byte_range(next).start);
        let ends = ends.chain([byte_range(&dots).start]);
        for (field, end) in literal.fields.iter().zip(ends) {
            let start = byte_range(field).start;
            let text = format!(
                "{}{}",
                &around.text[whole.start..start],
                &around.text[end..whole.end]
            );
            found.push(Change::expression(expression, text).at(start));
        }
    },
};
