//! Values that the answers of mocks borrow. The temporary of `&mut Vec::new()` would be dropped
//! with the arm that returns it, so it gets a variable that lives as long as the test.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::{Expr, ExprReference};

/// The variables that hold borrowed values so far.
#[derive(Default)]
pub struct BorrowedAnswers {
    /// Their names, to be declared around everything that uses the answers.
    pub names: Vec<Ident>,
}

impl BorrowedAnswers {
    /// Rewrites an answer so that it borrows only what lives until the test ends.
    pub fn keep(&mut self, answer: &mut Expr) {
        match answer {
            Expr::Reference(reference) => {
                self.keep(&mut reference.expr);
                if let Some(lent) = self.lent(reference) {
                    *answer = lent;
                }
            }
            Expr::Paren(inner) => self.keep(&mut inner.expr),
            Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(|part| self.keep(part)),
            Expr::Array(array) => array.elems.iter_mut().for_each(|part| self.keep(part)),
            Expr::Struct(made) => made
                .fields
                .iter_mut()
                .for_each(|field| self.keep(&mut field.expr)),
            // A function need not return its arguments, as a variant does.
            Expr::Call(call) if is_variant(&call.func) => {
                call.args.iter_mut().for_each(|part| self.keep(part))
            }
            _ => {}
        }
    }

    fn lent(&mut self, reference: &ExprReference) -> Option<Expr> {
        let (value, index) = match &*reference.expr {
            Expr::Index(index) => (&*index.expr, Some(&index.index)),
            value => (value, None),
        };
        if !ends_early(reference, value) {
            return None;
        }
        let name = format_ident!("__situ_lent_{}", self.names.len(), span = Span::call_site());
        let mutability = &reference.mutability;
        let index = index.map(|index| quote!([#index]));
        let lent = quote!({ #name = #value; &#mutability #name #index });
        self.names.push(name);
        Some(syn::parse2(lent.clone()).unwrap_or(Expr::Verbatim(lent)))
    }
}

/// Returns whether a function is an enum variant or a tuple struct.
fn is_variant(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Returns whether a reference borrows a temporary that the compiler does not promote to a
/// constant.
fn ends_early(reference: &ExprReference, value: &Expr) -> bool {
    match value {
        Expr::Paren(inner) => ends_early(reference, &inner.expr),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => false,
        Expr::Array(array) if array.elems.is_empty() => false,
        value => reference.mutability.is_some() || runs_something(value),
    }
}

/// Returns whether evaluating a value calls something.
fn runs_something(value: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            self.0 |= matches!(
                expression,
                Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_)
            );
            visit::visit_expr(self, expression);
        }
    }
    let mut calls = Calls(false);
    calls.visit_expr(value);
    calls.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lent(answer: &str) -> (String, usize) {
        let mut expression: Expr = syn::parse_str(answer).unwrap();
        let mut lent = BorrowedAnswers::default();
        lent.keep(&mut expression);
        (quote!(#expression).to_string(), lent.names.len())
    }

    #[test]
    fn what_is_made_to_be_borrowed_gets_a_variable() {
        let (text, count) = lent("Some((&mut vec![1], &name(), &mut [1, 2][..]))");
        assert_eq!(count, 3);
        assert!(
            text.contains("{ __situ_lent_0 = vec ! [1] ; & mut __situ_lent_0 }"),
            "{text}"
        );
        assert!(
            text.contains("{ __situ_lent_2 = [1 , 2] ; & mut __situ_lent_2 [..] }"),
            "{text}"
        );
        assert_eq!(lent("&Some(&String::new())").1, 2, "each by itself");
    }

    #[test]
    fn constants_and_places_are_borrowed_as_they_are() {
        for answer in [
            "&5",
            "&[1, 2][..]",
            "&mut list",
            "&mut self.list[..]",
            "&mut *list",
            "\"a\"",
            "&mut []",
        ] {
            assert_eq!(lent(answer).1, 0, "{answer}");
        }
        assert_eq!(
            lent("Thing::of(&String::new())").1,
            0,
            "the function is done with it"
        );
    }
}
