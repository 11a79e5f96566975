//! Replacement of mocked calls by their answers.

use super::borrowed_answers::BorrowedAnswers;
use super::in_arguments;
use super::names::same_tokens;
use crate::grammar::{Answers, Mock};
use crate::text::source_text;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Item, Macro, Token};

/// Returns whether an expression never executes and only determines a type.
pub fn is_dead(expression: &Expr) -> bool {
    matches!(expression, Expr::Paren(paren) if paren.attrs.iter().any(|mark| mark.path().is_ident("__situ_dead")))
}

/// A visitor that removes the marks of such expressions.
pub struct Unmark;

impl VisitMut for Unmark {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Paren(paren) = expression
            && paren
                .attrs
                .iter()
                .any(|mark| mark.path().is_ident("__situ_dead"))
        {
            paren.attrs.clear();
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if call.tokens.to_string().contains("__situ_dead") {
            in_arguments(call, &mut |expression| self.visit_expr_mut(expression));
        }
    }
}

/// A function that declares the variables of a mocked call that the test does not have. Returns
/// `None` if the call cannot be given a type.
pub type Conjure<'a> = dyn Fn(&Expr) -> Option<TokenStream> + 'a;

/// A mock whose pattern matches a call.
struct Fitting<'m> {
    index: usize,
    mock: &'m Mock,
    /// Arguments of the call, each with the one that it must equal.
    compared: Vec<(&'m Expr, &'m Expr)>,
}

/// A visitor that replaces calls.
pub struct Mocker<'a> {
    mocks: &'a [Mock],
    conjure: &'a Conjure<'a>,
    /// Which mocks matched a call.
    pub matched: Vec<bool>,
    lent: BorrowedAnswers,
}

impl<'a> Mocker<'a> {
    /// Creates a visitor for these mocks.
    pub fn new(mocks: &'a [Mock], conjure: &'a Conjure<'a>) -> Self {
        Mocker {
            mocks,
            conjure,
            matched: vec![false; mocks.len()],
            lent: BorrowedAnswers::default(),
        }
    }

