//! Properties of other libraries, made available to the explorer: `#[property]` and `proptests!`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;

use super::emit;
use super::explored::registered;
use super::model::Theory;
use super::words;
use crate::Purpose;
use crate::depth;
use crate::mistakes::Mistakes;

/// Expands `#[property]`: the function stays unchanged, and a theory beside it calls it.
pub fn expand_property(attribute: TokenStream, item: TokenStream, purpose: Purpose) -> TokenStream {
    if let Err(error) = depth::check(&item) {
        return super::with_error(&error, &item);
    }
    let Ok(function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        return super::not_an_item(&item, words::PROPERTY_IS_A_FUNCTION);
    };
    let mut mistakes = Mistakes::default();
    if !attribute.is_empty() {
        mistakes.add(attribute.span(), words::PROPERTY_OPTIONS);
    }
    let mut theory = caller(&function);
    let mut model = Theory::check(TokenStream::new(), &mut theory, &mut mistakes);
    model.is_lenient = true;
    if !mistakes.is_empty() {
        let errors = mistakes.to_compile_errors();
        return quote!(#item #errors);
    }
    let theory = emit::theory(&model, theory, purpose);
    quote!(#item #theory)
}

/// Returns a function that hands its arguments on to the property.
fn caller(property: &syn::ItemFn) -> syn::ItemFn {
    let mut signature = property.sig.clone();
    let name = std::mem::replace(
        &mut signature.ident,
        format_ident!("{}_on_data_points", property.sig.ident),
    );
    let mut arguments = Vec::new();
    for (at, input) in signature.inputs.iter_mut().enumerate() {
        if let syn::FnArg::Typed(argument) = input {
            let name = match &*argument.pat {
                syn::Pat::Ident(name) => name.ident.clone(),
                _ => format_ident!("argument_{at}"),
            };
            *argument.pat = syn::parse_quote!(#name);
            arguments.push(name);
        }
    }
    let wait = signature.asyncness.map(|_| quote!(.await));
    let conditions = property
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"));
    syn::parse_quote!(#(#conditions)* #signature { #name(#(#arguments),*) #wait })
}

/// Expands `proptests!`: its content goes to `proptest!`. In a build for the explorer, each of its
/// tests gets another one beside it, whose strategies read the explorer's bytes.
pub fn expand_proptests(tokens: TokenStream, purpose: Purpose) -> TokenStream {
    let explored = match (
        purpose,
        depth::check(&tokens).and_then(|()| syn::parse2::<Proptests>(tokens.clone())),
    ) {
        // `proptest!` itself reports what cannot be parsed.
        (Purpose::Test | Purpose::Mutants, _) | (_, Err(_)) => TokenStream::new(),
        (_, Ok(tests)) => tests.0.iter().map(|test| explored(test, purpose)).collect(),
    };
    quote! {
        ::proptest::proptest! { #tokens }
        #explored
    }
}

/// The functions in a `proptest!`.
struct Proptests(Vec<Proptest>);

struct Proptest {
    name: syn::Ident,
    /// Patterns with their strategies.
    inputs: Vec<(syn::Pat, TokenStream)>,
    body: syn::Block,
}

impl Parse for Proptests {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_inner)?;
        let mut tests = Vec::new();
        while !input.is_empty() {
            tests.push(input.parse()?);
        }
        Ok(Self(tests))
    }
}

impl Parse for Proptest {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<syn::Token![fn]>()?;
        let name = input.parse()?;
        let inside;
        syn::parenthesized!(inside in input);
        let mut inputs = Vec::new();
        while !inside.is_empty() {
            let pattern = syn::Pat::parse_single(&inside)?;
            let strategy = if inside.parse::<Option<syn::Token![in]>>()?.is_some() {
                inside.parse::<syn::Expr>()?.to_token_stream()
            } else {
                inside.parse::<syn::Token![:]>()?;
                let of: syn::Type = inside.parse()?;
                quote!(::proptest::arbitrary::any::<#of>())
            };
            inputs.push((pattern, strategy));
            inside.parse::<Option<syn::Token![,]>>()?;
        }
        Ok(Self {
            name,
            inputs,
            body: input.parse()?,
        })
    }
}

fn explored(test: &Proptest, purpose: Purpose) -> TokenStream {
    let name = format_ident!("{}_explored", test.name);
    let door = match purpose {
        Purpose::Fuzz { .. } => registered(&name),
        Purpose::Test | Purpose::Mutants | Purpose::Explore { .. } => quote!(#[cfg(test)] #[test]),
    };
    let (patterns, strategies): (Vec<_>, Vec<_>) = test.inputs.iter().cloned().unzip();
    let names: Vec<String> = patterns
        .iter()
        .map(|pattern| crate::text::source_text(&pattern.to_token_stream()))
        .collect();
    let values: Vec<_> = (0..patterns.len())
        .map(|at| format_ident!("value_{at}"))
        .collect();
    let numbers = 0..patterns.len();
    let body = &test.body.stmts;
    quote! {
        #door
        #[allow(warnings, clippy::all)]
        fn #name() {
            if !::situ_explore::is_asked() {
                return;
            }
            let mut shapes = ::situ_explore::Shapes::default();
            let mut parameters = ::situ::theory::generated::Vec::new();
            #(parameters.push(::situ_explore::Parameter {
                name: #names,
                id: ::situ_explore::bytes_between(&mut shapes, ::situ::theory::generated::String::new(), ""),
                points: ::situ::theory::generated::Vec::new(),
            });)*
            let mut execute = |trees: &[::situ_explore::Tree]| {
                let (mut is_built, mut is_rejected) = (false, false);
                let mut shown = ::situ::theory::generated::String::new();
                let fate = ::situ::theory::generated::attempt(&mut || {
                    #(
                        let ::core::option::Option::Some(bytes) = ::situ_explore::bytes_in(&trees[#numbers]) else {
                            return ::core::result::Result::Ok(());
                        };
                        let random = ::proptest::test_runner::TestRng::from_seed(
                            ::proptest::test_runner::RngAlgorithm::PassThrough,
                            &::situ_explore::padded(bytes),
                        );
                        let mut runner = ::proptest::test_runner::TestRunner::new_with_rng(
                            ::core::default::Default::default(),
                            random,
                        );
                        let ::core::result::Result::Ok(tree) =
                            ::proptest::strategy::Strategy::new_tree(&(#strategies), &mut runner)
                        else {
                            return ::core::result::Result::Ok(());
                        };
                        let #values = ::proptest::strategy::ValueTree::current(&tree);
                        shown.push_str(&::std::format!("\n{} = {:?}", #names, #values));
                    )*
                    is_built = true;
                    ::situ_explore::built();
                    #(let #patterns = #values;)*
                    let outcome = (move || -> ::core::result::Result<(), ::proptest::test_runner::TestCaseError> {
                        #(#body)*
                        ::core::result::Result::Ok(())
                    })();
                    match outcome {
                        ::core::result::Result::Ok(()) => ::core::result::Result::Ok(()),
                        ::core::result::Result::Err(::proptest::test_runner::TestCaseError::Reject(_)) => {
                            is_rejected = true;
                            ::core::result::Result::Ok(())
                        }
                        ::core::result::Result::Err(::proptest::test_runner::TestCaseError::Fail(reason)) => {
                            ::core::result::Result::Err(::std::string::ToString::to_string(&reason))
                        }
                    }
                });
                match fate {
                    _ if !is_built => ::situ_explore::Outcome::NotBuilt,
                    _ if is_rejected => {
                        ::situ_explore::Outcome::Rejected("prop_assume!", ::core::file!(), ::core::line!())
                    }
                    ::situ::theory::generated::Fate::Held => ::situ_explore::Outcome::Held,
                    ::situ::theory::generated::Fate::Rejected(site) => {
                        ::situ_explore::Outcome::Rejected(site.text, site.file, site.line)
                    }
                    ::situ::theory::generated::Fate::Violated(message) => ::situ_explore::Outcome::Violated(
                        match message.rsplit_once("\nat ") {
                            ::core::option::Option::Some((words, place)) => ::std::format!("{words}{shown}\nat {place}"),
                            ::core::option::Option::None => ::std::format!("{message}{shown}"),
                        },
                    ),
                }
            };
            ::situ_explore::drive(shapes, parameters, &mut execute);
        }
    }
}
