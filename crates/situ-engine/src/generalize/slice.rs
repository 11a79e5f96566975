//! The copy of a test that keeps one call and some of its assertions: what these need stays, all else goes.

use super::body::{Assertion, CallSite, Kind, is_text_macro, words_in};
use super::effects::Watched;
use super::scope::{Scope, Step};
use crate::source::{Splice, apply, byte_range};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::{Expr, Item, Local, Stmt};

/// Words by which code after the last assertion cleans up.
const CLEANING: [&str; 18] = [
    "abort",
    "cleanup",
    "clean_up",
    "close",
    "delete",
    "drop",
    "finish",
    "join",
    "kill",
    "quit",
    "remove_dir",
    "remove_dir_all",
    "remove_file",
    "remove_var",
    "shutdown",
    "stop",
    "teardown",
    "wait",
];

/// What of a test is copied.
pub struct Copy<'c> {
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
}

impl Copy<'_> {
    /// The statements of the copy; none where the call is lost with an assertion that goes.
    pub fn statements(&self) -> Option<Vec<String>> {
        let needed: BTreeSet<usize> = self
            .chosen
            .iter()
            .map(|at| self.scope.body.assertions[*at].statement)
            .chain([self.call.statement])
            .collect();
        let last = *needed.last()?;
        let mut live: BTreeSet<String> = BTreeSet::new();
        for at in &needed {
            live.extend(words_in(&self.written(*at)));
        }
        let mut kept: Vec<String> = Vec::new();
        for (at, step) in self.scope.steps.iter().enumerate().rev() {
            let text = match step {
                Step::Given { name, binding, argument } => match live.contains(name) {
                    true => format!("{binding}{};", &self.text[argument.clone()]),
                    false => String::new(),
                },
                Step::Statement(statement) if needed.contains(&at) => self.needed(at, statement, &live)?,
                Step::Statement(statement) if at > last => self.cleaning(statement, &live),
                Step::Statement(statement) => self.before(at, statement, &live),
            };
            if text.is_empty() {
                continue;
            }
            live.extend(words_in(&text));
            kept.push(text);
        }
        kept.reverse();
        // What differs in each pass of a loop means nothing without the loop.
        (!self.scope.depends_on_loop(&kept)).then_some(kept)
    }

    /// A statement that holds the call or a chosen assertion.
    fn needed(&self, at: usize, statement: &Stmt, live: &BTreeSet<String>) -> Option<String> {
        let lost = self.lost(at);
        let range = byte_range(statement);
        // An assertion that goes may be all that the statement is; the call in it is made all the same.
        if let Some(whole) = lost.iter().find(|assertion| assertion.is_statement && covers(&assertion.range, &range)) {
            let holds_call = |operand: &&Range<usize>| covers(operand, &self.call.range);
            let operand = whole.operands.iter().find(holds_call)?;
            let text = self.spliced(operand, &lost, live);
            return self.changes_something(&text, live).then(|| format!("let _ = {text};"));
        }
        let text = self.spliced(&range, &lost, live);
        Some(self.with_mark(at, &range, text))
    }

    /// The mark before an assertion that is an expression stands before its statement.
    fn with_mark(&self, at: usize, range: &Range<usize>, text: String) -> String {
        let chosen = self.chosen.iter().map(|at| &self.scope.body.assertions[*at]);
        let is_deep = |assertion: &&Assertion| {
            assertion.statement == at && (!assertion.is_statement || assertion.range == *range)
        };
        if !self.reached.is_empty() && chosen.filter(is_deep).count() > 0 {
            return format!("{} {text}", self.reached);
        }
        text
    }

    /// A statement before the call or assertion.
    fn before(&self, at: usize, statement: &Stmt, live: &BTreeSet<String>) -> String {
        let lost = self.lost(at);
        let range = byte_range(statement);
        let own: Vec<&Assertion> = lost.iter().copied().filter(|assertion| assertion.is_explicit()).collect();
        if let Some(whole) = own.iter().find(|assertion| assertion.is_statement && covers(&assertion.range, &range)) {
            return self.effects_of(whole, live);
        }
        match statement {
            Stmt::Local(local) => self.local(local, &range, &lost, live),
            Stmt::Item(item) => match item {
                Item::Use(_) | Item::Impl(_) | Item::Macro(_) => self.text[range].to_owned(),
                _ if words_in(&self.text[range.clone()]).iter().any(|word| live.contains(word)) => {
                    self.text[range].to_owned()
                }
                _ => String::new(),
            },
            Stmt::Macro(call)
                if is_text_macro(
                    &call.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
                ) =>
            {
                String::new()
            }
            _ => {
                let text = self.spliced(&range, &lost, live);
                let changes = match own.is_empty() {
                    // It stands there for what it does.
                    true => self.mentions_live(&text, live) || !self.mentions_variables(&text),
                    false => self.changes_something(&text, live),
                };
                if changes { text } else { String::new() }
            }
        }
    }

    fn local(&self, local: &Local, range: &Range<usize>, lost: &[&Assertion], live: &BTreeSet<String>) -> String {
        let bound = crate::record::plan::bindings_of(&local.pat);
        if bound.iter().any(|(name, _)| live.contains(name)) {
            return self.spliced(range, lost, live);
        }
        let Some(init) = &local.init else { return String::new() };
        // A guard lives as long as its variable, whether or not that is mentioned.
        if bound.iter().any(|(name, _)| name.starts_with('_')) {
            return self.spliced(range, lost, live);
        }
        let text = self.spliced(&byte_range(&init.expr), lost, live);
        let has_effect = self.changes_something(&text, live) && has_call(&init.expr);
        if has_effect { format!("let _ = {text};") } else { String::new() }
    }

    /// What an assertion that goes would have changed.
    fn effects_of(&self, assertion: &Assertion, live: &BTreeSet<String>) -> String {
        let lost = self.lost(assertion.statement);
        let operands = assertion.operands.iter().filter_map(|operand| {
            let text = self.spliced(operand, &lost, live);
            (text.contains('(') && self.changes_something(&text, live)).then(|| format!("let _ = {text};"))
        });
        operands.collect::<Vec<_>>().join(" ")
    }

    /// A statement behind the last assertion stays only if it cleans up what the copy has made.
    fn cleaning(&self, statement: &Stmt, live: &BTreeSet<String>) -> String {
        let range = byte_range(statement);
        let is_asserting = self.scope.body.assertions.iter().any(|one| one.is_explicit() && covers(&range, &one.range));
        let (Stmt::Expr(..), false) = (statement, is_asserting) else { return String::new() };
        let text = self.text[range].to_owned();
        let words = words_in(&text);
        let cleans = words.iter().any(|word| CLEANING.contains(&word.as_str()));
        let is_tail = matches!(statement, Stmt::Expr(_, None));
        let known = words.iter().all(|word| !self.is_variable(word) || live.contains(word));
        if (cleans && self.mentions_live(&text, live) || is_tail) && known { text } else { String::new() }
    }

    /// The assertions in a statement that go.
    fn lost(&self, statement: usize) -> Vec<&Assertion> {
        let all = self.scope.body.assertions.iter().enumerate();
        let lost = all.filter(|(at, one)| one.statement == statement && one.is_explicit() && !self.chosen.contains(at));
        lost.map(|(_, assertion)| assertion).collect()
    }

    /// The text of a whole statement, without the assertions that go.
    fn written(&self, statement: usize) -> String {
        let Step::Statement(source) = &self.scope.steps[statement] else { return String::new() };
        self.spliced(&byte_range(source), &self.lost(statement), &BTreeSet::new())
    }

    /// The text of a range: arguments replaced, assertions that go taken out, marks put in.
    fn spliced(&self, range: &Range<usize>, lost: &[&Assertion], live: &BTreeSet<String>) -> String {
        let mut splices: Vec<Splice> = Vec::new();
        for assertion in lost.iter().filter(|one| covers(range, &one.range) && one.range != *range) {
            let within = splices.iter().any(|known| covers(&known.range, &assertion.range));
            if within {
                continue;
            }
            let text = match assertion.is_statement {
                true if live.is_empty() => String::new(),
                true => self.effects_inside(assertion, live),
                false => "()".to_owned(),
            };
            splices.push(Splice { range: assertion.range.clone(), text });
        }
        for (number, text) in self.replaced {
            let argument = &self.call.arguments[*number].range;
            let is_gone = splices.iter().any(|known| covers(&known.range, argument));
            if covers(range, argument) && !is_gone {
                splices.push(Splice { range: argument.clone(), text: text.clone() });
            }
        }
        for at in self.chosen {
            let assertion = &self.scope.body.assertions[*at];
            let is_inside = covers(range, &assertion.range) && assertion.range != *range;
            if is_inside && assertion.is_statement && !self.reached.is_empty() {
                let start = assertion.range.start;
                splices.push(Splice { range: start..start, text: format!("{} ", self.reached) });
            }
        }
        let moved: Vec<Splice> = splices
            .into_iter()
            .map(|splice| Splice {
                range: splice.range.start - range.start..splice.range.end - range.start,
                text: splice.text,
            })
            .collect();
        apply(&self.text[range.clone()], &moved)
    }

    fn effects_inside(&self, assertion: &Assertion, live: &BTreeSet<String>) -> String {
        let changing = assertion.operands.iter().map(|operand| &self.text[operand.clone()]);
        let changing = changing.filter(|text| text.contains('(') && self.changes_something(text, live));
        changing.map(|text| format!("let _ = {text};")).collect()
    }

    fn is_variable(&self, word: &str) -> bool {
        self.scope.body.variables.iter().any(|variable| variable.name == word)
    }

    fn mentions_variables(&self, text: &str) -> bool {
        words_in(text).iter().any(|word| self.is_variable(word))
    }

    fn mentions_live(&self, text: &str, live: &BTreeSet<String>) -> bool {
        words_in(text).iter().any(|word| self.is_variable(word) && live.contains(word))
    }

    /// Whether a text may change something that the copy looks at.
    fn changes_something(&self, text: &str, live: &BTreeSet<String>) -> bool {
        let variables = self.scope.body.variables.iter();
        let mutable = variables.filter(|variable| variable.is_mutable).map(|variable| variable.name.clone()).collect();
        let live = live.iter().filter(|word| self.is_variable(word)).cloned().collect();
        Watched { live: &live, mutable: &mutable, looking: self.looking }.is_changed_by(text)
    }
}

/// Whether one range holds another.
pub fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
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

/// Whether an assertion can be one of a candidate with this call: it is made when the call is, or later.
pub fn can_pair(call: &CallSite, assertion: &Assertion) -> bool {
    match assertion.kind {
        Kind::Snapshot => false,
        Kind::Macro => {
            assertion.statement > call.statement
                || covers(&assertion.range, &call.range)
                || (assertion.statement == call.statement && assertion.range.start >= call.range.end)
        }
        // Most of these are about the set-up: only those that look at what the call gives are claims about it.
        Kind::Unwrap => assertion.operands.iter().any(|operand| covers(operand, &call.range)),
        Kind::Panic => assertion.statement == call.statement,
    }
}
