//! The inputs of a test: the target, type and declaration of each given.

use super::formatter::{self, is_formatter};
use super::objects::traits_of_object;
use crate::analyse::Mentions;
use crate::generics::{Parameters, converts, visible_type};
use crate::grammar::{Given, TestCall, similar_name};
use crate::mistakes::Mistakes;
use crate::rewrite::{Renamer, same_tokens, variable};
use crate::surroundings::{Owner, Seen, Source, Surroundings, pattern_names};
use crate::text::source_text;
use crate::types::{Known, Types};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashSet};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Lit, ReceiverKind, Type};

/// The target of a given.
pub enum Slot {
    /// A local variable or parameter.
    Variable(Ident),
    /// `self`, borrowed where the method borrows it.
    Receiver(Option<Borrow>),
    /// A place or a constant, under the name that it has in the test.
    Local(Ident),
    /// A formatter, given as a format string.
    Formatter(Ident),
}

/// How a method takes `self`.
pub enum Borrow {
    /// `&self`
    Shared,
    /// `&mut self`
    Mutable,
}

/// A given, ready to be emitted.
pub struct Prepared {
    /// The target.
    pub slot: Slot,
    /// The type that it has in the program.
    pub known: Known,
    /// Its value, with names of the program replaced.
    pub value: Expr,
    /// The source of the given in the program.
    pub text: String,
}

/// All inputs of a test.
pub struct Inputs {
    /// In the order in which they are evaluated.
    pub prepared: Vec<Prepared>,
    /// Places and constants that have another name in the test.
    pub renamer: Renamer,
    /// The variables that have a value.
    pub given: HashSet<String>,
    /// The source of the givens.
    pub text: String,
}

/// What a given is checked against.
pub struct Scene<'s, 'a> {
    /// The surroundings of the test.
    pub around: Seen<'s, 'a>,
    /// Parameters of closures around the tested one.
    pub outer_parameters: &'s [(Ident, Option<Type>)],
    /// What the fragment mentions.
    pub fragment: &'s Mentions,
    /// What the oracles and other clauses mention.
    pub clauses: &'s Mentions,
    /// All tokens of fragment and oracles, to find places in.
    pub tokens: &'s TokenStream,
    /// The names of all givens of the test.
    pub given: &'s [String],
}

impl Scene<'_, '_> {
    /// Returns the variable probably meant by a misspelt given: one that the test mentions and
    /// gives no value.
    fn similar_variable(&self, name: &str) -> Option<&str> {
        let mentioned = self
            .fragment
            .used
            .keys()
            .chain(self.clauses.used.keys())
            .map(String::as_str);
        let is_open = |known: &&str| {
            let is_variable = self.around.binding(known).is_some()
                || self
                    .outer_parameters
                    .iter()
                    .any(|(outer, _)| outer == known);
            is_variable && !self.given.iter().any(|given| given == known)
        };
        // Sorted, so that the order does not depend on hashes.
        let open: BTreeSet<&str> = mentioned.filter(is_open).collect();
        similar_name(name, open.into_iter())
    }
}

/// Returns the message for a given that nothing mentions.
fn not_mentioned(text: &str, meant: Option<String>) -> String {
    let advice = meant.map_or_else(
        || "remove this given".to_owned(),
        |meant| format!("did you mean `{meant}`?"),
    );
    format!("neither the fragment nor the oracles mention `{text}`; {advice}")
}

/// Takes the generic parameters from the givens; those givens are no values.
pub fn take_parameters(
    call: &TestCall,
    around: &Surroundings<'_>,
    parameters: &mut Parameters<'_>,
    mistakes: &mut Mistakes,
) {
    for given in call.clauses.givens() {
        let Some(name) = given.name() else { continue };
        let is_self_type = name == "Self";
        if is_self_type && !matches!(around.owner, Owner::Trait(_)) {
            mistakes.add(
                name.span(),
                "`Self` is known here; only in a trait does a test say what it is",
            );
        } else if is_self_type {
            parameters.self_type = mistakes.take(given.type_());
        } else if parameters.is_parameter(name)
            && parameters
                .given
                .insert(name.to_string(), given.value.clone())
                .is_some()
        {
            mistakes.add(name.span(), format!("`{name}` is given twice; remove one"));
        }
    }
    if parameters.self_type.is_none() && matches!(around.owner, Owner::Trait(_)) {
        let value = call
            .clauses
            .givens()
            .find(|given| given.name().is_some_and(|name| name == "self"));
        parameters.self_type = value.and_then(|given| visible_type(given.expression().ok()?));
    }
}

