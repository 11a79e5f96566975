//! The extent of the fragment of a `blocktest!`.

use super::levels::statement_of_first_step;
use super::{Found, Fragment, Leaving, Target, oracle_expressions, statements_as_fragment};
use crate::analyse::{Exits, assigned_names, is_block_like, mentions_any, mentions_of};
use crate::grammar::{
    Boundary, Kind, OracleKind, Scope, TestCall, is_test_statement, test_of_statement,
};
use crate::mistakes::Mistakes;
use crate::strip::RemoveTests;
use crate::surroundings::{Spot, Surroundings, pattern_names};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use std::ops::Range;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, LitStr, Stmt};

/// Returns the fragment of a `blocktest!`.
pub fn block_target<'a>(
    call: &TestCall,
    around: &Surroundings<'_>,
    spot: Spot<'a>,
    leaving: Leaving,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    let block = BlockAround {
        call,
        spot,
        variables: oracle_variables(call, around, spot),
        leaving: &leaving,
    };
    let range = match call.clauses.scope {
        Some((_, Scope::Start(boundary))) => block.backwards(boundary, mistakes)?,
        _ => block.forwards(mistakes)?,
    };
    let (fragment, tokens) = block.fragment(range.clone());
    Some(Found::new(
        Target::Fragment(fragment),
        &spot.statements[range],
        leaving,
        tokens,
    ))
}

/// Returns the local variables that the oracles mention.
fn oracle_variables(call: &TestCall, around: &Surroundings<'_>, spot: Spot<'_>) -> HashSet<String> {
    let mentions = mentions_of(|mentions| {
        for oracle in &call.clauses.oracles {
            oracle_expressions(&oracle.kind)
                .into_iter()
                .for_each(|expression| mentions.visit_expr(expression));
        }
    });
    let siblings: HashSet<String> = spot
        .statements
        .iter()
        .filter_map(|statement| match statement {
            Stmt::Local(local) => Some(pattern_names(&local.pat)),
            _ => None,
        })
        .flatten()
        .map(|name| name.to_string())
        .collect();
    let bound = mentions.bound;
    let free = mentions
        .used
        .into_keys()
        .filter(|name| !bound.contains_key(name));
    free.filter(|name| around.binding(name).is_some() || siblings.contains(name))
        .collect()
}

struct BlockAround<'a, 'c> {
    call: &'c TestCall,
    spot: Spot<'a>,
    variables: HashSet<String>,
    leaving: &'c Leaving,
}

fn is_block_statement(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(expression, _) if is_block_like(expression))
}

