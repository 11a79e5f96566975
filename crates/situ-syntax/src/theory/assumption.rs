//! `assume!`, `assume_eq!`, `assume_ok!`, `assume_some!`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;

use super::words;
use crate::depth;
use crate::mistakes::compile_errors;
use crate::text::source_text;

/// What stands in the parentheses.
struct Assumed {
    /// Whether it stands in the theory's own body, as `#[theory]` marks it.
    here: bool,
    values: Vec<syn::Expr>,
}

/// Expands `assume!`.
pub fn expand_assume(tokens: TokenStream) -> TokenStream {
    let assumed = match Assumed::read(tokens, 1, words::ASSUME_A_CONDITION) {
        Ok(assumed) => assumed,
        Err(error) => return compile_errors(&error),
    };
    let condition = &assumed.values[0];
    let text = source_text(&condition.to_token_stream());
    if let syn::Expr::Let(binding) = condition {
        // The bindings of the pattern can be used from here on.
        let (pattern, value) = (&binding.pat, &binding.expr);
        let reject = assumed.reject(&text, &quote!(::core::option::Option::None));
        return quote!(let #pattern = #value else { #reject };);
    }
    let mut parts = Vec::new();
    conjuncts(condition, &mut parts);
    // A `let` among the parts binds something for the parts after it.
    if parts.iter().any(|part| matches!(part, syn::Expr::Let(_))) {
        parts = vec![condition];
    }
    match parts.as_slice() {
        [part] => checked(&assumed, part, &text),
        parts => {
            let parts = parts.iter().map(|part| checked(&assumed, part, &text));
            quote!({ #(#parts)* })
        }
    }
}

/// Collects the conditions that `&&` joins: each comparison among them shows its own values.
fn conjuncts<'a>(condition: &'a syn::Expr, parts: &mut Vec<&'a syn::Expr>) {
    match condition {
        syn::Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) => {
            conjuncts(&both.left, parts);
            conjuncts(&both.right, parts);
        }
        other => parts.push(other),
    }
}

fn checked(assumed: &Assumed, condition: &syn::Expr, text: &str) -> TokenStream {
    match condition {
        syn::Expr::Binary(comparison) if is_comparison(&comparison.op) => compared(
            assumed,
            &comparison.left,
            &comparison.op,
            &comparison.right,
            text,
        ),
        condition => {
            let reject = assumed.reject(text, &quote!(::core::option::Option::None));
            quote!(if #condition {} else { #reject })
        }
    }
}

/// Expands `assume_eq!`.
pub fn expand_assume_eq(tokens: TokenStream) -> TokenStream {
    let assumed = match Assumed::read(tokens, 2, words::ASSUME_TWO_VALUES) {
        Ok(assumed) => assumed,
        Err(error) => return compile_errors(&error),
    };
    let (left, right) = (&assumed.values[0], &assumed.values[1]);
    let text = format!(
        "{} == {}",
        source_text(&left.to_token_stream()),
        source_text(&right.to_token_stream())
    );
    let equal = syn::BinOp::Eq(syn::Token![==](proc_macro2::Span::call_site()));
    compared(&assumed, left, &equal, right, &text)
}

/// Expands `assume_ok!`.
pub fn expand_assume_ok(tokens: TokenStream) -> TokenStream {
    unwrapped(tokens, &quote!(::core::result::Result::Ok), "Ok(_)")
}

/// Expands `assume_some!`.
pub fn expand_assume_some(tokens: TokenStream) -> TokenStream {
    unwrapped(tokens, &quote!(::core::option::Option::Some), "Some(_)")
}

fn unwrapped(tokens: TokenStream, variant: &TokenStream, shape: &str) -> TokenStream {
    let assumed = match Assumed::read(tokens, 1, words::ASSUME_ONE_VALUE) {
        Ok(assumed) => assumed,
        Err(error) => return compile_errors(&error),
    };
    let value = &assumed.values[0];
    let text = format!("{} is {shape}", source_text(&value.to_token_stream()));
    let reject = assumed.reject(&text, &quote!(::core::option::Option::None));
    quote!(match #value {
        #variant(inside) => inside,
        _ => { #reject }
    })
}

/// Returns the code of a comparison whose values are kept for stubs to learn from.
fn compared(
    assumed: &Assumed,
    left: &syn::Expr,
    operator: &syn::BinOp,
    right: &syn::Expr,
    text: &str,
) -> TokenStream {
    let values = quote! {{
        #[allow(unused_imports)]
        use ::situ::theory::generated::{ShowDebug as _, ShowNothing as _};
        let left = (&&::situ::theory::generated::Show(left)).debug_text();
        let right = (&&::situ::theory::generated::Show(right)).debug_text();
        left.zip(right)
    }};
    let reject = assumed.reject(text, &values);
    quote!(match (&(#left), &(#right)) {
        (left, right) => if *left #operator *right {} else { #reject }
    })
}

fn is_comparison(operator: &syn::BinOp) -> bool {
    use syn::BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(operator, Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_))
}

impl Assumed {
    fn read(tokens: TokenStream, count: usize, message: &str) -> syn::Result<Self> {
        let read = |input: ParseStream<'_>| {
            let here = input.peek(syn::Token![@]);
            if here {
                input.parse::<syn::Token![@]>()?;
                input.parse::<syn::Ident>()?;
            }
            let values = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated(input)?;
            Ok(Self {
                here,
                values: values.into_iter().collect(),
            })
        };
        depth::check(&tokens)?;
        let assumed = read.parse2(tokens)?;
        if assumed.values.len() < count {
            return Err(syn::Error::new(proc_macro2::Span::call_site(), message));
        }
        Ok(assumed)
    }

    /// Returns the code that reports the assumption and exits.
    fn reject(&self, text: &str, compared: &TokenStream) -> TokenStream {
        let reject = if self.here {
            quote!(reject_here)
        } else {
            quote!(reject)
        };
        quote! {
            static SITE: ::situ::theory::generated::Site = ::situ::theory::generated::Site {
                file: ::core::file!(),
                line: ::core::line!(),
                text: #text,
            };
            ::situ::theory::generated::#reject(&SITE, &|| #compared);
            return ::situ::theory::generated::Skipped::skipped();
        }
    }
}
