//! Imports of a module, which allow shorter expressions.

use crate::source::targets::names_in;
use quote::ToTokens as _;
use std::collections::BTreeMap;
use syn::{Attribute, Item, UseTree};

/// Imports of a module.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    names: BTreeMap<String, String>,
    /// Modules imported with `*`.
    globs: Vec<String>,
}

impl Imports {
    /// Reads the `use` items of the module with this path.
    pub fn of(items: &[Item], module: &str) -> Imports {
        let mut imports = Imports::default();
        let beside: Vec<String> = items
            .iter()
            .filter_map(|item| match item {
                Item::Mod(inner) => Some(inner.ident.to_string()),
                _ => None,
            })
            .collect();
        for item in items {
            if let Item::Use(import) = item
                && import.attrs.iter().all(is_feature)
            {
                imports.add(&import.tree, Vec::new(), module, &beside);
            }
        }
        imports
    }

    fn add(&mut self, tree: &UseTree, mut before: Vec<String>, module: &str, beside: &[String]) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                // A path may start with a sibling module of the `use`.
                if before.len() == 1 && beside.contains(&before[0]) {
                    before.insert(0, "self".to_owned());
                }
                self.add(&path.tree, before, module, beside);
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.names
                    .insert(absolute(&before, module), name.ident.to_string());
            }
            UseTree::Rename(name) if name.rename != "_" => {
                before.push(name.ident.to_string());
                self.names
                    .insert(absolute(&before, module), name.rename.to_string());
            }
            UseTree::Glob(_) => self.globs.push(absolute(&before, module)),
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.add(tree, before.clone(), module, beside)),
            UseTree::Rename(_) => {}
        }
    }

    /// Returns the name for a path in this module, if it is imported.
    pub fn name_of(&self, path: &str) -> Option<String> {
        if let Some(name) = self.names.get(path) {
            return Some(name.clone());
        }
        let (module, name) = path.rsplit_once("::")?;
        self.globs
            .iter()
            .any(|glob| glob == module)
            .then(|| name.to_owned())
    }
}

/// Returns whether an attribute is `#[cfg(feature = "…")]`. Such an import is active, because the
/// recorded code was compiled with it.
fn is_feature(attribute: &Attribute) -> bool {
    let mut words = Vec::new();
    names_in(attribute.meta.to_token_stream(), &mut words);
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    words == ["cfg", "feature"]
}

impl Imports {
    /// Returns the full path that is imported under this name.
    pub fn path_of(&self, name: &str) -> Option<&str> {
        self.names
            .iter()
            .find(|(_, own)| *own == name)
            .map(|(path, _)| path.as_str())
    }

    /// Returns the full paths of all names that are imported one by one.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Returns whether something is imported under this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.values().any(|own| own == name)
    }
}

/// Returns the full path of an import: `super::a` in the module `b::c` is `crate::b::a`. Replaces
/// `core` and `alloc` by `std`.
fn absolute(path: &[String], module: &str) -> String {
    let mut around: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    let mut rest = path;
    let mut is_relative = false;
    while let Some((first, others)) = rest.split_first() {
        match first.as_str() {
            "self" => {}
            "super" => drop(around.pop()),
            _ => break,
        }
        is_relative = true;
        rest = others;
    }
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let path = match rest.as_slice() {
        _ if is_relative => ["crate"]
            .iter()
            .chain(&around)
            .chain(&rest)
            .copied()
            .collect::<Vec<_>>(),
        ["core" | "alloc", others @ ..] => ["std"].iter().chain(others).copied().collect(),
        whole => whole.to_vec(),
    };
    path.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imported_names_stand_for_their_paths() {
        let file = syn::parse_file(
            "mod near; use near::Thing; use std::collections::{BTreeMap, HashMap as Map}; use super::Token; use core::mem; \
             use crate::all::*;",
        );
        let imports = Imports::of(&file.unwrap().items, "parse::number");
        let name = |path: &str| imports.name_of(path);
        assert_eq!(
            name("std::collections::BTreeMap").as_deref(),
            Some("BTreeMap")
        );
        assert_eq!(name("std::collections::HashMap").as_deref(), Some("Map"));
        assert_eq!(name("crate::parse::Token").as_deref(), Some("Token"));
        assert_eq!(name("crate::all::Thing").as_deref(), Some("Thing"));
        assert_eq!(
            name("crate::parse::number::near::Thing").as_deref(),
            Some("Thing")
        );
        assert_eq!(name("std::mem").as_deref(), Some("mem"));
        assert_eq!(name("std::rc::Rc"), None);
    }
}
