//! The code of each oracle.

use crate::fragment::Branches;
use crate::grammar::{Mock, Oracle, OracleKind};
use crate::mistakes::Mistakes;
use crate::rewrite::same_tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Expr};

/// What oracles are checked against.
pub struct Checks<'c> {
    /// The counters of the fragment's branches.
    pub branches: Option<&'c Branches>,
    /// The mocks, for `check_called`.
    pub mocks: &'c [Mock],
}

impl Checks<'_> {
    /// The code that checks an oracle whose expressions are `values`, in the order of its clause.
    pub fn code(&self, oracle: &Oracle, values: &[Expr], mistakes: &mut Mistakes) -> TokenStream {
        let text = &oracle.text;
        let span = oracle.span;
        let show = |name: &TokenStream| quote_spanned!(span=> ::situ::rt::Show::new(#name).show());
        let (left, right) = (quote_spanned!(span=> __situ_left), quote_spanned!(span=> __situ_right));
        let (show_left, show_right) = (show(&left), show(&right));
        let is = |test: TokenStream, expected: &str| {
            let value = &values[0];
            quote_spanned!(span=> match &(#value) {
                __situ_left => if !(#test) { __situ.other(#text, #expected, #show_left) }
            })
        };
        match &oracle.kind {
            OracleKind::Eq(..) => {
                let (a, b) = (&values[0], &values[1]);
                quote_spanned!(span=> match (&(#a), &(#b)) {
                    (__situ_left, __situ_right) => if !(*__situ_left == *__situ_right) {
                        __situ.differ(#text, #show_right, #show_left)
                    }
                })
            }
            OracleKind::Ne(..) => self.comparison(oracle, &values[0], &quote!(!=), &values[1]),
            OracleKind::Check(_) => match &values[0] {
                Expr::Binary(binary) if is_comparison(&binary.op) => {
                    self.comparison(oracle, &binary.left, &binary.op.to_token_stream(), &binary.right)
                }
                value => quote_spanned!(span=> if !(#value) { __situ.other(#text, "true", "false".into()) }),
            },
            OracleKind::True(_) => {
                let value = &values[0];
                quote_spanned!(span=> if !(#value) { __situ.other(#text, "true", "false".into()) })
            }
            OracleKind::False(_) => {
                let value = &values[0];
                quote_spanned!(span=> if #value { __situ.other(#text, "false", "true".into()) })
            }
            OracleKind::Some(_) => is(quote_spanned!(span=> ::core::option::Option::is_some(#left)), "Some(_)"),
            OracleKind::None(_) => is(quote_spanned!(span=> ::core::option::Option::is_none(#left)), "None"),
            OracleKind::Ok(_) => is(quote_spanned!(span=> ::core::result::Result::is_ok(#left)), "Ok(_)"),
            OracleKind::Err(_) => is(quote_spanned!(span=> ::core::result::Result::is_err(#left)), "Err(_)"),
            OracleKind::Matches(_, pattern) => {
                let (value, expected) = (&values[0], crate::text::source_text(pattern));
                quote_spanned!(span=> match #value {
                    #pattern => {}
                    ref __situ_left => __situ.other(#text, #expected, #show_left),
                })
            }
            OracleKind::Approx(..) => {
                let (a, b, within) = (&values[0], &values[1], &values[2]);
                quote_spanned!(span=> match (&(#a), &(#b)) {
                    (__situ_left, __situ_right) => {
                        let __situ_far = if *__situ_left > *__situ_right {
                            *__situ_left - *__situ_right
                        } else {
                            *__situ_right - *__situ_left
                        };
                        if !(*__situ_left == *__situ_right || __situ_far <= (#within)) {
                            __situ.differ(#text, #show_right, #show_left)
                        }
                    }
                })
            }
            OracleKind::Same(..) => {
                let (a, b) = (&values[0], &values[1]);
                quote_spanned!(span=> match (&(#a), &(#b)) {
                    (__situ_left, __situ_right) => if !::core::ptr::eq(
                        ::situ::rt::Pointer::address(__situ_left),
                        ::situ::rt::Pointer::address(__situ_right),
                    ) {
                        __situ.other(#text, "the same place", "another".into())
                    }
                })
            }
            OracleKind::Return(_) | OracleKind::Value(_) => {
                let value = &values[0];
                quote_spanned!(span=> match (&__situ_value, &::situ::rt::typed(&__situ_value, #value)) {
                    (__situ_left, __situ_right) => if !(*__situ_left == *__situ_right) {
                        __situ.differ(#text, #show_right, #show_left)
                    }
                })
            }
            OracleKind::Flow(path) => self.flow(oracle, path, "check_flow", mistakes),
            OracleKind::NoFlow(path) => self.flow(oracle, path, "check_no_flow", mistakes),
            OracleKind::Called(call, times) => {
                let mocks: Vec<usize> = self
                    .mocks
                    .iter()
                    .enumerate()
                    .filter(|(_, mock)| same_tokens(&mock.call, call))
                    .map(|(index, _)| index)
                    .collect();
                if mocks.is_empty() {
                    let call_text = crate::text::source_text(&call.to_token_stream());
                    mistakes
                        .add(span, format!("this call is not mocked, so nobody counts it; add `mock({call_text}, …)`"));
                }
                quote_spanned!(span=> __situ.check_called(#text, &[#(#mocks),*], #times);)
            }
            OracleKind::Runs | OracleKind::Break(_) | OracleKind::Continue(_) | OracleKind::Panic(_) => {
                TokenStream::new()
            }
        }
    }

    fn comparison(&self, oracle: &Oracle, left: &Expr, operator: &TokenStream, right: &Expr) -> TokenStream {
        let (text, span) = (&oracle.text, oracle.span);
        let shown = operator.to_string();
        quote_spanned!(span=> match (&(#left), &(#right)) {
            (__situ_left, __situ_right) => if !(*__situ_left #operator *__situ_right) {
                __situ.not_so(
                    #text,
                    #shown,
                    ::situ::rt::Show::new(__situ_left).show(),
                    ::situ::rt::Show::new(__situ_right).show(),
                )
            }
        })
    }

    fn flow(
        &self,
        oracle: &Oracle,
        path: &crate::grammar::FlowPath,
        method: &str,
        mistakes: &mut Mistakes,
    ) -> TokenStream {
        let (text, span) = (&oracle.text, oracle.span);
        let method = proc_macro2::Ident::new(method, span);
        let Some(steps) = self.branches.and_then(|branches| branches.find(path, mistakes)) else {
            return TokenStream::new();
        };
        let steps = steps.into_iter().map(|step| {
            let (name, line, branch) = (step.name, u32::try_from(step.line).unwrap_or(0), step.index);
            let others = step.others.into_iter().map(|(name, branch)| quote!((#name, #branch)));
            quote!(::situ::rt::Step { name: #name, line: #line, branch: #branch, others: &[#(#others),*] })
        });
        let times = match path.times {
            Some(times) => quote!(::core::option::Option::Some(#times)),
            None => quote!(::core::option::Option::None),
        };
        quote_spanned!(span=> __situ.#method(#text, &[#(#steps),*], #times);)
    }
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(operator, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}