/// Prepares the givens.
pub fn prepare(
    call: &TestCall,
    scene: &Scene<'_, '_>,
    parameters: &Parameters<'_>,
    mistakes: &mut Mistakes,
) -> Inputs {
    let mut inputs = Inputs {
        prepared: Vec::new(),
        renamer: Renamer::default(),
        given: HashSet::new(),
        text: String::new(),
    };
    inputs.renamer.lifetimes.clone_from(&parameters.lifetimes);
    let types = Types {
        around: scene.around,
        parameters,
    };
    let mut of_each = HashSet::new();
    for each in call.clauses.eaches() {
        for name in pattern_names(&each.pattern) {
            let text = name.to_string();
            if !of_each.insert(text.clone()) {
                mistakes.add(name.span(), format!("`{text}` is given twice; remove one"));
                continue;
            }
            if scene.around.binding(&text).is_some() && scene.fragment.has(&text) {
                inputs.given.insert(text.clone());
                let value = variable(name.clone());
                let known = known_of(&text, scene, &types);
                inputs.prepared.push(Prepared {
                    slot: Slot::Variable(name),
                    known,
                    value,
                    text,
                });
            }
        }
    }
    let mut texts = Vec::new();
    if let Some(arguments) = call
        .clauses
        .args
        .as_ref()
        .filter(|arguments| !arguments.is_empty())
    {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| source_text(&argument.to_token_stream()))
            .collect();
        texts.push(format!("args({})", arguments.join(", ")));
    }
    for given in call.clauses.givens() {
        texts.push(format!(
            "{} = {}",
            source_text(&given.place.to_token_stream()),
            source_text(&given.value)
        ));
        let is_parameter = given
            .name()
            .is_some_and(|name| name == "Self" || parameters.is_parameter(name));
        if !is_parameter {
            one(given, scene, &types, &mut inputs, mistakes);
        }
    }
    inputs.text = texts.join(", ");
    inputs
}

fn one(
    given: &Given,
    scene: &Scene<'_, '_>,
    types: &Types<'_, '_>,
    inputs: &mut Inputs,
    mistakes: &mut Mistakes,
) {
    let Some(mut value) = mistakes.take(given.expression().cloned()) else {
        return;
    };
    if !inputs.renamer.is_idle() {
        inputs.renamer.visit_expr_mut(&mut value);
    }
    match given.name() {
        Some(name) => named(name, value, scene, types, inputs, mistakes),
        None => place(given, value, scene, types, inputs, mistakes),
    }
}

