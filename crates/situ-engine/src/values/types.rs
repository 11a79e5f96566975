//! Types of a crate: which fields are visible where, and which functions construct them.

use super::constructors::{Constructor, constructor_of};
use super::declarations::Declarations;
use super::modules::Modules;
use super::names::Named;
use super::producers::Producers;
use crate::source::{Gives, SourceFile, TypeNames};
use situ_recorder::value::Value;
use std::collections::{HashMap, HashSet};
use syn::{Attribute, Fields, GenericParam, ImplItem, Item, Signature, Type, Variant, Visibility};

/// Where an item is visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visible {
    /// Anywhere in the crate.
    Everywhere,
    /// In this module and below.
    Below(String),
}

#[derive(Clone, Debug, Default)]
struct Known {
    /// Visibility of the type itself.
    visible: Option<Visible>,
    fields: Vec<Visible>,
    constructors: Vec<Constructor>,
    derives: HashSet<String>,
    /// Unit variants of an enum.
    unit_variants: Vec<String>,
}

/// Types of a crate, by their full path.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: HashMap<String, Known>,
    functions: HashSet<String>,
    /// Crates that no other crate can name: tests, examples, binaries.
    unnamed_crates: HashSet<String>,
    /// Enums with generic parameters that have a default.
    defaulted: HashSet<String>,
    named: Named,
    modules: Modules,
    producers: Producers,
    /// Traits and the types that implement them, by their last path segments.
    implementations: HashSet<(String, String)>,
    declarations: Declarations,
    /// Whether all checks are skipped, because the expressions are only shown, never compiled.
    is_for_display: bool,
}

impl TypeTable {
    /// Collects the types of the crate with this name.
    pub fn of(krate: &str, files: &[SourceFile]) -> TypeTable {
        let mut table = TypeTable {
            named: Named::of(files),
            modules: Modules::of(files),
            ..TypeTable::default()
        };
        table.declarations.add(krate, files);
        for file in files {
            table.structs(krate, &file.module.join("::"), &file.tree.items);
        }
        let names = TypeNames::of(files);
        for file in files {
            table.constructors(krate, &file.module, &file.tree.items, &names);
        }
        table
    }

    /// Adds the enums of a binary with the same name as this crate, unless the crate has an enum of
    /// that path.
    pub fn add_enums_of(&mut self, program: TypeTable) {
        for (path, known) in program
            .types
            .into_iter()
            .filter(|(_, known)| !known.unit_variants.is_empty())
        {
            self.types.entry(path).or_insert(known);
        }
    }

    /// Returns a table for expressions that are shown and never compiled: every value can be
    /// written.
    pub fn for_display() -> TypeTable {
        TypeTable {
            is_for_display: true,
            ..TypeTable::default()
        }
    }

    /// Adds the declarations of other crates of the workspace.
    pub fn add_declarations(&mut self, others: &Declarations) {
        self.declarations.extend(others);
    }

    /// Returns whether the sources declare a struct or variant like `value`.
    pub(super) fn may_build(&self, path: &str, value: &Value) -> bool {
        self.is_for_display || self.declarations.have(path, value)
    }

    /// Returns whether the sources declare the function with this path.
    pub(super) fn may_name_function(&self, path: &str) -> bool {
        self.is_for_display
            || self.functions.contains(path)
            || self.declarations.have_function_path(path)
    }

    /// Returns whether the sources declare this function of a type.
    pub(super) fn may_call(&self, path: &str, function: &str) -> bool {
        self.is_for_display || self.declarations.have_function(path, function)
    }

    /// Returns whether all fields of a type are visible in a module. Returns `true` for types of
    /// other crates, which are not written by field.
    pub fn all_visible(&self, path: &str, module: &str) -> bool {
        let Some(known) = self.types.get(path) else {
            return true;
        };
        known
            .fields
            .iter()
            .all(|visible| is_visible(visible, module))
    }

    /// Sets the crates that no other crate can name: tests, examples, binaries.
    pub fn set_unnamed_crates(&mut self, names: HashSet<String>) {
        self.unnamed_crates = names;
    }

    /// Returns whether this is the path of a function.
    pub fn is_function(&self, path: &str) -> bool {
        self.functions.contains(path)
    }

    /// Returns whether a type can be named in a module, judged by its crate and its visibility.
    pub fn is_nameable(&self, path: &str, module: &str) -> bool {
        let krate = path.split("::").next().unwrap_or(path);
        if self.unnamed_crates.contains(krate) || self.functions.contains(path) {
            return false;
        }
        let visible = self
            .types
            .get(path)
            .and_then(|known| known.visible.as_ref());
        visible.is_none_or(|visible| is_visible(visible, module))
    }

