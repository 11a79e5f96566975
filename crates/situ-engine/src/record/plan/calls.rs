//! Probes of outgoing calls: receiver and arguments before, result after.
//!
//! `f(a, b())` becomes `(match ({ begin; capture a }, f(a, match b() { v => { capture v; v } })) {
//! (call, r) => { capture r; end; r } })`. The call itself is unchanged, at a place where its
//! temporaries live as long as before.

use super::calls_in_macros::made_in;
use super::changes::CHANGING;
use super::probes::{About, Probe, capture_macro};
use super::walk::Walk;
use super::{Insertion, Phase, Position, SlotKey};
use crate::source::{bare_range, behind_attributes, byte_range};
use situ_recorder::secret::Secrecy;
use situ_syntax::{attributes_of, is_conditional};
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprAwait, ExprMethodCall, Item, Macro, Token, UnOp};

/// How an operand of a call can be captured.
enum Operand {
    /// Place, which can be captured before the call.
    Place,
    /// Reference to a place; `true` if it is mutable.
    Reference(bool),
    /// Temporary value, which is captured when it is passed.
    Value,
    /// Literal or the like, whose source is enough.
    Written,
}

impl Walk<'_, '_> {
    /// Returns whether a function makes outgoing calls.
    pub(super) fn has_outgoing_calls(&self, block: &Block) -> bool {
        let mut search = Search {
            walk: self,
            found: false,
        };
        search.visit_block(block);
        search.found
    }

    /// Inserts a marker that the function is running, so that its outgoing calls are added to its
    /// records.
    pub(super) fn activate(&mut self, block: &Block) {
        if !self.planner.wanted.calls || !self.has_outgoing_calls(block) {
            return;
        }
        let start = byte_range(&block.brace_token.span.join()).start + 1;
        let id = self.planner.identity(&self.function.clone(), "activation");
        let piece = self.planner.piece(format!("activation {id:x}"), None, None);
        let text = format!(
            " let __situ_running = ::situ_recorder::calls::activate({:#x}); ",
            self.planner.function_id
        );
        self.planner
            .insertions
            .push(Insertion::statement_before(&(start..start), text, piece));
    }

