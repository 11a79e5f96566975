//! The macros of a test build: thin wrappers of `situ-syntax`.

use proc_macro::TokenStream;

/// Returns the purpose from the environment, which `cargo situ explore` and exported fuzzing
/// projects set.
fn purpose() -> situ_syntax::Purpose {
    situ_syntax::Purpose::parse(std::env::var("SITU_EXPLORED_BUILD").ok().as_deref())
}

pub(crate) fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::expand_situ_for(attribute.into(), item.into(), purpose()).into()
}

pub(crate) fn theory(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_theory(attribute.into(), item.into(), purpose()).into()
}

pub(crate) fn datapoint(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_datapoint(attribute.into(), item.into()).into()
}

pub(crate) fn datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_datapoints(attribute.into(), item.into()).into()
}

pub(crate) fn stub(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_stub(attribute.into(), item.into(), purpose()).into()
}

pub(crate) fn property(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_property(attribute.into(), item.into(), purpose()).into()
}

pub(crate) fn proptests(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_proptests(tokens.into(), purpose()).into()
}

pub(crate) fn derive_data_points(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_derive_data_points(tokens.into()).into()
}

pub(crate) fn stub_for(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_stub_for(tokens.into(), purpose()).into()
}

pub(crate) fn assume(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_assume(tokens.into()).into()
}

pub(crate) fn assume_eq(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_assume_eq(tokens.into()).into()
}

pub(crate) fn assume_ok(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_assume_ok(tokens.into()).into()
}

pub(crate) fn assume_some(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_assume_some(tokens.into()).into()
}
