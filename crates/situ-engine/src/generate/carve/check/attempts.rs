//! All attempts: for each behaviour one test, which is reworded or generated from another call
//! until it passes or nothing is left to try.

use super::attempt::{Attempt, Making, Means, TestPath};
use super::test_locator::Standing;
use crate::generate::carve::doubles::double_text::{ANSWERS, ANSWERS_ITEM, CALLS, CALLS_ITEM};
use crate::generate::carve::doubles::{Double, DoubleChecks, doubles};
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::carve::report::Refused;
use crate::generate::carve::write::arrange::Wording;
use crate::generate::carve::write::assertion::Comparison;
use crate::generate::carve::write::call_checks::{Looks, Unchecked};
use crate::generate::carve::write::duplicates::Behaviour;
use crate::generate::carve::write::in_situ::{InSituWording, in_situ};
use crate::generate::carve::write::long_texts::LongTexts;
use crate::generate::carve::write::names::{module_key, names};
use crate::generate::carve::write::place::ExistingTest;
use crate::generate::carve::write::shared::{SharedItem, Sharing, stem};
use crate::generate::carve::write::test::{Parts, test};
use crate::values::TypeTable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The maximum number of calls of one behaviour that are tried.
const MAX_CALLS: usize = 5;

pub(crate) struct Attempts<'s> {
    /// The attempts that have not been rejected.
    pub standing: Vec<Attempt<'s>>,
    /// The rejected attempts.
    pub refused: Vec<Refused>,
    /// The attempts whose tests exist in the sources, under their names there.
    pub there: Vec<Attempt<'s>>,
    /// The names that tests in the sources have, by module.
    taken: BTreeSet<(String, String)>,
    making: Making<'s>,
}

/// The wordings of a test, each tried if the compiler rejects the previous ones. Results without
/// `==` are more frequent than arguments without it.
const WORDINGS: [(Comparison, Looks); 7] = [
    (Comparison::Equal, Looks::All),
    (Comparison::EqualTyped, Looks::All),
    (Comparison::Parts, Looks::All),
    (Comparison::EqualTyped, Looks::Plain),
    (Comparison::Parts, Looks::Plain),
    (Comparison::PartsOnly, Looks::Plain),
    (Comparison::PartsOnly, Looks::Calls),
];

/// The wordings for tests that fail with the previous ones.
const LOOKING_LESS: [(Comparison, Looks); 4] = [
    (Comparison::Equal, Looks::Calls),
    (Comparison::Parts, Looks::Calls),
    (Comparison::Equal, Looks::Nothing),
    (Comparison::Parts, Looks::Nothing),
];

/// The maximum number of calls of one behaviour that an existing test is compared with.
const MAX_LIKE: usize = 20;

/// The reason why an attempt is rejected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rejection {
    /// The reason.
    pub refusal: CarveRefusal,
    /// The compiler's message; empty if there is none.
    pub message: String,
}

impl From<CarveRefusal> for Rejection {
    fn from(refusal: CarveRefusal) -> Rejection {
        Rejection {
            refusal,
            message: String::new(),
        }
    }
}

/// The rejected attempts, by their indices.
pub(crate) type Rejected = BTreeMap<usize, Rejection>;

