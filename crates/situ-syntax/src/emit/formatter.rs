//! Formatters that are given: a format string makes one, and oracles see the text that was written to it.

use crate::types::Known;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Lit, Type};

/// Whether a given is a format string for a `&mut Formatter`.
pub fn is_formatter(value: &Expr, known: &Known) -> bool {
    let is_text = matches!(value, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)));
    let Known::Declared(Type::Reference(reference)) = known else {
        return false;
    };
    let is_behind = matches!(&*reference.elem, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Formatter"));
    is_text && reference.mutability.is_some() && is_behind
}

/// Lends the code a formatter: only who is being formatted has one. The code is no argument of a macro, into which
/// nobody would look who goes through expanded tests.
pub fn around(name: &Ident, format: &Expr, inner: &TokenStream) -> TokenStream {
    let written = written_to(name);
    let lending = format_ident!("__situ_lending_{}", name);
    quote! {
        let #written = ::situ::rt::Written::default();
        let #lending = ::situ::rt::Lending::new(|mut #name: &mut ::situ::rt::core::fmt::Formatter<'_>| { #inner });
        #written.keep(::situ::rt::core::format_args!(#format, #lending));
    }
}

/// From here on the name means what was written.
pub fn looked_at(name: &Ident) -> TokenStream {
    let written = written_to(name);
    quote!(let #name: &str = &#written.text();)
}

fn written_to(name: &Ident) -> Ident {
    format_ident!("__situ_written_{}", name)
}
