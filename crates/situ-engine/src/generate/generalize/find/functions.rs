//! The functions of the workspace that tests can call, with their parameters.

use crate::cargo::workspace::Workspace;
use crate::source::{SourceFile, byte_range, module_files};
use cargo_metadata::TargetKind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use syn::visit::{self, Visit};
use syn::{
    FnArg, Generics, ImplItemFn, ItemFn, ItemImpl, ItemTrait, ItemType, Pat, Signature,
    TraitItemFn, Type, UseRename,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name; `None` if it is a pattern.
    pub name: Option<String>,
    /// Whether it takes a mutable reference or a function: such arguments stay as the test has
    /// them.
    pub is_fixed: bool,
}

/// A function of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The first byte of its signature, which identifies it in a recording.
    pub start: usize,
    /// The byte behind its body.
    pub end: usize,
    pub name: String,
    /// The type or trait that it is a function of.
    pub of_type: Option<String>,
    /// The trait that it implements.
    pub of_trait: Option<String>,
    /// Whether it is called on a value.
    pub has_receiver: bool,
    /// Whether it may change or consume its receiver.
    pub changes_receiver: bool,
    /// Whether it changes its receiver in place.
    pub writes_receiver: bool,
    /// Its other parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it, or the type that it is a function of, is generic.
    pub is_generic: bool,
}

impl Function {
    /// Returns whether a call with this path and number of arguments may be one of this function.
    /// `aliases` are other names of types and traits of the workspace.
    pub(crate) fn may_be(
        &self,
        words: &[String],
        is_method: bool,
        arguments: usize,
        aliases: &BTreeSet<String>,
    ) -> bool {
        let Some((last, before)) = words.split_last() else {
            return false;
        };
        if *last != self.name {
            return false;
        }
        if is_method {
            return self.has_receiver && arguments == self.parameters.len();
        }
        let named = before
            .last()
            .filter(|word| word.starts_with(char::is_uppercase));
        let fits = match (named, &self.of_type) {
            // A single letter is the name of a type parameter.
            (Some(named), Some(of_type)) => {
                named == of_type
                    || Some(named) == self.of_trait.as_ref()
                    || aliases.contains(named)
                    || named == "Self"
                    || named.len() == 1
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        fits && arguments == self.parameters.len() + usize::from(self.has_receiver)
    }
}

/// Methods of the standard library that only call a trait's function with their receiver as its
/// argument: the method, the function, the trait.
const HANDED_ON: [(&str, &str, &str); 3] = [
    ("parse", "from_str", "FromStr"),
    ("into", "from", "From"),
    ("try_into", "try_from", "TryFrom"),
];

impl Function {
    /// Returns whether a call of a method of the standard library may be a call of this function.
    pub(crate) fn may_be_behind(
        &self,
        words: &[String],
        is_method: bool,
        arguments: usize,
    ) -> bool {
        let [word] = words else { return false };
        let is_meant = |(method, function, of_trait): &(&str, &str, &str)| {
            word == method && self.name == *function && self.of_trait.as_deref() == Some(*of_trait)
        };
        is_method && arguments == 0 && HANDED_ON.iter().any(is_meant)
    }
}

/// Names of traits and other names of types in a workspace: `type`, `use … as …`.
pub(crate) fn aliases(workspace: &Workspace) -> BTreeSet<String> {
    #[derive(Default)]
    struct Names(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_item_type(&mut self, item: &'ast ItemType) {
            self.0.insert(item.ident.to_string());
        }

        fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
            self.0.insert(item.ident.to_string());
            visit::visit_item_trait(self, item);
        }

        fn visit_use_rename(&mut self, rename: &'ast UseRename) {
            self.0.insert(rename.rename.to_string());
        }
    }
    let mut names = Names::default();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        for file in module_files(target.src_path.as_std_path()).unwrap_or_default() {
            names.visit_file(&file.tree);
        }
    }
    names.0
}

/// All functions, by file and first byte.
pub(crate) type Functions = BTreeMap<(PathBuf, usize), Function>;