    fn is_outgoing(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.qself.is_none() => {
                    let is_variable = |name: &str| self.scope.contains_key(name);
                    self.is_watched(expression)
                        || self.is_opaque_call(expression)
                        || self
                            .planner
                            .outside
                            .is_call(&path.path, &self.imports, is_variable)
                }
                _ => false,
            },
            Expr::MethodCall(call) => {
                let is_clear = self.is_place(&call.receiver) || is_made(&call.receiver);
                let is_outside = || {
                    self.planner
                        .outside
                        .is_method(&call.method, call.args.len())
                };
                self.is_opaque_call(expression)
                    || is_clear && (self.is_watched(expression) || is_outside())
            }
            _ => false,
        }
    }

    /// Returns whether this is a call of a workspace function that the user wants to mock.
    fn is_watched(&self, call: &Expr) -> bool {
        let watched = &self.planner.wanted.own_calls;
        match call {
            _ if watched.is_empty() => false,
            Expr::MethodCall(call) => watched.contains(&format!(".{}", call.method)),
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return false;
                };
                let words: Vec<String> = path
                    .path
                    .segments
                    .iter()
                    .map(|word| word.ident.to_string())
                    .collect();
                match words.as_slice() {
                    [only] => watched.contains(only) && !self.scope.contains_key(only),
                    [.., owner, name] if owner == "Self" => watched
                        .iter()
                        .any(|key| key.rsplit_once("::").is_some_and(|(_, last)| last == name)),
                    [.., owner, name] if owner.starts_with(char::is_uppercase) => {
                        watched.contains(&format!("{owner}::{name}"))
                    }
                    [.., name] => watched.contains(name),
                    [] => false,
                }
            }
            _ => false,
        }
    }

    /// Plans the probe of a call that leaves the workspace, unless it is recorded together with its
    /// `.await`.
    pub(super) fn outgoing(&mut self, expression: &Expr) {
        let range = byte_range(expression);
        if self.planner.wanted.calls
            && !self.awaited.contains(&(range.start, range.end))
            && self.is_outgoing(expression)
        {
            self.watch_call(expression, &bare_range(expression));
        }
    }

    /// Plans the probe of a call that is awaited at once. The call ends when the `.await` does.
    pub(super) fn outgoing_await(&mut self, waiting: &ExprAwait) {
        if !self.planner.wanted.calls || !self.is_outgoing(&waiting.base) {
            return;
        }
        let inner = byte_range(&waiting.base);
        self.awaited.insert((inner.start, inner.end));
        self.watch_call(&waiting.base, &behind_attributes(waiting, &waiting.attrs));
    }

    fn watch_call(&mut self, call: &Expr, whole: &Range<usize>) {
        let no_arguments = Punctuated::new();
        let arguments: &Punctuated<Expr, Token![,]> = match call {
            Expr::Call(call) => &call.args,
            Expr::MethodCall(call) => &call.args,
            _ => &no_arguments,
        };
        // An argument under `#[cfg(…)]` may be missing, and the arguments after it would have other
        // numbers.
        if is_suspended(call)
            || arguments
                .iter()
                .any(|argument| is_conditional(attributes_of(argument)))
        {
            return;
        }
        let (file, module, function) = (self.file, self.module.clone(), self.function.clone());
        let position = Position::Call;
        let range = whole.clone();
        let mut probe = self.planner.probe(&About {
            file,
            module: &module,
            function: &function,
            kind: "",
            position,
            range,
        });
        probe.valid = self.unsafe_free.around(whole);
        let guard = probe.guard();
        let mut plan = CallPlan {
            whole: whole.clone(),
            layer: probe.number,
            insertions: Vec::new(),
            after: Vec::new(),
        };
        let is_opaque_call = self.is_opaque_call(call);
        if let (Expr::MethodCall(call), false) = (call, is_opaque_call) {
            self.receiver(&mut probe, call, &mut plan);
        }
        plan.open(probe.capturing(), probe.piece);
        if let Expr::MethodCall(call) = call
            && self.is_place(&call.receiver)
            && !is_opaque_call
        {
            let changes = self.changes(&call.receiver)
                || CHANGING.contains(&call.method.to_string().as_str());
            self.operand(
                &mut probe,
                &SlotKey::Receiver,
                &call.receiver,
                changes,
                &mut plan,
            );
        }
        for (number, argument) in arguments.iter().enumerate() {
            if is_opaque_call && self.is_opaque_argument(argument) {
                continue;
            }
            self.operand(
                &mut probe,
                &SlotKey::Argument(number + 1),
                argument,
                false,
                &mut plan,
            );
        }
        plan.open(
            format!("{}{guard}.opened() }}, ", probe.captured()),
            probe.piece,
        );
        // If calls of the workspace's own functions are recorded, methods of its own types are too.
        let is_own = is_opaque_call || self.is_watched(call);
        let krate = if is_own {
            String::new()
        } else {
            self.planner.krate.name.clone()
        };
        let of_arguments = arguments
            .iter()
            .map(|argument| self.secrecy_of(argument).of_what_is_made())
            .max();
        let secrecy = self
            .secrecy_of_itself(call)
            .max(of_arguments.unwrap_or_default());
        self.end_call(&mut probe, secrecy, plan, &krate);
    }

    fn end_call(&mut self, probe: &mut Probe, secrecy: Secrecy, mut plan: CallPlan, krate: &str) {
        let (guard, result) = (probe.guard(), format!("__situ_r{}", probe.number));
        plan.close(
            format!(") {{ (mut {guard}, {result}) => {{ if {guard}.returned() {{ "),
            probe.piece,
        );
        let (text, piece) = probe.capture(self.planner, Phase::Result, "result", secrecy, &result);
        plan.close(text, piece);
        for (key, place, secrecy) in std::mem::take(&mut plan.after) {
            let (text, piece) = probe.capture(self.planner, Phase::After, key, secrecy, &place);
            plan.close(text, piece);
        }
        plan.close(
            format!("{}{guard}.end(); {result} }} }})", probe.captured()),
            probe.piece,
        );
        let begin = self.planner.site_call(probe, "calls::begin");
        let text = format!("(match ({{ let mut {guard} = {begin}, {krate:?}); ");
        let layer = probe.number;
        self.planner
            .insertions
            .push(Insertion::before(&plan.whole, layer, text, probe.piece));
        self.planner.insertions.extend(plan.insertions);
    }

    /// Captures the type of the receiver, which decides whether the call leaves the workspace.
    fn receiver(&mut self, probe: &mut Probe, call: &ExprMethodCall, plan: &mut CallPlan) {
        let range = byte_range(&call.receiver);
        if self.is_place(&call.receiver) {
            let of = format!(
                "::situ_recorder::capture::type_name_of(&{})",
                self.line(&range)
            );
            plan.open(format!("{}.on_type({of}); ", probe.guard()), probe.piece);
        } else {
            let layer = probe.number;
            let open = format!(
                "::situ_recorder::calls::receiver({}, ",
                probe.site_arguments()
            );
            plan.insertions
                .push(Insertion::before(&range, layer, open, probe.piece));
            plan.insertions
                .push(Insertion::after(&range, layer, ")", probe.piece));
        }
    }

    fn operand(
        &mut self,
        probe: &mut Probe,
        key: &SlotKey,
        operand: &Expr,
        changes: bool,
        plan: &mut CallPlan,
    ) {
        let secrecy = self.secrecy_of(operand);
        let range = byte_range(operand);
        let text = self.line(&range);
        match self.kind_of_operand(operand) {
            Operand::Written => {}
            Operand::Place => {
                let (capture, piece) =
                    probe.capture(self.planner, Phase::Before, key.clone(), secrecy, &text);
                plan.open(capture, piece);
                if changes {
                    plan.after.push((key.clone(), text, secrecy));
                }
            }
            Operand::Reference(mutable) => {
                let Expr::Reference(reference) = operand else {
                    return;
                };
                let place = format!("&{}", self.line(&byte_range(&reference.expr)));
                let (capture, piece) =
                    probe.capture(self.planner, Phase::Before, key.clone(), secrecy, &place);
                plan.open(capture, piece);
                if mutable {
                    plan.after.push((key.clone(), place, secrecy));
                }
            }
            Operand::Value => self.value_on_its_way(probe, key, &range, secrecy, plan),
        }
    }

    fn value_on_its_way(
        &mut self,
        probe: &mut Probe,
        key: &SlotKey,
        range: &Range<usize>,
        secrecy: Secrecy,
        plan: &mut CallPlan,
    ) {
        let value = format!("__situ_v{}", probe.number);
        let slot = probe.slot(Phase::Before, key.clone(), secrecy);
        let key = format!(
            "{} argument {slot}",
            self.planner.plan.pieces[probe.piece].key
        );
        let piece = self.planner.piece(key, Some(probe.piece), None);
        self.planner.plan.pieces[piece].slot = Some(slot);
        let cap = capture_macro(secrecy);
        let call = format!(
            "::situ_recorder::calls::awaiting({})",
            probe.site_arguments()
        );
        let after = format!(
            ") {{ {value} => {{ ::situ_recorder::cap_argument!({call}, {cap}, {slot}, {value}); {value} }} }}"
        );
        plan.insertions
            .push(Insertion::before(range, probe.number, "match (", piece));
        plan.insertions
            .push(Insertion::after(range, probe.number, after, piece));
    }

    fn kind_of_operand(&self, operand: &Expr) -> Operand {
        match operand {
            Expr::Lit(_) | Expr::Closure(_) | Expr::Async(_) | Expr::Path(_)
                if !self.is_place(operand) =>
            {
                Operand::Written
            }
            Expr::Unary(unary) if matches!(&*unary.expr, Expr::Lit(_)) => Operand::Written,
            Expr::Reference(reference) if self.is_place(&reference.expr) => {
                Operand::Reference(reference.mutability.is_some())
            }
            Expr::Reference(reference) if matches!(&*reference.expr, Expr::Lit(_)) => {
                Operand::Written
            }
            _ if self.is_place(operand) => Operand::Place,
            _ => Operand::Value,
        }
    }

    /// Returns whether an expression is a place (a variable, its fields and elements), which can be
    /// read twice without side effects.
    fn is_place(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.scope.contains_key(&name.to_string())),
            Expr::Field(field) => self.is_place(&field.base),
            Expr::Index(index) => {
                self.is_place(&index.expr)
                    && (matches!(&*index.index, Expr::Lit(_)) || self.is_place(&index.index))
            }
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && self.is_place(&unary.expr),
            Expr::Paren(inner) => self.is_place(&inner.expr),
            _ => false,
        }
    }

    fn changes(&self, place: &Expr) -> bool {
        match place {
            Expr::Path(path) => {
                let name = path
                    .path
                    .get_ident()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                self.scope
                    .get(&name)
                    .is_some_and(|variable| variable.changes)
            }
            Expr::Field(field) => self.changes(&field.base),
            Expr::Index(index) => self.changes(&index.expr),
            Expr::Unary(unary) => self.changes(&unary.expr),
            Expr::Paren(inner) => self.changes(&inner.expr),
            _ => false,
        }
    }

    /// Returns the source of a place on one line.
    fn line(&self, range: &Range<usize>) -> String {
        self.file.text[range.clone()]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Insertions around one outgoing call.
struct CallPlan {
    whole: Range<usize>,
    layer: usize,
    insertions: Vec<Insertion>,
    /// Places that the call may have changed: role in the call, source, secrecy.
    after: Vec<(SlotKey, String, Secrecy)>,
}

impl CallPlan {
    fn open(&mut self, text: String, piece: usize) {
        self.insertions
            .push(Insertion::before(&self.whole, self.layer, text, piece));
    }

    fn close(&mut self, text: String, piece: usize) {
        self.insertions
            .push(Insertion::after(&self.whole, self.layer, text, piece));
    }
}

/// Returns whether an expression is a temporary value, so that it can be passed through a function.
fn is_made(expression: &Expr) -> bool {
    match expression {
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) | Expr::Await(_) | Expr::Macro(_) => {
            true
        }
        Expr::Paren(inner) => is_made(&inner.expr),
        _ => false,
    }
}

