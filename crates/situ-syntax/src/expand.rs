//! `#[situ]`: from the marked item to the item and its tests.

use crate::Purpose;
use crate::attributes::{attributes_of_item_mut, is_situ, situ_attribute};
use crate::depth;
use crate::emit::expand_item;
use crate::mistakes::{Mistakes, compile_errors};
use crate::strip::{EmptyTests, TestsAreStatements, TestsIn, mentions_test};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Item, ItemMod};

/// Expands `#[situ]` on an item, for tests.
///
/// Returns the item whatever is wrong, so that one mistake does not cause errors in the code around
/// it.
pub fn expand_situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand_situ_for(attribute, item, Purpose::Test)
}

/// Expands `#[situ]` on an item, for the purpose of a build.
pub fn expand_situ_for(attribute: TokenStream, item: TokenStream, purpose: Purpose) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return with_error(&error, item);
    }
    if !mentions_test(&item) {
        let checked = check_attribute(&attribute).and_then(|_| check_kind(&item));
        return checked.map_or_else(|error| with_error(&error, item.clone()), |()| item.clone());
    }
    let mut parsed: Item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return with_error(&error, item),
    };
    TestsAreStatements.visit_item_mut(&mut parsed);
    let mut mistakes = Mistakes::default();
    let name = mistakes.take(check_attribute(&attribute)).flatten();
    let beside = match &mut parsed {
        Item::Fn(method) if method.sig.receiver().is_some() => {
            let message = "the tests of a method cannot stand inside its `impl` block; put `#[situ]` on the block";
            mistakes.add(method.sig.ident.span(), message);
            EmptyTests.visit_item_fn_mut(method);
            TokenStream::new()
        }
        Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
            expand_item(&mut parsed, name.as_ref(), purpose, &mut mistakes)
        }
        Item::Mod(module) if module.content.is_some() => {
            expand_module(module, purpose, &mut mistakes);
            TokenStream::new()
        }
        other => {
            let mut tests = TestsIn::default();
            tests.visit_item(other);
            let span = tests
                .spans
                .first()
                .copied()
                .unwrap_or_else(proc_macro2::Span::call_site);
            mistakes.add(span, WRONG_ITEM);
            EmptyTests.visit_item_mut(other);
            TokenStream::new()
        }
    };
    let errors = mistakes.to_compile_errors();
    quote!(#parsed #beside #errors)
}

fn with_error(error: &syn::Error, item: TokenStream) -> TokenStream {
    let errors = compile_errors(error);
    quote!(#item #errors)
}

/// Parses the arguments of `#[situ]` or `#[situ(name)]`.
fn check_attribute(attribute: &TokenStream) -> syn::Result<Option<Ident>> {
    if attribute.is_empty() {
        return Ok(None);
    }
    syn::parse2(attribute.clone()).map(Some).map_err(|error| {
        syn::Error::new(
            error.span(),
            "`#[situ]` takes at most a name: write `#[situ(name)]`",
        )
    })
}

const WRONG_ITEM: &str =
    "`#[situ]` goes on a `fn`, an `impl` block, a `trait` or an inline `mod`; move it there";

/// Checks by its keyword that an item without tests is one that could contain some.
fn check_kind(item: &TokenStream) -> syn::Result<()> {
    let mut last = None;
    for tree in item.clone() {
        match &tree {
            TokenTree::Ident(name)
                if ["fn", "impl", "trait"]
                    .iter()
                    .any(|keyword| name == keyword) =>
            {
                return Ok(());
            }
            TokenTree::Ident(name) if name == "mod" => {
                let is_inline = item.clone().into_iter().any(|tree| {
                    matches!(tree, TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace)
                });
                return if is_inline {
                    Ok(())
                } else {
                    Err(syn::Error::new(name.span(), WRONG_ITEM))
                };
            }
            TokenTree::Ident(name) => {
                let keywords = [
                    "struct",
                    "enum",
                    "union",
                    "type",
                    "use",
                    "static",
                    "const",
                    "macro_rules",
                ];
                if keywords.iter().any(|keyword| name == keyword) {
                    last = Some(name.span());
                }
            }
            TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '=' | ';') => break,
            _ => {}
        }
    }
    let span = last.or_else(|| item.clone().into_iter().next().map(|tree| tree.span()));
    Err(syn::Error::new(
        span.unwrap_or_else(proc_macro2::Span::call_site),
        WRONG_ITEM,
    ))
}

/// Expands every item of a module, and adds the tests beside each.
fn expand_module(module: &mut ItemMod, purpose: Purpose, mistakes: &mut Mistakes) {
    let Some((_, items)) = &mut module.content else {
        return;
    };
    let mut out = Vec::with_capacity(items.len());
    let mut names: std::collections::HashMap<String, ()> = std::collections::HashMap::new();
    for mut item in std::mem::take(items) {
        if !mentions_test(&item.to_token_stream()) {
            out.push(item);
            continue;
        }
        match &mut item {
            Item::Mod(inner) => {
                expand_module(inner, purpose, mistakes);
                out.push(item);
            }
            Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
                let name = take_name(&mut item, mistakes);
                let known = crate::emit::item_name(&item);
                if let Some((own, span)) = known {
                    let own = name.as_ref().map_or(own, ToString::to_string);
                    if names.insert(own.clone(), ()).is_some() {
                        let message = format!(
                            "two items of this module have their tests in `situ_{own}`; add `#[situ(name)]` to one"
                        );
                        mistakes.add(span, message);
                        EmptyTests.visit_item_mut(&mut item);
                        out.push(item);
                        continue;
                    }
                }
                let beside = expand_item(&mut item, name.as_ref(), purpose, mistakes);
                out.push(item);
                out.push(Item::Verbatim(beside));
            }
            _ => out.push(item),
        }
    }
    *items = out;
}

/// Removes a `#[situ(name)]` from an item inside a marked module and returns the name.
fn take_name(item: &mut Item, mistakes: &mut Mistakes) -> Option<Ident> {
    if !matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Trait(_)) {
        return None;
    }
    let attributes = attributes_of_item_mut(item)?;
    let name = situ_attribute(attributes).and_then(|attribute| match &attribute.meta {
        syn::Meta::List(list) => mistakes.take(check_attribute(&list.tokens)).flatten(),
        _ => None,
    });
    attributes.retain(|attribute| !is_situ(attribute));
    name
}
