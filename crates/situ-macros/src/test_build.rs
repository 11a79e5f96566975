//! What the macros are in a test build: thin doors into `situ-syntax`.

use proc_macro::TokenStream;

pub(crate) fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    situ_syntax::expand_situ(attribute.into(), item.into()).into()
}
