//! The declarations of a crate: its structs and enums, their `impl` blocks, and its functions.

use super::conditions;
use crate::source::{SourceFile, TypeNames, byte_range};
use quote::ToTokens as _;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::{Attribute, Item, ItemEnum, ItemFn, ItemImpl, ItemStruct};

/// Where an item stands.
#[derive(Clone, Debug)]
pub(super) struct Place<'f> {
    /// The number of its file.
    pub file: usize,
    /// Its bytes there.
    pub node: Range<usize>,
    pub module: &'f [String],
}

/// A type that the crate declares.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<'f> {
    Struct(&'f ItemStruct),
    Enum(&'f ItemEnum),
}

/// A type with its place.
#[derive(Clone, Debug)]
pub(super) struct OwnType<'f> {
    /// Its module and name.
    pub key: String,
    /// What it is.
    pub declared: Declared<'f>,
    /// Where it stands.
    pub place: Place<'f>,
}

/// An `impl` block of a type of the crate.
#[derive(Clone, Debug)]
pub(super) struct Block<'f> {
    /// The type.
    pub of: String,
    /// The block.
    pub item: &'f ItemImpl,
    /// Where it stands.
    pub place: Place<'f>,
}

/// A function outside of any block.
#[derive(Clone, Debug)]
pub(super) struct Function<'f> {
    /// The function.
    pub item: &'f ItemFn,
    /// Where it stands.
    pub place: Place<'f>,
}

/// Everything that a crate declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations<'f> {
    /// What types are called where.
    pub names: TypeNames,
    pub types: Vec<OwnType<'f>>,
    pub blocks: Vec<Block<'f>>,
    /// The functions, without those of tests.
    pub functions: Vec<Function<'f>>,
}

impl<'f> Declarations<'f> {
    /// Reads a crate; `modules` has each file's modules, so that they live as long as what is read.
    pub(super) fn of(files: &'f [SourceFile], modules: &'f Modules) -> Declarations<'f> {
        let mut all = Declarations {
            names: TypeNames::of(files),
            ..Declarations::default()
        };
        for (number, file) in files.iter().enumerate() {
            let is_test = file.conditions.iter().any(is_for_tests);
            all.add(
                number,
                modules.known(&file.module),
                &file.tree.items,
                modules,
                is_test,
            );
        }
        all
    }

    fn add(
        &mut self,
        file: usize,
        module: &'f [String],
        items: &'f [Item],
        modules: &'f Modules,
        is_test: bool,
    ) {
        for item in items {
            let place = Place {
                file,
                node: byte_range(item),
                module,
            };
            match item {
                Item::Struct(one) => {
                    self.add_type(&one.ident.to_string(), Declared::Struct(one), place)
                }
                Item::Enum(one) => {
                    self.add_type(&one.ident.to_string(), Declared::Enum(one), place)
                }
                Item::Impl(item) => {
                    if let Some(of) = self.names.own_type(&item.self_ty, module) {
                        self.blocks.push(Block { of, item, place });
                    }
                }
                Item::Fn(item) if !is_test => self.functions.push(Function { item, place }),
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let path: Vec<String> = module
                            .iter()
                            .cloned()
                            .chain([inner.ident.to_string()])
                            .collect();
                        let is_test = is_test || inner.attrs.iter().any(is_for_tests);
                        self.add(file, modules.known(&path), items, modules, is_test);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_type(&mut self, name: &str, declared: Declared<'f>, place: Place<'f>) {
        let key = place
            .module
            .iter()
            .map(String::as_str)
            .chain([name])
            .collect::<Vec<_>>()
            .join("::");
        self.types.push(OwnType {
            key,
            declared,
            place,
        });
    }

    /// Returns the blocks of a type.
    pub(super) fn blocks_of(&self, key: &str) -> impl Iterator<Item = &Block<'f>> {
        self.blocks.iter().filter(move |block| block.of == key)
    }

    /// Returns the blocks of a type that implement a trait of this name.
    pub(super) fn implementations<'d>(
        &'d self,
        key: &'d str,
        name: &'d str,
    ) -> impl Iterator<Item = (&'d Block<'f>, &'f syn::PathSegment)> {
        self.blocks_of(key).filter_map(move |block| {
            let (path, _) = block.item.trait_.as_ref()?;
            let last = path.segments.last().filter(|last| last.ident == name)?;
            Some((block, last))
        })
    }
}

impl OwnType<'_> {
    pub(super) fn attributes(&self) -> &[Attribute] {
        match self.declared {
            Declared::Struct(item) => &item.attrs,
            Declared::Enum(item) => &item.attrs,
        }
    }

    /// Returns whether a trait is derived for it.
    pub(super) fn derives(&self, name: &str) -> bool {
        let derives = self
            .attributes()
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"));
        derives
            .flat_map(|derive| words_of(&derive.meta.to_token_stream()))
            .any(|word| word == name)
    }
}

/// Returns whether an attribute restricts an item to tests.
fn is_for_tests(attribute: &Attribute) -> bool {
    !conditions(std::slice::from_ref(attribute)).is_empty()
        && words_of(&attribute.meta.to_token_stream())
            .iter()
            .any(|word| word == "test")
}

fn words_of(tokens: &proc_macro2::TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    crate::source::targets::names_in(tokens.clone(), &mut words);
    words.iter().map(ToString::to_string).collect()
}

/// The paths of all modules of a crate.
#[derive(Debug, Default)]
pub(super) struct Modules {
    all: BTreeSet<Vec<String>>,
}

impl Modules {
    /// Reads a crate.
    pub(super) fn of(files: &[SourceFile]) -> Modules {
        let mut modules = Modules::default();
        files
            .iter()
            .for_each(|file| modules.add(file.module.clone(), &file.tree.items));
        modules
    }

    fn add(&mut self, module: Vec<String>, items: &[Item]) {
        for item in items {
            if let Item::Mod(inner) = item
                && let Some((_, items)) = &inner.content
            {
                self.add(
                    module
                        .iter()
                        .cloned()
                        .chain([inner.ident.to_string()])
                        .collect(),
                    items,
                );
            }
        }
        self.all.insert(module);
    }

    fn known(&self, path: &[String]) -> &[String] {
        self.all.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}
