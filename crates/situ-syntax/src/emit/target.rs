//! The target of a test as a fragment: a header becomes the statement that evaluates it.

use crate::fragment::{Found, Fragment, Target};
use crate::grammar::TestCall;
use crate::mistakes::Mistakes;
use crate::strip::RemoveTests;
use crate::surroundings::{Seen, Source, Spot, Surroundings};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Stmt};

/// Returns the surroundings at the start of the target, without the variables that it binds itself.
pub fn seen_at_start<'s, 'a>(
    found: &Found<'a>,
    operands: &BTreeMap<usize, Span>,
    around: &'s Surroundings<'a>,
    spot: Spot<'_>,
) -> Seen<'s, 'a> {
    let is_header = matches!(
        found.target,
        Target::Condition(_) | Target::Items(_) | Target::Scrutinee(_)
    );
    if is_header && operands.keys().all(|operand| *operand == 0) {
        return Seen::new(around, spot.header_sees);
    }
    let is_own = |local: &syn::Local| {
        found
            .statements
            .iter()
            .any(|statement| matches!(statement, Stmt::Local(own) if std::ptr::eq(own, local)))
    };
    // The fragment directly precedes the test, so its bindings are the last ones.
    let own = around
        .bindings
        .iter()
        .rev()
        .take_while(|binding| matches!(binding.source, Source::Let(local) if is_own(local)));
    Seen::new(around, around.bindings.len() - own.count())
}

/// Returns the fragment that a test runs.
pub fn as_fragment(
    target: &Target<'_>,
    operands: &BTreeMap<usize, Span>,
    call: &TestCall,
    mistakes: &mut Mistakes,
) -> Option<Fragment> {
    let bare = |expression: &Expr| {
        let mut expression = expression.clone();
        RemoveTests.visit_expr_mut(&mut expression);
        expression
    };
    let of = |statements: Vec<Stmt>| Fragment {
        statements,
        ..Fragment::default()
    };
    // A mock may match a chain of calls, which must then stay one expression.
    let keep_parts = |expression: &mut Expr, statements: &mut Vec<Stmt>| {
        if call.clauses.mocks.is_empty() {
            keep_parts(expression, statements);
        }
    };
    match target {
        Target::Fragment(fragment) | Target::Closure(_, fragment) => Some(fragment.clone()),
        Target::Items(for_) => {
            let (mut iterable, mut statements) = (bare(&for_.expr), Vec::new());
            keep_parts(&mut iterable, &mut statements);
            statements
                .push(syn::parse_quote!(let mut __situ_items = ::situ::rt::items(#iterable);));
            Some(of(statements))
        }
        Target::Scrutinee(scrutinee) => {
            let (mut scrutinee, mut statements) = (bare(scrutinee), Vec::new());
            keep_parts(&mut scrutinee, &mut statements);
            statements.push(syn::parse_quote!(let __situ_scrutinee = &(#scrutinee);));
            Some(of(statements))
        }
        Target::Condition(condition) => {
            let mut statements = Vec::new();
            let all = condition_operands(condition);
            let whole = BTreeMap::from([(0, call.span)]);
            for (number, span) in if operands.is_empty() {
                &whole
            } else {
                operands
            } {
                let name = format_ident!("__situ_cond_{}", number);
                let operand = match number {
                    0 => Some(bare(condition)),
                    n => all.get(n - 1).map(|operand| bare(operand)),
                };
                let Some(operand) = operand else {
                    let message = format!(
                        "this condition has {} operands; write `cond({})` or less",
                        all.len(),
                        all.len()
                    );
                    mistakes.add(*span, message);
                    return None;
                };
                statements.push(condition_statement(&name, &operand));
            }
            Some(of(statements))
        }
    }
}

/// Stores each value in a chain of calls in a variable: `text.to_lowercase().as_str()` borrows from
/// a temporary that a header keeps to its end and a statement does not.
fn keep_parts(expression: &mut Expr, statements: &mut Vec<Stmt>) {
    match expression {
        Expr::MethodCall(call) => {
            keep_parts(&mut call.receiver, statements);
            let is_value = matches!(
                &*call.receiver,
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Try(_)
            );
            if is_value {
                let name = format_ident!("__situ_part_{}", statements.len() + 1);
                let receiver = std::mem::replace(&mut *call.receiver, syn::parse_quote!(#name));
                statements.push(syn::parse_quote!(let mut #name = #receiver;));
            }
        }
        Expr::Reference(reference) => keep_parts(&mut reference.expr, statements),
        Expr::Paren(inner) => keep_parts(&mut inner.expr, statements),
        Expr::Try(question) => keep_parts(&mut question.expr, statements),
        _ => {}
    }
}

/// Returns a statement that evaluates a condition, which may contain `let`.
fn condition_statement(name: &Ident, condition: &Expr) -> Stmt {
    struct HasLet(bool);
    impl<'ast> Visit<'ast> for HasLet {
        fn visit_expr_let(&mut self, _let: &'ast syn::ExprLet) {
            self.0 = true;
        }
    }
    let mut has_let = HasLet(false);
    has_let.visit_expr(condition);
    if has_let.0 {
        syn::parse_quote!(let #name: bool = if #condition { true } else { false };)
    } else {
        syn::parse_quote!(let #name: bool = #condition;)
    }
}

/// Returns the operands of the outermost `&&` or `||`, from left to right.
fn condition_operands(condition: &Expr) -> Vec<&Expr> {
    fn collect<'e>(expression: &'e Expr, and: bool, operands: &mut Vec<&'e Expr>) {
        match expression {
            Expr::Binary(binary)
                if matches!(
                    (&binary.op, and),
                    (BinOp::And(_), true) | (BinOp::Or(_), false)
                ) =>
            {
                collect(&binary.left, and, operands);
                collect(&binary.right, and, operands);
            }
            other => operands.push(other),
        }
    }
    let mut operands = Vec::new();
    let mut condition = condition;
    while let Expr::Paren(paren) = condition {
        condition = &paren.expr;
    }
    let and = !matches!(condition, Expr::Binary(binary) if matches!(binary.op, BinOp::Or(_)));
    collect(condition, and, &mut operands);
    operands
}
