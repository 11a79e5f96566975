//! The search for fillings that cover open branches: step by step from those that reached something
//! new.

use super::holes::{Fillings, Hole, Kind, Template, element_of};
use super::runs::{Outcome, line};
use crate::generate::extract::candidate::{Candidate, Claim};
use crate::generate::extract::improve::boundary_values::{Edges, UNREACHABLE, in_turn};
use crate::generate::mocks::Mock;
use situ_recorder::explore::Random;
use situ_recorder::value::{SeqKind, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Runs of one generation.
const RUNS: usize = 400;

/// The maximum number of fillings that others are derived from.
const MAX_KEPT: usize = 120;

/// Changes that are made at once.
const MAX_CHANGES: usize = 4;

/// The number of runs of one test that may hang or end their process.
const MAX_STRIKES: usize = 6;

/// The number of generations that search for other ways after everything was found.
const MORE_GENERATIONS: usize = 6;

/// The maximum length of a string or list that grows step by step.
const LONGEST: usize = 40;

/// Chars for strings of which the code names none.
const LETTERS: [&str; 8] = ["a", "Z", "0", "9", " ", "-", ".", "é"];

/// The search for one template.
pub(super) struct Search<'s> {
    template: Template,
    edges: Edges<'s>,
    /// Texts that code elsewhere names.
    words: &'s [String],
    /// The branches that are looked for.
    open: BTreeSet<u32>,
    /// Fillings that reached something new, in the order of their discovery.
    kept: Vec<Fillings>,
    seen: BTreeSet<u32>,
    paths: HashSet<BTreeSet<u32>>,
    tried: HashSet<String>,
    /// The fillings that cover each branch.
    found: BTreeMap<u32, Ways>,
    /// Generations that were begun when everything was found.
    generations_more: usize,
    /// The fillings that cover each branch and panic with a message of the fragment itself.
    panics: BTreeMap<u32, (Fillings, Outcome)>,
    random: Random,
    /// Runs that a process did not reach.
    left: Vec<Fillings>,
    /// Runs that hung or ended the process, as far as they are known, and their number.
    fatal: Vec<Fillings>,
    strikes: usize,
}

/// The fillings that cover a branch: with the fewest changes, and by the shortest path.
struct Ways {
    least: Fillings,
    shortest: Fillings,
    /// How many branches that way takes.
    branches: usize,
}

impl Ways {
    fn new(fillings: &Fillings, branches: usize) -> Ways {
        Ways {
            least: fillings.clone(),
            shortest: fillings.clone(),
            branches,
        }
    }

    fn add(&mut self, fillings: &Fillings, branches: usize) {
        if cost(fillings) < cost(&self.least) {
            self.least = fillings.clone();
        }
        if (branches, cost(fillings)) < (self.branches, cost(&self.shortest)) {
            (self.shortest, self.branches) = (fillings.clone(), branches);
        }
    }

    fn all(&self) -> [&Fillings; 2] {
        [&self.least, &self.shortest]
    }
}

