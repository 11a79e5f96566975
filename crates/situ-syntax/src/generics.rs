//! What the generic parameters of the surroundings are in a test.

use crate::mistakes::Mistakes;
use crate::surroundings::{Owner, Surroundings};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use syn::visit::Visit;
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.constants.is_empty()
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

    /// Imports of the traits that parameters and `impl Trait`s are bound by: where the type is known, a bound alone no
    /// longer brings its methods. A trait without a path is in scope already.
    pub fn imports(around: &Surroundings<'a>) -> TokenStream {
        let mut traits = BoundTraits::default();
        match around.owner {
            Owner::Impl(item) => traits.visit_generics(&item.generics),
            Owner::Trait(item) => traits.visit_generics(&item.generics),
            Owner::Free => {}
        }
        around.function().into_iter().for_each(|function| traits.visit_signature(function));
        let paths = traits.paths;
        quote!(#(use #paths as _;)*)
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

    /// The trait whose method is tested, where it can be spelled outside its generics.
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

    /// A type with `impl Trait` in it, as both parameter and result of a function can have it.
    pub fn opaque(&self, ty: &Type) -> Option<Type> {
        let tokens = quote!(#ty);
        let is_opaque = find_ident(&tokens, &|name| name == "impl").is_some();
        let is_closed = self.missing_in(&tokens).is_none() && !mentions_self(&tokens);
        (is_opaque && is_closed).then(|| self.concrete(ty))
    }

    /// Whether a type mentions a parameter that the test says nothing of.
    pub fn is_open(&self, ty: &Type) -> bool {
        self.missing_in(&quote!(#ty)).is_some()
    }
}

/// The traits of bounds that are named by a path.
#[derive(Default)]
struct BoundTraits {
    paths: Vec<Path>,
}

impl<'ast> Visit<'ast> for BoundTraits {
    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        let mut path = bound.path.clone();
        path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
        if path.segments.len() > 1 && !self.paths.contains(&path) {
            self.paths.push(path);
        }
        syn::visit::visit_trait_bound(self, bound);
    }
}

fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '\''))
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

/// `Self::Item` and `T::Item` mean a trait's only where the compiler knows the trait; in a test they must say which.
pub struct Qualify {
    members: Vec<Member>,
}

/// `owner::name` is `<owner as of_trait>::name`.
struct Member {
    owner: Ident,
    /// Any name, if it is not said.
    name: Option<Ident>,
    of_trait: Path,
}

/// Traits without associated types, which say nothing of what `T::Item` is.
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
    /// For what surrounds a test; nothing if there is nothing to say.
    pub fn around(around: &Surroundings<'_>, parameters: &Parameters<'_>) -> Option<Self> {
        let mut members = Self::of_self(around.owner);
        let mut generics: Vec<&Generics> = around.function().map(|function| &function.generics).into_iter().collect();
        match around.owner {
            Owner::Impl(item) => generics.push(&item.generics),
            Owner::Trait(item) => generics.push(&item.generics),
            Owner::Free => {}
        }
        for generics in generics {
            members.extend(bounds(generics).filter(|member| parameters.given.contains_key(&member.owner.to_string())));
        }
        (!members.is_empty()).then_some(Qualify { members })
    }

    fn of_self(owner: Owner<'_>) -> Vec<Member> {
        let (of_trait, names): (Path, Vec<Ident>) = match owner {
            Owner::Impl(item) => {
                let Some((path, _)) = item.trait_.as_ref() else { return Vec::new() };
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
                let arguments = item.generics.params.iter().filter_map(|parameter| match parameter {
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
        let member = |name| Member { owner: owner.clone(), name: Some(name), of_trait: of_trait.clone() };
        names.into_iter().map(member).collect()
    }

    fn qualify(&self, qself: &mut Option<QSelf>, path: &mut Path, in_type: bool) {
        if qself.is_some() || path.segments.len() < 2 {
            return;
        }
        let (first, second) = (&path.segments[0].ident, &path.segments[1].ident);
        // A function of a parameter is found through its type; only types need to say the trait.
        let fits =
            |member: &&Member| member.owner == *first && member.name.as_ref().map_or(in_type, |name| name == second);
        let Some(member) = self.members.iter().find(fits) else { return };
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

/// For each type parameter, the one trait of its bounds that may have associated types.
fn bounds(generics: &Generics) -> impl Iterator<Item = Member> + '_ {
    generics.type_params().filter_map(|parameter| {
        let in_where =
            generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(
                |predicate| match predicate {
                    syn::WherePredicate::Type(predicate) => Some(predicate),
                    _ => None,
                },
            );
        let of_parameter = in_where.filter(
            |predicate| matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(&parameter.ident)),
        );
        let all = parameter.bounds.iter().chain(of_parameter.flat_map(|predicate| &predicate.bounds));
        let mut traits = all
            .filter_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(&bound.path),
                _ => None,
            })
            .filter(|path| {
                path.segments.last().is_some_and(|last| PLAIN_TRAITS.iter().all(|plain| last.ident != plain))
            });
        match (traits.next(), traits.next()) {
            (Some(path), None) => Some(Member { owner: parameter.ident.clone(), name: None, of_trait: path.clone() }),
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