fn named(
    name: &Ident,
    value: Expr,
    scene: &Scene<'_, '_>,
    types: &Types<'_, '_>,
    inputs: &mut Inputs,
    mistakes: &mut Mistakes,
) {
    let text = name.to_string();
    if !scene.fragment.has(&text) && !scene.clauses.used.contains_key(&text) {
        let meant = scene.similar_variable(&text).map(str::to_owned);
        mistakes.add(name.span(), not_mentioned(&text, meant));
        return;
    }
    if inputs.given.contains(&text) {
        mistakes.add(name.span(), format!("`{text}` is given twice; remove one"));
        return;
    }
    let binding = scene.around.binding(&text);
    if let (None, Some((_, ty))) = (
        binding,
        scene
            .outer_parameters
            .iter()
            .find(|(outer, _)| outer == name),
    ) {
        inputs.given.insert(text.clone());
        let known = ty.as_ref().map_or(Known::Nothing, |ty| types.declared(ty));
        inputs.prepared.push(Prepared {
            slot: Slot::Variable(name.clone()),
            known,
            value,
            text,
        });
        return;
    }
    let is_variable = text.chars().next().is_some_and(|c| !c.is_uppercase());
    if binding.is_none() && is_variable && scene.fragment.bound.contains_key(&text) {
        mistakes.add(
            name.span(),
            format!("`{text}` gets its value in the fragment itself; remove this given"),
        );
        return;
    }
    inputs.given.insert(text.clone());
    match binding.map(|(_, binding)| binding.source) {
        Some(Source::Receiver(receiver)) => {
            let (borrow, ty) = receiver_value(&receiver.kind, scene.around.owner, types.parameters);
            inputs.prepared.push(Prepared {
                slot: Slot::Receiver(borrow),
                known: ty,
                value,
                text,
            });
        }
        Some(_) if is_formatter(&value, &known_of(&text, scene, types)) => {
            inputs.prepared.push(Prepared {
                slot: Slot::Formatter(name.clone()),
                known: Known::Nothing,
                value,
                text,
            });
        }
        Some(source) => {
            let known = match (&value, known_of(&text, scene, types)) {
                // The use of a closure determines the types of its parameters, not its declaration.
                (Expr::Closure(_), Known::Like(_)) => Known::Nothing,
                (value, Known::Like(_)) if has_its_type(value) => Known::Nothing,
                (value, Known::Like(_)) if stands_for_an_iterator(value, source) => Known::Nothing,
                // An oracle needs the concrete type, not only its traits.
                (_, Known::Opaque(_)) if scene.clauses.used.contains_key(&text) => Known::Nothing,
                (_, Known::Declared(ty))
                    if scene.clauses.used.contains_key(&text)
                        && traits_of_object(&ty).is_some() =>
                {
                    Known::Traits(traits_of_object(&ty).unwrap_or_default())
                }
                // The program's line of the `let` was not executed, so no coverage tool shall count
                // it for the test.
                (_, Known::Declared(ty)) if matches!(source, Source::Let(_)) => {
                    Known::Declared(written_at(ty, name))
                }
                (_, known) => known,
            };
            inputs.prepared.push(Prepared {
                slot: Slot::Variable(name.clone()),
                known,
                value,
                text,
            });
        }
        None => {
            let local = Ident::new(&format!("__situ_{text}"), name.span());
            let known = Known::Like(quote!(::situ::rt::core::unreachable!(); #name));
            inputs.renamer.names.insert(text.clone(), local.to_string());
            inputs.prepared.push(Prepared {
                slot: Slot::Local(local),
                known,
                value,
                text,
            });
        }
    }
}

/// Returns what is known of a variable's type.
fn known_of(name: &str, scene: &Scene<'_, '_>, types: &Types<'_, '_>) -> Known {
    let is_seen = scene.clauses.used.contains_key(name);
    let converted = if converts(scene.tokens) && !is_seen {
        types.converted(name)
    } else {
        None
    };
    converted.unwrap_or_else(|| types.of_variable(name))
}

/// Returns the type with the span of the name.
fn written_at(ty: Type, name: &Ident) -> Type {
    fn moved(tokens: TokenStream, name: &Ident) -> TokenStream {
        let at_name = |mut tree: TokenTree| {
            let span = tree.span().located_at(name.span());
            if let TokenTree::Group(group) = &tree {
                tree = Group::new(group.delimiter(), moved(group.stream(), name)).into();
            }
            tree.set_span(span);
            tree
        };
        tokens.into_iter().map(at_name).collect()
    }
    syn::parse2(moved(ty.to_token_stream(), name)).unwrap_or(ty)
}

/// Returns the type of the value that is given for `self`.
fn receiver_value(
    kind: &ReceiverKind,
    owner: Owner<'_>,
    parameters: &Parameters<'_>,
) -> (Option<Borrow>, Known) {
    let spelled = match owner {
        Owner::Impl(item) => Some(parameters.concrete(&item.self_ty)),
        Owner::Trait(_) => parameters.self_type.clone(),
        Owner::Free => None,
    };
    // A value of an unsized type can only be given behind the reference that the method takes.
    if let (Some(unsized_type), ReceiverKind::Reference(and, _, mutable)) =
        (spelled.as_ref().filter(|ty| is_unsized(ty)), kind)
    {
        // In parentheses, because it may be a `dyn A + B`.
        let reference = syn::parse2(quote!(#and #mutable (#unsized_type)));
        return (None, reference.map_or(Known::Nothing, Known::Declared));
    }
    // `Self` has the lifetimes of the whole `impl`; a value that borrows from the test needs its own.
    let has_lifetimes = !parameters.lifetimes.is_empty();
    let self_type: Type = spelled
        .filter(|_| has_lifetimes)
        .unwrap_or_else(|| syn::parse_quote!(Self));
    match kind {
        ReceiverKind::Reference(_, _, None) => (Some(Borrow::Shared), Known::Declared(self_type)),
        ReceiverKind::Reference(_, _, Some(_)) => {
            (Some(Borrow::Mutable), Known::Declared(self_type))
        }
        ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(reference)
                if reference.elem.to_token_stream().to_string() == "Self" =>
            {
                let borrow = if reference.mutability.is_some() {
                    Borrow::Mutable
                } else {
                    Borrow::Shared
                };
                (Some(borrow), Known::Declared(self_type))
            }
            other => (
                None,
                parameters
                    .spelled(other)
                    .map_or(Known::Nothing, Known::Declared),
            ),
        },
        _ => (None, Known::Declared(self_type)),
    }
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            last.arguments.is_empty()
                && ["str", "Path", "OsStr", "CStr"]
                    .iter()
                    .any(|name| last.ident == name)
        }),
        _ => false,
    }
}

