//! Visits the functions of a file, tracks the variables in scope, and plans a probe for each
//! statement.

use super::Planner;
use super::exits::ToldExit;
use super::generics::Generic;
use super::known_types::is_generic;
use super::places::Scope;
use super::scope::{gives_mutable, may_change};
use super::unrecorded::is_signal_handler;
use super::unsafe_free::UnsafeFree;
use super::used_streams::UsedStream;
use crate::source::Imports;
use crate::source::{AllocatorCode, SourceFile, byte_range};
use situ_recorder::bytes::checksum;
use situ_recorder::secret::Secrecy;
use situ_syntax::{is_named, is_test_only, requires_test};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprRepeat,
    ExprWhile, Generics, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, ItemTrait, Pat, ReturnType,
    Signature, Stmt, TraitItemFn, Type,
};

/// Plans the probes and branch marks of a file's functions.
pub(super) fn plan_code(planner: &mut Planner<'_>, file: &SourceFile) {
    if file.conditions.iter().any(requires_test) {
        return;
    }
    let mut walk = Walk {
        planner,
        file,
        path: file.module.clone(),
        module: file.module.join("::"),
        scope: Scope::new(),
        function: String::new(),
        returns: None,
        handled: BTreeSet::new(),
        function_probe: None,
        in_function: false,
        in_generic: false,
        imports: Imports::of(file),
        unsafe_free: UnsafeFree::default(),
        in_drop: false,
        awaited: BTreeSet::new(),
        exits: BTreeMap::new(),
        used_streams: BTreeMap::new(),
        around: Generics::default(),
        allocators: AllocatorCode::of(&file.tree),
    };
    file.tree
        .items
        .iter()
        .for_each(|item| walk.visit_item(item));
}

/// State of a visit of one file.
pub(super) struct Walk<'w, 'p> {
    pub planner: &'w mut Planner<'p>,
    pub file: &'w SourceFile,
    /// Enclosing modules, types and functions.
    pub path: Vec<String>,
    pub module: String,
    pub scope: Scope,
    /// Path of the function that is being visited.
    pub function: String,
    /// Return type as source, if it can be written.
    pub returns: Option<String>,
    /// Byte offsets of the `if`s whose condition has a probe already.
    pub handled: BTreeSet<usize>,
    /// Probe of the whole function, if functions are recorded.
    pub function_probe: Option<super::functions::FunctionProbe>,
    in_function: bool,
    /// Whether the enclosing `impl` or trait is generic.
    pub in_generic: bool,
    pub imports: Imports,
    /// Part of the function without unsafe code.
    pub unsafe_free: UnsafeFree,
    /// Whether the code is inside an `impl Drop`.
    in_drop: bool,
    /// Byte ranges of calls that are recorded together with their `.await`.
    pub awaited: BTreeSet<(usize, usize)>,
    /// Exits that probes record, by their byte range.
    pub exits: BTreeMap<(usize, usize), Vec<ToldExit>>,
    /// Streams among the function's parameters and its receiver's fields, by source.
    pub used_streams: BTreeMap<String, UsedStream>,
    /// Generic parameters of the enclosing `impl`.
    pub around: Generics,
    allocators: AllocatorCode,
}

/// Role of a block in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Body of the function: its tail expression is the result.
    Body,
    /// Nested block.
    Inner,
    /// Body of a closure.
    Closure,
}

impl Walk<'_, '_> {
    /// Returns the source of a node.
    pub(super) fn text(&self, node: &impl Spanned) -> &str {
        &self.file.text[byte_range(node)]
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if signature.constness.is_some()
            || attributes.iter().any(must_stay)
            || self.allocators.holds(signature)
        {
            return;
        }
        if is_signal_handler(signature) {
            return self.unrecorded(signature, block);
        }
        let outer_scope = std::mem::take(&mut self.scope);
        let outer_returns = self.returns.take();
        let outer_function = self.function.clone();
        let outer_probe = self.function_probe.take();
        let outer_in = std::mem::replace(&mut self.in_function, true);
        let outer_unsafe_free = std::mem::replace(
            &mut self.unsafe_free,
            UnsafeFree::of(signature, block, self.in_drop),
        );
        let outer_streams = self.used_streams.clone();
        // A nested function does not see the generic parameters of the outer one.
        let outer_generics = self.planner.generics.clone();
        if outer_in {
            self.planner.generics.clear();
        }
        self.planner
            .generics
            .extend(Generic::all(&signature.generics));
        self.path.push(signature.ident.to_string());
        self.function = self.path.join("::");
        let id = self.function_id();
        let outer_id = std::mem::replace(&mut self.planner.function_id, id);
        self.planner.plan.functions += 1;
        self.parameters(signature);
        self.returns = writable_return(&signature.output, self.file);
        self.know_types(signature, block);
        self.look_at_parameters(signature, block);
        self.begin_function(signature, block);
        self.mark(block);
        self.block(block, Role::Body);
        self.end_function(block);
        self.path.pop();
        self.scope = outer_scope;
        self.returns = outer_returns;
        self.function = outer_function;
        self.function_probe = outer_probe;
        self.in_function = outer_in;
        self.unsafe_free = outer_unsafe_free;
        self.used_streams = outer_streams;
        self.planner.generics = outer_generics;
        self.planner.function_id = outer_id;
    }

