//! Which functions of a crate make values of its types, and which change them.

use super::key;
use crate::source::SourceFile;
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use syn::{FnArg, ImplItem, ImplItemFn, Item, ItemImpl, ItemStruct, ReturnType, Type, Visibility};

/// The structs of a crate, and the blocks that make them.
#[derive(Default)]
pub struct MethodTable {
    structs: BTreeMap<String, ItemStruct>,
    /// The structs that some block in their own module has constructors of.
    made: BTreeSet<String>,
    /// The structs that have an `Arbitrary` written for them.
    arbitrary: BTreeSet<String>,
}

impl MethodTable {
    /// Reads a crate.
    pub fn of(files: &[SourceFile]) -> MethodTable {
        let mut table = MethodTable::default();
        files.iter().for_each(|file| table.add_structs(&file.module, &file.tree.items));
        files.iter().for_each(|file| table.add_blocks(&file.module, &file.tree.items));
        table
    }

    fn add_structs(&mut self, module: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(one) => drop(self.structs.insert(key(module, &one.ident.to_string()), one.clone())),
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let mut path = module.to_vec();
                        path.push(inner.ident.to_string());
                        self.add_structs(&path, items);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_blocks(&mut self, module: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Impl(block) => {
                    if let Some(name) = arbitrary_of(block) {
                        self.arbitrary.insert(key(module, &name));
                    }
                    let constructs = functions(block).any(|function| constructor(function).is_some());
                    if let Some(key) = self.struct_of(module, block).filter(|_| constructs) {
                        self.made.insert(key);
                    }
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let mut path = module.to_vec();
                        path.push(inner.ident.to_string());
                        self.add_blocks(&path, items);
                    }
                }
                _ => {}
            }
        }
    }

    /// The struct of this module that a block without a trait belongs to.
    fn struct_of(&self, module: &[String], block: &ItemImpl) -> Option<String> {
        if block.trait_.is_some() {
            return None;
        }
        let Type::Path(path) = &*block.self_ty else { return None };
        let key =
            key(module, &path.path.get_ident().or(path.path.segments.last().map(|last| &last.ident))?.to_string());
        (path.path.segments.len() == 1 && self.structs.contains_key(&key)).then_some(key)
    }

    /// Whether values of a type are made by its own functions.
    pub fn has_constructors(&self, key: &str) -> bool {
        self.made.contains(key)
    }

    /// Whether somebody wrote down how values of a type are made at random.
    pub fn is_arbitrary(&self, key: &str) -> bool {
        self.arbitrary.contains(key)
    }

    /// The struct that is made in this block: of several blocks the first with constructors.
    pub fn made_here<'t>(&'t mut self, module: &[String], block: &ItemImpl) -> Option<(String, &'t ItemStruct)> {
        let key = self.struct_of(module, block)?;
        let is_open = |one: &ItemStruct| one.fields.iter().all(|field| matches!(field.vis, Visibility::Public(_)));
        let constructs = functions(block).any(|function| constructor(function).is_some());
        if !constructs || !self.has_constructors(&key) || self.structs.get(&key).is_none_or(is_open) {
            return None;
        }
        let one = self.structs.get(&key)?;
        Some((key, one))
    }
}

/// The type that a block implements `Arbitrary` for.
fn arbitrary_of(block: &ItemImpl) -> Option<String> {
    let (path, _) = block.trait_.as_ref()?;
    let Type::Path(of) = &*block.self_ty else { return None };
    let is_meant = path.segments.last().is_some_and(|last| last.ident == "Arbitrary");
    of.path.segments.last().filter(|_| is_meant).map(|last| last.ident.to_string())
}

/// The functions of a block that anyone may call.
pub fn functions(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block
        .items
        .iter()
        .filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function),
            _ => None,
        })
        .filter(|function| {
            let signature = &function.sig;
            !matches!(function.vis, Visibility::Inherited)
                && signature.generics.params.is_empty()
                && signature.asyncness.is_none()
                && !matches!(signature.safety, syn::Safety::Unsafe(_))
                && super::conditions(&function.attrs).is_empty()
        })
}

/// How the result of a constructor becomes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// It is one.
    Itself,
    /// It is one, or there is none.
    Optionally,
    /// It is one, or an error.
    OrError,
}

/// Whether a function without `self` gives a value of its type.
pub fn constructor(function: &ImplItemFn) -> Option<Gives> {
    if function.sig.inputs.iter().any(|input| matches!(input, FnArg::Receiver(_))) {
        return None;
    }
    let ReturnType::Type(_, returned) = &function.sig.output else { return None };
    let text = returned.to_token_stream().to_string().replace(' ', "");
    match text.as_str() {
        "Self" => Some(Gives::Itself),
        "Option<Self>" => Some(Gives::Optionally),
        _ if text.starts_with("Result<Self,") || text == "Result<Self>" => Some(Gives::OrError),
        _ => None,
    }
}

/// How a method changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// In place.
    InPlace,
    /// By giving another.
    ByValue,
}

/// Whether a method gives a value of its type another state.
pub fn mutator(function: &ImplItemFn) -> Option<Changes> {
    let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() else { return None };
    let text = receiver.to_token_stream().to_string().replace(' ', "");
    let gives_itself = match &function.sig.output {
        ReturnType::Type(_, returned) => returned.to_token_stream().to_string() == "Self",
        ReturnType::Default => false,
    };
    match text.as_str() {
        "&mutself" => Some(Changes::InPlace),
        "self" | "mutself" if gives_itself => Some(Changes::ByValue),
        _ => None,
    }
}
