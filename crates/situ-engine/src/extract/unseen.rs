//! Ways out of fragments that no run took: what their tests would claim, before it is seen.

use super::candidate::Candidate;
use super::choose::Passing;
use super::claims::Claim;
use super::clauses::Comparison;
use super::rows::Group;
use super::statement::Statement;
use super::trials::Trial;
use crate::record::plan::Position;
use proc_macro2::TokenStream;
use situ_rt::value::Value;
use std::collections::BTreeSet;
use syn::parse::Parser as _;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAsync, ExprClosure, Item};

/// The type of a value that is not known yet.
const NOT_SEEN: &str = "not seen yet";

/// A group without rows, for those that leave in a way that no recorded row took.
pub fn groups_of(statement: &Statement, base: &Group, passing: &[Passing], next: &mut usize) -> Vec<(Group, Claim)> {
    if statement.site.position != Position::Fragment {
        return Vec::new();
    }
    let seen = |row: &Passing| statement.candidates[row.candidate].claims.iter().filter_map(way_of);
    let seen: BTreeSet<&str> = passing.iter().flat_map(seen).collect();
    let unseen = ways_out(statement).into_iter().filter(|claim| !way_of(claim).is_some_and(|way| seen.contains(way)));
    let group = |claim: Claim| {
        *next += 1;
        let comparisons = vec![Comparison::first(&claim)];
        let group = Group { number: *next, rows: Vec::new(), comparisons, trial: Trial::None, ..base.clone() };
        (group, claim)
    };
    unseen.map(group).collect()
}

/// Whether a candidate claims something that is not seen yet.
pub fn is_open(candidate: &Candidate) -> bool {
    candidate
        .claims
        .iter()
        .any(|claim| matches!(claim.value(), Some(Value::Built { type_name, .. }) if type_name == NOT_SEEN))
}

/// How a claim says that a fragment leaves early.
fn way_of(claim: &Claim) -> Option<&'static str> {
    match claim {
        Claim::Returns(_) => Some("return"),
        Claim::Shows(place, _) if place == "returned()" => Some("return"),
        Claim::Breaks(_) => Some("break"),
        Claim::Continues(_) => Some("continue"),
        _ => None,
    }
}

/// The ways by which a fragment can leave, as its text tells. Exits to labels are left alone.
fn ways_out(statement: &Statement) -> Vec<Claim> {
    let found = Found::in_code(statement.tokens());
    let (head, args, tail) = (String::new(), Vec::new(), String::new());
    let returned = Claim::Returns(Value::Built { type_name: NOT_SEEN.to_owned(), head, args, tail });
    let all = [
        (found.returns, returned),
        (found.breaks, Claim::Breaks(String::new())),
        (found.continues, Claim::Continues(String::new())),
    ];
    all.into_iter().filter_map(|(is_there, claim)| is_there.then_some(claim)).collect()
}

#[derive(Default)]
struct Found {
    returns: bool,
    breaks: bool,
    continues: bool,
    /// How many loops of the fragment are around.
    loops: usize,
}

impl Found {
    fn in_code(tokens: TokenStream) -> Found {
        let mut found = Found::default();
        let statements = Block::parse_within.parse2(tokens).unwrap_or_default();
        statements.iter().for_each(|statement| found.visit_stmt(statement));
        found
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        let is_loop = matches!(expression, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
        match expression {
            Expr::Return(_) | Expr::Try(_) => self.returns = true,
            Expr::Break(of) if self.loops == 0 => self.breaks |= of.label.is_none(),
            Expr::Continue(of) if self.loops == 0 => self.continues |= of.label.is_none(),
            _ => {}
        }
        self.loops += usize::from(is_loop);
        visit::visit_expr(self, expression);
        self.loops -= usize::from(is_loop);
    }

    // These have their own ways out.
    fn visit_expr_closure(&mut self, _closure: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _async: &'ast ExprAsync) {}
    fn visit_item(&mut self, _item: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn only_what_leaves_the_fragment_itself_counts() {
        let found = |code: TokenStream| {
            let found = Found::in_code(code);
            (found.returns, found.breaks, found.continues)
        };
        assert_eq!(found(quote!(let x = f()?; if x { continue; })), (true, false, true));
        assert_eq!(
            found(quote!(for x in all {
                if x {
                    break;
                }
                return;
            })),
            (true, false, false)
        );
        assert_eq!(found(quote!(let f = |x| { return x; }; loop { continue; } break)), (false, true, false));
        assert_eq!(
            found(quote!(if x {
                break 'outer;
            })),
            (false, false, false),
            "labels are left alone"
        );
    }
}
