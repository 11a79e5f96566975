//! The procedural macros of Situ: parse, ask `situ-syntax`, emit.
//!
//! Without the feature `test` this crate has no dependency and parses nothing: `#[situ]` gives its item back as it
//! is, theories disappear, data points stay.

use proc_macro::TokenStream;

#[cfg(not(feature = "test"))]
mod normal_build;
#[cfg(not(feature = "test"))]
use normal_build as build;

#[cfg(feature = "test")]
mod test_build;
#[cfg(feature = "test")]
use test_build as build;

/// Marks the `fn`, `impl` block, `trait` or inline `mod` that holds in-situ tests; see `situ::situ`.
#[proc_macro_attribute]
pub fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::situ(attribute, item)
}
