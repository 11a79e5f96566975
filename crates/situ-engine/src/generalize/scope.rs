//! Where in a test a call stands: in its own block, in a loop of it, or in a function beside it that it calls.

use super::body::{Body, words_in};
use super::unit_tests::UnitTest;
use crate::record::plan::bindings_of;
use crate::source::byte_range;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Expr, ExprForLoop, FnArg, Item, ItemFn, Pat, ReturnType, Stmt};

/// One thing that happens in a scope.
#[derive(Clone, Debug)]
pub enum Step {
    /// A statement of the source.
    Statement(Stmt),
    /// A parameter of a function gets the argument that the test gives it.
    Given {
        /// Its name.
        name: String,
        /// `let name: Type = `
        binding: String,
        /// The argument.
        argument: Range<usize>,
    },
}

/// What a scope is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The test's own block.
    Own,
    /// The body of a `for` loop, once, behind what stands before the loop.
    Loop {
        /// What the loop gives in each pass.
        names: BTreeSet<String>,
    },
    /// The body of a function that the test calls, in the place of the call.
    Helper {
        /// Its name.
        name: String,
    },
}

/// A run of steps that a copy can be made of.
#[derive(Clone, Debug)]
pub struct Scope {
    /// What it is.
    pub kind: Kind,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The first step that belongs to the loop or function.
    pub first: usize,
    /// What they do.
    pub body: Body,
}

/// The scopes of a test, its own block first.
pub fn scopes_of(test: &UnitTest) -> Vec<Scope> {
    let statements = &test.item.block.stmts;
    let own: Vec<Step> = statements.iter().cloned().map(Step::Statement).collect();
    let mut scopes = vec![Scope { kind: Kind::Own, body: Body::of(&own), steps: own.clone(), first: 0 }];
    for (at, statement) in statements.iter().enumerate() {
        let inner = match statement {
            Stmt::Expr(Expr::ForLoop(cycle), _) => in_loop(cycle),
            Stmt::Expr(Expr::Call(call), Some(_)) => in_helper(call, test),
            _ => None,
        };
        let Some((kind, steps)) = inner else { continue };
        let steps: Vec<Step> = own[..at].iter().cloned().chain(steps).collect();
        scopes.push(Scope { kind, body: Body::of(&steps), steps, first: at });
    }
    scopes
}

fn in_loop(cycle: &ExprForLoop) -> Option<(Kind, Vec<Step>)> {
    if leaves(|search| search.visit_block(&cycle.body)) {
        return None;
    }
    let names = bindings_of(&cycle.pat).into_iter().map(|(name, _)| name).collect();
    Some((Kind::Loop { names }, cycle.body.stmts.iter().cloned().map(Step::Statement).collect()))
}

/// A function beside the test, with plain parameters and nothing that leaves it early.
fn in_helper(call: &syn::ExprCall, test: &UnitTest) -> Option<(Kind, Vec<Step>)> {
    let Expr::Path(path) = &*call.func else { return None };
    let name = path.path.get_ident()?;
    let helper = test.beside.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == *name => Some(function),
        _ => None,
    })?;
    let fits = is_plain(helper) && helper.sig.inputs.len() == call.args.len();
    if !fits || leaves(|search| search.visit_block(&helper.block)) {
        return None;
    }
    let given = helper.sig.inputs.iter().zip(&call.args).map(|(input, argument)| {
        let FnArg::Typed(typed) = input else { return None };
        let Pat::Ident(pattern) = &*typed.pat else { return None };
        let of_type = &test.text()[byte_range(&typed.ty)];
        let of_type = if of_type.contains("impl ") { String::new() } else { format!(": {of_type}") };
        let mutable = if pattern.mutability.is_some() { "mut " } else { "" };
        Some(Step::Given {
            name: pattern.ident.to_string(),
            binding: format!("let {mutable}{}{of_type} = ", pattern.ident),
            argument: byte_range(argument),
        })
    });
    let mut steps: Vec<Step> = given.collect::<Option<_>>()?;
    steps.extend(helper.block.stmts.iter().cloned().map(Step::Statement));
    Some((Kind::Helper { name: name.to_string() }, steps))
}

fn is_plain(helper: &ItemFn) -> bool {
    let signature = &helper.sig;
    signature.asyncness.is_none()
        && matches!(signature.output, ReturnType::Default)
        && signature.generics.params.is_empty()
}

/// Does something leave early, so that it means another thing in the test itself?
fn leaves(visit: impl FnOnce(&mut Leaving)) -> bool {
    let mut leaving = Leaving(false);
    visit(&mut leaving);
    leaving.0
}

struct Leaving(bool);

impl<'ast> Visit<'ast> for Leaving {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.0 |= matches!(expression, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
        visit::visit_expr(self, expression);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
}

impl Scope {
    /// Whether a call belongs to it, and not only to what stands before it.
    pub fn owns(&self, step: usize) -> bool {
        self.kind == Kind::Own || step >= self.first
    }

    /// Whether statements look at what a loop gives.
    pub fn depends_on_loop(&self, statements: &[String]) -> bool {
        let Kind::Loop { names } = &self.kind else { return false };
        statements.iter().flat_map(|text| words_in(text)).any(|word| names.contains(&word))
    }
}
