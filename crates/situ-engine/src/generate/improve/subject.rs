//! Functions that can be called with arguments that are written down: free functions and associated ones whose parameters
//! are numbers, characters, strings and the like.

use crate::source::{byte_range, parse};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItem, Item, Lit, Pat, Signature, Type};

/// A function of a file that a test can call.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// How it is called inside its module: `size`, `Size::of`.
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// The inline modules of the file that it stands in.
    pub modules: Vec<String>,
    /// Its parameters: name and type.
    pub parameters: Vec<(String, Type)>,
    /// Its bytes in the file.
    pub range: Range<usize>,
    /// Literals in its body.
    pub literals: Vec<Lit>,
}

/// The functions of a file that can be called; none where it cannot be read.
pub(crate) fn subjects(text: &str) -> Vec<Subject> {
    let mut found = Vec::new();
    if let Ok(file) = parse(text) {
        collect(&file.items, &[], &mut found);
    }
    found
}

fn collect(items: &[Item], modules: &[String], found: &mut Vec<Subject>) {
    for item in items {
        match item {
            Item::Fn(function) => found.extend(subject(
                &function.sig,
                &function.block.to_token_stream(),
                None,
                modules,
                byte_range(function),
            )),
            Item::Impl(block) if block.generics.params.is_empty() && block.trait_.is_none() => {
                let own = block.self_ty.to_token_stream().to_string();
                if !own
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '_')
                {
                    continue;
                }
                for item in &block.items {
                    if let ImplItem::Fn(function) = item {
                        found.extend(subject(
                            &function.sig,
                            &function.block.to_token_stream(),
                            Some(&own),
                            modules,
                            byte_range(function),
                        ));
                    }
                }
            }
            Item::Mod(module) if module.attrs.is_empty() => {
                if let Some((_, items)) = &module.content {
                    let inner = [modules, &[module.ident.to_string()]].concat();
                    collect(items, &inner, found);
                }
            }
            _ => {}
        }
    }
}

fn subject(
    signature: &Signature,
    body: &TokenStream,
    own: Option<&str>,
    modules: &[String],
    range: Range<usize>,
) -> Option<Subject> {
    let is_plain = signature.generics.params.is_empty()
        && signature.asyncness.is_none()
        && !matches!(signature.safety, syn::Safety::Unsafe(_));
    if !is_plain || signature.inputs.is_empty() || signature.ident == "main" {
        return None;
    }
    let parameters: Option<Vec<(String, Type)>> = signature
        .inputs
        .iter()
        .map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some((name.ident.to_string(), (*typed.ty).clone())),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
        .collect();
    let name = signature.ident.to_string();
    Some(Subject {
        path: own.map_or_else(|| name.clone(), |own| format!("{own}::{name}")),
        name,
        modules: modules.to_vec(),
        parameters: parameters?,
        range,
        literals: literals_in(body.clone()),
    })
}

/// The literals among tokens, those in groups too, each once.
pub(crate) fn literals_in(tokens: TokenStream) -> Vec<Lit> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    add_literals(tokens, &mut found, &mut seen);
    found
}

fn add_literals(tokens: TokenStream, found: &mut Vec<Lit>, seen: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_literals(group.stream(), found, seen),
            TokenTree::Literal(literal) if seen.insert(literal.to_string()) => {
                found.push(Lit::new(literal));
            }
            _ => {}
        }
    }
}

/// The argument lists with which code calls a function, as literals.
pub(crate) fn called_with(file: &syn::File, name: &str) -> Vec<Lit> {
    struct Calls<'n>(&'n str, TokenStream);
    impl Calls<'_> {
        fn take(&mut self, tokens: TokenStream) {
            let mut is_named = false;
            for token in tokens {
                match &token {
                    TokenTree::Ident(ident) => is_named = ident == self.0,
                    TokenTree::Group(group) => {
                        if is_named {
                            self.1.extend(group.stream());
                        }
                        self.take(group.stream());
                        is_named = false;
                    }
                    _ => is_named = false,
                }
            }
        }
    }
    impl<'ast> Visit<'ast> for Calls<'_> {
        fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
            self.take(function.block.to_token_stream());
            visit::visit_item_fn(self, function);
        }
    }
    let mut calls = Calls(name, TokenStream::new());
    calls.visit_file(file);
    literals_in(calls.1)
}
