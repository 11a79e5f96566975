//! Improvements of the kept rows: shorter inputs, and inputs near recorded ones that kill further
//! mutants or cover further branches. All of them are tried at once.

pub(crate) mod boundary_values;
pub(crate) mod branch_search;
pub(crate) mod cuts;
pub(crate) mod decisions;
pub(crate) mod iterator_items;
pub(crate) mod nearby_inputs;
pub(crate) mod shrink_rows;
pub(crate) mod shrink_values;

use super::candidate::Candidate;
use super::candidate::claims::Claim;
use super::candidate::reach::Reach;
use super::candidate::untaken_exits;
use super::choose::outcome::Goals;
use super::choose::reduce::{Algorithm, Row, reduce};
use super::choose::{Choice, Passing, numbered_branches};
use super::judge::observer_tests::panics;
use super::judge::rerun::{Rerun, Rows, Variant};
use super::table::rows::{Group, GroupIdx, RowIdx, shape_of_inputs, written_length};
use anyhow::Result;
use boundary_values::Pool;
use branch_search::{Scope, Start, seek};
use decisions::decided_otherwise;
use nearby_inputs::{BEFORE_PAIRS, inputs, near};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of rows of one statement near which others are searched for.
const MAX_NEIGHBOURS: usize = 3;

/// The maximum total length of the inputs of one statement's variants, in chars: each is compiled
/// three times.
const MAX_LETTERS: usize = 20_000;

/// The maximum total length of inputs that a search found, which are few and worth more.
const MAX_LETTERS_FOUND: usize = 40_000;

/// The maximum length of a row's inputs near which others are searched for: hardly any variants of
/// a longer one could be tried, and each takes memory.
const LONGEST_BASE: usize = 6_000;

/// The cost of a mock of a call that could be made: inputs with the same effect are preferred.
const COST_OF_STANDING_IN: usize = 5_000;

/// The maximum number of other exits that nearby inputs are tried with.
const MAX_OTHER_EXITS: usize = 2;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Improvements {
    shorter: Vec<(Passing, Variant)>,
    /// The variants to add, each with its statement.
    near: Vec<(usize, Variant)>,
}

/// Groups without rows for untaken exits, by statement.
type Unseen = BTreeMap<usize, Vec<(GroupIdx, Vec<Claim>)>>;

/// Where improvements are looked for.
pub(super) struct Search<'s> {
    /// The rows as they were judged.
    pub rerun: &'s Rerun<'s>,
    /// What is kept of them.
    pub choices: &'s [Choice],
    /// Operators whose mutants are ignored.
    pub held_back: &'s BTreeSet<String>,
    /// Whether nearby inputs are disabled.
    pub recorded_only: bool,
    /// The effects of the workspace's functions, because generated inputs must not cause any.
    pub reach: &'s Reach,
}

