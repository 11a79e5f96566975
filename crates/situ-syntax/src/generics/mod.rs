//! The generic parameters of the surroundings, and their meaning in a test.

mod qualify;
mod spelling;
mod visible;

pub use qualify::Qualify;
pub use visible::visible_type;

use crate::grammar::TestCall;
use crate::mistakes::Mistakes;
use crate::surroundings::{Owner, Surroundings};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
pub use spelling::with_lifetime;
use spelling::{Concrete, Spelled};
use std::collections::HashMap;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{GenericParam, Generics, Path, Type, TypeParamBound};

/// Conversion traits that one type can implement for several others, each with its method.
const CONVERSIONS: [(&str, &str); 6] = [
    ("AsMut", "as_mut"),
    ("AsRef", "as_ref"),
    ("Borrow", "borrow"),
    ("BorrowMut", "borrow_mut"),
    ("Into", "into"),
    ("TryInto", "try_into"),
];

/// Returns whether code calls a conversion method whose result has several possible types.
pub fn converts(tokens: &TokenStream) -> bool {
    find_ident(tokens, &|name| {
        CONVERSIONS.iter().any(|(_, method)| name == method)
    })
    .is_some()
}

/// The generic parameters around a test, and what its clauses say about them.
pub struct Parameters<'a> {
    types: Vec<&'a Ident>,
    constants: Vec<(&'a Ident, &'a Type)>,
    /// Lifetimes, which become `'_`.
    pub lifetimes: Vec<String>,
    /// The values that the test gives.
    pub given: HashMap<String, TokenStream>,
    /// What `Self` is in the test of a trait's default method.
    pub self_type: Option<Type>,
}

impl<'a> Parameters<'a> {
    /// Collects the parameters of the function and of its owner.
    pub fn around(around: &Surroundings<'a>) -> Self {
        let mut parameters = Parameters {
            types: Vec::new(),
            constants: Vec::new(),
            lifetimes: Vec::new(),
            given: HashMap::new(),
            self_type: None,
        };
        match around.owner {
            Owner::Impl(item) => parameters.add(&item.generics),
            Owner::Trait(item) => parameters.add(&item.generics),
            Owner::Free => {}
        }
        if let Some(function) = around.function() {
            parameters.add(&function.generics);
        }
        parameters
    }

    fn add(&mut self, generics: &'a Generics) {
        for parameter in &generics.params {
            match parameter {
                GenericParam::Type(parameter) => self.types.push(&parameter.ident),
                GenericParam::Const(parameter) => {
                    self.constants.push((&parameter.ident, &parameter.ty))
                }
                GenericParam::Lifetime(parameter) => {
                    self.lifetimes.push(parameter.lifetime.ident.to_string())
                }
            }
        }
    }

