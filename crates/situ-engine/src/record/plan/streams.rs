//! Streams: parameters of which a function only knows that they can be read or written. The
//! instrumented copy replaces them by wrappers that record the data passing through.

use super::probes::Probe;
use super::walk::Walk;
use super::{Insertion, Phase, Planner};
use crate::source::Imports;
use crate::source::{SourceFile, byte_range};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use situ_recorder::secret::Secrecy;
use std::collections::BTreeMap;
use syn::punctuated::Punctuated;
use syn::{
    Block, FnArg, Generics, Item, ItemTrait, Pat, PatType, Path, Signature, Token, TraitItem, Type,
    TypeParamBound, WherePredicate,
};

/// Trait of the standard library for streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamTrait {
    Read,
    BufRead,
    Write,
    Text,
}

impl StreamTrait {
    /// Returns the trait with this path.
    pub fn of_path(words: &[&str]) -> Option<StreamTrait> {
        match words {
            ["std", "io", "Read"] | ["std", "io", "prelude", "Read"] => Some(StreamTrait::Read),
            ["std", "io", "BufRead"] | ["std", "io", "prelude", "BufRead"] => {
                Some(StreamTrait::BufRead)
            }
            ["std", "io", "Write"] | ["std", "io", "prelude", "Write"] => Some(StreamTrait::Write),
            ["std" | "core" | "alloc", "fmt", "Write"] => Some(StreamTrait::Text),
            _ => None,
        }
    }

    /// Returns whether the stream is read from.
    pub fn is_read(self) -> bool {
        matches!(self, StreamTrait::Read | StreamTrait::BufRead)
    }

    /// Returns the absolute path of the trait.
    pub fn path(self) -> &'static str {
        match self {
            StreamTrait::Read => "::std::io::Read",
            StreamTrait::BufRead => "::std::io::BufRead",
            StreamTrait::Write => "::std::io::Write",
            StreamTrait::Text => "::std::fmt::Write",
        }
    }

    /// Returns the name of the recorder's wrapper type.
    pub fn watching_type(self) -> &'static str {
        match self {
            StreamTrait::Read => "BytesRead",
            StreamTrait::BufRead => "LinesRead",
            StreamTrait::Write => "BytesWritten",
            StreamTrait::Text => "TextWritten",
        }
    }

    /// Returns the recorder's name for the replacement of the stream in a statement's test.
    pub fn stand_in(self) -> &'static str {
        match self {
            StreamTrait::Read | StreamTrait::BufRead => "Bytes",
            StreamTrait::Write => "List",
            StreamTrait::Text => "Text",
        }
    }

    /// Returns the type that replaces the stream in a statement's test.
    pub fn stand_in_type(self) -> &'static str {
        match self {
            StreamTrait::Read | StreamTrait::BufRead => "&[u8]",
            StreamTrait::Write => "alloc::vec::Vec<u8>",
            StreamTrait::Text => "alloc::string::String",
        }
    }
}

/// Parameter whose type is only known to be a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamParameter {
    pub of: StreamTrait,
    /// Path of the stream's trait, as the bounds write it.
    pub named: String,
    /// Whether the parameter's type is `&mut`.
    pub is_borrowed: bool,
    /// Whether there are other bounds that every plain value meets: `Send`, `'static`.
    pub is_marked: bool,
    /// Whether the parameter is a reference with a named lifetime.
    pub has_lifetime: bool,
    /// Generic parameter that is the stream's type, if there is one.
    pub generic: Option<String>,
}

