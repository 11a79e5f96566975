//! Collaborators: arguments and fields whose type is known by a trait only, so that a test can
//! supply another implementation.

use crate::generate::carve::find::declared::{Declared, DeclaredTrait};
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{GenericArgument, Generics, PathArguments, Token, Type, TypeParamBound, WherePredicate};

/// A pointer type around a collaborator; lists of them are ordered from outside in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// `&`.
    Shared,
    /// `&mut`.
    Exclusive,
    /// `Box`.
    Box,
    /// `Rc`.
    Rc,
    /// `Arc`.
    Arc,
}

impl Wrapper {
    /// Returns the function that wraps a value.
    pub fn function(self) -> Option<&'static str> {
        match self {
            Wrapper::Shared | Wrapper::Exclusive => None,
            Wrapper::Box => Some("Box::new"),
            Wrapper::Rc => Some("std::rc::Rc::new"),
            Wrapper::Arc => Some("std::sync::Arc::new"),
        }
    }
}

/// A type that is known by a trait of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Collaborator<'d> {
    /// The trait.
    pub of_trait: &'d DeclaredTrait,
    /// The generic arguments of the trait.
    pub arguments: Vec<Type>,
    /// The pointer types around it.
    pub wrappers: Vec<Wrapper>,
}

/// Returns the collaborator that a type is, or `None` if it is a concrete type.
pub(crate) fn collaborator<'d>(
    of_type: &Type,
    bounds: &[Generics],
    declared: &'d Declared,
) -> Option<Collaborator<'d>> {
    let around = |wrapper: Wrapper, inner: &Type| {
        let mut found = collaborator(inner, bounds, declared)?;
        found.wrappers.insert(0, wrapper);
        Some(found)
    };
    match of_type {
        Type::Reference(reference) => {
            let wrapper = if reference.mutability.is_some() {
                Wrapper::Exclusive
            } else {
                Wrapper::Shared
            };
            around(wrapper, &reference.elem)
        }
        Type::Paren(inner) => collaborator(&inner.elem, bounds, declared),
        Type::Group(inner) => collaborator(&inner.elem, bounds, declared),
        Type::TraitObject(object) => of_bounds(&[&object.bounds], declared),
        Type::ImplTrait(object) => of_bounds(&[&object.bounds], declared),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let wrapper = match last.ident.to_string().as_str() {
                "Box" => Some(Wrapper::Box),
                "Rc" => Some(Wrapper::Rc),
                "Arc" => Some(Wrapper::Arc),
                _ => None,
            };
            match (wrapper, &last.arguments) {
                (Some(wrapper), PathArguments::AngleBracketed(arguments)) => {
                    match arguments.args.first() {
                        Some(GenericArgument::Type(inner)) => around(wrapper, inner),
                        _ => None,
                    }
                }
                _ => of_parameter(
                    path.path.get_ident()?.to_string().as_str(),
                    bounds,
                    declared,
                ),
            }
        }
        _ => None,
    }
}

type Bounds = Punctuated<TypeParamBound, Token![+]>;

fn of_parameter<'d>(
    name: &str,
    bounds: &[Generics],
    declared: &'d Declared,
) -> Option<Collaborator<'d>> {
    let mut all: Vec<&Bounds> = Vec::new();
    for generics in bounds {
        all.extend(
            generics
                .type_params()
                .filter(|own| own.ident == name)
                .map(|own| &own.bounds),
        );
        let predicates = generics
            .where_clause
            .iter()
            .flat_map(|clause| &clause.predicates);
        all.extend(predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(own) if own.bounded_ty.to_token_stream().to_string() == name => {
                Some(&own.bounds)
            }
            _ => None,
        }));
    }
    of_bounds(&all, declared)
}

/// Bounds that every double satisfies.
const AUTOMATIC: [&str; 4] = ["Send", "Sync", "Sized", "Unpin"];

/// Returns the trait of bounds that require nothing else.
fn of_bounds<'d>(bounds: &[&Bounds], declared: &'d Declared) -> Option<Collaborator<'d>> {
    let mut found: Option<Collaborator<'_>> = None;
    for bound in bounds.iter().copied().flatten() {
        let TypeParamBound::Trait(bound) = bound else {
            continue;
        };
        let last = bound.path.segments.last()?;
        if AUTOMATIC.iter().any(|name| last.ident == name) {
            continue;
        }
        let of_trait = declared.of_name(&last.ident.to_string())?;
        let arguments = arguments_of(&last.arguments)?;
        // A struct and its `impl` may repeat the bound.
        let is_other = found
            .as_ref()
            .is_some_and(|own| own.of_trait.item.ident != last.ident || own.arguments != arguments);
        if is_other || arguments.len() != of_trait.item.generics.params.len() {
            return None;
        }
        found = Some(Collaborator {
            of_trait,
            arguments,
            wrappers: Vec::new(),
        });
    }
    found
}

/// Returns the generic arguments of a trait, or `None` if some are no types.
fn arguments_of(arguments: &PathArguments) -> Option<Vec<Type>> {
    match arguments {
        PathArguments::None => Some(Vec::new()),
        PathArguments::AngleBracketed(arguments) => {
            let types = arguments.args.iter().map(|argument| match argument {
                GenericArgument::Type(of_type) => Some(of_type.clone()),
                _ => None,
            });
            types.collect()
        }
        PathArguments::Parenthesized(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::carve::find::sources::Source;
    use crate::source::SourceFile;

    fn found(signature: &str) -> Option<String> {
        let text = "trait Clock { fn now(&self) -> u64; } trait Store<T> { fn find(&self) -> T; }";
        let tree = syn::parse_file(text).unwrap();
        let path = std::path::PathBuf::from("src/lib.rs");
        let file = SourceFile {
            path: path.clone(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: text.to_owned(),
            tree,
        };
        let declared = Declared::of(&[Source {
            path,
            krate: "shop".to_owned(),
            file,
            has_tokio: false,
        }]);
        let signature: syn::Signature = syn::parse_str(signature).unwrap();
        let syn::FnArg::Typed(first) = &signature.inputs[0] else {
            panic!("no argument")
        };
        let found = collaborator(
            &first.ty,
            std::slice::from_ref(&signature.generics),
            &declared,
        )?;
        Some(format!(
            "{} {:?}",
            found.of_trait.item.ident, found.wrappers
        ))
    }

    #[test]
    fn what_only_a_trait_says_is_a_collaborator() {
        let cases = [
            ("fn f(clock: &dyn Clock)", Some("Clock [Shared]")),
            ("fn f(clock: &mut impl Clock)", Some("Clock [Exclusive]")),
            (
                "fn f(clock: Arc<dyn Clock + Send + Sync>)",
                Some("Clock [Arc]"),
            ),
            ("fn f(clock: Box<dyn Clock>)", Some("Clock [Box]")),
            ("fn f<C: Clock>(clock: C)", Some("Clock []")),
            (
                "fn f<C>(clock: &C) where C: Clock + 'static",
                Some("Clock [Shared]"),
            ),
            ("fn f<C: Clock>(clock: C) where C: Clock", Some("Clock []")),
            ("fn f<C: Clock + Clone>(clock: C)", None),
            ("fn f(store: &dyn Store<User>)", Some("Store [Shared]")),
            ("fn f(store: &dyn Store)", None),
            ("fn f(clock: &dyn Display)", None),
            ("fn f(clock: SystemClock)", None),
            ("fn f(clocks: Vec<Box<dyn Clock>>)", None),
        ];
        for (signature, expected) in cases {
            assert_eq!(found(signature).as_deref(), expected, "{signature}");
        }
    }
}
