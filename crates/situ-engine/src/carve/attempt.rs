//! Attempts: for each behaviour one test, reworded or made from another call until it holds or nothing is left to try.

use super::assertion::Comparison;
use super::duplicates::Behaviour;
use super::in_situ::in_situ;
use super::leaf::{Leaves, leaves};
use super::names::names;
use super::place::PlacedTest;
use super::report::{Form, Refused};
use super::scenario::Call;
use super::shared::{SharedItem, Sharing};
use super::stands::Standing;
use super::test::test;
use crate::edit::{Place, Proposal};
use crate::render::TypeTable;
use std::collections::BTreeMap;
use std::path::Path;

/// Calls of one behaviour that are tried.
const MOST_CALLS: usize = 5;

/// A test that may be shown.
#[derive(Clone, Debug)]
pub struct Attempt<'s> {
    /// The behaviour.
    pub behaviour: Behaviour<'s>,
    /// Which of its calls.
    pub at: usize,
    /// What stands for the calls that leave the function, where that is needed.
    pub leaves: Option<Leaves>,
    /// How values are compared.
    pub comparison: Comparison,
    /// Its name.
    pub name: String,
    /// Its text, under that name.
    pub text: String,
    /// What it shares with others of its module.
    pub shared: Vec<SharedItem>,
    /// Where it stands among the others.
    order: usize,
}

impl<'s> Attempt<'s> {
    /// The call that the test is made of.
    pub fn call(&self) -> &Call<'s> {
        &self.behaviour.calls[self.at]
    }

    /// How it stands in the sources.
    pub fn form(&self) -> Form {
        let subject = self.call().subject;
        if self.leaves.is_some() {
            let (file, place) = (subject.file.clone(), Place::BodyStart(subject.body));
            return Form::InSitu(Proposal { file, place, text: self.text.clone() });
        }
        let inline = subject.module.len() - subject.inline_modules;
        Form::Unit(PlacedTest {
            file: subject.file.clone(),
            modules: subject.module[inline..].to_vec(),
            name: self.name.clone(),
            text: self.text.clone(),
            shared: self.shared.clone(),
        })
    }
}

/// How a test program calls a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPath {
    module: String,
    /// The function of an in-situ test, with the type that it belongs to.
    in_situ: Option<(String, String)>,
    name: String,
}

impl TestPath {
    /// Whether it is this test.
    pub fn is(&self, test: &str) -> bool {
        let own = match self.module.as_str() {
            "" => Some(test),
            module => test.strip_prefix(module).and_then(|rest| rest.strip_prefix("::")),
        };
        let Some((last_module, name)) = own.and_then(|own| own.split_once("::")) else { return false };
        match &self.in_situ {
            None => last_module == super::place::MODULE && name == self.name,
            Some((owner, function)) => {
                let whole = if owner.is_empty() { self.name.clone() } else { format!("{function}_{}", self.name) };
                let is_there = if owner.is_empty() {
                    last_module == format!("situ_{function}")
                } else {
                    last_module.starts_with("situ_") && last_module.ends_with(owner.as_str())
                };
                is_there && name == whole
            }
        }
    }
}

/// All attempts.
pub struct Attempts<'s> {
    /// Those that stand for now.
    pub standing: Vec<Attempt<'s>>,
    /// Those that came to nothing.
    pub refused: Vec<Refused>,
    types: &'s BTreeMap<String, TypeTable>,
}

type Rejected = BTreeMap<usize, (String, String)>;

