//! What the generic parameters of the surroundings are in a test.

use crate::mistakes::Mistakes;
use crate::surroundings::{Owner, Surroundings};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprPath, GenericArgument, GenericParam, Generics, ImplItem, Path, QSelf, TraitItem, Type, TypePath};

/// The generic parameters around a test, and what its clauses say of them.
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
    /// The parameters of the function and of what holds it.
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
                GenericParam::Const(parameter) => self.constants.push((&parameter.ident, &parameter.ty)),
                GenericParam::Lifetime(parameter) => self.lifetimes.push(parameter.lifetime.ident.to_string()),
            }
        }
    }

    /// Whether the name is a generic parameter here.
    pub fn is_parameter(&self, name: &Ident) -> bool {
        self.types.contains(&name) || self.constants.iter().any(|(constant, _)| *constant == name)
    }

    /// The first parameter that the test says nothing of and the code mentions.
    pub fn missing_in(&self, tokens: &TokenStream) -> Option<Ident> {
        let open = |name: &Ident| self.is_parameter(name) && !self.given.contains_key(&name.to_string());
        find_ident(tokens, &open)
    }

    /// Declarations that give the parameters their meaning inside a function body.
    pub fn declarations(&self) -> TokenStream {
        let types = self.types.iter().filter_map(|name| {
            let value = self.given.get(&name.to_string())?;
            Some(quote!(type #name = #value;))
        });
        let constants = self.constants.iter().filter_map(|(name, ty)| {
            let value = self.given.get(&name.to_string())?;
            Some(quote!(const #name: #ty = #value;))
        });
        quote!(#(#types)* #(#constants)*)
    }

    /// A type as it can be spelled outside the function's generics: parameters replaced, lifetimes elided.
    pub fn concrete(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        Concrete(self).visit_type_mut(&mut ty);
        ty
    }

    /// The same, with `_` for parameters that the test says nothing of; nothing where that cannot be spelled.
    pub fn spelled(&self, ty: &Type) -> Option<Type> {
        let mut ty = ty.clone();
        let mut spelling = Spelled { parameters: self, possible: true };
        spelling.visit_type_mut(&mut ty);
        spelling.possible.then_some(ty)
    }

    /// Whether a type mentions a parameter that the test says nothing of.
    pub fn is_open(&self, ty: &Type) -> bool {
        self.missing_in(&quote!(#ty)).is_some()
    }
}

/// The first identifier that fits.
pub fn find_ident(tokens: &TokenStream, fits: &dyn Fn(&Ident) -> bool) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => find_ident(&group.stream(), fits),
        TokenTree::Ident(name) if fits(&name) => Some(name),
        _ => None,
    })
}

fn elide(lifetime: &mut syn::Lifetime, names: &[String]) {
    if names.iter().any(|name| lifetime.ident == name) {
        lifetime.ident = Ident::new("_", lifetime.ident.span());
    }
}

struct Concrete<'p, 'a>(&'p Parameters<'a>);

impl VisitMut for Concrete<'_, '_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(TypePath { qself: None, path, .. }) = ty
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
            && self.0.constants.iter().any(|(constant, _)| *constant == name)
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

struct Spelled<'p, 'a> {
    parameters: &'p Parameters<'a>,
    possible: bool,
}

impl VisitMut for Spelled<'_, '_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::ImplTrait(_) => self.possible = false,
            Type::Path(TypePath { qself: None, path, .. }) => {
                let first = path.segments.first().map(|segment| &segment.ident);
                let open = first.is_some_and(|name| {
                    self.parameters.is_parameter(name) && !self.parameters.given.contains_key(&name.to_string())
                });
                match (open, path.get_ident()) {
                    (true, Some(name)) if self.parameters.types.contains(&name) => *ty = syn::parse_quote!(_),
                    (true, _) => self.possible = false,
                    _ => visit_mut::visit_type_mut(self, ty),
                }
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        let open = path.path.get_ident().is_some_and(|name| {
            self.parameters.is_parameter(name) && !self.parameters.given.contains_key(&name.to_string())
        });
        self.possible &= !open;
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        elide(lifetime, &self.parameters.lifetimes);
    }
}

/// `Self::Item` means the trait's only inside the trait's own `impl`; elsewhere it must say so.
pub struct QualifySelf {
    trait_path: Path,
    members: Vec<Ident>,
}

impl QualifySelf {
    /// For the `impl` of a trait, or the trait itself.
    pub fn around(owner: Owner<'_>) -> Option<Self> {
        match owner {
            Owner::Impl(item) => {
                let (path, _) = item.trait_.as_ref()?;
                let members = item.items.iter().filter_map(|member| match member {
                    ImplItem::Type(member) => Some(member.ident.clone()),
                    ImplItem::Const(member) => Some(member.ident.clone()),
                    ImplItem::Fn(member) => Some(member.sig.ident.clone()),
                    _ => None,
                });
                Some(QualifySelf { trait_path: path.clone(), members: members.collect() })
            }
            Owner::Trait(item) => {
                let name = &item.ident;
                let arguments = item.generics.params.iter().filter_map(|parameter| match parameter {
                    GenericParam::Type(parameter) => Some(&parameter.ident),
                    GenericParam::Const(parameter) => Some(&parameter.ident),
                    _ => None,
                });
                let members = item.items.iter().filter_map(|member| match member {
                    TraitItem::Type(member) => Some(member.ident.clone()),
                    TraitItem::Const(member) => Some(member.ident.clone()),
                    TraitItem::Fn(member) => Some(member.sig.ident.clone()),
                    _ => None,
                });
                Some(QualifySelf { trait_path: syn::parse_quote!(#name<#(#arguments),*>), members: members.collect() })
            }
            Owner::Free => None,
        }
    }

    fn qualify(&self, qself: &mut Option<QSelf>, path: &mut Path) {
        if qself.is_some() || path.segments.len() < 2 || path.segments[0].ident != "Self" {
            return;
        }
        if !self.members.contains(&path.segments[1].ident) {
            return;
        }
        let mut full = self.trait_path.clone();
        let position = full.segments.len();
        full.segments.extend(path.segments.iter().skip(1).cloned());
        *qself = Some(QSelf {
            lt_token: Default::default(),
            ty: Box::new(syn::parse_quote!(Self)),
            position,
            as_token: Some(Default::default()),
            gt_token: Default::default(),
        });
        *path = full;
    }
}

impl VisitMut for QualifySelf {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        self.qualify(&mut path.qself, &mut path.path);
        visit_mut::visit_type_path_mut(self, path);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        self.qualify(&mut path.qself, &mut path.path);
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(mut arguments) = crate::macros::Arguments::of(call) {
            arguments.expressions_mut().into_iter().for_each(|expression| self.visit_expr_mut(expression));
            call.tokens = quote!(#arguments);
        }
    }
}

/// The type that an expression visibly makes: `Square { .. }`, `Square(2)`, `Square::new(2)`, `5u8`.
pub fn visible_type(value: &Expr) -> Option<Type> {
    let of_path = |path: &Path, is_call: bool| {
        let mut path = path.clone();
        let capital = |name: &Ident| name.to_string().chars().next().is_some_and(char::is_uppercase);
        if is_call && path.segments.last().is_some_and(|last| !capital(&last.ident)) {
            path.segments.pop();
            path.segments.pop_punct();
        }
        path.segments.last().filter(|last| capital(&last.ident))?;
        Some(Type::Path(TypePath { attrs: Vec::new(), qself: None, path }))
    };
    match value {
        Expr::Struct(value) => of_path(&value.path, false),
        Expr::Path(value) => of_path(&value.path, false),
        Expr::Call(value) => match &*value.func {
            Expr::Path(function) => of_path(&function.path, true),
            _ => None,
        },
        Expr::Paren(value) => visible_type(&value.expr),
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Int(number) if !number.suffix().is_empty() => syn::parse_str(number.suffix()).ok(),
            syn::Lit::Float(number) if !number.suffix().is_empty() => syn::parse_str(number.suffix()).ok(),
            syn::Lit::Str(_) => Some(syn::parse_quote!(&str)),
            syn::Lit::Bool(_) => Some(syn::parse_quote!(bool)),
            syn::Lit::Char(_) => Some(syn::parse_quote!(char)),
            _ => None,
        },
        _ => None,
    }
}

/// Reports a parameter that a test must say something of.
pub fn report_missing(parameters: &Parameters<'_>, tokens: &TokenStream, mistakes: &mut Mistakes) -> bool {
    match parameters.missing_in(tokens) {
        Some(name) => {
            mistakes.add(
                name.span(),
                format!("`{name}` is generic and has no meaning in this test; add `given({name} = …)`"),
            );
            true
        }
        None => false,
    }
}

/// Whether tokens mention `Self` or `self`.
pub fn mentions_self(tokens: &TokenStream) -> bool {
    find_ident(tokens, &|name| name == "Self" || name == "self" || name == "__situ_self").is_some()
}
