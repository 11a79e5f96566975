//! The calls in a piece of code.

use super::PlacedMock;
use super::shapes::{arguments, is_open, open_shape, shape, without_spaces};
use crate::source::targets::macro_arguments;
use crate::source::{byte_range, parse_part, parse_tokens};
use proc_macro2::TokenStream;
use quote::ToTokens;
use situ_syntax::source_text;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Expr};

#[derive(Default)]
pub(crate) struct Calls {
    /// The calls, in source order.
    pub found: Vec<FoundCall>,
}

/// A call in the source.
#[derive(Clone)]
pub(crate) struct FoundCall {
    pub shape: String,
    /// The pattern with all arguments open.
    open: String,
    pub bytes: Range<usize>,
    /// The bytes of its arguments.
    pub arguments: Vec<Range<usize>>,
}

impl Calls {
    /// Parses statements and returns their calls, or `None` if they cannot be parsed.
    pub(crate) fn of(tokens: &TokenStream) -> Option<Calls> {
        let block = parse_tokens::<Block>(quote::quote!({ #tokens })).ok()?;
        let mut calls = Calls::default();
        calls.visit_block(&block);
        Some(calls)
    }

    /// Returns whether calls of one function differ in their written arguments and some of these
    /// mention a lost input. A mock that compares an argument would evaluate it in all of them.
    pub(crate) fn are_torn(&self, open: &str, mentioned: &[Range<usize>]) -> bool {
        let open = without_spaces(open);
        let own: Vec<&FoundCall> = self
            .found
            .iter()
            .filter(|call| without_spaces(&call.open) == open)
            .collect();
        let is_lost = |argument: &Range<usize>| mentioned.iter().any(|at| is_inside(at, argument));
        own.iter().any(|call| call.shape != own[0].shape)
            && own.iter().any(|call| call.arguments.iter().any(is_lost))
    }

    /// Sets the ranges of the calls that each mock matches.
    pub(crate) fn place(&self, mocks: &mut [PlacedMock]) {
        for call in &self.found {
            let shapes = [&call.shape, &call.open].map(|shape| without_spaces(shape));
            for placed in mocks
                .iter_mut()
                .filter(|placed| shapes.contains(&without_spaces(&placed.open)))
            {
                placed.ranges.push(call.bytes.clone());
                let Ok(pattern) = parse_part(&placed.mock.call) else {
                    continue;
                };
                let compared = call.arguments.iter().zip(arguments(&pattern));
                let written = compared
                    .filter(|(_, pattern)| !is_open(pattern))
                    .map(|(argument, _)| argument.clone());
                placed.evaluated.extend(written);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if matches!(
            expression,
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_)
        ) && let Ok(shape) = shape(&source_text(&expression.to_token_stream()))
        {
            let arguments = arguments(expression).map(byte_range).collect();
            let open = open_shape(&shape).unwrap_or_else(|| shape.clone());
            self.found.push(FoundCall {
                shape,
                open,
                bytes: byte_range(expression),
                arguments,
            });
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        macro_arguments(call.tokens.clone())
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }
}

/// Returns whether a byte range is inside another.
pub(crate) fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_not_looked_at_where_another_call_has_something_lost_in_its_place() {
        let source = "w.put(b'x')?; w.put(s.n)?; v.put(1)?; v.put(2)?;";
        let calls = Calls::of(&source.parse().unwrap()).unwrap();
        let at = calls
            .found
            .iter()
            .find(|call| source[call.bytes.clone()].contains("s.n"))
            .unwrap();
        let lost = at.arguments.clone();
        assert!(calls.are_torn("w.put(..)", &lost));
        assert!(!calls.are_torn("w.put(..)", &[]), "nothing is lost");
        assert!(!calls.are_torn("v.put(..)", &lost), "it is lost elsewhere");
    }
}
