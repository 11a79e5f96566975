//! Qualification of associated types with their trait, where a test no longer sees it from the
//! surroundings.

use super::{Parameters, bounds_of};
use crate::surroundings::{Owner, Surroundings};
use proc_macro2::Ident;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    ExprPath, GenericParam, Generics, ImplItem, Path, QSelf, TraitItem, TypeParamBound, TypePath,
};

/// A visitor that rewrites `Self::Item` and `T::Item` to name the trait, which the compiler cannot
/// infer in a test.
pub struct Qualify {
    members: Vec<Member>,
}

/// The rewriting of `owner::name` to `<owner as of_trait>::name`.
struct Member {
    owner: Ident,
    /// The associated item; `None` for any.
    name: Option<Ident>,
    of_trait: Path,
}

/// Traits without associated types, which cannot define `T::Item`.
const PLAIN_TRAITS: [&str; 14] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
];

impl Qualify {
    /// Creates the visitor for the surroundings of a test, or `None` if there is nothing to
    /// rewrite.
    pub fn around(around: &Surroundings<'_>, parameters: &Parameters<'_>) -> Option<Self> {
        let mut members = Self::of_self(around.owner);
        let mut generics: Vec<&Generics> = around
            .function()
            .map(|function| &function.generics)
            .into_iter()
            .collect();
        match around.owner {
            Owner::Impl(item) => generics.push(&item.generics),
            Owner::Trait(item) => generics.push(&item.generics),
            Owner::Free => {}
        }
        for generics in generics {
            members.extend(
                bounds(generics)
                    .filter(|member| parameters.given.contains_key(&member.owner.to_string())),
            );
        }
        (!members.is_empty()).then_some(Qualify { members })
    }

    fn of_self(owner: Owner<'_>) -> Vec<Member> {
        let (of_trait, names): (Path, Vec<Ident>) = match owner {
            Owner::Impl(item) => {
                let Some((path, _)) = item.trait_.as_ref() else {
                    return Vec::new();
                };
                let names = item.items.iter().filter_map(|member| match member {
                    ImplItem::Type(member) => Some(member.ident.clone()),
                    ImplItem::Const(member) => Some(member.ident.clone()),
                    ImplItem::Fn(member) => Some(member.sig.ident.clone()),
                    _ => None,
                });
                (path.clone(), names.collect())
            }
            Owner::Trait(item) => {
                let name = &item.ident;
                let arguments =
                    item.generics
                        .params
                        .iter()
                        .filter_map(|parameter| match parameter {
                            GenericParam::Type(parameter) => Some(&parameter.ident),
                            GenericParam::Const(parameter) => Some(&parameter.ident),
                            GenericParam::Lifetime(_) => None,
                        });
                let names = item.items.iter().filter_map(|member| match member {
                    TraitItem::Type(member) => Some(member.ident.clone()),
                    TraitItem::Const(member) => Some(member.ident.clone()),
                    TraitItem::Fn(member) => Some(member.sig.ident.clone()),
                    _ => None,
                });
                (syn::parse_quote!(#name<#(#arguments),*>), names.collect())
            }
            Owner::Free => return Vec::new(),
        };
        let owner = Ident::new("Self", proc_macro2::Span::call_site());
        let member = |name| Member {
            owner: owner.clone(),
            name: Some(name),
            of_trait: of_trait.clone(),
        };
        names.into_iter().map(member).collect()
    }

    fn qualify(&self, qself: &mut Option<QSelf>, path: &mut Path, in_type: bool) {
        if qself.is_some() || path.segments.len() < 2 {
            return;
        }
        let (first, second) = (&path.segments[0].ident, &path.segments[1].ident);
        // An associated function is found through its type; only types need the trait.
        let fits = |member: &&Member| {
            member.owner == *first && member.name.as_ref().map_or(in_type, |name| name == second)
        };
        let Some(member) = self.members.iter().find(fits) else {
            return;
        };
        let mut full = member.of_trait.clone();
        let position = full.segments.len();
        full.segments.extend(path.segments.iter().skip(1).cloned());
        *qself = Some(QSelf {
            lt_token: Default::default(),
            ty: Box::new(syn::parse_quote!(#first)),
            position,
            as_token: Some(Default::default()),
            gt_token: Default::default(),
        });
        *path = full;
    }
}

/// Returns, for each type parameter, the one trait among its bounds that may have associated types.
fn bounds(generics: &Generics) -> impl Iterator<Item = Member> + '_ {
    generics.type_params().filter_map(|parameter| {
        let of_trait = bounds_of(&parameter.ident, generics)
            .into_iter()
            .filter_map(|bound| match bound {
                TypeParamBound::Trait(bound) => Some(&bound.path),
                _ => None,
            });
        let is_telling = |path: &&Path| {
            path.segments
                .last()
                .is_some_and(|last| PLAIN_TRAITS.iter().all(|plain| last.ident != plain))
        };
        let mut traits = of_trait.filter(is_telling);
        match (traits.next(), traits.next()) {
            (Some(path), None) => Some(Member {
                owner: parameter.ident.clone(),
                name: None,
                of_trait: path.clone(),
            }),
            _ => None,
        }
    })
}

impl VisitMut for Qualify {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        self.qualify(&mut path.qself, &mut path.path, true);
        visit_mut::visit_type_path_mut(self, path);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        self.qualify(&mut path.qself, &mut path.path, false);
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(mut arguments) = crate::macros::Arguments::of(call) {
            arguments
                .expressions_mut()
                .into_iter()
                .for_each(|expression| self.visit_expr_mut(expression));
            call.tokens = quote!(#arguments);
        }
    }
}