impl<'s> Attempts<'s> {
    /// Creates the first attempt at each behaviour.
    pub(crate) fn new(behaviours: Vec<Behaviour<'s>>, making: Making<'s>) -> Attempts<'s> {
        let mut attempts = Attempts {
            standing: Vec::new(),
            refused: Vec::new(),
            there: Vec::new(),
            taken: BTreeSet::new(),
            making,
        };
        for (order, behaviour) in behaviours.into_iter().enumerate() {
            let attempt = Attempt {
                behaviour,
                at: 0,
                means: Means::Nothing,
                comparison: Comparison::default(),
                looks: Looks::default(),
                tried: Vec::new(),
                name: String::new(),
                text: String::new(),
                shared: Vec::new(),
                order,
            };
            attempts.try_from(attempt, 0, None);
        }
        attempts
    }

    /// Tries the calls from this index on.
    fn try_from(&mut self, mut attempt: Attempt<'s>, first: usize, why: Option<Rejection>) {
        let mut why = why;
        for at in first..attempt.behaviour.calls.len().min(MAX_CALLS) {
            attempt.at = at;
            for means in self.means(attempt.call()) {
                match means.and_then(|means| self.made(&attempt, means)) {
                    Ok(attempt) => {
                        self.standing.push(attempt);
                        return;
                    }
                    Err(refusal) => why = why.or(Some(refusal.into())),
                }
            }
        }
        self.refuse(&attempt, why.unwrap_or_default());
    }

    /// Returns the replacements to try for a call, in order.
    fn means(&self, call: &Call<'_>) -> Vec<Result<Means, CarveRefusal>> {
        let is_testable = !call.subject.is_async || call.subject.has_tokio;
        let doubles = is_testable.then(|| doubles(call, self.making.declared, self.types_of(call)));
        let doubles = doubles
            .and_then(Result::transpose)
            .map(|one| one.map(|one| Means::Doubles(Box::new(one))));
        let mocks = self.in_situ_wording(call).leaves(call);
        let mocks = mocks.map(|leaves| leaves.map_or(Means::Nothing, |_| Means::Mocks));
        doubles.into_iter().chain([mocks]).collect()
    }

    /// Writes the attempt with these replacements.
    fn made(&self, attempt: &Attempt<'s>, means: Means) -> Result<Attempt<'s>, CarveRefusal> {
        let (comparison, looks) = (Comparison::default(), Looks::default());
        let mut attempt = Attempt {
            means,
            comparison,
            looks,
            tried: Vec::new(),
            ..attempt.clone()
        };
        attempt.text = self.text(&attempt, "")?;
        Ok(attempt)
    }

    fn in_situ_wording(&self, call: &Call<'_>) -> InSituWording<'s> {
        let (comparison, looks) = (Comparison::default(), Looks::default());
        InSituWording {
            types: self.types_of(call),
            comparison,
            looks,
        }
    }

    fn refuse(&mut self, attempt: &Attempt<'_>, why: Rejection) {
        let site = &attempt.call().recorded.site;
        self.refused.push(Refused {
            file: site.file.clone(),
            line: site.line,
            function: site.function.clone(),
            reason: why.refusal.to_string(),
            detail: why.message,
        });
    }

    fn types_of(&self, call: &Call<'_>) -> &'s TypeTable {
        &self.making.types[&call.subject.here.krate]
    }

    fn text(&self, attempt: &Attempt<'_>, name: &str) -> Result<String, CarveRefusal> {
        let call = attempt.call();
        match &attempt.means {
            Means::Mocks => in_situ(call, self.in_place(attempt), &name.replace('_', " ")),
            _ => Ok(self.parts(attempt)?.text(name)),
        }
    }

    fn in_place(&self, attempt: &Attempt<'_>) -> InSituWording<'s> {
        let types = self.types_of(attempt.call());
        InSituWording {
            types,
            comparison: attempt.comparison,
            looks: attempt.looks,
        }
    }

    fn parts(&self, attempt: &Attempt<'_>) -> Result<Parts, CarveRefusal> {
        let doubles = match &attempt.means {
            Means::Doubles(doubles) => Some(&**doubles),
            _ => None,
        };
        let (call, style) = (attempt.call(), self.making.style);
        let (comparison, looks) = (attempt.comparison, attempt.looks);
        test(
            call,
            Wording {
                types: self.types_of(call),
                comparison,
                looks,
                doubles,
                style,
            },
        )
    }

    /// Returns what a test does not check of its mocked calls.
    pub(crate) fn unchecked(&self, attempt: &Attempt<'_>) -> Vec<Unchecked> {
        let call = attempt.call();
        match &attempt.means {
            Means::Nothing => Vec::new(),
            Means::Mocks => {
                let leaves = self.in_place(attempt).leaves(call).ok().flatten();
                let mut unchecked = leaves
                    .map(|leaves| leaves.mocks.unchecked)
                    .unwrap_or_default();
                if attempt.looks == Looks::Nothing {
                    unchecked.push(Unchecked::order());
                }
                unchecked
            }
            Means::Doubles(doubles) => {
                let wording = DoubleChecks {
                    comparison: attempt.comparison,
                    looks: attempt.looks,
                };
                doubles.unchecked(
                    self.making.style,
                    &call.subject.here,
                    self.types_of(call),
                    wording,
                )
            }
        }
    }

    /// Names all attempts, and shares the items of each module. Modules with carved tests are not
    /// changed.
    pub(crate) fn name(&mut self, existing: &dyn Fn(&Path, &[String]) -> bool) {
        self.standing.sort_by_key(|attempt| attempt.order);
        let calls: Vec<&Call<'_>> = self.standing.iter().map(Attempt::call).collect();
        let names = names(&calls, &self.taken);
        let mut sharing = Sharing::default();
        let mut in_place: BTreeMap<&Path, LongTexts> = BTreeMap::new();
        let (mut given, mut filed) = (Vec::new(), Vec::new());
        for (at, name) in names.into_iter().enumerate() {
            let attempt = &self.standing[at];
            let call = attempt.call();
            let name = if attempt.means.is_in_situ() {
                behind_function(&name, call)
            } else {
                name
            };
            if attempt.means.is_in_situ() {
                let text = self.text(attempt, &name).unwrap_or_default();
                let file = &call.subject.file;
                let texts = in_place
                    .entry(file)
                    .or_insert_with(|| LongTexts::new(stem(file, &[])));
                filed.push((at, texts.filed(&text, &format!("in_{}", call.subject.name))));
            } else if let Ok(parts) = self.parts(attempt) {
                let subject = call.subject;
                let is_new = !existing(
                    &subject.file,
                    &subject.module[subject.module.len() - subject.inline_modules..],
                );
                sharing.add(
                    at,
                    (subject.file.clone(), subject.module.clone()),
                    parts,
                    is_new,
                );
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

    /// Adds the items of its doubles to each module, with the methods that its tests call.
    fn add_doubles(&mut self) {
        let mut asked: BTreeMap<(PathBuf, Vec<String>, String), BTreeSet<String>> = BTreeMap::new();
        let key = |call: &Call<'_>, double: &Double| {
            (
                call.subject.file.clone(),
                call.subject.module.clone(),
                self.making.style.type_name(double),
            )
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
                    SharedItem {
                        name: key.2,
                        text,
                        file: None,
                    }
                };
                let streams = attempt.streams().iter();
                let of_streams = streams
                    .filter_map(|stream| stream.item(&call.subject.here, self.types_of(call)));
                attempt
                    .doubles()
                    .iter()
                    .map(item)
                    .chain(of_streams)
                    .collect()
            })
            .collect();
        for (attempt, mut items) in self.standing.iter_mut().zip(items) {
            attempt.shared.append(&mut items);
            if attempt
                .shared
                .iter()
                .any(|item| item.text.contains(&format!(": {ANSWERS}<")))
            {
                for (name, text) in [(ANSWERS, ANSWERS_ITEM), (CALLS, CALLS_ITEM)] {
                    attempt.shared.push(SharedItem {
                        name: name.to_owned(),
                        text: text.to_owned(),
                        file: None,
                    });
                }
            }
        }
    }

    /// Returns all sources that an attempt may have: in all wordings, with all replacements, from
    /// any of its calls.
    pub(crate) fn all_texts(&self, at: usize) -> Vec<String> {
        let attempt = &self.standing[at];
        let mut texts = vec![attempt.text.clone()];
        for at in 0..attempt.behaviour.calls.len().min(MAX_LIKE) {
            let own = Attempt {
                at,
                ..attempt.clone()
            };
            for means in self.means(own.call()).into_iter().flatten() {
                let own = Attempt {
                    means,
                    ..own.clone()
                };
                let words = WORDINGS.into_iter().chain(LOOKING_LESS);
                let texts_of = words.map(|(comparison, looks)| Attempt {
                    comparison,
                    looks,
                    ..own.clone()
                });
                texts.extend(texts_of.filter_map(|attempt| self.text(&attempt, "").ok()));
            }
        }
        texts.sort();
        texts.dedup();
        texts
    }

    /// Moves attempts whose tests exist in the sources aside; others do not get the name of an
    /// existing test.
    pub(crate) fn are_there(&mut self, found: &[Option<&ExistingTest>], all: &[ExistingTest]) {
        for (mut attempt, test) in std::mem::take(&mut self.standing).into_iter().zip(found) {
            let subject = attempt.call().subject;
            let own = all.iter().filter(|test| test.may_be_of(subject));
            self.taken.extend(own.map(|test| match test.is_in_situ() {
                true => (
                    module_key(subject),
                    format!("{}_{}", subject.name, test.name),
                ),
                false => (module_key(subject), test.name.clone()),
            }));
            match test {
                Some(test) => {
                    attempt.name = test.name.clone();
                    attempt.means = if test.is_in_situ() {
                        Means::Mocks
                    } else {
                        Means::Nothing
                    };
                    self.there.push(attempt);
                }
                None => self.standing.push(attempt),
            }
        }
    }

    /// Returns the paths of the tests, followed by those that exist in the sources.
    pub(crate) fn paths(&self) -> Vec<TestPath> {
        let path = |attempt: &Attempt<'_>| {
            let subject = attempt.call().subject;
            let owner = subject
                .owner
                .as_ref()
                .and_then(|owner| owner.type_name.clone())
                .unwrap_or_default();
            TestPath {
                module: subject.module.join("::"),
                in_situ: attempt
                    .means
                    .is_in_situ()
                    .then(|| (owner, subject.name.clone())),
                name: attempt.name.clone(),
            }
        };
        self.standing.iter().chain(&self.there).map(path).collect()
    }

    /// Returns the attempts located there.
    pub(crate) fn standing_at(&self, standing: &Standing) -> Vec<usize> {
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
        (0..self.standing.len())
            .filter(|at| is_it(&self.standing[*at]))
            .collect()
    }

    /// Returns all in-situ tests as rejected for this reason.
    pub(crate) fn in_situ(&self, refusal: &CarveRefusal) -> Rejected {
        let in_situ = (0..self.standing.len()).filter(|at| self.standing[*at].means.is_in_situ());
        in_situ.map(|at| (at, refusal.clone().into())).collect()
    }

    /// Rewords the tests that the compiler rejects, or generates them from another call.
    pub(crate) fn reword(&mut self, rejected: &Rejected) {
        for (attempt, why) in self.take(rejected) {
            match self.reworded(&attempt, &WORDINGS) {
                Some(reworded) => self.standing.push(reworded),
                None => self.in_place_or_next(attempt, why),
            }
        }
    }

    /// Returns the attempt in the next untried of these wordings, if there is one.
    fn reworded(
        &self,
        attempt: &Attempt<'s>,
        wordings: &[(Comparison, Looks)],
    ) -> Option<Attempt<'s>> {
        let mut tried = attempt.tried.clone();
        tried.extend(self.text(attempt, ""));
        let now = wordings
            .iter()
            .position(|one| *one == (attempt.comparison, attempt.looks));
        let others = wordings.iter().skip(now.map_or(0, |now| now + 1));
        let others = others.map(|(comparison, looks)| Attempt {
            comparison: *comparison,
            looks: *looks,
            ..attempt.clone()
        });
        let is_new =
            |next: &Attempt<'s>| self.text(next, "").is_ok_and(|text| !tried.contains(&text));
        let next = others.into_iter().find(is_new)?;
        Some(Attempt { tried, ..next })
    }

    /// Replaces doubles by mocks in an in-situ test, or tries another call.
    fn in_place_or_next(&mut self, attempt: Attempt<'s>, why: Rejection) {
        if let Means::Doubles(_) = &attempt.means
            && let Ok(attempt) = self.made(&attempt, Means::Mocks)
        {
            self.standing.push(attempt);
            return;
        }
        let next = attempt.at + 1;
        self.try_from(attempt, next, Some(why));
    }

    /// Generates failing tests from another call, or drops them if nothing more is tried.
    pub(crate) fn replace_call(&mut self, rejected: &Rejected, tries_others: bool) {
        for (mut attempt, why) in self.take(rejected) {
            // A type may claim to derive `Debug` and still write something else.
            if attempt.text.contains(":?}\"")
                && attempt.comparison < Comparison::PartsOnly
                && tries_others
            {
                attempt.comparison = Comparison::PartsOnly;
                self.standing.push(attempt);
                continue;
            }
            let looks_less = attempt
                .looks
                .less()
                .map(|looks| (attempt.comparison, looks));
            match tries_others {
                true => match self.reworded(&attempt, looks_less.as_slice()) {
                    Some(reworded) => self.standing.push(reworded),
                    None => self.in_place_or_next(attempt, why),
                },
                false => self.try_from(attempt, usize::MAX, Some(why)),
            }
        }
    }

    /// Drops redundant tests.
    pub(crate) fn leave_out(&mut self, duplicates: &BTreeSet<usize>) {
        let mut at = 0;
        self.standing.retain(|_| {
            at += 1;
            !duplicates.contains(&(at - 1))
        });
    }

    fn take(&mut self, rejected: &Rejected) -> Vec<(Attempt<'s>, Rejection)> {
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

/// Returns the name without its function, which the path of an in-situ test already has.
fn behind_function(name: &str, call: &Call<'_>) -> String {
    let rest = name
        .find(&call.subject.name)
        .map(|at| name[at + call.subject.name.len()..].trim_matches('_'));
    match rest {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => "as_it_was_seen".to_owned(),
    }
}
