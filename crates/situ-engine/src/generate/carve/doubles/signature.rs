//! The methods of a trait, written for a double in another module.

use super::collaborator::Collaborator;
use crate::generate::carve::find::declared::{Declared, DeclaredTrait};
use crate::generate::carve::refusal::{CarveRefusal, TraitObstacle};
use crate::source::parse_part;
use crate::values::{TestModule, TypeTable, written_type};
use quote::ToTokens as _;
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericArgument, Lifetime, Pat, Path, PathArguments, ReturnType, Signature, TraitItem,
    TraitItemFn, Type, TypeParamBound, TypeReference,
};

/// A method that a double has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// How it takes `self`: `&self`.
    pub receiver: String,
    /// Its other parameters, with their types.
    pub parameters: Vec<(String, String)>,
    /// The return type; `None` for `()`.
    pub answer: Option<String>,
    /// How an answer is returned.
    pub giving: Giving,
    /// Whether the trait has a body for it.
    pub is_provided: bool,
    /// The trait that it belongs to: its own, or a supertrait.
    pub of_trait: String,
}

/// How a method returns its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Giving {
    /// Directly.
    Plain,
    /// By an `async fn`.
    Async,
    /// By a boxed future of this type.
    Boxed(String),
}

/// Returns all methods of a collaborator's trait and its supertraits, and these traits; or why
/// there is no double of it.
pub(crate) fn methods(
    own: &Collaborator<'_>,
    declared: &Declared,
    here: &TestModule,
    types: &TypeTable,
) -> Result<(Vec<Method>, Vec<String>), CarveRefusal> {
    let (mut methods, mut traits) = (Vec::new(), Vec::new());
    let mut left = vec![(own.of_trait, own.arguments.clone())];
    while let Some((of_trait, arguments)) = left.pop() {
        let writer = Writer {
            of_trait,
            arguments: &arguments,
            here,
            types,
        };
        let name = writer.trait_name();
        if !traits.contains(&name) {
            methods.extend(methods_of(&writer, &name)?);
            traits.push(name);
            left.extend(
                asked_for(of_trait, declared)
                    .into_iter()
                    .map(|of_trait| (of_trait, Vec::new())),
            );
        }
    }
    Ok((methods, traits))
}

/// Returns the supertraits that are traits of the workspace.
fn asked_for<'d>(of_trait: &DeclaredTrait, declared: &'d Declared) -> Vec<&'d DeclaredTrait> {
    let names = of_trait
        .item
        .supertraits
        .iter()
        .filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last(),
            _ => None,
        });
    names
        .filter_map(|last| declared.of_name(&last.ident.to_string()))
        .collect()
}

fn methods_of(writer: &Writer<'_>, name: &str) -> Result<Vec<Method>, CarveRefusal> {
    let of_trait = writer.of_trait;
    let no_double = |obstacle: TraitObstacle| {
        Err(CarveRefusal::NoDouble {
            of_trait: of_trait.item.ident.to_string(),
            obstacle,
        })
    };
    if of_trait.item.generics.params.len() != writer.arguments.len() {
        return no_double(TraitObstacle::Generic);
    }
    let is_usual = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound
                .path
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default();
            ["Send", "Sync", "Sized", "Unpin", "Debug"].contains(&last.as_str())
                || writer.is_declared(bound)
        }
        _ => true,
    };
    if !of_trait.item.supertraits.iter().all(is_usual) {
        return no_double(TraitObstacle::Supertraits);
    }
    let mut methods = Vec::new();
    for item in &of_trait.item.items {
        match item {
            TraitItem::Fn(method) => match (written(writer, method), &method.default) {
                (Some(method), _) => methods.push(Method {
                    of_trait: name.to_owned(),
                    ..method
                }),
                (None, Some(_)) => {}
                (None, None) => {
                    return no_double(TraitObstacle::Method(method.sig.ident.to_string()));
                }
            },
            _ => return no_double(TraitObstacle::AssociatedItems),
        }
    }
    Ok(methods)
}