    /// Returns whether a field of a type of the crate is visible in a module.
    pub fn is_field_visible(&self, path: &str, field: usize, module: &str) -> bool {
        self.types
            .get(path)
            .and_then(|known| known.fields.get(field))
            .is_some_and(|visible| is_visible(visible, module))
    }

    /// Returns whether a type has fields that are not visible in its whole crate.
    pub fn has_private_fields(&self, path: &str) -> bool {
        self.types.get(path).is_some_and(|known| {
            known
                .fields
                .iter()
                .any(|visible| *visible != Visible::Everywhere)
        })
    }

    /// Returns whether a type of the crate derives or implements a trait. Returns `true` for types
    /// of other crates.
    pub fn may_have(&self, path: &str, name: &str) -> bool {
        let Some(known) = self.types.get(path) else {
            return true;
        };
        let last = path.rsplit("::").next().unwrap_or(path);
        known.derives.contains(name)
            || self
                .implementations
                .contains(&(name.to_owned(), last.to_owned()))
    }

    /// Returns whether a type of the crate derives a trait. Returns `true` for types of other
    /// crates.
    pub fn may_derive(&self, path: &str, name: &str) -> bool {
        self.types
            .get(path)
            .is_none_or(|known| known.derives.contains(name))
    }

    /// Returns the recorded calls that return values of types with private fields.
    pub fn producers(&self) -> &Producers {
        &self.producers
    }

    pub fn set_producers(&mut self, producers: Producers) {
        self.producers = producers;
    }

    /// Returns whether a type is declared inside a function, so that no other code can name it.
    pub fn is_inside_a_function(&self, path: &str) -> bool {
        path.match_indices("::")
            .any(|(at, _)| self.functions.contains(&path[..at]))
    }

    /// Returns a visible constructor of a type, with the fields in the order of its parameters.
    pub fn constructor(&self, path: &str, module: &str) -> Option<(&str, &[String])> {
        let known = self.types.get(path)?;
        let visible = known
            .constructors
            .iter()
            .filter(|constructor| is_visible(&constructor.visible, module));
        visible
            .filter_map(|constructor| {
                Some((constructor.name.as_str(), constructor.plain_fields()?))
            })
            .next()
    }