fn place(
    given: &Given,
    value: Expr,
    scene: &Scene<'_, '_>,
    types: &Types<'_, '_>,
    inputs: &mut Inputs,
    mistakes: &mut Mistakes,
) {
    let text = source_text(&given.place.to_token_stream());
    let is_place = matches!(
        &given.place,
        Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) | Expr::Path(_)
    );
    if !is_place {
        let message = "only a variable, a place such as `self.width`, a constant or a generic parameter can be given";
        mistakes.add(given.place.span(), message);
        return;
    }
    if !occurs(&given.place, scene.tokens.clone()) {
        let meant = similar_place(&given.place, scene.tokens.clone());
        mistakes.add(given.place.span(), not_mentioned(&text, meant));
        return;
    }
    if inputs
        .renamer
        .places
        .iter()
        .any(|(place, _)| same_tokens(place, &given.place))
    {
        mistakes.add(
            given.place.span(),
            format!("`{text}` is given twice; remove one"),
        );
        return;
    }
    let local = Ident::new(
        &format!("__situ_place_{}", inputs.renamer.places.len() + 1),
        given.place.span(),
    );
    let known = types.of_place(&given.place);
    inputs
        .renamer
        .places
        .push((given.place.clone(), local.clone()));
    inputs.prepared.push(Prepared {
        slot: Slot::Local(local),
        known,
        value,
        text,
    });
}

/// Returns the strings of all tokens in order, including those in groups.
fn flat(tokens: TokenStream) -> Vec<String> {
    let mut all = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                all.push(format!("{:?}", group.delimiter()));
                all.extend(flat(group.stream()));
                all.push("end".into());
            }
            other => all.push(other.to_string()),
        }
    }
    all
}

/// Returns whether the tokens of a place occur consecutively somewhere.
fn occurs(place: &Expr, tokens: TokenStream) -> bool {
    let needle = flat(place.to_token_stream());
    flat(tokens)
        .windows(needle.len())
        .any(|window| window == needle)
}

/// Returns the place probably meant by a chain of fields that does not occur: one in which a single
/// name differs.
fn similar_place(place: &Expr, tokens: TokenStream) -> Option<String> {
    let needle = flat(place.to_token_stream());
    let is_of_names = |token: &String| {
        token == "." || token.starts_with(|first: char| first.is_alphabetic() || first == '_')
    };
    if !needle.iter().all(is_of_names) {
        return None;
    }
    let similar = |window: &[String]| {
        let mut other = needle
            .iter()
            .zip(window)
            .filter(|(own, their)| own != their);
        match (other.next(), other.next()) {
            (Some((own, their)), None) => {
                is_of_names(their) && similar_name(own, [their.as_str()].into_iter()).is_some()
            }
            _ => false,
        }
    };
    flat(tokens)
        .windows(needle.len())
        .find(|window| similar(window))
        .map(|window| window.concat())
}

/// Returns whether the source of a value determines the value.
fn tells_itself(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Closure(_) => true,
        Expr::Unary(unary) => tells_itself(&unary.expr),
        Expr::Reference(reference) => tells_itself(&reference.expr),
        Expr::Paren(paren) => tells_itself(&paren.expr),
        Expr::Array(array) => array.elems.iter().all(tells_itself),
        Expr::Tuple(tuple) => tuple.elems.iter().all(tells_itself),
        Expr::Repeat(repeat) => tells_itself(&repeat.expr),
        Expr::Cast(cast) => tells_itself(&cast.expr),
        Expr::Range(range) => range
            .start
            .iter()
            .chain(&range.end)
            .all(|end| tells_itself(end)),
        Expr::Struct(value) => value.fields.iter().all(|field| tells_itself(&field.expr)),
        // `None`, `Kind::Word`, `usize::MAX`, but not a variable.
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_none_or(|name| name.to_string().starts_with(char::is_uppercase)),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(path) if path.path.segments.len() > 1 || tells_itself(&call.func))
                && call.args.iter().all(tells_itself)
        }
        Expr::MethodCall(call) => {
            tells_itself(&call.receiver) && call.args.iter().all(tells_itself)
        }
        Expr::Macro(call) => {
            let is_list = call.mac.path.is_ident("vec");
            let arguments = crate::macros::Arguments::of(&call.mac);
            is_list
                && arguments
                    .iter()
                    .flat_map(crate::macros::Arguments::expressions)
                    .all(tells_itself)
        }
        _ => false,
    }
}

