//! The head of an inserted `impl` block: its type, parameters and bounds.

use super::{CRATE, conditions};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, GenericParam, Generics, ItemImpl, PathArguments, Type};

/// The head of an inserted block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// `#[cfg(…)]` attributes, to be repeated.
    pub conditions: String,
    /// The type, as it is written where the block stands.
    pub of: String,
    /// Each parameter with its bounds, and whether it is a constant.
    parameters: Vec<(String, BTreeSet<String>, bool)>,
    /// The `where` clause.
    clause: String,
    /// The arguments of the type, without the names of types.
    arguments: String,
}

impl Head {
    /// Returns the head of a block for the type of another one; none for types that borrow.
    pub(super) fn of_block(block: &ItemImpl) -> Option<Head> {
        Some(Head::new(&block.generics, &block.self_ty)?.under(&block.attrs))
    }

    /// Returns the head of a block for a type as it is written somewhere.
    pub(super) fn of_type(of: &Type) -> Option<Head> {
        Head::new(&Generics::default(), of)
    }

    /// Returns the head of a block for a type where it is declared, whose parameters have a trait.
    pub(super) fn of_declared(name: &syn::Ident, generics: &Generics, also: &str) -> Option<Head> {
        let names = generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(_) => None,
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
        });
        let names = names.collect::<Option<Vec<_>>>()?.join(", ");
        let arguments = if names.is_empty() {
            String::new()
        } else {
            format!("<{names}>")
        };
        let of: Type = crate::source::parse_part(&format!("{name}{arguments}")).ok()?;
        let mut head = Head::new(generics, &of)?;
        for (_, bounds, is_constant) in &mut head.parameters {
            if !also.is_empty() && !*is_constant {
                bounds.insert(also.to_owned());
            }
        }
        Some(head)
    }

    /// Adds the conditions among attributes.
    pub(super) fn under(self, attributes: &[Attribute]) -> Head {
        Head {
            conditions: conditions(attributes),
            ..self
        }
    }

    fn new(generics: &Generics, of: &Type) -> Option<Head> {
        let Type::Path(path) = of else { return None };
        let arguments = match &path.path.segments.last()?.arguments {
            PathArguments::None => String::new(),
            arguments => arguments.to_token_stream().to_string(),
        };
        if arguments.contains('\'') {
            return None;
        }
        let mut parameters = Vec::new();
        for parameter in &generics.params {
            match parameter {
                // The type itself does not borrow.
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(parameter) => {
                    let bounds = parameter
                        .bounds
                        .iter()
                        .map(|bound| bound.to_token_stream().to_string())
                        .collect();
                    parameters.push((parameter.ident.to_string(), bounds, false));
                }
                GenericParam::Const(parameter) => {
                    let of = parameter.ty.to_token_stream().to_string();
                    parameters.push((parameter.ident.to_string(), BTreeSet::from([of]), true));
                }
            }
        }
        let clause = generics.where_clause.to_token_stream().to_string();
        let of = path.to_token_stream().to_string();
        Some(Head {
            conditions: String::new(),
            of,
            parameters,
            clause,
            arguments,
        })
    }

    /// Returns whether the bounds of this head satisfy those of another.
    pub(super) fn implies(&self, other: &Head) -> bool {
        let own: BTreeMap<&str, (&BTreeSet<String>, bool)> = self
            .parameters
            .iter()
            .map(|(name, bounds, is)| (name.as_str(), (bounds, *is)))
            .collect();
        let is_given = |(name, bounds, is_constant): &(String, BTreeSet<String>, bool)| {
            own.get(name.as_str())
                .is_some_and(|(known, is)| bounds.is_subset(known) && is == is_constant)
        };
        self.arguments == other.arguments
            && self.parameters.len() == other.parameters.len()
            && other.parameters.iter().all(is_given)
            && (other.clause.is_empty() || other.clause == self.clause)
    }

    /// Returns the beginning of an inherent `impl` block.
    pub(super) fn own(&self) -> String {
        format!(
            "{}impl{} {} {}",
            self.conditions,
            self.declared(),
            self.of,
            self.clause
        )
    }

    /// Returns the beginning of the block that implements `Explore`, and its `where` clause.
    pub(super) fn explored(&self) -> (String, &str) {
        (
            format!(
                "{}impl{} ::{CRATE}::Explore for {}",
                self.conditions,
                self.declared(),
                self.of
            ),
            &self.clause,
        )
    }

    /// `<T: Bound + Explore>`, empty where there are no parameters.
    fn declared(&self) -> String {
        if self.parameters.is_empty() {
            return String::new();
        }
        let one = |(name, bounds, is_constant): &(String, BTreeSet<String>, bool)| {
            let bounds: Vec<&str> = bounds.iter().map(String::as_str).collect();
            if *is_constant {
                return format!("const {name}: {}", bounds.join(""));
            }
            let all: Vec<String> = bounds
                .iter()
                .map(|bound| (*bound).to_owned())
                .chain([format!("::{CRATE}::Explore")])
                .collect();
            format!("{name}: {}", all.join(" + "))
        };
        format!(
            "<{}>",
            self.parameters
                .iter()
                .map(one)
                .collect::<Vec<_>>()
                .join(", ")
        )
    }
}