    /// Returns the constructors of a type that are visible in a module.
    pub(super) fn constructors_of<'t>(
        &'t self,
        path: &str,
        module: &'t str,
    ) -> impl Iterator<Item = &'t Constructor> {
        let known = self
            .types
            .get(path)
            .into_iter()
            .flat_map(|known| &known.constructors);
        known.filter(move |constructor| is_visible(&constructor.visible, module))
    }

    /// Returns whether a type derives `Default`, which uses the default of each field.
    pub(super) fn derives_default(&self, path: &str) -> bool {
        self.types
            .get(path)
            .is_some_and(|known| known.derives.contains("Default"))
    }

    /// Returns the unit variants of an enum.
    pub fn unit_variants(&self, path: &str) -> &[String] {
        self.types
            .get(path)
            .map_or(&[], |known| known.unit_variants.as_slice())
    }

    /// Returns whether this is an enum with generic parameters that have a default.
    pub(super) fn has_default_parameters(&self, path: &str) -> bool {
        self.defaulted.contains(path)
    }

    pub(super) fn modules(&self) -> &Modules {
        &self.modules
    }

    /// Returns the paths by which the sources name items of other crates.
    pub(super) fn named(&self) -> &Named {
        &self.named
    }

    fn structs(&mut self, krate: &str, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => {
                    let fields = item
                        .fields
                        .iter()
                        .map(|field| visibility(&field.vis, module))
                        .collect();
                    let visible = Some(visibility(&item.vis, module));
                    let derives = derived(&item.attrs);
                    let known = Known {
                        visible,
                        fields,
                        derives,
                        ..Known::default()
                    };
                    self.types
                        .insert(full_path(krate, module, &item.ident.to_string()), known);
                }
                Item::Enum(item) => {
                    let has_default = |parameter: &GenericParam| matches!(parameter, GenericParam::Type(of) if of.default.is_some());
                    let own = full_path(krate, module, &item.ident.to_string());
                    let known = self.types.entry(own).or_default();
                    known.derives.extend(derived(&item.attrs));
                    known.visible = Some(visibility(&item.vis, module));
                    // A variant with an attribute may be disabled by `#[cfg]`.
                    let is_unit = |variant: &&Variant| {
                        matches!(variant.fields, Fields::Unit) && variant.attrs.iter().all(is_doc)
                    };
                    known.unit_variants = item
                        .variants
                        .iter()
                        .filter(is_unit)
                        .map(|of| of.ident.to_string())
                        .collect();
                    if item.generics.params.iter().any(has_default) {
                        self.defaulted
                            .insert(full_path(krate, module, &item.ident.to_string()));
                    }
                }
                Item::Fn(item) => {
                    self.functions
                        .insert(full_path(krate, module, &item.sig.ident.to_string()));
                }
                Item::Impl(item) => {
                    self.implementations.extend(implementation_of(item));
                    let Type::Path(path) = &*item.self_ty else {
                        continue;
                    };
                    let Some(name) = path.path.segments.last().map(|last| last.ident.to_string())
                    else {
                        continue;
                    };
                    let own = full_path(krate, module, &name);
                    self.functions
                        .extend(item.items.iter().filter_map(|item| match item {
                            ImplItem::Fn(function) => {
                                Some(format!("{own}::{}", function.sig.ident))
                            }
                            _ => None,
                        }));
                }
                Item::Mod(inner) => {
                    // A module may have the same name as a function.
                    self.functions
                        .remove(&full_path(krate, module, &inner.ident.to_string()));
                    if let Some((_, items)) = &inner.content {
                        self.structs(krate, &joined(module, &inner.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
    }

    fn constructors(&mut self, krate: &str, module: &[String], items: &[Item], names: &TypeNames) {
        for item in items {
            match item {
                Item::Impl(item) if item.trait_.is_none() => {
                    let Some(own) = names.own_type(&item.self_ty, module) else {
                        continue;
                    };
                    let Some(known) = self.types.get_mut(&full_path(krate, "", &own)) else {
                        continue;
                    };
                    let constructs = |signature: &Signature| {
                        let given = names.constructed(signature, module, Some(&own));
                        given.is_some_and(|given| given.of == own && given.gives == Gives::Itself)
                    };
                    let visible = |shown: &Visibility| visibility(shown, &module.join("::"));
                    let functions = item
                        .items
                        .iter()
                        .filter_map(|item| constructor_of(item, constructs, visible));
                    known.constructors.extend(functions);
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let path: Vec<String> = module
                            .iter()
                            .cloned()
                            .chain([inner.ident.to_string()])
                            .collect();
                        self.constructors(krate, &path, items, names);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the last path segments of the trait and the type of an `impl` block.
fn implementation_of(item: &syn::ItemImpl) -> Option<(String, String)> {
    let (path, _) = item.trait_.as_ref()?;
    let Type::Path(of_type) = &*item.self_ty else {
        return None;
    };
    Some((
        path.segments.last()?.ident.to_string(),
        of_type.path.segments.last()?.ident.to_string(),
    ))
}

/// Returns the names in all `#[derive(…)]` attributes.
fn derived(attributes: &[Attribute]) -> HashSet<String> {
    let mut names = Vec::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
    {
        if let syn::Meta::List(list) = &attribute.meta {
            crate::source::targets::names_in(list.tokens.clone(), &mut names);
        }
    }
    names.into_iter().map(|name| name.to_string()).collect()
}

pub(super) fn joined(module: &str, name: &str) -> String {
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}::{name}")
    }
}

fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") || attribute.path().is_ident("default")
}

fn full_path(krate: &str, module: &str, name: &str) -> String {
    joined(&joined(krate, module), name).replace("::::", "::")
}

/// Returns where an item of `module` with this visibility is visible.
pub fn visibility(visibility: &Visibility, module: &str) -> Visible {
    match visibility {
        Visibility::Public(_) => Visible::Everywhere,
        Visibility::Restricted(restricted) if restricted.path.is_ident("crate") => {
            Visible::Everywhere
        }
        Visibility::Restricted(restricted) if restricted.path.is_ident("super") => Visible::Below(
            module
                .rsplit_once("::")
                .map_or(String::new(), |(outer, _)| outer.to_owned()),
        ),
        _ => Visible::Below(module.to_owned()),
    }
}

pub(super) fn is_visible(visible: &Visible, module: &str) -> bool {
    match visible {
        Visible::Everywhere => true,
        Visible::Below(outer) => {
            outer.is_empty()
                || module == outer
                || module
                    .strip_prefix(outer)
                    .is_some_and(|rest| rest.starts_with("::"))
        }
    }
}
