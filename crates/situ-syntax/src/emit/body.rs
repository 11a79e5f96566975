//! The body of a test: inputs, fragment, how it may leave, oracles.

use super::inputs::{self, Inputs, Scene};
use super::oracles::Checks;
use crate::analyse::{Definite, Exits, Mentions, mentions_of};
use crate::fragment::{Branches, Found, Fragment, Leaving, Target, oracle_expressions};
use crate::generics::{Parameters, QualifySelf, report_missing};
use crate::grammar::{Answers, Mock, Oracle, OracleKind, TestCall};
use crate::mistakes::Mistakes;
use crate::rewrite::{Enclosure, LeaveRewriter, Mocker, Renamer, ResultNames, Unmark};
use crate::strip::RemoveTests;
use crate::surroundings::{Returns, Spot, Surroundings, pattern_names};
use crate::types::{Known, Types};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, Pat, ReturnType, Stmt, Type};

/// The body of a test function and what its description needs.
pub struct Synthesized<'a> {
    /// The statements of the function.
    pub code: TokenStream,
    /// What generic parameters are.
    pub parameters: Parameters<'a>,
    /// How many branches are counted.
    pub branches: usize,
    /// How many mocks there are.
    pub mocks: usize,
    /// The text of the inputs.
    pub inputs: String,
}

/// A clause's own code, changed along with the fragment.
struct Parts {
    fragment: Fragment,
    parameters: Vec<Pat>,
    arguments: Vec<Expr>,
    setups: Vec<Block>,
    assumes: Vec<(Expr, String)>,
    delay: Option<Expr>,
    /// The expressions of each oracle.
    oracles: Vec<Vec<Expr>>,
}

impl Parts {
    fn change(&mut self, visitor: &mut dyn VisitMut) {
        self.fragment.statements.iter_mut().for_each(|statement| visitor.visit_stmt_mut(statement));
        self.fragment.tail.iter_mut().for_each(|tail| visitor.visit_expr_mut(tail));
        self.parameters.iter_mut().for_each(|parameter| visitor.visit_pat_mut(parameter));
        self.arguments.iter_mut().for_each(|argument| visitor.visit_expr_mut(argument));
        self.setups.iter_mut().for_each(|setup| visitor.visit_block_mut(setup));
        self.assumes.iter_mut().for_each(|(assume, _)| visitor.visit_expr_mut(assume));
        self.delay.iter_mut().for_each(|delay| visitor.visit_expr_mut(delay));
        self.oracles.iter_mut().flatten().for_each(|value| visitor.visit_expr_mut(value));
    }

    fn look_at_fragment<'p, V: Visit<'p>>(&'p self, visitor: &mut V) {
        self.fragment.statements.iter().for_each(|statement| visitor.visit_stmt(statement));
        self.fragment.tail.iter().for_each(|tail| visitor.visit_expr(tail));
    }

    fn look_at_clauses<'p, V: Visit<'p>>(&'p self, visitor: &mut V) {
        self.arguments.iter().for_each(|argument| visitor.visit_expr(argument));
        self.setups.iter().for_each(|setup| visitor.visit_block(setup));
        self.assumes.iter().for_each(|(assume, _)| visitor.visit_expr(assume));
        self.delay.iter().for_each(|delay| visitor.visit_expr(delay));
        self.oracles.iter().flatten().for_each(|value| visitor.visit_expr(value));
    }