type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// Returns the stream that a type is, if nothing else is known of it. `meaning` resolves a trait's
/// path.
pub fn known_as_stream(
    of_type: &Type,
    generics: &[&Generics],
    meaning: &dyn Fn(&Path) -> Option<StreamTrait>,
) -> Option<StreamParameter> {
    match of_type {
        Type::Reference(reference) if reference.mutability.is_some() => {
            let found = known_as_stream(&reference.elem, generics, meaning)
                .filter(|found| !found.is_borrowed)?;
            Some(StreamParameter {
                is_borrowed: true,
                has_lifetime: reference.lifetime.is_some(),
                ..found
            })
        }
        Type::Paren(inner) => known_as_stream(&inner.elem, generics, meaning),
        Type::ImplTrait(object) => of_bounds(&[&object.bounds], meaning),
        Type::TraitObject(object) => of_bounds(&[&object.bounds], meaning),
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            let mut all: Vec<&Bounds> = Vec::new();
            for generics in generics {
                all.extend(
                    generics
                        .type_params()
                        .filter(|own| own.ident == *name)
                        .map(|own| &own.bounds),
                );
                let predicates = generics
                    .where_clause
                    .iter()
                    .flat_map(|clause| &clause.predicates);
                all.extend(predicates.filter_map(|predicate| match predicate {
                    WherePredicate::Type(own) if own.bounded_ty == *of_type => Some(&own.bounds),
                    _ => None,
                }));
            }
            Some(StreamParameter {
                generic: Some(name.to_string()),
                ..of_bounds(&all, meaning)?
            })
        }
        _ => None,
    }
}

/// Traits that every plain value implements.
const MARKERS: [&str; 4] = ["Send", "Sync", "Sized", "Unpin"];

fn of_bounds(
    bounds: &[&Bounds],
    meaning: &dyn Fn(&Path) -> Option<StreamTrait>,
) -> Option<StreamParameter> {
    let mut found: Option<StreamParameter> = None;
    let mut is_marked = false;
    for bound in bounds.iter().copied().flatten() {
        let TypeParamBound::Trait(bound) = bound else {
            is_marked = true;
            continue;
        };
        let last = bound.path.segments.last()?;
        if MARKERS.iter().any(|marker| last.ident == marker) {
            is_marked = true;
            continue;
        }
        let of = meaning(&bound.path).filter(|_| found.is_none() && last.arguments.is_none())?;
        let named = bound.path.to_token_stream().to_string().replace(' ', "");
        found = Some(StreamParameter {
            of,
            named,
            is_borrowed: false,
            is_marked,
            has_lifetime: false,
            generic: None,
        });
    }
    found.map(|found| StreamParameter { is_marked, ..found })
}

/// Returns the stream that every implementor of a trait is, if the trait has no other supertraits
/// and provides all of its methods.
pub fn stream_below(
    item: &ItemTrait,
    meaning: &dyn Fn(&Path) -> Option<StreamTrait>,
) -> Option<StreamTrait> {
    let is_said =
        |item: &TraitItem| matches!(item, TraitItem::Fn(method) if method.default.is_some());
    let is_plain = item.generics.params.is_empty() && item.items.iter().all(is_said);
    of_bounds(&[&item.supertraits], meaning)
        .filter(|found| is_plain && !found.is_marked)
        .map(|found| found.of)
}

/// Resolves the path of a trait by the imports of a file.
pub(super) fn meaning(path: &Path, imports: &Imports) -> Option<StreamTrait> {
    let words: Vec<String> = path
        .segments
        .iter()
        .map(|word| word.ident.to_string())
        .collect();
    let whole = imports.resolve(&words).unwrap_or_else(|| words.clone());
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    // A name from a `*` import is most likely from the prelude of `std::io`.
    let by_glob = || match words.as_slice() {
        [only] if imports.has_outside_glob() => StreamTrait::of_path(&["std", "io", only]),
        _ => None,
    };
    StreamTrait::of_path(&whole).or_else(by_glob)
}

