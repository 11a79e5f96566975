//! Inserts `use situ::prelude::*;` into modules that need it, where a reader expects it.

mod place;
mod scope;

use super::outline::{Holder, Module, Outline};
use crate::source::{Splice, byte_range};
use place::line_in;
use scope::{Scope, condition_of, imported, own_scope, uses};
use situ_syntax::attributes_of_item;
use std::collections::BTreeSet;
use syn::{Item, UseTree};

/// Names in the prelude besides the macros of in-situ tests.
const OTHER_NAMES: [&str; 10] = [
    "DataPoints",
    "assume",
    "assume_eq",
    "assume_ok",
    "assume_some",
    "datapoint",
    "datapoints",
    "points",
    "stub",
    "theory",
];

/// Names that a module must import from Situ.
#[derive(Clone, Debug, Default)]
pub(super) struct Need {
    names: BTreeSet<String>,
    /// `cfg` predicates of the items that need the names, or `None` if an item without `#[cfg]`
    /// does.
    conditions: Option<BTreeSet<String>>,
}

impl Need {
    /// Adds the macros that an item of the module needs, and the item's condition.
    pub(super) fn add(&mut self, holder: &Holder<'_>, names: impl IntoIterator<Item = String>) {
        let first = self.names.is_empty();
        self.names.extend(names);
        let condition = condition_of(attributes_of_item(holder.item));
        self.conditions = match (condition, self.conditions.take()) {
            (Some(condition), Some(others)) => {
                Some(others.into_iter().chain([condition]).collect())
            }
            (Some(condition), None) if first => Some(BTreeSet::from([condition])),
            _ => None,
        };
    }

    /// Returns the predicate under which the import is needed.
    fn predicate(&self) -> Option<String> {
        let conditions: Vec<&str> = self
            .conditions
            .as_ref()?
            .iter()
            .map(String::as_str)
            .collect();
        Some(match conditions.as_slice() {
            [one] => (*one).to_owned(),
            several => format!("any({})", several.join(", ")),
        })
    }
}

/// Returns the insertions that import the missing names of each module.
pub(super) fn imports(
    text: &str,
    outline: &Outline<'_>,
    needs: &[Need],
    ending: &str,
) -> Vec<Splice> {
    let mut scopes: Vec<Scope> = Vec::new();
    let mut made = Vec::new();
    // A module comes after its parent, so the parent's imports are known.
    for (number, module) in outline.modules.iter().enumerate() {
        let need = &needs[number];
        let predicate = need.predicate();
        let mut scope = own_scope(outline, number, predicate.as_deref(), &scopes);
        let missing: BTreeSet<String> = need
            .names
            .iter()
            .filter(|name| !scope.has(name))
            .cloned()
            .collect();
        if !missing.is_empty() {
            let completed = complete(module, &missing);
            made.extend(completed.unwrap_or_else(|| vec![add(text, module, need, ending)]));
            scope.everything |= predicate.is_none();
        }
        scopes.push(scope);
    }
    made
}

/// Returns the insertion of `extern crate situ;` for a crate root of the 2015 edition, where import
/// paths start at the root.
pub(super) fn extern_crate(text: &str, root: &Module<'_>, ending: &str) -> Option<Splice> {
    let known = root
        .items
        .iter()
        .any(|item| matches!(item, Item::ExternCrate(item) if item.ident == "situ"));
    (!known).then(|| {
        line_in(text, root, "extern crate situ;", ending, &|item| {
            matches!(item, Item::ExternCrate(_))
        })
    })
}

/// Completes an import that lists macros by name: `use situ::{itest, situ};`.
fn complete(module: &Module<'_>, missing: &BTreeSet<String>) -> Option<Vec<Splice>> {
    let names: Vec<&str> = missing.iter().map(String::as_str).collect();
    let names = names.join(", ");
    let at = |at: usize, text: String| Splice {
        range: at..at,
        text,
    };
    uses(module, None).find_map(|item| {
        let UseTree::Path(crate_path) = &item.tree else {
            return None;
        };
        if crate_path.ident != "situ" {
            return None;
        }
        let tree = match &*crate_path.tree {
            UseTree::Path(prelude) if prelude.ident == "prelude" => &prelude.tree,
            _ => &crate_path.tree,
        };
        match &**tree {
            UseTree::Group(group) => {
                let last = group.items.last()?;
                Some(vec![at(byte_range(last).end, format!(", {names}"))])
            }
            UseTree::Name(name) => {
                let range = byte_range(name);
                Some(vec![
                    at(range.start, "{".to_owned()),
                    at(range.end, format!(", {names}}}")),
                ])
            }
            _ => None,
        }
    })
}

fn add(text: &str, module: &Module<'_>, need: &Need, ending: &str) -> Splice {
    let is_taken = |item: &Item| match item {
        Item::Mod(item) => item.ident == "situ",
        Item::ExternCrate(item) => item.rename.as_ref().is_some_and(|(_, name)| name == "situ"),
        _ => false,
    };
    let root = if module.items.iter().any(is_taken) {
        "::situ"
    } else {
        "situ"
    };
    let names: Vec<&str> = need.names.iter().map(String::as_str).collect();
    let path = match names.as_slice() {
        _ if !prelude_is_dangerous(text, module) => format!("{root}::prelude::*"),
        [name] => format!("{root}::{name}"),
        several => format!("{root}::{{{}}}", several.join(", ")),
    };
    // In configurations without such an item the import would be unused.
    let condition = need
        .predicate()
        .map_or_else(String::new, |predicate| format!("#[cfg({predicate})] "));
    line_in(
        text,
        module,
        &format!("{condition}use {path};"),
        ending,
        &|item| matches!(item, Item::Use(_)),
    )
}

/// Returns whether importing the prelude is risky. It could change the meaning of a name that
/// another `*` import provides, or of a macro that nothing in the file defines. It could also be
/// redundant if a parent module imports it.
fn prelude_is_dangerous(text: &str, module: &Module<'_>) -> bool {
    let inside = &text[module.inside.clone()];
    let (mut has_glob, mut sees_around) = (false, false);
    for item in uses(module, None) {
        imported(&item.tree, &mut Vec::new(), &mut |path, name| {
            has_glob |= name == "*";
            sees_around |= name == "*" && matches!(path.first(), Some(&("super" | "crate")));
        });
    }
    sees_around
        || OTHER_NAMES
            .iter()
            .any(|name| mentions(inside, name, has_glob))
}

fn mentions(text: &str, word: &str, also_without_call: bool) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let behind = &text[at + word.len()..];
        let whole = !text[..at].ends_with(is_part) && !behind.starts_with(is_part);
        whole && (also_without_call || behind.starts_with('!'))
    })
}