impl<'s> Search<'s> {
    /// Looks for fillings of a template that take these branches.
    pub(super) fn new(
        template: Template,
        edges: Edges<'s>,
        words: &'s [String],
        open: BTreeSet<u32>,
        seed: u64,
    ) -> Search<'s> {
        let (paths, tried) = (HashSet::new(), HashSet::new());
        let (kept, seen, found, panics) = (
            Vec::new(),
            BTreeSet::new(),
            BTreeMap::new(),
            BTreeMap::new(),
        );
        let random = Random::new(seed);
        Search {
            template,
            edges,
            words,
            open,
            kept,
            seen,
            paths,
            tried,
            found,
            generations_more: 0,
            panics,
            random,
            left: Vec::new(),
            fatal: Vec::new(),
            strikes: 0,
        }
    }

    /// Returns the inputs that cover open branches. Those that panic claim it.
    pub(super) fn found(&self) -> Vec<Candidate> {
        let ways = self.found.values().flat_map(Ways::all);
        let by_text: BTreeMap<String, &Fillings> =
            ways.map(|fillings| (line(fillings), fillings)).collect();
        let mut all: Vec<Candidate> = by_text
            .into_values()
            .map(|fillings| self.template.filled(fillings))
            .collect();
        for (fillings, outcome) in self.only_by_panics() {
            let claims = vec![Claim::Panics(outcome.panic.clone().unwrap_or_default())];
            all.push(Candidate {
                claims,
                target: outcome.taken.clone(),
                ..self.template.filled(fillings)
            });
        }
        all
    }

    /// Returns the runs that cover branches which only panicking runs cover.
    fn only_by_panics(&self) -> impl Iterator<Item = &(Fillings, Outcome)> {
        self.panics
            .iter()
            .filter(|(branch, _)| !self.found.contains_key(branch))
            .map(|(_, panic)| panic)
    }

    /// Returns the next runs; empty if there is nothing left to find.
    pub(super) fn next(&mut self, is_last: bool) -> Vec<Fillings> {
        if self.strikes >= MAX_STRIKES || self.template.holes.is_empty() {
            return Vec::new();
        }
        if !self.left.is_empty() {
            let mut left = std::mem::take(&mut self.left);
            left.retain(|fillings| !self.is_fatal(fillings));
            return left;
        }
        let found = self.found.values().flat_map(Ways::all);
        let found = found.chain(self.only_by_panics().map(|(fillings, _)| fillings));
        let simpler = found.map(|fillings| self.simpler(fillings)).collect();
        let mut runs: Vec<Fillings> = in_turn(simpler);
        if self.kept.is_empty() && self.tried.is_empty() {
            runs.push(Fillings::new());
            runs.extend(self.single_changes());
        } else if !is_last && self.goes_on() {
            let so_many = RUNS.saturating_sub(runs.len());
            runs.extend(
                (0..so_many)
                    .filter_map(|_| self.changed())
                    .collect::<Vec<_>>(),
            );
        }
        runs.retain(|fillings| !self.is_fatal(fillings) && self.tried.insert(line(fillings)));
        runs.truncate(RUNS);
        runs
    }

    /// Returns whether to continue: a run that covers a branch may be unstable, and another one
    /// not.
    fn goes_on(&mut self) -> bool {
        let is_done = self.found.len() >= self.open.len();
        self.generations_more += usize::from(is_done);
        !is_done || self.generations_more <= MORE_GENERATIONS
    }

    /// Processes the outcomes of runs.
    pub(super) fn take_in(
        &mut self,
        mut runs: Vec<Fillings>,
        outcomes: Vec<Outcome>,
        has_ended: bool,
    ) {
        if !has_ended {
            self.strikes += 1;
            self.left = runs.split_off(outcomes.len().saturating_add(1).min(runs.len()));
            self.fatal.extend(runs.get(outcomes.len()).cloned());
        }
        for (fillings, outcome) in runs.into_iter().zip(outcomes) {
            if let Some(text) = &outcome.panic {
                // A mock that must never be called panics too, but not with a message of the
                // fragment.
                let is_of_mock = *text == UNREACHABLE
                    && self.template.candidate.mocks.iter().any(Mock::is_never);
                if self.edges.says(text) && !is_of_mock {
                    self.take_in_panic(fillings, outcome);
                }
                continue;
            }
            for branch in outcome.taken.intersection(&self.open) {
                match self.found.get_mut(branch) {
                    Some(ways) => ways.add(&fillings, outcome.taken.len()),
                    None => drop(
                        self.found
                            .insert(*branch, Ways::new(&fillings, outcome.taken.len())),
                    ),
                }
            }
            let goes_further = outcome
                .taken
                .iter()
                .any(|branch| !self.seen.contains(branch));
            self.seen.extend(&outcome.taken);
            let is_another_way = self.paths.insert(outcome.taken);
            if goes_further || is_another_way && self.kept.len() < MAX_KEPT {
                self.kept.push(fillings);
            }
        }
    }

    fn take_in_panic(&mut self, fillings: Fillings, outcome: Outcome) {
        for branch in outcome.taken.intersection(&self.open) {
            let is_better = |(known, _): &(Fillings, Outcome)| cost(&fillings) < cost(known);
            if self.panics.get(branch).is_none_or(is_better) {
                self.panics
                    .insert(*branch, (fillings.clone(), outcome.clone()));
            }
        }
    }

    /// Returns whether a run contains the fillings of a fatal one, or one of its strings or lists.
    fn is_fatal(&self, fillings: &Fillings) -> bool {
        let has = |(number, value): (&u32, &Value)| fillings.get(number) == Some(value);
        let is_long = |value: &Value| matches!(value, Value::Ref { .. } | Value::Seq { .. });
        self.fatal.iter().any(|fatal| {
            fatal.iter().all(has)
                || fatal
                    .iter()
                    .any(|(number, value)| is_long(value) && has((number, value)))
        })
    }

    /// Returns all fillings that change one hole.
    fn single_changes(&self) -> Vec<Fillings> {
        let of_hole = |(number, hole): (usize, &Hole)| -> Vec<Fillings> {
            let values = match &hole.kind {
                Kind::Plain(own) => self.edges.near(own),
                Kind::Chosen(of) => (1..*of).map(number_of).collect(),
                Kind::SomeOf { own, of } => {
                    let without = (0..*own)
                        .map(|left_out| places((0..*own).filter(|place| *place != left_out)));
                    let with = (*own..*of).map(|other| places((0..*own).chain([other])));
                    [places(0..0), places(0..1)]
                        .into_iter()
                        .chain(without)
                        .chain(with)
                        .collect()
                }
            };
            values
                .into_iter()
                .map(|value| Fillings::from([(number as u32, value)]))
                .collect()
        };
        let (named, others): (Vec<_>, Vec<_>) = self
            .template
            .holes
            .iter()
            .enumerate()
            .partition(|hole| hole.1.is_named);
        let all = |holes: Vec<(usize, &Hole)>| in_turn(holes.into_iter().map(of_hole).collect());
        all(named).into_iter().chain(all(others)).collect()
    }

    /// Returns simpler fillings: one less, or a shorter one.
    fn simpler(&self, fillings: &Fillings) -> Vec<Fillings> {
        let mut all = with_one_less(fillings);
        for (number, value) in fillings {
            let Kind::Plain(own) = &self.template.holes[*number as usize].kind else {
                continue;
            };
            let near = self.edges.near(own).into_iter().chain(shorter(value));
            let changed = near.map(|other| {
                let mut fillings = fillings.clone();
                fillings.insert(*number, other);
                fillings
            });
            all.extend(changed.filter(|other| cost(other) < cost(fillings)));
        }
        all
    }

    /// Returns kept fillings with a few changes.
    fn changed(&mut self) -> Option<Fillings> {
        if self.kept.is_empty() {
            return None;
        }
        // Later findings are nearer to open branches.
        let at = self
            .random
            .below(self.kept.len())
            .max(self.random.below(self.kept.len()));
        let mut fillings = self.kept[at].clone();
        if self.random.one_in(8) {
            let other = self.random.below(self.kept.len());
            fillings.extend(self.kept[other].clone());
        }
        for _ in 0..=self.random.below(MAX_CHANGES) {
            let number = self.some_hole();
            let kind = self.template.holes[number].kind.clone();
            let now = fillings.get(&(number as u32)).cloned();
            if let Some(value) = self.other(&kind, now) {
                fillings.insert(number as u32, value);
            }
        }
        Some(fillings)
    }

    fn some_hole(&mut self) -> usize {
        let named: Vec<usize> = self
            .template
            .holes
            .iter()
            .enumerate()
            .filter(|(_, hole)| hole.is_named)
            .map(|(at, _)| at)
            .collect();
        match self.random.pick(&named) {
            Some(at) if !self.random.one_in(4) => *at,
            _ => self.random.below(self.template.holes.len()),
        }
    }

    /// Returns another filling for a hole.
    fn other(&mut self, kind: &Kind, now: Option<Value>) -> Option<Value> {
        match kind {
            Kind::Chosen(of) => Some(number_of(self.random.below(*of))),
            Kind::SomeOf { of, .. } => {
                let mut kept: Vec<usize> = (0..*of).filter(|_| self.random.one_in(2)).collect();
                if let Some(last) = kept.len().checked_sub(1) {
                    kept.swap(self.random.below(last + 1), last);
                }
                Some(places(kept.into_iter()))
            }
            Kind::Plain(own) => {
                let now = now.unwrap_or_else(|| own.clone());
                self.other_value(&now)
            }
        }
    }

    fn other_value(&mut self, now: &Value) -> Option<Value> {
        match now {
            Value::Ref { mutable, inner } => {
                let Value::Str(text) = &**inner else {
                    return None;
                };
                let text = self.other_text(text);
                Some(Value::Ref {
                    mutable: *mutable,
                    inner: Box::new(Value::Str(text)),
                })
            }
            Value::Seq {
                kind,
                type_name,
                items,
            } => {
                let items = match (items.is_empty(), element_of(now)) {
                    (true, element) => vec![self.other_value(&element?)?],
                    (false, _) => self.other_list(items, *kind != SeqKind::Array)?,
                };
                Some(Value::Seq {
                    kind: *kind,
                    type_name: type_name.clone(),
                    items,
                })
            }
            other => self.random.pick(&self.edges.near(other)).cloned(),
        }
    }

    fn other_list(&mut self, items: &[Value], has_any_length: bool) -> Option<Vec<Value>> {
        if self.random.one_in(3) {
            let kind = if has_any_length {
                SeqKind::Vec
            } else {
                SeqKind::Array
            };
            let near = self.edges.near(&Value::Seq {
                kind,
                type_name: String::new(),
                items: items.to_vec(),
            });
            return match self.random.pick(&near) {
                Some(Value::Seq { items, .. }) => Some(items.clone()),
                _ => None,
            };
        }
        let mut items = items.to_vec();
        let at = self.random.below(items.len().max(1));
        let item = items.get(at)?.clone();
        let other = self.other_value(&item).unwrap_or(item);
        let is_short = items.len() < LONGEST;
        match self.random.below(if has_any_length { 6 } else { 2 }) {
            0 => items[at] = other,
            1 => items[at] = self.random.pick(&items)?.clone(),
            2 => drop(items.remove(at)),
            3 => items.truncate(at),
            4 if is_short => items.insert(at, other),
            _ if is_short => items.extend(items.clone()),
            _ => items.truncate(LONGEST),
        }
        Some(items)
    }

    /// Returns a string from the fragment, from elsewhere in the sources, or an arbitrary one.
    fn word(&mut self) -> String {
        let near = self.edges.words();
        let word = match self.random.below(4) {
            0 | 1 => self.random.pick(&near),
            2 => self.random.pick(self.words),
            _ => None,
        };
        word.cloned()
            .unwrap_or_else(|| LETTERS[self.random.below(LETTERS.len())].to_owned())
    }

    fn other_text(&mut self, text: &str) -> String {
        if self.random.one_in(3) {
            let near = self.edges.near(&Value::Str(text.to_owned()));
            return match self.random.pick(&near) {
                Some(Value::Str(text)) => text.clone(),
                _ => text.to_owned(),
            };
        }
        let word = self.word();
        if self.random.one_in(8) {
            return word;
        }
        let letters: Vec<char> = text.chars().collect();
        let at = self.random.below(letters.len() + 1);
        let (before, after) = letters.split_at(at);
        let without = |letters: &[char]| letters.iter().skip(1).collect::<String>();
        let before: String = before.iter().collect();
        match self.random.below(4) {
            0 => before + &without(after),
            1 => before + &word + &without(after),
            2 => before,
            _ if letters.len() < LONGEST => before + &word + &after.iter().collect::<String>(),
            _ => before + &word,
        }
    }
}