    /// Enters a loop. Returns the state outside, to be restored afterwards.
    fn repeated(&mut self, cycle: &impl Spanned) -> UnsafeFree {
        let inside = self.unsafe_free.repeated(&byte_range(cycle));
        std::mem::replace(&mut self.unsafe_free, inside)
    }

    /// Returns an id for the function, which is never zero.
    fn function_id(&self) -> u64 {
        checksum(format!("{}\u{1f}{}", self.planner.krate.package, self.function).as_bytes()).max(1)
    }

    /// Visits the statements of a block in a new scope.
    pub(super) fn block(&mut self, block: &Block, role: Role) {
        let outer = (self.scope.clone(), self.used_streams.clone());
        self.fragment(block, role);
        let last = block.stmts.len().saturating_sub(1);
        for (number, statement) in block.stmts.iter().enumerate() {
            self.statement(statement, number == last, role);
            self.visit_stmt(statement);
            if let Stmt::Local(local) = statement {
                let made_from = local
                    .init
                    .as_ref()
                    .map(|init| self.text(&init.expr).to_owned())
                    .unwrap_or_default();
                let made = local.init.as_ref().map(|init| self.secrecy_of(&init.expr));
                self.bind(
                    &local.pat,
                    gives_mutable(&made_from),
                    made.unwrap_or_default(),
                );
                self.bind_buffer(local);
                self.bind_made(local);
                self.bind_object(local);
                self.look_at_local(local, statement);
            }
        }
        (self.scope, self.used_streams) = outer;
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(_) | Item::Impl(_) | Item::Trait(_) | Item::Mod(_) => {
                visit::visit_item(self, item)
            }
            _ => {}
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let Some((_, items)) = &item.content else {
            return;
        };
        if item.attrs.iter().any(requires_test) {
            return;
        }
        let outer = self.module.clone();
        self.path.push(item.ident.to_string());
        self.module = self.path.join("::");
        items.iter().for_each(|item| self.visit_item(item));
        self.path.pop();
        self.module = outer;
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if item.attrs.iter().any(requires_test) {
            return;
        }
        self.path.push(type_word(&item.self_ty));
        if self.allocators.is_implementation(item) {
            self.unrecorded_allocator(item);
            self.path.pop();
            return;
        }
        let outer = std::mem::take(&mut self.planner.generics);
        let outer_generic = std::mem::replace(&mut self.in_generic, is_generic(&item.generics));
        let is_drop = item
            .trait_
            .as_ref()
            .is_some_and(|(path, _)| path.is_ident("Drop"));
        let outer_drop = std::mem::replace(&mut self.in_drop, is_drop);
        self.planner.generics.extend(Generic::all(&item.generics));
        let outer_around = std::mem::replace(&mut self.around, item.generics.clone());
        let own = self.streams_of_receiver(item);
        let outer_streams = std::mem::replace(&mut self.used_streams, own);
        item.items
            .iter()
            .for_each(|item| self.visit_impl_item(item));
        (self.around, self.used_streams) = (outer_around, outer_streams);
        self.planner.generics = outer;
        self.in_generic = outer_generic;
        self.in_drop = outer_drop;
        self.path.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.path.push(item.ident.to_string());
        let outer = std::mem::take(&mut self.planner.generics);
        let outer_generic = std::mem::replace(&mut self.in_generic, true);
        self.planner.generics.extend(
            [Generic::own_type()]
                .into_iter()
                .chain(Generic::all(&item.generics)),
        );
        item.items
            .iter()
            .for_each(|item| self.visit_trait_item(item));
        self.planner.generics = outer;
        self.in_generic = outer_generic;
        self.path.pop();
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.block(block, Role::Inner);
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        self.condition_of_if(branch);
        self.visit_expr(&branch.cond);
        self.scoped(|walk| {
            walk.bind_condition(&branch.cond);
            walk.mark(&branch.then_branch);
            walk.block(&branch.then_branch, Role::Inner);
        });
        if let Some((_, otherwise)) = &branch.else_branch {
            if let Expr::Block(block) = &**otherwise {
                self.mark(&block.block);
            }
            self.visit_expr(otherwise);
        } else if self.planner.wanted.fragments {
            self.mark_missing_else(branch);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some((_, otherwise)) = local.init.as_ref().and_then(|init| init.diverge.as_ref())
            && let Expr::Block(block) = &**otherwise
        {
            self.mark(&block.block);
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_while(&mut self, cycle: &'ast ExprWhile) {
        let outer = self.repeated(cycle);
        self.condition_of_while(cycle);
        self.visit_expr(&cycle.cond);
        self.scoped(|walk| {
            walk.bind_condition(&cycle.cond);
            walk.mark(&cycle.body);
            walk.block(&cycle.body, Role::Inner);
        });
        self.unsafe_free = outer;
    }

    fn visit_expr_for_loop(&mut self, cycle: &'ast ExprForLoop) {
        self.visit_expr(&cycle.expr);
        let text = self.text(&cycle.expr).to_owned();
        let secrecy = self.secrecy_of(&cycle.expr);
        let outer = self.repeated(cycle);
        self.scoped(|walk| {
            walk.bind(&cycle.pat, gives_mutable(&text), secrecy);
            walk.mark(&cycle.body);
            walk.block(&cycle.body, Role::Inner);
        });
        self.unsafe_free = outer;
    }

    fn visit_expr_loop(&mut self, cycle: &'ast ExprLoop) {
        let outer = self.repeated(cycle);
        self.mark(&cycle.body);
        self.block(&cycle.body, Role::Inner);
        self.unsafe_free = outer;
    }

    fn visit_expr_match(&mut self, choice: &'ast ExprMatch) {
        self.visit_expr(&choice.expr);
        let text = self.text(&choice.expr).to_owned();
        let secrecy = self.secrecy_of(&choice.expr);
        for arm in &choice.arms {
            self.scoped(|walk| {
                walk.bind(&arm.pat, gives_mutable(&text), secrecy);
                walk.visit_arm(arm);
            });
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Pat::Guard(guarded) = &arm.pat {
            self.inner_condition(&guarded.guard);
            self.visit_expr(&guarded.guard);
        }
        self.mark_expression(&arm.body);
        self.visit_expr(&arm.body);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if closure.constness.is_some() {
            return;
        }
        let outer = (self.returns.take(), self.function_probe.take());
        self.returns = match &closure.output {
            ReturnType::Default => None,
            written => writable_return(written, self.file),
        };
        self.closure(closure);
        self.scoped(|walk| {
            for input in &closure.inputs {
                let changes = match input {
                    Pat::Type(typed) => may_change(&typed.ty, walk.file),
                    _ => false,
                };
                walk.bind(input, changes, Secrecy::None);
            }
            if let Expr::Block(block) = &*closure.body {
                walk.mark(&block.block);
                walk.block(&block.block, Role::Closure);
            } else {
                walk.mark_expression(&closure.body);
                walk.visit_expr(&closure.body);
            }
        });
        (self.returns, self.function_probe) = outer;
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Call(call) => {
                self.outgoing(expression);
                self.look_at_arguments(&call.args);
            }
            Expr::MethodCall(call) => {
                self.outgoing(expression);
                self.look_at_arguments(&call.args);
            }
            Expr::Await(waiting) => self.outgoing_await(waiting),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.look_at_field(field);
        visit::visit_field_value(self, field);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.exits_in_macro(call);
        self.calls_in_macro(call);
    }

    fn visit_expr_try(&mut self, question: &'ast syn::ExprTry) {
        self.exit_by_question(question);
        visit::visit_expr_try(self, question);
    }

    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        self.exit_by_break(leave);
        visit::visit_expr_break(self, leave);
    }

    fn visit_expr_continue(&mut self, leave: &'ast syn::ExprContinue) {
        self.exit_by_continue(leave);
    }

    fn visit_expr_return(&mut self, leave: &'ast syn::ExprReturn) {
        self.result_of_return(leave);
        self.exit_by_return(leave);
        visit::visit_expr_return(self, leave);
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        let outer = (self.returns.take(), self.function_probe.take());
        self.block(&block.block, Role::Inner);
        (self.returns, self.function_probe) = outer;
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    // Constants, types and patterns are evaluated by the compiler: nothing can be inserted there.
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_pat(&mut self, _: &'ast Pat) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
}

/// Returns whether a function with this attribute must not be instrumented: a test, or one whose
/// body must not change.
fn must_stay(attribute: &Attribute) -> bool {
    is_test_only(attribute) || is_named(attribute, "proc_macro") || is_named(attribute, "naked")
}

fn type_word(self_type: &Type) -> String {
    match self_type {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default(),
        Type::Reference(inner) => type_word(&inner.elem),
        _ => "impl".to_owned(),
    }
}

/// Returns the return type as source, or `None` if it cannot be named.
fn writable_return(output: &ReturnType, file: &SourceFile) -> Option<String> {
    match output {
        ReturnType::Default => Some("()".to_owned()),
        ReturnType::Type(_, returned) => {
            let text = file.text[byte_range(returned)].to_owned();
            (!text.contains("impl ") && text != "!" && !text.contains("dyn ")).then_some(text)
        }
    }
}
