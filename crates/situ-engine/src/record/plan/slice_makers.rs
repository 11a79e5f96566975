//! Types that dereference to a slice and have a constructor that takes one:
//! `StackVec::try_from(&[1, 2])`.

use crate::source::{Gives, SourceFile, TypeNames};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    FnArg, ImplItem, ImplItemFn, ItemImpl, ItemMod, ItemStruct, PathArguments, Safety, Type,
    Visibility,
};

/// How a type is converted to a slice and constructed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SliceMaker {
    /// Name of the constructor.
    pub function: String,
    /// What the constructor returns: `Self`, or `Self` in an `Option` or a `Result`.
    pub gives: Gives,
}

impl SliceMaker {
    /// Returns the statement in a capture of the type that writes the value in this form and
    /// returns.
    pub(super) fn statement(&self) -> String {
        let made = match self.gives {
            Gives::Itself | Gives::Inside => {
                format!("::core::option::Option::Some(Self::{}(s))", self.function)
            }
            Gives::Option => format!("Self::{}(s)", self.function),
            Gives::Result => format!("Self::{}(s).ok()", self.function),
        };
        let tail = if self.gives == Gives::Itself {
            ""
        } else {
            ".unwrap()"
        };
        format!(
            "if ::situ_recorder::capture::made_of_slice(self, |v| ::core::ops::Deref::deref(v), |s| {made}, {:?}, {tail:?}, w) \
             {{ return; }} ",
            format!("Self::{}", self.function)
        )
    }
}

/// Returns the types of a crate that have no parameters, dereference to a slice, implement
/// `PartialEq`, and have such a constructor.
pub(super) fn slice_makers(files: &[SourceFile]) -> BTreeMap<String, SliceMaker> {
    let mut search = Search {
        names: TypeNames::of(files),
        ..Search::default()
    };
    for file in files {
        search.module.clone_from(&file.module);
        search.visit_file(&file.tree);
    }
    let Search {
        generic,
        comparable,
        shown,
        mut makers,
        ..
    } = search;
    makers.retain(|(name, element), _| {
        !generic.contains(name) && comparable.contains(name) && shown.get(name) == Some(element)
    });
    let best = |(name, found): ((String, String), Vec<SliceMaker>)| {
        Some((name.0, found.into_iter().min_by_key(|maker| maker.gives)?))
    };
    makers.into_iter().filter_map(best).collect()
}

#[derive(Default)]
struct Search {
    names: TypeNames,
    /// Module that is being visited.
    module: Vec<String>,
    generic: BTreeSet<String>,
    comparable: BTreeSet<String>,
    /// Target of `Deref`, by type.
    shown: BTreeMap<String, String>,
    /// Constructors by type and element type of the slice.
    makers: BTreeMap<(String, String), Vec<SliceMaker>>,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let name = item.ident.to_string();
        if !item.generics.params.is_empty() {
            self.generic.insert(name.clone());
        }
        let derives = item
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"));
        if derives
            .into_iter()
            .any(|derive| has_word(&derive.to_token_stream().to_string(), "PartialEq"))
        {
            self.comparable.insert(name);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some(name) = last_word(&item.self_ty) {
            match &item.trait_ {
                Some((path, _)) => self.implementation(&name, path, item),
                None => {
                    let functions: Vec<_> = item
                        .items
                        .iter()
                        .filter_map(|member| self.maker_of(member, item))
                        .collect();
                    for (element, maker) in functions {
                        self.makers
                            .entry((name.clone(), element))
                            .or_default()
                            .push(maker);
                    }
                }
            }
        }
        visit::visit_item_impl(self, item);
    }
}

impl Search {
    /// Returns the constructor of an `impl` block that takes a slice, with the slice's element
    /// type.
    fn maker_of(&self, member: &ImplItem, block: &ItemImpl) -> Option<(String, SliceMaker)> {
        let ImplItem::Fn(function) = member else {
            return None;
        };
        let element = slice_taken(function)?;
        let own = self.names.own_type(&block.self_ty, &self.module)?;
        let given = self
            .names
            .constructed(&function.sig, &self.module, Some(&own))?;
        let is_meant = given.of == own && given.gives != Gives::Inside;
        is_meant.then(|| {
            (
                element,
                SliceMaker {
                    function: function.sig.ident.to_string(),
                    gives: given.gives,
                },
            )
        })
    }

