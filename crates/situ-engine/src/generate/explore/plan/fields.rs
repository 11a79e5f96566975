//! Types that are constructed from their fields: enums, and structs without constructors.

use super::head::Head;
use super::sight::{Sight, hidden_shape};
use super::{CRATE, conditions, written};
use quote::ToTokens as _;
use std::fmt::Write as _;
use syn::{Attribute, Fields, Generics, Ident, ItemEnum, ItemStruct};

/// Returns the implementation for a struct.
pub(super) fn of_struct(item: &ItemStruct, sight: Sight) -> Option<String> {
    implementation(
        &item.attrs,
        &item.ident,
        &item.generics,
        &[("", &item.fields)],
        sight,
    )
}

/// Returns the implementation for an enum.
pub(super) fn of_enum(item: &ItemEnum) -> Option<String> {
    // A conditionally compiled variant would shift the numbers of those after it.
    if item
        .variants
        .iter()
        .any(|variant| !conditions(&variant.attrs).is_empty())
    {
        return None;
    }
    let names: Vec<(String, &Fields)> = item
        .variants
        .iter()
        .map(|variant| (variant.ident.to_string(), &variant.fields))
        .collect();
    let variants: Vec<(&str, &Fields)> = names
        .iter()
        .map(|(name, fields)| (name.as_str(), *fields))
        .collect();
    implementation(
        &item.attrs,
        &item.ident,
        &item.generics,
        &variants,
        Sight::Everywhere,
    )
}

fn implementation(
    attributes: &[Attribute],
    name: &Ident,
    parameters: &Generics,
    variants: &[(&str, &Fields)],
    sight: Sight,
) -> Option<String> {
    let head = Head::of_declared(name, parameters, "")?;
    let has_conditions = |fields: &Fields| {
        fields
            .iter()
            .any(|field| !conditions(&field.attrs).is_empty())
    };
    if variants.iter().any(|(_, fields)| has_conditions(fields)) {
        return None;
    }
    let head = head.under(attributes);
    let (head, bounds) = head.explored();
    let shape: String = variants
        .iter()
        .map(|(variant, fields)| shape(variant, fields))
        .collect();
    let build: String = variants
        .iter()
        .enumerate()
        .map(|(at, (variant, fields))| build(at, variant, fields))
        .collect();
    let tree: String = variants
        .iter()
        .enumerate()
        .map(|(at, (variant, fields))| tree(at, variant, fields))
        .collect();
    Some(written(
        &head,
        bounds,
        &format!(
            "{}let name = ::{CRATE}::Shapes::name::<Self>(); ::{CRATE}::Shape::Choice {{ variants: ::{CRATE}::standard::vec![{shape}] }}",
            sight.guard(&hidden_shape())
        ),
        &format!(
            "let ::{CRATE}::Tree::Node(variant, parts) = tree else {{ return None }}; \
             match variant {{ {build} _ => None }}"
        ),
        &if variants.is_empty() {
            "None".to_owned()
        } else {
            format!("match self {{ {tree} }}")
        },
    ))
}

/// `Self`, or one of its variants.
fn path(variant: &str) -> String {
    if variant.is_empty() {
        "Self".to_owned()
    } else {
        format!("Self::{variant}")
    }
}

fn shape(variant: &str, fields: &Fields) -> String {
    let written = if variant.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{}}::{variant}")
    };
    let form = match fields {
        Fields::Unit => format!("Unit(format!({written:?}, name))"),
        Fields::Unnamed(_) => format!("Call(format!({written:?}, name))"),
        Fields::Named(_) => {
            let names: String = fields.iter().filter_map(|field| field.ident.as_ref()).fold(
                String::new(),
                |mut all, name| {
                    let _ = write!(
                        all,
                        "::{CRATE}::standard::string::String::from({:?}), ",
                        name.to_string()
                    );
                    all
                },
            );
            format!(
                "Named(::{CRATE}::standard::format!({written:?}, name), ::{CRATE}::standard::vec![{names}])"
            )
        }
    };
    let parts: String = fields
        .iter()
        .map(|field| format!("{}.id(shapes), ", slot_of(&field.ty)))
        .collect();
    format!(
        "::{CRATE}::Variant::new(::{CRATE}::Form::{form}, ::{CRATE}::standard::vec![{parts}]), "
    )
}

fn build(at: usize, variant: &str, fields: &Fields) -> String {
    let parts = fields.iter().enumerate().map(|(at, field)| {
        let name = field
            .ident
            .as_ref()
            .map(|name| format!("{name}: "))
            .unwrap_or_default();
        format!("{name}{}.build(parts.get({at})?)?, ", slot_of(&field.ty))
    });
    let parts: String = parts.collect();
    let made = match fields {
        Fields::Unit => path(variant),
        Fields::Unnamed(_) => format!("{}({parts})", path(variant)),
        Fields::Named(_) => format!("{} {{ {parts} }}", path(variant)),
    };
    format!("{at} => Some({made}), ")
}

fn tree(at: usize, variant: &str, fields: &Fields) -> String {
    let bindings = fields
        .iter()
        .enumerate()
        .map(|(at, field)| match &field.ident {
            Some(name) => format!("{name}: part_{at}, "),
            None => format!("part_{at}, "),
        });
    let bindings: String = bindings.collect();
    let pattern = match fields {
        Fields::Unit => path(variant),
        Fields::Unnamed(_) => format!("{}({bindings})", path(variant)),
        Fields::Named(_) => format!("{} {{ {bindings} }}", path(variant)),
    };
    let parts: String = (0..fields.len())
        .map(|at| format!("(&&::{CRATE}::Seen(part_{at})).tree()?, "))
        .collect();
    format!("{pattern} => Some(::{CRATE}::Tree::Node({at}, ::{CRATE}::standard::vec![{parts}])), ")
}

/// Returns the expression that selects a type's generator.
pub(super) fn slot(of: &str) -> String {
    format!("(&&&&::{CRATE}::Slot::<{of}>::new())")
}

fn slot_of(of: &syn::Type) -> String {
    slot(&of.to_token_stream().to_string())
}
