//! A function that a test can check, with what is needed to call it.

use crate::values::{TestModule, Visible};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use syn::{Generics, Pat, Type};

/// A function.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The line of its signature.
    pub line: usize,
    /// The modules that lead to it, those inside its file included.
    pub module: Vec<String>,
    /// How many of them stand in its own file.
    pub inline_modules: usize,
    /// Its name.
    pub name: String,
    /// Its visibility.
    pub visible: Visible,
    /// The type or trait that it belongs to.
    pub owner: Option<Owner>,
    /// How it takes `self`.
    pub receiver: Option<Receiver>,
    /// Its other parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it returns a value.
    pub gives_value: bool,
    /// `async fn`.
    pub is_async: bool,
    /// Whether tests beside it can be `#[tokio::test]`.
    pub has_tokio: bool,
    /// `unsafe fn`.
    pub is_unsafe: bool,
    /// The names of what its body calls.
    pub calls: BTreeSet<String>,
    /// The byte after the `{` of its body.
    pub body: usize,
    /// Its body, without tests.
    pub tokens: TokenStream,
    /// The block tests at its start.
    pub tests: Vec<TokenStream>,
    /// The names of its generic parameters, those of what it belongs to included.
    pub generics: Vec<String>,
    /// The bounds of its generic parameters, and of those of its `impl`.
    pub bounds: Vec<Generics>,
    /// The module for expressions.
    pub here: Rc<TestModule>,
}

/// The owner of a method.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The type's own name; none for the methods of a trait.
    pub type_name: Option<String>,
    /// The type as the `impl` names it, if that is more than a name.
    pub path: Option<String>,
    /// The trait whose method it is, as the `impl` names it.
    pub of_trait: Option<String>,
    /// Whether the trait is in scope there.
    pub trait_is_in_scope: bool,
}

/// How `self` is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// `&self`, or a smart pointer.
    Shared,
    /// `&mut self`.
    Exclusive,
    /// `self` or `mut self`.
    Value,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its pattern.
    pub pattern: Pat,
    /// Whether its type determines that of the argument: no `impl Trait`, no generic parameter.
    pub is_typed: bool,
    /// Its type.
    pub of_type: Type,
}

impl Parameter {
    /// Returns its name, or `None` if it is a pattern.
    pub fn name(&self) -> Option<String> {
        match &self.pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                Some(name.ident.to_string())
            }
            _ => None,
        }
    }
}

impl Subject {
    /// Its path from the crate on, as recordings have it.
    pub fn path(&self) -> String {
        let owner = self
            .owner
            .as_ref()
            .and_then(|owner| owner.type_name.clone().or(owner.of_trait.clone()));
        let words = self
            .module
            .iter()
            .cloned()
            .chain(owner)
            .chain([self.name.clone()]);
        words.collect::<Vec<_>>().join("::")
    }

    /// Returns the form of its calls: `load`, `Catalog::parse`, or `.save` for a method.
    pub fn key(&self) -> String {
        let owner = self
            .owner
            .as_ref()
            .and_then(|owner| owner.type_name.clone().or(owner.of_trait.clone()));
        match (&self.receiver, owner) {
            (Some(_), _) => format!(".{}", self.name),
            (None, Some(owner)) => format!("{owner}::{}", self.name),
            (None, None) => self.name.clone(),
        }
    }

    /// Returns whether a variable of that name would shadow it.
    pub fn is_hidden_by(&self, variable: &str) -> bool {
        self.owner.is_none() && self.name == variable
    }

    /// Returns the beginning of its calls: `Money::parse(`, `.total(`, `digits(`.
    pub fn called(&self) -> String {
        let name = &self.name;
        match (
            &self.receiver,
            self.owner
                .as_ref()
                .and_then(|owner| owner.type_name.as_ref()),
        ) {
            (Some(_), _) => format!(".{name}("),
            (None, Some(of_type)) => format!("{of_type}::{name}("),
            (None, None) => format!("{name}("),
        }
    }
}