    fn implementation(&mut self, name: &str, of_trait: &syn::Path, item: &ItemImpl) {
        let Some(last) = of_trait.segments.last() else {
            return;
        };
        match last.ident.to_string().as_str() {
            "PartialEq" if matches!(last.arguments, PathArguments::None) => {
                self.comparable.insert(name.to_owned());
            }
            "Deref" => {
                let target = item.items.iter().find_map(|member| match member {
                    ImplItem::Type(member) if member.ident == "Target" => Some(&member.ty),
                    _ => None,
                });
                self.shown.extend(
                    target
                        .and_then(element_of)
                        .map(|element| (name.to_owned(), element)),
                );
            }
            _ => {}
        }
    }
}

/// Returns the element type of the slice that a function takes, if others can safely call it with
/// just that slice.
fn slice_taken(function: &ImplItemFn) -> Option<String> {
    let signature = &function.sig;
    let is_callable = !matches!(function.vis, Visibility::Inherited)
        && !matches!(signature.safety, Safety::Unsafe(_))
        && signature.asyncness.is_none()
        && signature.generics.type_params().next().is_none();
    let mut inputs = signature.inputs.iter();
    let (Some(FnArg::Typed(input)), None) = (inputs.next(), inputs.next()) else {
        return None;
    };
    let Type::Reference(taken) = &*input.ty else {
        return None;
    };
    element_of(&taken.elem).filter(|_| taken.mutability.is_none() && is_callable)
}

/// Returns the element type of a slice, as source.
fn element_of(of_type: &Type) -> Option<String> {
    match of_type {
        Type::Slice(slice) => Some(slice.elem.to_token_stream().to_string()),
        _ => None,
    }
}

fn last_word(of_type: &Type) -> Option<String> {
    let Type::Path(path) = of_type else {
        return None;
    };
    Some(path.path.segments.last()?.ident.to_string())
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|own| own == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<(String, String, Gives)> {
        let makers = slice_makers(&[SourceFile::root(source)]);
        makers
            .into_iter()
            .map(|(name, maker)| (name, maker.function, maker.gives))
            .collect()
    }

    #[test]
    fn a_type_that_is_seen_as_a_slice_is_made_of_one() {
        let declared = "#[derive(Clone, PartialEq)] struct S { m: [MaybeUninit<u64>; 9], n: u16 }
            impl ops::Deref for S { type Target = [u64]; }";
        let with = |functions: &str| found(&format!("{declared} impl S {{ {functions} }}"));
        let maybe = "pub fn try_from(x: &[u64]) -> Option<Self> { None }";
        assert_eq!(
            with(maybe),
            [("S".to_owned(), "try_from".to_owned(), Gives::Option)]
        );
        let named = "pub fn try_from(x: &[u64]) -> Result<crate::S, ()> { Err(()) }";
        assert_eq!(
            with(named),
            [("S".to_owned(), "try_from".to_owned(), Gives::Result)]
        );
        let surely = format!("{maybe} pub(crate) fn of(x: &[u64]) -> S {{ S }}");
        assert_eq!(
            with(&surely),
            [("S".to_owned(), "of".to_owned(), Gives::Itself)]
        );
        assert_eq!(
            with("pub fn of(x: &[u64]) -> Result<Self, E> { Err(E) }")[0].2,
            Gives::Result
        );
        for other in [
            "pub unsafe fn of(x: &[u64]) -> Self { S }",
            "fn of(x: &[u64]) -> Self { S }",
            "pub fn of(x: &[u8]) -> Self { S }",
            "pub fn of(x: &mut [u64]) -> Self { S }",
            "pub fn of(x: &[u64], n: u16) -> Self { S }",
            "pub fn of(&self, x: &[u64]) -> Self { S }",
            "pub fn of(x: &[u64]) -> Option<u8> { None }",
            "pub fn of(x: &[u64]) -> other::S { other::S }",
            "pub fn of(x: &[u64]) -> Vec<Self> { Vec::new() }",
        ] {
            assert!(with(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn what_cannot_be_compared_or_is_not_seen_as_a_slice_has_no_maker() {
        let makes = "impl S { pub fn of(x: &[u64]) -> Self { S } }";
        let shown = "impl ops::Deref for S { type Target = [u64]; }";
        assert!(found(&format!("struct S; {shown} {makes}")).is_empty());
        assert!(found(&format!("#[derive(PartialEq)] struct S; {makes}")).is_empty());
        assert!(
            found(&format!(
                "#[derive(PartialEq)] struct S<T>(T); {shown} {makes}"
            ))
            .is_empty()
        );
        assert_eq!(
            found(&format!(
                "struct S; impl PartialEq for S {{}} {shown} {makes}"
            ))
            .len(),
            1
        );
    }
}
