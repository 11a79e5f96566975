//! The pieces of user code that a test consists of, rewritten and analysed together.

use crate::fragment::Fragment;
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::quote;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Pat};

/// Returns a body whose braces have the spans of the user's function body.
///
/// Coverage tools credit a line to the body that contains it.
pub fn body_at(span: Span, code: TokenStream) -> Group {
    let mut body = Group::new(Delimiter::Brace, code);
    body.set_span(span);
    body
}

/// The code of a clause, rewritten along with the fragment.
pub struct Parts {
    pub fragment: Fragment,
    pub parameters: Vec<Pat>,
    pub arguments: Vec<Expr>,
    pub setups: Vec<Block>,
    pub assumes: Vec<(Expr, String)>,
    pub delay: Option<Expr>,
    /// The expressions of each oracle.
    pub oracles: Vec<Vec<Expr>>,
}

impl Parts {
    pub fn change(&mut self, visitor: &mut dyn VisitMut) {
        self.fragment
            .statements
            .iter_mut()
            .for_each(|statement| visitor.visit_stmt_mut(statement));
        self.fragment
            .tail
            .iter_mut()
            .for_each(|tail| visitor.visit_expr_mut(tail));
        self.parameters
            .iter_mut()
            .for_each(|parameter| visitor.visit_pat_mut(parameter));
        self.arguments
            .iter_mut()
            .for_each(|argument| visitor.visit_expr_mut(argument));
        self.setups
            .iter_mut()
            .for_each(|setup| visitor.visit_block_mut(setup));
        self.assumes
            .iter_mut()
            .for_each(|(assume, _)| visitor.visit_expr_mut(assume));
        self.delay
            .iter_mut()
            .for_each(|delay| visitor.visit_expr_mut(delay));
        self.oracles
            .iter_mut()
            .flatten()
            .for_each(|value| visitor.visit_expr_mut(value));
    }

    pub fn look_at_fragment<'p, V: Visit<'p>>(&'p self, visitor: &mut V) {
        self.fragment
            .statements
            .iter()
            .for_each(|statement| visitor.visit_stmt(statement));
        self.fragment
            .tail
            .iter()
            .for_each(|tail| visitor.visit_expr(tail));
    }

    pub fn look_at_clauses<'p, V: Visit<'p>>(&'p self, visitor: &mut V) {
        self.arguments
            .iter()
            .for_each(|argument| visitor.visit_expr(argument));
        self.setups
            .iter()
            .for_each(|setup| visitor.visit_block(setup));
        self.assumes
            .iter()
            .for_each(|(assume, _)| visitor.visit_expr(assume));
        self.delay
            .iter()
            .for_each(|delay| visitor.visit_expr(delay));
        self.oracles
            .iter()
            .flatten()
            .for_each(|value| visitor.visit_expr(value));
    }

    pub fn tokens(&self) -> TokenStream {
        let (statements, tail) = (&self.fragment.statements, &self.fragment.tail);
        let oracles = self.oracles.iter().flatten();
        let setups = &self.setups;
        quote!(#(#statements)* #tail; #(#oracles;)* #(#setups)*)
    }
}
