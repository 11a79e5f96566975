//! What the macros are in a test build: thin doors into `situ-syntax`.

use proc_macro::TokenStream;

pub(crate) fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::expand_situ(attribute.into(), item.into()).into()
}

pub(crate) fn theory(attribute: TokenStream, item: TokenStream) -> TokenStream {
    // Set by the wrapper around the compiler, in a build that `cargo situ explore` makes.
    let expand = match std::env::var_os("SITU_EXPLORED_BUILD") {
        Some(_) => situ_syntax::theory::expand_explored_theory,
        None => situ_syntax::theory::expand_theory,
    };
    expand(attribute.into(), item.into()).into()
}

pub(crate) fn datapoint(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_datapoint(attribute.into(), item.into()).into()
}

pub(crate) fn datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_datapoints(attribute.into(), item.into()).into()
}

pub(crate) fn stub(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_stub(attribute.into(), item.into()).into()
}

pub(crate) fn derive_data_points(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_derive_data_points(tokens.into()).into()
}

pub(crate) fn stub_for(tokens: TokenStream) -> TokenStream {
    situ_syntax::theory::expand_stub_for(tokens.into()).into()
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
