//! Theories and what belongs to them: attributes in, checked model, tokens out.

mod assumption;
mod datapoint;
mod derive;
mod emit;
mod explored;
mod generics;
mod literals;
mod model;
mod parameter;
mod property;
mod shape;
mod stub;
mod stub_method;
#[cfg(test)]
mod tests;
mod words;

use proc_macro2::TokenStream;
use quote::quote;

use crate::Purpose;
use crate::depth;
use crate::mistakes::{Mistakes, compile_errors};

pub use assumption::{expand_assume, expand_assume_eq, expand_assume_ok, expand_assume_some};
pub use derive::expand_derive_data_points;
pub(crate) use explored::registered;
pub use property::{expand_property, expand_proptests};
pub use stub::{expand_stub, expand_stub_for};

/// Expands `#[theory]`.
pub fn expand_theory(attribute: TokenStream, item: TokenStream, purpose: Purpose) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return with_error(&error, &item);
    }
    let mut function: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => return not_an_item(&item, words::THEORY_IS_A_FUNCTION),
    };
    let mut mistakes = Mistakes::default();
    let theory = model::Theory::check(attribute, &mut function, &mut mistakes);
    if mistakes.is_empty() {
        emit::theory(&theory, function, purpose)
    } else {
        let errors = mistakes.to_compile_errors();
        // The function stays, so that what it uses is not reported as unused in addition.
        quote! {
            #errors
            #[cfg(test)]
            #[allow(dead_code)]
            #function
        }
    }
}

/// Expands `#[datapoint]`.
pub fn expand_datapoint(attribute: TokenStream, item: TokenStream) -> TokenStream {
    datapoint::expand(attribute, item, datapoint::Number::One)
}

/// Expands `#[datapoints]`.
pub fn expand_datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    datapoint::expand(attribute, item, datapoint::Number::Several)
}

/// Returns the unchanged item with the error that the attribute is on the wrong kind of item.
fn not_an_item(item: &TokenStream, message: &str) -> TokenStream {
    with_error(&syn::Error::new_spanned(item, message), item)
}

/// Returns the item as it is, and what is wrong with it.
fn with_error(error: &syn::Error, item: &TokenStream) -> TokenStream {
    let error = compile_errors(error);
    quote!(#error #item)
}
