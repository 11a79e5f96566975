//! The clauses of a test, one after the other.

use super::call::Kind;
use super::flow::FlowPath;
use crate::mistakes::Mistakes;
use crate::text::source_text;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Ident, Lit, LitInt, LitStr, Pat, Path, Token, Type};

/// `given(x = value)`.
pub struct Given {
    /// A variable, a place, a constant or a generic parameter.
    pub place: Expr,
    /// Its value, not parsed: for a generic parameter it is a type.
    pub value: TokenStream,
}

impl Given {
    /// The name, where the given is a plain name.
    pub fn name(&self) -> Option<&Ident> {
        match &self.place {
            Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => path.path.get_ident(),
            _ => None,
        }
    }

    /// The value as an expression.
    pub fn expression(&self) -> syn::Result<Expr> {
        syn::parse2(self.value.clone())
    }

    /// The value as a type.
    pub fn type_(&self) -> syn::Result<Type> {
        syn::parse2(self.value.clone())
    }
}

/// `each(pattern, iterable)`.
pub struct Each {
    /// The clause's name in the user's code.
    pub span: Span,
    /// What each element is taken apart with.
    pub pattern: Pat,
    /// What is gone over.
    pub iterable: Expr,
}

/// An input, in the order in which they were written.
pub enum Input {
    /// A value.
    Given(Given),
    /// One value after the other.
    Each(Each),
}

/// `mock(call, value)` or `mock_seq(call, [values])`.
pub struct Mock {
    /// The clause's name in the user's code.
    pub span: Span,
    /// The shape of the calls.
    pub call: Expr,
    /// What they give.
    pub answers: Answers,
}

/// What a mocked call gives.
pub enum Answers {
    /// The same each time.
    Always(Expr),
    /// One after the other.
    InTurn(Vec<Expr>),
}

/// Where a fragment starts or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// At the n-th block statement.
    Block(usize),
    /// Where all variables of the oracles have been assigned.
    Assign,
    /// At the first statement that can leave.
    Exit,
}

/// What a clause says of the fragment's extent.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    /// `next(n)`
    Next(usize),
    /// `end(…)`
    End(Boundary),
    /// `start(…)`
    Start(Boundary),
}

/// What must hold.
pub struct Oracle {
    /// The clause's name in the user's code.
    pub span: Span,
    /// The clause as the user wrote it.
    pub text: String,
    /// What it asks.
    pub kind: OracleKind,
}

/// The kinds of oracles.
#[allow(missing_docs, reason = "each is the clause of that name in the book")]
pub enum OracleKind {
    Check(Expr),
    Runs,
    Eq(Expr, Expr),
    Ne(Expr, Expr),
    True(Expr),
    False(Expr),
    Some(Expr),
    None(Expr),
    Ok(Expr),
    Err(Expr),
    Approx(Expr, Expr, Expr),
    Same(Expr, Expr),
    Matches(Expr, TokenStream),
    Return(Expr),
    Value(Expr),
    Break(Option<LitStr>),
    Continue(Option<LitStr>),
    Panic(Option<Expr>),
    Flow(FlowPath),
    NoFlow(FlowPath),
    Called(Expr, LitInt),
}

/// All clauses of a test.
#[derive(Default)]
#[allow(missing_docs, reason = "each is the clause of that name in the book")]
pub struct Clauses {
    pub inputs: Vec<Input>,
    pub setups: Vec<Block>,
    pub mocks: Vec<Mock>,
    pub delay_ms: Option<Expr>,
    pub oracles: Vec<Oracle>,
    pub scope: Option<(Span, Scope)>,
    pub assumes: Vec<(Expr, String)>,
    pub tags: Vec<LitStr>,
    pub ignore: Option<LitStr>,
    pub repeat: Option<LitInt>,
    pub timeout_ms: Option<LitInt>,
    pub runtime: Option<Path>,
    pub nth: Option<LitInt>,
    pub of: Option<Ident>,
    pub args: Option<Vec<Expr>>,
}

