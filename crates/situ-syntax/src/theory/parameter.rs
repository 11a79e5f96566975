//! A parameter of a theory: its name, its type, and the source of its values.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;

use super::shape::{Shape, StubShape, has_impl_trait};
use super::words;
use crate::mistakes::Mistakes;
use crate::text::source_text;

/// A checked parameter.
pub(super) struct Parameter {
    /// Its name; for a pattern, the pattern's text.
    pub(super) name: String,
    pub(super) type_text: String,
    pub(super) type_span: proc_macro2::Span,
    /// Attributes for the supplier.
    pub(super) attributes: Vec<String>,
    pub(super) origin: Origin,
}

/// The source of a parameter's values.
pub(super) enum Origin {
    /// Data points, of one group if it is named.
    Points(Shape, Option<String>),
    Values(Shape, Vec<syn::Expr>),
    Supplier(Shape, Box<syn::Expr>),
    Stub(StubShape),
}

/// One of Situ's attributes on a parameter.
enum Marked {
    From(String),
    Values(Vec<syn::Expr>),
    Supplier(Box<syn::Expr>),
    Stub,
}

impl Parameter {
    /// Checks a parameter and removes its attributes.
    pub(super) fn check(argument: &mut syn::PatType, mistakes: &mut Mistakes) -> Option<Self> {
        let mut marked: Option<Marked> = None;
        let mut others = Vec::new();
        for attribute in std::mem::take(&mut argument.attrs) {
            match Marked::read(&attribute) {
                None if kept_by_the_compiler(&attribute) => argument.attrs.push(attribute),
                None => others.push(attribute),
                Some(Err(error)) => mistakes.add_error(error),
                Some(Ok(_)) if marked.is_some() => {
                    mistakes.add(attribute.path().span(), words::ONE_SOURCE)
                }
                Some(Ok(mark)) => marked = Some(mark),
            }
        }
        if !matches!(marked, Some(Marked::Supplier(_))) {
            for attribute in &others {
                let name = source_text(&attribute.path().to_token_stream());
                mistakes.add(attribute.path().span(), words::unknown_attribute(&name));
            }
        }
        let origin = Self::origin(&argument.ty, marked, mistakes)?;
        Some(Self {
            name: name_of(&argument.pat),
            type_text: source_text(&argument.ty.to_token_stream()),
            type_span: argument.ty.span(),
            attributes: others
                .iter()
                .map(|attribute| source_text(&attribute.meta.to_token_stream()))
                .collect(),
            origin,
        })
    }

    fn origin(
        declared: &syn::Type,
        marked: Option<Marked>,
        mistakes: &mut Mistakes,
    ) -> Option<Origin> {
        if let Some(Marked::Stub) = marked {
            let shape = StubShape::of(declared);
            if shape.is_none() {
                mistakes.add(declared.span(), words::STUB_SHAPES);
            }
            return shape.map(Origin::Stub);
        }
        if has_impl_trait(declared) {
            mistakes.add(declared.span(), words::IMPL_TRAIT_NEEDS_A_STUB);
            return None;
        }
        let shape = Shape::of(declared);
        Some(match marked {
            None | Some(Marked::Stub) => Origin::Points(shape, None),
            Some(Marked::From(group)) => Origin::Points(shape, Some(group)),
            Some(Marked::Values(values)) => Origin::Values(shape, values),
            Some(Marked::Supplier(supplier)) => Origin::Supplier(shape, supplier),
        })
    }
}

impl Marked {
    fn read(attribute: &syn::Attribute) -> Option<syn::Result<Self>> {
        let name = attribute.path().get_ident()?.to_string();
        let read = match name.as_str() {
            "from" => group(attribute),
            "values" => values(attribute),
            "supplier" => supplier(attribute),
            "stub" => match &attribute.meta {
                syn::Meta::Path(_) => Ok(Self::Stub),
                other => Err(syn::Error::new_spanned(other, words::STUB_TAKES_NOTHING)),
            },
            _ => return None,
        };
        Some(read)
    }
}

fn group(attribute: &syn::Attribute) -> syn::Result<Marked> {
    let wrong = |span| syn::Error::new(span, words::FROM_TAKES_A_GROUP);
    let tokens = inside(attribute).ok_or_else(|| wrong(attribute.path().span()))?;
    let group: syn::LitStr =
        syn::parse2(tokens.clone()).map_err(|_| wrong(first_span(&tokens, attribute)))?;
    Ok(Marked::From(group.value()))
}

fn values(attribute: &syn::Attribute) -> syn::Result<Marked> {
    let tokens = inside(attribute).unwrap_or_default();
    let values = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated.parse2(tokens)?;
    if values.is_empty() {
        return Err(syn::Error::new_spanned(
            attribute.path(),
            words::EMPTY_VALUES,
        ));
    }
    Ok(Marked::Values(values.into_iter().collect()))
}

fn supplier(attribute: &syn::Attribute) -> syn::Result<Marked> {
    let wrong = |span| syn::Error::new(span, words::SUPPLIER_TAKES_A_PATH);
    let tokens = inside(attribute).ok_or_else(|| wrong(attribute.path().span()))?;
    let supplier =
        syn::parse2(tokens.clone()).map_err(|_| wrong(first_span(&tokens, attribute)))?;
    Ok(Marked::Supplier(Box::new(supplier)))
}

fn inside(attribute: &syn::Attribute) -> Option<TokenStream> {
    attribute
        .meta
        .require_list()
        .ok()
        .map(|list| list.tokens.clone())
}

fn first_span(tokens: &TokenStream, attribute: &syn::Attribute) -> proc_macro2::Span {
    tokens
        .clone()
        .into_iter()
        .next()
        .map_or_else(|| attribute.path().span(), |first| first.span())
}

/// Returns whether the compiler itself allows an attribute on parameters.
fn kept_by_the_compiler(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    [
        "allow", "warn", "deny", "expect", "forbid", "cfg", "cfg_attr",
    ]
    .iter()
    .any(|name| path.is_ident(name))
}

fn name_of(pattern: &syn::Pat) -> String {
    match pattern {
        syn::Pat::Ident(name) => name.ident.to_string(),
        other => source_text(&other.to_token_stream()),
    }
}
