//! A theory after its checks.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;

use super::generics::Choices;
use super::literals::literals_in;
use super::parameter::Parameter;
use super::words;
use crate::mistakes::Mistakes;
use crate::test_attributes::TestAttribute;

/// A checked theory.
pub(super) struct Theory {
    pub(super) full: bool,
    pub(super) generics: Vec<Choices>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) literals: Vec<String>,
    /// Whether it passes if there is no data point for it.
    pub(super) is_lenient: bool,
}

/// The options `full` and `T = [u8, i64]`.
struct Options {
    full: bool,
    types: Vec<(syn::Ident, Vec<TokenStream>)>,
}

impl Theory {
    /// Checks a theory, and removes Situ's attributes from its parameters.
    pub(super) fn check(
        attribute: TokenStream,
        function: &mut syn::ItemFn,
        mistakes: &mut Mistakes,
    ) -> Self {
        let literals = literals_in(function.block.to_token_stream());
        let options = Options::read(attribute, mistakes);
        check_function(function, mistakes);
        let generics = generics(function, options.types, mistakes);
        let mut parameters = Vec::new();
        for argument in &mut function.sig.inputs {
            match argument {
                syn::FnArg::Receiver(receiver) => {
                    mistakes.add(receiver.span(), words::THEORY_HAS_NO_SELF)
                }
                syn::FnArg::Typed(argument) => {
                    parameters.extend(Parameter::check(argument, mistakes))
                }
            }
        }
        Self {
            full: options.full,
            generics,
            parameters,
            literals,
            is_lenient: false,
        }
    }
}

impl Options {
    fn read(attribute: TokenStream, mistakes: &mut Mistakes) -> Self {
        let mut options = Self {
            full: false,
            types: Vec::new(),
        };
        let mut read = |input: syn::parse::ParseStream<'_>| -> syn::Result<()> {
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
        if let Err(error) = (|input: syn::parse::ParseStream<'_>| read(input)).parse2(attribute) {
            mistakes.add_error(error);
        }
        options
    }

    fn read_one(
        &mut self,
        input: syn::parse::ParseStream<'_>,
        mistakes: &mut Mistakes,
    ) -> syn::Result<()> {
        let name: syn::Ident = input
            .parse()
            .map_err(|error: syn::Error| wrong(error.span()))?;
        if name == "full" && !input.peek(syn::Token![=]) {
            if self.full {
                mistakes.add(name.span(), words::FULL_TWICE);
            }
            self.full = true;
            return Ok(());
        }
        input
            .parse::<syn::Token![=]>()
            .map_err(|_| wrong(name.span()))?;
        let list: proc_macro2::TokenTree = input
            .parse()
            .map_err(|error: syn::Error| wrong(error.span()))?;
        if self.types.iter().any(|(known, _)| *known == name) {
            mistakes.add(name.span(), words::types_twice(&name));
            return Ok(());
        }
        let types = listed(&list);
        match &types {
            Some(types) if types.is_empty() => mistakes.add(list.span(), words::NO_TYPES),
            Some(_) => {}
            None => mistakes.add(list.span(), words::TYPES_ARE_A_LIST),
        }
        // Even so the parameter is not missing.
        self.types.push((name, types.unwrap_or_default()));
        Ok(())
    }
}

fn wrong(span: proc_macro2::Span) -> syn::Error {
    syn::Error::new(span, words::THEORY_OPTIONS)
}

/// Returns the types of `[u8, i64]`, or the values for a const parameter.
fn listed(list: &proc_macro2::TokenTree) -> Option<Vec<TokenStream>> {
    let proc_macro2::TokenTree::Group(group) = list else {
        return None;
    };
    if group.delimiter() != proc_macro2::Delimiter::Bracket {
        return None;
    }
    let types = Punctuated::<syn::GenericArgument, syn::Token![,]>::parse_terminated
        .parse2(group.stream())
        .ok()?;
    Some(
        types
            .iter()
            .map(syn::GenericArgument::to_token_stream)
            .collect(),
    )
}

fn check_function(function: &syn::ItemFn, mistakes: &mut Mistakes) {
    let signature = &function.sig;
    if signature.inputs.is_empty() {
        mistakes.add(signature.ident.span(), words::THEORY_WITHOUT_PARAMETERS);
    }
    if let Some(keyword) = &signature.constness {
        mistakes.add(keyword.span(), words::THEORY_IS_PLAIN);
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        mistakes.add(keyword.span(), words::THEORY_IS_PLAIN);
    }
    if let Some(abi) = &signature.abi {
        mistakes.add(abi.extern_token.span(), words::THEORY_IS_PLAIN);
    }
    for attribute in function
        .attrs
        .iter()
        .filter(|attribute| TestAttribute::of(attribute) == Some(TestAttribute::Test))
    {
        mistakes.add(attribute.path().span(), words::THEORY_IS_A_TEST_ALREADY);
    }
}

fn generics(
    function: &syn::ItemFn,
    mut types: Vec<(syn::Ident, Vec<TokenStream>)>,
    mistakes: &mut Mistakes,
) -> Vec<Choices> {
    let mut generics = Vec::new();
    for parameter in &function.sig.generics.params {
        let (name, const_type) = match parameter {
            syn::GenericParam::Lifetime(_) => continue,
            syn::GenericParam::Type(parameter) => (&parameter.ident, None),
            syn::GenericParam::Const(parameter) => (&parameter.ident, Some(parameter.ty.clone())),
        };
        match types.iter().position(|(known, _)| known == name) {
            Some(at) => {
                let (_, all) = types.remove(at);
                generics.push(Choices {
                    name: name.clone(),
                    const_type,
                    all,
                });
            }
            None => mistakes.add(name.span(), words::types_missing(name)),
        }
    }
    for (name, _) in types {
        mistakes.add(name.span(), words::no_such_generic(&name));
    }
    generics
}
