//! Flow paths: `If.ElseIf(2).Then`, `For.Body.times(3)`.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, LitInt, Token};

/// What a step of a flow path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// An `if`.
    If,
    /// Its first block.
    Then,
    /// One of its `else if`s.
    ElseIf,
    /// Its last block.
    Else,
    /// A `match`.
    Match,
    /// One of its arms.
    Arm,
    /// A `for` loop.
    For,
    /// A `while` loop.
    While,
    /// A `loop`.
    Loop,
    /// The body of a loop.
    Body,
}

const STEPS: [(&str, StepKind); 10] = [
    ("If", StepKind::If),
    ("Then", StepKind::Then),
    ("ElseIf", StepKind::ElseIf),
    ("Else", StepKind::Else),
    ("Match", StepKind::Match),
    ("Arm", StepKind::Arm),
    ("For", StepKind::For),
    ("While", StepKind::While),
    ("Loop", StepKind::Loop),
    ("Body", StepKind::Body),
];

/// One step of a flow path.
pub struct FlowStep {
    /// What it names.
    pub kind: StepKind,
    /// Its number among those of its kind, counted from one.
    pub number: usize,
    /// The step in the user's code.
    pub span: Span,
}

impl FlowStep {
    /// Formats the step as the user would write it.
    pub fn text(&self) -> String {
        let (name, _) = STEPS[self.kind as usize];
        if self.number == 1 && self.kind != StepKind::Arm {
            name.to_owned()
        } else {
            format!("{name}({})", self.number)
        }
    }
}

/// A whole path.
pub struct FlowPath {
    /// Its steps, outermost first; at least one.
    pub steps: Vec<FlowStep>,
    /// The exact number of passes, if it is given.
    pub times: Option<Expr>,
}

impl Parse for FlowPath {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut path = FlowPath {
            steps: Vec::new(),
            times: None,
        };
        loop {
            let name: Ident = input.parse()?;
            if name == "times" && !path.steps.is_empty() {
                let inner;
                syn::parenthesized!(inner in input);
                path.times = Some(inner.parse()?);
                return Ok(path);
            }
            path.steps.push(step(&name, input)?);
            if !input.peek(Token![.]) {
                return Ok(path);
            }
            input.parse::<Token![.]>()?;
        }
    }
}

fn step(name: &Ident, input: ParseStream<'_>) -> syn::Result<FlowStep> {
    let Some((_, kind)) = STEPS.iter().find(|(text, _)| name == text) else {
        let known: Vec<&str> = STEPS.iter().map(|(text, _)| *text).collect();
        let message = format!(
            "`{name}` is no step of a flow path: write one of {}",
            known.join(", ")
        );
        return Err(syn::Error::new(name.span(), message));
    };
    let mut which = 1;
    if input.peek(syn::token::Paren) {
        let literal = number(input, "a step")?;
        which = literal.base10_parse()?;
        if which == 0 {
            return Err(syn::Error::new(
                literal.span(),
                "steps are counted from one: write `(1)` or nothing",
            ));
        }
    } else if *kind == StepKind::Arm {
        return Err(syn::Error::new(name.span(), "which arm? write `Arm(1)`"));
    }
    Ok(FlowStep {
        kind: *kind,
        number: which,
        span: name.span(),
    })
}

fn number(input: ParseStream<'_>, what: &str) -> syn::Result<LitInt> {
    let inner;
    syn::parenthesized!(inner in input);
    let literal = inner.parse::<LitInt>();
    let rest: proc_macro2::TokenStream = inner.parse()?;
    match (literal, rest.into_iter().next()) {
        (Ok(literal), None) => Ok(literal),
        (Ok(_), Some(more)) => Err(syn::Error::new(
            more.span(),
            "write one number: remove this",
        )),
        (Err(error), _) => Err(syn::Error::new(
            error.span(),
            format!("{what} takes a number: write `(2)`"),
        )),
    }
}
