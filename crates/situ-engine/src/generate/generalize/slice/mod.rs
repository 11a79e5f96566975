//! The copy of a test that keeps one call and some of its assertions, and drops everything that
//! these do not need.

pub(crate) mod cleaning;
pub(crate) mod effects;
pub(crate) mod lasting_changes;
pub(crate) mod liveness;
pub(crate) mod messages;
pub(crate) mod splicing;
pub(crate) mod unused_fixes;

use super::scope::assertion::{Assertion, Kind};
use super::scope::body::CallSite;
use super::scope::token_text::{is_text_macro, words_in};
use super::scope::{Scope, Step};
use crate::record::plan::bindings_of;
use crate::source::byte_range;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::{Expr, Item, Local, Pat, Stmt};
use unused_fixes::Mending;

/// The parts of a test to copy.
pub(super) struct Copy<'c> {
    /// The text of the file.
    pub text: &'c str,
    /// The scope of the call.
    pub scope: &'c Scope,
    /// The call to keep.
    pub call: &'c CallSite,
    /// Arguments of the call, and their replacements.
    pub replaced: &'c [(usize, String)],
    /// The assertions to keep, by number.
    pub chosen: &'c [usize],
    /// The code inserted before each chosen assertion.
    pub reached: &'c str,
    /// Methods of the workspace that never change their receiver.
    pub looking: &'c BTreeSet<String>,
    /// The repairs after compiler warnings.
    pub mending: &'c Mending,
}

