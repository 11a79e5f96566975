//! The test that a theory becomes.
//!
//! The user's function stays unchanged inside the test, beside the code that constructs its
//! arguments and calls it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};

use super::explored;
use super::generics::{Instance, instances};
use super::model::Theory;
use super::parameter::{Origin, Parameter};
use super::shape::{Shape, Taken};
use crate::Purpose;

/// Returns the whole expansion of `#[theory]`.
pub(super) fn theory(theory: &Theory, mut function: syn::ItemFn, purpose: Purpose) -> TokenStream {
    let name = function.sig.ident.clone();
    let visibility = std::mem::replace(&mut function.vis, syn::Visibility::Inherited);
    let (outer, inner): (Vec<_>, Vec<_>) = std::mem::take(&mut function.attrs)
        .into_iter()
        .partition(|attribute| !is_lint(attribute));
    function.attrs = inner.clone();
    DirectAssumptions.visit_block_mut(&mut function.block);
    let described = description(theory, &name);
    let instances = instances(&theory.generics);
    let rounds = instances
        .iter()
        .map(|instance| round(theory, &function, instance, purpose));
    let run = local("run");
    // The panic that ends a failed test points at the theory's name.
    let conclude = quote_spanned!(name.span()=> #run.conclude());
    let explored = purpose.is_explored().then(explored::end);
    let lenient = theory.is_lenient.then(|| quote!(#run.needs_no_points();));
    let outer = match purpose {
        // A build for fuzzers has no tests, so their attributes are meaningless there.
        Purpose::Fuzz { .. } => outer
            .into_iter()
            .filter(|attribute| attribute.path().is_ident("cfg"))
            .collect::<Vec<_>>(),
        Purpose::Test | Purpose::Mutants | Purpose::Explore { .. } => outer,
    };
    let test = match purpose {
        Purpose::Fuzz { .. } => explored::registered(&name),
        Purpose::Test | Purpose::Mutants | Purpose::Explore { .. } => quote!(#[test]),
    };
    quote! {
        #[cfg(test)]
        #test
        #(#outer)*
        #(#inner)*
        #visibility fn #name() {
            // The declared type of a parameter selects its data points; inference from callers must
            // not.
            #[allow(clippy::needless_pass_by_value, clippy::ptr_arg, clippy::too_many_arguments)]
            #function

            static __SITU_THEORY: ::situ::theory::generated::Theory = #described;
            let mut #run = ::situ::theory::generated::Run::new(&__SITU_THEORY);
            #lenient
            #(#rounds)*
            #explored
            #conclude
        }
    }
}

/// Returns whether an attribute sets lint levels, which apply to the user's function as well; all
/// others apply to the test.
fn is_lint(attribute: &syn::Attribute) -> bool {
    ["allow", "warn", "deny", "forbid", "expect"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}

fn description(theory: &Theory, name: &syn::Ident) -> TokenStream {
    let name = name.to_string();
    let (full, literals) = (theory.full, &theory.literals);
    quote! {
        ::situ::theory::generated::Theory {
            module: ::core::module_path!(),
            name: #name,
            full: #full,
            literals: &[#(#literals),*],
        }
    }
}

/// Returns all assignments for one choice of the generic parameters.
fn round(
    theory: &Theory,
    function: &syn::ItemFn,
    instance: &Instance,
    purpose: Purpose,
) -> TokenStream {
    let Instance { label, aliases, .. } = instance;
    let count = theory.parameters.len();
    let (run, parameters) = (local("run"), local("parameters"));
    let sources: Vec<_> = (0..count).map(|at| numbered("source", at)).collect();
    let descriptions = theory.parameters.iter().map(described);
    let points = theory
        .parameters
        .iter()
        .enumerate()
        .map(|(at, parameter)| points(parameter, at));
    let stubs = theory
        .parameters
        .iter()
        .any(|parameter| matches!(parameter.origin, Origin::Stub(_)));
    let stubs = stubs.then(|| quote!(#run.stubs();));
    let positions = 0..count;
    let body = body(theory, function, instance);
    let mut tested = quote! {
        let #parameters = [#((&__SITU_PARAMETERS[#positions], #sources.origins())),*];
        #run.all(&#parameters, &mut #body);
    };
    if purpose.is_explored() {
        let explored = explored::round(theory, function, instance, purpose);
        tested = quote!(if ::situ_explore::is_asked() { #explored } else { #tested });
    }
    quote! {
        {
            // Imported here and not around the user's function, where they might capture a method
            // call.
            #[allow(unused_imports)]
            use ::situ::theory::generated::{
                ByAttentiveFunction as _, ByExhaustion as _, ByFunction as _, ByRegistry as _, BySupplier as _,
                ShowDebug as _, ShowNothing as _,
            };
            #aliases
            static __SITU_PARAMETERS: [::situ::theory::generated::Parameter; #count] = [#(#descriptions),*];
            #run.types(#label);
            #stubs
            #(let mut #sources = #run.settle(#points);)*
            #tested
        }
    }
}

/// Returns the closure that makes the arguments of one assignment, and shows them or calls the
/// theory with them.
fn body(theory: &Theory, function: &syn::ItemFn, instance: &Instance) -> TokenStream {
    let (at, show) = (local("at"), local("show"));
    let values: Vec<_> = (0..theory.parameters.len())
        .map(|at| numbered("value", at))
        .collect();
    let take = theory
        .parameters
        .iter()
        .enumerate()
        .map(|(position, parameter)| {
            let (value, source) = (&values[position], numbered("source", position));
            let mutability = needs_mut(parameter).then(|| quote!(mut));
            quote!(let #mutability #value = #source.take(#at[#position]);)
        });
    let shown = theory
        .parameters
        .iter()
        .zip(&values)
        .map(|(parameter, value)| shown(parameter, value));
    let failure = failure(theory, function, instance, &values);
    quote! {
        |#at, #show| {
            #(#take)*
            if let ::core::option::Option::Some(#show) = #show {
                #(#show.push(#shown);)*
                return ::core::result::Result::Ok(());
            }
            #failure
        }
    }
}

/// Returns the call of the theory with its values, as a result.
pub(super) fn failure(
    theory: &Theory,
    function: &syn::ItemFn,
    instance: &Instance,
    values: &[syn::Ident],
) -> TokenStream {
    let arguments = theory
        .parameters
        .iter()
        .zip(values)
        .map(|(parameter, value)| handed(parameter, value));
    let (name, turbofish) = (&function.sig.ident, &instance.turbofish);
    let mut call = quote!(#name #turbofish(#(#arguments),*));
    if function.sig.asyncness.is_some() {
        call = quote!(::situ::theory::generated::block_on(#call));
    }
    let returns = match &function.sig.output {
        syn::ReturnType::Default => name.span(),
        syn::ReturnType::Type(_, returned) => returned.span(),
    };
    let failure = quote_spanned!(returns=> ::situ::theory::generated::Conclusion::failure);
    quote!(#failure(#call))
}

/// Returns a local variable that no expression of the user's can mean.
pub(super) fn local(name: &str) -> syn::Ident {
    syn::Ident::new(name, Span::mixed_site())
}

pub(super) fn numbered(what: &str, at: usize) -> syn::Ident {
    format_ident!("{what}_{at}", span = Span::mixed_site())
}

fn described(parameter: &Parameter) -> TokenStream {
    let Parameter {
        name,
        type_text,
        attributes,
        origin,
        ..
    } = parameter;
    let group = match origin {
        Origin::Points(_, Some(group)) => quote!(::core::option::Option::Some(#group)),
        _ => quote!(::core::option::Option::None),
    };
    quote! {
        ::situ::theory::generated::Parameter {
            name: #name,
            type_text: #type_text,
            attributes: &[#(#attributes),*],
            group: #group,
        }
    }
}

/// Returns where a parameter's values come from.
fn points(parameter: &Parameter, at: usize) -> TokenStream {
    let run = local("run");
    let ask = quote!(#run.ask(&__SITU_PARAMETERS[#at]));
    let span = parameter.type_span;
    let provider = match &parameter.origin {
        Origin::Points(shape, _) => {
            let shape = shape_type(shape);
            return quote_spanned!(span=> (&&::situ::theory::generated::Probe::<#shape>::new()).points(#ask));
        }
        Origin::Stub(stub) => {
            let object = &stub.object;
            let how = match stub.taken {
                Taken::Boxed | Taken::LentMutably => quote!(boxed),
                Taken::Lent => quote!(lent),
                Taken::Bare | Taken::BareLent => quote!(bare),
            };
            return quote_spanned!(span=> ::situ::theory::generated::#how::<#object, _>(#ask));
        }
        Origin::Values(shape, values) => {
            let (of, count) = (given_type(shape), values.len());
            let provider =
                quote!(::situ::theory::generated::values::<#of, #count>(|| [#(#values),*]));
            held(shape, span, &provider)
        }
        Origin::Supplier(shape, supplier) => {
            let given = given_type(shape);
            let supply = quote!((&&&::situ::theory::generated::Supply(|| #supplier)).values(#ask));
            let provider = local("provider");
            let supplied = quote! {
                { let #provider: ::situ::theory::generated::Provider<#given> = #supply; #provider }
            };
            held(shape, span, &supplied)
        }
    };
    quote!(::situ::theory::generated::only(#provider, #ask))
}

fn shape_type(shape: &Shape) -> TokenStream {
    match shape {
        Shape::Own(of) => quote!(::situ::theory::generated::Own<#of>),
        Shape::Mutable(held) => quote!(::situ::theory::generated::Own<#held>),
        Shape::Lent { held, lent, .. } => quote!(::situ::theory::generated::Lent<#held, #lent>),
    }
}

/// Returns the type of what `#[values]` and suppliers give; for `&str` and `&[T]` that is theirs to
/// choose.
fn given_type(shape: &Shape) -> TokenStream {
    match shape {
        Shape::Own(of) => of.to_token_stream(),
        Shape::Mutable(held) => held.clone(),
        Shape::Lent { loose: true, .. } => quote!(_),
        Shape::Lent { held, .. } => held.clone(),
    }
}

/// Returns the code that stores given values as the parameter holds them.
fn held(shape: &Shape, span: Span, provider: &TokenStream) -> TokenStream {
    match shape {
        Shape::Own(_) | Shape::Mutable(_) => provider.clone(),
        Shape::Lent {
            held,
            lent,
            loose: true,
        } => {
            quote_spanned! {span=>
                ::situ::theory::generated::hold_any::<_, ::situ::theory::generated::Held<#held, #lent>>(#provider)
            }
        }
        Shape::Lent {
            lent: syn::Type::TraitObject(_),
            ..
        } => quote!(::situ::theory::generated::hold_boxed(#provider)),
        Shape::Lent { .. } => quote!(::situ::theory::generated::hold(#provider)),
    }
}

pub(super) fn needs_mut(parameter: &Parameter) -> bool {
    match &parameter.origin {
        Origin::Points(shape, _) | Origin::Values(shape, _) | Origin::Supplier(shape, _) => {
            matches!(shape, Shape::Mutable(_))
        }
        Origin::Stub(stub) => stub.taken == Taken::LentMutably,
    }
}

pub(super) fn shown(parameter: &Parameter, value: &syn::Ident) -> TokenStream {
    let value = match &parameter.origin {
        Origin::Stub(_) => return quote!(::core::option::Option::None),
        Origin::Points(shape, _) | Origin::Values(shape, _) | Origin::Supplier(shape, _) => {
            match shape {
                Shape::Lent { .. } => quote!(#value.lend()),
                Shape::Own(_) | Shape::Mutable(_) => quote!(&#value),
            }
        }
    };
    quote!((&&::situ::theory::generated::Show(#value)).shown())
}

/// Returns a value as the theory's parameter takes it.
fn handed(parameter: &Parameter, value: &syn::Ident) -> TokenStream {
    match &parameter.origin {
        Origin::Points(shape, _) | Origin::Values(shape, _) | Origin::Supplier(shape, _) => {
            match shape {
                Shape::Own(_) => quote!(#value),
                Shape::Mutable(held) if held.to_string().contains("Box <") => quote!(&mut *#value),
                Shape::Mutable(_) => quote!(&mut #value),
                Shape::Lent { .. } => quote!(#value.lend()),
            }
        }
        Origin::Stub(stub) => match stub.taken {
            Taken::Boxed | Taken::Bare => quote!(#value),
            Taken::Lent => quote!(#value.lend()),
            Taken::LentMutably => quote!(&mut *#value),
            Taken::BareLent => quote!(&#value),
        },
    }
}

/// A visitor that marks the assumptions in the theory's own body. They can simply return; one in a
/// closure or in a called function has to unwind, which takes a thousand times as long.
struct DirectAssumptions;

impl VisitMut for DirectAssumptions {
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if is_assumption(&call.path) {
            let tokens = &call.tokens;
            call.tokens = quote!(@here #tokens);
        }
        visit_mut::visit_macro_mut(self, call);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn is_assumption(path: &syn::Path) -> bool {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    let name = match names.as_slice() {
        [name] => name,
        [situ, name] if situ == "situ" => name,
        _ => return false,
    };
    ["assume", "assume_eq", "assume_ok", "assume_some"].contains(&name.as_str())
}
