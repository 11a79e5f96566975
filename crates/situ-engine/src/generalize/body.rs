//! What a test does: the calls that it makes and the assertions that it has, each with its bytes.

use super::scope::Step;
use crate::source::byte_range;
use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;
use syn::parse::{ParseStream, Parser as _};
use syn::visit::{self, Visit};
use syn::{Expr, Item, Macro, Pat, Stmt, Token};

/// A call in a test.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// All of it.
    pub range: Range<usize>,
    /// The step that holds it.
    pub statement: usize,
    /// The path that is called; of a method only its name.
    pub words: Vec<String>,
    /// What a method is called on.
    pub receiver: Option<Range<usize>>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Whether it stands in a loop or closure, and may be made more than once.
    pub is_repeated: bool,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its bytes.
    pub range: Range<usize>,
    /// How it is written.
    pub form: Form,
}

/// How an argument is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A literal.
    Literal,
    /// A closure, or something that is changed through a reference: it stays as it is.
    Fixed,
    /// Anything else.
    Expression,
}

/// What kind of assertion it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A macro that asserts.
    Macro,
    /// A macro that compares with what is stored elsewhere under the test's name.
    Snapshot,
    /// `unwrap`, `expect` and `?`.
    Unwrap,
    /// `panic!` in a branch that is not to be taken.
    Panic,
}

/// An assertion in a test.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// All of it, with its semicolon where it is a statement.
    pub range: Range<usize>,
    /// What kind it is.
    pub kind: Kind,
    /// The step that holds it.
    pub statement: usize,
    /// Whether it is a statement of some block.
    pub is_statement: bool,
    /// What it is about: its arguments, or what is unwrapped.
    pub operands: Vec<Range<usize>>,
}

impl Assertion {
    /// Is it a claim by itself, which a copy can go without?
    pub fn is_explicit(&self) -> bool {
        matches!(self.kind, Kind::Macro | Kind::Snapshot) || self.kind == Kind::Unwrap && self.is_statement
    }
}

/// A variable of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// `let mut`.
    pub is_mutable: bool,
}

/// What a test does.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The calls, in the order of their ends.
    pub calls: Vec<CallSite>,
    /// The assertions, in the order of the source.
    pub assertions: Vec<Assertion>,
    /// All variables that it binds.
    pub variables: Vec<Variable>,
}

impl Body {
    /// Reads steps.
    pub fn of(steps: &[Step]) -> Body {
        let mut walk = Walk::default();
        for (number, step) in steps.iter().enumerate() {
            walk.statement = number;
            match step {
                Step::Statement(statement) => walk.visit_stmt(statement),
                Step::Given { name, binding, .. } => {
                    let is_mutable = binding.starts_with("let mut ");
                    walk.body.variables.push(Variable { name: name.clone(), is_mutable });
                }
            }
        }
        walk.body.assertions.sort_by_key(|assertion| assertion.range.start);
        walk.body
    }
}

#[derive(Default)]
struct Walk {
    body: Body,
    statement: usize,
    /// Loops and closures around.
    repeats: usize,
}

impl Walk {
    fn called(
        &mut self,
        range: Range<usize>,
        words: Vec<String>,
        receiver: Option<Range<usize>>,
        arguments: Vec<&Expr>,
    ) {
        let argument = |argument: &&Expr| Argument { range: byte_range(*argument), form: form_of(argument) };
        self.body.calls.push(CallSite {
            range,
            statement: self.statement,
            words,
            receiver,
            arguments: arguments.iter().map(argument).collect(),
            is_repeated: self.repeats > 0,
        });
    }

    fn asserted(&mut self, range: Range<usize>, kind: Kind, is_statement: bool, operands: Vec<Range<usize>>) {
        let statement = self.statement;
        self.body.assertions.push(Assertion { range, kind, statement, is_statement, operands });
    }

    fn repeated(&mut self, inner: impl FnOnce(&mut Walk)) {
        self.repeats += 1;
        inner(self);
        self.repeats -= 1;
    }

