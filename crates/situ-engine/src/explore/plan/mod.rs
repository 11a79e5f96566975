//! What is inserted into a crate's sources so that values of its types can be made: an implementation for each type.

mod answers;
mod fields;
mod made;
mod methods;

pub use answers::Answers;

use crate::record::plan::{Insertion, Piece, Plan};
use crate::source::{SourceFile, byte_range};
use methods::MethodTable;
use std::ops::Range;
use syn::{GenericParam, Generics, Item};

/// How the crate is called that instrumented code is linked with.
pub const CRATE: &str = "situ_explore";

/// Plans the implementations of a crate.
pub fn plan(files: &[SourceFile], answers: Answers) -> Plan {
    let mut planner =
        Planner { plan: Plan::default(), insertions: Vec::new(), methods: MethodTable::of(files), answers };
    for (number, file) in files.iter().enumerate() {
        if number == 0 {
            planner.link(file);
        }
        planner.items(&file.module, &file.tree.items);
        let insertions = std::mem::take(&mut planner.insertions);
        planner.plan.insertions.push(insertions);
    }
    planner.plan
}

struct Planner {
    plan: Plan,
    insertions: Vec<Insertion>,
    methods: MethodTable,
    answers: Answers,
}

impl Planner {
    /// Every program must be linked with what instrumented code calls, whether it has theories or not.
    fn link(&mut self, root: &SourceFile) {
        let Some(first) = root.tree.items.first() else { return };
        let node = byte_range(first);
        let text = format!("extern crate {CRATE} as _; {}", self.answers.module());
        self.insert(&node, true, "link".to_owned(), text);
    }

    fn items(&mut self, module: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(one) => {
                    let key = key(module, &one.ident.to_string());
                    let is_open = one.fields.iter().all(|field| matches!(field.vis, syn::Visibility::Public(_)));
                    // What says itself how it is made knows what its private fields may be.
                    let is_made =
                        self.methods.has_constructors(&key) || (self.answers.any() && self.methods.is_arbitrary(&key));
                    let text = if is_open || !is_made { fields::of_struct(one) } else { None };
                    self.add(item, &key, text);
                }
                Item::Enum(one) => {
                    let key = key(module, &one.ident.to_string());
                    self.add(item, &key, fields::of_enum(one));
                }
                Item::Impl(one) => {
                    if let Some((key, type_item)) = self.methods.made_here(module, one) {
                        let text = made::implementation(one, type_item);
                        self.add(item, &key, text);
                    }
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let mut path = module.to_vec();
                        path.push(inner.ident.to_string());
                        self.items(&path, items);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, item: &Item, key: &str, text: Option<String>) {
        if let Some(text) = text {
            self.insert(&byte_range(item), false, format!("values of {key}"), text);
        }
    }

    fn insert(&mut self, node: &Range<usize>, before: bool, key: String, text: String) {
        self.plan.pieces.push(Piece { key, parent: None, variable: None, slot: None, function: None });
        let piece = self.plan.pieces.len() - 1;
        let insertion = match before {
            true => Insertion::statement_before(node, text, piece),
            false => Insertion::statement_after(node, format!(" {text}"), piece),
        };
        self.insertions.push(insertion);
    }
}

/// A type by the module that declares it.
fn key(module: &[String], name: &str) -> String {
    module.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
}

/// `<T: Bound + Explore>` and `<T>`, empty where there are no parameters; none for what borrows.
fn generics(generics: &Generics) -> Option<(String, String)> {
    use quote::ToTokens as _;
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(_) => return None,
            GenericParam::Type(parameter) => {
                let bounds = parameter.bounds.to_token_stream().to_string();
                let plus = if bounds.is_empty() { "" } else { " + " };
                parameters.push(format!("{}: {bounds}{plus}::{CRATE}::Explore", parameter.ident));
                arguments.push(parameter.ident.to_string());
            }
            GenericParam::Const(parameter) => {
                parameters.push(format!("const {}: {}", parameter.ident, parameter.ty.to_token_stream()));
                arguments.push(parameter.ident.to_string());
            }
        }
    }
    if parameters.is_empty() {
        return Some((String::new(), String::new()));
    }
    Some((format!("<{}>", parameters.join(", ")), format!("<{}>", arguments.join(", "))))
}

/// The `#[cfg(…)]` attributes, to be repeated.
fn conditions(attributes: &[syn::Attribute]) -> String {
    use quote::ToTokens as _;
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(|attribute| format!("{} ", attribute.to_token_stream())).collect()
}

/// What every implementation begins with.
const PRELUDE: &str = "#[allow(unused_imports)] use ::situ_explore::{Known as _, SeenKnown as _, SeenUnknown as _, Unknown as _}; \
     #[allow(unused_imports)] use crate::__situ_answers::*;";

/// An implementation of three functions' bodies.
fn written(head: &str, bounds: &str, shape: &str, build: &str, tree: &str) -> String {
    format!(
        "#[allow(warnings, clippy::all)] {head} {bounds} {{ \
         fn shape(shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Shape {{ {PRELUDE} {shape} }} \
         fn build(tree: &::{CRATE}::Tree) -> ::core::option::Option<Self> {{ {PRELUDE} {build} }} \
         fn tree(&self) -> ::core::option::Option<::{CRATE}::Tree> {{ {PRELUDE} {tree} }} }}"
    )
}

#[cfg(test)]
mod tests;