impl Search<'_> {
    /// Searches for improvements. Without anything to try, nothing is built.
    pub(super) fn improvements(&self, step: &dyn Fn(&str)) -> Result<Improvements> {
        let mut variants =
            shrink_rows::variants(self.rerun.settling, self.rerun.groups, self.choices);
        variants.retain(|variant| self.may_vary(variant.of.group, &variant.candidate));
        let mut groups = self.rerun.groups.to_vec();
        if !self.recorded_only {
            let unseen = self.unseen(&mut groups);
            let statements = self.rerun.settling.statements.iter();
            let pool = Pool::of(
                statements
                    .flat_map(|statement| &statement.candidates)
                    .flat_map(inputs),
            );
            let pool = pool.with_variants(self.rerun.settling.types);
            let sought = self.sought(&pool, step);
            let near = self.near_variants(&unseen, &sought, &pool).into_iter();
            variants.extend(near.filter(|variant| {
                let statement = &self.rerun.settling.statements[groups[variant.of.group].statement];
                !self.reach.is_outside(statement, &variant.candidate)
            }));
        }
        if variants.is_empty() {
            return Ok(Improvements::default());
        }
        let rerun = Rerun {
            groups: &groups,
            ..*self.rerun
        };
        let judged = rerun.judged(variants, step)?;
        let (near, shorter): (Vec<Variant>, Vec<Variant>) = judged
            .into_iter()
            .partition(|variant| variant.candidate.is_near);
        let shorter = shrink_rows::better(self.rerun, &shorter, &self.hidden());
        Ok(Improvements {
            shorter,
            near: self.worthwhile(&near, &groups),
        })
    }

    /// Returns whether a statement may be run with generated inputs: effects outside the program
    /// could do harm.
    fn may_vary(&self, group: GroupIdx, candidate: &Candidate) -> bool {
        let statement = &self.rerun.settling.statements[self.rerun.groups[group].statement];
        !self.reach.is_outside(statement, candidate)
    }

    /// Adds groups for untaken exits, if branches are open.
    fn unseen(&self, groups: &mut Vec<Group>) -> Unseen {
        let mut next = groups.iter().map(|group| group.number).max().unwrap_or(0);
        let mut unseen = Unseen::new();
        for (at, choice) in self.choices.iter().enumerate() {
            let statement = &self.rerun.settling.statements[at];
            let Some(base) = self.bases(at).first().copied() else {
                continue;
            };
            if self.open_branches(at).is_empty() {
                continue;
            }
            let (group, row) = (
                groups[base.group].clone(),
                &statement.candidates[base.candidate],
            );
            for (group, claims) in
                untaken_exits::groups_of(statement, (&group, row), &choice.passing, &mut next)
            {
                groups.push(group);
                unseen
                    .entry(at)
                    .or_default()
                    .push((GroupIdx::new(groups.len() - 1), claims));
            }
        }
        unseen
    }

    /// Returns the held-back mutants.
    fn hidden(&self) -> BTreeSet<u32> {
        let all = self.rerun.judgement.mutants.iter().flatten();
        all.filter(|mutant| self.held_back.contains(&mutant.operator))
            .map(|mutant| mutant.id)
            .collect()
    }

    /// Returns the mutants of a statement that no recorded row kills, and the branches that no row
    /// takes. What a test of the crate kills is open all the same: the tests beside a statement are
    /// worth something without it.
    fn open(&self, at: usize) -> BTreeSet<u32> {
        let killed = self.rerun.killed(at);
        let mutants = self.rerun.judgement.mutants[at].iter();
        let counting = mutants
            .filter(|mutant| !self.held_back.contains(&mutant.operator))
            .map(|mutant| mutant.id);
        counting
            .filter(|id| !killed.contains(id))
            .chain(self.open_branches(at))
            .collect()
    }

    /// Returns the goals of comparisons and conditions that no row meets.
    fn open_goals(&self, at: usize) -> BTreeSet<u32> {
        let statement = &self.rerun.settling.statements[at];
        let goals = Goals::of(statement);
        let kept = || {
            self.choices[at]
                .kept
                .iter()
                .map(|row| &statement.candidates[row.candidate])
        };
        let met: BTreeSet<u32> = kept().flat_map(|candidate| goals.met(candidate)).collect();
        kept()
            .flat_map(|candidate| goals.all(candidate))
            .filter(|goal| !met.contains(goal))
            .collect()
    }

    fn open_branches(&self, at: usize) -> BTreeSet<u32> {
        numbered_branches(&self.rerun.settling.statements[at], &self.untaken(at))
    }

    /// Returns the marks of the branches that no row takes.
    fn untaken(&self, at: usize) -> BTreeSet<u32> {
        let statement = &self.rerun.settling.statements[at];
        let rows = self.choices[at].passing.iter();
        let taken: BTreeSet<u32> = rows
            .flat_map(|row| &statement.candidates[row.candidate].target)
            .copied()
            .collect();
        statement.branches.difference(&taken).copied().collect()
    }

    /// Returns, for each row near which inputs are searched for, the inputs found.
    fn sought(
        &self,
        pool: &Pool,
        step: &dyn Fn(&str),
    ) -> BTreeMap<(GroupIdx, RowIdx), Vec<Candidate>> {
        let open = (0..self.choices.len()).filter(|at| !self.open_branches(*at).is_empty());
        let open =
            open.filter_map(|at| Some((at, Scope::of(&self.rerun.settling.statements[at])?)));
        let starts = open.flat_map(|(at, scope)| {
            let rows = self.bases(at).into_iter().take(MAX_NEIGHBOURS);
            let rows = rows.map(move |row| self.open_to_calls(at, &row).unwrap_or(row));
            let candidates = &self.rerun.settling.statements[at].candidates;
            let rows = rows.filter(|row| self.may_vary(row.group, &candidates[row.candidate]));
            rows.map(move |row| Start {
                row,
                open: self.untaken(at),
                scope: scope.clone(),
            })
        });
        let starts: Vec<Start> = starts.collect();
        if starts.is_empty() {
            return BTreeMap::new();
        }
        step("searching for inputs that take other branches");
        // If the search fails, the recorded rows are still there.
        let found = seek(self.rerun, &starts, pool).unwrap_or_default();
        starts
            .iter()
            .map(|start| (start.row.group, start.row.row))
            .zip(found)
            .collect()
    }

    fn near_variants(
        &self,
        unseen: &Unseen,
        sought: &BTreeMap<(GroupIdx, RowIdx), Vec<Candidate>>,
        pool: &Pool,
    ) -> Vec<Variant> {
        let mut variants = Vec::new();
        for at in 0..self.choices.len() {
            let most = match (self.open(at).is_empty(), self.open_goals(at).is_empty()) {
                (false, _) => usize::MAX,
                // The nearest values come first.
                (true, false) => BEFORE_PAIRS,
                (true, true) => continue,
            };
            let bases: Vec<Passing> = self.bases(at).into_iter().take(MAX_NEIGHBOURS).collect();
            let candidates = &self.rerun.settling.statements[at].candidates;
            let inputs = |row: &Passing| shape_of_inputs(&candidates[row.candidate]);
            for (number, row) in bases.iter().enumerate() {
                // These have the inputs of the first row.
                let unseen = unseen.get(&at).filter(|_| inputs(row) == inputs(&bases[0]));
                let unseen = unseen.map_or(&[][..], Vec::as_slice);
                let start = self.open_to_calls(at, row).unwrap_or(*row);
                let found = sought
                    .get(&(start.group, start.row))
                    .map_or(&[][..], Vec::as_slice);
                let found: Vec<Candidate> = found.iter().flat_map(with_other_counts).collect();
                let own = &candidates[row.candidate];
                let statement = &self.rerun.settling.statements[at];
                let others = self.given_the_same(at, own);
                let near = near(
                    own,
                    &statement.tokens(),
                    &statement.comparisons(),
                    &others,
                    pool,
                );
                let of_found = self.leaving(at, &start, unseen, found);
                let near = near.into_iter().take(most).collect();
                let of_near = self.leaving(at, row, if number == 0 { unseen } else { &[] }, near);
                variants.extend(self.up_to(MAX_LETTERS_FOUND / bases.len(), at, of_found));
                if number == 0 && !self.open_branches(at).is_empty() {
                    let of_calls =
                        self.leaving(at, row, unseen, decided_otherwise(own, &statement.tokens()));
                    variants.extend(self.up_to(MAX_LETTERS, at, of_calls));
                }
                variants.extend(self.up_to(MAX_LETTERS / bases.len(), at, of_near));
            }
        }
        variants
    }

    /// Returns the first variants whose inputs fit into `most` chars together, and short ones that
    /// still fit after them.
    fn up_to(&self, most: usize, at: usize, variants: Vec<Variant>) -> Vec<Variant> {
        let mut left = most;
        let is_within = |variant: &Variant| {
            let rest = left.checked_sub(self.length(at, &variant.candidate));
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        variants.into_iter().filter(is_within).collect()
    }

    /// Returns how long the inputs of a candidate are.
    fn length(&self, at: usize, candidate: &Candidate) -> usize {
        let settling = self.rerun.settling;
        written_length(candidate, &settling.writing(&settling.statements[at]))
            .unwrap_or(usize::MAX / 2)
    }

    /// Returns variants of one row's inputs with each exit that they may take.
    fn leaving(
        &self,
        at: usize,
        row: &Passing,
        unseen: &[(GroupIdx, Vec<Claim>)],
        inputs: Vec<Candidate>,
    ) -> Vec<Variant> {
        let statement = &self.rerun.settling.statements[at];
        let exits = self.other_exits(at, row);
        let is_panic = |claims: &[Claim]| matches!(claims, [Claim::Panics(_)]);
        let mut variants = Vec::new();
        for candidate in inputs {
            if panics(&candidate) {
                let groups = unseen
                    .iter()
                    .filter(|(_, claims)| is_panic(claims))
                    .map(|(group, _)| *group);
                variants.extend(
                    groups.map(|group| Variant::new(Passing { group, ..*row }, candidate.clone())),
                );
                continue;
            }
            for other in &exits {
                let claims = statement.candidates[other.candidate].claims.clone();
                variants.push(Variant::new(
                    *other,
                    Candidate {
                        claims,
                        ..candidate.clone()
                    },
                ));
            }
            for (group, claims) in unseen.iter().filter(|(_, claims)| !is_panic(claims)) {
                let candidate = Candidate {
                    claims: claims.clone(),
                    ..candidate.clone()
                };
                variants.push(Variant::new(
                    Passing {
                        group: *group,
                        ..*row
                    },
                    candidate,
                ));
            }
            variants.push(Variant::new(*row, candidate));
        }
        variants
    }

    /// Returns the row with the same inputs whose mocks match any call.
    fn open_to_calls(&self, at: usize, row: &Passing) -> Option<Passing> {
        let candidates = &self.rerun.settling.statements[at].candidates;
        let own = &candidates[row.candidate];
        let is_same = |other: &Candidate| {
            other.is_open_to_calls
                && (&other.givens, &other.arguments) == (&own.givens, &own.arguments)
        };
        let choice = &self.choices[at];
        choice
            .passing
            .iter()
            .chain(&choice.weaker)
            .find(|other| is_same(&candidates[other.candidate]))
            .copied()
    }

    /// Returns the passing candidates with the same places as givens.
    fn given_the_same(&self, at: usize, own: &Candidate) -> Vec<&Candidate> {
        let candidates = &self.rerun.settling.statements[at].candidates;
        let passing = self.choices[at]
            .passing
            .iter()
            .map(|row| &candidates[row.candidate]);
        let inputs = shape_of_inputs(own);
        passing
            .filter(|other| shape_of_inputs(other) == inputs)
            .collect()
    }

    /// Returns the kept rows near which others are searched for: no panicking and no long ones,
    /// unless there are no others.
    fn bases(&self, at: usize) -> Vec<Passing> {
        let Rerun {
            settling, groups, ..
        } = self.rerun;
        let shown = self.choices[at]
            .kept
            .iter()
            .copied()
            .filter(|row| !self.panics(at, row));
        let (mut long, short): (Vec<Passing>, Vec<Passing>) =
            shown.partition(|row| shrink_rows::is_long(settling, groups, row));
        if !short.is_empty() {
            return short;
        }
        let length =
            |row: &Passing| self.length(at, &settling.statements[at].candidates[row.candidate]);
        long.retain(|row| length(row) <= LONGEST_BASE);
        long.sort_by_cached_key(length);
        long.truncate(1);
        long
    }

    fn panics(&self, at: usize, row: &Passing) -> bool {
        let candidate = &self.rerun.settling.statements[at].candidates[row.candidate];
        panics(candidate)
    }

    /// Returns rows with the same places as givens and another exit, which a slightly different
    /// value may take.
    fn other_exits(&self, at: usize, row: &Passing) -> Vec<Passing> {
        let statement = &self.rerun.settling.statements[at];
        let inputs = |row: &Passing| shape_of_inputs(&statement.candidates[row.candidate]);
        let own = inputs(row);
        let mut of_groups: BTreeMap<GroupIdx, Passing> = BTreeMap::new();
        for other in self.choices[at]
            .kept
            .iter()
            .filter(|other| other.group != row.group)
        {
            if !self.panics(at, other) && inputs(other) == own {
                of_groups.entry(other.group).or_insert(*other);
            }
        }
        of_groups.into_values().take(MAX_OTHER_EXITS).collect()
    }

    /// Returns the fewest variants that meet all open goals that any of them meets.
    fn worthwhile(&self, judged: &[Variant], groups: &[Group]) -> Vec<(usize, Variant)> {
        let statement_of = |variant: &Variant| groups[variant.of.group].statement.at();
        let statements: BTreeSet<usize> = judged.iter().map(statement_of).collect();
        let mut kept = Vec::new();
        for at in statements {
            let own: Vec<&Variant> = judged
                .iter()
                .filter(|variant| statement_of(variant) == at)
                .collect();
            let statement = &self.rerun.settling.statements[at];
            let goals = Goals::of(statement);
            let open: BTreeSet<u32> = self
                .open(at)
                .into_iter()
                .chain(self.open_goals(at))
                .collect();
            let row = |variant: &&Variant| {
                let taken = numbered_branches(statement, &variant.candidate.target);
                let met = taken.into_iter().chain(goals.met(&variant.candidate));
                let meets = variant
                    .kills
                    .iter()
                    .copied()
                    .chain(met)
                    .filter(|what| open.contains(what))
                    .collect();
                let stands_in = variant.candidate.mocks.len()
                    > statement.candidates[variant.of.candidate].mocks.len();
                Row {
                    meets,
                    cost: variant.candidate.size()
                        + if stands_in { COST_OF_STANDING_IN } else { 0 },
                }
            };
            let rows: Vec<Row> = own.iter().map(row).collect();
            kept.extend(
                reduce(Algorithm::Greedy, &rows)
                    .into_iter()
                    .map(|row| (at, own[row].clone())),
            );
        }
        kept
    }
}