impl Clauses {
    /// The givens, in order.
    pub fn givens(&self) -> impl Iterator<Item = &Given> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Given(given) => Some(given),
            Input::Each(_) => None,
        })
    }

    /// The `each` clauses, in order.
    pub fn eaches(&self) -> impl Iterator<Item = &Each> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Each(each) => Some(each),
            Input::Given(_) => None,
        })
    }
}

/// Parses one clause into its place.
pub fn parse_clause(
    kind: Kind,
    input: ParseStream<'_>,
    clauses: &mut Clauses,
    mistakes: &mut Mistakes,
) -> syn::Result<()> {
    if input.peek(LitStr) {
        let late: LitStr = input.parse()?;
        mistakes.add(late.span(), "a test's name comes first: move it before the other clauses");
        return Ok(());
    }
    let name: Ident = input.parse().map_err(|error| {
        syn::Error::new(error.span(), "expected a clause here, such as `given(x = 1)` or `check_eq(x, 1)`")
    })?;
    if !input.peek(syn::token::Paren) {
        return Err(syn::Error::new(name.span(), format!("a clause reads as a call: write `{name}(…)`")));
    }
    let (inner, text) = {
        let group: proc_macro2::Group = input.parse()?;
        let text = source_text(&{
            let mut tokens = name.to_token_stream();
            tokens.extend([proc_macro2::TokenTree::Group(group.clone())]);
            tokens
        });
        (group, text)
    };
    let mut clause = Clause { kind, name, text, clauses, mistakes };
    let parser = |input: ParseStream<'_>| {
        clause.parse(input)?;
        if input.is_empty() {
            return Ok(());
        }
        let message = format!("`{}` takes no more than this: remove what follows", clause.name);
        Err(syn::Error::new(input.span(), message))
    };
    if inner.stream().is_empty() {
        // An empty group has no token of its own to point at.
        let result = parser.parse2(TokenStream::new());
        return result.or_else(|error| {
            mistakes.add(inner.span_open(), error);
            Ok(())
        });
    }
    parser.parse2(inner.stream()).or_else(|error| {
        mistakes.add_error(error);
        Ok(())
    })
}

struct Clause<'a> {
    kind: Kind,
    name: Ident,
    text: String,
    clauses: &'a mut Clauses,
    mistakes: &'a mut Mistakes,
}

