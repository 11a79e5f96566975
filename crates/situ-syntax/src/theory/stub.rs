//! `#[stub]` and `stub!`: a type that implements a trait by guessing the answers.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;

use super::stub_method::Method;
use super::{not_an_item, with_error, words};
use crate::Purpose;
use crate::depth;
use crate::mistakes::{Mistakes, compile_errors};
use crate::text::source_text;

/// Expands `#[stub]`.
pub fn expand_stub(attribute: TokenStream, item: TokenStream, purpose: Purpose) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return with_error(&error, &item);
    }
    let Ok(parsed) = syn::parse2::<syn::ItemTrait>(item.clone()) else {
        return not_an_item(&item, words::STUB_IS_A_TRAIT);
    };
    let mut mistakes = Mistakes::default();
    if !attribute.is_empty() {
        mistakes.add(attribute.span(), words::STUB_OPTIONS);
    }
    let stubbed = Stubbed {
        conditions: parsed
            .attrs
            .iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .cloned()
            .collect(),
        unsafety: parsed.unsafety,
        path: parsed.ident.clone().into(),
        generics: parsed.generics,
        items: parsed.items,
    };
    let stub = stubbed.expand(mistakes, purpose);
    quote!(#item #stub)
}

/// Expands `stub!`.
pub fn expand_stub_for(item: TokenStream, purpose: Purpose) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return compile_errors(&error);
    }
    match syn::parse2::<Stubbed>(item) {
        Ok(stubbed) => stubbed.expand(Mistakes::default(), purpose),
        Err(error) => compile_errors(&syn::Error::new(error.span(), words::STUB_FOR_A_TRAIT)),
    }
}

/// A trait to stub, declared here or elsewhere.
struct Stubbed {
    conditions: Vec<syn::Attribute>,
    unsafety: Option<syn::Token![unsafe]>,
    path: syn::Path,
    generics: syn::Generics,
    items: Vec<syn::TraitItem>,
}

impl Parse for Stubbed {
    /// Parses a trait declaration whose name may be a path.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        let unsafety = input.parse()?;
        input.parse::<syn::Token![trait]>()?;
        let path = input.call(syn::Path::parse_mod_style)?;
        let generics = input.parse()?;
        if input.parse::<Option<syn::Token![:]>>()?.is_some() {
            while !input.peek(syn::token::Brace) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
        let body;
        syn::braced!(body in input);
        let mut items = Vec::new();
        while !body.is_empty() {
            items.push(body.parse()?);
        }
        let conditions = attributes
            .into_iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .collect();
        Ok(Self {
            conditions,
            unsafety,
            path,
            generics,
            items,
        })
    }
}

impl Stubbed {
    fn expand(&self, mut mistakes: Mistakes, purpose: Purpose) -> TokenStream {
        if let Some(keyword) = &self.unsafety {
            mistakes.add(keyword.span(), words::STUB_UNSAFE_TRAIT);
        }
        if !self.generics.params.is_empty() {
            mistakes.add(self.generics.params.span(), words::STUB_GENERIC_TRAIT);
        }
        let methods: Vec<TokenStream> = self
            .items
            .iter()
            .filter_map(|item| self.method(item, purpose, &mut mistakes))
            .collect();
        if !mistakes.is_empty() {
            return mistakes.to_compile_errors();
        }
        let (path, conditions) = (&self.path, &self.conditions);
        let debug = self.debug();
        quote! {
            #(#conditions)*
            const _: () = {
                /// Answers calls, or forwards them.
                #[allow(missing_docs, unreachable_pub)]
                pub enum Stub {
                    Guessing(::situ::theory::generated::StubCore),
                    Delegating(::situ::theory::generated::Box<dyn #path>),
                }

                impl #path for Stub {
                    #(#methods)*
                }

                #debug

                impl ::situ::theory::generated::Stubbed<Stub> for dyn #path {
                    type Stub = Stub;

                    fn guessing(core: ::situ::theory::generated::StubCore) -> Stub {
                        Stub::Guessing(core)
                    }

                    fn delegating(to: ::situ::theory::generated::Box<Self>) -> Stub {
                        Stub::Delegating(to)
                    }

                    fn boxed(stub: Stub) -> ::situ::theory::generated::Box<Self> {
                        ::situ::theory::generated::Box::new(stub)
                    }
                }
            };
        }
    }

    /// Returns the `Debug` implementation of a stub, unless it is a stub of `Debug`. It is the one
    /// supertrait that is common.
    fn debug(&self) -> Option<TokenStream> {
        let name = source_text(&self.path.to_token_stream());
        (!name.ends_with("Debug")).then(|| {
            quote! {
                impl ::core::fmt::Debug for Stub {
                    fn fmt(&self, out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        out.write_str("a stub of ")?;
                        out.write_str(#name)
                    }
                }
            }
        })
    }

    fn method(
        &self,
        item: &syn::TraitItem,
        purpose: Purpose,
        mistakes: &mut Mistakes,
    ) -> Option<TokenStream> {
        match item {
            syn::TraitItem::Fn(function) if function.default.is_some() => None,
            syn::TraitItem::Fn(function) => {
                Method::check(function, mistakes).map(|method| method.emit(purpose))
            }
            syn::TraitItem::Const(item) => {
                mistakes.add(item.ident.span(), words::STUB_ASSOCIATED);
                None
            }
            syn::TraitItem::Type(item) => {
                mistakes.add(item.ident.span(), words::STUB_ASSOCIATED);
                None
            }
            _ => None,
        }
    }
}
