//! On which side of each other the operands of comparisons are, as far as their text and the inputs tell.

use super::candidate::Candidate;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_rt::value::Value;
use std::cmp::Ordering;
use syn::parse::Parser as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprBinary, ExprClosure, Item, Lit, Member, UnOp};

/// The comparisons in a statement, in order, each by its two sides.
#[derive(Default)]
pub struct Comparisons(Vec<(Expr, Expr)>);

impl Comparisons {
    /// Those in the text of a statement or condition.
    pub fn of(statement: &TokenStream) -> Comparisons {
        let mut found = Comparisons::default();
        match syn::parse2::<Expr>(statement.clone()) {
            Ok(expression) => found.visit_expr(&expression),
            Err(_) => {
                let statements = Block::parse_within.parse2(statement.clone()).unwrap_or_default();
                statements.iter().for_each(|statement| found.visit_stmt(statement));
            }
        }
        found
    }

    /// How the left side of each compares with the right one with these inputs, where that can be told.
    pub fn sides(&self, candidate: &Candidate) -> Vec<Option<Ordering>> {
        let inputs = Inputs(candidate);
        let side = |(left, right): &(Expr, Expr)| Some(inputs.number(left)?.cmp(&inputs.number(right)?));
        self.0.iter().map(side).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl<'ast> Visit<'ast> for Comparisons {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if matches!(binary.op, Lt(_) | Le(_) | Gt(_) | Ge(_) | Eq(_) | Ne(_)) {
            self.0.push(((*binary.left).clone(), (*binary.right).clone()));
        }
        visit::visit_expr_binary(self, binary);
    }

    // What they are called with is not known here.
    fn visit_expr_closure(&mut self, _closure: &'ast ExprClosure) {}
    fn visit_item(&mut self, _item: &'ast Item) {}
}

struct Inputs<'c>(&'c Candidate);

impl Inputs<'_> {
    /// A number or letter that an expression has with these inputs.
    fn number(&self, expression: &Expr) -> Option<i128> {
        match expression {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok(),
                Lit::Byte(byte) => Some(i128::from(byte.value())),
                Lit::Char(letter) => Some(i128::from(u32::from(letter.value()))),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.number(&unary.expr)?.checked_neg(),
            Expr::Paren(inner) => self.number(&inner.expr),
            _ => number_of(self.value(expression)?),
        }
    }

    /// What an input, a field of one, or a call that a value stands for is. A length is that of its text or list.
    fn value(&self, expression: &Expr) -> Option<Value> {
        let text = expression.to_token_stream().to_string().replace(' ', "");
        let is_it = |name: &str| name.replace(' ', "") == text;
        let given = self.0.givens.iter().find(|(name, _)| is_it(name)).map(|(_, value)| value);
        let stood_for = || self.0.mocks.iter().find(|mock| is_it(&mock.call)).and_then(|mock| mock.values.first());
        if let Some(known) = given.or_else(stood_for) {
            return Some(known.behind_references().clone());
        }
        match expression {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.value(&unary.expr),
            Expr::Reference(reference) => self.value(&reference.expr),
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Field(field) => {
                let Value::Struct { fields, .. } = self.value(&field.base)? else { return None };
                let name = match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(number) => number.index.to_string(),
                };
                fields.iter().find(|(own, _)| *own == name).map(|(_, value)| value.behind_references().clone())
            }
            Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                let length = match self.value(&call.receiver)? {
                    Value::Str(text) => text.len(),
                    Value::Seq { items, .. } => items.len(),
                    _ => return None,
                };
                Some(Value::Int { type_name: "usize", bits: length as u128 })
            }
            _ => None,
        }
    }
}

fn number_of(value: Value) -> Option<i128> {
    match value {
        Value::Int { type_name, bits } if type_name.starts_with('i') => Some(bits as i128),
        Value::Int { bits, .. } => i128::try_from(bits).ok(),
        Value::Char(letter) => Some(i128::from(u32::from(letter))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use situ_rt::value::{SeqKind, Shape};

    fn candidate(givens: &[(&str, Value)]) -> Candidate {
        let givens = givens.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Candidate { givens, ..Candidate::default() }
    }

    fn number(bits: i128) -> Value {
        Value::Int { type_name: "i64", bits: bits as u128 }
    }

    fn sides(statement: &TokenStream, candidate: &Candidate) -> Vec<Ordering> {
        Comparisons::of(statement).sides(candidate).into_iter().flatten().collect()
    }

    #[test]
    fn operands_that_inputs_and_text_tell_are_compared() {
        let text = Value::Ref { mutable: false, inner: Box::new(Value::Str("abc".to_owned())) };
        let one = candidate(&[("a", number(-3)), ("b", number(5)), ("c", Value::Char('%')), ("text", text)]);
        let of = |statement| sides(&statement, &one);
        assert_eq!(of(quote!(a < b && *c == '%')), [Ordering::Less, Ordering::Equal]);
        assert_eq!(of(quote!(let is = text.len() > 2 || a == -3;)), [Ordering::Greater, Ordering::Equal]);
        assert_eq!(of(quote!(f(a) < b)), [], "a call is not known");
        assert_eq!(of(quote!(all.iter().any(|a| *a == 3))), [], "a parameter of the same name");
    }

    #[test]
    fn fields_and_calls_that_values_stand_for_are_known() {
        let items = Value::Seq { kind: SeqKind::Vec, type_name: String::new(), items: vec![number(1)] };
        let fields = vec![("items".to_owned(), items), ("most".to_owned(), number(2))];
        let own = Value::Struct { type_name: "mine::Own".to_owned(), variant: None, shape: Shape::Named, fields };
        assert_eq!(sides(&quote!(self.items.len() >= self.most), &candidate(&[("self", own)])), [Ordering::Less]);
        assert_eq!(sides(&quote!(self.most == 2), &candidate(&[("self.most", number(2))])), [Ordering::Equal]);
    }
}
