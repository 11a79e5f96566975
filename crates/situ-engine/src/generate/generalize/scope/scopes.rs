//! Search for the scopes of a test: its own block, and every loop and function whose body can be
//! copied alone.

use super::body::Body;
use super::loop_cases::{Element, Sources, elements};
use super::token_text::words_in;
use super::{Kind, Scope, Step, closure_named};
use crate::generate::generalize::find::test_code::TestCode;
use crate::generate::generalize::find::unit_tests::UnitTest;
use crate::record::plan::bindings_of;
use crate::source::byte_range;
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, FnArg, Item, ItemFn, Pat, ReturnType, Stmt, Token, Type,
};

/// The maximum number of scopes of a test: nested loops over tables have too many.
const MAX_SCOPES: usize = 40;

/// Returns the scopes of a test, its own block first.
pub(crate) fn scopes_of(test: &UnitTest, code: &TestCode) -> Vec<Scope> {
    let asserting = &code.asserting();
    let statements = &test.item.block.stmts;
    let own: Vec<Step> = statements.iter().cloned().map(Step::Statement).collect();
    let scope = Scope {
        kind: Kind::Own,
        names: BTreeSet::new(),
        body: Body::of(&own, asserting),
        lasting: code.lasting(test, &own),
        steps: own.clone(),
        first: 0,
    };
    let tail = own
        .last()
        .filter(|step| matches!(step, Step::Statement(Stmt::Expr(_, None))))
        .cloned();
    let tail = tail.filter(|_| test.gives_result());
    let mut finding = Finding {
        test,
        code,
        asserting,
        tail,
        scopes: vec![scope],
    };
    finding.block(statements, &Around::default());
    finding.scopes
}

/// The steps before a block, and the variables of the loops around it.
#[derive(Clone, Default)]
struct Around {
    steps: Vec<Step>,
    names: BTreeSet<String>,
}

impl Around {
    fn with(&self, statements: &[Stmt]) -> Around {
        let steps = self
            .steps
            .iter()
            .cloned()
            .chain(statements.iter().cloned().map(Step::Statement));
        Around {
            steps: steps.collect(),
            names: self.names.clone(),
        }
    }

    fn given(&self, steps: Vec<Step>) -> Around {
        Around {
            steps: self.steps.iter().cloned().chain(steps).collect(),
            names: self.names.clone(),
        }
    }
}

struct Finding<'f> {
    test: &'f UnitTest,
    code: &'f TestCode,
    asserting: &'f BTreeSet<String>,
    /// The tail of a test that returns a result.
    tail: Option<Step>,
    scopes: Vec<Scope>,
}