impl Clause<'_> {
    fn parse(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let name = self.name.to_string();
        if self.kind == Kind::End {
            return Err(self.misplaced("`endtest!` takes only the name of its test"));
        }
        if name.starts_with("check") {
            return self.oracle(&name, input);
        }
        match name.as_str() {
            "given" => self.given(input)?,
            "each" => self.each(input)?,
            "setup" => self.clauses.setups.push(setup_block(input)?),
            "mock" | "mock_seq" => self.mock(&name, input)?,
            "delay_ms" => self.clauses.delay_ms = Some(argument(input, "delay_ms(50)")?),
            "next" | "end" | "start" => self.scope(&name, input)?,
            "assume" => {
                let condition = argument(input, "assume(x > 0)")?;
                self.clauses.assumes.push((condition, self.text.clone()));
            }
            "tag" => {
                let tags = Punctuated::<LitStr, Token![,]>::parse_terminated(input)
                    .map_err(|error| syn::Error::new(error.span(), "tags are strings: write `tag(\"slow\")`"))?;
                if tags.is_empty() {
                    return Err(self.misplaced("`tag` needs at least one tag: write `tag(\"slow\")`"));
                }
                self.clauses.tags.extend(tags);
            }
            "ignore" => self.clauses.ignore = Some(literal(input, "ignore(\"why\")")?),
            "repeat" => self.clauses.repeat = Some(positive(input, "repeat(3)")?),
            "timeout_ms" => self.clauses.timeout_ms = Some(positive(input, "timeout_ms(100)")?),
            "runtime" => self.clauses.runtime = Some(literal(input, "runtime(tokio)")?),
            "nth" | "of" | "args" => self.closure_clause(&name, input)?,
            _ => return Err(self.unknown(&name)),
        }
        Ok(())
    }

    fn misplaced(&self, message: &str) -> syn::Error {
        syn::Error::new(self.name.span(), message)
    }

    fn unknown(&self, name: &str) -> syn::Error {
        let nearest = CLAUSES
            .iter()
            .map(|known| (distance(name, known), known))
            .filter(|(distance, _)| *distance <= 3)
            .min_by_key(|(distance, _)| *distance);
        match nearest {
            Some((_, known)) => self.misplaced(&format!("there is no clause `{name}`: did you mean `{known}(…)`?")),
            None => self.misplaced(&format!("there is no clause `{name}`: the clauses are {}", CLAUSES.join(", "))),
        }
    }

    fn given(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Err(self.misplaced("`given` needs a value: write `given(x = 1)`"));
        }
        while !input.is_empty() {
            self.clauses.inputs.push(Input::Given(one_given(input)?));
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn each(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let example = "each((x, y), [(1, 2), (3, 4)])";
        let pattern = Pat::parse_multi_with_leading_vert(input).map_err(|error| example_error(&error, example))?;
        input.parse::<Token![,]>().map_err(|error| example_error(&error, example))?;
        let iterable = argument(input, example)?;
        self.clauses.inputs.push(Input::Each(Each { span: self.name.span(), pattern, iterable }));
        Ok(())
    }

    fn mock(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let example = if name == "mock" { "mock(now(), 17)" } else { "mock_seq(read(), [1, 2])" };
        let call: Expr = input.parse().map_err(|error| example_error(&error, example))?;
        if input.is_empty() {
            return Err(self.misplaced(&format!("`{name}` needs a call and what it gives: write `{example}`")));
        }
        input.parse::<Token![,]>().map_err(|error| example_error(&error, example))?;
        let value = argument(input, example)?;
        let answers = match (name, value) {
            ("mock", value) => Answers::Always(value),
            (_, Expr::Array(array)) => Answers::InTurn(array.elems.into_iter().collect()),
            (_, other) => {
                let message = "`mock_seq` takes its values as a list: write `mock_seq(call, [1, 2])`";
                return Err(syn::Error::new_spanned(other, message));
            }
        };
        if matches!(&answers, Answers::InTurn(values) if values.is_empty()) {
            return Err(self.misplaced("`mock_seq` needs at least one value: write `mock_seq(call, [1, 2])`"));
        }
        self.clauses.mocks.push(Mock { span: self.name.span(), call, answers });
        Ok(())
    }

    fn scope(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        if self.kind != Kind::Block {
            return Err(self.misplaced(&format!("only `blocktest!` has a fragment to delimit: remove `{name}(…)`")));
        }
        let scope = match name {
            "next" => Scope::Next(positive(input, "next(2)")?.base10_parse()?),
            "end" => Scope::End(boundary(input, name)?),
            _ => Scope::Start(boundary(input, name)?),
        };
        if self.clauses.scope.is_some() {
            let message = "a fragment is delimited once: keep one of `next`, `end`, `start`";
            self.mistakes.add(self.name.span(), message);
        }
        self.clauses.scope = Some((self.name.span(), scope));
        Ok(())
    }

    fn closure_clause(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        if self.kind != Kind::Closure {
            return Err(self.misplaced(&format!("`{name}` is a clause of `closuretest!`: remove it here")));
        }
        match name {
            "nth" => self.clauses.nth = Some(positive(input, "nth(2)")?),
            "of" => self.clauses.of = Some(literal(input, "of(name)")?),
            _ => {
                let args = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
                self.clauses.args = Some(args.into_iter().collect());
            }
        }
        Ok(())
    }

    fn oracle(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let kind = match name {
            "check" => OracleKind::Check(argument(input, "check(x > 2)")?),
            "check_runs" => OracleKind::Runs,
            "check_eq" => pair(input, name).map(|(a, b)| OracleKind::Eq(a, b))?,
            "check_ne" => pair(input, name).map(|(a, b)| OracleKind::Ne(a, b))?,
            "check_same" => pair(input, name).map(|(a, b)| OracleKind::Same(a, b))?,
            "check_true" => OracleKind::True(argument(input, "check_true(found)")?),
            "check_false" => OracleKind::False(argument(input, "check_false(found)")?),
            "check_some" => OracleKind::Some(argument(input, "check_some(name)")?),
            "check_none" => OracleKind::None(argument(input, "check_none(name)")?),
            "check_ok" => OracleKind::Ok(argument(input, "check_ok(parsed)")?),
            "check_err" => OracleKind::Err(argument(input, "check_err(parsed)")?),
            "check_approx" => {
                let example = "check_approx(x, 0.5, 1e-9)";
                let a = first_argument(input, example)?;
                let b = first_argument(input, example)?;
                OracleKind::Approx(a, b, argument(input, example)?)
            }
            "check_matches" => {
                let example = "check_matches(token, Token::Word(_))";
                let value = first_argument(input, example)?;
                let pattern: TokenStream = input.parse()?;
                (|input: ParseStream<'_>| {
                    Pat::parse_multi_with_leading_vert(input)?;
                    if input.peek(Token![if]) {
                        input.parse::<Token![if]>()?;
                        input.parse::<Expr>()?;
                    }
                    input.parse::<Option<Token![,]>>().map(drop)
                })
                .parse2(pattern.clone())
                .map_err(|error| example_error(&error, example))?;
                OracleKind::Matches(value, pattern)
            }
            "check_return" => OracleKind::Return(argument(input, "check_return(Some(1))")?),
            "check_value" => OracleKind::Value(argument(input, "check_value(1)")?),
            "check_break" => OracleKind::Break(optional(input, "check_break(\"outer\")")?),
            "check_continue" => OracleKind::Continue(optional(input, "check_continue(\"outer\")")?),
            "check_panic" => OracleKind::Panic(if input.is_empty() { None } else { Some(input.parse()?) }),
            "check_flow" => OracleKind::Flow(flow_path(input)?),
            "check_no_flow" => OracleKind::NoFlow(flow_path(input)?),
            "check_called" => {
                let example = "check_called(now(), 2)";
                let call = first_argument(input, example)?;
                OracleKind::Called(call, literal(input, example)?)
            }
            _ => return Err(self.unknown(name)),
        };
        let _: Option<Token![,]> = input.parse()?;
        self.clauses.oracles.push(Oracle { span: self.name.span(), text: self.text.clone(), kind });
        Ok(())
    }
}

