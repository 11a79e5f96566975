//! Redundant tests of a function: one that kills no mutant that the others miss, covers no branch
//! that they do not cover, and ends as another does.

use super::attempt::{Attempt, TestPath};
use super::attempts::Attempts;
use crate::base::words::count;
use crate::cargo::workspace::Workspace;
use crate::generate::carve::write::duplicates::outcome_of;
use crate::mutate::baseline;
use crate::mutate::build::Builder;
use crate::mutate::inventory::Inventory;
use crate::mutate::judge::{Case, Court};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;

/// Returns the redundant tests, as indices of attempts. `mirror` contains the tests.
pub(crate) fn duplicates(
    mirror: &Workspace,
    attempts: &Attempts<'_>,
    program: &Path,
    step: &dyn Fn(&str),
) -> Result<BTreeSet<usize>> {
    let groups = groups(attempts);
    if groups.is_empty() {
        return Ok(BTreeSet::new());
    }
    step("building with mutants");
    let killed = killed(mirror, attempts, &groups, program, step)?;
    let all: Vec<&Attempt<'_>> = attempts.standing.iter().chain(&attempts.there).collect();
    let mut duplicates = BTreeSet::new();
    for members in groups.values() {
        let tests: Vec<Noticing> = members
            .iter()
            .map(|at| {
                let attempt = all[*at];
                Noticing {
                    at: *at,
                    stays: *at >= attempts.standing.len(),
                    length: attempt.text.len(),
                    mutants: killed.get(at).cloned().unwrap_or_default(),
                    branches: attempt.call().set.target.iter().copied().collect(),
                    outcome: outcome_of(attempt.call()),
                }
            })
            .collect();
        duplicates.extend(saying_nothing_new(tests));
    }
    Ok(duplicates)
}

/// Returns the functions with several tests, new ones among them: file and path → the tests.
fn groups(attempts: &Attempts<'_>) -> BTreeMap<(String, String), Vec<usize>> {
    let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, attempt) in attempts.standing.iter().chain(&attempts.there).enumerate() {
        let site = &attempt.call().recorded.site;
        groups
            .entry((site.file.clone(), site.function.clone()))
            .or_default()
            .push(at);
    }
    let is_new = |at: &usize| *at < attempts.standing.len();
    groups.retain(|_, members| members.len() > 1 && members.iter().any(is_new));
    groups
}

/// Returns the mutants that each test kills.
fn killed(
    mirror: &Workspace,
    attempts: &Attempts<'_>,
    groups: &BTreeMap<(String, String), Vec<usize>>,
    program: &Path,
    step: &dyn Fn(&str),
) -> Result<BTreeMap<usize, BTreeSet<u32>>> {
    let folder = mirror.situ_folder().join("mutants");
    fs::create_dir_all(&folder).context("making the mutants' folder")?;
    let inventory = Inventory::take(mirror, &folder.join("numbers.json"))?;
    let built = Builder::prepare(mirror, &inventory, program)?
        .without_doctests()
        .build(mirror)?;
    let places = folder.join("places");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let baseline = baseline::measure(&built.programs, &places, None, cores)?;
    let mut wanted: BTreeMap<u32, usize> = BTreeMap::new();
    for file in &inventory.files {
        for mutant in file
            .mutants
            .iter()
            .filter(|mutant| !mutant.is_copy && built.alive.contains(&mutant.id))
        {
            let Some(function) = mutant.function.and_then(|at| file.functions.get(at)) else {
                continue;
            };
            let is_meant = |(path, name): &(String, String)| {
                let is_called =
                    name == &function.name || name.ends_with(&format!("::{}", function.name));
                Path::new(path) == file.path && is_called
            };
            if let Some(neighbourhood) = groups.keys().position(is_meant) {
                wanted.insert(mutant.id, neighbourhood);
            }
        }
    }
    let paths = attempts.paths();
    let number = |test: &str| paths.iter().position(|path: &TestPath| path.is(test));
    let reached_by = baseline.reached_by(&built.choices, &wanted.keys().copied().collect());
    let carved = |tests: &[usize]| -> Vec<usize> {
        tests
            .iter()
            .copied()
            .filter(|at| number(&baseline.tests[*at].name).is_some())
            .collect()
    };
    let cases: Vec<Case> = wanted
        .iter()
        .map(|(id, neighbourhood)| Case {
            id: *id,
            neighbourhood: *neighbourhood,
            tests: carved(reached_by.get(id).map_or(&[], Vec::as_slice)),
        })
        .filter(|case| !case.tests.is_empty())
        .collect();
    step(&format!("judging {}", count(cases.len(), "mutant")));
    let verdicts =
        Court::new(&built.programs, &baseline, &places, true).judge(&cases, |_, _| {})?;
    let _ = fs::remove_dir_all(&places);
    let mut killed: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for (case, verdict) in cases.iter().zip(&verdicts) {
        for at in verdict.killed_by.iter().filter_map(|test| number(test)) {
            killed.entry(at).or_default().insert(case.id);
        }
    }
    Ok(killed)
}

