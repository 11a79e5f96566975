//! Paths by which the sources of a crate name items of other crates.
//!
//! The compiler names a type by the module that declares it, which is often private. A path that
//! the crate itself uses is known to work.

use super::TestModule;
use super::modules::Modules;
use super::without_std::{in_prelude, without_std};
use crate::source::SourceFile;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{ExprPath, ItemUse, Path, UseTree};

/// Paths of other crates' items, by crate and last segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    paths: HashMap<(String, String), String>,
    /// Imported names. A path that starts with one of them may not work in another module.
    brought: HashSet<String>,
    /// Last segments of paths that are used as values: constants, variants, unit structs.
    values: HashSet<String>,
}

impl Named {
    /// Collects the paths in the files of a crate.
    pub(super) fn of(files: &[SourceFile]) -> Named {
        let mut named = Named::default();
        files.iter().for_each(|file| named.visit_file(&file.tree));
        named
    }

    /// Returns a path for a type that the compiler calls `path`: one that the sources use,
    /// otherwise the type's name at the crate root, where types of private modules are usually
    /// re-exported.
    pub(super) fn public(&self, path: &str) -> String {
        let (Some((root, _)), Some((_, last))) = (path.split_once("::"), path.rsplit_once("::"))
        else {
            return path.to_owned();
        };
        let known = self.paths.get(&(root.to_owned(), last.to_owned()));
        let known = known.or_else(|| self.re_exported(root, last));
        known.cloned().unwrap_or_else(|| format!("{root}::{last}"))
    }

    /// Returns whether the sources use the name of a type as a value.
    pub(super) fn is_value(&self, path: &str) -> bool {
        self.values
            .contains(path.rsplit("::").next().unwrap_or(path))
    }

    /// Returns a path through another crate. A crate that the sources never name is a dependency of
    /// a dependency, which may re-export its types.
    fn re_exported(&self, root: &str, last: &str) -> Option<&String> {
        if self.paths.keys().any(|(known, _)| known == root) {
            return None;
        }
        let of_crates = self
            .paths
            .iter()
            .filter(|((root, _), _)| !self.brought.contains(root));
        let mut same = of_crates
            .filter(|((_, word), _)| word == last)
            .map(|(_, path)| path);
        same.next().filter(|_| same.next().is_none())
    }

    fn add(&mut self, words: &[String]) {
        let (Some(root), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let is_elsewhere = !matches!(
            root.as_str(),
            "crate" | "self" | "super" | "std" | "core" | "alloc"
        );
        if is_elsewhere && words.len() > 1 && last.starts_with(char::is_uppercase) {
            let path = words.join("::");
            let known = self
                .paths
                .entry((root.clone(), last.clone()))
                .or_insert_with(|| path.clone());
            if path.len() < known.len() {
                *known = path;
            }
        }
    }

    fn add_tree(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.add_tree(&step.tree, path);
                path.pop();
            }
            UseTree::Name(name) => {
                let is_itself = name.ident == "self";
                let brought = if is_itself {
                    path.last().cloned()
                } else {
                    Some(name.ident.to_string())
                };
                // `use far;` and `use far::{self}` import a crate, which has that name everywhere.
                let is_crate = path.len() == usize::from(is_itself);
                self.brought.extend(brought.filter(|_| !is_crate));
                self.add_word(name.ident.to_string(), path);
            }
            UseTree::Rename(name) => {
                self.brought.insert(name.rename.to_string());
                self.add_word(name.ident.to_string(), path);
            }
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|item| self.add_tree(item, path)),
            UseTree::Glob(_) => {}
        }
    }

    fn add_word(&mut self, word: String, path: &mut Vec<String>) {
        path.push(word);
        self.add(path);
        path.pop();
    }
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_tree(&item.tree, &mut Vec::new());
    }

    fn visit_expr_path(&mut self, value: &'ast ExprPath) {
        self.values.extend(
            value
                .path
                .segments
                .last()
                .map(|last| last.ident.to_string()),
        );
        visit::visit_expr_path(self, value);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let words: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        // `chrono::Utc::now` names a type before its function.
        let end = words
            .iter()
            .rposition(|word| word.starts_with(char::is_uppercase))
            .map_or(0, |at| at + 1);
        let is_lower = words
            .first()
            .is_some_and(|first| first.starts_with(|first: char| first.is_lowercase()));
        if is_lower {
            self.add(&words[..end]);
        }
        visit::visit_path(self, path);
    }
}

/// Everything that determines how a path is written in a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paths<'p> {
    pub here: &'p TestModule,
    /// Paths of other crates' items.
    pub named: &'p Named,
    pub modules: &'p Modules,
}

impl Paths<'_> {
    /// Returns a path as it is written here: by its imported name, or in full.
    pub(super) fn written(self, path: String) -> String {
        let of_prelude = in_prelude(&path).filter(|_| self.modules.lack_prelude());
        let whole = of_prelude.unwrap_or(&path);
        match self.here.imports.name_of(whole) {
            Some(name) => name,
            None if self.modules.lack_std() => without_std(&path),
            None if of_prelude.is_some() && self.modules.name_alloc() => without_std(whole),
            None => whole.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_a_private_module_is_named_as_the_sources_do() {
        let source =
            "use chrono::{DateTime, offset::Utc as Zone}; fn f() { far::deep::Thing::new(); }";
        let named = Named::of(&[SourceFile::root(source)]);
        assert_eq!(
            named.public("chrono::datetime::DateTime"),
            "chrono::DateTime"
        );
        assert_eq!(
            named.public("chrono::offset::utc::Utc"),
            "chrono::offset::Utc"
        );
        assert_eq!(named.public("far::private::Thing"), "far::deep::Thing");
        assert_eq!(
            named.public("far_core::Thing"),
            "far::deep::Thing",
            "passed on by a crate that is named"
        );
        assert_eq!(
            named.public("regex::regex::string::Regex"),
            "regex::Regex",
            "a guess"
        );
    }

    #[test]
    fn a_name_that_stands_for_a_value_is_known() {
        let named = Named::of(&[SourceFile::root(
            "use far::{Zone, Kind}; fn f(of: Kind) { g(&Zone, far::Other) }",
        )]);
        assert!(
            named.is_value("far::private::Zone")
                && named.is_value("far::Other")
                && !named.is_value("far::Kind")
        );
    }

    #[test]
    fn an_imported_module_is_no_crate_that_passes_types_on() {
        let source =
            "use std::io; use far::{self, Kind}; fn f() -> io::Error { far::UserError::new() }";
        let named = Named::of(&[SourceFile::root(source)]);
        assert_eq!(named.public("anyhow::Error"), "anyhow::Error");
        assert_eq!(named.public("far_core::UserError"), "far::UserError");
    }
}
