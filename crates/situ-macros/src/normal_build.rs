//! What the macros are in a normal build: they hand tokens through and look at none of them.

use proc_macro::TokenStream;

pub(crate) fn situ(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    item
}

pub(crate) fn theory(_attribute: TokenStream, _item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// A data point may be used by theories alone, which are gone here.
pub(crate) fn datapoint(_attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut kept: TokenStream = "#[allow(dead_code)]".parse().expect("an attribute");
    kept.extend(item);
    kept
}

pub(crate) fn datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    datapoint(attribute, item)
}

/// A property is an ordinary function, which others may call.
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

/// Nothing is assumed of code that is not under test.
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

/// The value has to come from somewhere, and only a test can be skipped where there is none.
fn outside_of_tests(name: &str) -> TokenStream {
    let error = format!(
        "::core::compile_error!(\"`{name}!` stands in theories and tests: put this under `#[cfg(test)]`\")"
    );
    error.parse().expect("a macro call")
}
