//! The target of a test: the statement, fragment, header or closure that it runs.

mod closure;
mod extent;
mod levels;

pub use closure::closures_of;
pub use extent::end_name;
pub use levels::Branches;

use crate::analyse::is_block_like;
use crate::grammar::{Kind, OracleKind, TestCall, is_test_statement};
use crate::mistakes::Mistakes;
use crate::strip::RemoveTests;
use crate::surroundings::{Header, Spot, Surroundings};
use crate::text::line_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, ExprForLoop, Stmt, Type};

/// The exit that a test expects of its fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// None: it reaches its end.
    Through,
    /// A return with a value.
    Return,
    /// The value of a block.
    Value,
    /// A `break`, with a label.
    Break(Option<String>),
    /// A `continue`, with a label.
    Continue(Option<String>),
    /// A panic.
    Panic,
}

/// Statements with an optional tail expression.
#[derive(Clone, Default)]
pub struct Fragment {
    /// The statements, without tests.
    pub statements: Vec<Stmt>,
    /// The tail expression, whose value is that of the fragment.
    pub tail: Option<Expr>,
    /// Whether that value is returned from the function or closure.
    pub tail_returns: bool,
}

/// The code that a test runs.
pub enum Target<'a> {
    /// Statements.
    Fragment(Fragment),
    /// The condition of the block that the test opens.
    Condition(&'a Expr),
    /// The iterable of a `for` loop.
    Items(&'a ExprForLoop),
    /// The scrutinee of a `match`.
    Scrutinee(&'a Expr),
    /// A closure, its body as a fragment.
    Closure(ExprClosure, Fragment),
}

/// A target with its place.
pub struct Found<'a> {
    /// What is run.
    pub target: Target<'a>,
    /// The statements of the target, if it consists of statements.
    pub statements: &'a [Stmt],
    /// Parameters of the closures around a tested one, with their types.
    pub outer_parameters: Vec<(Ident, Option<Type>)>,
    /// The expected exit.
    pub leaving: Leaving,
    /// The tokens of the target.
    pub tokens: TokenStream,
}

impl<'a> Found<'a> {
    fn new(
        target: Target<'a>,
        statements: &'a [Stmt],
        leaving: Leaving,
        tokens: TokenStream,
    ) -> Self {
        Found {
            target,
            statements,
            outer_parameters: Vec::new(),
            leaving,
            tokens,
        }
    }

    /// Returns the first line; spans cannot be joined on a stable compiler.
    pub fn first_line(&self) -> usize {
        self.tokens
            .clone()
            .into_iter()
            .next()
            .map_or(0, |first| match first {
                proc_macro2::TokenTree::Group(group) => line_of(group.span_open()),
                other => line_of(other.span()),
            })
    }

    /// Returns the range of bytes in the source, with an exclusive end. Available only if a tool
    /// has parsed the source.
    pub fn bytes(&self) -> (usize, usize) {
        let start = self
            .tokens
            .clone()
            .into_iter()
            .next()
            .map_or(0, |first| first.span().byte_range().start);
        let end = self
            .tokens
            .clone()
            .into_iter()
            .last()
            .map_or(0, |last| last.span().byte_range().end);
        (start, end)
    }

    /// Returns the last line.
    pub fn last_line(&self) -> usize {
        self.tokens
            .clone()
            .into_iter()
            .last()
            .map_or(0, |last| match last {
                proc_macro2::TokenTree::Group(group) => group.span_close().end().line,
                other => other.span().end().line,
            })
    }
}

/// The names of parts of the target in oracles.
pub const RESULT_NAMES: [&str; 5] = ["returned", "value", "cond", "items", "scrutinee"];

/// Returns which of the result names the oracles call.
pub fn results_asked(call: &TestCall) -> Vec<(String, Span)> {
    struct Asked(Vec<(String, Span)>);
    impl<'ast> Visit<'ast> for Asked {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            if let Expr::Path(path) = &*call.func
                && let Some(name) = path.path.get_ident()
                && RESULT_NAMES.iter().any(|known| name == known)
            {
                self.0.push((name.to_string(), name.span()));
            }
            syn::visit::visit_expr_call(self, call);
        }
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            let arguments = crate::macros::Arguments::of(call);
            for expression in arguments
                .iter()
                .flat_map(crate::macros::Arguments::expressions)
            {
                Visit::visit_expr(self, expression);
            }
        }
    }
    let mut asked = Asked(Vec::new());
    for oracle in &call.clauses.oracles {
        oracle_expressions(&oracle.kind)
            .into_iter()
            .for_each(|expression| Visit::visit_expr(&mut asked, expression));
    }
    asked.0
}

