//! Rewriting of `return`, `?`, `break` and `continue` that leave a fragment, so that its test sees
//! the exit.

use super::in_arguments;
use crate::attributes::attributes_of;
use crate::text::line_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprAsync, ExprBlock, ExprClosure, ExprForLoop, ExprLoop, ExprReference, ExprWhile, Item,
    Label, Lifetime, Macro, Stmt,
};

/// The code around the copy of a fragment with exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosure {
    /// Nothing: it has no exit.
    None,
    /// A labelled block, which every visible exit breaks out of.
    Block,
    /// A closure, because a macro may contain an invisible `return`.
    Closure,
}

/// A visitor that rewrites the exits of a fragment.
pub struct LeaveRewriter<'a> {
    enclosure: Enclosure,
    /// The label of the innermost loop around the fragment.
    innermost: Option<&'a str>,
    loops: usize,
    labels: Vec<Lifetime>,
    /// The declarations of the types of the values with which loops are left.
    broken: BTreeSet<String>,
}

impl<'a> LeaveRewriter<'a> {
    /// Creates a rewriter for a fragment in that enclosure.
    pub fn new(enclosure: Enclosure, innermost: Option<&'a str>) -> Self {
        LeaveRewriter {
            enclosure,
            innermost,
            loops: 0,
            labels: Vec::new(),
            broken: BTreeSet::new(),
        }
    }

