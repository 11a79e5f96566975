//! Selection of the calls of a test to generalize over, and of the assertions for each.

use super::candidate::{Candidate, Candidates, Material, StudiedTest, Target};
use super::no_candidate::NoCandidate;
use super::tables::Tables;
use crate::generate::generalize::find::arguments::{ArgumentSet, CalledFunction};
use crate::generate::generalize::find::unit_tests::UnitTest;
use crate::generate::generalize::scope::assertion::can_pair;
use crate::generate::generalize::scope::body::{CallSite, Form, RECEIVER};
use crate::generate::generalize::scope::{Kind, Scope};
use crate::generate::generalize::slice::Copy;
use crate::generate::generalize::slice::unused_fixes::Mending;
use std::collections::BTreeSet;

/// The maximum number of candidates of one test. One with a hundred calls and as many assertions
/// has ten thousand, and those whose assertion is far behind the call say the least.
const MAX_CANDIDATES_OF_A_TEST: usize = 100;

/// Candidates in the making.
pub(crate) struct Pairing<'m> {
    material: &'m Material<'m>,
    tables: Tables<'m>,
    made: Candidates,
    /// Test, call and assertion of the candidates that need no single element of a loop.
    paired: BTreeSet<(usize, usize, usize)>,
}

impl<'m> Pairing<'m> {
    /// No candidates yet.
    pub(crate) fn new(material: &'m Material<'m>) -> Pairing<'m> {
        Pairing {
            material,
            tables: Tables::new(material),
            made: Candidates::default(),
            paired: BTreeSet::new(),
        }
    }

    /// Returns what was made.
    pub(crate) fn made(self) -> Candidates {
        Candidates {
            tables: self.tables.made,
            ..self.made
        }
    }

    /// The candidates of a test.
    pub(crate) fn test(&mut self, number: usize) {
        let studied = &self.material.tests[number];
        let mut reason = NoCandidate::NoCall;
        let mut targets = Vec::new();
        let calls = studied.scopes.iter().enumerate().flat_map(|(scope, of)| {
            let own = of
                .body
                .calls
                .iter()
                .enumerate()
                .filter(|(_, site)| of.owns(site.statement));
            own.map(move |(call, site)| (scope, call, site))
        });
        for (scope, call, site) in calls {
            match self.target(number, scope, call, site) {
                Ok(Some(target)) => {
                    reason = NoCandidate::NoAssertion;
                    targets.push(target);
                }
                Ok(None) => {}
                Err(why) => reason = why,
            }
        }
        if !self.pair(targets) {
            self.made.without.insert(number, reason);
        }
    }

    /// Adds the candidates of a test's targets; returns whether there are any. The first assertion
    /// of each call comes first, then the second of each, until the limit.
    fn pair(&mut self, targets: Vec<Target>) -> bool {
        let first = self.made.targets.len();
        self.made.targets.extend(targets);
        let numbers = first..self.made.targets.len();
        let mut made = Vec::new();
        // A candidate that needs no single element of a loop covers all of them.
        for is_pass in [false, true] {
            let is_meant = |number: &usize| (self.scope(*number).kind == Kind::Pass) == is_pass;
            let mut queues: Vec<(usize, std::vec::IntoIter<usize>)> = numbers
                .clone()
                .filter(is_meant)
                .map(|number| (number, self.assertions_of(number).into_iter()))
                .collect();
            while queues.iter().any(|(_, queue)| queue.len() > 0) {
                for (number, queue) in &mut queues {
                    let Some(assertion) = queue.next() else {
                        continue;
                    };
                    match made.len() < MAX_CANDIDATES_OF_A_TEST {
                        true => made.extend(self.candidate(*number, assertion)),
                        false => self.made.not_tried += 1,
                    }
                }
            }
        }
        made.sort_by_key(|candidate| (candidate.target, candidate.assertion));
        let has_candidate = !made.is_empty();
        self.made.all.extend(made);
        has_candidate
    }

    fn scope(&self, target: usize) -> &'m Scope {
        self.material.scope(&self.made.targets[target])
    }

    /// Returns the assertions that go with a call.
    fn assertions_of(&self, target: usize) -> Vec<usize> {
        let call = self.material.call(&self.made.targets[target]);
        let all = self.scope(target).body.assertions.iter().enumerate();
        all.filter(|(_, assertion)| can_pair(call, assertion))
            .map(|(at, _)| at)
            .collect()
    }

    fn candidate(&mut self, number: usize, assertion: usize) -> Option<Candidate> {
        let target = &self.made.targets[number];
        let (scope, call) = (self.material.scope(target), self.material.call(target));
        let key = (
            target.test,
            call.range.start,
            scope.body.assertions[assertion].range.start,
        );
        if scope.kind == Kind::Pass && self.paired.contains(&key) {
            return None;
        }
        let copy = Copy {
            text: self.material.tests[target.test].test.text(),
            scope,
            call,
            replaced: &target.replaced(|at| format!("situ_{at}")),
            chosen: &[assertion],
            reached: "",
            looking: &self.material.looking,
            mending: &Mending::default(),
        };
        copy.statements()?;
        if scope.kind != Kind::Pass {
            self.paired.insert(key);
        }
        Some(Candidate {
            target: number,
            assertion,
            is_apart: copy.is_apart(),
        })
    }

    /// Returns the target that a call is, or why a call of the workspace is none.
    fn target(
        &mut self,
        test: usize,
        scope: usize,
        call: usize,
        site: &CallSite,
    ) -> Result<Option<Target>, NoCandidate> {
        let studied = &self.material.tests[test];
        let named = match self.called(&studied.test, site)? {
            Some(function) => Some((function, self.replaceable(function, site)?)),
            None => self.handed_on(studied, scope, site),
        };
        let Some((function, arguments)) = named else {
            return Ok(None);
        };
        if site.is_repeated {
            return Err(NoCandidate::RepeatedCall);
        }
        let writable = self.tables.writable(&studied.test, function, &arguments);
        // If it is empty, the table has the reason.
        let arguments = if writable.is_empty() {
            arguments
        } else {
            writable
        };
        let names = arguments.iter().map(|(_, name)| name.clone()).collect();
        let table = self.tables.table(&studied.test, function, names)?;
        let of = &studied.scopes[scope];
        let variable = |(at, _): &(usize, String)| {
            let text = studied.test.text()[site.place(*at).range.clone()].trim();
            of.gives_at(text, site.statement).then(|| text.to_owned())
        };
        let variables = arguments.iter().map(variable).collect();
        let arguments = arguments.into_iter().map(|(at, _)| at).collect();
        Ok(Some(Target {
            test,
            scope,
            call,
            table,
            arguments,
            variables,
        }))
    }

    /// Returns the function of the workspace that a call of a test resolves to.
    fn called(&self, test: &UnitTest, site: &CallSite) -> Result<Option<usize>, NoCandidate> {
        let path = test.path();
        let may_be = |called: &&CalledFunction| {
            let (function, is_method) = (&called.function, site.receiver.is_some());
            function.may_be(
                &site.words,
                is_method,
                site.arguments.len(),
                &self.material.aliases,
            ) || function.may_be_behind(&site.words, is_method, site.arguments.len())
        };
        let named = self
            .material
            .functions
            .iter()
            .enumerate()
            .filter(|(_, called)| may_be(called));
        let mut found: Vec<usize> = named
            .clone()
            .filter(|(_, called)| called.was_called_directly_by(&path))
            .map(|(at, _)| at)
            .collect();
        if found.is_empty() {
            found = named
                .filter(|(_, called)| called.was_called_by(&path))
                .map(|(at, _)| at)
                .collect();
        }
        match self.of_named_type(&found, site).as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err(NoCandidate::AmbiguousFunction),
        }
    }

    /// Returns the function of the workspace that a helper passes its arguments on to, and these
    /// arguments with the names of its parameters.
    fn handed_on(
        &self,
        studied: &StudiedTest,
        scope: usize,
        site: &CallSite,
    ) -> Option<(usize, Vec<(usize, String)>)> {
        let is_inlined = studied
            .scopes
            .iter()
            .any(|other| other.kind == Kind::Helper && scope == 0 && other.first == site.statement);
        let code = self.material.code.get(&studied.test.file.krate.root);
        let name = site.words.last().filter(|_| site.receiver.is_none())?;
        let inner = studied.scopes[scope].helper_named(name, studied.test.text());
        let helper = inner.as_ref().or_else(|| code?.helpers.get(name));
        let helper = helper
            .filter(|helper| !is_inlined && helper.parameters.len() == site.arguments.len())?;
        for inner in &helper.calls {
            let Ok(Some(function)) = self.called(&studied.test, &inner.site) else {
                continue;
            };
            let Ok(inside) = self.replaceable(function, &inner.site) else {
                continue;
            };
            let handed_on = inside.into_iter().filter_map(|(at, name)| {
                let handed_on = if at == RECEIVER {
                    inner.receiver
                } else {
                    inner.handed_on.get(at).copied().flatten()
                };
                let argument = handed_on?;
                (site.arguments[argument].form != Form::Fixed).then_some((argument, name))
            });
            let arguments: Vec<(usize, String)> = handed_on.collect();
            if !arguments.is_empty() {
                return Some((function, arguments));
            }
        }
        None
    }

    /// Returns, of several functions, those of the type that the call names.
    fn of_named_type(&self, found: &[usize], site: &CallSite) -> Vec<usize> {
        let Some(of_type) = site.words.iter().rev().nth(1) else {
            return found.to_vec();
        };
        let is_of_type =
            |at: &&usize| self.material.functions[**at].function.of_type.as_ref() == Some(of_type);
        let of_type: Vec<usize> = found.iter().filter(is_of_type).copied().collect();
        if of_type.is_empty() {
            found.to_vec()
        } else {
            of_type
        }
    }

    /// Returns the arguments that can be replaced by values, with the names of their parameters.
    fn replaceable(
        &self,
        function: usize,
        site: &CallSite,
    ) -> Result<Vec<(usize, String)>, NoCandidate> {
        let called = &self.material.functions[function];
        // `Type::method(receiver, …)`
        let shift = usize::from(called.function.has_receiver && site.receiver.is_none());
        let is_known = |name: &str| {
            let is_exact =
                |set: &ArgumentSet| set.values.get(name).is_some_and(|value| value.is_exact());
            called.sets.iter().any(is_exact)
        };
        let is_behind = called.function.may_be_behind(
            &site.words,
            site.receiver.is_some(),
            site.arguments.len(),
        );
        let mut replaced = Vec::new();
        for (at, parameter) in called.function.parameters.iter().enumerate() {
            let number = if is_behind { RECEIVER } else { at + shift };
            let Some(name) = parameter.name.as_ref().filter(|_| !parameter.is_fixed) else {
                continue;
            };
            let argument = if is_behind {
                site.receiver.as_ref()
            } else {
                site.arguments.get(number)
            };
            let is_written = argument.is_some_and(|argument| argument.form != Form::Fixed);
            if is_written && is_known(name) {
                replaced.push((number, name.clone()));
            }
        }
        // Its receiver is its only argument.
        let can_be_called_on =
            called.function.has_receiver && !called.function.writes_receiver && is_known("self");
        if replaced.is_empty() && can_be_called_on {
            let receiver = if shift == 1 { 0 } else { RECEIVER };
            if site.place(receiver).form != Form::Fixed {
                replaced.push((receiver, "self".to_owned()));
            }
        }
        match (replaced.is_empty(), called.function.parameters.is_empty()) {
            (false, _) => Ok(replaced),
            (true, false) => Err(NoCandidate::UnknownArguments),
            (true, true) if called.function.has_receiver => Err(NoCandidate::UnknownReceiver),
            (true, true) => Err(NoCandidate::NoParameters),
        }
    }
}
