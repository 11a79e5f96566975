//! A function that a test can be about, with what is needed to call it.

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
    /// From where it can be called.
    pub visible: Visible,
    /// The type or trait that it belongs to.
    pub owner: Option<Owner>,
    /// How it takes `self`.
    pub receiver: Option<Receiver>,
    /// Its other parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it gives a value.
    pub gives_value: bool,
    /// `async fn`.
    pub is_async: bool,
    /// Whether tests beside it can be `#[tokio::test]`.
    pub has_tokio: bool,
    /// `unsafe fn`.
    pub is_unsafe: bool,
    /// The names of what its body calls.
    pub calls: BTreeSet<String>,
    /// The byte behind the `{` of its body.
    pub body: usize,
    /// Its body, without tests.
    pub tokens: TokenStream,
    /// The block tests at its start.
    pub tests: Vec<TokenStream>,
    /// The names of its generic parameters, those of what it belongs to included.
    pub generics: Vec<String>,
    /// What its generic parameters are bound to: its own, and those of the `impl` that it belongs to.
    pub bounds: Vec<Generics>,
    /// Where expressions in its module stand.
    pub here: Rc<TestModule>,
}

/// What a method belongs to.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The type's own name; none for the methods of a trait.
    pub type_name: Option<String>,
    /// The type as the `impl` names it, where that is more than a name.
    pub path: Option<String>,
    /// The trait whose method it is, as the `impl` names it.
    pub of_trait: Option<String>,
    /// Whether methods of that trait can be called there without its name.
    pub trait_is_in_scope: bool,
}

/// How `self` is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// `&self`, or what a smart pointer gives.
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
    /// Whether its type says what the argument is: no `impl Trait`, no generic parameter.
    pub is_typed: bool,
    /// Its type.
    pub of_type: Type,
}

impl Parameter {
    /// Its name; none where a pattern takes it apart.
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

    /// How calls of it look: `load`, `Catalog::parse`, or `.save` for a method.
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

    /// Whether a variable of that name would hide it.
    pub fn is_hidden_by(&self, variable: &str) -> bool {
        self.owner.is_none() && self.name == variable
    }

    /// How a call of it begins: `Money::parse(`, `.total(`, `digits(`.
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
