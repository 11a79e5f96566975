//! The clauses of a test, as they were written.

use super::flow::FlowPath;
use proc_macro2::{Span, TokenStream};
use syn::{Block, Expr, Ident, LitInt, LitStr, Pat, Path, Type};

/// `given(x = value)`.
pub struct Given {
    /// A variable, a place, a constant or a generic parameter.
    pub place: Expr,
    /// The value as the user wrote it; for a generic parameter it is a type.
    pub value: TokenStream,
    /// The value as an expression, if it is one.
    pub parsed: Option<Expr>,
}

impl Given {
    /// Returns the name, if the given is a plain name.
    pub fn name(&self) -> Option<&Ident> {
        match &self.place {
            Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => {
                path.path.get_ident()
            }
            _ => None,
        }
    }

    /// Returns the value as an expression.
    pub fn expression(&self) -> syn::Result<&Expr> {
        let is_type = || syn::Error::new_spanned(&self.value, "this is a type; write a value");
        self.parsed.as_ref().ok_or_else(is_type)
    }

    /// Returns the value as a type.
    pub fn type_(&self) -> syn::Result<Type> {
        syn::parse2(self.value.clone())
    }
}

/// `each(pattern, iterable)`.
pub struct Each {
    /// The clause's name in the user's code.
    pub span: Span,
    /// The pattern that destructures each element.
    pub pattern: Pat,
    /// The iterable.
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
    /// The pattern of the calls.
    pub call: Expr,
    /// The return values.
    pub answers: Answers,
}

/// The return values of a mocked call.
pub enum Answers {
    /// The same value each time.
    Always(Expr),
    /// One value after the other.
    InTurn(Vec<Expr>),
}

/// Where a fragment starts or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// At the n-th block statement.
    Block(usize),
    /// Where all variables of the oracles have been assigned.
    Assign,
    /// At the first statement that can exit.
    Exit,
}

/// A clause about the fragment's extent.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    /// `next(n)`
    Next(usize),
    /// `end(…)`
    End(Boundary),
    /// `start(…)`
    Start(Boundary),
}

/// A condition that must hold.
pub struct Oracle {
    /// The clause's name in the user's code.
    pub span: Span,
    /// The clause as the user wrote it.
    pub text: String,
    /// The kind of oracle.
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
    Called(Expr, Expr),
    Order(Vec<Expr>),
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
    pub observed: Option<LitStr>,
    pub repeat: Option<LitInt>,
    pub timeout_ms: Option<LitInt>,
    pub runtime: Option<Path>,
    pub nth: Option<LitInt>,
    pub of: Option<Ident>,
    pub args: Option<Vec<Expr>>,
    /// The names of clauses that could not be parsed.
    pub unreadable: Vec<Ident>,
}

impl Clauses {
    /// Returns the givens, in order.
    pub fn givens(&self) -> impl Iterator<Item = &Given> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Given(given) => Some(given),
            Input::Each(_) => None,
        })
    }

    /// Returns the `each` clauses, in order.
    pub fn eaches(&self) -> impl Iterator<Item = &Each> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Each(each) => Some(each),
            Input::Given(_) => None,
        })
    }
}
