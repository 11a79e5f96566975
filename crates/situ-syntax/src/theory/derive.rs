//! `#[derive(DataPoints)]`: all values of an enum without fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned as _;

use super::words;
use crate::depth;
use crate::mistakes::{Mistakes, compile_errors};

/// Expands `#[derive(DataPoints)]`.
pub fn expand_derive_data_points(item: TokenStream) -> TokenStream {
    let item: syn::DeriveInput = match depth::check(&item).and_then(|()| syn::parse2(item)) {
        Ok(item) => item,
        Err(error) => return compile_errors(&error),
    };
    let mut mistakes = Mistakes::default();
    check(&item, &mut mistakes);
    let syn::Data::Enum(data) = &item.data else {
        return mistakes.to_compile_errors();
    };
    if !mistakes.is_empty() {
        return mistakes.to_compile_errors();
    }
    let name = &item.ident;
    let text = format!("every {name}");
    let variants = data.variants.iter().map(|variant| {
        let conditions = variant
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"));
        let variant = &variant.ident;
        quote!(#(#conditions)* Self::#variant)
    });
    quote! {
        #[automatically_derived]
        impl ::situ::theory::Exhaustive for #name {
            fn all() -> ::situ::theory::generated::Vec<Self> {
                ::situ::theory::generated::Vec::from([#(#variants),*])
            }
        }

        // `points::<T>()` knows nothing of the trait and looks into the registry alone.
        #[cfg(test)]
        const _: () = {
            ::situ::theory::generated::inventory::submit! {
                ::situ::theory::generated::Entry {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    name: #text,
                    groups: &[],
                    value_type: || ::situ::theory::generated::type_of_several(
                        <#name as ::situ::theory::Exhaustive>::all,
                    ),
                    provider: || ::situ::theory::generated::several(
                        #text,
                        false,
                        <#name as ::situ::theory::Exhaustive>::all,
                    ),
                }
            }
        };
    }
}

fn check(item: &syn::DeriveInput, mistakes: &mut Mistakes) {
    match &item.data {
        syn::Data::Enum(data) => {
            if data.variants.is_empty() {
                mistakes.add(item.ident.span(), words::DERIVE_SOMETHING);
            }
            for variant in data
                .variants
                .iter()
                .filter(|variant| !matches!(variant.fields, syn::Fields::Unit))
            {
                mistakes.add(variant.ident.span(), words::DERIVE_WITHOUT_FIELDS);
            }
        }
        _ => mistakes.add(item.ident.span(), words::DERIVE_FOR_ENUMS),
    }
    if !item.generics.params.is_empty() {
        mistakes.add(item.generics.params.span(), words::DERIVE_WITHOUT_GENERICS);
    }
}
