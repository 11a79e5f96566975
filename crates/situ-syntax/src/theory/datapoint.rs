//! `#[datapoint]` and `#[datapoints]`: the item stays, and is entered into the registry of a test build.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;

use super::{not_an_item, words};
use crate::mistakes::Mistakes;

/// Whether the item is a value or a list of them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Number {
    One,
    Several,
}

/// Groups, and whether a value that fails to build is left out.
#[derive(Default)]
struct Options {
    groups: Vec<String>,
    skip_failing: bool,
}

/// Both attributes.
pub(super) fn expand(attribute: TokenStream, item: TokenStream, number: Number) -> TokenStream {
    let Ok(parsed) = syn::parse2::<syn::Item>(item.clone()) else {
        return not_an_item(&item, words::DATA_POINT_ITEMS);
    };
    let mut mistakes = Mistakes::default();
    let options = Options::read(attribute, &mut mistakes);
    let entered = entered(&parsed, number, &mut mistakes);
    let rest = match entered {
        Some(entered) if mistakes.is_empty() => entry(&entered, &options),
        _ => mistakes.to_compile_errors(),
    };
    // Theories may be the only ones to use it, and they are gone outside of tests.
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
                    input.parse::<syn::Token![,]>().map_err(|error| wrong(error.span()))?;
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

/// What the registry needs of an item.
struct Entered {
    name: syn::Ident,
    /// `#[cfg]`s hold for the entry too.
    conditions: Vec<syn::Attribute>,
    value_type: TokenStream,
    /// Takes the name and the flag.
    provider: fn(&Entered, TokenStream) -> TokenStream,
    make: TokenStream,
}

fn entered(item: &syn::Item, number: Number, mistakes: &mut Mistakes) -> Option<Entered> {
    let (name, attributes, make) = match item {
        syn::Item::Const(item) => {
            let name = &item.ident;
            let elements = elements(number, Some(&item.ty));
            (name, &item.attrs, quote_spanned!(name.span()=> || #name #elements))
        }
        syn::Item::Fn(item) => {
            check_function(&item.sig, mistakes);
            let name = &item.sig.ident;
            let returned = match &item.sig.output {
                syn::ReturnType::Type(_, returned) => Some(&**returned),
                syn::ReturnType::Default => None,
            };
            let make = match elements(number, returned) {
                Some(elements) => quote_spanned!(name.span()=> || #name() #elements),
                None => quote!(#name),
            };
            (name, &item.attrs, make)
        }
        syn::Item::Static(item) => {
            if let syn::StaticMutability::Mut(keyword) = &item.mutability {
                mistakes.add(keyword.span(), words::STATIC_MUT);
                return None;
            }
            return Some(static_entered(item, number));
        }
        other => {
            mistakes.add(other.span(), words::DATA_POINT_ITEMS);
            return None;
        }
    };
    let (value_type, provider): (_, fn(&Entered, TokenStream) -> TokenStream) = match number {
        Number::One => (quote!(type_of_one), |entered, how| {
            let make = &entered.make;
            quote!(::situ::theory::generated::one(#how, #make))
        }),
        Number::Several => (quote!(type_of_several), |entered, how| {
            let make = &entered.make;
            quote!(::situ::theory::generated::several(#how, #make))
        }),
    };
    let value_type = quote_spanned!(name.span()=> ::situ::theory::generated::#value_type(#make));
    Some(Entered { name: name.clone(), conditions: conditions(attributes), value_type, provider, make })
}

/// A reference to a list gives references to its elements, and it is the elements that are the data points.
fn elements(number: Number, declared: Option<&syn::Type>) -> Option<TokenStream> {
    let is_reference = matches!(declared, Some(syn::Type::Reference(_)));
    (number == Number::Several && is_reference).then(|| quote!(.iter().cloned()))
}

/// A `static` cannot be moved out of: its clone is the data point, or the reference to it.
fn static_entered(item: &syn::ItemStatic, number: Number) -> Entered {
    let name = &item.ident;
    let conditions = conditions(&item.attrs);
    if number == Number::Several {
        let make = quote_spanned!(name.span()=> || #name.iter().cloned());
        let value_type = quote!(::situ::theory::generated::type_of_several(#make));
        let provider: fn(&Entered, TokenStream) -> TokenStream = |entered, how| {
            let make = &entered.make;
            quote!(::situ::theory::generated::several(#how, #make))
        };
        return Entered { name: name.clone(), conditions, value_type, provider, make };
    }
    let lazy = matches!(&*item.ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "LazyLock"));
    let place = if lazy { quote!(&*#name) } else { quote!(&#name) };
    let make = quote_spanned!(name.span()=> (&&::situ::theory::generated::StaticPoint(#place)));
    let value_type = quote!(#make.value_type());
    let provider: fn(&Entered, TokenStream) -> TokenStream = |entered, how| {
        let make = &entered.make;
        quote!(#make.provider(#how))
    };
    Entered { name: name.clone(), conditions, value_type, provider, make }
}

fn conditions(attributes: &[syn::Attribute]) -> Vec<syn::Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

fn check_function(signature: &syn::Signature, mistakes: &mut Mistakes) {
    if !signature.inputs.is_empty() {
        mistakes.add(signature.inputs.span(), words::DATA_POINT_WITHOUT_PARAMETERS);
    }
    if !signature.generics.params.is_empty() {
        mistakes.add(signature.generics.params.span(), words::DATA_POINT_WITHOUT_GENERICS);
    }
    if let Some(keyword) = &signature.asyncness {
        mistakes.add(keyword.span(), words::DATA_POINT_IS_PLAIN);
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        mistakes.add(keyword.span(), words::DATA_POINT_IS_PLAIN);
    }
    if matches!(signature.output, syn::ReturnType::Default) {
        mistakes.add(signature.ident.span(), words::DATA_POINT_GIVES_SOMETHING);
    }
}

fn entry(entered: &Entered, options: &Options) -> TokenStream {
    let Entered { name, conditions, value_type, provider, .. } = entered;
    let (groups, skip_failing) = (&options.groups, options.skip_failing);
    let text = name.to_string();
    let provider = provider(entered, quote!(#text, #skip_failing));
    let line = quote_spanned!(name.span()=> ::core::line!());
    quote! {
        #(#conditions)*
        #[cfg(test)]
        const _: () = {
            #[allow(unused_imports)]
            use ::situ::theory::generated::{StaticByClone as _, StaticByReference as _};

            #[::situ::theory::generated::linkme::distributed_slice(::situ::theory::generated::DATA_POINTS)]
            #[linkme(crate = ::situ::theory::generated::linkme)]
            static ENTRY: ::situ::theory::generated::Entry = ::situ::theory::generated::Entry {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                name: #text,
                groups: &[#(#groups),*],
                value_type: || #value_type,
                provider: || #provider,
            };
        };
    }
}