/// Returns the candidate with the same and with other numbers of calls.
fn with_other_counts(candidate: &Candidate) -> Vec<Candidate> {
    let mut all = vec![candidate.clone()];
    for (at, claim) in candidate.claims.iter().enumerate() {
        let Claim::Called(call, times) = claim else {
            continue;
        };
        for other in [0, times.saturating_sub(1), times + 1, times + 2]
            .into_iter()
            .collect::<BTreeSet<_>>()
        {
            if other != *times {
                let mut changed = candidate.clone();
                changed.claims[at] = Claim::Called(call.clone(), other);
                // Unused values of a sequence would make the test fail.
                let own = changed.mocks.iter_mut().filter(|mock| mock.call == *call);
                own.for_each(|mock| mock.values.truncate(other.max(1)));
                all.push(changed);
            }
        }
    }
    all
}

impl Improvements {
    /// Adds the improvements. Returns how many rows became shorter, and how many inputs are new.
    pub(super) fn take_in(self, rows: &mut Rows<'_>, choices: &mut [Choice]) -> (usize, usize) {
        let shortened = shrink_rows::replace(&self.shorter, rows, choices);
        let added = self.near.len();
        // The compiler may have split a new group: its number → its index now.
        let mut new: BTreeMap<usize, GroupIdx> = BTreeMap::new();
        for (statement, mut variant) in self.near {
            if let Some(group) = variant.judged_as.take() {
                variant.of.group = *new
                    .entry(group.number)
                    .or_insert_with(|| rows.add_group(group));
            }
            choices[statement].kept.push(rows.add(&variant));
        }
        (shortened, added)
    }
}