impl<'s> Attempts<'s> {
    /// The first attempt at each behaviour.
    pub fn new(behaviours: Vec<Behaviour<'s>>, types: &'s BTreeMap<String, TypeTable>) -> Attempts<'s> {
        let mut attempts = Attempts { standing: Vec::new(), refused: Vec::new(), types };
        for (order, behaviour) in behaviours.into_iter().enumerate() {
            let attempt = Attempt {
                behaviour,
                at: 0,
                leaves: None,
                comparison: Comparison::default(),
                name: String::new(),
                text: String::new(),
                shared: Vec::new(),
                order,
            };
            attempts.try_from(attempt, 0, None);
        }
        attempts
    }

    /// Tries the calls from this one on.
    fn try_from(&mut self, mut attempt: Attempt<'s>, first: usize, why: Option<(String, String)>) {
        let mut why = why;
        for at in first..attempt.behaviour.calls.len().min(MOST_CALLS) {
            attempt.at = at;
            attempt.comparison = Comparison::default();
            match leaves(attempt.call()).and_then(|leaves| {
                attempt.leaves = leaves;
                self.text(&attempt, attempt.comparison, "")
            }) {
                Ok(text) => {
                    attempt.text = text;
                    self.standing.push(attempt);
                    return;
                }
                Err(reason) => why = why.or(Some((reason, String::new()))),
            }
        }
        let (reason, detail) = why.unwrap_or_default();
        self.refuse(&attempt, reason, detail);
    }

    fn refuse(&mut self, attempt: &Attempt<'_>, reason: String, detail: String) {
        let site = &attempt.call().recorded.site;
        self.refused.push(Refused {
            file: site.file.clone(),
            line: site.line,
            function: site.function.clone(),
            reason,
            detail,
        });
    }

    fn types_of(&self, call: &Call<'_>) -> &'s TypeTable {
        &self.types[&call.subject.here.krate]
    }

    fn text(&self, attempt: &Attempt<'_>, comparison: Comparison, name: &str) -> Result<String, String> {
        let call = attempt.call();
        match &attempt.leaves {
            Some(leaves) => in_situ(call, leaves, self.types_of(call), comparison, &name.replace('_', " ")),
            None => Ok(test(call, self.types_of(call), comparison)?.text(name)),
        }
    }

    /// Gives all standing attempts their names, and what those of one module share its own item. Modules that have
    /// carved tests already are left as they are.
    pub fn name(&mut self, existing: &dyn Fn(&Path, &[String]) -> bool) {
        self.standing.sort_by_key(|attempt| attempt.order);
        let calls: Vec<&Call<'_>> = self.standing.iter().map(Attempt::call).collect();
        let names = names(&calls);
        let mut sharing = Sharing::default();
        for (at, name) in names.into_iter().enumerate() {
            let attempt = &self.standing[at];
            let call = attempt.call();
            let name = if attempt.leaves.is_some() { behind_function(&name, call) } else { name };
            if attempt.leaves.is_some() {
                let text = self.text(attempt, attempt.comparison, &name);
                self.standing[at].text = text.unwrap_or_default();
            } else if let Ok(parts) = test(call, self.types_of(call), attempt.comparison) {
                let subject = call.subject;
                let is_new = !existing(&subject.file, &subject.module[subject.module.len() - subject.inline_modules..]);
                sharing.add(at, (subject.file.clone(), subject.module.clone()), parts, is_new);
            }
            self.standing[at].name = name;
        }
        for (at, (parts, shared)) in sharing.shared() {
            let attempt = &mut self.standing[at];
            attempt.text = parts.text(&attempt.name);
            attempt.shared = shared;
        }
    }

    /// How test programs call the tests.
    pub fn paths(&self) -> Vec<TestPath> {
        let path = |attempt: &Attempt<'_>| {
            let subject = attempt.call().subject;
            let owner = subject.owner.as_ref().and_then(|owner| owner.type_name.clone()).unwrap_or_default();
            TestPath {
                module: subject.module.join("::"),
                in_situ: attempt.leaves.as_ref().map(|_| (owner, subject.name.clone())),
                name: attempt.name.clone(),
            }
        };
        self.standing.iter().map(path).collect()
    }

    /// The attempts that stand there.
    pub fn standing_at(&self, standing: &Standing) -> Vec<usize> {
        let is_it = |attempt: &Attempt<'_>| {
            let subject = attempt.call().subject;
            let is_same = match &standing.function {
                Some(function) => attempt.leaves.is_some() && subject.name == *function,
                None => attempt.leaves.is_none(),
            };
            let is_shared = attempt.shared.iter().any(|item| item.name == standing.name);
            let is_own = attempt.name == standing.name.replace(' ', "_");
            is_same && subject.file == standing.file && (is_own || is_shared)
        };
        (0..self.standing.len()).filter(|at| is_it(&self.standing[*at])).collect()
    }

    /// What the compiler rejects is compared in another way, or made from another call.
    pub fn reword(&mut self, rejected: &Rejected) {
        for (mut attempt, why) in self.take(rejected) {
            let mut comparison = attempt.comparison.weaker();
            let reworded = loop {
                let Some(next) = comparison else { break false };
                attempt.comparison = next;
                match self.text(&attempt, next, &attempt.name) {
                    Ok(text) if text != attempt.text => {
                        attempt.text = text;
                        break true;
                    }
                    _ => comparison = next.weaker(),
                }
            };
            match reworded {
                true => self.standing.push(attempt),
                false => {
                    let next = attempt.at + 1;
                    self.try_from(attempt, next, Some(why));
                }
            }
        }
    }

    /// What does not hold is made from another call, or left out where nothing more is tried.
    pub fn replace_call(&mut self, rejected: &Rejected, tries_others: bool) {
        for (mut attempt, why) in self.take(rejected) {
            // `Debug` may be said to be derived and write something else all the same.
            if attempt.text.contains(":?}\"") && attempt.comparison < Comparison::PartsOnly && tries_others {
                attempt.comparison = Comparison::PartsOnly;
                self.standing.push(attempt);
                continue;
            }
            let next = if tries_others { attempt.at + 1 } else { usize::MAX };
            self.try_from(attempt, next, Some(why));
        }
    }

    fn take(&mut self, rejected: &Rejected) -> Vec<(Attempt<'s>, (String, String))> {
        let mut taken = Vec::new();
        let mut kept = Vec::new();
        for (at, attempt) in std::mem::take(&mut self.standing).into_iter().enumerate() {
            match rejected.get(&at) {
                Some(why) => taken.push((attempt, why.clone())),
                None => kept.push(attempt),
            }
        }
        self.standing = kept;
        taken
    }
}

/// The name without its function, which the path of an in-situ test has already.
fn behind_function(name: &str, call: &Call<'_>) -> String {
    let rest = name.find(&call.subject.name).map(|at| name[at + call.subject.name.len()..].trim_matches('_'));
    match rest {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => "as_it_was_seen".to_owned(),
    }
}