    /// Returns the declarations of variables that answers borrow, to be placed around the fragment.
    pub fn declarations(&self) -> TokenStream {
        let names = &self.lent.names;
        quote!(#(let mut #names;)*)
    }

    fn replace(&mut self, expression: &Expr) -> Option<Expr> {
        let fitting: Vec<Fitting<'_>> = self
            .mocks
            .iter()
            .enumerate()
            .filter_map(|(index, mock)| {
                let mut compared = Vec::new();
                fits(&mock.call, expression, &mut compared).then_some(Fitting {
                    index,
                    mock,
                    compared,
                })
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let mut actuals: Vec<&Expr> = Vec::new();
        for Fitting { compared, .. } in &fitting {
            for (actual, _) in compared {
                if !actuals.iter().any(|known| std::ptr::eq(*known, *actual)) {
                    actuals.push(actual);
                }
            }
        }
        let names: Vec<proc_macro2::Ident> = (0..actuals.len())
            .map(|i| quote::format_ident!("__situ_arg_{}", i))
            .collect();
        let dead = (self.conjure)(expression)
            .map(|declared| quote!(#declared #[__situ_dead] (#expression)));
        let call_text = source_text(&expression.to_token_stream());
        let mut choice = quote!();
        let mut answers = quote!();
        let mut open = true;
        for Fitting {
            index,
            mock,
            compared,
        } in &fitting
        {
            self.matched[*index] = true;
            if !open {
                continue;
            }
            let agreements = compared.iter().map(|(actual, expected)| {
                let at = actuals.iter().position(|known| std::ptr::eq(*known, *actual)).unwrap_or(0);
                let name = &names[at];
                quote_spanned!(beginning(expected)=> ::situ::rt::Argument::new(#name, &(#expected)).agrees())
            });
            let agree = quote!(true #(&& #agreements)*);
            let (chosen, answer) = answer(*index, mock, &agree, &mut self.lent);
            choice.extend(quote!(if #chosen else));
            answers.extend(answer);
            open = !compared.is_empty();
        }
        let none = if open {
            let shown = names
                .iter()
                .map(|name| quote!(::situ::rt::Show::new(#name).show()));
            let span = fitting[0].mock.span;
            quote_spanned!(span=> __situ.no_answer(#call_text, &[#(#shown),*]))
        } else {
            quote!(::situ::rt::core::unreachable!())
        };
        // The call itself comes first and never executes: it determines the type of the answers.
        let typed = dead
            .map(|dead| quote!(::situ::rt::core::primitive::usize::MAX => { ::situ::rt::core::unreachable!(); #dead }));
        let branches = quote!(match (#choice { #none }) { #typed #answers _ => ::situ::rt::core::unreachable!() });
        let mut actuals: Vec<Expr> = actuals.into_iter().cloned().collect();
        actuals
            .iter_mut()
            .for_each(|actual| self.visit_expr_mut(actual));
        let replaced = if actuals.is_empty() {
            quote!(#branches)
        } else {
            quote!(match (#(&(#actuals),)*) { (#(#names,)*) => #branches })
        };
        // In parentheses, because an `if` cannot stand everywhere that a call can. They begin where
        // the call did, because mutants of the call are located by that position.
        let replaced = quote_spanned!(beginning(expression)=> (#replaced));
        Some(syn::parse2(replaced.clone()).unwrap_or(Expr::Verbatim(replaced)))
    }
}

/// Returns the span at which an expression begins.
fn beginning(expression: &Expr) -> Span {
    match expression.to_token_stream().into_iter().next() {
        Some(TokenTree::Group(group)) => group.span_open(),
        Some(first) => first.span(),
        None => Span::call_site(),
    }
}

/// Returns the condition under which a mock answers, and the arm with its answer.
fn answer(
    index: usize,
    mock: &Mock,
    agree: &TokenStream,
    lent: &mut BorrowedAnswers,
) -> (TokenStream, TokenStream) {
    let mut kept = |value: &Expr| {
        let mut value = value.clone();
        lent.keep(&mut value);
        value
    };
    match &mock.answers {
        Answers::Always(value) => {
            let value = kept(value);
            (
                quote!(__situ.answers(#index, #agree) { #index }),
                quote!(#index => #value,),
            )
        }
        Answers::InTurn(values) => {
            let values: Vec<Expr> = values.iter().map(kept).collect();
            let many = values.len() as u32;
            let text = sequence_text(mock);
            let numbers = 0..many;
            let next = quote_spanned!(mock.span=> __situ.next_answer(#index, #many, #text));
            let arm = quote!(#index => match #next { #(#numbers => #values,)* _ => ::situ::rt::core::unreachable!() },);
            (quote!(#agree { #index }), arm)
        }
    }
}

/// Returns the code that fails if values of a `mock_seq` are unused.
pub fn all_given(mocks: &[Mock]) -> TokenStream {
    let mocks = mocks
        .iter()
        .enumerate()
        .filter_map(|(index, mock)| match &mock.answers {
            Answers::Always(_) => None,
            Answers::InTurn(values) => {
                let (many, text) = (values.len() as u32, sequence_text(mock));
                Some(quote_spanned!(mock.span=> __situ.all_given(#index, #many, #text);))
            }
        });
    mocks.collect()
}

fn sequence_text(mock: &Mock) -> String {
    format!("mock_seq({}, …)", source_text(&mock.call.to_token_stream()))
}

/// Returns the mocks that an oracle names by a call: those with exactly that pattern, otherwise all
/// that it covers.
pub fn mocks_of(call: &Expr, mocks: &[Mock]) -> Vec<usize> {
    let of = |is_meant: &dyn Fn(&Mock) -> bool| -> Vec<usize> {
        mocks
            .iter()
            .enumerate()
            .filter(|(_, mock)| is_meant(mock))
            .map(|(index, _)| index)
            .collect()
    };
    let same = of(&|mock| same_tokens(&mock.call, call));
    if !same.is_empty() {
        return same;
    }
    of(&|mock| {
        let mut compared = Vec::new();
        fits(call, &mock.call, &mut compared)
            && compared.iter().all(|(own, asked)| same_tokens(own, asked))
    })
}

fn is_rest(pattern: &Expr) -> bool {
    matches!(pattern, Expr::Range(range) if range.start.is_none() && range.end.is_none())
}

/// Returns whether a call matches a pattern, and collects the arguments to compare at run time.
fn fits<'a>(pattern: &'a Expr, actual: &'a Expr, compared: &mut Vec<(&'a Expr, &'a Expr)>) -> bool {
    match (pattern, actual) {
        (Expr::Infer(_), _) => true,
        (Expr::Paren(pattern), actual) => fits(&pattern.expr, actual, compared),
        (pattern, Expr::Paren(actual)) => fits(pattern, &actual.expr, compared),
        (pattern, Expr::Group(actual)) => fits(pattern, &actual.expr, compared),
        (Expr::MethodCall(pattern), Expr::MethodCall(actual)) => {
            pattern.method == actual.method
                && (pattern.turbofish.is_none()
                    || same_tokens(&pattern.turbofish, &actual.turbofish))
                && fits(&pattern.receiver, &actual.receiver, compared)
                && arguments_fit(&pattern.args, &actual.args, compared)
        }
        (Expr::Call(pattern), Expr::Call(actual)) => {
            same_tokens(&pattern.func, &actual.func)
                && arguments_fit(&pattern.args, &actual.args, compared)
        }
        (Expr::Await(pattern), Expr::Await(actual)) => fits(&pattern.base, &actual.base, compared),
        (Expr::Try(pattern), Expr::Try(actual)) => fits(&pattern.expr, &actual.expr, compared),
        (Expr::Field(pattern), Expr::Field(actual)) => {
            same_tokens(&pattern.member, &actual.member)
                && fits(&pattern.base, &actual.base, compared)
        }
        (Expr::Reference(pattern), Expr::Reference(actual)) => {
            pattern.mutability.is_some() == actual.mutability.is_some()
                && fits(&pattern.expr, &actual.expr, compared)
        }
        (Expr::Macro(pattern), Expr::Macro(actual)) => {
            same_tokens(&pattern.mac.path, &actual.mac.path)
                && (pattern.mac.tokens.to_string() == ".."
                    || same_tokens(&pattern.mac.tokens, &actual.mac.tokens))
        }
        (pattern, actual) => same_tokens(pattern, actual),
    }
}

fn arguments_fit<'a>(
    patterns: &'a Punctuated<Expr, Token![,]>,
    actuals: &'a Punctuated<Expr, Token![,]>,
    compared: &mut Vec<(&'a Expr, &'a Expr)>,
) -> bool {
    let open = patterns.last().is_some_and(is_rest);
    let fixed = patterns.len() - usize::from(open);
    if actuals.len() < fixed || (!open && actuals.len() != fixed) {
        return false;
    }
    for (pattern, actual) in patterns.iter().take(fixed).zip(actuals) {
        if !matches!(pattern, Expr::Infer(_)) {
            compared.push((actual, pattern));
        }
    }
    true
}

impl VisitMut for Mocker<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if self.mocks.is_empty() || is_dead(expression) {
            return;
        }
        match self.replace(expression) {
            Some(replaced) => *expression = replaced,
            None => visit_mut::visit_expr_mut(self, expression),
        }
    }

    fn visit_stmt_mut(&mut self, statement: &mut syn::Stmt) {
        // A macro call may itself be mocked.
        if let syn::Stmt::Macro(call) = statement {
            let expression = Expr::Macro(syn::ExprMacro {
                attrs: Vec::new(),
                mac: call.mac.clone(),
            });
            if let Some(replaced) = self.replace(&expression) {
                *statement = syn::Stmt::Expr(replaced, Some(syn::Token![;](Span::call_site())));
                return;
            }
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if !self.mocks.is_empty() {
            in_arguments(call, &mut |expression| self.visit_expr_mut(expression));
        }
    }

    fn visit_item_mut(&mut self, _item: &mut Item) {}
}