/// Returns a string or list without each of its parts.
fn shorter(value: &Value) -> Vec<Value> {
    match value {
        Value::Ref { mutable, inner } => {
            let behind = |inner| Value::Ref {
                mutable: *mutable,
                inner: Box::new(inner),
            };
            shorter(inner).into_iter().map(behind).collect()
        }
        Value::Str(text) => {
            let without = |(at, letter): (usize, char)| {
                Value::Str([&text[..at], &text[at + letter.len_utf8()..]].concat())
            };
            text.char_indices().map(without).collect()
        }
        Value::Seq {
            kind: SeqKind::Vec,
            type_name,
            items,
        } => {
            let without = |at: usize| {
                let items = [&items[..at], &items[at + 1..]].concat();
                Value::Seq {
                    kind: SeqKind::Vec,
                    type_name: type_name.clone(),
                    items,
                }
            };
            (0..items.len()).map(without).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the fillings without each of them.
fn with_one_less(fillings: &Fillings) -> Vec<Fillings> {
    let without = |left_out: &u32| {
        let others = fillings.iter().filter(|(number, _)| *number != left_out);
        others
            .map(|(number, value)| (*number, value.clone()))
            .collect()
    };
    fillings.keys().map(without).collect()
}

/// Returns the cost of fillings for a reader.
fn cost(fillings: &Fillings) -> (usize, usize) {
    (fillings.len(), line(fillings).len())
}

fn number_of(place: usize) -> Value {
    Value::Int {
        type_name: "usize",
        bits: place as u128,
    }
}

fn places(all: impl Iterator<Item = usize>) -> Value {
    Value::Seq {
        kind: SeqKind::Vec,
        type_name: String::new(),
        items: all.map(number_of).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::extract::improve::boundary_values::Pool;
    use crate::generate::extract::improve::branch_search::Scope;
    use quote::quote;

    /// Returns a fragment as a search sees it: what it does with a text and a number.
    fn outcome(candidate: &Candidate) -> Outcome {
        let (Value::Ref { inner, .. }, Value::Int { bits, .. }) =
            (&candidate.givens[0].1, &candidate.givens[1].1)
        else {
            panic!("{candidate:?}")
        };
        let Value::Str(text) = &**inner else {
            panic!("{inner:?}")
        };
        let mut taken = BTreeSet::from([1]);
        if text.starts_with('<') {
            taken.insert(2);
            if text.ends_with(">>") {
                taken.insert(3);
                if *bits == 41 {
                    taken.insert(4);
                }
            }
        }
        let panic = text.is_empty().then(|| "empty".to_owned());
        Outcome { panic, taken }
    }

    #[test]
    fn what_takes_several_steps_is_found_and_said_by_what_it_takes() {
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str("ab".to_owned())),
        };
        let number = Value::Int {
            type_name: "u8",
            bits: 1,
        };
        let flag = Value::Bool(false);
        let givens =
            [("x", text), ("y", number), ("z", flag)].map(|(name, value)| (name.to_owned(), value));
        let candidate = Candidate {
            givens: givens.to_vec(),
            ..Candidate::default()
        };
        let pool = Pool::default();
        let statement = quote!(if x.starts_with('<') && x.ends_with('>') && y == 41 {});
        let edges = Edges::of(&statement, &pool);
        let template = Template::of(&candidate, &edges, &pool, &Scope::Everything);
        let mut search = Search::new(template.clone(), edges, &[], BTreeSet::from([3, 4]), 7);
        for generation in 0..12 {
            let runs = search.next(generation > 8);
            let outcomes = runs
                .iter()
                .map(|fillings| outcome(&template.filled(fillings)))
                .collect();
            search.take_in(runs, outcomes, true);
        }
        let found = search.found();
        let branches: BTreeSet<u32> = found
            .iter()
            .flat_map(|candidate| outcome(candidate).taken)
            .collect();
        assert_eq!(branches, BTreeSet::from([1, 2, 3, 4]), "{found:?}");
        assert!(
            found
                .iter()
                .all(|candidate| candidate.givens[2].1 == Value::Bool(false)),
            "{found:?}"
        );
        let texts: Vec<String> = found
            .iter()
            .map(|candidate| format!("{:?}", candidate.givens[0].1))
            .collect();
        assert!(
            texts.iter().all(|text| text.contains("\"<>>\"")),
            "{texts:?}"
        );
    }
}
