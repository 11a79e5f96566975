//! What `#[situ]` makes of an item.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// What became of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The item, perhaps with tests beside it.
    Expanded,
    /// The item, with at least one compile error beside it.
    Refused,
}

/// Puts `#[situ(attribute)]` on an item that parses. It is a fault if the macro panics, or if the item is not among what
/// comes out.
pub fn judge(attribute: TokenStream, item: &Item) -> Result<Verdict, String> {
    let tokens = item.to_token_stream();
    let expansion = expand(attribute, tokens.clone())?;
    let file: syn::File = syn::parse2(expansion.clone())
        .map_err(|error| format!("no items came out ({error})\nof: {tokens}\ncame: {expansion}"))?;
    let wanted = heading(item);
    if !file
        .items
        .iter()
        .any(|candidate| heading(candidate) == wanted)
    {
        return Err(format!(
            "the item itself is gone\nof: {tokens}\ncame: {expansion}"
        ));
    }
    // Some published functions make compile errors themselves.
    let refused = count_errors(expansion) > count_errors(tokens);
    Ok(if refused {
        Verdict::Refused
    } else {
        Verdict::Expanded
    })
}

/// Puts `#[situ(attribute)]` on any tokens at all. It is a fault if the macro panics.
pub fn expand(attribute: TokenStream, item: TokenStream) -> Result<TokenStream, String> {
    let given = item.clone();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        situ_syntax::expand_situ(attribute, given)
    }));
    outcome.map_err(|_| format!("the macro panicked on: {item}"))
}

fn count_errors(tokens: TokenStream) -> usize {
    let errors = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) => usize::from(ident == "compile_error"),
        TokenTree::Group(group) => count_errors(group.stream()),
        _ => 0,
    });
    errors.sum()
}

/// Enough of an item to know it again.
fn heading(item: &Item) -> String {
    match item {
        Item::Fn(item) => format!("fn {}", item.sig.ident),
        Item::Trait(item) => format!("trait {}", item.ident),
        Item::Mod(item) => format!("mod {}", item.ident),
        Item::Impl(item) => {
            let of = item.trait_.as_ref().map(|(path, _)| path.to_token_stream());
            format!(
                "impl {} for {}",
                of.unwrap_or_default(),
                item.self_ty.to_token_stream()
            )
        }
        other => other.to_token_stream().to_string(),
    }
}
