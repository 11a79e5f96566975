//! The body of a test: inputs, fragment, exits, oracles.

use super::formatter::looked_at;
use super::inputs::{self, Inputs, Scene};
use super::leaving::Body;
use super::oracles::Checks;
use super::parts::{Parts, body_at};
use super::target::{as_fragment, seen_at_start};
use crate::Purpose;
use crate::analyse::{Definite, Exits, Mentions, Unassigned, mentions_of};
use crate::fragment::{Branches, Found, Leaving, Target, oracle_expressions};
use crate::generics::{Parameters, Qualify, report_missing};
use crate::grammar::{Answers, Kind, Mock, OracleKind, TestCall};
use crate::mistakes::Mistakes;
use crate::rewrite::{Mocker, Renamer, ResultNames, Unmark, all_given, mark_unused};
use crate::surroundings::{Returns, Seen, Spot, Surroundings, pattern_names};
use crate::types::{Known, Types};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, ReturnType, Stmt, Type};

/// The body of a test function, with what its description needs.
pub struct Synthesized<'a> {
    /// The statements of the function.
    pub code: TokenStream,
    /// The generic parameters.
    pub parameters: Parameters<'a>,
    /// How many branches are counted.
    pub branches: usize,
    /// How many mocks there are.
    pub mocks: usize,
    /// The source of the inputs.
    pub inputs: String,
}

/// Builds the body of a test.
pub fn synthesize<'a>(
    call: &TestCall,
    found: &Found<'a>,
    (around, spot): (&Surroundings<'a>, Spot<'a>),
    purpose: Purpose,
    mistakes: &mut Mistakes,
) -> Option<Synthesized<'a>> {
    if call.clauses.oracles.is_empty() {
        mistakes.add(
            call.span,
            "a test without an oracle checks nothing; add one such as `check_eq(…)`, or, to claim no more than that it runs, `check_runs()`",
        );
        return None;
    }
    let clean = mistakes.is_empty();
    let mut results = ResultNames::default();
    let oracles = call.clauses.oracles.iter().map(|oracle| {
        let mut values: Vec<Expr> = oracle_expressions(&oracle.kind)
            .into_iter()
            .cloned()
            .collect();
        values
            .iter_mut()
            .for_each(|value| results.visit_expr_mut(value));
        values
    });
    let oracles: Vec<Vec<Expr>> = oracles.collect();
    if !results.mistakes.is_empty() {
        results
            .mistakes
            .into_iter()
            .for_each(|(span, message)| mistakes.add(span, message));
        return None;
    }
    let fragment = as_fragment(&found.target, &results.operands, call, mistakes)?;
    let around = seen_at_start(found, &results.operands, around, spot);
    let (parameters, arguments) = match &found.target {
        Target::Closure(closure, _) => (
            closure.inputs.iter().cloned().collect(),
            call.clauses.args.clone().unwrap_or_default(),
        ),
        _ => (Vec::new(), Vec::new()),
    };
    let parts = Parts {
        fragment,
        parameters,
        arguments,
        setups: call.clauses.setups.clone(),
        assumes: call.clauses.assumes.clone(),
        delay: call.clauses.delay_ms.clone(),
        oracles,
    };
    let mut generic = Parameters::around(&around);
    inputs::take_parameters(call, &around, &mut generic, mistakes);
    let synthesis = Synthesis {
        call,
        found,
        around,
        parameters: generic,
        purpose,
    };
    let done = synthesis.run(parts, mistakes);
    (clean == mistakes.is_empty()).then_some(done).flatten()
}

struct Synthesis<'s, 'a> {
    call: &'s TestCall,
    found: &'s Found<'a>,
    around: Seen<'s, 'a>,
    parameters: Parameters<'a>,
    purpose: Purpose,
}

