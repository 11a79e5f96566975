//! Grouping of candidates into tests, and the choice of the arguments that each test shows.

use super::redundancy::Claim;
use super::{Emitting, Parameterized};
use crate::generate::generalize::find::arguments::{ArgumentSet, reduced};
use crate::generate::generalize::pair::candidate::Target;
use crate::generate::generalize::slice::unused_fixes::Mending;
use crate::generate::generalize::trial::classify::{Class, Classified};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of cases of one test.
const MAX_CASES: usize = 12;
/// The maximum length of a case in chars, unless it is an original one.
const LONGEST_CASE: usize = 100;

/// Candidates that become one test.
#[derive(Default)]
struct Group<'g> {
    /// The first of their calls.
    target: usize,
    /// The candidates whose assertions the test has.
    candidates: Vec<usize>,
    /// The tests that they are in.
    tests: Vec<usize>,
    /// All arguments that they hold for.
    valid: BTreeSet<usize>,
    /// All of them.
    all: Vec<&'g Classified>,
    /// Whether other tests assert the same about the values that their arguments are built from.
    is_redundant: bool,
}

impl Emitting<'_> {
    /// Returns the tests to show. Assertions that hold for the same arguments are merged.
    pub(crate) fn tests(&self, classified: &[Classified], falsifying: bool) -> Vec<Parameterized> {
        let mut tests = Vec::new();
        for group in self.groups(classified) {
            let test = self.test(&group);
            let negative = (falsifying && !test.falsifying.is_empty()).then(|| negative(&test));
            tests.push(test);
            tests.extend(negative);
        }
        tests
    }

    fn groups<'g>(&self, classified: &'g [Classified]) -> Vec<Group<'g>> {
        let merged = self.merged(classified);
        // Calls of one function with the same assertions become one test, even if they are in
        // different tests.
        let mut by_body: BTreeMap<(usize, String), Group<'g>> = BTreeMap::new();
        let claims: Vec<Claim<'_>> = merged
            .iter()
            .map(|((target, _), candidates)| (*target, candidates.as_slice()))
            .collect();
        let is_redundant =
            |claim: &Claim<'_>| claims.iter().any(|other| self.is_said_by(*claim, *other));
        let is_redundant: Vec<bool> = claims.iter().map(is_redundant).collect();
        for (((target, valid), candidates), is_redundant) in merged.iter().zip(is_redundant) {
            let target = *target;
            let of = &self.made.targets[target];
            let key = (of.table, self.body(target, candidates));
            let new = || Group {
                target,
                is_redundant: true,
                ..Group::default()
            };
            let group = by_body.entry(key).or_insert_with(new);
            group.is_redundant &= is_redundant;
            if group.candidates.is_empty() {
                group.candidates = candidates.iter().map(|one| one.candidate).collect();
            }
            group.valid.extend(valid);
            group.all.extend(candidates);
            if !group.tests.contains(&of.test) {
                group.tests.push(of.test);
            }
        }
        let mut groups: Vec<Group<'g>> = by_body.into_values().collect();
        groups.sort_by_key(|group| group.target);
        groups
    }

    /// Returns the assertions of each call, grouped by the arguments for which they hold.
    fn merged<'g>(
        &self,
        classified: &'g [Classified],
    ) -> BTreeMap<(usize, BTreeSet<usize>), Vec<&'g Classified>> {
        let mut merged: BTreeMap<(usize, BTreeSet<usize>), Vec<&Classified>> = BTreeMap::new();
        for one in classified {
            let has_more = matches!(one.class, Class::FalsifiablyCoupled | Class::Decoupled);
            if has_more && (one.failing > 0 || one.is_general) {
                let target = self.made.all[one.candidate].target;
                merged
                    .entry((target, one.valid.clone()))
                    .or_default()
                    .push(one);
            }
        }
        merged
    }

    fn test(&self, group: &Group<'_>) -> Parameterized {
        let of = &self.made.targets[group.target];
        let is_first = |one: &Classified| {
            self.made.targets[self.made.all[one.candidate].target].test == of.test
        };
        let original_in = |wanted: &dyn Fn(&Classified) -> bool| -> BTreeSet<usize> {
            group
                .all
                .iter()
                .filter(|one| wanted(one))
                .flat_map(|one| one.original.iter().copied())
                .collect()
        };
        let falsifying: BTreeSet<usize> = group
            .all
            .iter()
            .flat_map(|one| one.falsifying.iter().copied())
            .collect();
        let falsifying = falsifying.difference(&group.valid).copied().collect();
        Parameterized {
            target: group.target,
            tests: group.tests.clone(),
            candidates: group.candidates.clone(),
            rows: self.chosen(of, &group.valid, &original_in(&|_| true)),
            valid: group.valid.len(),
            original: original_in(&is_first),
            falsifying: self.chosen(of, &falsifying, &BTreeSet::new()),
            name: String::new(),
            mending: Mending::default(),
            is_negative: false,
            // If several tests assert the same about a function, each with its own arguments, it is
            // intended.
            may_be_chance: group.tests.len() == 1
                && group.all.iter().all(|one| one.may_be_chance()),
            is_redundant: group.is_redundant,
        }
    }

    /// Returns the rows to show: the original ones, then the shortest of every path.
    fn chosen(
        &self,
        target: &Target,
        rows: &BTreeSet<usize>,
        original: &BTreeSet<usize>,
    ) -> Vec<usize> {
        let table = &self.made.tables[target.table];
        let length = |row: &usize| {
            table.rows[*row]
                .shown
                .iter()
                .map(String::len)
                .sum::<usize>()
        };
        let readable = |row: &usize| original.contains(row) || length(row) <= LONGEST_CASE;
        let mut all: Vec<usize> = rows.iter().copied().filter(readable).collect();
        all.sort_by_key(|row| (!original.contains(row), length(row)));
        let sets: Vec<&ArgumentSet> = all.iter().map(|row| self.set(target, *row)).collect();
        let own = all.iter().take_while(|row| original.contains(row)).count();
        // If the test has many arguments of its own, some places are reserved for others.
        let shown = if own < all.len() {
            own.min(MAX_CASES / 2)
        } else {
            own.min(MAX_CASES)
        };
        let mut kept: BTreeSet<usize> = (0..shown).collect();
        kept.extend(
            reduced(&sets[own..], MAX_CASES - shown, &|_| false)
                .into_iter()
                .map(|at| at + own),
        );
        kept.into_iter().map(|at| all[at]).collect()
    }
}

/// Returns the test that states for which arguments another one fails.
fn negative(test: &Parameterized) -> Parameterized {
    Parameterized {
        rows: test.falsifying.clone(),
        original: BTreeSet::new(),
        is_negative: true,
        ..test.clone()
    }
}