    /// Returns whether there are no generic parameters.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.constants.is_empty()
    }

    /// Returns whether the name is a generic parameter here.
    pub fn is_parameter(&self, name: &Ident) -> bool {
        self.types.contains(&name) || self.constants.iter().any(|(constant, _)| *constant == name)
    }

    /// Returns the first parameter that the code mentions and the test does not give.
    pub fn missing_in(&self, tokens: &TokenStream) -> Option<Ident> {
        let open =
            |name: &Ident| self.is_parameter(name) && !self.given.contains_key(&name.to_string());
        find_ident(tokens, &open)
    }

    /// Returns imports of the traits that bound the parameters and `impl Trait`s: for a concrete
    /// type, the bound no longer brings the trait's methods into scope. A trait without a path is
    /// in scope already.
    pub fn imports(around: &Surroundings<'a>) -> TokenStream {
        let mut traits = BoundTraits::default();
        match around.owner {
            Owner::Impl(item) => traits.visit_generics(&item.generics),
            Owner::Trait(item) => traits.visit_generics(&item.generics),
            Owner::Free => {}
        }
        around
            .function()
            .into_iter()
            .for_each(|function| traits.visit_signature(function));
        let paths = traits.paths;
        quote!(#(use #paths as _;)*)
    }

    /// Returns declarations that define the parameters inside a function body.
    pub fn declarations(&self) -> TokenStream {
        let types = self.types.iter().filter_map(|name| {
            let value = with_lifetime(self.given.get(&name.to_string())?, "static");
            Some(quote!(type #name = #value;))
        });
        let constants = self.constants.iter().filter_map(|(name, ty)| {
            let value = self.given.get(&name.to_string())?;
            Some(quote!(const #name: #ty = #value;))
        });
        quote!(#(#types)* #(#constants)*)
    }

    /// Returns the trait whose method is tested, if it can be written outside its generics.
    pub fn concrete_trait(&self, owner: Owner<'_>) -> Option<Path> {
        let mut path = match owner {
            Owner::Impl(item) => item.trait_.as_ref()?.0.clone(),
            Owner::Trait(item) if item.generics.params.is_empty() => item.ident.clone().into(),
            _ => return None,
        };
        if self.missing_in(&quote!(#path)).is_some() || has_lifetime(&quote!(#path)) {
            return None;
        }
        Concrete(self).visit_path_mut(&mut path);
        Some(path)
    }

    /// Returns a type that can be written outside the function's generics: parameters replaced,
    /// lifetimes elided.
    pub fn concrete(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        Concrete(self).visit_type_mut(&mut ty);
        ty
    }

    /// Returns a type with `_` for parameters that the test does not give, or `None` if it cannot
    /// be written.
    pub fn spelled(&self, ty: &Type) -> Option<Type> {
        let mut ty = ty.clone();
        let mut spelling = Spelled {
            parameters: self,
            possible: true,
        };
        spelling.visit_type_mut(&mut ty);
        spelling.possible.then_some(ty)
    }

    /// Returns a type with `impl Trait` that is valid both as parameter and as return type.
    pub fn opaque(&self, ty: &Type) -> Option<Type> {
        let tokens = quote!(#ty);
        let is_opaque = find_ident(&tokens, &|name| name == "impl").is_some();
        let is_closed = self.missing_in(&tokens).is_none() && !mentions_self(&tokens);
        (is_opaque && is_closed).then(|| self.concrete(ty))
    }

    /// Returns a parameter that the test does not give and that has an `Fn…` bound, as `impl Fn…`.
    /// A closure's type cannot be named, and without the bound the compiler does not know its
    /// arguments.
    pub fn callable(&self, ty: &Type, around: &Surroundings<'_>) -> Option<Type> {
        self.bounded(ty, around, |name| {
            name.starts_with("Fn") || name.starts_with("AsyncFn")
        })
    }

    /// Returns a parameter that the test does not give and that has a conversion bound, as `impl
    /// AsRef<str>`, also behind a reference. A type may be `AsRef` of several others, and only the
    /// bound says which is meant.
    pub fn convertible(&self, ty: &Type, around: &Surroundings<'_>) -> Option<Type> {
        if let Type::Reference(reference) = ty {
            let inner = self.convertible(&reference.elem, around)?;
            let (and, mutability) = (&reference.and_token, &reference.mutability);
            return Some(syn::parse_quote!(#and #mutability (#inner)));
        }
        self.bounded(ty, around, |name| {
            CONVERSIONS.iter().any(|(known, _)| *known == name)
        })
    }

    /// Returns a parameter that the test does not give, as `impl …` with all its bounds, if one of
    /// them is a trait that `is_such` accepts.
    fn bounded(
        &self,
        ty: &Type,
        around: &Surroundings<'_>,
        is_such: impl Fn(&str) -> bool,
    ) -> Option<Type> {
        let Type::Path(path) = ty else { return None };
        let name = path
            .path
            .get_ident()
            .filter(|name| self.types.contains(name))?;
        if self.given.contains_key(&name.to_string()) {
            return None;
        }
        let generics = match around.owner {
            Owner::Impl(item) => Some(&item.generics),
            Owner::Trait(item) => Some(&item.generics),
            Owner::Free => None,
        };
        let generics = generics
            .into_iter()
            .chain(around.function().map(|function| &function.generics));
        let bounds: Vec<&TypeParamBound> = generics
            .flat_map(|generics| bounds_of(name, generics))
            .collect();
        let is_wanted = |bound: &&TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => bound
                .path
                .segments
                .last()
                .is_some_and(|last| is_such(&last.ident.to_string())),
            _ => false,
        };
        let tokens = quote!(#(#bounds)+*);
        let is_closed = self.missing_in(&tokens).is_none() && !mentions_self(&tokens);
        (bounds.iter().any(is_wanted) && is_closed)
            .then(|| self.concrete(&syn::parse_quote!(impl #tokens)))
    }

    /// Returns whether a type mentions a parameter that the test does not give.
    pub fn is_open(&self, ty: &Type) -> bool {
        self.missing_in(&quote!(#ty)).is_some()
    }
}

/// A visitor that collects the traits that bounds name by a path.
#[derive(Default)]
struct BoundTraits {
    paths: Vec<Path>,
}

impl<'ast> Visit<'ast> for BoundTraits {
    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        let mut path = bound.path.clone();
        path.segments
            .iter_mut()
            .for_each(|segment| segment.arguments = syn::PathArguments::None);
        if path.segments.len() > 1 && !self.paths.contains(&path) {
            self.paths.push(path);
        }
        syn::visit::visit_trait_bound(self, bound);
    }
}

/// Returns the bounds of a type parameter, inline and in the where clause.
fn bounds_of<'g>(name: &Ident, generics: &'g Generics) -> Vec<&'g TypeParamBound> {
    let beside = generics
        .type_params()
        .filter(|parameter| parameter.ident == *name)
        .flat_map(|parameter| &parameter.bounds);
    let predicates = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let in_where = predicates.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            Type::Path(path) if path.path.is_ident(name) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    beside.chain(in_where.flatten()).collect()
}

/// Returns whether a lifetime is named or elided in a reference: a bound can contain neither.
fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Punct(punct) => ['\'', '&'].contains(&punct.as_char()),
        TokenTree::Group(group) => has_lifetime(&group.stream()),
        _ => false,
    })
}

/// Returns the first identifier that fits.
pub fn find_ident(tokens: &TokenStream, fits: &dyn Fn(&Ident) -> bool) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => find_ident(&group.stream(), fits),
        TokenTree::Ident(name) if fits(&name) => Some(name),
        _ => None,
    })
}

/// Reports a generic parameter that a test does not give.
pub fn report_missing(
    parameters: &Parameters<'_>,
    tokens: &TokenStream,
    call: &TestCall,
    mistakes: &mut Mistakes,
) {
    if let Some(name) = parameters.missing_in(tokens) {
        let test = call.in_words();
        let message =
            format!("`{name}` is generic and has no meaning in {test}; add `given({name} = …)`");
        mistakes.add(name.span(), message);
    }
}

/// Returns whether tokens mention `Self` or `self`.
pub fn mentions_self(tokens: &TokenStream) -> bool {
    find_ident(tokens, &|name| {
        name == "Self" || name == "self" || name == "__situ_self"
    })
    .is_some()
}
