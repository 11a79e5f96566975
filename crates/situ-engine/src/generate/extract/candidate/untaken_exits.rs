//! Exits of fragments that no run took: the claims of their tests, before they are known.

use super::Candidate;
use super::claims::Claim;
use super::clauses::Comparison;
use super::statement::Statement;
use crate::generate::extract::choose::Passing;
use crate::generate::extract::compile::bisect::Trial;
use crate::generate::extract::table::rows::Group;
use crate::record::plan::Position;
use crate::source::parse_tokens_with;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_recorder::value::Value;
use situ_syntax::is_compound;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAsync, ExprClosure, Item, Stmt};

/// The type name of an unknown value.
const NOT_SEEN: &str = "not seen yet";

/// Returns groups without rows for exits that no recorded row took, for changes that none of them
/// made, and for panics, each with its claims. They have the givens of the first group.
pub(crate) fn groups_of(
    statement: &Statement,
    (base, row): (&Group, &Candidate),
    passing: &[Passing],
    next: &mut usize,
) -> Vec<(Group, Vec<Claim>)> {
    if statement.site.position != Position::Fragment {
        return Vec::new();
    }
    let seen = |row: &Passing| {
        statement.candidates[row.candidate]
            .claims
            .iter()
            .filter_map(way_of)
    };
    let seen: BTreeSet<&str> = passing.iter().flat_map(seen).collect();
    let unseen = ways_out(statement)
        .into_iter()
        .filter(|claim| !way_of(claim).is_some_and(|way| seen.contains(way)));
    let leaves = |row: &Passing| {
        statement.candidates[row.candidate]
            .claims
            .iter()
            .any(|claim| way_of(claim).is_some())
    };
    let changed = changed_places(statement, row);
    let is_through_unseen = passing.iter().all(leaves) && comes_to_an_end(statement.tokens());
    let through = if is_through_unseen {
        changed.clone()
    } else {
        Vec::new()
    };
    let is_claimed = |place: &Claim| {
        let name = |claim: &Claim| {
            if let Claim::Place(name, _) = claim {
                Some(name.clone())
            } else {
                None
            }
        };
        row.claims.iter().any(|claim| name(claim) == name(place))
    };
    let more: Vec<Claim> = changed
        .into_iter()
        .filter(|place| !is_claimed(place))
        .collect();
    let more = if more.is_empty() {
        more
    } else {
        row.claims.iter().cloned().chain(more).collect()
    };
    let group = |claims: Vec<Claim>| {
        *next += 1;
        let comparisons = claims.iter().map(Comparison::first).collect();
        let group = Group {
            number: *next,
            rows: Vec::new(),
            comparisons,
            trial: Trial::None,
            ..base.clone()
        };
        (group, claims)
    };
    // A variable assigned only on the recorded path does not exist on another one.
    let is_there = |claim: &&Claim| match claim {
        Claim::Place(name, _) => row.givens.iter().any(|(given, _)| given == name),
        _ => true,
    };
    let fewer: Vec<Claim> = row.claims.iter().filter(is_there).cloned().collect();
    let fewer = if fewer.len() < row.claims.len() {
        fewer
    } else {
        Vec::new()
    };
    let panic = vec![Claim::Panics(String::new())];
    let others = [through, more, fewer, panic]
        .into_iter()
        .filter(|claims| !claims.is_empty());
    let all = unseen.map(|claim| vec![claim]).chain(others);
    all.map(group).collect()
}

