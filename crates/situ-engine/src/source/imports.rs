//! Names that the `use` declarations of a file import.

use super::SourceFile;
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::{Ident, ItemUse, UseTree};

/// Imported names of a file, with the full paths.
#[derive(Debug, Default)]
pub struct Imports {
    names: BTreeMap<String, Vec<String>>,
    /// Whether there is a `*` import from outside the crate.
    outside_glob: bool,
}

impl Imports {
    /// Collects the imports of a file, including those inside its modules and functions.
    pub fn of(file: &SourceFile) -> Imports {
        Imports::of_tree(&file.tree)
    }

    /// Collects the imports of a syntax tree, including those inside its modules and functions.
    pub fn of_tree(tree: &syn::File) -> Imports {
        let mut imports = Imports::default();
        imports.visit_file(tree);
        imports
    }

    /// Returns the full path for a path that starts with an imported name.
    pub fn resolve(&self, words: &[String]) -> Option<Vec<String>> {
        let mut full = self.names.get(&words[0])?.clone();
        full.extend(words[1..].iter().cloned());
        Some(full)
    }

    /// Returns whether there is a `*` import from outside the crate.
    pub fn has_outside_glob(&self) -> bool {
        self.outside_glob
    }

    fn add(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.add(&step.tree, path);
                path.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                let alias = path.last().cloned().unwrap_or_default();
                self.names.insert(alias, path.clone());
            }
            UseTree::Name(name) => self.insert(&name.ident, &name.ident, path),
            UseTree::Rename(name) => self.insert(&name.rename, &name.ident, path),
            UseTree::Glob(_) => {
                let is_own = path
                    .first()
                    .is_some_and(|first| matches!(first.as_str(), "crate" | "self" | "super"));
                self.outside_glob |= !is_own;
            }
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add(item, path)),
        }
    }

    fn insert(&mut self, alias: &Ident, name: &Ident, path: &[String]) {
        let mut full = path.to_vec();
        full.push(name.to_string());
        self.names.insert(alias.to_string(), full);
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add(&item.tree, &mut Vec::new());
    }
}
