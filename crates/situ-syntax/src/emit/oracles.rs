//! The code of each oracle.

use crate::fragment::Branches;
use crate::grammar::{Mock, Oracle, OracleKind};
use crate::mistakes::Mistakes;
use crate::rewrite::mocks_of;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{BinOp, Expr};

/// The context of oracles.
pub struct Checks<'c> {
    /// The counters of the fragment's branches.
    pub branches: Option<&'c Branches>,
    /// The mocks, for `check_called` and `check_order`.
    pub mocks: &'c [Mock],
}

impl Checks<'_> {
    /// Returns the code that checks an oracle whose expressions are `values`, in the order of its
    /// clause.
    pub fn code(&self, oracle: &Oracle, values: &[Expr], mistakes: &mut Mistakes) -> TokenStream {
        let text = &oracle.text;
        let span = oracle.span;

        let is = |kind: &str, test: TokenStream, expected: &str| {
            let (value, kind) = (&values[0], proc_macro2::Ident::new(kind, span));
            let place = quote_spanned!(span=> ::situ::rt::#kind(&(#value)));
            quote_spanned!(span=> ::situ::rt::Show::new(#place).must(__situ, #text, #expected, #test);)
        };
        match &oracle.kind {
            OracleKind::Eq(..) => {
                let (a, b) = (&values[0], &values[1]);
                quote_spanned!(span=> ::situ::rt::Pair::new(&(#a), &(#b)).check_eq(__situ, #text);)
            }
            OracleKind::Ne(..) => {
                let (a, b) = (&values[0], &values[1]);
                quote_spanned!(span=> ::situ::rt::Pair::new(&(#a), &(#b)).check_ne(__situ, #text);)
            }
            OracleKind::Check(_) => match &values[0] {
                Expr::Binary(binary) if is_comparison(&binary.op) => self.comparison(
                    oracle,
                    &binary.left,
                    &binary.op.to_token_stream(),
                    &binary.right,
                ),
                value => quote_spanned!(span=> __situ.check_true(#text, #value);),
            },
            OracleKind::True(_) => {
                let value = &values[0];
                quote_spanned!(span=> __situ.check_true(#text, #value);)
            }
            OracleKind::False(_) => {
                let value = &values[0];
                quote_spanned!(span=> __situ.check_false(#text, #value);)
            }
            OracleKind::Some(_) => is(
                "an_option",
                quote_spanned!(span=> ::situ::rt::core::option::Option::is_some),
                "Some(_)",
            ),
            OracleKind::None(_) => is(
                "an_option",
                quote_spanned!(span=> ::situ::rt::core::option::Option::is_none),
                "None",
            ),
            OracleKind::Ok(_) => is(
                "a_result",
                quote_spanned!(span=> ::situ::rt::core::result::Result::is_ok),
                "Ok(_)",
            ),
            OracleKind::Err(_) => is(
                "a_result",
                quote_spanned!(span=> ::situ::rt::core::result::Result::is_err),
                "Err(_)",
            ),
            OracleKind::Matches(_, pattern) => {
                let (value, expected) = (&values[0], crate::text::source_text(pattern));
                quote_spanned!(span=> match #value {
                    #pattern => {}
                    // Only the type of a struct or enum decides whether its pattern matches
                    // everything.
                    #[deny(
                        unreachable_patterns,
                        reason = "the pattern matches everything, so the check can never fail"
                    )]
                    ref __situ_left => ::situ::rt::Show::new(__situ_left).other(__situ, #text, #expected),
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
                            ::situ::rt::Pair::new(__situ_left, __situ_right).differ(__situ, #text)
                        }
                    }
                })
            }
            OracleKind::Same(..) => {
                let (a, b) = (&values[0], &values[1]);
                let found = quote_spanned!(span=> ::situ::rt::another_place(&(#a), &(#b)));
                quote_spanned!(span=> if let ::situ::rt::core::option::Option::Some(__situ_found) = #found {
                    __situ.other(#text, "the same place", __situ_found)
                })
            }
            OracleKind::Return(_) | OracleKind::Value(_) => {
                let value = &values[0];
                // A variable is borrowed, because the fragment may exit inside a loop, where it
                // cannot be moved.
                let expected = match value {
                    Expr::Path(path) if path.path.get_ident().is_some() => {
                        quote_spanned!(span=> ::situ::rt::typed_place(&__situ_value, &#value))
                    }
                    _ => quote_spanned!(span=> &::situ::rt::typed(&__situ_value, #value)),
                };
                quote_spanned!(span=> ::situ::rt::Pair::new(&__situ_value, #expected).check_eq(__situ, #text);)
            }
            OracleKind::Flow(path) => {
                self.flow(oracle, path, values.first(), "check_flow", mistakes)
            }
            OracleKind::NoFlow(path) => {
                self.flow(oracle, path, values.first(), "check_no_flow", mistakes)
            }
            OracleKind::Called(call, _) => {
                let times = &values[0];
                let mocks = self.mocks_of(call, oracle, mistakes);
                quote_spanned!(span=> __situ.check_called(#text, &[#(#mocks),*], (#times) as u32);)
            }
            OracleKind::Order(calls) => {
                let calls = calls.iter().map(|call| {
                    let (name, mocks) = (
                        crate::text::source_text(&call.to_token_stream()),
                        self.mocks_of(call, oracle, mistakes),
                    );
                    quote!((#name, &[#(#mocks),*]))
                });
                let calls: Vec<TokenStream> = calls.collect();
                quote_spanned!(span=> __situ.check_order(#text, &[#(#calls),*]);)
            }
            OracleKind::Runs
            | OracleKind::Break(_)
            | OracleKind::Continue(_)
            | OracleKind::Panic(_) => TokenStream::new(),
        }
    }

    /// Returns the mocks that an oracle names. No match is a mistake.
    fn mocks_of(&self, call: &Expr, oracle: &Oracle, mistakes: &mut Mistakes) -> Vec<usize> {
        let mocks = mocks_of(call, self.mocks);
        if mocks.is_empty() {
            let text = crate::text::source_text(&call.to_token_stream());
            let message =
                format!("this call is not mocked, so nobody counts it; add `mock({text}, …)`");
            mistakes.add(oracle.span, message);
        }
        mocks
    }

    fn comparison(
        &self,
        oracle: &Oracle,
        left: &Expr,
        operator: &TokenStream,
        right: &Expr,
    ) -> TokenStream {
        let (text, span) = (&oracle.text, oracle.span);
        let shown = operator.to_string();
        quote_spanned!(span=> match (&(#left), &(#right)) {
            (__situ_left, __situ_right) => if !(*__situ_left #operator *__situ_right) {
                ::situ::rt::Pair::new(__situ_left, __situ_right).not_so(__situ, #text, #shown)
            }
        })
    }

    fn flow(
        &self,
        oracle: &Oracle,
        path: &crate::grammar::FlowPath,
        times: Option<&Expr>,
        method: &str,
        mistakes: &mut Mistakes,
    ) -> TokenStream {
        let (text, span) = (&oracle.text, oracle.span);
        let method = proc_macro2::Ident::new(method, span);
        let Some(steps) = self
            .branches
            .and_then(|branches| branches.find(path, mistakes))
        else {
            return TokenStream::new();
        };
        let steps = steps.into_iter().map(|step| {
            let (name, line, branch) = (step.name, u32::try_from(step.line).unwrap_or(0), step.index);
            let others = step.others.into_iter().map(|(name, branch)| quote!((#name, #branch)));
            quote!(::situ::rt::Step { name: #name, line: #line, branch: #branch, others: &[#(#others),*] })
        });
        let times = match times {
            Some(times) => quote!(::situ::rt::core::option::Option::Some((#times) as u32)),
            None => quote!(::situ::rt::core::option::Option::None),
        };
        quote_spanned!(span=> __situ.#method(#text, &[#(#steps),*], #times);)
    }
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    )
}