/// Returns the traits of a crate that are streams and whose implementors override nothing.
pub(super) fn stream_traits(files: &[SourceFile]) -> BTreeMap<String, StreamTrait> {
    let mut found: BTreeMap<String, Option<StreamTrait>> = BTreeMap::new();
    let mut saying_more = Vec::new();
    for file in files {
        let imports = Imports::of(file);
        each_item(&file.tree.items, &mut |item| match item {
            Item::Trait(item) => {
                let of = stream_below(item, &|path| meaning(path, &imports));
                // If two traits share a name, it is not known which one is meant.
                found
                    .entry(item.ident.to_string())
                    .and_modify(|of| *of = None)
                    .or_insert(of);
            }
            Item::Impl(item) if !item.items.is_empty() => {
                let of_trait = item
                    .trait_
                    .as_ref()
                    .and_then(|(path, _)| path.segments.last());
                saying_more.extend(of_trait.map(|last| last.ident.to_string()));
            }
            _ => {}
        });
    }
    let plain = found
        .into_iter()
        .filter(|(name, _)| !saying_more.contains(name));
    plain.filter_map(|(name, of)| Some((name, of?))).collect()
}

fn each_item<'i>(items: &'i [Item], look: &mut dyn FnMut(&'i Item)) {
    for item in items {
        look(item);
        if let Item::Mod(inner) = item {
            each_item(inner.content.as_ref().map_or(&[], |(_, items)| items), look);
        }
    }
}

/// Implements the crate's stream traits for the recorder's wrappers.
pub(super) fn plan_stream_traits(planner: &mut Planner<'_>, file: &SourceFile) {
    let mut own = Vec::new();
    each_item(&file.tree.items, &mut |item| {
        if let Item::Trait(item) = item
            && let Some(of) = planner.stream_traits.get(&item.ident.to_string())
        {
            own.push((item, *of));
        }
    });
    for (item, of) in own {
        let piece = planner.piece(format!("stream {}", item.ident), None, None);
        let text = format!(
            " impl {} for ::situ_recorder::streams::{}<'_> {{}} ",
            item.ident,
            of.watching_type()
        );
        planner
            .insertions
            .push(Insertion::statement_after(&byte_range(item), text, piece));
    }
}

impl Walk<'_, '_> {
    /// Replaces each parameter that is a stream by a wrapper that records the data passing through.
    pub(super) fn streams(
        &mut self,
        probe: &mut Probe,
        signature: &Signature,
        block: &Block,
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        let mut insertions = Vec::new();
        if !self.planner.wanted.streams
            || !self.planner.wanted.calls
            || signature.asyncness.is_some()
        {
            return insertions;
        }
        for input in &signature.inputs {
            let FnArg::Typed(typed) = input else { continue };
            let Some((name, stream)) = self.stream(typed, signature, block) else {
                continue;
            };
            let slot = probe.slot(Phase::Passed, &name, Secrecy::None);
            let key = format!("stream {}/{name}/{slot}", self.function);
            let piece = self.planner.piece(key, Some(probe.piece), None);
            insertions.push(insert(
                replaced(&name, &stream, &probe.guard(), slot),
                piece,
            ));
        }
        insertions
    }

    /// Returns the name and the stream type of a parameter, or `None` if the parameter is no stream
    /// or if something in the function needs its actual type.
    fn stream(
        &self,
        typed: &PatType,
        signature: &Signature,
        block: &Block,
    ) -> Option<(String, StreamParameter)> {
        let Pat::Ident(name) = &*typed.pat else {
            return None;
        };
        let of_crate = |path: &Path| match path.segments.last() {
            Some(last) => self
                .planner
                .stream_traits
                .get(&last.ident.to_string())
                .copied(),
            None => None,
        };
        let meaning = |path: &Path| meaning(path, &self.imports).or_else(|| of_crate(path));
        let stream = known_as_stream(&typed.ty, &[&signature.generics], &meaning)?;
        let is_named_elsewhere = stream.generic.as_ref().is_some_and(|generic| {
            let inputs = mentions(signature.inputs.to_token_stream(), generic);
            inputs > 1
                || mentions(signature.output.to_token_stream(), generic)
                    + mentions_in(block, generic)
                    > 0
        });
        // A stream that the function drops on purpose must not live longer in the copy.
        let is_dropped = !stream.is_borrowed && mentions_in(block, "drop") > 0;
        let is_open = self.planner.secrecy(&name.ident.to_string()) == Secrecy::None;
        let is_plain = name.by_ref.is_none()
            && name.subpat.is_none()
            && !stream.is_marked
            && !stream.has_lifetime;
        (is_plain && is_open && !is_named_elsewhere && !is_dropped)
            .then(|| (name.ident.to_string(), stream))
    }
}

