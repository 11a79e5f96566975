//! Names of Situ that a module has in scope.

use crate::edit::outline::{Module, Outline};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use syn::{Attribute, Item, ItemUse, Meta, UseTree};

/// Names of Situ that a module has in scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// Whether a `*` import provides all names.
    pub everything: bool,
    names: BTreeSet<String>,
}

impl Scope {
    /// Returns whether a macro is in scope.
    pub(super) fn has(&self, name: &str) -> bool {
        self.everything || self.names.contains(name)
    }
}

/// Returns the scope of a module in configurations where `predicate` holds. `scopes` are those of
/// the modules before it.
pub(super) fn own_scope(
    outline: &Outline<'_>,
    number: usize,
    predicate: Option<&str>,
    scopes: &[Scope],
) -> Scope {
    let mut scope = Scope::default();
    for item in uses(&outline.modules[number], predicate) {
        let mut path = Vec::new();
        imported(&item.tree, &mut path, &mut |path, name| match path {
            ["situ"] | ["situ", "prelude"] if name == "*" => scope.everything = true,
            ["situ"] | ["situ", "prelude"] => scope.names.extend([name.to_owned()]),
            // `use super::*` provides what the parent imports.
            supers
                if name == "*"
                    && !supers.is_empty()
                    && supers.iter().all(|part| *part == "super") =>
            {
                let up = |at: Option<usize>, _: &&str| at.and_then(|at| outline.modules[at].parent);
                if let Some(around) = supers.iter().fold(Some(number), up) {
                    scope.everything |= scopes[around].everything;
                    scope.names.extend(scopes[around].names.iter().cloned());
                }
            }
            _ => {}
        });
    }
    scope
}

/// Returns the imports of a module without `#[cfg]`, or with exactly this predicate.
pub(super) fn uses<'m>(
    module: &'m Module<'_>,
    predicate: Option<&'m str>,
) -> impl Iterator<Item = &'m ItemUse> {
    let without_spaces = |predicate: &str| predicate.replace(char::is_whitespace, "");
    module.items.iter().filter_map(move |item| match item {
        Item::Use(item) => {
            let own = condition_of(&item.attrs);
            let holds =
                own.is_none_or(|own| predicate.map(without_spaces) == Some(without_spaces(&own)));
            holds.then_some(item)
        }
        _ => None,
    })
}

/// Returns the predicate of the `#[cfg(…)]` attributes of an item.
pub(super) fn condition_of(attributes: &[Attribute]) -> Option<String> {
    let predicates = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg") => Some(written(&list.tokens)),
            _ => None,
        });
    let predicates: Vec<String> = predicates.collect();
    match predicates.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("all({})", several.join(", "))),
    }
}

/// Formats a predicate with the usual spaces.
fn written(predicate: &TokenStream) -> String {
    let text = predicate.to_string();
    [(" (", "("), ("( ", "("), (" )", ")"), (" ,", ",")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// Calls `found` with each imported name and the path before it.
pub(super) fn imported(
    tree: &UseTree,
    path: &mut Vec<String>,
    found: &mut dyn FnMut(&[&str], &str),
) {
    let mut show = |path: &[String], name: &str| {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        found(&path, name);
    };
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            imported(&inner.tree, path, found);
            path.pop();
        }
        UseTree::Name(name) => show(path, &name.ident.to_string()),
        UseTree::Glob(_) => show(path, "*"),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| imported(tree, path, found)),
        UseTree::Rename(_) => {}
    }
}
