//! Reports values with the names of secrets to the recorder wherever they are created, also in code
//! that is not recorded. A secret is recognised under another name only if it was seen under its
//! own.

use super::Insertion;
use super::places::bindings_of;
use super::walk::Walk;
use crate::source::{bare_range, byte_range};
use situ_recorder::secret::Secrecy;
use situ_syntax::is_conditional;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::{
    Block, Expr, ExprLit, FieldValue, FnArg, Lit, Local, Member, Pat, Signature, Stmt, Token,
};

impl Walk<'_, '_> {
    /// Reports parameters with the names of secrets at the start of their function.
    pub(super) fn look_at_parameters(&mut self, signature: &Signature, block: &Block) {
        let at = byte_range(&block.brace_token.span.join()).start + 1;
        let patterns = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.pat),
            FnArg::Receiver(_) => None,
        });
        for (text, piece) in patterns
            .flat_map(|pattern| self.looks(pattern))
            .collect::<Vec<_>>()
        {
            self.planner
                .insertions
                .push(Insertion::statement_before(&(at..at), text, piece));
        }
    }

    /// Reports variables with the names of secrets when they are initialised.
    pub(super) fn look_at_local(&mut self, local: &Local, statement: &Stmt) {
        if local.init.is_none() || is_conditional(&local.attrs) {
            return;
        }
        for (text, piece) in self.looks(&local.pat) {
            self.planner.insertions.push(Insertion::statement_after(
                &byte_range(statement),
                text,
                piece,
            ));
        }
    }

    fn looks(&mut self, pattern: &Pat) -> Vec<(String, usize)> {
        let named = bindings_of(pattern).into_iter().map(|(name, _)| name);
        let secret: Vec<(String, Secrecy)> = named
            .map(|name| (name.clone(), self.planner.secrecy(&name)))
            .filter(|(_, secrecy)| *secrecy != Secrecy::None)
            .collect();
        let look = |(name, secrecy): (String, Secrecy)| {
            let text = format!(" {} ", self.look(secrecy, &name));
            (text, self.piece_of_look(&name, Some(name.clone())))
        };
        secret.into_iter().map(look).collect()
    }

    /// Reports the value of a field with the name of a secret: `Login { password: typed.to_owned()
    /// }`.
    pub(super) fn look_at_field(&mut self, field: &FieldValue) {
        let Member::Named(name) = &field.member else {
            return;
        };
        if field.colon_token.is_some()
            && field.attrs.is_empty()
            && self.planner.secrecy(&name.to_string()) == Secrecy::Always
        {
            self.look_at_expression(&byte_range(&field.expr), &name.to_string());
        }
    }

    /// Reports the argument after one that names a secret: `request.header("Authorization",
    /// value)`.
    pub(super) fn look_at_arguments(&mut self, arguments: &Punctuated<Expr, Token![,]>) {
        for (key, value) in arguments.iter().zip(arguments.iter().skip(1)) {
            if let Expr::Lit(ExprLit {
                lit: Lit::Str(key), ..
            }) = key
                && self.planner.secrecy(&key.value()) == Secrecy::Always
                && !matches!(value, Expr::Lit(_) | Expr::Closure(_))
            {
                self.look_at_expression(&bare_range(value), &key.value());
            }
        }
    }

    fn look_at_expression(&mut self, range: &Range<usize>, name: &str) {
        let (piece, layer) = (self.piece_of_look(name, None), self.planner.layer());
        let value = format!("__situ_s{layer}");
        let close = format!(
            ") {{ {value} => {{ {} {value} }} }})",
            self.look(Secrecy::Always, &value)
        );
        self.planner
            .insertions
            .push(Insertion::before(range, layer, "(match (", piece));
        self.planner
            .insertions
            .push(Insertion::after(range, layer, close, piece));
    }

    fn look(&self, secrecy: Secrecy, value: &str) -> String {
        format!(
            "::situ_recorder::look!({secrecy:?}, {:?}, {value});",
            self.planner.krate.package
        )
    }

    fn piece_of_look(&mut self, name: &str, variable: Option<String>) -> usize {
        let id = self
            .planner
            .identity(&self.function.clone(), &format!("look {name}"));
        self.planner.piece(format!("look {id:x}"), None, variable)
    }
}
