//! Visibility of a crate's modules, and re-exports from private ones.

use super::types::{Visible, is_visible, joined, visibility};
use super::without_std::{has_prelude, names_alloc, names_std};
use crate::source::SourceFile;
use std::collections::HashMap;
use syn::{Item, ItemUse, UseTree};

/// Modules of a crate.
#[derive(Clone, Debug, Default)]
pub(super) struct Modules {
    visible: HashMap<String, Visible>,
    exports: Vec<Export>,
    /// Whether the crate cannot name `std`.
    lacks_std: bool,
    lacks_prelude: bool,
    names_alloc: bool,
}

/// `use` item that is visible to others.
#[derive(Clone, Debug)]
struct Export {
    /// Path of the module that contains the `use` declaration.
    module: String,
    visible: Visible,
    /// Last segment of the module path that the name is imported from.
    from: String,
    /// Imported name, or `None` for `*`.
    name: Option<String>,
}

impl Modules {
    /// Collects the modules of a crate.
    pub(super) fn of(files: &[SourceFile]) -> Modules {
        let mut modules = Modules::default();
        files
            .iter()
            .for_each(|file| modules.add(&file.module.join("::"), &file.tree.items));
        for root in files.iter().filter(|file| file.module.is_empty()) {
            modules.lacks_std |= !names_std(root);
            modules.lacks_prelude |= !has_prelude(root);
            modules.names_alloc |= names_alloc(root);
        }
        modules
    }

    /// Returns whether the crate can name neither `std` nor its prelude.
    pub(super) fn lack_std(&self) -> bool {
        self.lacks_std
    }

    /// Returns whether names such as `String` must be imported.
    pub(super) fn lack_prelude(&self) -> bool {
        self.lacks_prelude
    }

    /// Returns whether the crate can name `alloc`.
    pub(super) fn name_alloc(&self) -> bool {
        self.names_alloc
    }

    fn add(&mut self, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(inner) => {
                    let path = joined(module, &inner.ident.to_string());
                    self.visible
                        .insert(path.clone(), visibility(&inner.vis, module));
                    if let Some((_, items)) = &inner.content {
                        self.add(&path, items);
                    }
                }
                Item::Use(item) => self.add_use(module, item),
                _ => {}
            }
        }
    }

    fn add_use(&mut self, module: &str, item: &ItemUse) {
        let visible = visibility(&item.vis, module);
        let mut steps = Vec::new();
        exports_of(&item.tree, "", &mut steps);
        for (from, name) in steps {
            self.exports.push(Export {
                module: module.to_owned(),
                visible: visible.clone(),
                from,
                name,
            });
        }
    }

    /// Returns whether a module can be named from another one.
    fn is_reachable(&self, module: &str, from: &str) -> bool {
        let ends = module
            .match_indices("::")
            .map(|(at, _)| at)
            .chain([module.len()]);
        ends.filter(|end| *end > 0).all(|end| {
            self.visible
                .get(&module[..end])
                .is_none_or(|visible| is_visible(visible, from))
        })
    }

    /// Returns a path without the crate by which an item can be named from a module.
    pub(super) fn path_from(&self, path: &str, from: &str) -> String {
        let Some((module, name)) = path.rsplit_once("::") else {
            return path.to_owned();
        };
        if self.is_reachable(module, from) {
            return path.to_owned();
        }
        let parent = module.rsplit("::").next().unwrap_or(module);
        let is_it = |export: &&Export| {
            export.from == parent
                && export.name.as_deref().is_none_or(|taken| taken == name)
                && is_visible(&export.visible, from)
                && self.is_reachable(&export.module, from)
        };
        let export = self.exports.iter().find(is_it);
        export.map_or_else(|| path.to_owned(), |export| joined(&export.module, name))
    }
}

/// Collects the names that a `use` tree imports, each with the path segment before it.
fn exports_of(tree: &UseTree, before: &str, found: &mut Vec<(String, Option<String>)>) {
    match tree {
        UseTree::Path(step) => exports_of(&step.tree, &step.ident.to_string(), found),
        UseTree::Name(name) => found.push((before.to_owned(), Some(name.ident.to_string()))),
        UseTree::Glob(_) => found.push((before.to_owned(), None)),
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|item| exports_of(item, before, found)),
        // A renamed re-export would have to be written by its new name, which is not supported.
        UseTree::Rename(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_a_private_module_is_named_where_it_is_re_exported() {
        let source = "mod open { mod hidden { pub struct A; pub struct B; } pub use hidden::A; mod more { pub struct C; } \
                      pub(crate) use self::more::*; } pub mod other {}";
        let modules = Modules::of(&[SourceFile::root(source)]);
        assert_eq!(modules.path_from("open::hidden::A", "other"), "open::A");
        assert_eq!(modules.path_from("open::more::C", "other"), "open::C");
        assert_eq!(
            modules.path_from("open::hidden::A", "open::hidden"),
            "open::hidden::A"
        );
        assert_eq!(
            modules.path_from("open::hidden::B", "other"),
            "open::hidden::B",
            "nothing names it there"
        );
    }
}
