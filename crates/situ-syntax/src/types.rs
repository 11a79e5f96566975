//! The type of a given, determined without a compiler: from its declaration, or by repeating the
//! code that initialized the variable.

use crate::analyse::{Exits, mentions_of};
use crate::generics::{Parameters, Qualify, find_ident, mentions_self, with_lifetime};
use crate::rewrite::Renamer;
use crate::strip::RemoveTests;
use crate::surroundings::{Binding, Owner, Seen, Source};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Macro, Pat, Path, Receiver, ReceiverKind, Type};

/// The maximum number of variables that are traced back.
const MAX_STEPS: usize = 12;

/// What is known of a type.
pub enum Known {
    /// It is declared.
    Declared(Type),
    /// It is declared as `impl Trait`.
    Opaque(Type),
    /// It is the type of this code's value; the code never executes.
    Like(TokenStream),
    /// It is the type, perhaps unsized, of the place that this code's value refers to; the code
    /// never executes.
    Place(TokenStream),
    /// Only the value determines it; the program knows only these traits.
    Traits(Vec<Path>),
    /// Only the value determines it.
    Nothing,
}

impl Known {
    /// Returns what must be declared before a value can be given the type.
    pub fn declaration(&self) -> TokenStream {
        match self {
            Known::Opaque(ty) => {
                // What is borrowed in it is borrowed from elsewhere.
                let ty = with_lifetime(&quote!(#ty), "__situ_borrowed");
                quote!(fn __situ_opaque<'__situ_borrowed>(value: #ty) -> #ty { value })
            }
            // Code that knows a trait by a bound need not import it; a trait of a single segment is
            // imported.
            Known::Traits(traits) => {
                let paths = traits.iter().filter(|path| path.segments.len() > 1);
                quote!(#(use #paths as _;)*)
            }
            _ => TokenStream::new(),
        }
    }

    /// Returns the code that gives `value` that type.
    pub fn give(&self, value: &TokenStream) -> TokenStream {
        match self {
            Known::Declared(ty) => quote!(::situ::rt::id::<#ty>(#value)),
            Known::Like(code) => quote!(::situ::rt::like(|| { #code }).be(#value)),
            Known::Place(code) => quote!(::situ::rt::at(|| { #code }).be(#value)),
            Known::Opaque(_) => quote!(__situ_opaque(#value)),
            Known::Traits(_) | Known::Nothing => quote!(::situ::rt::id(#value)),
        }
    }
}

/// The types of variables around a test.
///
/// `Self` may have no name in a test: in a trait, or with parameters that the test does not give.
pub struct Types<'t, 'a> {
    /// The surroundings.
    pub around: Seen<'t, 'a>,
    /// The generic parameters.
    pub parameters: &'t Parameters<'a>,
}

impl<'a> Types<'_, 'a> {
    /// Returns the type of a variable.
    pub fn of_variable(&self, name: &str) -> Known {
        let Some((index, binding)) = self.around.binding(name) else {
            return Known::Nothing;
        };
        if let Some(declared) = declared_type(binding) {
            return self.declared(declared);
        }
        if says_nothing(binding) {
            return Known::Nothing;
        }
        let ident = &binding.ident;
        let mut steps = BTreeMap::new();
        match self.step(index, &mut steps) {
            Some(()) => {
                let steps = steps.into_values();
                Known::Like(self.never_run(&quote!(#(#steps)* #ident)))
            }
            None => Known::Nothing,
        }
    }

    /// Returns a type that was written down, as far as it can be spelled in a test.
    pub fn declared(&self, ty: &Type) -> Known {
        if mentions_self(&quote!(#ty)) && !self.self_is_known() {
            return Known::Nothing;
        }
        if let Some(ty) = self.parameters.callable(ty, &self.around) {
            return Known::Opaque(ty);
        }
        match self.parameters.spelled(ty) {
            Some(mut ty) => {
                if let Some(mut qualify) = Qualify::around(&self.around, self.parameters) {
                    qualify.visit_type_mut(&mut ty);
                }
                Known::Declared(ty)
            }
            None => self
                .parameters
                .opaque(ty)
                .map_or(Known::Nothing, Known::Opaque),
        }
    }

    /// Returns the type of a variable that code makes something else of, where only a bound says
    /// what.
    pub fn converted(&self, name: &str) -> Option<Known> {
        let (_, binding) = self.around.binding(name)?;
        self.parameters
            .convertible(declared_type(binding)?, &self.around)
            .map(Known::Opaque)
    }

    fn self_is_known(&self) -> bool {
        match self.around.owner {
            Owner::Impl(item) => !self.parameters.is_open(&item.self_ty),
            Owner::Trait(_) => self.parameters.self_type.is_some(),
            Owner::Free => false,
        }
    }

    /// Returns code that only determines a type, with the privacy of the test's surroundings.
    fn never_run(&self, code: &TokenStream) -> TokenStream {
        let never = quote!(::situ::rt::core::unreachable!(); #code);
        if self.around.is_unsafe {
            quote!(unsafe { #never })
        } else {
            never
        }
    }

    /// Returns the type of a place such as `self.width` or `buf[i]`.
    pub fn of_place(&self, place: &Expr) -> Known {
        let mut steps = BTreeMap::new();
        match self.steps_for(place, usize::MAX, &mut steps) {
            Some(()) => {
                let steps = steps.into_values();
                let (is_element, place) = (matches!(place, Expr::Index(_)), self.prepared(place));
                match is_element {
                    true => Known::Place(self.never_run(&quote!(#(#steps)* &#place))),
                    false => Known::Like(self.never_run(&quote!(#(#steps)* #place))),
                }
            }
            None => Known::Nothing,
        }
    }

    /// Returns declarations, never executed, of the variables that an expression mentions and the
    /// test does not have.
    pub fn conjured(&self, expression: &Expr, has: &dyn Fn(&str) -> bool) -> Option<TokenStream> {
        let mentions = mentions_of(|mentions| mentions.visit_expr(expression));
        let mut names: Vec<&String> = mentions.used.keys().filter(|name| !has(name)).collect();
        names.sort();
        let receiver = receiver_root(expression);
        let mut declared = TokenStream::new();
        for name in names {
            let Some((_, binding)) = self.around.binding(name) else {
                continue;
            };
            // A parameter that the test does not give could be anything, so its method calls have
            // no type.
            if declared_type(binding).is_some_and(|ty| self.parameters.is_open(ty)) {
                return None;
            }
            let known = match binding.source {
                Source::Receiver(receiver) => Some(self.receiver_type(receiver)?),
                _ => declared_type(binding).and_then(|ty| self.parameters.spelled(ty)),
            };
            let ident = if name == "self" {
                quote!(__situ_self)
            } else {
                let ident = &binding.ident;
                quote!(#ident)
            };
            match known {
                Some(ty) => {
                    declared.extend(quote!(let mut #ident: #ty = ::situ::rt::core::unreachable!();))
                }
                None => match self.of_variable(name) {
                    Known::Like(code) => declared.extend(quote!(let mut #ident = { #code };)),
                    _ if receiver.as_deref() == Some(name) => return None,
                    _ => {
                        declared.extend(quote!(let mut #ident = ::situ::rt::core::unreachable!();))
                    }
                },
            }
        }
        Some(declared)
    }

    /// Returns the type of `self` as the function sees it.
    pub fn receiver_type(&self, receiver: &Receiver) -> Option<Type> {
        if !self.self_is_known() {
            return None;
        }
        Some(match &receiver.kind {
            ReceiverKind::Value => syn::parse_quote!(Self),
            ReceiverKind::Reference(_, _, None) => syn::parse_quote!(&Self),
            ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(&mut Self),
            ReceiverKind::Typed(_, ty) => self.parameters.spelled(ty)?,
            _ => return None,
        })
    }

    /// Collects the initializers that lead to the variable at `index`.
    fn step(&self, index: usize, steps: &mut BTreeMap<usize, TokenStream>) -> Option<()> {
        // One step binds all names of a pattern, which may shadow its scrutinee.
        let index = self.first_beside(index);
        if steps.contains_key(&index) {
            return Some(());
        }
        if steps.len() >= MAX_STEPS {
            return None;
        }
        let binding = &self.around.bindings()[index];
        let spelled = |ty: &Type| {
            (!self.parameters.is_open(ty))
                .then(|| self.parameters.spelled(ty))
                .flatten()
        };
        let tokens = match binding.source {
            Source::Receiver(receiver) => {
                let ty = self.receiver_type(receiver)?;
                quote!(let mut __situ_self: #ty = ::situ::rt::core::unreachable!();)
            }
            Source::Parameter(pattern, ty) => {
                let ty = spelled(ty?)?;
                quote!(let #pattern: #ty = ::situ::rt::core::unreachable!();)
            }
            Source::Let(local) => match (&local.init, &local.pat) {
                (Some(init), _) => {
                    self.steps_for(&init.expr, index, steps)?;
                    let pattern = self.pattern(&local.pat)?;
                    let value = self.prepared(&init.expr);
                    match init.diverge {
                        Some(_) => {
                            quote!(let #pattern = #value else { ::situ::rt::core::unreachable!() };)
                        }
                        None => quote!(let #pattern = #value;),
                    }
                }
                (None, Pat::Type(typed)) => {
                    let (pattern, ty) = (&typed.pat, spelled(&typed.ty)?);
                    quote!(let #pattern: #ty = ::situ::rt::core::unreachable!();)
                }
                (None, _) => return None,
            },
            Source::For(for_) => {
                self.steps_for(&for_.expr, index, steps)?;
                let (pattern, iterable) = (self.pattern(&for_.pat)?, self.prepared(&for_.expr));
                quote! {
                    let #pattern = ::situ::rt::core::iter::Iterator::next(&mut ::situ::rt::core::iter::IntoIterator::into_iter(#iterable)).unwrap();
                }
            }
            Source::Matched(pattern, scrutinee) => {
                self.steps_for(scrutinee, index, steps)?;
                let pattern = match pattern {
                    Pat::Guard(guarded) => &guarded.pat,
                    other => other,
                };
                let (pattern, scrutinee) = (self.pattern(pattern)?, self.prepared(scrutinee));
                // In parentheses, because a brace may not stand before `else`.
                quote!(let #pattern = (#scrutinee) else { ::situ::rt::core::unreachable!() };)
            }
        };
        steps.insert(index, tokens);
        Some(())
    }

    /// Returns the first of the variables that the same pattern bound.
    fn first_beside(&self, index: usize) -> usize {
        let bindings = &self.around.bindings()[..=index];
        let beside = bindings
            .iter()
            .rev()
            .take_while(|other| other.source.is_same(&bindings[index].source));
        index + 1 - beside.count()
    }

    fn steps_for(
        &self,
        expression: &Expr,
        before: usize,
        steps: &mut BTreeMap<usize, TokenStream>,
    ) -> Option<()> {
        if !self.self_is_known()
            && find_ident(&quote!(#expression), &|name| name == "Self").is_some()
        {
            return None;
        }
        if self.parameters.missing_in(&quote!(#expression)).is_some() {
            return None;
        }
        let exits = Exits::of(|exits| exits.visit_expr(expression));
        if exits.returns || !exits.breaks.is_empty() || !exits.continues.is_empty() || exits.unknown
        {
            return None;
        }
        let mentions = mentions_of(|mentions| mentions.visit_expr(expression));
        let mut names: Vec<&String> = mentions.used.keys().collect();
        names.sort();
        for name in names {
            let earlier = self.around.bindings().iter().enumerate().take(before);
            match earlier.rev().find(|(_, binding)| binding.ident == name) {
                // A variable of unknown type determines nothing about others.
                Some((_, binding)) if is_open(binding) => return None,
                Some((index, _)) => self.step(index, steps)?,
                // A function, for example, whose name a later variable has: in the test it would
                // refer to that variable.
                None if self.around.binding(name).is_some() => return None,
                None => {}
            }
        }
        Some(())
    }

    fn pattern(&self, pattern: &Pat) -> Option<Pat> {
        match pattern {
            Pat::Type(typed) => {
                let (inner, ty) = (&typed.pat, self.parameters.spelled(&typed.ty)?);
                Some(Pat::Type(syn::parse_quote!(#inner: #ty)))
            }
            // Alternatives stand in parentheses in a `let`.
            Pat::Or(_) => Some(syn::parse_quote!((#pattern))),
            other => Some(other.clone()),
        }
    }

    fn prepared(&self, expression: &Expr) -> Expr {
        let mut expression = expression.clone();
        RemoveTests.visit_expr_mut(&mut expression);
        OnlyTypes.visit_expr_mut(&mut expression);
        let mut renamer = Renamer {
            lifetimes: self.parameters.lifetimes.clone(),
            ..Renamer::default()
        };
        renamer.names.insert("self".into(), "__situ_self".into());
        renamer.visit_expr_mut(&mut expression);
        if let Some(mut qualify) = Qualify::around(&self.around, self.parameters) {
            qualify.visit_expr_mut(&mut expression);
        }
        expression
    }
}

/// A visitor that replaces `x?` and `x.await` by expressions of the same type.
struct OnlyTypes;

impl VisitMut for OnlyTypes {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::Try(try_) => {
                let inner = &try_.expr;
                *expression = syn::parse_quote!(::situ::rt::asked(#inner));
            }
            Expr::Await(await_) => {
                let inner = &await_.base;
                *expression = syn::parse_quote!(::situ::rt::awaited(#inner));
            }
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if let Some(mut arguments) = crate::macros::Arguments::of(call) {
            arguments
                .expressions_mut()
                .into_iter()
                .for_each(|expression| self.visit_expr_mut(expression));
            call.tokens = quote!(#arguments);
        }
    }

    fn visit_expr_closure_mut(&mut self, _closure: &mut syn::ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _async: &mut syn::ExprAsync) {}
}

/// Returns the type that was written beside a plain variable.
fn declared_type<'a>(binding: &Binding<'a>) -> Option<&'a Type> {
    let is_plain = |pattern: &Pat| matches!(pattern, Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none());
    match binding.source {
        Source::Parameter(pattern, ty) if is_plain(pattern) => ty,
        Source::Let(local) => match &local.pat {
            Pat::Type(typed) if is_plain(&typed.pat) => Some(&typed.ty),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether the initialiser leaves the type to what follows it.
fn says_nothing(binding: &Binding<'_>) -> bool {
    let Source::Let(local) = binding.source else {
        return false;
    };
    match local.init.as_ref().map(|init| &*init.expr) {
        None => true,
        Some(Expr::Lit(literal)) => match &literal.lit {
            Lit::Int(number) => number.suffix().is_empty(),
            Lit::Float(number) => number.suffix().is_empty(),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether only what follows tells what a variable holds: `let mut found = None;`, `let mut
/// all = Vec::new();`.
fn is_open(binding: &Binding<'_>) -> bool {
    const COLLECTIONS: [&str; 7] = [
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "HashMap",
        "HashSet",
        "Vec",
        "VecDeque",
    ];
    let Source::Let(local) = binding.source else {
        return false;
    };
    if matches!(local.pat, Pat::Type(_)) {
        return false;
    }
    match local.init.as_ref().map(|init| &*init.expr) {
        Some(Expr::Path(path)) => path.path.is_ident("None"),
        Some(Expr::Macro(call)) => call.mac.path.is_ident("vec") && call.mac.tokens.is_empty(),
        Some(Expr::Call(call)) => match &*call.func {
            Expr::Path(path) => {
                let mut last = path.path.segments.iter().rev();
                let (name, of) = (last.next(), last.next());
                let is_made = name.is_some_and(|name| {
                    ["default", "new", "with_capacity"]
                        .iter()
                        .any(|known| name.ident == known)
                });
                is_made
                    && of.is_some_and(|of| {
                        of.arguments.is_none() && COLLECTIONS.iter().any(|known| of.ident == known)
                    })
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns the variable whose method is called.
fn receiver_root(expression: &Expr) -> Option<String> {
    match expression {
        Expr::MethodCall(call) => receiver_root(&call.receiver)
            .or_else(|| crate::analyse::root_name(&call.receiver).map(ToString::to_string)),
        // A closure is what its call is made on.
        Expr::Call(call) => receiver_root(&call.func),
        Expr::Await(await_) => receiver_root(&await_.base),
        Expr::Try(try_) => receiver_root(&try_.expr),
        Expr::Field(_) | Expr::Index(_) | Expr::Path(_) => {
            crate::analyse::root_name(expression).map(ToString::to_string)
        }
        _ => None,
    }
}
