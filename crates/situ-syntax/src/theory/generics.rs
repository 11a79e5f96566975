//! The generic parameters of a theory, and every combination of their arguments.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use crate::text::source_text;

/// One generic parameter with its possible arguments.
pub(super) struct Choices {
    pub(super) name: syn::Ident,
    /// For a const parameter, its type.
    pub(super) const_type: Option<syn::Type>,
    /// Types, or for a const parameter expressions.
    pub(super) all: Vec<TokenStream>,
}

/// One argument for each generic parameter.
pub(super) struct Instance {
    /// Its index, and the number of instances.
    pub(super) number: (usize, usize),
    /// `T = u8, N = 3`, for the report.
    pub(super) label: String,
    /// `type T = u8; const N: usize = 3;`, so that the types of parameters resolve.
    pub(super) aliases: TokenStream,
    /// `::<u8, 3>`, or nothing.
    pub(super) turbofish: TokenStream,
}

/// Returns every choice, the last parameter changing fastest; just one where there are no generic
/// parameters.
pub(super) fn instances(choices: &[Choices]) -> Vec<Instance> {
    let mut picked: Vec<Vec<&TokenStream>> = vec![Vec::new()];
    for choice in choices {
        picked = picked
            .iter()
            .flat_map(|before| {
                choice
                    .all
                    .iter()
                    .map(|one| before.iter().copied().chain([one]).collect())
            })
            .collect();
    }
    let count = picked.len();
    picked
        .into_iter()
        .enumerate()
        .map(|(number, picked)| instance(choices, &picked, (number, count)))
        .collect()
}

fn instance(choices: &[Choices], picked: &[&TokenStream], number: (usize, usize)) -> Instance {
    let labels: Vec<String> = choices
        .iter()
        .zip(picked)
        .map(|(choice, one)| format!("{} = {}", choice.name, source_text(one)))
        .collect();
    let aliases = choices.iter().zip(picked).map(|(choice, one)| {
        let name = &choice.name;
        match &choice.const_type {
            Some(of) => quote!(#[allow(dead_code)] const #name: #of = #one;),
            None => quote!(#[allow(dead_code)] type #name = #one;),
        }
    });
    let arguments = choices
        .iter()
        .zip(picked)
        .map(|(choice, one)| match &choice.const_type {
            Some(_) => quote!({ #one }),
            None => one.to_token_stream(),
        });
    let turbofish = if choices.is_empty() {
        TokenStream::new()
    } else {
        quote!(::<#(#arguments),*>)
    };
    Instance {
        number,
        label: labels.join(", "),
        aliases: quote!(#(#aliases)*),
        turbofish,
    }
}
