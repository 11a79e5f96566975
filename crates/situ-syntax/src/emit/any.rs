//! `each(x, any::<T>())`: its meaning in a test, and the function that lets the explorer choose the
//! values.

use super::body::Synthesized;
use crate::Purpose;
use crate::grammar::{Input, TestCall};
use crate::text::source_text;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, GenericArgument, PathArguments, Type, parse_quote};

/// A place where a test takes any value.
pub struct AnyValue {
    /// The name of the variable.
    pub name: String,
    /// The type.
    pub of: Type,
}

/// Returns the places of a test that take any value.
pub fn any_values(call: &TestCall) -> Vec<AnyValue> {
    let eaches = call.clauses.eaches();
    let found = eaches.filter_map(|each| {
        let name = source_text(&each.pattern.to_token_stream());
        any_type(&each.iterable).map(|of| AnyValue {
            name,
            of: of.clone(),
        })
    });
    found.collect()
}

/// Replaces each `any` by the source of its values: data points and special values in a test, the
/// explorer's values in an explored one.
pub fn settle_any_values(call: &mut TestCall, purpose: Purpose) {
    let mut number = 0_usize;
    for input in &mut call.clauses.inputs {
        let Input::Each(each) = input else { continue };
        let Some(of) = any_type(&each.iterable).cloned() else {
            continue;
        };
        let span = each.iterable.span();
        let source: TokenStream = match purpose {
            Purpose::Test | Purpose::Mutants => quote_spanned!(span=> ::situ::any::<#of>()),
            Purpose::Explore { .. } | Purpose::Fuzz { .. } => {
                let imports = purpose.imports();
                quote!({
                    #imports
                    ::situ_explore::given(#number, |tree| (&&&&::situ_explore::Slot::<#of>::new()).build(tree))
                })
            }
        };
        each.iterable = parse_quote!(#source);
        number += 1;
    }
}

/// Returns the type in `any::<T>()`.
fn any_type(iterable: &Expr) -> Option<&Type> {
    let Expr::Call(call) = iterable else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let segments = &path.path.segments;
    let is_ours =
        segments.len() == 1 || segments.first().is_some_and(|first| first.ident == "situ");
    let last = segments
        .last()
        .filter(|last| last.ident == "any" && is_ours && call.args.is_empty())?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match (arguments.args.first(), arguments.args.len()) {
        (Some(GenericArgument::Type(of)), 1) => Some(of),
        _ => None,
    }
}

/// Returns the function that explores a test, beside the one that runs it.
pub fn explored_member(
    (name, body_name): (&Ident, &Ident),
    values: &[AnyValue],
    (target_line, target): (u32, &str),
    body: &Synthesized<'_>,
    purpose: Purpose,
) -> TokenStream {
    let imports = purpose.imports();
    let (inputs, branches, mocks) = (&body.inputs, body.branches, body.mocks);
    let parameters = values.iter().map(|AnyValue { name, of }| {
        let of = body.parameters.concrete(of);
        quote! {
            parameters.push(::situ_explore::Parameter {
                name: #name,
                id: (&&&&::situ_explore::Slot::<#of>::new()).id(&mut shapes),
                points: ::situ::theory::generated::points_to_explore::<#of>().iter().map(|value| {
                    let shown = (&&::situ::theory::generated::Show(value)).shown();
                    (shown.unwrap_or_default(), (&&::situ_explore::Seen(value)).tree())
                }).collect(),
            });
        }
    });
    quote! {
        fn #name() {
            #imports
            #[allow(unused_imports)]
            use ::situ::theory::generated::{ShowDebug as _, ShowNothing as _};
            let mut shapes = ::situ_explore::Shapes::seen_from(::core::module_path!());
            let mut parameters = ::situ::theory::generated::Vec::new();
            #(#parameters)*
            let again = ::situ::rt::Again::new(Self::#body_name, #target_line, #target, #inputs, (#branches, #mocks));
            ::situ_explore::drive_in_situ(shapes, parameters, &mut || {
                let mut skipped = ::core::option::Option::None;
                let fate = ::situ::theory::generated::attempt(&mut || {
                    skipped = again.once();
                    ::core::result::Result::Ok(())
                });
                match (fate, skipped) {
                    (::situ::theory::generated::Fate::Held, ::core::option::Option::Some((text, file, line))) => {
                        ::situ_explore::Outcome::Rejected(text, file, line)
                    }
                    (::situ::theory::generated::Fate::Held, _) => ::situ_explore::Outcome::Held,
                    (::situ::theory::generated::Fate::Rejected(site), _) => {
                        ::situ_explore::Outcome::Rejected(site.text, site.file, site.line)
                    }
                    (::situ::theory::generated::Fate::Violated(message), _) => {
                        ::situ_explore::Outcome::Violated(message)
                    }
                }
            });
        }
    }
}