impl<'a> BlockAround<'a, '_> {
    fn statements(&self) -> &'a [Stmt] {
        self.spot.statements
    }

    /// Returns the last statement that is no test.
    fn last(&self) -> Option<(usize, &'a Stmt)> {
        self.statements()
            .iter()
            .enumerate()
            .rev()
            .find(|(_, statement)| !is_test_statement(statement))
    }

    fn closing_return(&self) -> Option<usize> {
        self.last()
            .filter(|(_, last)| matches!(last, Stmt::Expr(Expr::Return(_), _)))
            .map(|(i, _)| i)
    }

    /// Returns the block's last expression if it is the block's value.
    fn value_tail(&self) -> Option<&'a Expr> {
        match self.statements().last()? {
            Stmt::Expr(tail, None) if self.spot.valued && gives_value(tail) => Some(tail),
            _ => None,
        }
    }

    /// Returns the end of the block, without a tail that is its value and without a closing
    /// `return`.
    fn edge(&self) -> usize {
        let all = self.statements().len();
        self.closing_return()
            .unwrap_or(all - usize::from(self.value_tail().is_some()))
    }

    fn forwards(&self, mistakes: &mut Mistakes) -> Option<Range<usize>> {
        let first = (self.spot.index..self.statements().len())
            .find(|i| !is_test_statement(&self.statements()[*i]));
        let Some(first) = first else {
            mistakes.add(
                self.call.span,
                "there is nothing after this `blocktest!`; put it before its fragment, or add `start(…)`",
            );
            return None;
        };
        let end = self.end(first, mistakes)?;
        Some(first..end)
    }

    fn end(&self, first: usize, mistakes: &mut Mistakes) -> Option<usize> {
        let here = |i: &usize| !is_test_statement(&self.statements()[*i]);
        let all = self.statements().len();
        if let Some((span, Scope::Next(n))) = self.call.clauses.scope {
            let nth = (first..all).filter(here).nth(n - 1);
            if nth.is_none() {
                let many = (first..all).filter(here).count();
                mistakes.add(
                    span,
                    format!(
                        "only {many} statements follow in this block; write `next({many})` or less"
                    ),
                );
            }
            return nth.map(|i| i + 1);
        }
        if let Some((span, Scope::End(boundary))) = self.call.clauses.scope {
            return self
                .boundary(boundary, (first..all).filter(here), span, mistakes)
                .map(|at| match at {
                    Some(i) => i + 1,
                    None => self.edge_or_all(),
                });
        }
        if let Some(end) = self.named_end(first) {
            return Some(end);
        }
        if matches!(
            self.leaving,
            Leaving::Return | Leaving::Value | Leaving::Panic
        ) {
            return Some(all);
        }
        if first + 1 == all && self.value_tail().is_some() {
            return Some(all);
        }
        Some(
            self.last_mention(first)
                .map_or(self.edge().max(first + 1), |i| i + 1),
        )
    }

    fn edge_or_all(&self) -> usize {
        match self.leaving {
            Leaving::Return | Leaving::Value | Leaving::Panic => self.statements().len(),
            _ => self.edge(),
        }
    }

    fn named_end(&self, first: usize) -> Option<usize> {
        let name = self.call.name.as_ref()?.value();
        (first..self.statements().len())
            .find(|i| end_name(&self.statements()[*i]).is_some_and(|end| end.value() == name))
    }

    /// Returns the last statement that mentions a variable of the oracles, or that a flow path
    /// names.
    fn last_mention(&self, first: usize) -> Option<usize> {
        let mentioned = (first..self.edge()).rev().find(|i| {
            let statement = &self.statements()[*i];
            !is_test_statement(statement) && mentions_any(statement, &self.variables)
        });
        let named = self
            .call
            .clauses
            .oracles
            .iter()
            .filter_map(|oracle| match &oracle.kind {
                OracleKind::Flow(path) | OracleKind::NoFlow(path) => {
                    statement_of_first_step(&self.statements()[first..], path.steps.first()?)
                        .map(|i| first + i)
                }
                _ => None,
            });
        named.chain(mentioned).max()
    }

    /// Finds a boundary among the statements; `Some(None)` is the block's edge.
    fn boundary(
        &self,
        boundary: Boundary,
        mut order: impl Iterator<Item = usize>,
        span: proc_macro2::Span,
        mistakes: &mut Mistakes,
    ) -> Option<Option<usize>> {
        let found = match boundary {
            Boundary::Block(n) => {
                return Some(
                    order
                        .filter(|i| is_block_statement(&self.statements()[*i]))
                        .nth(n - 1),
                );
            }
            Boundary::Assign => {
                if self.variables.is_empty() {
                    mistakes.add(span, "the oracles mention no variable that could be assigned; use `next(n)` instead");
                    return None;
                }
                let mut missing = self.variables.clone();
                order.find(|i| {
                    let assigned = assigned_names(&self.statements()[*i]);
                    missing.retain(|name| !assigned.contains(name));
                    missing.is_empty()
                })
            }
            Boundary::Exit => order
                .find(|i| Exits::of(|exits| exits.visit_stmt(&self.statements()[*i])).can_leave()),
        };
        if found.is_none() {
            let message = match boundary {
                Boundary::Assign => {
                    "no statement of this block assigns all variables that the oracles mention; use `next(n)` instead"
                }
                _ => "no statement of this block can leave it; use `next(n)` instead",
            };
            mistakes.add(span, message);
        }
        found.map(Some)
    }

    fn backwards(&self, boundary: Boundary, mistakes: &mut Mistakes) -> Option<Range<usize>> {
        let span = self
            .call
            .clauses
            .scope
            .map_or(self.call.span, |(span, _)| span);
        let before = (0..self.spot.index)
            .rev()
            .filter(|i| !is_test_statement(&self.statements()[*i]));
        if before.clone().next().is_none() {
            mistakes
                .add(span, "there is nothing before this `blocktest!`; with `start(…)` it stands after its fragment");
            return None;
        }
        let start = self
            .boundary(boundary, before, span, mistakes)?
            .unwrap_or(0);
        Some(start..self.spot.index)
    }

    fn fragment(&self, range: Range<usize>) -> (Fragment, TokenStream) {
        let statements = &self.statements()[range.clone()];
        let mut tokens = TokenStream::new();
        for statement in statements
            .iter()
            .filter(|statement| !is_test_statement(statement))
        {
            let mut bare = statement.clone();
            RemoveTests.visit_stmt_mut(&mut bare);
            bare.to_tokens(&mut tokens);
        }
        let reaches_end = range.end == self.statements().len();
        let tail_returns = self.spot.returned;
        if let (true, Some(tail)) = (reaches_end, self.value_tail()) {
            let mut tail = tail.clone();
            RemoveTests.visit_expr_mut(&mut tail);
            let before = &statements[..statements.len() - 1];
            return (
                Fragment {
                    tail: Some(tail),
                    tail_returns,
                    ..statements_as_fragment(before)
                },
                tokens,
            );
        }
        let mut fragment = statements_as_fragment(statements);
        if reaches_end
            && tail_returns
            && !self.spot.valued
            && self.closing_return().is_none()
            && *self.leaving == Leaving::Return
        {
            // The end of a function without a value returns the unit.
            fragment.tail = Some(syn::parse_quote!(()));
            fragment.tail_returns = true;
        }
        (fragment, tokens)
    }
}

/// Returns whether a last expression can be its block's value.
fn gives_value(tail: &Expr) -> bool {
    match tail {
        Expr::If(if_) => if_.else_branch.is_some(),
        Expr::ForLoop(_)
        | Expr::While(_)
        | Expr::Return(_)
        | Expr::Break(_)
        | Expr::Continue(_) => false,
        _ => true,
    }
}

/// Returns the name in an `endtest!`.
pub fn end_name(statement: &Stmt) -> Option<LitStr> {
    match test_of_statement(statement)? {
        (Kind::End, call) => syn::parse2(call.mac.tokens.clone()).ok(),
        _ => None,
    }
}
