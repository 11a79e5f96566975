//! The fragment with its oracles, and the handling of its exits.

use super::parts::{Parts, body_at};
use crate::analyse::Exits;
use crate::attributes::attributes_of;
use crate::fragment::{Leaving, results_asked};
use crate::grammar::{Oracle, OracleKind, TestCall};
use crate::mistakes::Mistakes;
use crate::rewrite::{Enclosure, LeaveRewriter};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::visit_mut::VisitMut;

/// The fragment with its oracles and exits.
pub struct Body<'b> {
    pub call: &'b TestCall,
    pub leaving: &'b Leaving,
    pub exits: Exits,
    /// Whether mutants may add exits.
    pub is_mutated: bool,
    pub returns: TokenStream,
    /// The label of the innermost loop, if there is a loop at all.
    pub innermost: Option<Option<String>>,
    pub is_unsafe: bool,
    /// The span of the body of the user's function.
    pub span: Span,
    pub declared: TokenStream,
    /// The declarations that oracles need for the inputs.
    pub looked_at: TokenStream,
    pub checks: Vec<TokenStream>,
    /// The code that fails if values of mocks are left over.
    pub left_over: TokenStream,
    pub known_outside: Vec<bool>,
}

impl Body<'_> {
    /// Returns the code that runs the fragment and checks the oracles.
    pub fn core(&self, parts: &mut Parts, mistakes: &mut Mistakes) -> TokenStream {
        let has_exit = self.exits.can_return()
            || !self.exits.breaks.is_empty()
            || !self.exits.continues.is_empty();
        let sees_exit = has_exit || self.takes_exits(parts);
        let enclosure = match (self.exits.unknown, sees_exit) {
            (true, _) => Enclosure::Closure,
            (false, true) => Enclosure::Block,
            (false, false) => Enclosure::None,
        };
        self.check_possible(parts, mistakes);
        let innermost = self.innermost.clone().flatten();
        let returns = self.left_with(parts);
        if enclosure != Enclosure::None {
            let mut rewriter = LeaveRewriter::new(enclosure, innermost.as_deref());
            rewriter.statements(&mut parts.fragment.statements);
            parts
                .fragment
                .tail
                .iter_mut()
                .for_each(|tail| rewriter.visit_expr_mut(tail));
            parts
                .fragment
                .statements
                .splice(0..0, rewriter.declarations());
        }
        let delay = parts
            .delay
            .as_ref()
            .map(|delay| quote!(__situ.delay_ms(#delay);));
        let inside = self.inside(parts, delay.as_ref());
        if enclosure == Enclosure::None && self.ends_well(parts) {
            return if self.is_unsafe {
                quote!(unsafe { #inside })
            } else {
                inside
            };
        }
        let exit = self.enclosed(enclosure, &returns, &inside);
        self.judged(parts, &exit, delay.as_ref())
    }

    /// Returns whether a mutant can exit the fragment: the return type is known, by its name or by
    /// the tail.
    fn takes_exits(&self, parts: &Parts) -> bool {
        self.is_mutated
            && (self.is_told() || parts.fragment.tail.is_some() && parts.fragment.tail_returns)
    }

    /// Returns whether the return type is known by its name alone.
    fn is_told(&self) -> bool {
        fn has_hole(tokens: TokenStream) -> bool {
            tokens.into_iter().any(|tree| match tree {
                proc_macro2::TokenTree::Group(group) => has_hole(group.stream()),
                other => other.to_string() == "_",
            })
        }
        !has_hole(self.returns.clone())
    }

    /// Returns the type that the fragment returns when it exits.
    fn left_with(&self, parts: &Parts) -> TokenStream {
        let can_return = self.exits.can_return() || self.exits.unknown || self.takes_exits(parts);
        if can_return {
            self.returns.clone()
        } else {
            quote!(())
        }
    }

    /// Checks that the exit that a test expects is possible.
    fn check_possible(&self, parts: &Parts, mistakes: &mut Mistakes) {
        let unknown = self.exits.unknown;
        let returning_tail = parts.fragment.tail.is_some() && parts.fragment.tail_returns;
        let problem = match self.leaving {
            Leaving::Return if !unknown && !self.exits.can_return() && !returning_tail => {
                if parts.fragment.tail.is_some() {
                    "this fragment ends in a value that the function does not return; use `check_value(…)`"
                } else {
                    "this fragment never returns; use an oracle such as `check_eq(…)`"
                }
            }
            Leaving::Value if parts.fragment.tail.is_none() => {
                "this fragment does not end in a value; use an oracle such as `check_eq(…)`"
            }
            Leaving::Break(label)
                if !unknown && !self.goes_to(&self.exits.breaks, label.as_deref()) =>
            {
                "this fragment has no such `break` of a loop around it; use another oracle such as `check_eq(…)`"
            }
            Leaving::Continue(label)
                if !unknown && !self.goes_to(&self.exits.continues, label.as_deref()) =>
            {
                "this fragment has no such `continue` of a loop around it; use another oracle such as `check_eq(…)`"
            }
            _ => return,
        };
        let by_name = || {
            results_asked(self.call)
                .into_iter()
                .find(|(name, _)| name == "returned" || name == "value")
        };
        let by_oracle = self.asking().map(|oracle| oracle.span);
        mistakes.add(
            by_oracle
                .or_else(|| by_name().map(|(_, span)| span))
                .unwrap_or(self.call.span),
            problem,
        );
    }

    /// Returns whether one of the exits targets the loop with that label, or the innermost one.
    fn goes_to(&self, exits: &[Option<String>], label: Option<&str>) -> bool {
        let innermost = self.innermost.as_ref().and_then(Option::as_deref);
        let plain = |label: Option<&str>| {
            label
                .filter(|label| Some(*label) != innermost)
                .map(str::to_owned)
        };
        exits
            .iter()
            .any(|exit| plain(exit.as_deref()) == plain(label))
    }

    /// Returns the oracle about the fragment's exit.
    fn asking(&self) -> Option<&Oracle> {
        let says = |oracle: &&Oracle| {
            matches!(
                oracle.kind,
                OracleKind::Return(_)
                    | OracleKind::Value(_)
                    | OracleKind::Break(_)
                    | OracleKind::Continue(_)
            )
        };
        self.call.clauses.oracles.iter().find(says)
    }

    /// Returns whether the test expects the fragment to reach its end.
    fn ends_well(&self, parts: &Parts) -> bool {
        match self.leaving {
            Leaving::Through | Leaving::Value => true,
            Leaving::Return => parts.fragment.tail.is_some() && parts.fragment.tail_returns,
            Leaving::Break(_) | Leaving::Continue(_) | Leaving::Panic => false,
        }
    }

    /// Returns the fragment, with the oracles in its scope if it is expected to reach its end.
    fn inside(&self, parts: &Parts, delay: Option<&TokenStream>) -> TokenStream {
        let declared = &self.declared;
        let statements = &parts.fragment.statements;
        let (looked_at, checks, left_over) = (&self.looked_at, &self.checks, &self.left_over);
        let tail = parts.fragment.tail.as_ref();
        let typed = match (
            parts.fragment.tail_returns,
            self.returns.to_string().as_str(),
        ) {
            (false, _) | (_, "_") => quote!(),
            _ => {
                let returns = &self.returns;
                quote!(: #returns)
            }
        };
        let value = tail.map(|tail| {
            // Attributes such as `#[allow(…)] match` can only precede a statement or a tail.
            let tail = if attributes_of(tail).is_empty() {
                quote!(#tail)
            } else {
                quote!({ #tail })
            };
            quote!(let mut __situ_value #typed = #tail;)
        });
        // If only the tail determines the return type, the other exits must share it.
        let is_open = self.exits.can_return() && self.returns.to_string() == "_"
            || self.takes_exits(parts) && !self.is_told();
        let linked = (is_open && parts.fragment.tail_returns).then(|| {
            let exit = if self.exits.unknown {
                quote!(return __situ_value)
            } else {
                quote!(break '__situ ::situ::rt::Left::Returned(__situ_value, 0))
            };
            quote!(if false { ::situ::rt::core::unreachable!(); #exit })
        });
        let value = value.map(|value| quote!(#value #linked));
        let end = if self.ends_well(parts) {
            quote!(#value #delay #looked_at #(#checks)* #left_over)
        } else {
            quote!(#value)
        };
        quote!(#declared #(#statements)* #end)
    }

    /// Returns code in which every exit evaluates to a `Left`.
    fn enclosed(
        &self,
        enclosure: Enclosure,
        returns: &TokenStream,
        inside: &TokenStream,
    ) -> TokenStream {
        let wait = self.exits.awaits.then(|| quote!(.await));
        let closure = |output: TokenStream, code: TokenStream| {
            if self.exits.awaits {
                let body = body_at(
                    self.span,
                    quote!(let __situ_out: #output = { #code }; __situ_out),
                );
                quote!(async #body)
            } else {
                let body = body_at(self.span, code);
                quote!(|| -> #output #body)
            }
        };
        let plain = match enclosure {
            Enclosure::None => quote!({ #inside ::situ::rt::Left::<#returns>::Through }),
            Enclosure::Block => quote!('__situ: { #inside ::situ::rt::Left::Through }),
            Enclosure::Closure => {
                let inside = quote!(#inside __situ.through());
                let inside = match &self.innermost {
                    // A macro may contain a `break` out of the surrounding loop, so the copy gets a
                    // loop that runs once.
                    Some(_) => quote! {
                        let mut __situ_again = false;
                        loop {
                            if __situ_again { __situ.continued(::situ::rt::core::option::Option::None, __situ.last_line()) }
                            __situ_again = true;
                            #inside
                        }
                        __situ.broke(::situ::rt::core::option::Option::None, __situ.last_line())
                    },
                    None => inside,
                };
                if self.exits.awaits {
                    let body = body_at(self.span, inside);
                    quote!(__situ.enclosed_future::<#returns>(async #body).await)
                } else {
                    let closure = closure(returns.clone(), inside);
                    quote!(__situ.enclosed(#closure))
                }
            }
        };
        let plain = if self.is_unsafe {
            quote!(unsafe { #plain })
        } else {
            plain
        };
        if *self.leaving != Leaving::Panic {
            return plain;
        }
        let method = if self.exits.awaits {
            quote!(panics_future)
        } else {
            quote!(panics)
        };
        let closure = closure(quote!(::situ::rt::Left<#returns>), plain);
        quote!(__situ.#method(#closure)#wait)
    }

    /// Returns the code that checks how the fragment exited.
    fn judged(
        &self,
        parts: &Parts,
        exit: &TokenStream,
        delay: Option<&TokenStream>,
    ) -> TokenStream {
        let span = self.call.span;
        let returns = self.left_with(parts);
        let outside = self.outside();
        if *self.leaving == Leaving::Panic {
            return self.panic_judged(exit, delay, &outside);
        }
        let expected = self.expectation();
        let through = self
            .ends_well(parts)
            .then(|| quote!(::situ::rt::Left::Through => {}));
        let left = quote!(__situ.left_at(__situ_line); #delay #outside);
        let asked = match self.leaving {
            Leaving::Return => {
                Some(quote!(::situ::rt::Left::Returned(mut __situ_value, __situ_line) => { #left }))
            }
            Leaving::Break(label) => {
                let label = self.label(label.as_deref());
                Some(quote!(::situ::rt::Left::Broke(#label, __situ_line) => { #left }))
            }
            Leaving::Continue(label) => {
                let label = self.label(label.as_deref());
                Some(quote!(::situ::rt::Left::Continued(#label, __situ_line) => { #left }))
            }
            _ => None,
        };
        let (span, oracle) = self
            .asking()
            .map_or((span, ""), |oracle| (oracle.span, oracle.text.as_str()));
        let strayed = quote_spanned!(span=> ::situ::rt::Exit::new(&__situ_exit).strayed(__situ, #oracle, #expected));
        quote! {
            let __situ_exit: ::situ::rt::Left<#returns> = #exit;
            match __situ_exit {
                #through
                #asked
                __situ_exit => #strayed,
            }
        }
    }

    fn panic_judged(
        &self,
        exit: &TokenStream,
        delay: Option<&TokenStream>,
        outside: &TokenStream,
    ) -> TokenStream {
        let asked = self
            .call
            .clauses
            .oracles
            .iter()
            .filter_map(|oracle| match &oracle.kind {
                OracleKind::Panic(text) => Some((oracle, text)),
                _ => None,
            });
        let (span, clause, texts) = asked.fold(
            (self.call.span, String::new(), Vec::new()),
            |(_, _, mut texts), (oracle, text)| {
                texts.extend(text.clone());
                (oracle.span, oracle.text.clone(), texts)
            },
        );
        let text = texts
            .last()
            .map_or_else(|| quote!(""), |text| quote!(#text));
        let check = quote_spanned!(span=> if let ::situ::rt::core::option::Option::Some(__situ_exit) = __situ.check_panic(#clause, #text, __situ_caught) {
            ::situ::rt::Exit::new(&__situ_exit).strayed(__situ, #clause, "it panics")
        });
        quote!(let __situ_caught = #exit; #check #delay #outside)
    }

    /// Returns the oracles that need nothing but givens.
    fn outside(&self) -> TokenStream {
        let oracles = self
            .call
            .clauses
            .oracles
            .iter()
            .zip(&self.checks)
            .zip(&self.known_outside);
        let checks = oracles.map(|((oracle, check), known)| {
            let (text, span) = (&oracle.text, oracle.span);
            if *known {
                check.clone()
            } else {
                quote_spanned!(span=> __situ.never_made(#text);)
            }
        });
        let (looked_at, left_over) = (&self.looked_at, &self.left_over);
        quote!(#looked_at #(#checks)* #left_over)
    }

    fn expectation(&self) -> String {
        let to = |label: &Option<String>| {
            label
                .as_ref()
                .map(|label| format!(" '{label}"))
                .unwrap_or_default()
        };
        match self.leaving {
            Leaving::Through | Leaving::Value => "it runs to its end".into(),
            Leaving::Return => "it returns".into(),
            Leaving::Break(label) => format!("it leaves by `break{}`", to(label)),
            Leaving::Continue(label) => format!("it leaves by `continue{}`", to(label)),
            Leaving::Panic => "it panics".into(),
        }
    }

    fn label(&self, label: Option<&str>) -> TokenStream {
        match label {
            Some(label) if self.innermost.as_ref().and_then(Option::as_deref) != Some(label) => {
                quote!(::situ::rt::core::option::Option::Some(#label))
            }
            _ => quote!(::situ::rt::core::option::Option::None),
        }
    }
}