/// Returns statements that replace a stream by its wrapper. Imports the trait, because a bound
/// allows method calls without an import.
fn replaced(name: &str, stream: &StreamParameter, guard: &str, slot: usize) -> String {
    let (path, kept) = (stream.of.path(), stream.of.watching_type());
    let plain = name.trim_start_matches("r#");
    let own = if StreamTrait::of_path(&stream.named.split("::").collect::<Vec<_>>()).is_some() {
        String::new()
    } else {
        format!("use {} as _; ", stream.named)
    };
    let imported = format!(" use {path} as _; {own}");
    let new = format!("::situ_recorder::streams::{kept}::new(&mut {guard}, {slot}, ");
    match stream.is_borrowed {
        true => {
            format!(
                "{imported}let mut __situ_stream_{plain} = {new}{name}); let {name} = &mut __situ_stream_{plain}; "
            )
        }
        false => {
            format!(
                "{imported}let mut __situ_held_{plain} = {name}; let mut {name} = {new}&mut __situ_held_{plain}); "
            )
        }
    }
}

fn mentions_in(block: &Block, word: &str) -> usize {
    mentions(block.to_token_stream(), word)
}

fn mentions(tokens: TokenStream, word: &str) -> usize {
    let of_tree = |tree: TokenTree| match tree {
        TokenTree::Group(group) => mentions(group.stream(), word),
        TokenTree::Ident(name) => usize::from(name == word),
        _ => 0,
    };
    tokens.into_iter().map(of_tree).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(signature: &str) -> Option<(StreamTrait, bool)> {
        let signature: Signature = syn::parse_str(signature).unwrap();
        let FnArg::Typed(first) = &signature.inputs[0] else {
            panic!("no argument")
        };
        let tree = syn::parse_file("use std::io::{self, Read, Write}; use std::fmt;").unwrap();
        let file = SourceFile {
            path: "src/lib.rs".into(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: String::new(),
            tree,
        };
        let imports = Imports::of(&file);
        let stream = known_as_stream(&first.ty, &[&signature.generics], &|path| {
            meaning(path, &imports)
        })?;
        Some((stream.of, stream.is_borrowed))
    }

    #[test]
    fn what_can_only_be_read_or_written_is_a_stream() {
        let cases = [
            (
                "fn f(out: &mut impl Write)",
                Some((StreamTrait::Write, true)),
            ),
            (
                "fn f(out: &mut dyn io::Write)",
                Some((StreamTrait::Write, true)),
            ),
            (
                "fn f(out: &mut dyn fmt::Write)",
                Some((StreamTrait::Text, true)),
            ),
            ("fn f<R: Read>(from: R)", Some((StreamTrait::Read, false))),
            (
                "fn f<R>(from: &mut R) where R: std::io::BufRead",
                Some((StreamTrait::BufRead, true)),
            ),
            ("fn f<R: Read + Seek>(from: R)", None),
            ("fn f(out: &mut Vec<u8>)", None),
            ("fn f(out: Box<dyn Write>)", None),
        ];
        for (signature, expected) in cases {
            assert_eq!(found(signature), expected, "{signature}");
        }
    }

    #[test]
    fn a_trait_is_a_stream_where_nobody_says_more_of_it() {
        let text = "use std::io::Write; trait Plain: Write { fn line(&mut self) {} } trait Asks: Write { fn name(&self); }
                    trait Said: Write { fn line(&mut self) {} } impl Plain for A {} impl Said for A { fn line(&mut self) {} }";
        let tree = syn::parse_file(text).unwrap();
        let file = SourceFile {
            path: "src/lib.rs".into(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: text.to_owned(),
            tree,
        };
        let traits = stream_traits(std::slice::from_ref(&file));
        assert_eq!(
            traits.into_iter().collect::<Vec<_>>(),
            [("Plain".to_owned(), StreamTrait::Write)]
        );
    }
}