/// Returns whether a literal has exactly one possible type.
fn has_its_type(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => !number.suffix().is_empty(),
            Lit::Float(number) => !number.suffix().is_empty(),
            _ => true,
        },
        _ => false,
    }
}

/// Returns whether the iterator of a list is given for a program's iterator over something else,
/// such as parts of a string: few of those can be constructed in the middle of an iteration.
fn stands_for_an_iterator(value: &Expr, source: Source<'_>) -> bool {
    fn last_call(expression: &Expr) -> Option<&Ident> {
        match expression {
            Expr::MethodCall(call) if call.method == "peekable" => last_call(&call.receiver),
            Expr::MethodCall(call) => Some(&call.method),
            _ => None,
        }
    }
    let Source::Let(local) = source else {
        return false;
    };
    let made_by = local.init.as_ref().and_then(|init| last_call(&init.expr));
    last_call(value).is_some_and(|call| call == "into_iter")
        && made_by.is_some_and(|call| call != "into_iter")
}

/// Returns whether a value is a literal, which a plain `let` can hold.
fn has_no_temporaries(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(&*unary.expr, Expr::Lit(_)),
        Expr::Reference(reference) => {
            reference.mutability.is_none() && has_no_temporaries(&reference.expr)
        }
        _ => false,
    }
}

impl Prepared {
    /// Returns code that stores the value of the input for failure messages.
    fn shown(&self) -> TokenStream {
        let (name, text) = match &self.slot {
            Slot::Variable(name) | Slot::Formatter(name) => (quote!(#name), name.to_string()),
            Slot::Local(name) => (quote!(#name), self.text.clone()),
            Slot::Receiver(None) => (quote!(__situ_self), "self".into()),
            Slot::Receiver(Some(_)) => (quote!(__situ_value_of_self), "self".into()),
        };
        quote!(__situ.input(#text, ::situ::rt::Show::new(&#name).shown());)
    }
}

impl Inputs {
    /// Returns the formatters among the inputs.
    pub fn formatters(&self) -> impl Iterator<Item = &Ident> {
        self.prepared.iter().filter_map(|input| match &input.slot {
            Slot::Formatter(name) => Some(name),
            _ => None,
        })
    }

    /// Wraps code in the inputs. Each is bound by `match`, not by `let`, so that temporaries in its
    /// value live as long as the test.
    pub fn around(&self, inner: TokenStream) -> TokenStream {
        self.prepared.iter().rev().fold(inner, |inner, input| {
            let value = &input.value;
            if let Slot::Formatter(name) = &input.slot {
                return formatter::around(name, value, &inner);
            }
            let typed = match (&input.known, value) {
                (Known::Nothing, Expr::Closure(_)) => quote!(#value),
                (known, value) => known.give(&value.to_token_stream()),
            };
            if let (Slot::Variable(name) | Slot::Local(name), true) = (&input.slot, has_no_temporaries(value)) {
                match &input.known {
                    Known::Declared(ty) => return quote!(let mut #name: #ty = #value; #inner),
                    Known::Nothing => return quote!(let mut #name = #value; #inner),
                    Known::Like(code) => return quote!(let mut #name = if false { #code } else { #value }; #inner),
                    Known::Place(_) | Known::Opaque(_) | Known::Traits(_) => {}
                }
            }
            let declaration = input.known.declaration();
            let shown = (!tells_itself(value)).then(|| input.shown());
            match &input.slot {
                Slot::Variable(name) | Slot::Local(name) if declaration.is_empty() => {
                    quote!(match #typed { mut #name => { #inner } })
                }
                Slot::Variable(name) | Slot::Local(name) => quote!({ #declaration match #typed { mut #name => { #inner } } }),
                Slot::Formatter(_) => inner,
                Slot::Receiver(None) => quote!(match #typed { mut __situ_self => { #shown #inner } }),
                Slot::Receiver(Some(Borrow::Shared)) => {
                    quote!(match #typed { __situ_value_of_self => { #shown let __situ_self = &__situ_value_of_self; #inner } })
                }
                Slot::Receiver(Some(Borrow::Mutable)) => {
                    quote!(match #typed { mut __situ_value_of_self => { #shown let __situ_self = &mut __situ_value_of_self; #inner } })
                }
            }
        })
    }
}