impl<'a> Synthesis<'_, 'a> {
    fn run(self, mut parts: Parts, mistakes: &mut Mistakes) -> Option<Synthesized<'a>> {
        let mut inputs = self.inputs(&parts, mistakes);
        let has_flow = self
            .call
            .clauses
            .oracles
            .iter()
            .any(|oracle| matches!(oracle.kind, OracleKind::Flow(_) | OracleKind::NoFlow(_)));
        let branches = has_flow.then(|| Branches::weave(&mut parts.fragment));
        let clauses = self.clause_exits(&parts, &inputs);
        if let Some(span) = clauses.first {
            mistakes.add(
                span,
                "a clause cannot leave the test, for its oracles would not run; write a value",
            );
        }
        let lent = self.mock(&mut parts, &inputs, mistakes);
        let mut renamer = std::mem::take(&mut inputs.renamer);
        if !renamer.is_idle() {
            parts.change(&mut renamer);
        }
        for (span, name) in renamer.in_patterns {
            mistakes.add(
                span,
                format!("`{name}` stands in a pattern here, where a given value cannot replace it; remove the given"),
            );
        }
        let assigned = self.check_assigned(&parts, &inputs, mistakes);
        if !self.parameters.is_empty() {
            report_missing(&self.parameters, &parts.tokens(), self.call, mistakes);
        }
        self.rename_self(&mut parts, &mut inputs);
        if !mistakes.is_empty() {
            // Oracles are checked nevertheless, so that their mistakes are reported together with
            // the others.
            self.checks(&parts, branches.as_ref(), mistakes);
            return None;
        }
        self.mark_unused(&mut parts);
        let body = Body {
            call: self.call,
            leaving: &self.found.leaving,
            exits: self.exits(&parts),
            is_mutated: self.is_mutated(),
            returns: self.return_type(),
            innermost: self
                .around
                .loops
                .last()
                .map(|label| label.map(|label| label.ident.to_string())),
            is_unsafe: self.around.is_unsafe,
            span: self.around.body_span,
            declared: self.declarations(&assigned),
            looked_at: inputs.formatters().map(looked_at).collect(),
            checks: self.checks(&parts, branches.as_ref(), mistakes),
            left_over: all_given(&self.call.clauses.mocks),
            known_outside: self.known_outside(&parts, &assigned),
        };
        let core = body.core(&mut parts, mistakes);
        let mut code = self.wrapped(&core, body.exits.awaits, &parts, &inputs);
        code = quote!(#lent #code);
        if clauses.unknown {
            // A macro in a clause may contain an invisible `return`.
            code = quote!(__situ.must_end(); #code __situ.ended(););
        }
        Some(Synthesized {
            code,
            branches: branches.map_or(0, |branches| branches.count),
            mocks: self.call.clauses.mocks.len(),
            inputs: inputs.text,
            parameters: self.parameters,
        })
    }

    fn inputs(&self, parts: &Parts, mistakes: &mut Mistakes) -> Inputs {
        let fragment = mentions_of(|mentions| parts.look_at_fragment(mentions));
        let clauses = mentions_of(|mentions| {
            parts.look_at_clauses(mentions);
            self.look_at_values(mentions);
        });
        let has_place = self
            .call
            .clauses
            .givens()
            .any(|given| given.name().is_none());
        let tokens = if has_place || !self.parameters.is_empty() {
            parts.tokens()
        } else {
            TokenStream::new()
        };
        let given: Vec<String> = self
            .call
            .clauses
            .givens()
            .filter_map(|given| given.name())
            .map(ToString::to_string)
            .collect();
        let scene = Scene {
            around: self.around,
            outer_parameters: &self.found.outer_parameters,
            fragment: &fragment,
            clauses: &clauses,
            tokens: &tokens,
            given: &given,
        };
        inputs::prepare(self.call, &scene, &self.parameters, mistakes)
    }

    /// Visits the values of givens, mocks and `each`.
    fn look_at_values(&self, mentions: &mut Mentions) {
        for value in self
            .call
            .clauses
            .givens()
            .filter_map(|given| given.expression().ok())
        {
            mentions.visit_expr(value);
        }
        for mock in &self.call.clauses.mocks {
            mentions.visit_expr(&mock.call);
            match &mock.answers {
                Answers::Always(value) => mentions.visit_expr(value),
                Answers::InTurn(values) => {
                    values.iter().for_each(|value| mentions.visit_expr(value))
                }
            }
        }
        self.call
            .clauses
            .eaches()
            .for_each(|each| mentions.visit_expr(&each.iterable));
    }

    /// Replaces the mocked calls and returns the declarations that must enclose everything.
    fn mock(&self, parts: &mut Parts, inputs: &Inputs, mistakes: &mut Mistakes) -> TokenStream {
        let mocks: &[Mock] = &self.call.clauses.mocks;
        if mocks.is_empty() {
            return TokenStream::new();
        }
        let bound = mentions_of(|mentions| parts.look_at_fragment(mentions)).bound;
        let has = |name: &str| inputs.given.contains(name) || bound.contains_key(name);
        let types = Types {
            around: self.around,
            parameters: &self.parameters,
        };
        let conjure = |expression: &Expr| types.conjured(expression, &has);
        let mut mocker = Mocker::new(mocks, &conjure);
        parts
            .fragment
            .statements
            .iter_mut()
            .for_each(|statement| mocker.visit_stmt_mut(statement));
        parts
            .fragment
            .tail
            .iter_mut()
            .for_each(|tail| mocker.visit_expr_mut(tail));
        for (mock, matched) in mocks.iter().zip(&mocker.matched) {
            if !matched {
                let text = crate::text::source_text(&mock.call.to_token_stream());
                mistakes.add(
                    mock.span,
                    format!("the fragment has no call of the shape `{text}`; correct it or remove this mock"),
                );
            }
        }
        mocker.declarations()
    }

    /// Checks definite assignment of the test, reports variables without a value, and returns those
    /// that are only assigned.
    fn check_assigned(
        &self,
        parts: &Parts,
        inputs: &Inputs,
        mistakes: &mut Mistakes,
    ) -> Vec<Ident> {
        let visible: HashSet<String> = self
            .around
            .bindings()
            .iter()
            .map(|binding| binding.ident.to_string())
            .collect();
        let outer = self
            .found
            .outer_parameters
            .iter()
            .map(|(name, _)| name.to_string());
        let open: HashSet<String> = visible
            .into_iter()
            .chain(outer)
            .filter(|name| !inputs.given.contains(name))
            .collect();
        let mut definite = Definite::new(&open);
        for each in self.call.clauses.eaches() {
            definite.visit_expr(&each.iterable);
            definite.bind(&each.pattern);
        }
        inputs
            .prepared
            .iter()
            .for_each(|input| definite.visit_expr(&input.value));
        parts
            .arguments
            .iter()
            .for_each(|argument| definite.visit_expr(argument));
        parts
            .parameters
            .iter()
            .for_each(|parameter| definite.bind(parameter));
        parts
            .setups
            .iter()
            .for_each(|setup| definite.visit_block(setup));
        parts
            .assumes
            .iter()
            .for_each(|(assume, _)| definite.visit_expr(assume));
        definite.statements(&parts.fragment.statements);
        parts
            .fragment
            .tail
            .iter()
            .for_each(|tail| definite.visit_expr(tail));
        if !matches!(
            self.found.leaving,
            Leaving::Break(_) | Leaving::Continue(_) | Leaving::Panic
        ) {
            parts
                .oracles
                .iter()
                .flatten()
                .for_each(|value| definite.visit_expr(value));
        }
        self.report_unassigned(&definite.unassigned, mistakes);
        let assigned = self.around.bindings().iter().rev().filter(|binding| {
            let name = binding.ident.to_string();
            definite.assigned.contains(&name) && open.contains(&name)
        });
        let mut unique: Vec<Ident> = Vec::new();
        for binding in assigned {
            if !unique.contains(&binding.ident) {
                unique.push(binding.ident.clone());
            }
        }
        unique
    }

    /// Reports each variable without a value where it is read, and all of them at the test, because
    /// the code may have many tests.
    fn report_unassigned(&self, reads: &[Unassigned], mistakes: &mut Mistakes) {
        let test = self.call.in_words();
        let mut names: Vec<String> = Vec::new();
        for read in reads {
            let name = read.ident.to_string();
            if names.contains(&name) {
                continue;
            }
            let problem = if read.on_some_path {
                "is assigned on some paths only"
            } else {
                "has no value"
            };
            let message = format!("`{name}` {problem} in {test}; add `given({name} = …)`");
            mistakes.add_missing_value(read.ident.span(), message);
            names.push(name);
        }
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            mistakes.add_missing_value(
                self.call.span,
                format!("this test gives no value to {}", names.join(", ")),
            );
        }
    }

    fn rename_self(&self, parts: &mut Parts, inputs: &mut Inputs) {
        if self.around.binding("self").is_some() {
            let mut renamer = Renamer::default();
            renamer.names.insert("self".into(), "__situ_self".into());
            parts.change(&mut renamer);
            inputs
                .prepared
                .iter_mut()
                .for_each(|input| renamer.visit_expr_mut(&mut input.value));
        }
        if let Some(mut qualify) = Qualify::around(&self.around, &self.parameters) {
            parts.change(&mut qualify);
            inputs
                .prepared
                .iter_mut()
                .for_each(|input| qualify.visit_expr_mut(&mut input.value));
        }
        if !self.call.clauses.mocks.is_empty() {
            parts.change(&mut Unmark);
        }
    }

    fn mark_unused(&self, parts: &mut Parts) {
        if parts
            .fragment
            .statements
            .iter()
            .any(|statement| matches!(statement, Stmt::Local(_)))
        {
            let mentions = mentions_of(|mentions| {
                parts.look_at_fragment(mentions);
                parts.look_at_clauses(mentions);
                self.look_at_values(mentions);
                for oracle in &self.call.clauses.oracles {
                    if let OracleKind::Matches(_, pattern) = &oracle.kind {
                        mentions.tokens(pattern.clone());
                    }
                }
            });
            mark_unused(&mut parts.fragment.statements, &mentions);
        }
    }

    fn return_type(&self) -> TokenStream {
        let output = match (&self.found.target, self.around.returns) {
            (Target::Closure(closure, _), _) => {
                return closure_type(&closure.output, &self.parameters);
            }
            (_, Some(Returns::Function(signature))) => &signature.output,
            (_, Some(Returns::Closure(closure))) => {
                return closure_type(&closure.output, &self.parameters);
            }
            _ => return quote!(_),
        };
        match output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) if matches!(&**ty, Type::Never(_)) => {
                quote!(::situ::rt::core::convert::Infallible)
            }
            ReturnType::Type(_, ty) => match self.parameters.spelled(ty) {
                Some(mut ty) => {
                    if let Some(mut qualify) = Qualify::around(&self.around, &self.parameters) {
                        qualify.visit_type_mut(&mut ty);
                    }
                    quote!(#ty)
                }
                None => quote!(_),
            },
        }
    }

    /// Returns the exits of the clauses themselves.
    fn clause_exits(&self, parts: &Parts, inputs: &Inputs) -> Exits {
        Exits::of(|exits| {
            parts.look_at_clauses(exits);
            inputs
                .prepared
                .iter()
                .for_each(|input| exits.visit_expr(&input.value));
            self.call
                .clauses
                .eaches()
                .for_each(|each| exits.visit_expr(&each.iterable));
        })
    }

    /// Returns whether mutants may add exits to the fragment.
    fn is_mutated(&self) -> bool {
        let is_function = matches!(self.around.returns, Some(Returns::Function(_)));
        self.purpose == Purpose::Mutants && self.call.kind == Kind::Block && is_function
    }

    fn exits(&self, parts: &Parts) -> Exits {
        let mut exits = Exits::of(|exits| parts.look_at_fragment(exits));
        let is_async = match (&self.found.target, self.around.returns) {
            (Target::Closure(closure, _), _) => closure.asyncness.is_some(),
            (_, Some(Returns::Closure(closure))) => closure.asyncness.is_some(),
            (_, Some(Returns::Function(signature))) => signature.asyncness.is_some(),
            (_, Some(Returns::AsyncBlock)) => true,
            (_, None) => false,
        };
        // A macro whose content is unknown may await where that is allowed.
        exits.awaits |= exits.unknown && is_async;
        exits
    }

    fn checks(
        &self,
        parts: &Parts,
        branches: Option<&Branches>,
        mistakes: &mut Mistakes,
    ) -> Vec<TokenStream> {
        let checks = Checks {
            branches,
            mocks: &self.call.clauses.mocks,
        };
        let oracles = self.call.clauses.oracles.iter().zip(&parts.oracles);
        oracles
            .map(|(oracle, values)| checks.code(oracle, values, mistakes))
            .collect()
    }

    fn declarations(&self, assigned: &[Ident]) -> TokenStream {
        let types = Types {
            around: self.around,
            parameters: &self.parameters,
        };
        assigned
            .iter()
            .map(|name| match types.of_variable(&name.to_string()) {
                Known::Declared(ty) => quote!(let mut #name: #ty;),
                _ => quote!(let mut #name;),
            })
            .collect()
    }

    /// Returns which oracles can be checked after an early exit of the fragment.
    fn known_outside(&self, parts: &Parts, assigned: &[Ident]) -> Vec<bool> {
        let made_inside: HashSet<String> = parts
            .fragment
            .statements
            .iter()
            .filter_map(|statement| match statement {
                Stmt::Local(local) => Some(pattern_names(&local.pat)),
                _ => None,
            })
            .flatten()
            .chain(assigned.iter().cloned())
            .map(|name| name.to_string())
            .collect();
        let visible_givens: HashSet<String> = self
            .call
            .clauses
            .givens()
            .filter_map(|given| given.name().map(ToString::to_string))
            .collect();
        let is_unknown = |values: &Vec<Expr>| {
            let mentions =
                mentions_of(|mentions| values.iter().for_each(|value| mentions.visit_expr(value)));
            mentions
                .used
                .keys()
                .any(|name| made_inside.contains(name) && !visible_givens.contains(name))
        };
        parts
            .oracles
            .iter()
            .map(|values| !is_unknown(values))
            .collect()
    }

    /// Wraps the core in inputs, assumptions, `each` and an executor.
    fn wrapped(
        &self,
        core: &TokenStream,
        fragment_awaits: bool,
        parts: &Parts,
        inputs: &Inputs,
    ) -> TokenStream {
        let setups = &parts.setups;
        let assumes = parts
            .assumes
            .iter()
            .map(|(condition, text)| quote!(if !(#condition) { __situ.skip(#text); break '__situ_case; }));
        let mut code = if parts.assumes.is_empty() {
            quote!(#(#setups)* #core)
        } else {
            quote!('__situ_case: { #(#setups)* #(#assumes)* __situ.assumed(); #core })
        };
        for (parameter, argument) in parts.parameters.iter().zip(&parts.arguments).rev() {
            code = match parameter {
                Pat::Type(typed) => {
                    let (pattern, ty) = (&typed.pat, self.parameters.spelled(&typed.ty));
                    match ty {
                        Some(ty) => {
                            quote!(match ::situ::rt::id::<#ty>(#argument) { #pattern => { #code } })
                        }
                        None => quote!(match #argument { #pattern => { #code } }),
                    }
                }
                pattern => quote!(match #argument { #pattern => { #code } }),
            };
        }
        code = inputs.around(code);
        let eaches: Vec<_> = self.call.clauses.eaches().enumerate().collect();
        for (depth, each) in eaches.into_iter().rev() {
            let (pattern, iterable) = (&each.pattern, &each.iterable);
            let number = format_ident!("__situ_number_{}", depth);
            let text = format!(
                "each({}, …)",
                crate::text::source_text(&pattern.to_token_stream())
            );
            let made = quote_spanned!(each.span=> __situ.had_cases(#text, #number););
            code = quote! {
                let mut #number = 0usize;
                for __situ_element in #iterable {
                    #number += 1;
                    __situ.case(#depth, #number, ::situ::rt::Show::new(&__situ_element).show());
                    let #pattern = __situ_element;
                    #code
                }
                #made
            };
        }
        let awaits = fragment_awaits
            || Exits::of(|exits| {
                parts.look_at_clauses(exits);
                inputs
                    .prepared
                    .iter()
                    .for_each(|input| exits.visit_expr(&input.value));
            })
            .awaits;
        match &self.call.clauses.runtime {
            None if !awaits => code,
            runtime => {
                let body = body_at(self.around.body_span, code);
                on_runtime(runtime.as_ref(), &quote!(async #body))
            }
        }
    }
}

fn closure_type(output: &ReturnType, parameters: &Parameters<'_>) -> TokenStream {
    match output {
        ReturnType::Default => quote!(_),
        ReturnType::Type(_, ty) => parameters
            .spelled(ty)
            .map_or_else(|| quote!(_), |ty| quote!(#ty)),
    }
}

/// Returns the code that runs a future on the clause's runtime, if there is one.
fn on_runtime(runtime: Option<&syn::Path>, future: &TokenStream) -> TokenStream {
    let Some(runtime) = runtime else {
        return quote!(::situ::rt::block_on(#future););
    };
    match runtime.get_ident().map(ToString::to_string).as_deref() {
        Some("tokio") => quote! {
            ::tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("starting a tokio runtime for a test")
                .block_on(#future);
        },
        Some("async_std") => quote!(::async_std::task::block_on(#future);),
        Some("smol") => quote!(::smol::block_on(#future);),
        _ => quote!(#runtime(#future);),
    }
}
