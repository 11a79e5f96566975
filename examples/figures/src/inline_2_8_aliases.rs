//! Inline tests, Fig. 2.8: an iterator chain in a private function, whose result is not what the function returns.

use situ::prelude::*;

/// An expression of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A literal, which may be an alias.
    Text(String),
    /// A call of a function.
    Call(String, Vec<Expression>),
}

/// An alias that is no text.
#[derive(Debug, PartialEq)]
pub struct UnexpectedAlias(Expression);

fn text_of(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Text(text) => Some(text),
        Expression::Call(..) => None,
    }
}

/// The aliased call: its first child is the call itself, the others are its aliases.
#[situ]
fn unwrap_from_alias(children: &[Expression]) -> Result<(Expression, usize), UnexpectedAlias> {
    let aliases = children[1..]
        .iter()
        .map(|alias| text_of(alias).ok_or_else(|| UnexpectedAlias(alias.clone())))
        .collect::<Result<Vec<&str>, _>>()?;
    itest!(
        given(
            children = &[
                Expression::Call("min".to_owned(), vec![]),
                Expression::Text("smallest_price".to_owned())
            ]
        ),
        check_eq(aliases, ["smallest_price"]),
    );
    itest!(
        "an alias must be a text",
        given(
            children = &[
                Expression::Text("price".to_owned()),
                Expression::Call("count".to_owned(), vec![])
            ]
        ),
        check_err(returned()),
    );
    let call = children[0].clone();
    Ok((call, aliases.len()))
}

/// How many aliases the call has.
pub fn alias_count(children: &[Expression]) -> Result<usize, UnexpectedAlias> {
    unwrap_from_alias(children).map(|(_, count)| count)
}
