//! The grammar of Situ's tests and its meaning.

use proc_macro2::TokenStream;

/// Expands `#[situ]`.
pub fn expand_situ(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}
