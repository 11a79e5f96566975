//! Parses the clauses of a test, one after the other.

use super::arguments::{
    argument, boundary, check_shape, example_error, first_argument, flow_path, literal,
    matched_pattern, one_given, optional, pair, positive, runtime, setup_block,
};
use super::call::Kind;
use super::clause::{Answers, Clauses, Each, Input, Mock, Oracle, OracleKind, Scope};
use super::nearest::nearest;
use super::vacuous::{check_oracle, check_pattern};
use crate::mistakes::Mistakes;
use crate::text::source_text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Pat, Token};

/// Parses one clause and adds it to the clauses.
pub fn parse_clause(
    kind: Kind,
    input: ParseStream<'_>,
    clauses: &mut Clauses,
    mistakes: &mut Mistakes,
) -> syn::Result<()> {
    if input.peek(LitStr) {
        let late: LitStr = input.parse()?;
        mistakes.add(
            late.span(),
            "a test's name comes first: move it before the other clauses",
        );
        return Ok(());
    }
    let name: Ident = input.parse().map_err(|error| {
        syn::Error::new(
            error.span(),
            "expected a clause here, such as `given(x = 1)` or `check_eq(x, 1)`",
        )
    })?;
    if !input.peek(syn::token::Paren) {
        let message = if input.peek(Token![=]) && !input.peek(Token![==]) {
            format!("a value is given in a clause: write `given({name} = …)`")
        } else if input.is_empty() || input.peek(Token![,]) {
            format!("a clause reads as a call: write `{name}(…)`")
        } else {
            format!("what must hold stands in a clause: write `check({name} …)`")
        };
        return Err(syn::Error::new(name.span(), message));
    }
    let group: proc_macro2::Group = input.fork().parse()?;
    // Only clauses that can fail need their source.
    let is_told = name == "assume" || name.to_string().starts_with("check");
    let text = is_told.then(|| {
        format!(
            "{name}{}",
            source_text(&proc_macro2::TokenTree::Group(group).into())
        )
    });
    let text = text.unwrap_or_default();
    let inner;
    syn::parenthesized!(inner in input);
    let mut clause = Clause {
        kind,
        name,
        text,
        clauses,
        mistakes,
    };
    let result = clause.parse(&inner).and_then(|()| {
        let message = format!(
            "`{}` takes no more than this: remove what follows",
            clause.name
        );
        if inner.is_empty() {
            Ok(())
        } else {
            Err(syn::Error::new(inner.span(), message))
        }
    });
    if let Err(error) = result {
        clause.clauses.unreadable.push(clause.name.clone());
        mistakes.add_error(error);
        // The rest of this clause says nothing about the next.
        inner.parse::<TokenStream>()?;
    }
    Ok(())
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
        let clauses = &self.clauses;
        let is_twice = match name.as_str() {
            "delay_ms" => clauses.delay_ms.is_some(),
            "ignore" => clauses.ignore.is_some(),
            "repeat" => clauses.repeat.is_some(),
            "timeout_ms" => clauses.timeout_ms.is_some(),
            "runtime" => clauses.runtime.is_some(),
            "nth" => clauses.nth.is_some(),
            "of" => clauses.of.is_some(),
            "args" => clauses.args.is_some(),
            _ => false,
        };
        if is_twice {
            return Err(self.misplaced(&format!("`{name}` is said twice; remove one")));
        }
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
                let tags =
                    Punctuated::<LitStr, Token![,]>::parse_terminated(input).map_err(|error| {
                        syn::Error::new(error.span(), "tags are strings: write `tag(\"slow\")`")
                    })?;
                if tags.is_empty() {
                    return Err(
                        self.misplaced("`tag` needs at least one tag: write `tag(\"slow\")`")
                    );
                }
                self.clauses.tags.extend(tags);
            }
            "ignore" => self.clauses.ignore = Some(literal(input, "ignore(\"why\")")?),
            "observed" => self.clauses.observed = Some(literal(input, "observed(\"7k2m\")")?),
            "repeat" => self.clauses.repeat = Some(positive(input, "repeat(3)")?),
            "timeout_ms" => self.clauses.timeout_ms = Some(positive(input, "timeout_ms(100)")?),
            "runtime" => self.clauses.runtime = Some(runtime(input)?),
            "nth" | "of" | "args" => self.closure_clause(&name, input)?,
            _ => return Err(self.unknown(&name)),
        }
        Ok(())
    }

    fn misplaced(&self, message: &str) -> syn::Error {
        syn::Error::new(self.name.span(), message)
    }

    fn unknown(&self, name: &str) -> syn::Error {
        match nearest(name, &CLAUSES) {
            Some(known) => self.misplaced(&format!(
                "there is no clause `{name}`: did you mean `{known}(…)`?"
            )),
            None => self.misplaced(&format!(
                "there is no clause `{name}`: the clauses are {}",
                CLAUSES.join(", ")
            )),
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
        let pattern = Pat::parse_multi_with_leading_vert(input)
            .map_err(|error| example_error(&error, example))?;
        input
            .parse::<Token![,]>()
            .map_err(|error| example_error(&error, example))?;
        let iterable = argument(input, example)?;
        self.clauses.inputs.push(Input::Each(Each {
            span: self.name.span(),
            pattern,
            iterable,
        }));
        Ok(())
    }

    fn mock(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let example = if name == "mock" {
            "mock(now(), 17)"
        } else {
            "mock_seq(read(), [1, 2])"
        };
        let call: Expr = input
            .parse()
            .map_err(|error| example_error(&error, example))?;
        check_shape(&call)?;
        if input.is_empty() {
            return Err(self.misplaced(&format!(
                "`{name}` needs a call and what it gives: write `{example}`"
            )));
        }
        input
            .parse::<Token![,]>()
            .map_err(|error| example_error(&error, example))?;
        let value = argument(input, example)?;
        let answers = match (name, value) {
            ("mock", value) => Answers::Always(value),
            (_, Expr::Array(array)) => Answers::InTurn(array.elems.into_iter().collect()),
            (_, other) => {
                let message =
                    "`mock_seq` takes its values as a list: write `mock_seq(call, [1, 2])`";
                return Err(syn::Error::new_spanned(other, message));
            }
        };
        if matches!(&answers, Answers::InTurn(values) if values.is_empty()) {
            return Err(self
                .misplaced("`mock_seq` needs at least one value: write `mock_seq(call, [1, 2])`"));
        }
        self.clauses.mocks.push(Mock {
            span: self.name.span(),
            call,
            answers,
        });
        Ok(())
    }

    fn scope(&mut self, name: &str, input: ParseStream<'_>) -> syn::Result<()> {
        if self.kind != Kind::Block {
            return Err(self.misplaced(&format!(
                "only `blocktest!` has a fragment to delimit: remove `{name}(…)`"
            )));
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
            return Err(self.misplaced(&format!(
                "`{name}` is a clause of `closuretest!`: remove it here"
            )));
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
                let matched =
                    matched_pattern(input).map_err(|error| example_error(&error, example))?;
                let (pattern, if_token, guard) = matched;
                check_pattern(&pattern, guard.as_ref())?;
                OracleKind::Matches(value, quote!(#pattern #if_token #guard))
            }
            "check_return" => OracleKind::Return(argument(input, "check_return(Some(1))")?),
            "check_value" => OracleKind::Value(argument(input, "check_value(1)")?),
            "check_break" => OracleKind::Break(optional(input, "check_break(\"outer\")")?),
            "check_continue" => OracleKind::Continue(optional(input, "check_continue(\"outer\")")?),
            "check_panic" => OracleKind::Panic(if input.is_empty() {
                None
            } else {
                Some(input.parse()?)
            }),
            "check_flow" => OracleKind::Flow(flow_path(input)?),
            "check_no_flow" => OracleKind::NoFlow(flow_path(input)?),
            "check_called" => {
                let example = "check_called(now(), 2)";
                let call = first_argument(input, example)?;
                OracleKind::Called(call, argument(input, example)?)
            }
            "check_order" => {
                let wrong =
                    |error: syn::Error| example_error(&error, "check_order(open(..), close())");
                let mut calls: Vec<Expr> = vec![input.parse().map_err(wrong)?];
                while !input.is_empty() {
                    input.parse::<Token![,]>().map_err(wrong)?;
                    if !input.is_empty() {
                        calls.push(input.parse().map_err(wrong)?);
                    }
                }
                OracleKind::Order(calls)
            }
            _ => return Err(self.unknown(name)),
        };
        let _: Option<Token![,]> = input.parse()?;
        check_oracle(&kind)?;
        self.clauses.oracles.push(Oracle {
            span: self.name.span(),
            text: self.text.clone(),
            kind,
        });
        Ok(())
    }
}

/// The clauses suggested to users; `observed` is for generators.
const CLAUSES: [&str; 40] = [
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
    "check_order",
];