/// Returns whether something is awaited while the operands are evaluated. Other tasks may then run
/// in between.
fn is_suspended(call: &Expr) -> bool {
    struct Awaits(bool);
    impl<'ast> Visit<'ast> for Awaits {
        fn visit_expr_await(&mut self, _: &'ast ExprAwait) {
            self.0 = true;
        }

        fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut awaits = Awaits(false);
    awaits.visit_expr(call);
    awaits.0
}

/// Visitor that finds outgoing calls.
struct Search<'s, 'w, 'p> {
    walk: &'s Walk<'w, 'p>,
    found: bool,
}

impl<'ast> Visit<'ast> for Search<'_, '_, '_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        // Variables of inner blocks are not known here: the receiver may be one of them.
        let may_be_behind = self.walk.planner.wanted.fragments
            && matches!(expression, Expr::Call(_) | Expr::MethodCall(_));
        self.found |= match expression {
            _ if may_be_behind => true,
            Expr::MethodCall(call) => {
                self.walk.is_watched(expression)
                    || self.walk.is_opaque_call(expression)
                    || self
                        .walk
                        .planner
                        .outside
                        .is_method(&call.method, call.args.len())
            }
            other => self.walk.is_outgoing(other),
        };
        if !self.found {
            visit::visit_expr(self, expression);
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.found |= self.walk.planner.wanted.fragments && !made_in(call).is_empty();
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
