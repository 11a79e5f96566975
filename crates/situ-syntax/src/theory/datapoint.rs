//! `#[datapoint]` and `#[datapoints]`: the item stays, and is registered in a test build.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;

use super::{not_an_item, with_error, words};
use crate::depth;
use crate::mistakes::Mistakes;

/// Whether the item is a value or a list of them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Number {
    One,
    Several,
}

/// Groups, and whether a value that fails to build is ignored.
#[derive(Default)]
struct Options {
    groups: Vec<String>,
    skip_failing: bool,
}

/// Expands either attribute.
pub(super) fn expand(attribute: TokenStream, item: TokenStream, number: Number) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return with_error(&error, &item);
    }
    let Ok(parsed) = syn::parse2::<syn::Item>(item.clone()) else {
        return not_an_item(&item, words::DATA_POINT_ITEMS);
    };
    let mut mistakes = Mistakes::default();
    let options = Options::read(attribute, &mut mistakes);
    let point = Point::check(&parsed, number, &mut mistakes);
    let rest = match point {
        Some(point) if mistakes.is_empty() => point.entry(&options),
        _ => mistakes.to_compile_errors(),
    };
    // Theories may be its only users, and they exist only in tests.
    quote! {
        #[allow(dead_code)]
        #item
        #rest
    }
}

impl Options {
    fn read(attribute: TokenStream, mistakes: &mut Mistakes) -> Self {
        let mut options = Self::default();
        let read = |input: ParseStream<'_>| -> syn::Result<()> {
            while !input.is_empty() {
                options.read_one(input, mistakes)?;
                if !input.is_empty() {
                    input
                        .parse::<syn::Token![,]>()
                        .map_err(|error| wrong(error.span()))?;
                }
            }
            Ok(())
        };
        if let Err(error) = read.parse2(attribute) {
            mistakes.add_error(error);
        }
        options
    }

    fn read_one(&mut self, input: ParseStream<'_>, mistakes: &mut Mistakes) -> syn::Result<()> {
        if input.peek(syn::LitStr) {
            let group: syn::LitStr = input.parse()?;
            if group.value().is_empty() {
                mistakes.add(group.span(), words::EMPTY_GROUP);
            }
            self.groups.push(group.value());
            return Ok(());
        }
        let span = input.span();
        let word: syn::Ident = input.parse().map_err(|_| wrong(span))?;
        if word != "skip_failing" {
            return Err(wrong(span));
        }
        self.skip_failing = true;
        Ok(())
    }
}

fn wrong(span: proc_macro2::Span) -> syn::Error {
    syn::Error::new(span, words::DATA_POINT_OPTIONS)
}

/// An item that can be registered.
struct Point<'a> {
    name: &'a syn::Ident,
    attributes: &'a [syn::Attribute],
    made: Made,
}

/// The expression of its values: a function that returns them, or a reference to a `static`.
enum Made {
    One(TokenStream),
    Several(TokenStream),
    Static(TokenStream),
}

