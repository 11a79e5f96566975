//! Search for the target of a `closuretest!`.

use super::{Found, Fragment, Leaving, Target, statements_as_fragment};
use crate::grammar::{TestCall, is_test_statement};
use crate::macros::Arguments;
use crate::mistakes::Mistakes;
use crate::surroundings::{Spot, pattern_names};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprClosure, Item, Local, Macro, Pat, Stmt, Type};

/// A closure of a statement.
struct ClosureFound {
    /// The variable that it is bound to.
    name: Option<String>,
    closure: ExprClosure,
    /// Parameters of the enclosing closures.
    outer: Vec<(Ident, Option<Type>)>,
}

#[derive(Default)]
struct Closures {
    all: Vec<ClosureFound>,
    bound_to: Option<String>,
    outer: Vec<(Ident, Option<Type>)>,
}

impl<'ast> Visit<'ast> for Closures {
    fn visit_local(&mut self, local: &'ast Local) {
        let pattern = match &local.pat {
            Pat::Type(typed) => &typed.pat,
            other => other,
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init)
            && matches!(&*init.expr, Expr::Closure(_))
        {
            self.bound_to = Some(name.ident.to_string());
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        let name = self.bound_to.take();
        self.all.push(ClosureFound {
            name,
            closure: closure.clone(),
            outer: self.outer.clone(),
        });
        let before = self.outer.len();
        for input in &closure.inputs {
            let (pattern, ty) = match input {
                Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
                other => (other, None),
            };
            // The type of a pattern is that of its variable only if it is a plain identifier.
            let ty = ty.filter(|_| matches!(pattern, Pat::Ident(_)));
            self.outer.extend(
                pattern_names(pattern)
                    .into_iter()
                    .map(|name| (name, ty.clone())),
            );
        }
        visit::visit_expr_closure(self, closure);
        self.outer.truncate(before);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let arguments = Arguments::of(call);
        for expression in arguments.iter().flat_map(Arguments::expressions) {
            Visit::visit_expr(self, expression);
        }
    }

    fn visit_item(&mut self, _item: &'ast Item) {}
}

/// Returns the closures of a statement in the order in which `closuretest!` counts them, with the
/// variable that each is bound to.
pub fn closures_of(statement: &Stmt) -> Vec<(ExprClosure, Option<String>)> {
    let mut closures = Closures::default();
    closures.visit_stmt(statement);
    closures
        .all
        .into_iter()
        .map(|found| (found.closure, found.name))
        .collect()
}

/// Returns the closure of the next statement that the clauses select.
pub fn closure_target<'a>(
    call: &TestCall,
    spot: Spot<'a>,
    leaving: Leaving,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    let next = spot.statements[spot.index..]
        .iter()
        .find(|statement| !is_test_statement(statement));
    let Some(statement) = next else {
        mistakes
            .add(call.span, "there is no statement after this `closuretest!`; put it before the one with the closure");
        return None;
    };
    let mut closures = Closures::default();
    closures.visit_stmt(statement);
    let ClosureFound { closure, outer, .. } = choose(call, closures, mistakes)?;
    let args = call.clauses.args.as_deref().unwrap_or_default();
    if closure.inputs.len() != args.len() {
        let takes = match closure.inputs.len() {
            1 => "one argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let message = format!(
            "this closure takes {takes} and the test gives {}; write `args(…)` with one value for each",
            args.len()
        );
        let surplus = args.get(closure.inputs.len()).map(Spanned::span);
        mistakes.add(surplus.unwrap_or(call.span), message);
        return None;
    }
    // A closure may return although no clause says so.
    let leaving = if matches!(leaving, Leaving::Through | Leaving::Value) {
        Leaving::Return
    } else {
        leaving
    };
    let fragment = body_as_fragment(&closure.body);
    let tokens = closure.to_token_stream();
    let found = Found::new(Target::Closure(closure, fragment), &[], leaving, tokens);
    Some(Found {
        outer_parameters: outer,
        ..found
    })
}

fn choose(call: &TestCall, closures: Closures, mistakes: &mut Mistakes) -> Option<ClosureFound> {
    if let (Some(of), Some(nth)) = (&call.clauses.of, &call.clauses.nth) {
        mistakes.add(
            nth.span(),
            format!("`of({of})` says which closure already; remove `nth`"),
        );
        return None;
    }
    if let Some(of) = &call.clauses.of {
        let named = closures
            .all
            .into_iter()
            .find(|found| found.name.as_deref() == Some(&of.to_string()));
        if named.is_none() {
            mistakes.add(
                of.span(),
                format!(
                    "the next statement binds no closure to `{of}`; write `nth(1)` or move the test"
                ),
            );
        }
        return named;
    }
    let nth: usize = call
        .clauses
        .nth
        .as_ref()
        .map_or(Ok(1), syn::LitInt::base10_parse)
        .unwrap_or(1);
    let many = closures.all.len();
    let found = closures.all.into_iter().nth(nth - 1);
    if found.is_none() {
        let span = call
            .clauses
            .nth
            .as_ref()
            .map_or(call.span, syn::LitInt::span);
        let message = match many {
            0 => {
                "the next statement has no closure; put the `closuretest!` before the one that has"
                    .to_owned()
            }
            1 => "the next statement has one closure; remove `nth`".to_owned(),
            n => format!("the next statement has {n} closures; write `nth({n})` or less"),
        };
        mistakes.add(span, message);
    }
    found
}

/// Returns a closure's body, or the content of the `async` block that is its body.
fn body_as_fragment(body: &Expr) -> Fragment {
    match body {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
            block_as_fragment(&block.block)
        }
        Expr::Async(async_) => block_as_fragment(&async_.block),
        other => {
            let mut tail = other.clone();
            crate::strip::RemoveTests.visit_expr_mut(&mut tail);
            Fragment {
                statements: Vec::new(),
                tail: Some(tail),
                tail_returns: true,
            }
        }
    }
}

fn block_as_fragment(block: &Block) -> Fragment {
    match block.stmts.split_last() {
        Some((Stmt::Expr(tail, None), statements)) => {
            let mut tail = tail.clone();
            crate::strip::RemoveTests.visit_expr_mut(&mut tail);
            Fragment {
                tail: Some(tail),
                tail_returns: true,
                ..statements_as_fragment(statements)
            }
        }
        _ => Fragment {
            tail: Some(syn::parse_quote!(())),
            tail_returns: true,
            ..statements_as_fragment(&block.stmts)
        },
    }
}
