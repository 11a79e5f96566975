//! Traversal of a test's statements that finds calls, assertions and variables.

use super::assertion::{
    Assertion, Kind, bound_by, is_known, is_of_std, is_unwrap, kind_of_macro, unwrapped,
};
use super::body::{Argument, Body, Borrow, CallSite, Form, Variable};
use super::token_text::{is_text_macro, leading_expressions};
use crate::generate::generalize::slice::effects::root_of;
use crate::record::plan::bindings_of;
use crate::source::byte_range;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, Item, Local, Macro, Pat, Stmt};

/// A walk, with what it has found.
#[derive(Default)]
pub(crate) struct Walk {
    /// What was found.
    pub body: Body,
    /// The current step.
    pub statement: usize,
    /// The number of enclosing loops and closures.
    repeats: usize,
    /// Functions that assert.
    asserting: BTreeSet<String>,
    /// Whether the pattern is a field that a variable is named after.
    is_field: bool,
}

impl Walk {
    /// Calls of the functions with these names are assertions.
    pub(crate) fn new(asserting: &BTreeSet<String>) -> Walk {
        Walk {
            asserting: asserting.clone(),
            ..Walk::default()
        }
    }

    fn called(
        &mut self,
        range: Range<usize>,
        words: Vec<String>,
        receiver: Option<&Expr>,
        arguments: Vec<&Expr>,
    ) {
        let argument = |argument: &&Expr| Argument {
            range: byte_range(*argument),
            form: form_of(argument),
        };
        let receiver = receiver.as_ref().map(argument);
        self.body.calls.push(CallSite {
            range,
            statement: self.statement,
            words,
            receiver,
            arguments: arguments.iter().map(argument).collect(),
            is_repeated: self.repeats > 0,
        });
    }

    fn asserted(
        &mut self,
        range: Range<usize>,
        kind: Kind,
        is_statement: bool,
        operands: Vec<Range<usize>>,
    ) {
        let statement = self.statement;
        self.body.assertions.push(Assertion {
            range,
            kind,
            statement,
            is_statement,
            operands,
            gives_value: false,
            is_custom: false,
            binds: Vec::new(),
        });
    }

    fn is_asserting(&self, call: &ExprCall) -> bool {
        let Expr::Path(path) = &*call.func else {
            return false;
        };
        path.path
            .segments
            .last()
            .is_some_and(|last| self.asserting.contains(&last.ident.to_string()))
    }

    fn repeated(&mut self, inner: impl FnOnce(&mut Walk)) {
        self.repeats += 1;
        inner(self);
        self.repeats -= 1;
    }

