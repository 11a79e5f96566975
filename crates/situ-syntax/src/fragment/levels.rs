//! The branches of a fragment, level by level, each with a counter that is inserted into the copy.

use super::Fragment;
use crate::grammar::{FlowPath, FlowStep, StepKind};
use crate::mistakes::Mistakes;
use crate::text::line_of;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprIf, ExprMatch, Stmt};

/// One branch.
pub struct Branch {
    kind: StepKind,
    /// Its number among those of its kind at its level, counted from one.
    number: usize,
    line: usize,
    /// The index of its counter.
    index: usize,
    inner: Vec<Branch>,
}

/// All branches of a fragment.
pub struct Branches {
    level: Vec<Branch>,
    /// The number of counters.
    pub count: usize,
}

/// A step of a path, with its branch.
pub struct StepFound {
    /// The path up to this step, as the user wrote it.
    pub name: String,
    /// The line of the branch.
    pub line: usize,
    /// The index of its counter.
    pub index: usize,
    /// The alternative branches.
    pub others: Vec<(String, usize)>,
}

/// Returns the kind of step that an expression is, if it is one.
fn step_kind(expression: &Expr) -> Option<StepKind> {
    match expression {
        Expr::If(_) => Some(StepKind::If),
        Expr::Match(_) => Some(StepKind::Match),
        Expr::ForLoop(_) => Some(StepKind::For),
        Expr::While(_) => Some(StepKind::While),
        Expr::Loop(_) => Some(StepKind::Loop),
        _ => None,
    }
}

/// Returns the expression of a statement at this level.
fn level_expression(statement: &Stmt) -> Option<&Expr> {
    match statement {
        Stmt::Expr(expression, _) => Some(expression),
        Stmt::Local(local) => local.init.as_ref().map(|init| &*init.expr),
        _ => None,
    }
}

fn level_expression_mut(statement: &mut Stmt) -> Option<&mut Expr> {
    match statement {
        Stmt::Expr(expression, _) => Some(expression),
        Stmt::Local(local) => local.init.as_mut().map(|init| &mut *init.expr),
        _ => None,
    }
}

/// Returns the statement that the first step of a path names.
pub fn statement_of_first_step(statements: &[Stmt], step: &FlowStep) -> Option<usize> {
    let of_kind =
        |statement: &Stmt| level_expression(statement).and_then(step_kind) == Some(step.kind);
    statements
        .iter()
        .enumerate()
        .filter(|(_, statement)| of_kind(statement))
        .nth(step.number - 1)
        .map(|(i, _)| i)
}

