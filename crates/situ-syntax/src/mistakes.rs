//! Collects every mistake of a call, so that a user sees all of them at once.

use proc_macro2::{Span, TokenStream};

/// Mistakes found so far.
#[derive(Default)]
pub struct Mistakes(Option<syn::Error>);

impl Mistakes {
    /// Adds one, on the user's own token.
    pub fn add(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add_error(syn::Error::new(span, message));
    }

    /// Adds an error that a parser made.
    pub fn add_error(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }

    /// Takes the value out of a result, or remembers its error.
    pub fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add_error(error)).ok()
    }

    /// Moves in what another place found.
    pub fn absorb(&mut self, other: Mistakes) {
        if let Some(error) = other.0 {
            self.add_error(error);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// One `compile_error!` for each.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.0.as_ref().map(syn::Error::to_compile_error).unwrap_or_default()
    }

    /// All of them as one error, if there are any.
    pub fn into_result(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