/// Returns the expressions of an oracle that are evaluated at the fragment's end.
pub fn oracle_expressions(kind: &OracleKind) -> Vec<&Expr> {
    match kind {
        OracleKind::Check(a)
        | OracleKind::True(a)
        | OracleKind::False(a)
        | OracleKind::Some(a)
        | OracleKind::None(a)
        | OracleKind::Ok(a)
        | OracleKind::Err(a)
        | OracleKind::Matches(a, _)
        | OracleKind::Return(a)
        | OracleKind::Value(a)
        | OracleKind::Panic(Some(a)) => vec![a],
        OracleKind::Eq(a, b) | OracleKind::Ne(a, b) | OracleKind::Same(a, b) => vec![a, b],
        OracleKind::Approx(a, b, c) => vec![a, b, c],
        OracleKind::Called(_, times) => vec![times],
        OracleKind::Flow(path) | OracleKind::NoFlow(path) => path.times.iter().collect(),
        OracleKind::Runs
        | OracleKind::Order(_)
        | OracleKind::Break(_)
        | OracleKind::Continue(_)
        | OracleKind::Panic(None) => Vec::new(),
    }
}

/// Returns the exit that the oracles expect. Two different ones are a mistake.
fn leaving(call: &TestCall, mistakes: &mut Mistakes) -> Leaving {
    let mut found: Option<(Leaving, Span)> = None;
    let mut expect = |leaving: Leaving, span: Span| match &found {
        Some((first, _)) if *first != leaving => {
            mistakes.add(
                span,
                "a fragment leaves in one way only: this contradicts an oracle before it",
            );
        }
        _ => found = Some((leaving, span)),
    };
    let label = |label: &Option<syn::LitStr>| {
        label
            .as_ref()
            .map(|text| text.value().trim_start_matches('\'').to_owned())
    };
    for oracle in &call.clauses.oracles {
        match &oracle.kind {
            OracleKind::Return(_) => expect(Leaving::Return, oracle.span),
            OracleKind::Value(_) => expect(Leaving::Value, oracle.span),
            OracleKind::Break(to) => expect(Leaving::Break(label(to)), oracle.span),
            OracleKind::Continue(to) => expect(Leaving::Continue(label(to)), oracle.span),
            OracleKind::Panic(_) => expect(Leaving::Panic, oracle.span),
            _ => {}
        }
    }
    for (name, span) in results_asked(call) {
        match name.as_str() {
            "returned" => expect(Leaving::Return, span),
            "value" => expect(Leaving::Value, span),
            _ => {}
        }
    }
    found.map_or(Leaving::Through, |(leaving, _)| leaving)
}

/// Finds the target of a test.
pub fn find_target<'a>(
    call: &TestCall,
    around: &Surroundings<'a>,
    spot: Spot<'a>,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    let leaving = leaving(call, mistakes);
    if call.kind != Kind::Inline {
        let of_header = |name: &str| matches!(name, "cond" | "items" | "scrutinee");
        for (name, span) in results_asked(call)
            .into_iter()
            .filter(|(name, _)| of_header(name))
        {
            let message = format!(
                "`{name}()` is for an `itest!` that is the first statement of a block; use one there"
            );
            mistakes.add(span, message);
        }
    }
    match call.kind {
        Kind::Inline => inline_target(call, spot, leaving, mistakes),
        Kind::Block => extent::block_target(call, around, spot, leaving, mistakes),
        Kind::Closure => closure::closure_target(call, spot, leaving, mistakes),
        Kind::End => None,
    }
}