    /// Rewrites statements of one block.
    pub fn statements(&mut self, statements: &mut Vec<Stmt>) {
        let mut rewritten = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            self.visit_stmt_mut(&mut statement);
            // In a closure the `return` of an unknown macro is invisible, so the code notes that
            // control reached it.
            if let (Enclosure::Closure, Stmt::Macro(call)) = (self.enclosure, &statement)
                && crate::macros::may_leave(&call.mac)
            {
                let line = Self::line(call.mac.path.span());
                rewritten.push(syn::parse_quote!(__situ.at(#line, ());));
            }
            rewritten.push(statement);
        }
        *statements = rewritten;
    }

    /// Returns declarations for the rewritten fragment. A `break None` has the type of the other
    /// values of its loop.
    pub fn declarations(&self) -> Vec<Stmt> {
        let declared = |name: &String| {
            let name = Ident::new(name, Span::call_site());
            syn::parse_quote!(let #name = ::situ::rt::broken();)
        };
        self.broken.iter().map(declared).collect()
    }

    /// Returns the exit from a loop with a value. The value is only borrowed, since oracles may use
    /// its parts.
    fn with_value(&mut self, label: Option<&Lifetime>, value: &Expr, out: &Expr) -> Expr {
        let name = match label.map(|label| label.ident.to_string()) {
            Some(name) if self.innermost != Some(&name) => format!("__situ_broken_{name}"),
            _ => "__situ_broken".to_owned(),
        };
        self.broken.insert(name.clone());
        let name = Ident::new(&name, Span::call_site());
        // Written as an expression, so that `1 + 2` is borrowed whole.
        let value = ExprReference {
            attrs: Vec::new(),
            and_token: <syn::Token![&]>::default(),
            mutability: None,
            expr: Box::new(value.clone()),
        };
        Expr::Verbatim(quote!({ #name.with(#value); #out }))
    }

    fn line(span: Span) -> u32 {
        u32::try_from(line_of(span)).unwrap_or(u32::MAX)
    }

    fn returning(&self, value: &TokenStream, span: Span) -> Expr {
        let line = Self::line(span);
        match self.enclosure {
            Enclosure::Closure => {
                Expr::Verbatim(quote_spanned!(span=> return __situ.at(#line, #value)))
            }
            _ => Expr::Verbatim(
                quote_spanned!(span=> break '__situ ::situ::rt::Left::Returned(#value, #line)),
            ),
        }
    }

    fn asking(&self, asked: &Expr, span: Span) -> Expr {
        let line = Self::line(span);
        if self.enclosure == Enclosure::Closure {
            return Expr::Verbatim(quote_spanned!(span=> __situ.at(#line, #asked)?));
        }
        Expr::Verbatim(quote_spanned!(span=> match ::situ::rt::Ask::ask(#asked) {
            ::situ::rt::core::result::Result::Ok(__situ_ok) => __situ_ok,
            ::situ::rt::core::result::Result::Err(__situ_residual) => break '__situ ::situ::rt::Left::Returned(
                ::situ::rt::Residual::returned(__situ_residual),
                #line,
            ),
        }))
    }

    fn out_of_loop(&self, label: Option<&Lifetime>, by_break: bool, span: Span) -> Expr {
        let line = Self::line(span);
        let label = match label.map(|label| label.ident.to_string()) {
            Some(name) if self.innermost != Some(&name) => {
                quote!(::situ::rt::core::option::Option::Some(#name))
            }
            _ => quote!(::situ::rt::core::option::Option::None),
        };
        let (method, variant) = if by_break {
            (quote!(broke), quote!(Broke))
        } else {
            (quote!(continued), quote!(Continued))
        };
        match self.enclosure {
            Enclosure::Closure => {
                Expr::Verbatim(quote_spanned!(span=> __situ.#method(#label, #line)))
            }
            _ => Expr::Verbatim(
                quote_spanned!(span=> break '__situ ::situ::rt::Left::#variant(#label, #line)),
            ),
        }
    }

    fn leaves(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => !self.labels.contains(label),
            None => self.loops == 0,
        }
    }

    fn in_loop(&mut self, label: Option<&Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        let depth = self.labels.len();
        self.labels.extend(label.map(|label| label.name.clone()));
        self.loops += usize::from(is_loop);
        visit(self);
        self.loops -= usize::from(is_loop);
        self.labels.truncate(depth);
    }
}

impl VisitMut for LeaveRewriter<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let rewritten = match expression {
            Expr::Return(return_) => {
                let value = return_
                    .expr
                    .as_ref()
                    .map_or_else(|| quote!(()), |value| quote!(#value));
                Some(self.returning(&value, return_.return_token.span))
            }
            Expr::Try(try_) => Some(self.asking(&try_.expr, try_.question_token.span())),
            Expr::Break(break_) if self.leaves(break_.label.as_ref()) => {
                let out = self.out_of_loop(break_.label.as_ref(), true, break_.break_token.span);
                Some(match &break_.expr {
                    Some(value) => self.with_value(break_.label.as_ref(), value, &out),
                    None => out,
                })
            }
            Expr::Continue(continue_) if self.leaves(continue_.label.as_ref()) => {
                Some(self.out_of_loop(
                    continue_.label.as_ref(),
                    false,
                    continue_.continue_token.span,
                ))
            }
            _ => None,
        };
        let Some(rewritten) = rewritten else { return };
        // `#[cfg(unix)] return 1;`
        let attributes = attributes_of(expression);
        *expression = match attributes.is_empty() {
            true => rewritten,
            false => Expr::Verbatim(quote!(#(#attributes)* { #rewritten })),
        };
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.statements(&mut block.stmts);
    }

    fn visit_expr_for_loop_mut(&mut self, for_: &mut ExprForLoop) {
        self.visit_expr_mut(&mut for_.expr);
        let label = for_.label.clone();
        self.in_loop(label.as_ref(), true, |this| {
            this.visit_block_mut(&mut for_.body)
        });
    }

    fn visit_expr_while_mut(&mut self, while_: &mut ExprWhile) {
        let label = while_.label.clone();
        self.in_loop(label.as_ref(), true, |this| {
            visit_mut::visit_expr_while_mut(this, while_)
        });
    }

    fn visit_expr_loop_mut(&mut self, loop_: &mut ExprLoop) {
        let label = loop_.label.clone();
        self.in_loop(label.as_ref(), true, |this| {
            this.visit_block_mut(&mut loop_.body)
        });
    }

    fn visit_expr_block_mut(&mut self, block: &mut ExprBlock) {
        let label = block.label.clone();
        self.in_loop(label.as_ref(), false, |this| {
            this.visit_block_mut(&mut block.block)
        });
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        let has_exit = |tree: &proc_macro2::TokenTree| -> bool { exits_in(tree) };
        if call.tokens.clone().into_iter().any(|tree| has_exit(&tree)) {
            in_arguments(call, &mut |expression| self.visit_expr_mut(expression));
        }
    }

    // These have a `return` of their own.
    fn visit_expr_closure_mut(&mut self, _closure: &mut ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _async: &mut ExprAsync) {}
    fn visit_item_mut(&mut self, _item: &mut Item) {}
}

fn exits_in(tree: &proc_macro2::TokenTree) -> bool {
    match tree {
        proc_macro2::TokenTree::Group(group) => {
            group.stream().into_iter().any(|tree| exits_in(&tree))
        }
        proc_macro2::TokenTree::Ident(name) => {
            name == "return" || name == "break" || name == "continue"
        }
        proc_macro2::TokenTree::Punct(punct) => punct.as_char() == '?',
        proc_macro2::TokenTree::Literal(_) => false,
    }
}
