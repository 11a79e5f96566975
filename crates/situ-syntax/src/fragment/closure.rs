//! Finds the closure that a `closuretest!` is about.

use super::{Found, Fragment, Leaving, Target, statements_as_fragment};
use crate::grammar::{TestCall, test_of_statement};
use crate::mistakes::Mistakes;
use crate::surroundings::Spot;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprClosure, Item, Local, Pat, Stmt};

#[derive(Default)]
struct Closures<'a> {
    all: Vec<(Option<String>, &'a ExprClosure)>,
    bound_to: Option<String>,
}

impl<'a> Visit<'a> for Closures<'a> {
    fn visit_local(&mut self, local: &'a Local) {
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

    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        let name = self.bound_to.take();
        self.all.push((name, closure));
        visit::visit_expr_closure(self, closure);
    }

    fn visit_item(&mut self, _item: &'a Item) {}
}

/// The closure of the next statement that the clauses name.
pub fn closure_target<'a>(
    call: &TestCall,
    spot: Spot<'a>,
    leaving: Leaving,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    let next = spot.statements[spot.index..].iter().find(|statement| test_of_statement(statement).is_none());
    let Some(statement) = next else {
        mistakes
            .add(call.span, "there is no statement after this `closuretest!`; put it before the one with the closure");
        return None;
    };
    let mut closures = Closures::default();
    closures.visit_stmt(statement);
    let closure = choose(call, &closures, mistakes)?;
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
    // A closure may return without any clause that says so.
    let leaving = if matches!(leaving, Leaving::Through | Leaving::Value) { Leaving::Return } else { leaving };
    let fragment = body_as_fragment(&closure.body);
    Some(Found::new(Target::Closure(closure, fragment), &[], leaving, closure.to_token_stream()))
}

fn choose<'a>(call: &TestCall, closures: &Closures<'a>, mistakes: &mut Mistakes) -> Option<&'a ExprClosure> {
    if let (Some(of), Some(nth)) = (&call.clauses.of, &call.clauses.nth) {
        mistakes.add(nth.span(), format!("`of({of})` says which closure already; remove `nth`"));
        return None;
    }
    if let Some(of) = &call.clauses.of {
        let named = closures.all.iter().find(|(name, _)| name.as_deref() == Some(&of.to_string()));
        if named.is_none() {
            mistakes.add(
                of.span(),
                format!("the next statement binds no closure to `{of}`; write `nth(1)` or move the test"),
            );
        }
        return named.map(|(_, closure)| *closure);
    }
    let nth: usize = call.clauses.nth.as_ref().map_or(Ok(1), syn::LitInt::base10_parse).unwrap_or(1);
    let found = closures.all.get(nth - 1).map(|(_, closure)| *closure);
    if found.is_none() {
        let span = call.clauses.nth.as_ref().map_or(call.span, syn::LitInt::span);
        let message = match closures.all.len() {
            0 => "the next statement has no closure; put the `closuretest!` before the one that has".to_owned(),
            1 => "the next statement has one closure; remove `nth`".to_owned(),
            n => format!("the next statement has {n} closures; write `nth({n})` or less"),
        };
        mistakes.add(span, message);
    }
    found
}

/// A closure's body; the `async` block that it may consist of is gone into.
fn body_as_fragment(body: &Expr) -> Fragment {
    match body {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => block_as_fragment(&block.block),
        Expr::Async(async_) => block_as_fragment(&async_.block),
        other => {
            let mut tail = other.clone();
            crate::strip::RemoveTests.visit_expr_mut(&mut tail);
            Fragment { statements: Vec::new(), tail: Some(tail), tail_returns: true }
        }
    }
}

fn block_as_fragment(block: &Block) -> Fragment {
    match block.stmts.split_last() {
        Some((Stmt::Expr(tail, None), statements)) => {
            let mut tail = tail.clone();
            crate::strip::RemoveTests.visit_expr_mut(&mut tail);
            Fragment { tail: Some(tail), tail_returns: true, ..statements_as_fragment(statements) }
        }
        _ => Fragment { tail: Some(syn::parse_quote!(())), tail_returns: true, ..statements_as_fragment(&block.stmts) },
    }
}