/// Returns the functions of all libraries and programs of a workspace.
pub(crate) fn functions(workspace: &Workspace) -> Functions {
    let mut all = Functions::new();
    let mut seen = BTreeSet::new();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        let is_code = |kind: &TargetKind| {
            !matches!(
                kind,
                TargetKind::CustomBuild
                    | TargetKind::Bench
                    | TargetKind::Test
                    | TargetKind::ProcMacro
            )
        };
        if !target.kind.iter().all(is_code) {
            continue;
        }
        for file in module_files(target.src_path.as_std_path()).unwrap_or_default() {
            if !seen.insert(file.path.clone()) {
                continue;
            }
            let path = file
                .path
                .strip_prefix(workspace.root())
                .unwrap_or(&file.path)
                .to_path_buf();
            let mut walk = Walk {
                file: &file,
                path,
                of_type: None,
                of_trait: None,
                is_generic: false,
                all: &mut all,
            };
            walk.visit_file(&file.tree);
        }
    }
    all
}

/// Returns the methods that never change their receiver, whatever its type is.
pub(crate) fn looking_methods(functions: &Functions) -> BTreeSet<String> {
    let methods = || functions.values().filter(|function| function.has_receiver);
    let changing: BTreeSet<&str> = methods()
        .filter(|function| function.changes_receiver)
        .map(|function| function.name.as_str())
        .collect();
    methods()
        .map(|function| function.name.clone())
        .filter(|name| !changing.contains(name.as_str()))
        .collect()
}

struct Walk<'w> {
    file: &'w SourceFile,
    path: PathBuf,
    of_type: Option<String>,
    of_trait: Option<String>,
    /// Whether the type around is generic.
    is_generic: bool,
    all: &'w mut Functions,
}

impl Walk<'_> {
    fn function(&mut self, signature: &Signature, end: usize) {
        let start = byte_range(signature).start;
        let function = Function {
            file: self.path.clone(),
            start,
            end,
            name: signature.ident.to_string(),
            of_type: self.of_type.clone(),
            of_trait: self.of_trait.clone(),
            has_receiver: signature.receiver().is_some(),
            changes_receiver: signature.receiver().is_some_and(|receiver| {
                let text = &self.file.text[byte_range(receiver)];
                text.contains("mut ") || !text.starts_with('&')
            }),
            writes_receiver: signature.receiver().is_some_and(|receiver| {
                let text = &self.file.text[byte_range(receiver)];
                text.starts_with('&') && text.contains("mut ")
                    || text.contains("&mut")
                    || text.contains("Pin<")
            }),
            is_generic: self.is_generic || signature.generics.type_params().next().is_some(),
            parameters: signature
                .inputs
                .iter()
                .filter_map(|input| self.parameter(input))
                .collect(),
        };
        self.all.insert((self.path.clone(), start), function);
    }

    fn parameter(&self, input: &FnArg) -> Option<Parameter> {
        let FnArg::Typed(typed) = input else {
            return None;
        };
        let text = &self.file.text[byte_range(&typed.ty)];
        let is_fixed = ["&mut ", "Fn(", "FnMut(", "FnOnce(", "fn("]
            .iter()
            .any(|word| text.contains(word))
            || (text.starts_with("&'") && text.contains(" mut "));
        let name = match &*typed.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                Some(name.ident.to_string())
            }
            _ => None,
        };
        Some(Parameter { name, is_fixed })
    }

    fn inside(&mut self, of_type: String, generics: &Generics, walk: impl FnOnce(&mut Self)) {
        let is_generic = generics.type_params().next().is_some();
        let outer = (
            self.of_type.replace(of_type),
            std::mem::replace(&mut self.is_generic, is_generic),
        );
        walk(self);
        (self.of_type, self.is_generic) = outer;
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, byte_range(&item.block).end);
        let outer = self.of_type.take();
        visit::visit_item_fn(self, item);
        self.of_type = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, byte_range(&item.block).end);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, byte_range(block).end);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|of_trait| of_trait.0.segments.last());
        self.of_trait = of_trait.map(|last| last.ident.to_string());
        self.inside(type_word(&item.self_ty), &item.generics, |walk| {
            visit::visit_item_impl(walk, item)
        });
        self.of_trait = None;
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.inside(item.ident.to_string(), &item.generics, |walk| {
            visit::visit_item_trait(walk, item)
        });
    }
}

fn type_word(self_type: &Type) -> String {
    match self_type {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default(),
        Type::Reference(inner) => type_word(&inner.elem),
        _ => String::new(),
    }
}