fn written(writer: &Writer<'_>, method: &TraitItemFn) -> Option<Method> {
    let signature = &method.sig;
    if signature.generics.type_params().next().is_some()
        || signature.generics.const_params().next().is_some()
    {
        return None;
    }
    let mut parameters = Vec::new();
    for (number, input) in signature.inputs.iter().enumerate() {
        if let FnArg::Typed(typed) = input {
            let name = match &*typed.pat {
                Pat::Ident(name) => name.ident.to_string().trim_start_matches('_').to_owned(),
                _ => format!("argument_{number}"),
            };
            parameters.push((name, writer.written(&typed.ty, None)?));
        }
    }
    let receiver = signature.receiver()?;
    let (answer, giving) = writer.output(signature)?;
    Some(Method {
        name: signature.ident.to_string(),
        receiver: receiver_text(receiver)?.to_owned(),
        parameters,
        answer,
        giving,
        is_provided: method.default.is_some(),
        of_trait: String::new(),
    })
}

/// Returns `&self`, `&mut self` or `self`, or `None` for `self: Arc<Self>`.
fn receiver_text(receiver: &syn::Receiver) -> Option<&'static str> {
    let text = receiver.to_token_stream().to_string();
    match (
        text.contains(':'),
        text.contains('&'),
        text.contains("mut "),
    ) {
        (true, _, _) => None,
        (false, true, true) => Some("&mut self"),
        (false, true, false) => Some("&self"),
        (false, false, _) => Some("self"),
    }
}

/// Formats tokens as people write them.
pub(crate) fn tidy(text: &str) -> String {
    let pairs = [
        (" :: ", "::"),
        ("& ", "&"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("[ ", "["),
        (" ]", "]"),
    ];
    let brackets = [
        ("( ", "("),
        (" )", ")"),
        (" ;", ";"),
        (" (", "("),
        ("->(", "-> ("),
        (",(", ", ("),
    ];
    let pairs = pairs.iter().chain(&brackets);
    pairs.fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A writer of a trait's types for another module.
struct Writer<'w> {
    of_trait: &'w DeclaredTrait,
    /// The generic arguments of the trait, as tests write them.
    arguments: &'w [Type],
    here: &'w TestModule,
    types: &'w TypeTable,
}

impl Writer<'_> {
    /// Returns the trait with its generic arguments.
    fn trait_name(&self) -> String {
        let own = self.of_trait;
        let path = written_type(&own.path(), self.here, self.types)
            .unwrap_or_else(|| own.item.ident.to_string());
        let arguments = self
            .arguments
            .iter()
            .map(|argument| tidy(&argument.to_token_stream().to_string()));
        let arguments: Vec<String> = arguments.collect();
        if arguments.is_empty() {
            path
        } else {
            format!("{path}<{}>", arguments.join(", "))
        }
    }

    /// Returns whether a bound is a plain trait of the workspace, as far as its module tells.
    fn is_declared(&self, bound: &syn::TraitBound) -> bool {
        let is_plain = bound
            .path
            .segments
            .last()
            .is_some_and(|last| last.arguments.is_none());
        let is_own = |path: String| path.starts_with(&format!("{}::", self.of_trait.krate));
        is_plain && self.whole(&bound.path).is_some_and(is_own)
    }

    fn output(&self, signature: &Signature) -> Option<(Option<String>, Giving)> {
        let plain = if signature.asyncness.is_some() {
            Giving::Async
        } else {
            Giving::Plain
        };
        let ReturnType::Type(_, output) = &signature.output else {
            return Some((None, plain));
        };
        let shown = self.behind_alias(output);
        if let Some(inner) = future_of(&shown) {
            let is_boxed = !matches!(&**output, Type::ImplTrait(_));
            let whole = self.written(output, Some("'_"))?;
            let answer =
                Some(self.written(&inner, Some("'static"))?).filter(|answer| answer != "()");
            return Some((
                answer,
                if is_boxed {
                    Giving::Boxed(whole)
                } else {
                    Giving::Async
                },
            ));
        }
        let answer = self.written(output, Some("'static"))?;
        Some((Some(answer).filter(|answer| answer != "()"), plain))
    }

    /// Returns the type behind an alias in the trait's module.
    fn behind_alias(&self, of_type: &Type) -> Type {
        let Type::Path(path) = of_type else {
            return of_type.clone();
        };
        let last = path
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default();
        self.of_trait
            .aliases
            .get(&last)
            .cloned()
            .unwrap_or_else(|| of_type.clone())
    }

    /// Writes a type; its references get this lifetime, or an elided one.
    fn written(&self, of_type: &Type, lifetime: Option<&'static str>) -> Option<String> {
        let mut of_type = of_type.clone();
        Lifetimes { kept: lifetime }.visit_type_mut(&mut of_type);
        let mut paths = Paths {
            writer: self,
            is_lost: false,
        };
        paths.visit_type_mut(&mut of_type);
        Arguments {
            of_trait: self.of_trait,
            arguments: self.arguments,
        }
        .visit_type_mut(&mut of_type);
        (!paths.is_lost).then(|| tidy(&of_type.to_token_stream().to_string()))
    }

    /// Returns the whole path of a name in the trait's module.
    fn whole(&self, path: &Path) -> Option<String> {
        let words: Vec<String> = path
            .segments
            .iter()
            .map(|word| word.ident.to_string())
            .collect();
        let DeclaredTrait {
            krate,
            module,
            imports,
            beside,
            ..
        } = self.of_trait;
        let (first, rest) = words.split_first()?;
        let inside = |module: &[String], rest: &[String]| {
            [krate.clone()]
                .iter()
                .chain(module)
                .chain(rest)
                .cloned()
                .collect::<Vec<_>>()
                .join("::")
        };
        if let Some(path) = imports.path_of(first) {
            let path = path
                .strip_prefix("crate::")
                .map_or(path.to_owned(), |path| format!("{krate}::{path}"));
            return Some(
                [path]
                    .into_iter()
                    .chain(rest.iter().cloned())
                    .collect::<Vec<_>>()
                    .join("::"),
            );
        }
        match first.as_str() {
            "crate" => Some(inside(&[], rest)),
            "self" => Some(inside(module, rest)),
            "super" => Some(inside(module.split_last()?.1, rest)),
            _ if beside.contains(first) => Some(inside(module, &words)),
            _ => None,
        }
    }
}

