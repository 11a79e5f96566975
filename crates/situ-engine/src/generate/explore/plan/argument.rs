//! Arguments of functions: the constructed type, how it is passed, and how it is written.

use super::CRATE;
use super::fields::slot;
use quote::ToTokens as _;
use std::collections::BTreeMap;
use syn::visit_mut::VisitMut;
use syn::{GenericParam, Signature, Type, WherePredicate};

/// The type that is constructed for an argument, and how it is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// A value of this type.
    Owned(String),
    /// A borrow of a value of this type.
    Borrowed(String),
    /// A string, written as a literal and passed as a `String` or a borrow of one.
    Text {
        /// Whether it is borrowed.
        borrowed: bool,
    },
    /// A slice of elements of this type.
    Slice(String),
}

/// The generic parameters of a function with their bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(BTreeMap<String, String>);

impl Parameters {
    /// Collects them, or returns `None` if there are constants, which cannot be chosen.
    pub(super) fn of(signature: &Signature) -> Option<Parameters> {
        let mut all = BTreeMap::new();
        for parameter in &signature.generics.params {
            match parameter {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(parameter) => {
                    all.insert(parameter.ident.to_string(), tight(&parameter.bounds));
                }
                GenericParam::Const(_) => return None,
            }
        }
        let predicates = signature
            .generics
            .where_clause
            .iter()
            .flat_map(|clause| &clause.predicates);
        for predicate in predicates {
            let WherePredicate::Type(predicate) = predicate else {
                continue;
            };
            let bounds = all.get_mut(&tight(&predicate.bounded_ty))?;
            let more = tight(&predicate.bounds);
            *bounds = if bounds.is_empty() {
                more
            } else {
                format!("{bounds}+{more}")
            };
        }
        Some(Parameters(all))
    }

    /// Returns whether a type needs one of them.
    fn are_in(&self, of: &Type) -> bool {
        let mut words = Vec::new();
        crate::source::targets::names_in(of.to_token_stream(), &mut words);
        words
            .iter()
            .any(|word| self.0.contains_key(&word.to_string()))
    }
}

impl Argument {
    /// Returns the arguments of a function without its receiver, or `None` if one cannot be
    /// constructed.
    pub(super) fn all(signature: &Signature) -> Option<Vec<Argument>> {
        let parameters = Parameters::of(signature)?;
        let typed = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(argument) => Some(&*argument.ty),
            syn::FnArg::Receiver(_) => None,
        });
        typed.map(|of| Argument::of(of, &parameters)).collect()
    }

    /// Returns the argument for this type, or `None` if no value can be constructed.
    pub(super) fn of(declared: &Type, parameters: &Parameters) -> Option<Argument> {
        match declared {
            Type::Paren(inner) => Argument::of(&inner.elem, parameters),
            Type::Reference(reference)
                if reference.mutability.is_some() || parameters.are_in(&reference.elem) =>
            {
                None
            }
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) => Some(Argument::Slice(written(&slice.elem))),
                Type::Path(path) if path.path.is_ident("str") => {
                    Some(Argument::Text { borrowed: true })
                }
                Type::Path(path)
                    if path
                        .path
                        .segments
                        .last()
                        .is_some_and(|last| last.ident == "Path") =>
                {
                    Some(Argument::Borrowed(
                        "::situ_explore::standard::path::PathBuf".to_owned(),
                    ))
                }
                Type::TraitObject(_) | Type::ImplTrait(_) => None,
                other => Some(Argument::Borrowed(written(other))),
            },
            Type::ImplTrait(bounds) => Argument::bounded(&tight(&bounds.bounds)),
            Type::Path(path) if path.path.get_ident().is_some() && parameters.are_in(declared) => {
                Argument::bounded(parameters.0.get(&path.path.get_ident()?.to_string())?)
            }
            other if parameters.are_in(other) => None,
            other => Some(Argument::Owned(written(other))),
        }
    }

    /// Returns an argument that satisfies the bounds.
    fn bounded(bounds: &str) -> Option<Argument> {
        let last = |bound: &str| {
            let path = bound.split('<').next().unwrap_or(bound);
            let name = path.rsplit("::").next().unwrap_or(path);
            format!("{name}{}", &bound[path.len()..])
        };
        match last(bounds).as_str() {
            "AsRef<str>" | "Into<String>" | "ToString" => Some(Argument::Text { borrowed: false }),
            "AsRef<Path>" | "Into<PathBuf>" => Some(Argument::Owned(
                "::situ_explore::standard::path::PathBuf".to_owned(),
            )),
            bounds => {
                let item = bounds
                    .strip_prefix("IntoIterator<Item=")
                    .or(bounds.strip_prefix("Into<Vec<"));
                let item = item?.trim_end_matches('>');
                // What had brackets of its own has lost them.
                (!item.contains('<'))
                    .then(|| Argument::Owned(format!("::{CRATE}::standard::vec::Vec<{item}>")))
            }
        }
    }

    /// Returns the shape of the argument.
    pub(super) fn id(&self) -> String {
        match self {
            Argument::Owned(of) => format!("{}.id(shapes)", slot(of)),
            Argument::Borrowed(of) => format!(
                "{{ let of = {}.id(shapes); shapes.borrowed(of) }}",
                slot(of)
            ),
            Argument::Text { .. } => "shapes.text()".to_owned(),
            Argument::Slice(of) => {
                format!("{{ let of = {}.id(shapes); shapes.slice(of) }}", slot(of))
            }
        }
    }

    /// Returns the argument as an expression, built from the part with this index of a variable
    /// `parts`.
    pub(super) fn value(&self, at: usize) -> String {
        let part = format!("parts.get({at})?");
        match self {
            Argument::Owned(of) => format!("{}.build({part})?", slot(of)),
            Argument::Borrowed(of) => format!("&{}.build(::{CRATE}::behind({part})?)?", slot(of)),
            Argument::Text { borrowed } => {
                let mark = if *borrowed { "&" } else { "" };
                format!(
                    "{mark}<::{CRATE}::standard::string::String as ::{CRATE}::Explore>::build({part})?"
                )
            }
            Argument::Slice(of) => format!(
                "&{}.build({part})?",
                slot(&format!("::{CRATE}::standard::vec::Vec<{of}>"))
            ),
        }
    }
}

/// Returns the text of tokens, without spaces.
pub(super) fn tight(tokens: &impl quote::ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(' ', "")
}

/// A type as it is written, without names for lifetimes.
pub(super) fn written(of: &Type) -> String {
    let mut of = of.clone();
    Unnamed.visit_type_mut(&mut of);
    of.to_token_stream().to_string()
}

/// A visitor that removes the names of lifetimes, which are not declared where the type is used.
struct Unnamed;

impl VisitMut for Unnamed {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            lifetime.ident = syn::Ident::new("_", lifetime.ident.span());
        }
    }
}
