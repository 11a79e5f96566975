//! All attempts: for each behaviour one test, reworded or made from another call until it holds or nothing is left to try.

use super::arrange::Wording;
use super::assertion::Comparison;
use super::attempt::{Attempt, Making, Means, TestPath};
use super::double_text::{ANSWERS, ANSWERS_ITEM};
use super::doubles::{Double, doubles};
use super::duplicates::Behaviour;
use super::in_situ::in_situ;
use super::leaf::leaves;
use super::long_texts::LongTexts;
use super::names::names;
use super::report::Refused;
use super::scenario::Call;
use super::shared::{SharedItem, Sharing, stem};
use super::stands::Standing;
use super::test::{Parts, test};
use crate::render::TypeTable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Calls of one behaviour that are tried.
const MOST_CALLS: usize = 5;

/// All attempts.
pub struct Attempts<'s> {
    /// Those that stand for now.
    pub standing: Vec<Attempt<'s>>,
    /// Those that came to nothing.
    pub refused: Vec<Refused>,
    making: Making<'s>,
}

/// Which attempts are rejected, with the reason and what the compiler said.
pub type Rejected = BTreeMap<usize, (String, String)>;

impl<'s> Attempts<'s> {
    /// The first attempt at each behaviour.
    pub fn new(behaviours: Vec<Behaviour<'s>>, making: Making<'s>) -> Attempts<'s> {
        let mut attempts = Attempts { standing: Vec::new(), refused: Vec::new(), making };
        for (order, behaviour) in behaviours.into_iter().enumerate() {
            let attempt = Attempt {
                behaviour,
                at: 0,
                means: Means::Nothing,
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
            for means in self.means(attempt.call()) {
                match means.and_then(|means| self.made(&attempt, means)) {
                    Ok(attempt) => {
                        self.standing.push(attempt);
                        return;
                    }
                    Err(reason) => why = why.or(Some((reason, String::new()))),
                }
            }
        }
        let (reason, detail) = why.unwrap_or_default();
        self.refuse(&attempt, reason, detail);
    }

    /// What may stand for what a test of a call cannot have, in the order in which it is tried.
    fn means(&self, call: &Call<'_>) -> Vec<Result<Means, String>> {
        let is_testable = !call.subject.is_async || call.subject.has_tokio;
        let doubles = is_testable.then(|| doubles(call, self.making.declared, self.types_of(call)));
        let doubles = doubles.and_then(Result::transpose).map(|one| one.map(|one| Means::Doubles(Box::new(one))));
        let mocks = leaves(call).map(|leaves| leaves.map_or(Means::Nothing, Means::Mocks));
        doubles.into_iter().chain([mocks]).collect()
    }

