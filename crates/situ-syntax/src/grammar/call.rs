//! One call of a test macro.

use super::clause::{Boundary, Clauses, Oracle, OracleKind, Scope};
use super::parse::parse_clause;
use crate::depth;
use crate::mistakes::Mistakes;
use crate::text::line_of;
use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Macro, Stmt, StmtMacro, Token};

/// One of the macros that make in-situ tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `itest!`: a test of the statement before it or of the header around it.
    Inline,
    /// `blocktest!`: a test of a fragment.
    Block,
    /// `closuretest!`: a test of a closure.
    Closure,
    /// `endtest!`: the end of a fragment; no test itself.
    End,
}

impl TestCall {
    /// Returns how a message names the test: `the test "all"`, or by its line where it has no name.
    pub fn in_words(&self) -> String {
        match &self.name {
            Some(name) => format!("the test {:?}", name.value()),
            None => format!(
                "the `{}!` of line {}",
                self.kind.macro_name(),
                line_of(self.span)
            ),
        }
    }
}

impl Kind {
    /// All test macros.
    pub const ALL: [Kind; 4] = [Kind::Inline, Kind::Block, Kind::Closure, Kind::End];

    /// Returns the test macro of that name.
    pub fn named(name: &Ident) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| name == kind.macro_name())
    }

    /// Returns the macro's name, without the exclamation mark.
    pub const fn macro_name(self) -> &'static str {
        match self {
            Kind::Inline => "itest",
            Kind::Block => "blocktest",
            Kind::Closure => "closuretest",
            Kind::End => "endtest",
        }
    }
}

/// A call of a test macro, parsed.
pub struct TestCall {
    /// Which macro.
    pub kind: Kind,
    /// The macro's name in the user's code.
    pub span: Span,
    /// `#[cfg(…)]` and the like on the call itself.
    pub attributes: Vec<Attribute>,
    /// The string at its start.
    pub name: Option<LitStr>,
    /// What follows.
    pub clauses: Clauses,
}

/// Returns which test macro is called, by the last segment of its path.
pub fn kind_of_macro(call: &Macro) -> Option<Kind> {
    Kind::named(&call.path.segments.last()?.ident)
}

/// Returns whether a statement is a call of a test macro.
pub fn is_test_statement(statement: &Stmt) -> bool {
    test_of_statement(statement).is_some()
}

/// Returns the test macro call that a statement is.
pub fn test_of_statement(statement: &Stmt) -> Option<(Kind, &StmtMacro)> {
    match statement {
        Stmt::Macro(statement) => Some((kind_of_macro(&statement.mac)?, statement)),
        _ => None,
    }
}

impl TestCall {
    /// Parses a call. Parse errors are added to the mistakes; the call has the clauses that could
    /// be parsed.
    pub fn parse(kind: Kind, statement: &StmtMacro, mistakes: &mut Mistakes) -> Option<TestCall> {
        let span = statement.mac.path.segments.last()?.ident.span();
        if statement.semi_token.is_none()
            && !matches!(statement.mac.delimiter, syn::MacroDelimiter::Brace(_))
        {
            // At the end of a block, a normal build would take the call for the block's value.
            mistakes.add(
                span,
                format!(
                    "`{}!(…)` is a statement; end it with `;`",
                    kind.macro_name()
                ),
            );
            return None;
        }
        mistakes.take(depth::check(&statement.mac.tokens))?;
        let mut inner = Mistakes::default();
        let parse = |input: ParseStream<'_>| parse_body(kind, input, &mut inner);
        let parsed = mistakes.take(statement.mac.parse_body_with(parse));
        mistakes.absorb(inner);
        let (name, clauses) = parsed?;
        Some(TestCall {
            kind,
            span,
            attributes: statement.attrs.clone(),
            name,
            clauses,
        })
    }

    /// Returns the part of a call with unparsable clauses in which missing values can still be
    /// found: the first statement of its fragment, or its target. Returns `None` if those clauses
    /// might have given values.
    pub fn for_missing_values(mut self) -> Option<TestCall> {
        if !self.clauses.unreadable.iter().all(gives_nothing) {
            return None;
        }
        self.clauses.oracles.push(Oracle {
            span: self.span,
            text: String::new(),
            kind: OracleKind::Runs,
        });
        match self.clauses.scope {
            // Whatever the oracles are, the fragment starts there.
            None | Some((_, Scope::End(_))) if self.kind == Kind::Block => {
                self.clauses.scope = Some((self.span, Scope::Next(1)));
            }
            Some((_, Scope::Start(Boundary::Assign))) => return None,
            _ => {}
        }
        Some(self)
    }
}

/// Returns whether a clause of that name gives no values.
fn gives_nothing(name: &Ident) -> bool {
    let others = [
        "delay_ms",
        "assume",
        "tag",
        "ignore",
        "repeat",
        "timeout_ms",
        "runtime",
    ];
    name.to_string().starts_with("check") || others.iter().any(|other| name == other)
}

fn parse_body(
    kind: Kind,
    input: ParseStream<'_>,
    mistakes: &mut Mistakes,
) -> syn::Result<(Option<LitStr>, Clauses)> {
    let name: Option<LitStr> = if input.peek(LitStr) {
        Some(input.parse()?)
    } else {
        None
    };
    if name.is_some() && !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    if let Some(empty) = name.as_ref().filter(|name| name.value().trim().is_empty()) {
        mistakes.add(
            empty.span(),
            "a test's name cannot be empty; write one or leave it out",
        );
    }
    let mut clauses = Clauses::default();
    while !input.is_empty() {
        parse_clause(kind, input, &mut clauses, mistakes)?;
        if !input.is_empty() {
            input.parse::<Token![,]>().map_err(|error| {
                syn::Error::new(
                    error.span(),
                    "clauses are separated by commas: expected `,` before this",
                )
            })?;
        }
    }
    Ok((name, clauses))
}