impl<'a> Point<'a> {
    fn check(item: &'a syn::Item, number: Number, mistakes: &mut Mistakes) -> Option<Self> {
        match item {
            syn::Item::Const(item) => {
                let (name, elements) = (&item.ident, elements(number, &item.ty));
                let make = quote_spanned!(name.span()=> || #name #elements);
                Some(Self {
                    name,
                    attributes: &item.attrs,
                    made: Made::of(number, make),
                })
            }
            syn::Item::Fn(item) => {
                let returned = check_function(&item.sig, mistakes)?;
                let name = &item.sig.ident;
                let make = match elements(number, returned) {
                    Some(elements) => quote_spanned!(name.span()=> || #name() #elements),
                    None => quote!(#name),
                };
                Some(Self {
                    name,
                    attributes: &item.attrs,
                    made: Made::of(number, make),
                })
            }
            syn::Item::Static(item) => {
                if let syn::StaticMutability::Mut(keyword) = &item.mutability {
                    mistakes.add(keyword.span(), words::STATIC_MUT);
                }
                Some(Self {
                    name: &item.ident,
                    attributes: &item.attrs,
                    made: Made::of_static(item, number),
                })
            }
            other => {
                mistakes.add(other.span(), words::DATA_POINT_ITEMS);
                None
            }
        }
    }
}

impl Made {
    fn of(number: Number, make: TokenStream) -> Self {
        match number {
            Number::One => Self::One(make),
            Number::Several => Self::Several(make),
        }
    }

    /// Returns the expression for a `static`, which cannot be moved out of: its clone is the data
    /// point, or the reference to it.
    fn of_static(item: &syn::ItemStatic, number: Number) -> Self {
        let name = &item.ident;
        if number == Number::Several {
            return Self::Several(quote_spanned!(name.span()=> || #name.iter().cloned()));
        }
        let is_lazy = match &*item.ty {
            syn::Type::Path(path) => path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "LazyLock"),
            _ => false,
        };
        let place = if is_lazy {
            quote!(&*#name)
        } else {
            quote!(&#name)
        };
        Self::Static(
            quote_spanned!(name.span()=> (&&::situ::theory::generated::StaticPoint(#place))),
        )
    }
}

/// Returns the element type behind a reference to a list: the elements are the data points.
fn elements(number: Number, declared: &syn::Type) -> Option<TokenStream> {
    let is_reference = matches!(declared, syn::Type::Reference(_));
    (number == Number::Several && is_reference).then(|| quote!(.iter().cloned()))
}

/// Returns the return type of a data point function.
fn check_function<'a>(
    signature: &'a syn::Signature,
    mistakes: &mut Mistakes,
) -> Option<&'a syn::Type> {
    if !signature.inputs.is_empty() {
        mistakes.add(
            signature.inputs.span(),
            words::DATA_POINT_WITHOUT_PARAMETERS,
        );
    }
    if !signature.generics.params.is_empty() {
        mistakes.add(
            signature.generics.params.span(),
            words::DATA_POINT_WITHOUT_GENERICS,
        );
    }
    if let Some(keyword) = &signature.asyncness {
        mistakes.add(keyword.span(), words::DATA_POINT_IS_PLAIN);
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        mistakes.add(keyword.span(), words::DATA_POINT_IS_PLAIN);
    }
    match &signature.output {
        syn::ReturnType::Type(_, returned) => Some(returned),
        syn::ReturnType::Default => {
            mistakes.add(signature.ident.span(), words::DATA_POINT_GIVES_SOMETHING);
            None
        }
    }
}

impl Point<'_> {
    fn entry(&self, options: &Options) -> TokenStream {
        let Self {
            name,
            attributes,
            made,
        } = self;
        let Options {
            groups,
            skip_failing,
        } = options;
        let text = name.to_string();
        let (value_type, provider) = match made {
            Made::One(make) => (
                quote_spanned!(name.span()=> ::situ::theory::generated::type_of_one(#make)),
                quote!(::situ::theory::generated::one(#text, #skip_failing, #make)),
            ),
            Made::Several(make) => (
                quote_spanned!(name.span()=> ::situ::theory::generated::type_of_several(#make)),
                quote!(::situ::theory::generated::several(#text, #skip_failing, #make)),
            ),
            Made::Static(place) => (
                quote!(#place.value_type()),
                quote!(#place.provider(#text, #skip_failing)),
            ),
        };
        // The registration has the same conditions as the item.
        let conditions = attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"));
        let line = quote_spanned!(name.span()=> ::core::line!());
        quote! {
            #(#conditions)*
            #[cfg(test)]
            const _: () = {
                #[allow(unused_imports)]
                use ::situ::theory::generated::{StaticByClone as _, StaticByReference as _};

                ::situ::theory::generated::inventory::submit! {
                    ::situ::theory::generated::Entry {
                        module: ::core::module_path!(),
                        file: ::core::file!(),
                        line: #line,
                        name: #text,
                        groups: &[#(#groups),*],
                        value_type: || #value_type,
                        provider: || #provider,
                    }
                }
            };
        }
    }
}