    /// The attempt by these means.
    fn made(&self, attempt: &Attempt<'s>, means: Means) -> Result<Attempt<'s>, String> {
        let mut attempt = Attempt { means, comparison: Comparison::default(), ..attempt.clone() };
        attempt.text = self.text(&attempt, attempt.comparison, "")?;
        Ok(attempt)
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
        &self.making.types[&call.subject.here.krate]
    }

    fn text(&self, attempt: &Attempt<'_>, comparison: Comparison, name: &str) -> Result<String, String> {
        let call = attempt.call();
        match &attempt.means {
            Means::Mocks(leaves) => in_situ(call, leaves, self.types_of(call), comparison, &name.replace('_', " ")),
            _ => Ok(self.parts(attempt, comparison)?.text(name)),
        }
    }

    fn parts(&self, attempt: &Attempt<'_>, comparison: Comparison) -> Result<Parts, String> {
        let doubles = match &attempt.means {
            Means::Doubles(doubles) => Some(&**doubles),
            _ => None,
        };
        let call = attempt.call();
        test(call, Wording { types: self.types_of(call), comparison, doubles, style: self.making.style })
    }

    /// Gives all standing attempts their names, and what those of one module share its own item. Modules that have
    /// carved tests already are left as they are.
    pub fn name(&mut self, existing: &dyn Fn(&Path, &[String]) -> bool) {
        self.standing.sort_by_key(|attempt| attempt.order);
        let calls: Vec<&Call<'_>> = self.standing.iter().map(Attempt::call).collect();
        let names = names(&calls);
        let mut sharing = Sharing::default();
        let mut in_place: BTreeMap<&Path, LongTexts> = BTreeMap::new();
        let (mut given, mut filed) = (Vec::new(), Vec::new());
        for (at, name) in names.into_iter().enumerate() {
            let attempt = &self.standing[at];
            let call = attempt.call();
            let name = if attempt.means.is_in_situ() { behind_function(&name, call) } else { name };
            if attempt.means.is_in_situ() {
                let text = self.text(attempt, attempt.comparison, &name).unwrap_or_default();
                let file = &call.subject.file;
                let texts = in_place.entry(file).or_insert_with(|| LongTexts::new(stem(file, &[])));
                filed.push((at, texts.filed(&text, &format!("in_{}", call.subject.name))));
            } else if let Ok(parts) = self.parts(attempt, attempt.comparison) {
                let subject = call.subject;
                let is_new = !existing(&subject.file, &subject.module[subject.module.len() - subject.inline_modules..]);
                sharing.add(at, (subject.file.clone(), subject.module.clone()), parts, is_new);
            }
            given.push(name);
        }
        for (at, name) in given.into_iter().enumerate() {
            self.standing[at].name = name;
        }
        for (at, (text, shared)) in filed {
            self.standing[at].text = text;
            self.standing[at].shared = shared;
        }
        for (at, (parts, shared)) in sharing.shared() {
            let attempt = &mut self.standing[at];
            attempt.text = parts.text(&attempt.name);
            attempt.shared = shared;
        }
        self.add_doubles();
    }

    /// Gives each module the items of its doubles, which answer what its tests ask.
    fn add_doubles(&mut self) {
        let mut asked: BTreeMap<(PathBuf, Vec<String>, String), BTreeSet<String>> = BTreeMap::new();
        let key = |call: &Call<'_>, double: &Double| {
            (call.subject.file.clone(), call.subject.module.clone(), self.making.style.type_name(double))
        };
        for attempt in &self.standing {
            for double in attempt.doubles() {
                let own = asked.entry(key(attempt.call(), double)).or_default();
                own.extend(double.answers.iter().map(|answer| answer.method.clone()));
            }
        }
        let items: Vec<Vec<SharedItem>> = self
            .standing
            .iter()
            .map(|attempt| {
                let call = attempt.call();
                let item = |double: &Double| {
                    let key = key(call, double);
                    let text = self.making.style.item(double, &asked[&key]);
                    SharedItem { name: key.2, text, file: None }
                };
                let streams = attempt.streams().iter();
                let of_streams = streams.filter_map(|stream| stream.item(&call.subject.here, self.types_of(call)));
                attempt.doubles().iter().map(item).chain(of_streams).collect()
            })
            .collect();
        for (attempt, mut items) in self.standing.iter_mut().zip(items) {
            attempt.shared.append(&mut items);
            if attempt.shared.iter().any(|item| item.text.contains(&format!(": {ANSWERS}<"))) {
                attempt.shared.push(SharedItem { name: ANSWERS.to_owned(), text: ANSWERS_ITEM.to_owned(), file: None });
            }
        }
    }

    /// How test programs call the tests.
    pub fn paths(&self) -> Vec<TestPath> {
        let path = |attempt: &Attempt<'_>| {
            let subject = attempt.call().subject;
            let owner = subject.owner.as_ref().and_then(|owner| owner.type_name.clone()).unwrap_or_default();
            TestPath {
                module: subject.module.join("::"),
                in_situ: attempt.means.is_in_situ().then(|| (owner, subject.name.clone())),
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
                Some(function) => attempt.means.is_in_situ() && subject.name == *function,
                None => !attempt.means.is_in_situ(),
            };
            let is_shared = attempt.shared.iter().any(|item| item.name == standing.name);
            let is_own = attempt.name == standing.name.replace(' ', "_");
            is_same && subject.file == standing.file && (is_own || is_shared)
        };
        (0..self.standing.len()).filter(|at| is_it(&self.standing[*at])).collect()
    }

    /// All tests that stand in place, for this reason.
    pub fn in_situ(&self, reason: &str) -> Rejected {
        let in_situ = (0..self.standing.len()).filter(|at| self.standing[*at].means.is_in_situ());
        in_situ.map(|at| (at, (reason.to_owned(), String::new()))).collect()
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
                false => self.in_place_or_next(attempt, why),
            }
        }
    }

    /// Where doubles do not do, values stand for the calls in the body; else another call is tried.
    fn in_place_or_next(&mut self, attempt: Attempt<'s>, why: (String, String)) {
        if let (Means::Doubles(_), Ok(Some(leaves))) = (&attempt.means, leaves(attempt.call()))
            && let Ok(attempt) = self.made(&attempt, Means::Mocks(leaves))
        {
            self.standing.push(attempt);
            return;
        }
        let next = attempt.at + 1;
        self.try_from(attempt, next, Some(why));
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
            match tries_others {
                true => self.in_place_or_next(attempt, why),
                false => self.try_from(attempt, usize::MAX, Some(why)),
            }
        }
    }

    /// Leaves out tests that say nothing new.
    pub fn leave_out(&mut self, duplicates: &BTreeSet<usize>) {
        let mut at = 0;
        self.standing.retain(|_| {
            at += 1;
            !duplicates.contains(&(at - 1))
        });
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
