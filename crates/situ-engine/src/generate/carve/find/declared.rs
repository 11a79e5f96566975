//! The traits and structs of the workspace, as their sources have them.

use super::sources::Source;
use crate::values::Imports;
use situ_syntax::is_test_only;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, ItemStruct, ItemTrait, TraitItem, Type};

/// All of them, by their names.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    traits: BTreeMap<String, Vec<DeclaredTrait>>,
    structs: BTreeMap<String, ItemStruct>,
}

/// A trait.
#[derive(Clone, Debug)]
pub struct DeclaredTrait {
    /// Its crate, with underscores.
    pub krate: String,
    /// The modules that lead to it.
    pub module: Vec<String>,
    /// The trait.
    pub item: ItemTrait,
    /// The imports of its module.
    pub imports: Imports,
    /// The names that its module declares.
    pub beside: BTreeSet<String>,
    /// The type aliases of its module.
    pub aliases: BTreeMap<String, Type>,
}

impl DeclaredTrait {
    /// Its path, from its crate on.
    pub fn path(&self) -> String {
        let words = [&self.krate].into_iter().chain(&self.module).cloned();
        words
            .chain([self.item.ident.to_string()])
            .collect::<Vec<_>>()
            .join("::")
    }
}

impl Declared {
    /// Returns what these files declare.
    pub(crate) fn of(sources: &[Source]) -> Declared {
        let mut declared = Declared::default();
        for source in sources {
            declared.items(&source.krate, &source.file.module, &source.file.tree.items);
        }
        declared
    }

    fn items(&mut self, krate: &str, module: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Trait(item) if !item.attrs.iter().any(is_test_only) => {
                    let (krate, module) = (krate.to_owned(), module.to_vec());
                    let imports = Imports::of(items, &module.join("::"));
                    let beside = items.iter().filter_map(name_of).collect();
                    let aliases = items.iter().filter_map(alias).collect();
                    let own = DeclaredTrait {
                        krate,
                        module,
                        item: item.clone(),
                        imports,
                        beside,
                        aliases,
                    };
                    self.traits
                        .entry(item.ident.to_string())
                        .or_default()
                        .push(own);
                }
                Item::Struct(item) => {
                    let words = [krate.to_owned()].into_iter().chain(module.iter().cloned());
                    let path: Vec<String> = words.chain([item.ident.to_string()]).collect();
                    self.structs.insert(path.join("::"), item.clone());
                }
                Item::Mod(inner) if !inner.attrs.iter().any(is_test_only) => {
                    let module: Vec<String> = module
                        .iter()
                        .cloned()
                        .chain([inner.ident.to_string()])
                        .collect();
                    let items = inner.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.items(krate, &module, items);
                }
                _ => {}
            }
        }
    }

    /// Returns the trait of that name, or `None` if there are several.
    pub(crate) fn of_name(&self, name: &str) -> Option<&DeclaredTrait> {
        match self.traits.get(name)?.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the struct with the compiler's path.
    pub(crate) fn structure(&self, path: &str) -> Option<&ItemStruct> {
        self.structs.get(path)
    }

    /// Returns the names of all methods of traits.
    pub(crate) fn methods(&self) -> impl Iterator<Item = String> {
        let items = self
            .traits
            .values()
            .flatten()
            .flat_map(|own| &own.item.items);
        items.filter_map(|item| match item {
            TraitItem::Fn(method) if method.sig.receiver().is_some() => {
                Some(method.sig.ident.to_string())
            }
            _ => None,
        })
    }
}

/// Returns the name of a type or module.
fn name_of(item: &Item) -> Option<String> {
    match item {
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Mod(item) => Some(item.ident.to_string()),
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        Item::Union(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn alias(item: &Item) -> Option<(String, Type)> {
    match item {
        Item::Type(alias) => Some((alias.ident.to_string(), (*alias.ty).clone())),
        _ => None,
    }
}