    fn tokens(&self) -> TokenStream {
        let (statements, tail) = (&self.fragment.statements, &self.fragment.tail);
        let oracles = self.oracles.iter().flatten();
        let setups = &self.setups;
        quote!(#(#statements)* #tail; #(#oracles;)* #(#setups)*)
    }
}

/// Makes the body of a test.
pub fn synthesize<'a>(
    call: &TestCall,
    found: &Found<'a>,
    around: &Surroundings<'a>,
    spot: Spot<'a>,
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
        let mut values: Vec<Expr> = oracle_expressions(&oracle.kind).into_iter().cloned().collect();
        values.iter_mut().for_each(|value| results.visit_expr_mut(value));
        values
    });
    let oracles: Vec<Vec<Expr>> = oracles.collect();
    results.mistakes.into_iter().for_each(|(span, message)| mistakes.add(span, message));
    let fragment = as_fragment(&found.target, &results.operands, call, mistakes)?;
    let narrowed = header_surroundings(&found.target, &results.operands, around, spot);
    let around = narrowed.as_ref().unwrap_or(around);
    let (parameters, arguments) = match &found.target {
        Target::Closure(closure, _) => {
            (closure.inputs.iter().cloned().collect(), call.clauses.args.clone().unwrap_or_default())
        }
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
    let mut generic = Parameters::around(around);
    inputs::take_parameters(call, around, &mut generic, mistakes);
    let synthesis = Synthesis { call, found, around, parameters: generic };
    let done = synthesis.run(parts, mistakes);
    (clean == mistakes.is_empty()).then_some(done).flatten()
}

/// A header only sees the variables that are there before its own pattern binds some.
fn header_surroundings<'a>(
    target: &Target<'_>,
    operands: &std::collections::BTreeSet<usize>,
    around: &Surroundings<'a>,
    spot: Spot<'_>,
) -> Option<Surroundings<'a>> {
    let is_header = matches!(target, Target::Condition(_) | Target::Items(_) | Target::Scrutinee(_));
    let asks_operand = operands.iter().any(|operand| *operand > 0);
    (is_header && !asks_operand).then(|| {
        let mut around = around.clone();
        around.bindings.truncate(spot.header_sees);
        around
    })
}

