//! How a parameter's type takes its values: by value, or borrowed from an owner.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};

/// How values are stored while the theory runs.
pub(super) enum Shape {
    /// `T`.
    Own(syn::Type),
    /// `&mut T`, stored as a `T`; `&mut [T]` as a `Vec<T>`, and so on.
    Mutable(TokenStream),
    /// `&T`, `&str`, `&[T]`, `&dyn Trait`: the stored type, and the borrowed one.
    Lent {
        held: TokenStream,
        lent: syn::Type,
        loose: bool,
    },
}

/// The trait of a stub, and how the theory takes it.
pub(super) struct StubShape {
    /// `dyn Trait`, without auto traits.
    pub(super) object: TokenStream,
    pub(super) taken: Taken,
}

/// How a stub is passed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Taken {
    Boxed,
    Lent,
    LentMutably,
    Bare,
    BareLent,
}

impl Shape {
    /// Returns the shape of a parameter's type.
    pub(super) fn of(declared: &syn::Type) -> Self {
        let declared = with_inferred_lifetimes(declared);
        let syn::Type::Reference(reference) = peeled(&declared) else {
            return Self::Own(declared);
        };
        // A `&'static str` can only be such a reference.
        if is_static_in_source(reference) {
            return Self::Own(declared);
        }
        let target = peeled(&reference.elem);
        let (held, loose) = match target {
            syn::Type::Slice(slice) => {
                let element = &slice.elem;
                (quote!(::situ::theory::generated::Vec<#element>), true)
            }
            syn::Type::TraitObject(_) => (quote!(::situ::theory::generated::Box<#target>), false),
            syn::Type::Path(path) if path.path.is_ident("str") => {
                (quote!(::situ::theory::generated::String), true)
            }
            syn::Type::Path(path) if is_borrowed_form(&path.path) => (
                quote!(<#target as ::situ::theory::generated::ToOwned>::Owned),
                true,
            ),
            _ => (quote!(#target), false),
        };
        if reference.mutability.is_some() {
            return Self::Mutable(held);
        }
        Self::Lent {
            held,
            lent: target.clone(),
            loose,
        }
    }
}

impl StubShape {
    /// Returns the shape of a parameter marked as stub, or `None` if its type cannot be one.
    pub(super) fn of(declared: &syn::Type) -> Option<Self> {
        match peeled(declared) {
            syn::Type::ImplTrait(bounds) => Some(Self {
                object: object(&bounds.bounds)?,
                taken: Taken::Bare,
            }),
            syn::Type::Reference(reference) => {
                match (peeled(&reference.elem), reference.mutability) {
                    (syn::Type::TraitObject(bounds), None) => Some(Self {
                        object: object(&bounds.bounds)?,
                        taken: Taken::Lent,
                    }),
                    (syn::Type::TraitObject(bounds), Some(_)) => Some(Self {
                        object: object(&bounds.bounds)?,
                        taken: Taken::LentMutably,
                    }),
                    (syn::Type::ImplTrait(bounds), None) => Some(Self {
                        object: object(&bounds.bounds)?,
                        taken: Taken::BareLent,
                    }),
                    _ => None,
                }
            }
            syn::Type::Path(path) => {
                let last = path
                    .path
                    .segments
                    .last()
                    .filter(|last| last.ident == "Box")?;
                let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                    return None;
                };
                match arguments.args.first()? {
                    syn::GenericArgument::Type(syn::Type::TraitObject(bounds)) => Some(Self {
                        object: object(&bounds.bounds)?,
                        taken: Taken::Boxed,
                    }),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn object(
    bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>,
) -> Option<TokenStream> {
    let mut traits = bounds.iter().filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => Some(&bound.path),
        _ => None,
    });
    // A stub of `dyn Trait + Send` would require every other implementation to be `Send` too.
    match (traits.next(), traits.next()) {
        (Some(path), None) => Some(quote!(dyn #path)),
        _ => None,
    }
}

/// Returns whether a path is an unsized borrowed type such as `Path`. A user's type of that name is
/// its own owned form.
fn is_borrowed_form(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| {
        ["Path", "OsStr", "CStr"]
            .iter()
            .any(|name| last.ident == name)
    })
}

/// Returns whether an `impl Trait` is written in the type.
pub(super) fn has_impl_trait(declared: &syn::Type) -> bool {
    match peeled(declared) {
        syn::Type::ImplTrait(_) => true,
        syn::Type::Reference(reference) => has_impl_trait(&reference.elem),
        _ => false,
    }
}

/// Returns the type behind parentheses and the invisible groups of macros.
fn peeled(declared: &syn::Type) -> &syn::Type {
    match declared {
        syn::Type::Paren(inner) => peeled(&inner.elem),
        syn::Type::Group(inner) => peeled(&inner.elem),
        other => other,
    }
}

/// Removes the theory's named lifetimes, which do not exist where its values are constructed;
/// elided, they are inferred.
pub(super) fn with_inferred_lifetimes(declared: &syn::Type) -> syn::Type {
    struct Rename;
    impl VisitMut for Rename {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident != "static" {
                lifetime.ident = syn::Ident::new("_", lifetime.ident.span());
            }
        }
        // `for<'a> fn(&'a T)` binds its own.
        fn visit_type_fn_ptr_mut(&mut self, pointer: &mut syn::TypeFnPtr) {
            if pointer.lifetimes.is_none() {
                visit_mut::visit_type_fn_ptr_mut(self, pointer);
            }
        }
    }
    let mut declared = declared.clone();
    Rename.visit_type_mut(&mut declared);
    declared
}

fn is_static_in_source(reference: &syn::TypeReference) -> bool {
    reference
        .lifetime
        .as_ref()
        .is_some_and(|lifetime| lifetime.ident == "static")
}
