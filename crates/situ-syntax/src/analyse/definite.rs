//! Definite assignment: the compiler's rule that variables are assigned before they are read,
//! applied to a fragment before the compiler sees it, so that the error can name the missing
//! clause.

use super::assigned::{is_compound, root_name};
use crate::grammar::kind_of_macro;
use crate::macros::{Arguments, always_panics, format_names, string_literals};
use crate::surroundings::pattern_names;
use proc_macro2::Ident;
use std::collections::{BTreeSet, HashSet};
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Lifetime, Local, Macro, Pat, Stmt};

/// A read of a variable that may have no value.
pub struct Unassigned {
    /// The identifier at the read.
    pub ident: Ident,
    /// Whether some path assigns the variable.
    pub on_some_path: bool,
}

/// The assigned variables; `None` in unreachable code.
type State = Option<BTreeSet<String>>;

/// A visitor that follows a fragment in execution order.
pub struct Definite<'a> {
    /// Variables of the surroundings that the test gives no value.
    interesting: &'a HashSet<String>,
    bound: Vec<String>,
    state: State,
    loops: Vec<Loop>,
    /// The reads before an assignment.
    pub unassigned: Vec<Unassigned>,
    /// The variables that are assigned anywhere.
    pub assigned: BTreeSet<String>,
    in_closure: bool,
}

struct Loop {
    label: Option<Lifetime>,
    is_loop: bool,
    after: Vec<State>,
}

fn join(a: State, b: State) -> State {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).cloned().collect()),
        (a, b) => a.or(b),
    }
}

impl<'a> Definite<'a> {
    /// Starts with no variable assigned.
    pub fn new(interesting: &'a HashSet<String>) -> Self {
        Definite {
            interesting,
            bound: Vec::new(),
            state: Some(BTreeSet::new()),
            loops: Vec::new(),
            unassigned: Vec::new(),
            assigned: BTreeSet::new(),
            in_closure: false,
        }
    }

    /// Follows statements whose variables stay in scope.
    pub fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            Visit::visit_stmt(self, statement);
        }
    }

    /// Brings the variables of a pattern into scope.
    pub fn bind(&mut self, pattern: &Pat) {
        self.bound
            .extend(pattern_names(pattern).iter().map(ToString::to_string));
    }

    fn read(&mut self, ident: &Ident) {
        let name = ident.to_string();
        if !self.interesting.contains(&name) || self.bound.contains(&name) {
            return;
        }
        let Some(state) = &self.state else {
            // Never read, but the compiler requires a declaration.
            self.assigned.insert(name);
            return;
        };
        if !state.contains(&name) {
            let on_some_path = self.assigned.contains(&name);
            self.unassigned.push(Unassigned {
                ident: ident.clone(),
                on_some_path,
            });
        }
    }

    fn write(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) if path.qself.is_none() && path.path.get_ident().is_some() => {
                let Some(ident) = path.path.get_ident() else {
                    return;
                };
                let name = ident.to_string();
                if !self.interesting.contains(&name) || self.bound.contains(&name) {
                    return;
                }
                if self.in_closure {
                    // A closure captures the variable, which must have a value for that.
                    return self.read(ident);
                }
                self.assigned.insert(name.clone());
                if let Some(state) = &mut self.state {
                    state.insert(name);
                }
            }
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|element| self.write(element)),
            Expr::Paren(paren) => self.write(&paren.expr),
            Expr::Infer(_) => {}
            other => Visit::visit_expr(self, other),
        }
    }

    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        inside(self);
        self.bound.truncate(depth);
    }

    /// Calls `inside` on a copy of the state and returns the state at its end.
    fn branch(&mut self, inside: impl FnOnce(&mut Self)) -> State {
        let before = self.state.clone();
        inside(self);
        std::mem::replace(&mut self.state, before)
    }

    fn looped(
        &mut self,
        label: Option<&syn::Label>,
        is_loop: bool,
        inside: impl FnOnce(&mut Self),
    ) -> Vec<State> {
        let label = label.map(|label| label.name.clone());
        self.loops.push(Loop {
            label,
            is_loop,
            after: Vec::new(),
        });
        inside(self);
        self.loops.pop().map(|done| done.after).unwrap_or_default()
    }

    fn leave(&mut self, label: Option<&Lifetime>, by_break: bool) {
        let state = self.state.take();
        let target = self.loops.iter_mut().rev().find(|around| match label {
            Some(label) => around.label.as_ref() == Some(label),
            None => around.is_loop,
        });
        if let (Some(target), true) = (target, by_break) {
            target.after.push(state);
        }
    }

    fn condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Let(let_) => {
                Visit::visit_expr(self, &let_.expr);
                self.bind(&let_.pat);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.condition(&binary.left);
                let before = self.state.clone();
                self.condition(&binary.right);
                self.state = join(before, self.state.take());
            }
            Expr::Paren(paren) => self.condition(&paren.expr),
            other => Visit::visit_expr(self, other),
        }
    }

    fn closure_like(&mut self, inside: impl FnOnce(&mut Self)) {
        let (state, loops) = (self.state.clone(), std::mem::take(&mut self.loops));
        let outer = std::mem::replace(&mut self.in_closure, true);
        self.scoped(inside);
        self.in_closure = outer;
        self.loops = loops;
        self.state = state;
    }

    fn arms(&mut self, arms: &[Arm]) {
        let mut after: State = None;
        let mut any = false;
        for arm in arms {
            let end = self.branch(|this| {
                this.scoped(|this| {
                    this.bind(&arm.pat);
                    if let Pat::Guard(guarded) = &arm.pat {
                        this.condition(&guarded.guard);
                    }
                    Visit::visit_expr(this, &arm.body);
                });
            });
            after = join(after, end);
            any = true;
        }
        if any {
            self.state = after;
        }
    }
}

