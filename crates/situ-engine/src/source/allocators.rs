//! Finds the code of allocators in a file. It runs on every allocation, also on those of the
//! recorder, and often with a lock held. So it must not be instrumented.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Block, File, ImplItemFn, ItemFn, ItemImpl, Signature, UseRename, Visibility};

/// Traits that allocators implement.
const TRAITS: [&str; 2] = ["GlobalAlloc", "Allocator"];

/// Allocators of a file.
#[derive(Clone, Debug, Default)]
pub struct AllocatorCode {
    /// Names of the allocator traits in this file, including renamed imports.
    traits: BTreeSet<String>,
    /// Functions that only allocators call.
    functions: BTreeSet<String>,
}

impl AllocatorCode {
    /// Finds the allocators of a file, and the private functions that only they mention.
    pub fn of(file: &File) -> AllocatorCode {
        let mut search = Search {
            traits: TRAITS.map(str::to_owned).into(),
            ..Search::default()
        };
        search.visit_file(file);
        if search.in_allocators.is_empty() {
            return AllocatorCode {
                traits: search.traits,
                functions: BTreeSet::new(),
            };
        }
        let functions = search.only_in_allocators(file);
        AllocatorCode {
            traits: search.traits,
            functions,
        }
    }

    /// Returns whether an `impl` block implements an allocator.
    pub fn is_implementation(&self, item: &ItemImpl) -> bool {
        is_of(item, &self.traits)
    }

    /// Returns whether only allocators call a function.
    pub fn holds(&self, signature: &Signature) -> bool {
        self.functions.contains(&signature.ident.to_string())
    }
}

fn is_of(item: &ItemImpl, traits: &BTreeSet<String>) -> bool {
    let last = item
        .trait_
        .as_ref()
        .and_then(|(path, _)| path.segments.last());
    last.is_some_and(|last| traits.contains(&last.ident.to_string()))
}

/// Number of mentions by name.
type Mentions = BTreeMap<String, usize>;

#[derive(Default)]
struct Search {
    traits: BTreeSet<String>,
    /// Names that allocators mention.
    in_allocators: Mentions,
    /// Names that each private function mentions; `None` if several functions share a name.
    functions: BTreeMap<String, Option<Mentions>>,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_use_rename(&mut self, item: &'ast UseRename) {
        if TRAITS.iter().any(|name| item.ident == name) {
            self.traits.insert(item.rename.to_string());
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if is_of(item, &self.traits) {
            count(item.to_token_stream(), &mut self.in_allocators);
        } else {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.vis, &item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.vis, &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

impl Search {
    fn function(&mut self, visibility: &Visibility, signature: &Signature, block: &Block) {
        if matches!(visibility, Visibility::Inherited) {
            let mut mentions = Mentions::new();
            count(block.to_token_stream(), &mut mentions);
            let shared = self.functions.entry(signature.ident.to_string());
            shared
                .and_modify(|known| *known = None)
                .or_insert(Some(mentions));
        }
    }

    /// Returns the functions that are mentioned only by allocators or by other such functions.
    fn only_in_allocators(&self, file: &File) -> BTreeSet<String> {
        let mut everywhere = Mentions::new();
        count(file.to_token_stream(), &mut everywhere);
        let known = self
            .functions
            .iter()
            .filter_map(|(name, mentions)| Some((name, mentions.as_ref()?)));
        let mut only: BTreeMap<&String, &Mentions> = known.collect();
        loop {
            let inside = |name: &String| -> usize {
                let of = |mentions: &Mentions| mentions.get(name).copied().unwrap_or(0);
                of(&self.in_allocators) + only.values().map(|mentions| of(mentions)).sum::<usize>()
            };
            // One mention is the function's own declaration.
            let is_used_elsewhere = |name: &String| {
                inside(name) == 0 || everywhere.get(name).copied().unwrap_or(0) > inside(name) + 1
            };
            let others: Vec<&String> = only
                .keys()
                .copied()
                .filter(|name| is_used_elsewhere(name))
                .collect();
            if others.is_empty() {
                return only.into_keys().cloned().collect();
            }
            others.into_iter().for_each(|name| _ = only.remove(name));
        }
    }
}

fn count(tokens: TokenStream, mentions: &mut Mentions) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => count(group.stream(), mentions),
            TokenTree::Ident(name) => *mentions.entry(name.to_string()).or_default() += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(source: &str) -> (Vec<String>, usize) {
        let file = syn::parse_file(source).unwrap();
        let code = AllocatorCode::of(&file);
        let impls = file
            .items
            .iter()
            .filter(|item| matches!(item, syn::Item::Impl(item) if code.is_implementation(item)));
        (code.functions.iter().cloned().collect(), impls.count())
    }

    #[test]
    fn functions_that_only_allocators_call_belong_to_them() {
        let source = "use std::alloc::GlobalAlloc as Global;
            struct A;
            unsafe impl Global for A { unsafe fn alloc(&self, l: Layout) -> *mut u8 { self.note(l); shared(l) } }
            impl A { fn note(&self, l: Layout) { rounded(l.size()) } fn other(&self) {} }
            fn rounded(size: usize) -> usize { if size > 1 { rounded(size / 2) } else { shared(size) } }
            fn shared(size: usize) -> usize { size }
            pub fn public(size: usize) -> usize { size }
            fn main() { shared(1); }";
        assert_eq!(
            held(source),
            (vec!["note".to_owned(), "rounded".to_owned()], 1)
        );
    }

    #[test]
    fn without_an_allocator_nothing_is_held() {
        assert_eq!(
            held(
                "fn a() { b() } fn b() { b() } impl Clone for A { fn clone(&self) { c() } } fn c() {}"
            ),
            (vec![], 0)
        );
    }
}