/// A test with its kills.
#[derive(Clone, Debug)]
struct Noticing {
    at: usize,
    /// Whether it exists in the sources.
    stays: bool,
    length: usize,
    mutants: BTreeSet<u32>,
    branches: BTreeSet<u32>,
    outcome: String,
}

/// Returns the tests of one function that can be dropped, longest first, so that the others have
/// the same kills and branches.
fn saying_nothing_new(mut tests: Vec<Noticing>) -> BTreeSet<usize> {
    let mut gone = BTreeSet::new();
    tests.sort_by_key(|test| std::cmp::Reverse(test.length));
    for test in tests.iter().filter(|test| !test.stays) {
        let others = || {
            tests
                .iter()
                .filter(|other| other.at != test.at && !gone.contains(&other.at))
        };
        let is_noticed = |mutant: &u32| others().any(|other| other.mutants.contains(mutant));
        let is_taken = |branch: &u32| others().any(|other| other.branches.contains(branch));
        let is_seen = others().any(|other| other.outcome == test.outcome);
        if is_seen && test.mutants.iter().all(is_noticed) && test.branches.iter().all(is_taken) {
            gone.insert(test.at);
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(at: usize, length: usize, mutants: &[u32], branches: &[u32]) -> Noticing {
        let (mutants, branches) = (
            mutants.iter().copied().collect(),
            branches.iter().copied().collect(),
        );
        Noticing {
            at,
            stays: false,
            length,
            mutants,
            branches,
            outcome: String::new(),
        }
    }

    #[test]
    fn what_notices_and_takes_nothing_of_its_own_goes_and_the_shortest_stays() {
        let all = vec![
            test(0, 90, &[1, 2], &[1]),
            test(1, 50, &[1, 2], &[1]),
            test(2, 70, &[1, 3], &[1]),
        ];
        assert_eq!(saying_nothing_new(all), BTreeSet::from([0]));
        let branches = vec![test(0, 90, &[1], &[1, 2]), test(1, 50, &[1], &[1, 3])];
        assert_eq!(
            saying_nothing_new(branches),
            BTreeSet::from([]),
            "a branch of its own is something new"
        );
        let mut ends = vec![test(0, 90, &[1], &[1]), test(1, 50, &[1], &[1])];
        ends[0].outcome = "Err".to_owned();
        assert_eq!(
            saying_nothing_new(ends),
            BTreeSet::from([]),
            "an outcome of its own is something new"
        );
        let nothing = vec![test(0, 90, &[], &[]), test(1, 50, &[], &[])];
        assert_eq!(
            saying_nothing_new(nothing.clone()),
            BTreeSet::from([0]),
            "one of them is kept"
        );
        let there = nothing
            .into_iter()
            .map(|test| Noticing {
                stays: test.at == 0,
                ..test
            })
            .collect();
        assert_eq!(
            saying_nothing_new(there),
            BTreeSet::from([1]),
            "what is there already stays"
        );
    }
}
