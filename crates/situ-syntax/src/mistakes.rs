//! A collection of all mistakes of a call, so that a user sees them at once.

use proc_macro2::{Span, TokenStream, TokenTree};

/// Mistakes found so far.
#[derive(Default)]
pub struct Mistakes {
    all: Option<syn::Error>,
    /// The mistakes that are about missing values.
    missing_values: Option<syn::Error>,
}

fn combine(all: &mut Option<syn::Error>, error: syn::Error) {
    match all {
        Some(all) => all.combine(error),
        none => *none = Some(error),
    }
}

/// Returns one `compile_error!` for each part of an error, without the path `::core`. In edition
/// 2015 that path is a module of the user's own crate, and the message would be lost.
pub fn compile_errors(error: &syn::Error) -> TokenStream {
    let is_of_path = |tree: &TokenTree| match tree {
        TokenTree::Punct(mark) => mark.as_char() == ':',
        TokenTree::Ident(name) => name == "core",
        _ => false,
    };
    error
        .to_compile_error()
        .into_iter()
        .filter(|tree| !is_of_path(tree))
        .collect()
}

impl Mistakes {
    /// Adds a mistake at the user's own token.
    pub fn add(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add_error(syn::Error::new(span, message));
    }

    /// Adds a parser's error.
    pub fn add_error(&mut self, error: syn::Error) {
        combine(&mut self.all, error);
    }

    /// Adds a missing value of a variable. It stays a mistake whatever else is wrong with a test.
    pub fn add_missing_value(&mut self, span: Span, message: impl std::fmt::Display) {
        let error = syn::Error::new(span, message);
        combine(&mut self.missing_values, error.clone());
        self.add_error(error);
    }

    /// Returns the value of a result, or adds its error.
    pub fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add_error(error)).ok()
    }

    /// Moves all mistakes of another collection here.
    pub fn absorb(&mut self, other: Mistakes) {
        other
            .all
            .into_iter()
            .for_each(|error| combine(&mut self.all, error));
        other
            .missing_values
            .into_iter()
            .for_each(|error| combine(&mut self.missing_values, error));
    }

    /// Moves the missing values of another collection here, and drops the rest.
    pub fn absorb_missing_values(&mut self, other: Mistakes) {
        other
            .missing_values
            .into_iter()
            .for_each(|error| self.add_error(error));
    }

    /// Returns whether there are no mistakes.
    pub fn is_empty(&self) -> bool {
        self.all.is_none()
    }

    /// Returns one `compile_error!` for each mistake.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.all.as_ref().map(compile_errors).unwrap_or_default()
    }

    /// Returns all mistakes as one error, if there are any.
    pub fn into_result(self) -> syn::Result<()> {
        self.all.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_no_path_that_an_edition_does_not_know() {
        let mut error = syn::Error::new(Span::call_site(), "one");
        error.combine(syn::Error::new(Span::call_site(), "two"));
        let expected = r#"compile_error ! { "one" } compile_error ! { "two" }"#;
        assert_eq!(compile_errors(&error).to_string(), expected);
    }
}