const CLAUSES: [&str; 39] = [
    "given",
    "each",
    "setup",
    "mock",
    "mock_seq",
    "delay_ms",
    "next",
    "end",
    "start",
    "assume",
    "tag",
    "ignore",
    "repeat",
    "timeout_ms",
    "runtime",
    "nth",
    "of",
    "args",
    "check",
    "check_runs",
    "check_eq",
    "check_ne",
    "check_true",
    "check_false",
    "check_some",
    "check_none",
    "check_ok",
    "check_err",
    "check_approx",
    "check_same",
    "check_matches",
    "check_return",
    "check_value",
    "check_break",
    "check_continue",
    "check_panic",
    "check_flow",
    "check_no_flow",
    "check_called",
];

fn one_given(input: ParseStream<'_>) -> syn::Result<Given> {
    // Parsed up to the `=` only: the value may be a type, which need not be an expression.
    let target: TokenStream = input.step(|cursor| {
        let mut rest = *cursor;
        let mut tokens = TokenStream::new();
        while let Some((tree, next)) = rest.token_tree() {
            match &tree {
                proc_macro2::TokenTree::Punct(p) if p.as_char() == '=' => break,
                proc_macro2::TokenTree::Punct(p) if p.as_char() == ',' => break,
                _ => tokens.extend([tree]),
            }
            rest = next;
        }
        Ok((tokens, rest))
    })?;
    let place: Expr = syn::parse2(target.clone()).map_err(|error| example_error(&error, "given(x = 1)"))?;
    if !input.peek(Token![=]) || input.peek(Token![==]) {
        let span = syn::spanned::Spanned::span(&target);
        let message = format!("what is its value? write `given({} = …)`", source_text(&target));
        return Err(syn::Error::new(span, message));
    }
    input.parse::<Token![=]>()?;
    if let Ok(value) = input.fork().parse::<Expr>() {
        let fork = input.fork();
        let _: Expr = fork.parse()?;
        if fork.is_empty() || fork.peek(Token![,]) {
            let _: Expr = input.parse()?;
            return Ok(Given { place, value: value.to_token_stream() });
        }
    }
    if let Ok(value) = input.fork().parse::<Type>() {
        let _: Type = input.parse()?;
        return Ok(Given { place, value: value.to_token_stream() });
    }
    let value: Expr = input.parse()?;
    Ok(Given { place, value: value.to_token_stream() })
}

