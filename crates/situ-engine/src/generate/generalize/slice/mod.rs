//! The copy of a test that keeps one call and some of its assertions: what these need stays, all else goes.

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

/// What of a test is copied.
pub(super) struct Copy<'c> {
    /// The text of the file.
    pub text: &'c str,
    /// Where the call stands.
    pub scope: &'c Scope,
    /// The call that stays.
    pub call: &'c CallSite,
    /// Arguments of the call, and what stands in their place.
    pub replaced: &'c [(usize, String)],
    /// The assertions that stay, by number.
    pub chosen: &'c [usize],
    /// What is put before each chosen assertion.
    pub reached: &'c str,
    /// Methods of the workspace that only look.
    pub looking: &'c BTreeSet<String>,
    /// What the compiler has said about the copy.
    pub mending: &'c Mending,
}

impl Copy<'_> {
    /// Returns the statements of the copy, or `None` if the call is lost with an assertion that
    /// goes.
    pub(super) fn statements(&self) -> Option<Vec<String>> {
        self.sliced().map(|(statements, _)| statements)
    }

    /// Returns the statements of the copy, and what is looked at behind the call.
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
                // What has the same name there already is that.
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
            // What a statement binds is another variable before it.
            for name in step
                .bound()
                .iter()
                .filter(|name| !is_given(name) && !step.reads(name))
            {
                live.remove(name);
            }
            // What was the end of a block need not be the end of the copy.
            let is_open = !kept.is_empty() && !text.ends_with([';', '}']);
            kept.push(if is_open { format!("{text};") } else { text });
        }
        kept.reverse();
        let kept = self.without_unknown_messages(kept);
        // The call may have gone with an assertion inside a block; and what differs in each pass of a loop means nothing
        // without the loop.
        let is_called = self.replaced.iter().all(|(_, name)| live.contains(name));
        let given: Vec<String> = self.replaced.iter().map(|(_, name)| name.clone()).collect();
        (is_called && !self.scope.depends_on_loop(&kept, &given)).then_some((kept, behind_call))
    }

    /// Returns an assignment as the beginning of its variable, where nothing looks at what that was
    /// before.
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

    /// Returns whether nothing behind the call looks at what it gives or changes: what holds then
    /// has nothing to do with it.
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
            // What mentions no variable may change what is behind all of them.
            _ => {
                let range = byte_range(statement);
                let text = self.spliced(&range, &[], &BTreeSet::new());
                self.mentions_variables(&text)
                    && !self.mentions_live(&text, &live)
                    && !self.changes_anything(&text, &range, &live)
            }
        }
    }

    /// Returns a statement that holds the call or a chosen assertion.
    fn needed(&self, at: usize, statement: &Stmt, live: &BTreeSet<String>) -> Option<String> {
        let lost = self.lost(at, live);
        let range = byte_range(statement);
        // An assertion that goes may be all that the statement is; the call in it is made all the same.
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

    /// Returns whether the call stays, and changes something, where an assertion inside a statement
    /// goes.
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

    /// Returns a variable that nothing looks at any more has no name.
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

    /// Returns the mark before an assertion that is an expression stands before its statement.
    fn with_mark(&self, at: usize, range: &Range<usize>, text: String) -> String {
        let chosen = self
            .chosen
            .iter()
            .map(|at| &self.scope.body.assertions[*at]);
        let is_deep = |assertion: &&Assertion| {
            // That a branch is not taken is claimed where the branch begins.
            let is_branch = assertion.kind == Kind::Panic;
            assertion.statement == at
                && (!assertion.is_statement || assertion.range == *range || is_branch)
        };
        if !self.reached.is_empty() && chosen.filter(is_deep).count() > 0 {
            return format!("{} {text}", self.reached);
        }
        text
    }

    /// Returns a statement before the call or assertion.
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
                    // It stands there for what it does.
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
        // A guard lives as long as its variable, whether or not that is mentioned.
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

    /// Returns a name under which a statement keeps what it makes, where it leaves a change that
    /// may go with that: a folder, a lock.
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

    /// Returns whether an assertion that goes would take a change with it that no variable shows.
    /// One in an operand is made all the same.
    fn stays_for_its_change(&self, assertion: &Assertion) -> bool {
        let lasting = &self.scope.lasting;
        match assertion.kind {
            Kind::Unwrap => lasting.is_in(&assertion.range),
            // A function that asserts.
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

    /// Returns whether something is unwrapped only so that an error shows: it is there for what it
    /// does outside of the test.
    fn stands_for_effect(&self, text: &str) -> bool {
        let reaches_outside =
            |word: &String| matches!(word.as_str(), "std" | "fs" | "env" | "io" | "thread");
        !self.mentions_variables(text)
            && (text.contains("()?")
                || text.contains("().unwrap")
                || text.contains("().expect")
                || words_in(text).first().is_some_and(reaches_outside))
    }

    /// Returns what an assertion that goes would have changed.
    fn effects_of(&self, assertion: &Assertion, live: &BTreeSet<String>) -> String {
        let lost = self.lost(assertion.statement, live);
        let operands = assertion.operands.iter().filter_map(|operand| {
            let text = self.spliced(operand, &lost, live);
            (text.contains('(') && self.changes_anything(&text, operand, live))
                .then(|| format!("let _ = {text};"))
        });
        operands.collect::<Vec<_>>().join(" ")
    }

    /// Returns the assertions in a statement that go: those that were not chosen, and bind nothing
    /// that is looked at.
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

/// Returns whether one range holds another.
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