/// Returns the output of a future: of `impl Future<Output = T>`, `Pin<Box<dyn Future<Output = T>>>`
/// or `BoxFuture<'_, T>`.
fn future_of(output: &Type) -> Option<Type> {
    let of_bounds = |bounds: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>| {
        bounds.iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                let last = bound
                    .path
                    .segments
                    .last()
                    .filter(|last| last.ident == "Future")?;
                let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                    return None;
                };
                arguments.args.iter().find_map(|argument| match argument {
                    GenericArgument::AssocType(output) if output.ident == "Output" => {
                        Some(output.ty.clone())
                    }
                    _ => None,
                })
            }
            _ => None,
        })
    };
    match output {
        Type::ImplTrait(object) => of_bounds(&object.bounds),
        Type::TraitObject(object) => of_bounds(&object.bounds),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            let inner = arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            })?;
            match last.ident.to_string().as_str() {
                "Pin" | "Box" => future_of(inner),
                "BoxFuture" | "LocalBoxFuture" => Some(inner.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A visitor that gives all lifetimes one name, or none.
struct Lifetimes {
    kept: Option<&'static str>,
}

impl VisitMut for Lifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        reference.lifetime = self
            .kept
            .filter(|kept| *kept != "'_")
            .map(|kept| Lifetime::new(kept, reference.and_token.spans[0]));
        self.visit_type_mut(&mut reference.elem);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = Lifetime::new(self.kept.unwrap_or("'_"), lifetime.span());
    }
}

/// A visitor that replaces the parameters of a trait by its arguments.
struct Arguments<'a> {
    of_trait: &'a DeclaredTrait,
    arguments: &'a [Type],
}

impl VisitMut for Arguments<'_> {
    fn visit_type_mut(&mut self, of_type: &mut Type) {
        let parameters = self.of_trait.item.generics.type_params();
        let own = parameters.zip(self.arguments).find(
            |(parameter, _)| matches!(of_type, Type::Path(path) if path.path.get_ident() == Some(&parameter.ident)),
        );
        match own {
            Some((_, argument)) => *of_type = argument.clone(),
            None => visit_mut::visit_type_mut(self, of_type),
        }
    }
}

/// A visitor that writes all paths for the module of the double.
struct Paths<'p, 'w> {
    writer: &'p Writer<'w>,
    is_lost: bool,
}

impl VisitMut for Paths<'_, '_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        self.is_lost |= path
            .segments
            .first()
            .is_some_and(|first| first.ident == "Self");
        let Some(whole) = self.writer.whole(path) else {
            return;
        };
        let here = written_type(&whole, self.writer.here, self.writer.types);
        let Some(mut new) = here.and_then(|text| parse_part::<Path>(&text).ok()) else {
            return;
        };
        if let (Some(new), Some(old)) = (new.segments.last_mut(), path.segments.last()) {
            new.arguments = old.arguments.clone();
        }
        *path = new;
    }
}