    fn macro_call(&mut self, call: &Macro, range: Range<usize>, is_statement: bool) {
        let operands = leading_expressions(&call.tokens);
        let ranges: Vec<Range<usize>> = operands.iter().map(byte_range).collect();
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        match kind_of_macro(&name) {
            Some(kind) => self.asserted(range, kind, is_statement, ranges),
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
            Stmt::Expr(Expr::Macro(call), _) => self.macro_call(&call.mac, byte_range(statement), true),
            Stmt::Expr(expression, Some(_)) if unwrapped(expression).is_some() => {
                let operand = unwrapped(expression).map(byte_range);
                self.asserted(byte_range(statement), Kind::Unwrap, true, operand.into_iter().collect());
                unwrapped(expression).into_iter().for_each(|inner| self.visit_expr(inner));
            }
            other => visit::visit_stmt(self, other),
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Macro(call) => return self.macro_call(&call.mac, byte_range(expression), false),
            Expr::Call(call) => {
                visit::visit_expr(self, expression);
                if let Expr::Path(path) = &*call.func {
                    let words: Vec<String> =
                        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                    let is_variant = is_uppercase(&words);
                    if !is_variant {
                        self.called(byte_range(expression), words, None, call.args.iter().collect());
                    }
                }
                return;
            }
            Expr::MethodCall(call) => {
                visit::visit_expr(self, expression);
                let name = call.method.to_string();
                let receiver = byte_range(&call.receiver);
                if is_unwrap(&name) {
                    self.asserted(byte_range(expression), Kind::Unwrap, false, vec![receiver]);
                    return;
                }
                self.called(byte_range(expression), vec![name], Some(receiver), call.args.iter().collect());
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
            self.body.variables.push(Variable { name: name.ident.to_string(), is_mutable: name.mutability.is_some() });
        }
        visit::visit_pat(self, pattern);
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

fn is_unwrap(method: &str) -> bool {
    matches!(method, "unwrap" | "expect" | "unwrap_err" | "expect_err")
}

/// What an expression unwraps, if that is all that it does with it.
fn unwrapped(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::MethodCall(call) if is_unwrap(&call.method.to_string()) => Some(&call.receiver),
        Expr::Try(question) => Some(&question.expr),
        _ => None,
    }
}

/// `Some(…)`, `Token::Word(…)`: the last word is a type or variant.
fn is_uppercase(words: &[String]) -> bool {
    words.last().is_some_and(|last| last.starts_with(char::is_uppercase))
}

fn form_of(argument: &Expr) -> Form {
    match argument {
        Expr::Lit(_) => Form::Literal,
        Expr::Unary(unary) if matches!(&*unary.expr, Expr::Lit(_)) => Form::Literal,
        Expr::Reference(reference) if reference.mutability.is_some() => Form::Fixed,
        Expr::Reference(reference) if matches!(&*reference.expr, Expr::Lit(_)) => Form::Literal,
        Expr::Closure(_) | Expr::Async(_) => Form::Fixed,
        Expr::Paren(inner) => form_of(&inner.expr),
        _ => Form::Expression,
    }
}

fn kind_of_macro(name: &str) -> Option<Kind> {
    match name {
        "panic" | "unreachable" => Some(Kind::Panic),
        _ if name.contains("snapshot") => Some(Kind::Snapshot),
        "check" | "let_assert" => Some(Kind::Macro),
        _ if name.starts_with("assert") || name.starts_with("debug_assert") => Some(Kind::Macro),
        _ => None,
    }
}

/// Macros that only say something to a reader.
pub fn is_text_macro(name: &str) -> bool {
    matches!(name, "print" | "println" | "eprint" | "eprintln" | "dbg" | "trace" | "debug" | "info" | "warn")
}

/// The expressions that the tokens of a macro call begin with: `matches!` goes on with a pattern.
pub fn leading_expressions(tokens: &TokenStream) -> Vec<Expr> {
    let parse = |input: ParseStream<'_>| {
        let mut all = Vec::new();
        while !input.is_empty() {
            let ahead = input.fork();
            // Named arguments of format strings are no assignments.
            let is_whole =
                ahead.parse::<Expr>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![;]));
            if !is_whole {
                break;
            }
            all.push(input.parse::<Expr>()?);
            if input.parse::<Token![,]>().is_err() && input.parse::<Token![;]>().is_err() {
                break;
            }
        }
        input.step(|cursor| {
            let mut rest = *cursor;
            while let Some((_, next)) = rest.token_tree() {
                rest = next;
            }
            Ok(((), rest))
        })?;
        Ok(all)
    };
    parse.parse2(tokens.clone()).unwrap_or_default()
}

/// All words in a text of Rust, those that format strings mention too.
pub fn words_in(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        collect_words(tokens, &mut words);
    }
    words
}

fn collect_words(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => words.push(name.to_string()),
            TokenTree::Group(group) => collect_words(group.stream(), words),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) {
                    words.extend(named_in_format(&text));
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// The names between braces in a format string.
fn named_in_format(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('{').skip(1).filter_map(|part| {
        let name = part.split(['}', ':']).next()?;
        let is_name = !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_');
        (is_name && !name.starts_with(|first: char| first.is_numeric())).then(|| name.to_owned())
    })
}
