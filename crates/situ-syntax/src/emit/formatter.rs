//! Givens that are formatters: a format string constructs one, and oracles see the written string.

use crate::types::Known;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Lit, Type};

/// Returns whether a given is a format string for a `&mut Formatter`.
pub fn is_formatter(value: &Expr, known: &Known) -> bool {
    let is_text = matches!(value, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)));
    let Known::Declared(Type::Reference(reference)) = known else {
        return false;
    };
    let is_behind = matches!(&*reference.elem, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Formatter"));
    is_text && reference.mutability.is_some() && is_behind
}

/// Wraps code so that it gets a formatter, which exists only during formatting. The code is no
/// macro argument, because tools that read expanded tests do not look into these.
pub fn around(name: &Ident, format: &Expr, inner: &TokenStream) -> TokenStream {
    let written = written_to(name);
    let lending = format_ident!("__situ_lending_{}", name);
    quote! {
        let #written = ::situ::rt::Written::default();
        let #lending = ::situ::rt::Lending::new(|mut #name: &mut ::situ::rt::core::fmt::Formatter<'_>| { #inner });
        #written.keep(::situ::rt::core::format_args!(#format, #lending));
    }
}

/// Returns the declaration that rebinds the name to the written string.
pub fn looked_at(name: &Ident) -> TokenStream {
    let written = written_to(name);
    quote!(let #name: &str = &#written.text();)
}

fn written_to(name: &Ident) -> Ident {
    format_ident!("__situ_written_{}", name)
}