fn setup_block(input: ParseStream<'_>) -> syn::Result<Block> {
    let block: Block = input.parse().map_err(|error| example_error(&error, "setup({ buffer.push(1); })"))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(block)
}

fn example_error(error: &syn::Error, example: &str) -> syn::Error {
    syn::Error::new(error.span(), format!("{error}: write `{example}`"))
}

fn argument(input: ParseStream<'_>, example: &str) -> syn::Result<Expr> {
    let value = input.parse().map_err(|error| example_error(&error, example))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(value)
}

fn first_argument(input: ParseStream<'_>, example: &str) -> syn::Result<Expr> {
    let value = input.parse().map_err(|error| example_error(&error, example))?;
    input.parse::<Token![,]>().map_err(|error| example_error(&error, example))?;
    Ok(value)
}

fn pair(input: ParseStream<'_>, name: &str) -> syn::Result<(Expr, Expr)> {
    let example = format!("{name}(a, b)");
    Ok((first_argument(input, &example)?, argument(input, &example)?))
}

fn literal<T: Parse>(input: ParseStream<'_>, example: &str) -> syn::Result<T> {
    let value = input.parse().map_err(|error| example_error(&error, example))?;
    let _: Option<Token![,]> = input.parse()?;
    Ok(value)
}

fn optional<T: Parse>(input: ParseStream<'_>, example: &str) -> syn::Result<Option<T>> {
    if input.is_empty() { Ok(None) } else { literal(input, example).map(Some) }
}

fn positive(input: ParseStream<'_>, example: &str) -> syn::Result<LitInt> {
    let value: Lit = literal(input, example)?;
    match value {
        Lit::Int(number) if number.base10_parse::<u64>()? > 0 => Ok(number),
        other => Err(syn::Error::new(other.span(), format!("this is a number from one on: write `{example}`"))),
    }
}

fn flow_path(input: ParseStream<'_>) -> syn::Result<FlowPath> {
    input.parse().map_err(|error: syn::Error| {
        let text = error.to_string();
        let known = text.contains("write") || text.contains("takes");
        if known { error } else { example_error(&error, "check_flow(If.Else)") }
    })
}

fn boundary(input: ParseStream<'_>, clause: &str) -> syn::Result<Boundary> {
    let example = format!("{clause}(first_block), {clause}(first_assign) or {clause}(first_exit)");
    let name: Ident = input.parse().map_err(|error| example_error(&error, &example))?;
    let number = if input.peek(Token![,]) && !input.peek2(syn::parse::End) {
        input.parse::<Token![,]>()?;
        Some(positive(input, "end(first_block, 2)")?)
    } else {
        let _: Option<Token![,]> = input.parse()?;
        None
    };
    match (name.to_string().as_str(), &number) {
        ("first_block", None) => Ok(Boundary::Block(1)),
        ("first_block", Some(number)) => Ok(Boundary::Block(number.base10_parse()?)),
        ("first_assign", None) => Ok(Boundary::Assign),
        ("first_exit", None) => Ok(Boundary::Exit),
        ("first_assign" | "first_exit", Some(number)) => {
            Err(syn::Error::new(number.span(), "only `first_block` is counted: remove the number"))
        }
        _ => Err(syn::Error::new(name.span(), format!("no such boundary: write `{example}`"))),
    }
}

/// How many letters differ, to find the clause that was meant.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