fn pass(index: usize) -> Stmt {
    syn::parse_quote!(__situ.pass(#index);)
}

impl Branches {
    /// Finds every branch of a fragment and inserts its counter.
    pub fn weave(fragment: &mut Fragment) -> Branches {
        let mut weaver = Weaver { count: 0 };
        if let Some(tail) = fragment.tail.take() {
            fragment.statements.push(Stmt::Expr(tail, None));
            let level = weaver.level(&mut fragment.statements);
            if let Some(Stmt::Expr(tail, None)) = fragment.statements.pop() {
                fragment.tail = Some(tail);
            }
            return Branches {
                level,
                count: weaver.count,
            };
        }
        let level = weaver.level(&mut fragment.statements);
        Branches {
            level,
            count: weaver.count,
        }
    }

    /// Finds the steps of a path. One that names no branch is a mistake.
    pub fn find(&self, path: &FlowPath, mistakes: &mut Mistakes) -> Option<Vec<StepFound>> {
        let mut found = Vec::new();
        let mut level: &[Branch] = &self.level;
        // The `if` whose chain of `else if`s contains the step, and the position in it.
        let mut chain: Option<(&[Branch], usize)> = None;
        for step in &path.steps {
            let (siblings, number) = match (chain, step.kind) {
                (Some((siblings, at)), StepKind::ElseIf) => (siblings, at + step.number),
                (Some((siblings, _)), StepKind::Else) => (siblings, step.number),
                _ => (level, step.number),
            };
            let Some(branch) = siblings
                .iter()
                .find(|b| b.kind == step.kind && b.number == number)
            else {
                mistakes.add(step.span, no_such_branch(step, siblings));
                return None;
            };
            found.push(StepFound {
                name: {
                    let before = found
                        .last()
                        .map(|step: &StepFound| format!("{}.", step.name))
                        .unwrap_or_default();
                    format!("{before}{}", step.text())
                },
                line: branch.line,
                index: branch.index,
                others: others(siblings, branch),
            });
            chain = (step.kind == StepKind::ElseIf).then_some((siblings, number));
            level = &branch.inner;
        }
        Some(found)
    }
}

fn no_such_branch(step: &FlowStep, siblings: &[Branch]) -> String {
    let known: Vec<String> = siblings
        .iter()
        .map(|b| step_name(b.kind, b.number))
        .collect();
    if known.is_empty() {
        format!(
            "there is no `{}` here, and no other branch; end the path before it",
            step.text()
        )
    } else {
        format!(
            "there is no `{}` here; write one of `{}`",
            step.text(),
            known.join("`, `")
        )
    }
}

fn step_name(kind: StepKind, number: usize) -> String {
    FlowStep {
        kind,
        number,
        span: Span::call_site(),
    }
    .text()
}

/// Returns the alternative branches, for the message.
fn others(siblings: &[Branch], branch: &Branch) -> Vec<(String, usize)> {
    if !matches!(
        branch.kind,
        StepKind::Then | StepKind::ElseIf | StepKind::Else | StepKind::Arm
    ) {
        return Vec::new();
    }
    let mut others = Vec::new();
    for other in siblings.iter().filter(|other| other.index != branch.index) {
        match other.kind {
            StepKind::ElseIf => others.extend(other.inner.iter().map(|then| {
                (
                    format!("{}.Then", step_name(other.kind, other.number)),
                    then.index,
                )
            })),
            StepKind::Then | StepKind::Else | StepKind::Arm => {
                others.push((step_name(other.kind, other.number), other.index));
            }
            _ => {}
        }
    }
    others
}

struct Weaver {
    count: usize,
}

impl Weaver {
    fn counter(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn level(&mut self, statements: &mut Vec<Stmt>) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut woven = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            if let Some(expression) = level_expression_mut(&mut statement)
                && let Some(kind) = step_kind(expression)
            {
                let index = self.counter();
                let number = branches.iter().filter(|branch| branch.kind == kind).count() + 1;
                let line = line_of(expression.span());
                let inner = self.expression(expression);
                branches.push(Branch {
                    kind,
                    number,
                    line,
                    index,
                    inner,
                });
                woven.push(pass(index));
            }
            woven.push(statement);
        }
        *statements = woven;
        branches
    }

    fn expression(&mut self, expression: &mut Expr) -> Vec<Branch> {
        match expression {
            Expr::If(if_) => self.if_(if_),
            Expr::Match(match_) => self.match_(match_),
            Expr::ForLoop(for_) => vec![self.block(StepKind::Body, 1, &mut for_.body)],
            Expr::While(while_) => vec![self.block(StepKind::Body, 1, &mut while_.body)],
            Expr::Loop(loop_) => vec![self.block(StepKind::Body, 1, &mut loop_.body)],
            _ => Vec::new(),
        }
    }

    fn block(&mut self, kind: StepKind, number: usize, block: &mut Block) -> Branch {
        let line = line_of(block.brace_token.span.open());
        let index = self.counter();
        let inner = self.level(&mut block.stmts);
        block.stmts.insert(0, pass(index));
        Branch {
            kind,
            number,
            line,
            index,
            inner,
        }
    }

    fn if_(&mut self, if_: &mut ExprIf) -> Vec<Branch> {
        let mut branches = vec![self.block(StepKind::Then, 1, &mut if_.then_branch)];
        let Some((_, else_)) = &mut if_.else_branch else {
            return branches;
        };
        self.else_(else_, 1, &mut branches);
        branches
    }

    fn else_(&mut self, else_: &mut Expr, number: usize, branches: &mut Vec<Branch>) {
        match else_ {
            Expr::If(next) => {
                let line = line_of(next.if_token.span);
                let index = self.counter();
                let then = self.block(StepKind::Then, 1, &mut next.then_branch);
                branches.push(Branch {
                    kind: StepKind::ElseIf,
                    number,
                    line,
                    index,
                    inner: vec![then],
                });
                if let Some((_, further)) = &mut next.else_branch {
                    self.else_(further, number + 1, branches);
                }
                let pass = pass(index);
                *else_ = syn::parse_quote!({ #pass #next });
            }
            Expr::Block(block) => branches.push(self.block(StepKind::Else, 1, &mut block.block)),
            _ => {}
        }
    }

    fn match_(&mut self, match_: &mut ExprMatch) -> Vec<Branch> {
        let mut branches = Vec::new();
        for (i, arm) in match_.arms.iter_mut().enumerate() {
            let line = line_of(arm.fat_arrow_token.spans[0]);
            let plain_block = matches!(&*arm.body, Expr::Block(block) if block.label.is_none() && block.attrs.is_empty());
            if !plain_block {
                let body = &arm.body;
                *arm.body = syn::parse_quote!({ #body });
            }
            if let Expr::Block(block) = &mut *arm.body {
                let branch = self.block(StepKind::Arm, i + 1, &mut block.block);
                branches.push(Branch { line, ..branch });
            }
            if arm.comma.is_none() {
                arm.comma = Some(syn::Token![,](Span::call_site()));
            }
        }
        branches
    }
}