impl Copy<'_> {
    /// Returns the statements of the copy, or `None` if the call is lost with a dropped assertion.
    pub(super) fn statements(&self) -> Option<Vec<String>> {
        self.sliced().map(|(statements, _)| statements)
    }

    /// Returns the statements of the copy, and the variables that are live after the call.
    fn sliced(&self) -> Option<(Vec<String>, BTreeSet<String>)> {
        let needed: BTreeSet<usize> = self
            .chosen
            .iter()
            .map(|at| self.scope.body.assertions[*at].statement)
            .chain([self.call.statement])
            .collect();
        let last = *needed.last()?;
        let made: BTreeSet<String> = self.scope.steps[..=last]
            .iter()
            .flat_map(Step::bound)
            .collect();
        let is_given = |name: &String| self.replaced.iter().any(|(_, given)| given == name);
        let mut live: BTreeSet<String> = BTreeSet::new();
        let (mut kept, mut behind_call): (Vec<String>, BTreeSet<String>) = Default::default();
        for (at, step) in self.scope.steps.iter().enumerate().rev() {
            if at == self.call.statement {
                behind_call = live.clone();
            }
            let written = match step {
                // A variable of the same name is the same value.
                Step::Given {
                    name,
                    binding,
                    text,
                    ..
                } if text == name && !binding.starts_with("let mut") => String::new(),
                Step::Given {
                    name,
                    binding,
                    text,
                    ..
                } => match live.contains(name) && !is_given(name) {
                    true => format!("{}{};", self.mending.binding(binding, name), text),
                    false if !is_given(name) && self.scope.lasting.is_given_at(at) => {
                        format!("let _{name} = {text};")
                    }
                    false => String::new(),
                },
                Step::Statement(statement) if needed.contains(&at) => {
                    self.needed(at, statement, &live)?
                }
                Step::Statement(statement) if at > last => self.cleaning(statement, &made),
                Step::Statement(statement) => self.before(at, statement, &live),
            };
            if written.is_empty() {
                continue;
            }
            let begun = match step {
                Step::Statement(statement) => self.begun(statement, &written),
                Step::Given { .. } => None,
            };
            let (begun, text) = begun.unzip();
            let text = text.unwrap_or(written);
            let words: Vec<String> = self.alive(&text).collect();
            live.extend(words);
            if let Some(name) = begun {
                live.remove(&name);
            }
            // A variable that a statement binds is a different one before it.
            for name in step
                .bound()
                .iter()
                .filter(|name| !is_given(name) && !step.reads(name))
            {
                live.remove(name);
            }
            // The tail of a block need not be the tail of the copy.
            let is_open = !kept.is_empty() && !text.ends_with([';', '}']);
            kept.push(if is_open { format!("{text};") } else { text });
        }
        kept.reverse();
        let kept = self.without_unknown_messages(kept);
        // The call may have gone with an assertion inside a block; and a loop variable means
        // nothing without the loop.
        let is_called = self.replaced.iter().all(|(_, name)| live.contains(name));
        let given: Vec<String> = self.replaced.iter().map(|(_, name)| name.clone()).collect();
        (is_called && !self.scope.depends_on_loop(&kept, &given)).then_some((kept, behind_call))
    }

    /// Returns an assignment as a `let`, if the variable's earlier value is dead.
    fn begun(&self, statement: &Stmt, text: &str) -> Option<(String, String)> {
        let Stmt::Expr(Expr::Assign(assign), Some(_)) = statement else {
            return None;
        };
        let Expr::Path(path) = &*assign.left else {
            return None;
        };
        let name = path.path.get_ident()?.to_string();
        let value = text
            .strip_prefix(&format!("{name} = "))
            .filter(|value| !words_in(value).contains(&name))?;
        let beginning = self.mending.beginning(&name, byte_range(statement).start)?;
        Some((name, format!("{beginning}{value}")))
    }

    /// Returns whether nothing after the call uses its result or effects, so that the assertions
    /// are unrelated to it.
    pub(super) fn is_apart(&self) -> bool {
        let Step::Statement(statement) = &self.scope.steps[self.call.statement] else {
            return false;
        };
        let is_asserted = self
            .chosen
            .iter()
            .any(|at| self.scope.body.assertions[*at].statement == self.call.statement);
        let Some((kept, live)) = self.sliced().filter(|_| !is_asserted) else {
            return false;
        };
        match statement {
            Stmt::Local(local) => {
                let text = self.spliced(&byte_range(local), &[], &BTreeSet::new());
                let is_named = bindings_of(&local.pat)
                    .iter()
                    .any(|(name, _)| !name.starts_with('_'));
                let is_dropped = kept.iter().any(|statement| {
                    (statement.starts_with("let _ = ") || statement.starts_with("let _: "))
                        && self
                            .replaced
                            .iter()
                            .all(|(_, name)| words_in(statement).contains(name))
                });
                is_named && is_dropped && !text.contains("&mut ")
            }
            // Code without variables may change what all of them refer to.
            _ => {
                let range = byte_range(statement);
                let text = self.spliced(&range, &[], &BTreeSet::new());
                self.mentions_variables(&text)
                    && !self.mentions_live(&text, &live)
                    && !self.changes_anything(&text, &range, &live)
            }
        }
    }

    /// Returns a statement that contains the call or a chosen assertion.
    fn needed(&self, at: usize, statement: &Stmt, live: &BTreeSet<String>) -> Option<String> {
        let lost = self.lost(at, live);
        let range = byte_range(statement);
        // A dropped assertion may be the whole statement; the call in it is still made.
        if let Some(whole) = lost
            .iter()
            .find(|assertion| assertion.is_statement && covers(&assertion.range, &range))
        {
            let holds_call = |operand: &&Range<usize>| covers(operand, &self.call.range);
            let operand = whole.operands.iter().find(holds_call)?;
            let text = self.spliced(operand, &lost, live);
            return self
                .changes_anything(&text, operand, live)
                .then(|| format!("let _ = {text};"));
        }
        self.keeps_call(&range, &lost, live).then_some(())?;
        let text = match statement {
            Stmt::Local(local) => self.needed_local(local, &range, &lost, live),
            _ => self.spliced(&range, &lost, live),
        };
        Some(self.with_mark(at, &range, text))
    }

    /// Returns whether the call is kept for its changes when an assertion inside its statement is
    /// dropped.
    fn keeps_call(
        &self,
        range: &Range<usize>,
        lost: &[&Assertion],
        live: &BTreeSet<String>,
    ) -> bool {
        let mut holding = lost
            .iter()
            .filter(|assertion| covers(&assertion.range, &self.call.range));
        holding.all(|assertion| {
            assertion.is_statement && !self.effects_inside(assertion, range, lost, live).is_empty()
        })
    }

    /// Returns a `let` statement; a dead variable becomes `_`.
    fn needed_local(
        &self,
        local: &Local,
        range: &Range<usize>,
        lost: &[&Assertion],
        live: &BTreeSet<String>,
    ) -> String {
        let bound = bindings_of(&local.pat);
        let is_looked_at =
            self.is_looked_at(local, live) || bound.iter().any(|(name, _)| name.starts_with('_'));
        match &local.init {
            Some(init) if init.diverge.is_none() && !is_looked_at && !bound.is_empty() => {
                let name = self.held(local).unwrap_or_else(|| "_".to_owned());
                format!(
                    "let {name}{} = {};",
                    self.type_of(local),
                    self.spliced(&byte_range(&init.expr), lost, live)
                )
            }
            _ => self.spliced(range, lost, live),
        }
    }

    /// Puts the mark of an assertion that is an expression before its statement.
    fn with_mark(&self, at: usize, range: &Range<usize>, text: String) -> String {
        let chosen = self
            .chosen
            .iter()
            .map(|at| &self.scope.body.assertions[*at]);
        let is_deep = |assertion: &&Assertion| {
            // A `panic!` in a branch is marked at the branch's beginning.
            let is_branch = assertion.kind == Kind::Panic;
            assertion.statement == at
                && (!assertion.is_statement || assertion.range == *range || is_branch)
        };
        if !self.reached.is_empty() && chosen.filter(is_deep).count() > 0 {
            return format!("{} {text}", self.reached);
        }
        text
    }

    /// Returns a statement before the call or assertion, if it is needed.
    fn before(&self, at: usize, statement: &Stmt, live: &BTreeSet<String>) -> String {
        let lost = self.lost(at, live);
        let range = byte_range(statement);
        let own: Vec<&Assertion> = lost
            .iter()
            .copied()
            .filter(|assertion| assertion.is_explicit())
            .collect();
        if let Some(whole) = own
            .iter()
            .find(|assertion| assertion.is_statement && covers(&assertion.range, &range))
        {
            let text = self.spliced(&range, &[], live);
            return if whole.kind == Kind::Unwrap && self.stands_for_effect(&text) {
                text
            } else {
                self.effects_of(whole, live)
            };
        }
        match statement {
            Stmt::Local(local) => self.local(local, &range, &lost, live),
            Stmt::Item(item) => match item {
                Item::Use(_) if self.mending.is_unused(&self.text[range.clone()]) => String::new(),
                Item::Macro(item)
                    if item
                        .ident
                        .as_ref()
                        .is_some_and(|name| self.mending.is_dead_item(&name.to_string())) =>
                {
                    String::new()
                }
                Item::Use(_) | Item::ExternCrate(_) | Item::Impl(_) | Item::Macro(_) => {
                    self.text[range].to_owned()
                }
                _ if crate::source::declared_name(item).is_some_and(|name| {
                    live.contains(&name) && !self.mending.is_dead_item(&name)
                }) =>
                {
                    self.text[range].to_owned()
                }
                _ => String::new(),
            },
            Stmt::Macro(call)
                if is_text_macro(
                    &call
                        .mac
                        .path
                        .segments
                        .last()
                        .map(|last| last.ident.to_string())
                        .unwrap_or_default(),
                ) =>
            {
                String::new()
            }
            _ => {
                let text = self.spliced(&range, &lost, live);
                let changes = match own.is_empty() {
                    // The call is there for its effect.
                    true => self.mentions_live(&text, live) || !self.mentions_variables(&text),
                    false => self.changes_something(&text, range.start, live),
                };
                let changes = changes || self.scope.lasting.is_in(&range);
                if changes { text } else { String::new() }
            }
        }
    }

    fn local(
        &self,
        local: &Local,
        range: &Range<usize>,
        lost: &[&Assertion],
        live: &BTreeSet<String>,
    ) -> String {
        let bound = bindings_of(&local.pat);
        if self.is_looked_at(local, live) {
            return self.spliced(range, lost, live);
        }
        let Some(init) = &local.init else {
            return String::new();
        };
        // A guard lives as long as its variable, whether or not that is used.
        if bound.iter().any(|(name, _)| name.starts_with('_')) {
            return self.spliced(range, lost, live);
        }
        let text = self.spliced(&byte_range(&init.expr), lost, live);
        if let Some(held) = self.held(local) {
            return format!("let {held}{} = {text};", self.type_of(local));
        }
        let has_effect = self.changes_something(&text, range.end, live) && has_call(&init.expr);
        if has_effect {
            format!("let _{} = {text};", self.type_of(local))
        } else {
            String::new()
        }
    }

    /// Returns a name that keeps a statement's value alive, if its effect may end with it: a
    /// folder, a lock.
    fn held(&self, local: &Local) -> Option<String> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        self.scope
            .lasting
            .is_in(&byte_range(&init.expr))
            .then_some(())?;
        match bindings_of(&local.pat).as_slice() {
            [] => Some("_".to_owned()),
            [(name, _)] => Some(format!("_{}", name.trim_start_matches("r#"))),
            _ => Some("_held".to_owned()),
        }
    }

    /// Returns whether dropping an assertion would drop an effect that no variable shows. An effect
    /// in an operand is kept anyway.
    fn stays_for_its_change(&self, assertion: &Assertion) -> bool {
        let lasting = &self.scope.lasting;
        match assertion.kind {
            Kind::Unwrap => lasting.is_in(&assertion.range),
            // A helper that asserts.
            Kind::Macro => lasting.begins(&assertion.range),
            Kind::Snapshot | Kind::Panic => false,
        }
    }

    /// `: Type` where a variable is declared with one.
    fn type_of(&self, local: &Local) -> String {
        match &local.pat {
            Pat::Type(typed) => format!(": {}", &self.text[byte_range(&typed.ty)]),
            _ => String::new(),
        }
    }

    /// Returns whether something is only unwrapped, so that it is there for its effect outside the
    /// test.
    fn stands_for_effect(&self, text: &str) -> bool {
        let reaches_outside =
            |word: &String| matches!(word.as_str(), "std" | "fs" | "env" | "io" | "thread");
        !self.mentions_variables(text)
            && (text.contains("()?")
                || text.contains("().unwrap")
                || text.contains("().expect")
                || words_in(text).first().is_some_and(reaches_outside))
    }

    /// Returns the code that keeps the changes of a dropped assertion.
    fn effects_of(&self, assertion: &Assertion, live: &BTreeSet<String>) -> String {
        let lost = self.lost(assertion.statement, live);
        let operands = assertion.operands.iter().filter_map(|operand| {
            let text = self.spliced(operand, &lost, live);
            (text.contains('(') && self.changes_anything(&text, operand, live))
                .then(|| format!("let _ = {text};"))
        });
        operands.collect::<Vec<_>>().join(" ")
    }

    /// Returns the assertions of a statement to drop: those that were not chosen and bind no live
    /// variable.
    pub(super) fn lost(&self, statement: usize, live: &BTreeSet<String>) -> Vec<&Assertion> {
        let all = self.scope.body.assertions.iter().enumerate();
        let stays = |one: &Assertion| {
            one.binds.iter().any(|name| live.contains(name))
                || one.is_custom && self.is_given_something_to_change(one, live)
                || self.stays_for_its_change(one)
        };
        let lost = all.filter(|(at, one)| {
            one.statement == statement
                && one.is_explicit()
                && !self.chosen.contains(at)
                && !stays(one)
        });
        lost.map(|(_, assertion)| assertion).collect()
    }
}

/// Returns whether one range contains another.
pub(super) fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn has_call(expression: &Expr) -> bool {
    struct Calls(bool);
    impl<'ast> syn::visit::Visit<'ast> for Calls {
        fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {
            self.0 = true;
        }

        fn visit_expr_method_call(&mut self, _: &'ast syn::ExprMethodCall) {
            self.0 = true;
        }

        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }
    }
    let mut calls = Calls(false);
    syn::visit::Visit::visit_expr(&mut calls, expression);
    calls.0
}