    fn macro_call(&mut self, call: &Macro, range: Range<usize>, is_statement: bool) {
        let operands = leading_expressions(&call.tokens);
        let ranges: Vec<Range<usize>> = operands.iter().map(byte_range).collect();
        let name = call
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default();
        match kind_of_macro(&name) {
            Some(kind) => {
                self.asserted(range, kind, is_statement, ranges);
                let binds: Vec<String> = operands.iter().flat_map(bound_by).collect();
                for name in &binds {
                    let variable = Variable {
                        name: name.clone(),
                        is_mutable: false,
                        is_field: false,
                        range: None,
                    };
                    self.body.variables.push(variable);
                }
                if let Some(assertion) = self.body.assertions.last_mut() {
                    assertion.gives_value = !is_statement && !is_of_std(&name);
                    assertion.is_custom = !is_known(&name) && call.path.segments.len() == 1;
                    assertion.binds = binds;
                }
            }
            None if is_text_macro(&name) && is_statement => return,
            None => {}
        }
        operands.iter().for_each(|operand| self.visit_expr(operand));
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Macro(call) => self.macro_call(&call.mac, byte_range(statement), true),
            Stmt::Expr(Expr::Macro(call), _) => {
                self.macro_call(&call.mac, byte_range(statement), true)
            }
            Stmt::Expr(expression @ Expr::Call(call), Some(_)) if self.is_asserting(call) => {
                let operands = call.args.iter().map(byte_range).collect();
                self.asserted(byte_range(statement), Kind::Macro, true, operands);
                self.visit_expr(expression);
            }
            Stmt::Expr(expression, Some(_)) if unwrapped(expression).is_some() => {
                let operand = unwrapped(expression).map(byte_range);
                self.asserted(
                    byte_range(statement),
                    Kind::Unwrap,
                    true,
                    operand.into_iter().collect(),
                );
                unwrapped(expression)
                    .into_iter()
                    .for_each(|inner| self.visit_expr(inner));
            }
            other => {
                if let Stmt::Local(local) = other {
                    self.body.borrows.extend(borrows(local));
                }
                if let Some(name) = assigned(other) {
                    self.body.assignments.push((name, byte_range(other)));
                }
                visit::visit_stmt(self, other);
            }
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Macro(call) => return self.macro_call(&call.mac, byte_range(expression), false),
            Expr::Call(call) => {
                visit::visit_expr(self, expression);
                if let Expr::Path(path) = &*call.func {
                    let words: Vec<String> = path
                        .path
                        .segments
                        .iter()
                        .map(|segment| segment.ident.to_string())
                        .collect();
                    let is_variant = is_uppercase(&words);
                    if !is_variant {
                        self.called(
                            byte_range(expression),
                            words,
                            None,
                            call.args.iter().collect(),
                        );
                    }
                }
                return;
            }
            Expr::MethodCall(call) => {
                visit::visit_expr(self, expression);
                let name = call.method.to_string();
                if is_unwrap(&name) {
                    let receiver = byte_range(&call.receiver);
                    self.asserted(byte_range(expression), Kind::Unwrap, false, vec![receiver]);
                    return;
                }
                self.called(
                    byte_range(expression),
                    vec![name],
                    Some(&*call.receiver),
                    call.args.iter().collect(),
                );
                return;
            }
            Expr::Try(question) => {
                let range = byte_range(&question.expr);
                self.asserted(byte_range(expression), Kind::Unwrap, false, vec![range]);
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Ident(name) = pattern {
            self.body.variables.push(Variable {
                name: name.ident.to_string(),
                is_mutable: name.mutability.is_some(),
                is_field: std::mem::take(&mut self.is_field),
                // `name @ pattern` cannot drop its name.
                range: name.subpat.is_none().then(|| byte_range(pattern)),
            });
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        self.is_field = field.colon_token.is_none();
        visit::visit_field_pat(self, field);
        self.is_field = false;
    }

    fn visit_expr_for_loop(&mut self, cycle: &'ast syn::ExprForLoop) {
        self.visit_expr(&cycle.expr);
        self.repeated(|walk| {
            walk.visit_pat(&cycle.pat);
            walk.visit_block(&cycle.body);
        });
    }

    fn visit_expr_while(&mut self, cycle: &'ast syn::ExprWhile) {
        self.repeated(|walk| visit::visit_expr_while(walk, cycle));
    }

    fn visit_expr_loop(&mut self, cycle: &'ast syn::ExprLoop) {
        self.repeated(|walk| visit::visit_expr_loop(walk, cycle));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.repeated(|walk| visit::visit_expr_closure(walk, closure));
    }
}

/// Returns the variables of a statement, each with one that can be changed through it.
fn borrows(local: &Local) -> Vec<Borrow> {
    struct Borrowed(Vec<String>);
    impl<'ast> Visit<'ast> for Borrowed {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            match expression {
                Expr::Reference(reference) if reference.mutability.is_some() => {
                    // A place without a name is identified by the borrow alone.
                    self.0.push(root_of(&reference.expr).unwrap_or_default());
                }
                Expr::MethodCall(call)
                    if call.method.to_string().ends_with("mut") || call.method == "by_ref" =>
                {
                    self.0.extend(root_of(&call.receiver));
                }
                _ => {}
            }
            visit::visit_expr(self, expression);
        }
    }
    let mut borrowed = Borrowed(Vec::new());
    local
        .init
        .iter()
        .for_each(|init| borrowed.visit_expr(&init.expr));
    let (names, bound) = (bindings_of(&local.pat), byte_range(&local.pat));
    let borrow = |name: &String, of: &String| Borrow {
        name: name.clone(),
        of: of.clone(),
        bound: bound.clone(),
    };
    names
        .iter()
        .flat_map(|(name, _)| borrowed.0.iter().map(|of| borrow(name, of)))
        .collect()
}

/// Returns the variable that a statement assigns, if it does nothing else.
fn assigned(statement: &Stmt) -> Option<String> {
    let Stmt::Expr(expression, Some(_)) = statement else {
        return None;
    };
    let (left, right) = match expression {
        Expr::Assign(assign) => (&assign.left, &assign.right),
        Expr::Binary(binary) if situ_syntax::is_compound(&binary.op) => {
            (&binary.left, &binary.right)
        }
        _ => return None,
    };
    match (&**left, &**right) {
        (Expr::Path(path), Expr::Lit(_) | Expr::Path(_)) => {
            path.path.get_ident().map(ToString::to_string)
        }
        _ => None,
    }
}

/// `Some(…)`, `Token::Word(…)`: the last word is a type or variant.
fn is_uppercase(words: &[String]) -> bool {
    words
        .last()
        .is_some_and(|last| last.starts_with(char::is_uppercase))
}

fn form_of(argument: &Expr) -> Form {
    match argument {
        Expr::Reference(reference) if reference.mutability.is_some() => Form::Fixed,
        Expr::Closure(_) | Expr::Async(_) => Form::Fixed,
        Expr::Paren(inner) => form_of(&inner.expr),
        _ => Form::Expression,
    }
}