impl Finding<'_> {
    fn block(&mut self, statements: &[Stmt], around: &Around) {
        for (at, statement) in statements.iter().enumerate() {
            let before = || around.with(&statements[..at]);
            match statement {
                Stmt::Expr(Expr::ForLoop(cycle), _) => self.cycle(cycle, &before()),
                Stmt::Expr(Expr::Block(inner), _) => self.block(&inner.block.stmts, &before()),
                Stmt::Expr(Expr::MethodCall(call), _) if call.method == "for_each" => {
                    if let Some(Expr::Closure(closure)) = call.args.first() {
                        self.for_each(closure, &before());
                    }
                }
                Stmt::Expr(Expr::Call(call), _) => self.helper(call, &before()),
                _ => {}
            }
        }
    }

    fn add(&mut self, kind: Kind, around: &Around, statements: &[Stmt], first: usize) {
        let full = around.with(statements);
        let steps: Vec<Step> = full.steps.into_iter().chain(self.tail.clone()).collect();
        let body = Body::of(&steps, self.asserting);
        let lasting = self.code.lasting(self.test, &steps);
        self.scopes.push(Scope {
            kind,
            names: full.names,
            body,
            lasting,
            steps,
            first,
        });
        if self.scopes.len() < MAX_SCOPES {
            self.block(statements, around);
        }
    }

    fn cycle(&mut self, cycle: &ExprForLoop, around: &Around) {
        if leaves(|search| search.visit_block(&cycle.body)) || self.scopes.len() >= MAX_SCOPES {
            return;
        }
        self.loop_over(&cycle.pat, &cycle.body.stmts, around);
        let sources = Sources {
            text: self.test.text(),
            before: &around.steps,
            beside: &self.test.beside,
            constants: &self.code.constants,
        };
        for Element { given } in elements(&cycle.pat, &cycle.expr, &sources) {
            let first = around.steps.len();
            self.add(Kind::Pass, &around.given(given), &cycle.body.stmts, first);
        }
    }

    fn loop_over(&mut self, pattern: &Pat, statements: &[Stmt], around: &Around) {
        // The iterable was rewritten for one iteration, so its elements are unknown.
        if around
            .steps
            .iter()
            .any(|step| matches!(step, Step::Given { .. }))
        {
            return;
        }
        let mut inside = around.clone();
        inside
            .names
            .extend(bindings_of(pattern).into_iter().map(|(name, _)| name));
        self.add(Kind::Loop, &inside, statements, around.steps.len());
    }

    fn for_each(&mut self, closure: &ExprClosure, around: &Around) {
        let (Some(pattern), 1) = (closure.inputs.first(), closure.inputs.len()) else {
            return;
        };
        let statements = statements_of(closure);
        if !leaves(|search| search.visit_expr(&closure.body)) {
            self.loop_over(pattern, &statements, around);
        }
    }

    /// Adds the scope of a helper: a function or closure with plain parameters and no early exit.
    fn helper(&mut self, call: &syn::ExprCall, around: &Around) {
        let Expr::Path(path) = &*call.func else {
            return;
        };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else {
            return;
        };
        let inside = around.steps.iter().filter_map(|step| match step {
            Step::Statement(statement) => Some(statement),
            Step::Given { .. } => None,
        });
        let closure = inside
            .clone()
            .rev()
            .find_map(|statement| closure_named(statement, &name));
        let given_and_body = match closure {
            Some(closure) => self.of_closure(closure, &call.args),
            None => {
                let inner = inside.filter_map(|statement| match statement {
                    Stmt::Item(item) => Some(item),
                    _ => None,
                });
                let named = inner
                    .chain(self.test.beside.iter())
                    .find_map(|item| match item {
                        Item::Fn(function) if function.sig.ident == name => Some(function.clone()),
                        _ => None,
                    });
                named.and_then(|function| self.of_function(&function, &call.args))
            }
        };
        if let Some((given, statements)) = given_and_body.filter(|_| self.scopes.len() < MAX_SCOPES)
        {
            let first = around.steps.len();
            self.add(Kind::Helper, &around.given(given), &statements, first);
        }
    }

    fn of_function(
        &self,
        function: &ItemFn,
        arguments: &Punctuated<Expr, Token![,]>,
    ) -> Option<(Vec<Step>, Vec<Stmt>)> {
        let signature = &function.sig;
        let is_plain =
            signature.asyncness.is_none() && matches!(signature.output, ReturnType::Default);
        if !is_plain || signature.inputs.len() != arguments.len() || self.is_left(&function.block) {
            return None;
        }
        // Type parameters mean nothing without the function.
        let generic: BTreeSet<String> = signature
            .generics
            .type_params()
            .map(|parameter| parameter.ident.to_string())
            .collect();
        let body = words_in(&self.test.text()[byte_range(&function.block)]);
        if body.iter().any(|word| generic.contains(word)) {
            return None;
        }
        let given = signature
            .inputs
            .iter()
            .zip(arguments)
            .map(|(input, argument)| {
                let FnArg::Typed(typed) = input else {
                    return None;
                };
                let text = &self.test.text()[byte_range(&typed.ty)];
                let is_said = !text.contains("impl ")
                    && !words_in(text).iter().any(|word| generic.contains(word));
                self.given(&typed.pat, is_said.then_some(&typed.ty), argument)
            });
        Some((given.collect::<Option<_>>()?, function.block.stmts.clone()))
    }

    fn of_closure(
        &self,
        closure: &ExprClosure,
        arguments: &Punctuated<Expr, Token![,]>,
    ) -> Option<(Vec<Step>, Vec<Stmt>)> {
        if closure.inputs.len() != arguments.len()
            || leaves(|search| search.visit_expr(&closure.body))
        {
            return None;
        }
        let given = closure
            .inputs
            .iter()
            .zip(arguments)
            .map(|(input, argument)| match input {
                Pat::Type(typed) => self.given(&typed.pat, Some(&typed.ty), argument),
                pattern => self.given(pattern, None, argument),
            });
        Some((given.collect::<Option<_>>()?, statements_of(closure)))
    }

    fn is_left(&self, block: &Block) -> bool {
        leaves(|search| search.visit_block(block))
    }

    fn given(&self, pattern: &Pat, of_type: Option<&Type>, argument: &Expr) -> Option<Step> {
        let Pat::Ident(pattern) = pattern else {
            return None;
        };
        let said = of_type
            .map(|of_type| format!(": {}", &self.test.text()[byte_range(of_type)]))
            .unwrap_or_default();
        let mutable = if pattern.mutability.is_some() {
            "mut "
        } else {
            ""
        };
        Some(Step::Given {
            name: pattern.ident.to_string(),
            binding: format!("let {mutable}{}{said} = ", pattern.ident),
            text: self.test.text()[byte_range(argument)].to_owned(),
            expression: Box::new(argument.clone()),
            of_type: of_type.cloned().map(Box::new),
        })
    }
}

/// Returns the statements of a closure's body.
pub(crate) fn statements_of(closure: &ExprClosure) -> Vec<Stmt> {
    match &*closure.body {
        Expr::Block(block) => block.block.stmts.clone(),
        expression => vec![Stmt::Expr(expression.clone(), None)],
    }
}

/// Returns whether code exits early, which would mean something else in the test itself.
fn leaves(visit: impl FnOnce(&mut Leaving)) -> bool {
    let mut leaving = Leaving(false);
    visit(&mut leaving);
    leaving.0
}

struct Leaving(bool);

impl<'ast> Visit<'ast> for Leaving {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.0 |= matches!(
            expression,
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)
        );
        visit::visit_expr(self, expression);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
}