impl<'ast> Visit<'ast> for Definite<'_> {
    fn visit_block(&mut self, block: &'ast Block) {
        self.scoped(|this| visit::visit_block(this, block));
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            Visit::visit_expr(self, &init.expr);
            if let Some((_, diverging)) = &init.diverge {
                self.branch(|this| Visit::visit_expr(this, diverging));
            }
        }
        self.bind(&local.pat);
    }

    fn visit_item(&mut self, _item: &'ast syn::Item) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        if kind_of_macro(call).is_some() {
            return;
        }
        let arguments = Arguments::of(call);
        if let Some(arguments) = &arguments {
            let mut expressions = arguments.expressions().into_iter();
            expressions
                .next()
                .into_iter()
                .for_each(|first| Visit::visit_expr(self, first));
            self.scoped(|this| {
                arguments
                    .pattern()
                    .into_iter()
                    .for_each(|pattern| this.bind(pattern));
                expressions.for_each(|expression| Visit::visit_expr(this, expression));
            });
        }
        for literal in string_literals(call) {
            for name in format_names(&literal.value()) {
                let is_named = arguments
                    .as_ref()
                    .is_some_and(|arguments| arguments.names(&name));
                if self.interesting.contains(&name) && !is_named {
                    self.read(&Ident::new(&name, literal.span()));
                }
            }
        }
        if always_panics(call) {
            self.state = None;
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if crate::rewrite::is_dead(expression) {
            return;
        }
        match expression {
            Expr::Path(path) if path.qself.is_none() => {
                if let Some(ident) = path.path.get_ident() {
                    self.read(ident);
                }
            }
            Expr::Assign(assign) => {
                Visit::visit_expr(self, &assign.right);
                self.write(&assign.left);
            }
            Expr::Binary(binary) if is_compound(&binary.op) => {
                Visit::visit_expr(self, &binary.right);
                Visit::visit_expr(self, &binary.left);
                if let Some(root) = root_name(&binary.left).map(ToString::to_string)
                    && !self.bound.contains(&root)
                {
                    self.assigned.insert(root);
                }
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                Visit::visit_expr(self, &binary.left);
                let right = self.branch(|this| Visit::visit_expr(this, &binary.right));
                self.state = join(self.state.take(), right);
            }
            Expr::If(if_) => {
                let depth = self.bound.len();
                self.condition(&if_.cond);
                let then = self.branch(|this| Visit::visit_block(this, &if_.then_branch));
                self.bound.truncate(depth);
                if let Some((_, else_)) = &if_.else_branch {
                    Visit::visit_expr(self, else_);
                }
                self.state = join(then, self.state.take());
            }
            Expr::Match(match_) => {
                Visit::visit_expr(self, &match_.expr);
                self.arms(&match_.arms);
            }
            Expr::While(while_) => {
                let depth = self.bound.len();
                let mut after_condition = None;
                let breaks = self.looped(while_.label.as_ref(), true, |this| {
                    this.condition(&while_.cond);
                    after_condition = this.state.clone();
                    this.branch(|this| Visit::visit_block(this, &while_.body));
                });
                self.bound.truncate(depth);
                self.state = breaks.into_iter().fold(after_condition, join);
            }
            Expr::ForLoop(for_) => {
                Visit::visit_expr(self, &for_.expr);
                let breaks = self.looped(for_.label.as_ref(), true, |this| {
                    this.branch(|this| {
                        this.scoped(|this| {
                            this.bind(&for_.pat);
                            Visit::visit_block(this, &for_.body);
                        });
                    });
                });
                self.state = breaks.into_iter().fold(self.state.take(), join);
            }
            Expr::Loop(loop_) => {
                let breaks = self.looped(loop_.label.as_ref(), true, |this| {
                    Visit::visit_block(this, &loop_.body)
                });
                self.state = breaks.into_iter().fold(None, join);
            }
            Expr::Block(block) if block.label.is_some() => {
                let breaks = self.looped(block.label.as_ref(), false, |this| {
                    Visit::visit_block(this, &block.block)
                });
                self.state = breaks.into_iter().fold(self.state.take(), join);
            }
            Expr::Return(return_) => {
                if let Some(value) = &return_.expr {
                    Visit::visit_expr(self, value);
                }
                self.state = None;
            }
            Expr::Break(break_) => {
                if let Some(value) = &break_.expr {
                    Visit::visit_expr(self, value);
                }
                self.leave(break_.label.as_ref(), true);
            }
            Expr::Continue(continue_) => self.leave(continue_.label.as_ref(), false),
            Expr::Closure(closure) => self.closure_like(|this| {
                closure.inputs.iter().for_each(|input| this.bind(input));
                Visit::visit_expr(this, &closure.body);
            }),
            Expr::Async(async_) => {
                self.closure_like(|this| Visit::visit_block(this, &async_.block))
            }
            Expr::Let(_) => self.condition(expression),
            other => visit::visit_expr(self, other),
        }
    }
}
