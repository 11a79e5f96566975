//! Calls that decide a condition, mocked with the other result: a branch may be open because a
//! function never returns that for any input.

use crate::generate::extract::candidate::Candidate;
use crate::generate::mocks::found_calls::Calls;
use crate::generate::mocks::shapes::{open_shape, shape, without_spaces};
use crate::generate::mocks::{Mock, PlacedMock, is_only_in_mocks};
use crate::source::parse_tokens_with;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_recorder::value::Value;
use situ_syntax::source_text;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprIf, ExprWhile, Item, UnOp};

/// The maximum number of such calls of one fragment.
const MAX_CALLS: usize = 4;

/// Returns the candidate with such calls mocked, for each of them with both results; inputs that
/// only they use are dropped.
pub(crate) fn decided_otherwise(candidate: &Candidate, tokens: &TokenStream) -> Vec<Candidate> {
    let Some(calls) = Calls::of(tokens) else {
        return Vec::new();
    };
    let is_mocked = |call: &str| {
        candidate
            .mocks
            .iter()
            .any(|mock| without_spaces(&mock.call) == without_spaces(call))
    };
    let deciding = Deciding::in_code(tokens.clone()).0;
    let deciding = deciding
        .into_iter()
        .filter(|(call, _)| !is_mocked(call))
        .take(MAX_CALLS);
    let mut all = Vec::new();
    for (call, is_repeated) in deciding {
        // A loop whose condition always has the same value does not end.
        let answers = if is_repeated {
            [vec![true, false], vec![false, true]]
        } else {
            [vec![true], vec![false]]
        };
        for answers in answers {
            let values = answers.into_iter().map(Value::Bool).collect();
            let mut placed = [PlacedMock::of(Mock {
                call: call.clone(),
                values,
                may_vary: false,
            })];
            calls.place(&mut placed);
            let mut other = Candidate {
                is_near: true,
                ..candidate.clone()
            };
            other
                .givens
                .retain(|(name, _)| !is_only_in_mocks(name, &placed, tokens));
            let [placed] = placed;
            other.mocks.push(placed.mock);
            all.push(other);
        }
    }
    all
}

/// Calls of functions and of methods of `self` in conditions, and whether the condition is a
/// loop's.
#[derive(Default)]
struct Deciding(BTreeSet<(String, bool)>);

impl Deciding {
    fn in_code(tokens: TokenStream) -> Deciding {
        let mut deciding = Deciding::default();
        let statements = parse_tokens_with(Block::parse_within, tokens).unwrap_or_default();
        statements
            .iter()
            .for_each(|statement| deciding.visit_stmt(statement));
        deciding
    }

    fn add(&mut self, condition: &Expr, is_repeated: bool) {
        match condition {
            Expr::Paren(inner) => self.add(&inner.expr, is_repeated),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Not(_)) => {
                self.add(&inner.expr, is_repeated)
            }
            Expr::Binary(both) if matches!(both.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.add(&both.left, is_repeated);
                self.add(&both.right, is_repeated);
            }
            call if is_own(call) => {
                let text = source_text(&call.to_token_stream());
                let open = shape(&text).ok().and_then(|shape| open_shape(&shape));
                self.0.extend(open.map(|open| (open, is_repeated)));
            }
            _ => {}
        }
    }
}

/// Returns whether it calls a function by its name, or a method of `self`: methods of inputs can be
/// influenced by other inputs.
fn is_own(call: &Expr) -> bool {
    match call {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
                last.arguments.is_none()
                    && last
                        .ident
                        .to_string()
                        .starts_with(|first: char| first.is_lowercase())
            }),
            _ => false,
        },
        Expr::MethodCall(call) => {
            matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"))
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Deciding {
    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        self.add(&branch.cond, false);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, cycle: &'ast ExprWhile) {
        self.add(&cycle.cond, true);
        visit::visit_expr_while(self, cycle);
    }

    // These are other functions.
    fn visit_item(&mut self, _item: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_own_methods_in_conditions_decide() {
        let code = "while !is_boundary(doc, pos - adjust) { adjust += 1; }
            if (self.is_done() && text.is_empty()) || Some(x) == y { f(x); }
            fn inner() { if g() {} }";
        let found: Vec<(String, bool)> = Deciding::in_code(code.parse().unwrap())
            .0
            .into_iter()
            .collect();
        let found: Vec<(&str, bool)> = found
            .iter()
            .map(|(call, is_repeated)| (call.as_str(), *is_repeated))
            .collect();
        assert_eq!(
            found,
            [("is_boundary(..)", true), ("self.is_done()", false)]
        );
    }

    #[test]
    fn what_only_the_call_was_given_is_left_out() {
        let code: TokenStream = "while !is_boundary(doc, pos) { pos += 1; }"
            .parse()
            .unwrap();
        let of = |name: &str| (name.to_owned(), Value::Bool(true));
        let candidate = Candidate {
            givens: vec![of("doc"), of("pos")],
            ..Candidate::default()
        };
        let made = decided_otherwise(&candidate, &code);
        assert_eq!(made.len(), 2);
        assert!(
            made.iter()
                .all(|made| made.givens == [of("pos")] && made.mocks[0].values.len() == 2),
            "{made:?}"
        );
    }
}
