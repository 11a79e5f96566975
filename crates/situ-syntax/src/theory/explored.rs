//! The code of a theory's test in a build for the explorer: generated values beside the data
//! points.

use proc_macro2::TokenStream;
use quote::quote;

use super::emit::{failure, local, needs_mut, numbered, shown};
use super::generics::Instance;
use super::model::Theory;
use super::parameter::{Origin, Parameter};
use super::shape::Shape;
use crate::Purpose;

/// Ends the test of a theory that was explored.
pub(super) fn end() -> TokenStream {
    quote! {
        if ::situ_explore::is_asked() {
            return;
        }
    }
}

/// Returns the registration of a theory in a build for fuzzers, which find it by its path.
pub(crate) fn registered(name: &syn::Ident) -> TokenStream {
    quote! {
        const _: () = {
            ::situ::theory::generated::inventory::submit! {
                ::situ::theory::generated::FuzzedTheory {
                    path: ::core::concat!(::core::module_path!(), "::", ::core::stringify!(#name)),
                    run: |bytes| ::situ_explore::with_bytes(bytes, #name),
                }
            }
        };
        #[cfg(test)]
    }
}

/// Explores the theory with one choice of its generic parameters.
pub(super) fn round(
    theory: &Theory,
    function: &syn::ItemFn,
    instance: &Instance,
    purpose: Purpose,
) -> TokenStream {
    let (shapes, parameters, execute, trees) = (
        local("shapes"),
        local("parameters"),
        local("execute"),
        local("trees"),
    );
    let (is_built, fate) = (local("is_built"), local("fate"));
    let Instance {
        number: (number, count),
        label,
        ..
    } = instance;
    let described = theory
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| described(parameter, at));
    let values: Vec<_> = (0..theory.parameters.len())
        .map(|at| numbered("value", at))
        .collect();
    let takes = theory
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| take(parameter, at, &values[at]));
    let failure = failure(theory, function, instance, &values);
    let has_stubs = theory
        .parameters
        .iter()
        .any(|parameter| matches!(parameter.origin, Origin::Stub(_)));
    let imports = purpose.imports();
    let answers = has_stubs.then(answers_parameter);
    let body = quote! {
        &mut || {
            #(#takes)*
            #is_built = true;
            ::situ_explore::built();
            #failure
        }
    };
    let attempt = match has_stubs {
        true => answered(theory.parameters.len(), &body),
        false => quote!(::situ::theory::generated::attempt(#body)),
    };
    quote! {
        #imports
        let mut #shapes = ::situ_explore::Shapes::seen_from(::core::module_path!()).of_instance(#number, #count, #label);
        let mut #parameters = ::situ::theory::generated::Vec::new();
        #(#parameters.push(#described);)*
        #answers
        let mut #execute = |#trees: &[::situ_explore::Tree]| {
            let mut #is_built = false;
            let #fate = #attempt;
            match #fate {
                _ if !#is_built => ::situ_explore::Outcome::NotBuilt,
                ::situ::theory::generated::Fate::Held => ::situ_explore::Outcome::Held,
                ::situ::theory::generated::Fate::Rejected(site) => {
                    ::situ_explore::Outcome::Rejected(site.text, site.file, site.line)
                }
                ::situ::theory::generated::Fate::Violated(message) => ::situ_explore::Outcome::Violated(message),
            }
        };
        ::situ_explore::drive(#shapes, #parameters, &mut #execute);
    }
}

/// Returns the parameter for the answers of stubs: for each answer the index of a guess, or bytes
/// to build it from.
fn answers_parameter() -> TokenStream {
    let (shapes, parameters) = (local("shapes"), local("parameters"));
    quote! {
        let id = (&&&&::situ_explore::Slot::<::situ::theory::generated::Answers>::new()).id(&mut #shapes);
        #parameters.push(::situ_explore::Parameter {
            name: "answers",
            id,
            points: ::situ::theory::generated::Vec::new(),
        });
    }
}

/// Returns the code that runs the theory with the answers from the argument at this index.
fn answered(at: usize, body: &TokenStream) -> TokenStream {
    let trees = local("trees");
    quote! {
        ::situ::theory::generated::attempt_answered(
            (&&&&::situ_explore::Slot::<::situ::theory::generated::Answers>::new()).build(&#trees[#at]).unwrap_or_default(),
            #body,
        )
    }
}

/// Returns the type whose values are made up, where any can be; none for what only its own source
/// can give.
fn made_type(parameter: &Parameter) -> Option<TokenStream> {
    match &parameter.origin {
        Origin::Points(Shape::Own(of), None) => Some(quote!(#of)),
        Origin::Points(Shape::Mutable(held) | Shape::Lent { held, .. }, None) => Some(held.clone()),
        // A group is a choice of the user's, which generated values would ignore.
        Origin::Points(..) | Origin::Values(..) | Origin::Supplier(..) | Origin::Stub(_) => None,
    }
}

fn described(parameter: &Parameter, at: usize) -> TokenStream {
    let (shapes, source, value) = (local("shapes"), numbered("source", at), local("value"));
    let name = &parameter.name;
    let id = match made_type(parameter) {
        Some(of) => quote!((&&&&::situ_explore::Slot::<#of>::new()).id(&mut #shapes)),
        None => quote!(#shapes.impossible()),
    };
    let shown = shown(parameter, &value);
    let tree = match &parameter.origin {
        Origin::Stub(_) => quote!(::core::option::Option::None),
        Origin::Points(shape, _) | Origin::Values(shape, _) | Origin::Supplier(shape, _) => {
            match shape {
                Shape::Lent { .. } => quote!((&&::situ_explore::Seen(#value.lend())).tree()),
                Shape::Own(_) | Shape::Mutable(_) => {
                    quote!((&&::situ_explore::Seen(&#value)).tree())
                }
            }
        }
    };
    quote! {
        ::situ_explore::Parameter {
            name: #name,
            id: #id,
            points: #source.origins().into_iter().enumerate().take(1_000).map(|(at, origin)| {
                let #value = #source.take(at);
                (#shown.unwrap_or(origin), #tree)
            }).collect(),
        }
    }
}

/// Returns the value of a tree, or the data point that it names.
fn take(parameter: &Parameter, at: usize, value: &syn::Ident) -> TokenStream {
    let (trees, source) = (local("trees"), numbered("source", at));
    let mutability = needs_mut(parameter).then(|| quote!(mut));
    let made = match (made_type(parameter), &parameter.origin) {
        (Some(of), Origin::Points(shape, _)) => {
            let built = quote!((&&&&::situ_explore::Slot::<#of>::new()).build(tree));
            let held = match shape {
                Shape::Lent { .. } => quote!(::situ::theory::generated::Held::Owned(made)),
                Shape::Own(_) | Shape::Mutable(_) => quote!(made),
            };
            quote! {
                tree => match #built {
                    ::core::option::Option::Some(made) => #held,
                    ::core::option::Option::None => return ::core::result::Result::Ok(()),
                }
            }
        }
        _ => quote!(_ => return ::core::result::Result::Ok(())),
    };
    quote! {
        let #mutability #value = match &#trees[#at] {
            ::situ_explore::Tree::Point(at) => #source.take(*at as usize),
            #made,
        };
    }
}
