//! The macros of a normal build: they pass tokens through without parsing them.

use proc_macro::TokenStream;

pub(crate) fn situ(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}

pub(crate) fn theory(_attribute: TokenStream, _item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Allows dead code on a data point, because theories may be its only users, and they do not exist
/// here.
pub(crate) fn datapoint(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut kept: TokenStream = "#[allow(dead_code)]".parse().expect("an attribute");
    kept.extend(item);
    kept
}

pub(crate) fn datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    datapoint(attribute, item)
}

/// Keeps a property, which is an ordinary function that others may call.
pub(crate) fn property(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}

pub(crate) fn proptests(_tokens: TokenStream) -> TokenStream {
    TokenStream::new()
}

pub(crate) fn derive_data_points(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

pub(crate) fn stub(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}

pub(crate) fn stub_for(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Expands to nothing: code outside tests assumes nothing.
pub(crate) fn assume(_condition: TokenStream) -> TokenStream {
    TokenStream::new()
}

pub(crate) fn assume_eq(_values: TokenStream) -> TokenStream {
    TokenStream::new()
}

pub(crate) fn assume_ok(_result: TokenStream) -> TokenStream {
    outside_of_tests("assume_ok")
}

pub(crate) fn assume_some(_option: TokenStream) -> TokenStream {
    outside_of_tests("assume_some")
}

/// Returns the error for a macro that needs a value and works only in tests, which can be skipped.
fn outside_of_tests(name: &str) -> TokenStream {
    let error = format!(
        "::core::compile_error!(\"`{name}!` stands in theories and tests: put this under `#[cfg(test)]`\")"
    );
    error.parse().expect("a macro call")
}