/// Returns whether code can reach its end without a value.
fn comes_to_an_end(code: TokenStream) -> bool {
    let statements = parse_tokens_with(Block::parse_within, code).unwrap_or_default();
    match statements.last() {
        Some(Stmt::Expr(last, None)) => {
            matches!(
                last,
                Expr::If(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Block(_) | Expr::Assign(_)
            )
        }
        last => last.is_some(),
    }
}

/// Returns the places that a fragment may change when it reaches its end, with their values before.
fn changed_places(statement: &Statement, candidate: &Candidate) -> Vec<Claim> {
    let changed = Changed::in_code(statement.tokens());
    // A shared reference cannot be changed through.
    let is_lent = |value: &Value| matches!(value, Value::Ref { mutable: false, .. });
    let givens = candidate
        .givens
        .iter()
        .filter(|(name, value)| changed.0.contains(name) && !is_lent(value));
    givens
        .map(|(name, value)| Claim::Place(name.clone(), value.clone()))
        .collect()
}

/// The places that code assigns, or calls methods of.
#[derive(Default)]
struct Changed(BTreeSet<String>);

impl Changed {
    fn in_code(tokens: TokenStream) -> Changed {
        let mut changed = Changed::default();
        let statements = parse_tokens_with(Block::parse_within, tokens).unwrap_or_default();
        statements
            .iter()
            .for_each(|statement| changed.visit_stmt(statement));
        changed
    }

    fn add(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => self
                .0
                .extend(path.path.get_ident().map(ToString::to_string)),
            Expr::Field(field) => {
                self.0
                    .insert(place.to_token_stream().to_string().replace(' ', ""));
                self.add(&field.base);
            }
            Expr::Index(index) => self.add(&index.expr),
            Expr::Unary(unary) => self.add(&unary.expr),
            Expr::Paren(inner) => self.add(&inner.expr),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Changed {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Assign(assigned) => self.add(&assigned.left),
            Expr::Binary(binary) if is_compound(&binary.op) => self.add(&binary.left),
            Expr::MethodCall(call) => self.add(&call.receiver),
            Expr::Reference(lent) if lent.mutability.is_some() => self.add(&lent.expr),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

/// Returns an unknown value.
pub(crate) fn not_seen() -> Value {
    let (head, args, tail) = (String::new(), Vec::new(), String::new());
    Value::Built {
        type_name: NOT_SEEN.to_owned(),
        head,
        args,
        tail,
    }
}

/// Returns whether a candidate claims an unknown value.
pub(crate) fn is_open(candidate: &Candidate) -> bool {
    candidate
        .claims
        .iter()
        .any(|claim| matches!(claim.value(), Some(Value::Built { type_name, .. }) if type_name == NOT_SEEN))
}

/// Returns the kind of early exit that a claim is about.
fn way_of(claim: &Claim) -> Option<&'static str> {
    match claim {
        Claim::Returns(_) => Some("return"),
        Claim::Shows(place, _) | Claim::Yields(place, _) if place == "returned()" => Some("return"),
        Claim::Breaks(_) => Some("break"),
        Claim::Continues(_) => Some("continue"),
        _ => None,
    }
}

/// Returns the exits of a fragment, as its source shows. Exits to labels are ignored.
fn ways_out(statement: &Statement) -> Vec<Claim> {
    let found = Found::in_code(statement.tokens());
    let all = [
        (found.returns, Claim::Returns(not_seen())),
        (found.breaks, Claim::Breaks(String::new())),
        (found.continues, Claim::Continues(String::new())),
    ];
    all.into_iter()
        .filter_map(|(is_there, claim)| is_there.then_some(claim))
        .collect()
}

#[derive(Default)]
struct Found {
    returns: bool,
    breaks: bool,
    continues: bool,
    /// The number of enclosing loops inside the fragment.
    loops: usize,
}

impl Found {
    fn in_code(tokens: TokenStream) -> Found {
        let mut found = Found::default();
        let statements = parse_tokens_with(Block::parse_within, tokens).unwrap_or_default();
        statements
            .iter()
            .for_each(|statement| found.visit_stmt(statement));
        found
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        let is_loop = matches!(
            expression,
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)
        );
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

    // These have exits of their own.
    fn visit_expr_closure(&mut self, _closure: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _async: &'ast ExprAsync) {}
    fn visit_item(&mut self, _item: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn what_is_assigned_or_asked_to_do_something_may_change() {
        let changed = |code: TokenStream| Changed::in_code(code).0.into_iter().collect::<Vec<_>>();
        assert_eq!(
            changed(quote!(a = b; c.d += e; f.push(g); h(&mut i, &j); k[l] = m;)),
            ["a", "c", "c.d", "f", "i", "k"]
        );
        assert_eq!(changed(quote!(let a = b + c; if a == b {} )), [""; 0]);
        assert!(
            comes_to_an_end(quote!(a = b;))
                && comes_to_an_end(quote!(if a {
                    return;
                }))
        );
        assert!(!comes_to_an_end(quote!(a = b; Ok(a))));
    }

    #[test]
    fn only_what_leaves_the_fragment_itself_counts() {
        let found = |code: TokenStream| {
            let found = Found::in_code(code);
            (found.returns, found.breaks, found.continues)
        };
        assert_eq!(
            found(quote!(let x = f()?; if x { continue; })),
            (true, false, true)
        );
        assert_eq!(
            found(quote!(for x in all {
                if x {
                    break;
                }
                return;
            })),
            (true, false, false)
        );
        assert_eq!(
            found(quote!(let f = |x| { return x; }; loop { continue; } break)),
            (false, true, false)
        );
        assert_eq!(
            found(quote!(if x {
                break 'outer;
            })),
            (false, false, false),
            "labels are left alone"
        );
    }
}
