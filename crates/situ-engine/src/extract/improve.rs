//! What is better than the kept rows: shorter inputs for long ones, and inputs near recorded ones that kill what nobody kills or
//! go where no run went. All of them are tried at once.

use super::candidate::Candidate;
use super::choose::{Choice, Passing, numbered_branches};
use super::claims::Claim;
use super::edges::Pool;
use super::near::{inputs, near};
use super::reduce::{Algorithm, Row, reduce};
use super::rerun::{Rerun, Rows, Variant};
use super::rows::{Group, shape_of_inputs};
use super::{shorten, unseen};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// Rows of one statement that others are looked for near of.
const MOST_NEIGHBOURS: usize = 3;

/// How long the variants of one statement may be together, as candidates count their size: each is compiled three times.
const MOST_LETTERS: usize = 60_000;

/// How long a row may be that others are looked for near of, as candidates count their size: of a longer one hardly any could be
/// tried, and each takes memory.
const LONGEST_BASE: usize = 12_000;

/// Other ways to leave a statement that nearby inputs are tried with.
const MOST_OTHER_EXITS: usize = 2;

/// What was found.
#[derive(Debug, Default)]
pub struct Improvements {
    shorter: Vec<(Passing, Variant)>,
    /// Statement → what is added to it.
    near: Vec<(usize, Variant)>,
}

/// Groups without rows, by the statement whose rows may leave in a way that no run took.
type Unseen = BTreeMap<usize, Vec<(usize, Claim)>>;

/// Where improvements are looked for.
pub struct Search<'s> {
    /// The rows as they were judged.
    pub rerun: &'s Rerun<'s>,
    /// What is kept of them.
    pub choices: &'s [Choice],
    /// Operators whose mutants must not be looked at.
    pub held_back: &'s BTreeSet<String>,
    /// Whether inputs near recorded ones are left alone.
    pub recorded_only: bool,
}

