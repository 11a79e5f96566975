//! Types written outside the generics of their origin.

use super::Parameters;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprPath, GenericArgument, Type, TypePath};

fn elide(lifetime: &mut syn::Lifetime, names: &[String]) {
    if names.iter().any(|name| lifetime.ident == name) {
        lifetime.ident = Ident::new("_", lifetime.ident.span());
    }
}

/// Returns the type with this lifetime wherever one is elided: a type alias must name them all.
pub fn with_lifetime(ty: &TokenStream, name: &str) -> TokenStream {
    struct Named<'n>(&'n str);
    impl VisitMut for Named<'_> {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let span = reference.and_token.span;
            reference
                .lifetime
                .get_or_insert_with(|| syn::Lifetime::new(&format!("'{}", self.0), span));
            visit_mut::visit_type_reference_mut(self, reference);
        }

        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident == "_" {
                lifetime.ident = Ident::new(self.0, lifetime.ident.span());
            }
        }

        // The lifetimes after `Fn(…)` are its own.
        fn visit_parenthesized_generic_arguments_mut(
            &mut self,
            _: &mut syn::ParenthesizedGenericArguments,
        ) {
        }
        fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    }
    match syn::parse2::<Type>(ty.clone()) {
        Ok(mut named) => {
            Named(name).visit_type_mut(&mut named);
            quote!(#named)
        }
        Err(_) => ty.clone(),
    }
}

/// A visitor that replaces parameters by the given values.
pub struct Concrete<'p, 'a>(pub &'p Parameters<'a>);

impl VisitMut for Concrete<'_, '_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath {
            qself: None, path, ..
        }) = ty
            && let Some(name) = path.get_ident()
            && let Some(value) = self.0.given.get(&name.to_string())
            && let Ok(value) = syn::parse2(value.clone())
        {
            *ty = value;
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(Type::Path(path)) = argument
            && let Some(name) = path.path.get_ident()
            && self
                .0
                .constants
                .iter()
                .any(|(constant, _)| *constant == name)
            && let Some(value) = self.0.given.get(&name.to_string())
            && let Ok(value) = syn::parse2::<Expr>(quote!({ #value }))
        {
            *argument = GenericArgument::Const(value);
            return;
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && let Some(name) = path.path.get_ident()
            && let Some(value) = self.0.given.get(&name.to_string())
            && let Ok(value) = syn::parse2(value.clone())
        {
            *expression = value;
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        elide(lifetime, &self.0.lifetimes);
    }
}

/// A visitor that replaces parameters that the test does not give by `_`.
pub struct Spelled<'p, 'a> {
    /// The parameters.
    pub parameters: &'p Parameters<'a>,
    /// Whether the result is valid.
    pub possible: bool,
}

impl VisitMut for Spelled<'_, '_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::ImplTrait(_) => self.possible = false,
            Type::Path(TypePath {
                qself: None, path, ..
            }) => {
                let first = path.segments.first().map(|segment| &segment.ident);
                let open = first.is_some_and(|name| {
                    self.parameters.is_parameter(name)
                        && !self.parameters.given.contains_key(&name.to_string())
                });
                match (open, path.get_ident()) {
                    (true, Some(name)) if self.parameters.types.contains(&name) => {
                        *ty = syn::parse_quote!(_)
                    }
                    (true, _) => self.possible = false,
                    _ => visit_mut::visit_type_mut(self, ty),
                }
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        let open = path.path.get_ident().is_some_and(|name| {
            self.parameters.is_parameter(name)
                && !self.parameters.given.contains_key(&name.to_string())
        });
        self.possible &= !open;
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        elide(lifetime, &self.parameters.lifetimes);
    }
}