fn inline_target<'a>(
    call: &TestCall,
    spot: Spot<'a>,
    leaving: Leaving,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    if let Some(statement) = spot.before {
        let runs_nothing = match statement {
            Stmt::Item(_) => Some("an item"),
            Stmt::Local(local) if local.init.is_none() => Some("a `let` without a value"),
            _ => None,
        };
        if let Some(what) = runs_nothing {
            let message = format!(
                "the statement before this `itest!` is {what}, which runs nothing; move the test"
            );
            mistakes.add(call.span, message);
            return None;
        }
        let header_name = results_asked(call)
            .into_iter()
            .find(|(name, _)| matches!(name.as_str(), "cond" | "items" | "scrutinee"));
        if let Some((name, span)) = header_name {
            let message = format!(
                "`{name}()` is for a test that is the first statement of the block; move the test there"
            );
            mistakes.add(span, message);
            return None;
        }
        let statements = std::slice::from_ref(statement);
        let target = Target::Fragment(statements_as_fragment(statements));
        return Some(Found::new(
            target,
            statements,
            leaving,
            statement.to_token_stream(),
        ));
    }
    header_target(call, spot.header, leaving, mistakes)
}

fn header_target<'a>(
    call: &TestCall,
    header: Header<'a>,
    leaving: Leaving,
    mistakes: &mut Mistakes,
) -> Option<Found<'a>> {
    let (name, target, tokens) = match header {
        Header::Condition(condition) => (
            "cond",
            Target::Condition(condition),
            condition.to_token_stream(),
        ),
        Header::For(for_) => ("items", Target::Items(for_), for_.expr.to_token_stream()),
        Header::Arm(scrutinee) => (
            "scrutinee",
            Target::Scrutinee(scrutinee),
            scrutinee.to_token_stream(),
        ),
        Header::None => {
            let message = "there is no statement before this `itest!`; put it right after the statement it tests, or use `blocktest!` before it";
            mistakes.add(call.span, message);
            return None;
        }
    };
    let asked = results_asked(call);
    // The exit of a header is part of it.
    if leaving == Leaving::Through && !asked.iter().any(|(asked, _)| asked == name) {
        let message = format!(
            "there is no statement before this `itest!`, so it tests the header of its block; ask for it with `{name}()`"
        );
        mistakes.add(call.span, message);
        return None;
    }
    for (other, span) in asked
        .into_iter()
        .filter(|(asked, _)| asked != name && asked != "returned")
    {
        mistakes.add(
            span,
            format!("there is no `{other}()` here; this test is about `{name}()`"),
        );
    }
    Some(Found::new(target, &[], leaving, tokens))
}

/// Returns statements without tests, each terminated, none of them a tail.
fn statements_as_fragment(statements: &[Stmt]) -> Fragment {
    let mut statements: Vec<Stmt> = statements
        .iter()
        .filter(|statement| !is_test_statement(statement))
        .cloned()
        .collect();
    for statement in &mut statements {
        RemoveTests.visit_stmt_mut(statement);
        end_statement(statement);
    }
    Fragment {
        statements,
        ..Fragment::default()
    }
}

/// Adds the semicolon that a last expression needs if more follows.
fn end_statement(statement: &mut Stmt) {
    match statement {
        Stmt::Expr(expression, semicolon @ None) if !is_block_like(expression) => {
            *semicolon = Some(syn::Token![;](expression.span()));
        }
        Stmt::Macro(call) if call.semi_token.is_none() => {
            call.semi_token = Some(syn::Token![;](call.mac.path.span()));
        }
        _ => {}
    }
}