impl Search<'_> {
    /// Looks for improvements. Where there is nothing to try, nothing is built.
    pub fn improvements(&self, step: &dyn Fn(&str)) -> Result<Improvements> {
        let mut variants = shorten::variants(self.rerun.settling, self.rerun.groups, self.choices);
        let mut groups = self.rerun.groups.to_vec();
        if !self.recorded_only {
            let unseen = self.unseen(&mut groups);
            variants.extend(self.near_variants(&unseen));
        }
        if variants.is_empty() {
            return Ok(Improvements::default());
        }
        let rerun = Rerun { groups: &groups, ..*self.rerun };
        let judged = rerun.judged(variants, step)?;
        let (near, shorter): (Vec<Variant>, Vec<Variant>) =
            judged.into_iter().partition(|variant| variant.candidate.is_near);
        let shorter = shorten::better(self.rerun, &shorter, &self.hidden());
        Ok(Improvements { shorter, near: self.worthwhile(&near, &groups) })
    }

    /// Adds groups for ways out that no run took, where branches are open.
    fn unseen(&self, groups: &mut Vec<Group>) -> Unseen {
        let mut next = groups.iter().map(|group| group.number).max().unwrap_or(0);
        let mut unseen = Unseen::new();
        for (at, choice) in self.choices.iter().enumerate() {
            let statement = &self.rerun.settling.statements[at];
            let Some(base) = self.bases(at).first().map(|row| groups[row.group].clone()) else { continue };
            if self.open_branches(at).is_empty() {
                continue;
            }
            for (group, claim) in unseen::groups_of(statement, &base, &choice.passing, &mut next) {
                groups.push(group);
                unseen.entry(at).or_default().push((groups.len() - 1, claim));
            }
        }
        unseen
    }

    /// The mutants that must not be looked at.
    fn hidden(&self) -> BTreeSet<u32> {
        let all = self.rerun.judgement.mutants.iter().flatten();
        all.filter(|mutant| self.held_back.contains(&mutant.operator)).map(|mutant| mutant.id).collect()
    }

    /// The mutants of a statement that no recorded row kills, and the branches that no row takes. What a test of the crate kills
    /// is open all the same: the tests beside a statement are worth something without it.
    fn open(&self, at: usize) -> BTreeSet<u32> {
        let killed = self.rerun.killed(at);
        let mutants = self.rerun.judgement.mutants[at].iter();
        let counting = mutants.filter(|mutant| !self.held_back.contains(&mutant.operator)).map(|mutant| mutant.id);
        counting.filter(|id| !killed.contains(id)).chain(self.open_branches(at)).collect()
    }

    fn open_branches(&self, at: usize) -> BTreeSet<u32> {
        let statement = &self.rerun.settling.statements[at];
        let taken = |row: &Passing| numbered_branches(statement, &statement.candidates[row.candidate].target);
        let taken: BTreeSet<u32> = self.choices[at].passing.iter().flat_map(taken).collect();
        numbered_branches(statement, &statement.branches).difference(&taken).copied().collect()
    }

    fn near_variants(&self, unseen: &Unseen) -> Vec<Variant> {
        let statements = self.rerun.settling.statements;
        let pool = Pool::of(statements.iter().flat_map(|statement| &statement.candidates).flat_map(inputs));
        let mut variants = Vec::new();
        for at in (0..self.choices.len()).filter(|at| !self.open(*at).is_empty()) {
            let bases: Vec<Passing> = self.bases(at).into_iter().take(MOST_NEIGHBOURS).collect();
            for (number, row) in bases.iter().enumerate() {
                let mut letters = 0;
                let unseen = unseen.get(&at).filter(|_| number == 0).map_or(&[][..], Vec::as_slice);
                variants.extend(self.near_row(at, row, unseen, &pool).into_iter().take_while(|variant| {
                    letters += variant.candidate.size();
                    letters <= MOST_LETTERS / bases.len()
                }));
            }
        }
        variants
    }

    /// Inputs near those of one row, each as it may leave.
    fn near_row(&self, at: usize, row: &Passing, unseen: &[(usize, Claim)], pool: &Pool) -> Vec<Variant> {
        let statement = &self.rerun.settling.statements[at];
        let own = &statement.candidates[row.candidate];
        let exits = self.other_exits(at, row);
        let mut variants = Vec::new();
        for candidate in near(own, &statement.tokens(), &self.given_the_same(at, own), pool) {
            for other in &exits {
                let claims = statement.candidates[other.candidate].claims.clone();
                variants.push(Variant::new(*other, Candidate { claims, ..candidate.clone() }));
            }
            for (group, claim) in unseen {
                let candidate = Candidate { claims: vec![claim.clone()], ..candidate.clone() };
                variants.push(Variant::new(Passing { group: *group, ..*row }, candidate));
            }
            variants.push(Variant::new(*row, candidate));
        }
        variants
    }

    /// The candidates that pass and are given the same things.
    fn given_the_same(&self, at: usize, own: &Candidate) -> Vec<&Candidate> {
        let candidates = &self.rerun.settling.statements[at].candidates;
        let passing = self.choices[at].passing.iter().map(|row| &candidates[row.candidate]);
        let inputs = shape_of_inputs(own);
        passing.filter(|other| shape_of_inputs(other) == inputs).collect()
    }

    /// The kept rows that others may be near of: what panics is not shown, and what is long would be long again. One that is long
    /// is better than none.
    fn bases(&self, at: usize) -> Vec<Passing> {
        let Rerun { settling, groups, .. } = self.rerun;
        let shown = self.choices[at].kept.iter().copied().filter(|row| !self.panics(at, row));
        let (mut long, short): (Vec<Passing>, Vec<Passing>) =
            shown.partition(|row| shorten::is_long(settling, groups, row));
        if !short.is_empty() {
            return short;
        }
        let size = |row: &Passing| settling.statements[at].candidates[row.candidate].size();
        long.retain(|row| size(row) <= LONGEST_BASE);
        long.sort_by_key(size);
        long.truncate(1);
        long
    }

    fn panics(&self, at: usize, row: &Passing) -> bool {
        let candidate = &self.rerun.settling.statements[at].candidates[row.candidate];
        candidate.claims.iter().any(|claim| matches!(claim, Claim::Panics(_)))
    }

    /// Rows that are given the same things and leave in another way: with a value a little different a row may leave as they do.
    fn other_exits(&self, at: usize, row: &Passing) -> Vec<Passing> {
        let statement = &self.rerun.settling.statements[at];
        let inputs = |row: &Passing| shape_of_inputs(&statement.candidates[row.candidate]);
        let own = inputs(row);
        let mut of_groups: BTreeMap<usize, Passing> = BTreeMap::new();
        for other in self.choices[at].kept.iter().filter(|other| other.group != row.group) {
            if !self.panics(at, other) && inputs(other) == own {
                of_groups.entry(other.group).or_insert(*other);
            }
        }
        of_groups.into_values().take(MOST_OTHER_EXITS).collect()
    }

    /// The fewest variants that meet all that was open and that any of them meets.
    fn worthwhile(&self, judged: &[Variant], groups: &[Group]) -> Vec<(usize, Variant)> {
        let statement_of = |variant: &Variant| groups[variant.of.group].statement;
        let statements: BTreeSet<usize> = judged.iter().map(statement_of).collect();
        let mut kept = Vec::new();
        for at in statements {
            let own: Vec<&Variant> = judged.iter().filter(|variant| statement_of(variant) == at).collect();
            let open = self.open(at);
            let statement = &self.rerun.settling.statements[at];
            let row = |variant: &&Variant| {
                let taken = numbered_branches(statement, &variant.candidate.target);
                let meets = variant.kills.iter().copied().chain(taken).filter(|what| open.contains(what)).collect();
                Row { meets, cost: variant.candidate.size() }
            };
            let rows: Vec<Row> = own.iter().map(row).collect();
            kept.extend(reduce(Algorithm::Greedy, &rows).into_iter().map(|row| (at, own[row].clone())));
        }
        kept
    }
}

impl Improvements {
    /// Takes the improvements over. Gives how many rows became shorter, and how many inputs are new.
    pub fn take_in(self, rows: &mut Rows<'_>, choices: &mut [Choice]) -> (usize, usize) {
        let shortened = shorten::replace(&self.shorter, rows, choices);
        let added = self.near.len();
        // The compiler may have split a group that nobody had seen: number → where it is now.
        let mut new: BTreeMap<usize, usize> = BTreeMap::new();
        for (statement, mut variant) in self.near {
            if let Some(group) = variant.judged_as.take() {
                variant.of.group = *new.entry(group.number).or_insert_with(|| rows.add_group(group));
            }
            choices[statement].kept.push(rows.add(&variant));
        }
        (shortened, added)
    }
}
