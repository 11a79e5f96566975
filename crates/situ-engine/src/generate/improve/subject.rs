//! Functions that can be called with arguments that are written down: free functions and associated ones whose parameters
//! are numbers, characters, strings and the like.

use crate::source::{byte_range, parse};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItem, Item, Lit, Pat, Signature, StaticMutability, Type};

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
    /// Constants of its module that are plain numbers: name and type, those that its body names first.
    pub constants: Vec<(String, String)>,
    /// Whether it gives a value.
    pub has_result: bool,
}

/// The functions of a file that can be called; none where it cannot be read.
pub(crate) fn subjects(text: &str) -> Vec<Subject> {
    let mut found = Vec::new();
    if let Ok(file) = parse(text) {
        collect(&file.items, &[], &mut found);
    }
    found
}

/// The function around a line, as what a test calls: methods, generic functions and those of traits too.
pub(crate) fn holder(text: &str, line: usize) -> Option<Subject> {
    let file = parse(text).ok()?;
    let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    holder_in(&file.items, &[], &|range: &Range<usize>| {
        (line_of(range.start)..=line_of(range.end)).contains(&line)
    })
}

fn holder_in(
    items: &[Item],
    modules: &[String],
    is_around: &dyn Fn(&Range<usize>) -> bool,
) -> Option<Subject> {
    items.iter().find_map(|item| {
        if !is_around(&byte_range(item)) {
            return None;
        }
        let of = |signature: &Signature, own: Option<String>, range| Subject {
            path: match own {
                Some(own) => format!("{own}::{}", signature.ident),
                None => signature.ident.to_string(),
            },
            name: signature.ident.to_string(),
            modules: modules.to_vec(),
            parameters: Vec::new(),
            range,
            literals: Vec::new(),
            constants: Vec::new(),
            has_result: has_result(signature),
        };
        match item {
            Item::Fn(function) => Some(of(&function.sig, None, byte_range(function))),
            Item::Impl(block) => block.items.iter().find_map(|inner| match inner {
                ImplItem::Fn(function) if is_around(&byte_range(function)) => Some(of(
                    &function.sig,
                    type_name(&block.self_ty),
                    byte_range(function),
                )),
                _ => None,
            }),
            Item::Mod(module) => {
                let (_, items) = module.content.as_ref()?;
                let inner = [modules, &[module.ident.to_string()]].concat();
                holder_in(items, &inner, is_around)
            }
            _ => None,
        }
    })
}

fn type_name(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

fn has_result(signature: &Signature) -> bool {
    match &signature.output {
        syn::ReturnType::Default => false,
        syn::ReturnType::Type(_, of) => {
            !matches!(&**of, Type::Tuple(tuple) if tuple.elems.is_empty())
        }
    }
}

/// Returns the constants and immutable statics among items: names and types.
fn constants_of(items: &[Item]) -> Vec<(String, String)> {
    let all = items.iter().filter_map(|item| match item {
        Item::Const(one) => Some((one.ident.to_string(), one.ty.to_token_stream().to_string())),
        Item::Static(one) if matches!(one.mutability, StaticMutability::None) => {
            Some((one.ident.to_string(), one.ty.to_token_stream().to_string()))
        }
        _ => None,
    });
    all.filter(|(name, _)| name != "_").collect()
}

fn names(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        _ => false,
    })
}

fn collect(items: &[Item], modules: &[String], found: &mut Vec<Subject>) {
    let constants = constants_of(items);
    for item in items {
        match item {
            Item::Fn(function) => found.extend(subject(
                &function.sig,
                &function.block.to_token_stream(),
                (None, modules, &constants),
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
                            (Some(&own), modules, &constants),
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
    (own, modules, constants): (Option<&str>, &[String], &[(String, String)]),
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
    let mut constants = constants.to_vec();
    constants.sort_by_key(|(name, _)| !names(body.clone(), name));
    Some(Subject {
        path: own.map_or_else(|| name.clone(), |own| format!("{own}::{name}")),
        name,
        modules: modules.to_vec(),
        parameters: parameters?,
        range,
        literals: literals_in(body.clone()),
        constants,
        has_result: has_result(signature),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_around_a_line_is_found_in_modules_and_impl_blocks() {
        let text = "mod inner {\n    impl<T> List<T> {\n        fn push(&mut self, one: T) {\n        }\n    }\n}\nfn free() -> u8 {\n    1\n}\n";
        let method = holder(text, 4).unwrap();
        assert_eq!(
            (
                method.path.as_str(),
                method.modules.as_slice(),
                method.has_result
            ),
            ("List::push", &["inner".to_owned()][..], false)
        );
        let free = holder(text, 8).unwrap();
        assert_eq!((free.path.as_str(), free.has_result), ("free", true));
        assert!(holder(text, 1).is_none());
    }
}