fn as_fragment(
    target: &Target<'_>,
    operands: &std::collections::BTreeSet<usize>,
    call: &TestCall,
    mistakes: &mut Mistakes,
) -> Option<Fragment> {
    let bare = |expression: &Expr| {
        let mut expression = expression.clone();
        RemoveTests.visit_expr_mut(&mut expression);
        expression
    };
    let of = |statements: Vec<Stmt>| Fragment { statements, ..Fragment::default() };
    match target {
        Target::Fragment(fragment) | Target::Closure(_, fragment) => Some(fragment.clone()),
        Target::Items(for_) => {
            let iterable = bare(&for_.expr);
            Some(of(vec![syn::parse_quote!(let mut __situ_items = ::situ::rt::items(#iterable);)]))
        }
        Target::Scrutinee(scrutinee) => {
            let scrutinee = bare(scrutinee);
            Some(of(vec![syn::parse_quote!(let __situ_scrutinee = &(#scrutinee);)]))
        }
        Target::Condition(condition) => {
            let mut statements = Vec::new();
            let all = condition_operands(condition);
            for number in operands {
                let name = format_ident!("__situ_cond_{}", number);
                let operand = match number {
                    0 => Some(bare(condition)),
                    n => all.get(n - 1).map(|operand| bare(operand)),
                };
                let Some(operand) = operand else {
                    let message =
                        format!("this condition has {} operands; write `cond({})` or less", all.len(), all.len());
                    mistakes.add(call.span, message);
                    return None;
                };
                statements.push(syn::parse_quote!(let #name: bool = if #operand { true } else { false };));
            }
            Some(of(statements))
        }
    }
}

/// The operands of the outermost `&&` or `||`, from left to right.
fn condition_operands(condition: &Expr) -> Vec<&Expr> {
    fn collect<'e>(expression: &'e Expr, and: bool, operands: &mut Vec<&'e Expr>) {
        match expression {
            Expr::Binary(binary) if matches!((&binary.op, and), (BinOp::And(_), true) | (BinOp::Or(_), false)) => {
                collect(&binary.left, and, operands);
                collect(&binary.right, and, operands);
            }
            other => operands.push(other),
        }
    }
    let mut operands = Vec::new();
    let mut condition = condition;
    while let Expr::Paren(paren) = condition {
        condition = &paren.expr;
    }
    let and = !matches!(condition, Expr::Binary(binary) if matches!(binary.op, BinOp::Or(_)));
    collect(condition, and, &mut operands);
    operands
}

struct Synthesis<'s, 'a> {
    call: &'s TestCall,
    found: &'s Found<'a>,
    around: &'s Surroundings<'a>,
    parameters: Parameters<'a>,
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
        self.mock(&mut parts, &inputs, mistakes);
        let mut renamer = std::mem::take(&mut inputs.renamer);
        parts.change(&mut renamer);
        for (span, name) in renamer.in_patterns {
            mistakes.add(
                span,
                format!("`{name}` stands in a pattern here, where a given value cannot replace it; remove the given"),
            );
        }
        let assigned = self.check_assigned(&parts, &inputs, mistakes);
        report_missing(&self.parameters, &parts.tokens(), mistakes);
        self.rename_self(&mut parts, &mut inputs);
        if !mistakes.is_empty() {
            // Oracles are looked at all the same, so that their mistakes are told together with the others.
            self.checks(&parts, branches.as_ref(), mistakes);
            return None;
        }
        let body = Body {
            call: self.call,
            leaving: &self.found.leaving,
            exits: Exits::of(|exits| parts.look_at_fragment(exits)),
            returns: self.return_type(),
            innermost: self.around.loops.last().map(|label| label.map(|label| label.ident.to_string())),
            is_unsafe: self.around.is_unsafe,
            declared: self.declarations(&assigned),
            checks: self.checks(&parts, branches.as_ref(), mistakes),
            known_outside: self.known_outside(&parts, &assigned),
        };
        let core = body.core(&mut parts, mistakes);
        let code = self.wrapped(core, &parts, &inputs);
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
        let tokens = parts.tokens();
        let scene = Scene { around: self.around, fragment: &fragment, clauses: &clauses, tokens: &tokens };
        inputs::prepare(self.call, &scene, &self.parameters, mistakes)
    }

    /// The values of givens, mocks and `each`.
    fn look_at_values(&self, mentions: &mut Mentions) {
        for value in self.call.clauses.givens().filter_map(|given| given.expression().ok()) {
            mentions.visit_expr(&value);
        }
        for mock in &self.call.clauses.mocks {
            mentions.visit_expr(&mock.call);
            match &mock.answers {
                Answers::Always(value) => mentions.visit_expr(value),
                Answers::InTurn(values) => values.iter().for_each(|value| mentions.visit_expr(value)),
            }
        }
        self.call.clauses.eaches().for_each(|each| mentions.visit_expr(&each.iterable));
    }

    fn mock(&self, parts: &mut Parts, inputs: &Inputs, mistakes: &mut Mistakes) {
        let mocks: &[Mock] = &self.call.clauses.mocks;
        if mocks.is_empty() {
            return;
        }
        let bound = mentions_of(|mentions| parts.look_at_fragment(mentions)).bound;
        let has = |name: &str| inputs.given.contains(name) || bound.contains_key(name);
        let types = Types { around: self.around, parameters: &self.parameters };
        let conjure = |expression: &Expr| types.conjured(expression, &has);
        let mut mocker = Mocker::new(mocks, &conjure);
        parts.fragment.statements.iter_mut().for_each(|statement| mocker.visit_stmt_mut(statement));
        parts.fragment.tail.iter_mut().for_each(|tail| mocker.visit_expr_mut(tail));
        for (mock, matched) in mocks.iter().zip(&mocker.matched) {
            if !matched {
                let text = crate::text::source_text(&mock.call.to_token_stream());
                mistakes.add(
                    mock.span,
                    format!("the fragment has no call of the shape `{text}`; correct it or remove this mock"),
                );
            }
        }
    }

    /// Follows the test in the order in which it runs and reports what has no value; gives what is only assigned.
    fn check_assigned(&self, parts: &Parts, inputs: &Inputs, mistakes: &mut Mistakes) -> Vec<Ident> {
        let visible: HashSet<String> = self.around.bindings.iter().map(|binding| binding.ident.to_string()).collect();
        let open: HashSet<String> = visible.into_iter().filter(|name| !inputs.given.contains(name)).collect();
        let mut definite = Definite::new(&open);
        for each in self.call.clauses.eaches() {
            definite.visit_expr(&each.iterable);
            definite.bind(&each.pattern);
        }
        inputs.prepared.iter().for_each(|input| definite.visit_expr(&input.value));
        parts.arguments.iter().for_each(|argument| definite.visit_expr(argument));
        parts.parameters.iter().for_each(|parameter| definite.bind(parameter));
        parts.setups.iter().for_each(|setup| definite.visit_block(setup));
        parts.assumes.iter().for_each(|(assume, _)| definite.visit_expr(assume));
        definite.statements(&parts.fragment.statements);
        parts.fragment.tail.iter().for_each(|tail| definite.visit_expr(tail));
        if !matches!(self.found.leaving, Leaving::Break(_) | Leaving::Continue(_) | Leaving::Panic) {
            parts.oracles.iter().flatten().for_each(|value| definite.visit_expr(value));
        }
        let mut told = HashSet::new();
        for read in &definite.unassigned {
            let name = read.ident.to_string();
            if told.insert(name.clone()) {
                let problem =
                    if read.on_some_path { "is assigned on some paths only" } else { "has no value in this test" };
                mistakes.add(read.ident.span(), format!("`{name}` {problem}; add `given({name} = …)`"));
            }
        }
        let assigned = self.around.bindings.iter().rev().filter(|binding| {
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

    fn rename_self(&self, parts: &mut Parts, inputs: &mut Inputs) {
        let mut renamer = Renamer::default();
        renamer.names.insert("self".into(), "__situ_self".into());
        parts.change(&mut renamer);
        inputs.prepared.iter_mut().for_each(|input| renamer.visit_expr_mut(&mut input.value));
        if let Some(mut qualify) = QualifySelf::around(self.around.owner) {
            parts.change(&mut qualify);
            inputs.prepared.iter_mut().for_each(|input| qualify.visit_expr_mut(&mut input.value));
        }
        parts.change(&mut Unmark);
    }

    fn return_type(&self) -> TokenStream {
        let output = match (&self.found.target, self.around.returns) {
            (Target::Closure(closure, _), _) => return closure_type(&closure.output, &self.parameters),
            (_, Some(Returns::Function(signature))) => &signature.output,
            (_, Some(Returns::Closure(closure))) => return closure_type(&closure.output, &self.parameters),
            _ => return quote!(_),
        };
        match output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) if matches!(&**ty, Type::Never(_)) => quote!(::core::convert::Infallible),
            ReturnType::Type(_, ty) => match self.parameters.spelled(ty) {
                Some(mut ty) => {
                    if let Some(mut qualify) = QualifySelf::around(self.around.owner) {
                        qualify.visit_type_mut(&mut ty);
                    }
                    quote!(#ty)
                }
                None => quote!(_),
            },
        }
    }

    fn checks(&self, parts: &Parts, branches: Option<&Branches>, mistakes: &mut Mistakes) -> Vec<TokenStream> {
        let checks = Checks { branches, mocks: &self.call.clauses.mocks };
        let oracles = self.call.clauses.oracles.iter().zip(&parts.oracles);
        oracles.map(|(oracle, values)| checks.code(oracle, values, mistakes)).collect()
    }

    fn declarations(&self, assigned: &[Ident]) -> TokenStream {
        let types = Types { around: self.around, parameters: &self.parameters };
        assigned
            .iter()
            .map(|name| match types.of_variable(&name.to_string()) {
                Known::Declared(ty) => quote!(let mut #name: #ty;),
                _ => quote!(let mut #name;),
            })
            .collect()
    }

    /// Which oracles can be checked when the fragment left before its end.
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
        let visible_givens: HashSet<String> =
            self.call.clauses.givens().filter_map(|given| given.name().map(ToString::to_string)).collect();
        let is_unknown = |values: &Vec<Expr>| {
            let mentions = mentions_of(|mentions| values.iter().for_each(|value| mentions.visit_expr(value)));
            mentions.used.keys().any(|name| made_inside.contains(name) && !visible_givens.contains(name))
        };
        parts.oracles.iter().map(|values| !is_unknown(values)).collect()
    }

    /// Puts inputs, assumptions, `each` and an executor around the core.
    fn wrapped(&self, core: TokenStream, parts: &Parts, inputs: &Inputs) -> TokenStream {
        let setups = &parts.setups;
        let assumes = parts
            .assumes
            .iter()
            .map(|(condition, text)| quote!(if !(#condition) { __situ.skip(#text); break '__situ_case; }));
        let mut code = quote!(#(#setups)* #(#assumes)* #core);
        for (parameter, argument) in parts.parameters.iter().zip(&parts.arguments).rev() {
            code = match parameter {
                Pat::Type(typed) => {
                    let (pattern, ty) = (&typed.pat, self.parameters.spelled(&typed.ty));
                    match ty {
                        Some(ty) => quote!(match ::situ::rt::id::<#ty>(#argument) { #pattern => { #code } }),
                        None => quote!(match #argument { #pattern => { #code } }),
                    }
                }
                pattern => quote!(match #argument { #pattern => { #code } }),
            };
        }
        code = inputs.around(code);
        if !parts.assumes.is_empty() {
            code = quote!('__situ_case: { #code });
        }
        let eaches: Vec<_> = self.call.clauses.eaches().enumerate().collect();
        for (depth, each) in eaches.into_iter().rev() {
            let (pattern, iterable) = (&each.pattern, &each.iterable);
            let number = format_ident!("__situ_number_{}", depth);
            let text = format!("each({}, …)", crate::text::source_text(&pattern.to_token_stream()));
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
        let awaits = Exits::of(|exits| {
            parts.look_at_fragment(exits);
            parts.look_at_clauses(exits);
            inputs.prepared.iter().for_each(|input| exits.visit_expr(&input.value));
        })
        .awaits;
        match &self.call.clauses.runtime {
            Some(runtime) => on_runtime(runtime, &code),
            None if awaits => quote!(::situ::rt::block_on(async { #code });),
            None => code,
        }
    }
}

fn closure_type(output: &ReturnType, parameters: &Parameters<'_>) -> TokenStream {
    match output {
        ReturnType::Default => quote!(_),
        ReturnType::Type(_, ty) => parameters.spelled(ty).map_or_else(|| quote!(_), |ty| quote!(#ty)),
    }
}

/// Runs a future where the clause says.
fn on_runtime(runtime: &syn::Path, code: &TokenStream) -> TokenStream {
    let future = quote!(async { #code });
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

/// The fragment with its oracles, and all ways out of it.
struct Body<'b> {
    call: &'b TestCall,
    leaving: &'b Leaving,
    exits: Exits,
    returns: TokenStream,
    /// The label of the innermost loop, if there is a loop at all.
    innermost: Option<Option<String>>,
    is_unsafe: bool,
    declared: TokenStream,
    checks: Vec<TokenStream>,
    known_outside: Vec<bool>,
}

impl Body<'_> {
    fn core(&self, parts: &mut Parts, mistakes: &mut Mistakes) -> TokenStream {
        let sees_exit = self.exits.can_return() || self.exits.breaks || self.exits.continues;
        let enclosure = match (self.exits.unknown, sees_exit) {
            (true, _) => Enclosure::Closure,
            (false, true) => Enclosure::Block,
            (false, false) => Enclosure::None,
        };
        self.check_possible(parts, mistakes);
        let innermost = self.innermost.clone().flatten();
        let returns = if self.exits.can_return() || self.exits.unknown { self.returns.clone() } else { quote!(()) };
        if enclosure != Enclosure::None {
            let mut rewriter = LeaveRewriter::new(enclosure, &returns, innermost.as_deref());
            rewriter.statements(&mut parts.fragment.statements);
            parts.fragment.tail.iter_mut().for_each(|tail| rewriter.visit_expr_mut(tail));
        }
        let delay = parts.delay.as_ref().map(|delay| quote!(__situ.delay_ms(#delay);));
        let inside = self.inside(parts, delay.as_ref());
        if enclosure == Enclosure::None && self.ends_well(parts) {
            return if self.is_unsafe { quote!(unsafe { #inside }) } else { inside };
        }
        let inside = if self.ends_well(parts) { quote!(#inside __situ_done = true;) } else { inside };
        let exit = self.enclosed(enclosure, &returns, &inside);
        self.judged(parts, &exit, delay.as_ref())
    }

    /// What a test asks for must be possible at all.
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
            Leaving::Break(_) if !unknown && !self.exits.breaks => {
                "this fragment has no `break` of a loop around it; use another oracle such as `check_eq(…)`"
            }
            Leaving::Continue(_) if !unknown && !self.exits.continues => {
                "this fragment has no `continue` of a loop around it; use another oracle such as `check_eq(…)`"
            }
            _ => return,
        };
        let asks = |oracle: &&Oracle| {
            matches!(
                oracle.kind,
                OracleKind::Return(_) | OracleKind::Value(_) | OracleKind::Break(_) | OracleKind::Continue(_)
            )
        };
        let span = self.call.clauses.oracles.iter().find(asks).map_or(self.call.span, |oracle| oracle.span);
        mistakes.add(span, problem);
    }

    /// Whether the test expects the fragment to come to its end.
    fn ends_well(&self, parts: &Parts) -> bool {
        match self.leaving {
            Leaving::Through | Leaving::Value => true,
            Leaving::Return => parts.fragment.tail.is_some() && parts.fragment.tail_returns,
            Leaving::Break(_) | Leaving::Continue(_) | Leaving::Panic => false,
        }
    }

    /// The fragment and, where its end is what is expected, the oracles in its scope.
    fn inside(&self, parts: &Parts, delay: Option<&TokenStream>) -> TokenStream {
        let declared = &self.declared;
        let statements = &parts.fragment.statements;
        let checks = &self.checks;
        let tail = parts.fragment.tail.as_ref();
        let typed = match (parts.fragment.tail_returns, self.returns.to_string().as_str()) {
            (false, _) | (_, "_") => quote!(),
            _ => {
                let returns = &self.returns;
                quote!(: #returns)
            }
        };
        let value = tail.map(|tail| quote!(let mut __situ_value #typed = #tail;));
        let end = if self.ends_well(parts) { quote!(#value #delay #(#checks)*) } else { quote!(#value) };
        quote!(#declared #(#statements)* #end)
    }

    /// Runs the inside so that every way out of it gives a `Left`.
    fn enclosed(&self, enclosure: Enclosure, returns: &TokenStream, inside: &TokenStream) -> TokenStream {
        let wait = self.exits.awaits.then(|| quote!(.await));
        let closure = |output: TokenStream, code: TokenStream| {
            if self.exits.awaits {
                quote!(async { let __situ_out: #output = { #code }; __situ_out })
            } else {
                quote!(|| -> #output { #code })
            }
        };
        let plain = match enclosure {
            Enclosure::None => quote!({ #inside ::situ::rt::Left::<#returns>::Through }),
            Enclosure::Block => quote!('__situ: { #inside ::situ::rt::Left::Through }),
            Enclosure::Closure => {
                let inside = quote!(#inside __situ.through());
                let inside = match &self.innermost {
                    // A macro may break out of the loop that the fragment stands in: give it one, which runs once.
                    Some(_) => quote! {
                        let mut __situ_again = false;
                        loop {
                            if __situ_again { __situ.continued(::core::option::Option::None, __situ.last_line()) }
                            __situ_again = true;
                            #inside
                        }
                        __situ.broke(::core::option::Option::None, __situ.last_line())
                    },
                    None => inside,
                };
                if self.exits.awaits {
                    quote!(__situ.enclosed_future::<#returns>(async { #inside }).await)
                } else {
                    let closure = closure(returns.clone(), inside);
                    quote!(__situ.enclosed(#closure))
                }
            }
        };
        let plain = if self.is_unsafe { quote!(unsafe { #plain }) } else { plain };
        if *self.leaving != Leaving::Panic {
            return plain;
        }
        let method = if self.exits.awaits { quote!(panics_future) } else { quote!(panics) };
        let closure = closure(quote!(::situ::rt::Left<#returns>), plain);
        quote!(__situ.#method(#closure)#wait)
    }

    /// Judges how the fragment left.
    fn judged(&self, parts: &Parts, exit: &TokenStream, delay: Option<&TokenStream>) -> TokenStream {
        let span = self.call.span;
        let returns = if self.exits.can_return() || self.exits.unknown { self.returns.clone() } else { quote!(()) };
        let show = quote!(|__situ_returned| ::situ::rt::Show::new(__situ_returned).show());
        let outside = self.outside();
        if *self.leaving == Leaving::Panic {
            return self.panic_judged(exit, &show, delay, &outside);
        }
        let expected = self.expectation();
        let through = self.ends_well(parts).then(|| quote!(::situ::rt::Left::Through if __situ_done => {}));
        let left = quote!(__situ.left_at(__situ_line); #delay #outside);
        let asked = match self.leaving {
            Leaving::Return => Some(quote!(::situ::rt::Left::Returned(mut __situ_value, __situ_line) => { #left })),
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
        let strayed = quote_spanned!(span=> __situ.strayed(#expected, &__situ_exit, #show));
        quote! {
            let mut __situ_done = false;
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
        show: &TokenStream,
        delay: Option<&TokenStream>,
        outside: &TokenStream,
    ) -> TokenStream {
        let asked = self.call.clauses.oracles.iter().filter_map(|oracle| match &oracle.kind {
            OracleKind::Panic(text) => Some((oracle, text)),
            _ => None,
        });
        let (span, clause, texts) =
            asked.fold((self.call.span, String::new(), Vec::new()), |(_, _, mut texts), (oracle, text)| {
                texts.extend(text.clone());
                (oracle.span, oracle.text.clone(), texts)
            });
        let text = texts.last().map_or_else(|| quote!(""), |text| quote!(#text));
        let check = quote_spanned!(span=> __situ.check_panic(#clause, #text, __situ_caught, #show););
        quote!(let __situ_caught = #exit; #check #delay #outside)
    }

    /// The oracles, where only givens are known.
    fn outside(&self) -> TokenStream {
        let oracles = self.call.clauses.oracles.iter().zip(&self.checks).zip(&self.known_outside);
        oracles
            .map(|((oracle, check), known)| {
                let (text, span) = (&oracle.text, oracle.span);
                if *known { check.clone() } else { quote_spanned!(span=> __situ.never_made(#text);) }
            })
            .collect()
    }

    fn expectation(&self) -> String {
        let to = |label: &Option<String>| label.as_ref().map(|label| format!(" '{label}")).unwrap_or_default();
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
                quote!(::core::option::Option::Some(#label))
            }
            _ => quote!(::core::option::Option::None),
        }
    }
}
