//! Adds `#[situ]` to items that contain tests, with an explicit name if two items would share one.

use super::outline::{Holder, Outline};
use super::trivia;
use crate::source::lines::{indent_of_line, is_first_on_line};
use crate::source::{Splice, byte_range, parse_part};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use situ_syntax::{attributes_of_item, item_name, module_name, situ_attribute};
use std::collections::BTreeSet;
use syn::{AttrStyle, GenericArgument, ImplItem, Item, PathArguments, Type, UseTree};

/// `#[situ]` attribute to insert.
pub(super) struct Mark {
    /// Index of the item.
    pub holder: usize,
    pub splice: Splice,
}

/// Returns the `#[situ]` attributes that these items need.
pub(super) fn marks(
    text: &str,
    outline: &Outline<'_>,
    holders: &BTreeSet<usize>,
    ending: &str,
) -> Vec<Mark> {
    let mut made = Vec::new();
    for module in 0..outline.modules.len() {
        let mut names = names_taken(outline, module, holders);
        for &number in holders
            .iter()
            .filter(|number| outline.holders[**number].module == module)
        {
            let holder = &outline.holders[number];
            if holder.marked || (outline.modules[module].marked && holder.has_tests) {
                continue;
            }
            let Some((own, _)) = item_name(holder.item) else {
                continue;
            };
            let given = if names.contains(&module_name(&own)) {
                Some(free_name(holder, &own, &names))
            } else {
                None
            };
            names.insert(module_name(given.as_ref().unwrap_or(&own)));
            let attribute = match given {
                Some(name) => format!("#[situ({name})]"),
                None if outline.modules[module].marked => continue,
                None => "#[situ]".to_owned(),
            };
            made.push(Mark {
                holder: number,
                splice: mark(text, holder.item, &attribute, ending),
            });
        }
    }
    made
}

fn mark(text: &str, item: &Item, attribute: &str, ending: &str) -> Splice {
    let outer = attributes_of_item(item)
        .iter()
        .filter(|attribute| matches!(attribute.style, AttrStyle::Outer));
    let outer = outer.map(|attribute| byte_range(attribute).end).max();
    let start = outer.map_or_else(|| byte_range(item).start, |end| trivia::skip(text, end));
    if is_first_on_line(text, start) {
        let indent = indent_of_line(text, start);
        let at = start - indent.len();
        return Splice {
            range: at..at,
            text: format!("{indent}{attribute}{ending}"),
        };
    }
    Splice {
        range: start..start,
        text: format!("{attribute} "),
    }
}

/// Returns the names that a generated test module cannot use: those of other test modules, and
/// those of the user's items.
fn names_taken(outline: &Outline<'_>, module: usize, new: &BTreeSet<usize>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in outline.modules[module].items {
        own_names(item, &mut names);
    }
    let here = outline
        .holders
        .iter()
        .enumerate()
        .filter(|(_, holder)| holder.module == module);
    for (number, holder) in here {
        let is_new = new.contains(&number) && !holder.marked && !holder.has_tests;
        if !is_new && (holder.marked || holder.has_tests) {
            names.extend(given_name(holder).map(|name| module_name(&name)));
        }
    }
    names
}

/// Returns the name from which an item's test module is named.
fn given_name(holder: &Holder<'_>) -> Option<String> {
    let attribute = situ_attribute(attributes_of_item(holder.item));
    let given = attribute.and_then(|attribute| attribute.parse_args::<proc_macro2::Ident>().ok());
    given
        .map(|name| name.to_string())
        .or_else(|| item_name(holder.item).map(|(name, _)| name))
}

/// Collects the names that an item adds to the type namespace.
fn own_names(item: &Item, names: &mut BTreeSet<String>) {
    let name = match item {
        Item::Mod(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::ExternCrate(item) => item.rename.as_ref().map_or(&item.ident, |(_, name)| name),
        Item::Use(item) => return imported_names(&item.tree, names),
        _ => return,
    };
    names.insert(name.to_string());
}

fn imported_names(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => imported_names(&path.tree, names),
        UseTree::Name(name) => names.extend([name.ident.to_string()]),
        UseTree::Rename(rename) => names.extend([rename.rename.to_string()]),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| imported_names(tree, names)),
        UseTree::Glob(_) => {}
    }
}

/// Returns a name that no other item of the module has, and that describes this one.
fn free_name(holder: &Holder<'_>, own: &str, taken: &BTreeSet<String>) -> String {
    let is_free = |name: &String| {
        !taken.contains(&module_name(name)) && parse_part::<syn::Ident>(name).is_ok()
    };
    let telling = [with_arguments(holder.item), with_method(holder.item, own)];
    let numbered = (2..).map(|number| format!("{own}_{number}"));
    telling
        .into_iter()
        .flatten()
        .chain(numbered)
        .find(is_free)
        .unwrap_or_else(|| own.to_owned())
}

/// Returns `From_u8_for_X` for `impl From<u8> for X`, and `X_u8` for `impl X<u8>`.
fn with_arguments(item: &Item) -> Option<String> {
    let Item::Impl(item) = item else { return None };
    let of_type = words_of(&item.self_ty);
    match &item.trait_ {
        Some((path, _)) => {
            let last = path.segments.last()?;
            let mut words = vec![last.ident.to_string()];
            arguments(&last.arguments, &mut words);
            Some(format!("{}_for_{of_type}", words.join("_")))
        }
        None => Some(of_type),
    }
}

fn arguments(arguments: &PathArguments, words: &mut Vec<String>) {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return;
    };
    for argument in &arguments.args {
        match argument {
            GenericArgument::Type(argument) => words.push(words_of(argument)),
            GenericArgument::Const(argument) => {
                names_and_numbers(argument.to_token_stream(), words)
            }
            _ => {}
        }
    }
}

/// Returns the identifiers and numbers of a type, joined by `_`, without lifetimes.
fn words_of(of_type: &Type) -> String {
    let mut words = Vec::new();
    match of_type {
        Type::Path(path) => {
            if let Some(last) = path.path.segments.last() {
                words.push(last.ident.to_string());
                arguments(&last.arguments, &mut words);
            }
        }
        other => names_and_numbers(other.to_token_stream(), &mut words),
    }
    words.join("_")
}

fn names_and_numbers(tokens: TokenStream, words: &mut Vec<String>) {
    let mut is_lifetime = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(name) if !is_lifetime => {
                words.push(name.to_string().replace("r#", ""))
            }
            TokenTree::Literal(literal) => {
                words.push(
                    literal
                        .to_string()
                        .chars()
                        .filter(char::is_ascii_alphanumeric)
                        .collect(),
                );
            }
            TokenTree::Group(group) => names_and_numbers(group.stream(), words),
            _ => {}
        }
        is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
}

/// Returns the item's name and its first function's name, joined by `_`.
fn with_method(item: &Item, own: &str) -> Option<String> {
    let Item::Impl(item) = item else { return None };
    let first = item.items.iter().find_map(|member| match member {
        ImplItem::Fn(function) => Some(function.sig.ident.to_string().replace("r#", "")),
        _ => None,
    });
    first.map(|method| format!("{own}_{method}"))
}
