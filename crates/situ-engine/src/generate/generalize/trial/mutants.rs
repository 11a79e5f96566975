//! Mutation testing of candidates that hold for every argument: does the assertion fail if the
//! function is wrong?

use super::classify::Classified;
use super::copies::{TRIAL, Writing};
use super::mirror_file::{Dropped, MirrorFile};
use super::settle::FOLDER;
use super::trials::{Bench, Listed, RowOutcome, Trial, number};
use crate::base::parallel::in_parallel;
use crate::generate::generalize::pair::candidate::{Candidates, Material};
use crate::mutate::build::Builder;
use crate::mutate::inventory::Inventory;
use crate::mutate::mutant::Mutant;
use crate::mutate::stability::CLEAN_RUNS;
use crate::programs::harness::{NO_MUTANT, Switch};
use crate::programs::program::Program;
use crate::programs::test_list::list_tests;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

/// The maximum number of mutants of one function.
const MAX_MUTANTS: usize = 24;
/// The fuel of a trial with a mutant.
const FUEL: u64 = 20_000_000;

/// Finds the general candidates. Only those that hold for every argument are compiled again, with
/// the mutants of their functions.
pub(crate) fn judge(
    material: &Material<'_>,
    made: &Candidates,
    classified: &mut [Classified],
    dropped: &Dropped,
    program: &Path,
) -> Result<()> {
    // Other calls of the function may detect its mutants; if nothing uses this one, that says
    // nothing about it.
    let is_judged = |one: &Classified| one.is_open() && !made.all[one.candidate].is_apart;
    let judged: BTreeSet<usize> = classified
        .iter()
        .filter(|one| is_judged(one))
        .map(|one| one.candidate)
        .collect();
    let functions: BTreeSet<usize> = judged
        .iter()
        .map(|candidate| made.tables[made.targets[made.all[*candidate].target].table].function)
        .collect();
    if functions.is_empty() {
        return Ok(());
    }
    let files = with_only(&judged, material, made, dropped);
    let texts: Vec<(PathBuf, String)> = files
        .iter()
        .map(|file| (file.path.clone(), file.owned.text.clone()))
        .collect();
    let mirror = &material.workspace.mirror(FOLDER, &texts)?;
    let folder = mirror.situ_folder().join("mutants");
    fs::create_dir_all(&folder).context("making the mutants' folder")?;
    let mut inventory = Inventory::take(mirror, &folder.join("numbers.json"))?;
    let mutants = keep_those_of(&functions, &mut inventory, material, &files);
    let built = Builder::prepare(mirror, &inventory, program)?
        .without_doctests()
        .build(mirror)?;
    let trials = trials_in(&built.programs)?;
    let open = classified
        .iter()
        .enumerate()
        .filter(|(_, one)| judged.contains(&one.candidate));
    let jobs: Vec<(usize, &Listed<'_>, Vec<u32>)> = open
        .filter_map(|(at, one)| {
            let function = made.tables[made.targets[made.all[one.candidate].target].table].function;
            let alive = mutants[&function]
                .iter()
                .copied()
                .filter(|id| built.alive.contains(id))
                .collect();
            Some((at, trials.get(&one.candidate)?, alive))
        })
        .collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let general = in_parallel(cores, jobs.len(), |worker, at| {
        let bench = Bench::new(&folder.join("general"), worker)?;
        fails_with_any(&bench, jobs[at].1, &jobs[at].2)
    });
    let found: Vec<(usize, Result<bool>)> = jobs.iter().map(|(at, ..)| *at).zip(general).collect();
    for (at, general) in found {
        classified[at].is_general = general?;
    }
    Ok(())
}

/// Keeps the mutants of these functions in the inventory, and chooses some of each.
fn keep_those_of(
    functions: &BTreeSet<usize>,
    inventory: &mut Inventory,
    material: &Material<'_>,
    files: &[MirrorFile],
) -> BTreeMap<usize, Vec<u32>> {
    let range = |at: &usize| {
        let function = &material.functions[*at].function;
        let file = files.iter().find(|file| file.path == function.file);
        let place = |byte: usize| file.map_or(byte, |file| file.moved(byte));
        (
            *at,
            (
                function.file.as_path(),
                place(function.start)..place(function.end),
            ),
        )
    };
    let ranges: BTreeMap<usize, (&Path, Range<usize>)> = functions.iter().map(range).collect();
    for file in &mut inventory.files {
        let own: Vec<&Range<usize>> = ranges
            .values()
            .filter(|(path, _)| *path == file.path)
            .map(|(_, range)| range)
            .collect();
        file.mutants
            .retain(|mutant| own.iter().any(|range| range.contains(&mutant.at)));
    }
    let chosen = ranges.iter().map(|(at, (path, range))| {
        let file = inventory.files.iter().find(|file| file.path == *path);
        let inside = file
            .into_iter()
            .flat_map(|file| &file.mutants)
            .filter(|mutant| range.contains(&mutant.at));
        (*at, spread(inside.collect()))
    });
    chosen.collect()
}

/// Candidate → its trial in these programs.
fn trials_in(programs: &[Program]) -> Result<BTreeMap<usize, Listed<'_>>> {
    let mut trials = BTreeMap::new();
    for program in programs {
        for test in list_tests(program)? {
            if let Some(number) = number(&test, TRIAL) {
                trials.insert(
                    number,
                    Listed {
                        program,
                        test,
                        number,
                    },
                );
            }
        }
    }
    Ok(trials)
}

/// Returns whether an assertion fails with any of these mutants. A row must fail twice with the
/// mutant and pass several times without one.
fn fails_with_any(bench: &Bench, listed: &Listed<'_>, mutants: &[u32]) -> Result<bool> {
    let mut steady: Option<BTreeSet<usize>> = None;
    for id in mutants {
        let switch = Switch::Mutant {
            id: *id,
            fuel: FUEL,
        };
        let mut failing = rows_that(RowOutcome::Fails, &bench.try_once(listed, &switch)?);
        if failing.is_empty() {
            continue;
        }
        let steady = match &steady {
            Some(known) => known,
            None => steady.insert(steady_rows(bench, listed)?),
        };
        failing.retain(|row| steady.contains(row));
        if !failing.is_empty()
            && !failing.is_disjoint(&rows_that(
                RowOutcome::Fails,
                &bench.try_once(listed, &switch)?,
            ))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the rows whose assertion holds in several runs without a mutant.
fn steady_rows(bench: &Bench, listed: &Listed<'_>) -> Result<BTreeSet<usize>> {
    let without = Switch::Mutant {
        id: NO_MUTANT,
        fuel: FUEL,
    };
    let mut steady = rows_that(RowOutcome::Passes, &bench.try_once(listed, &without)?);
    for _ in 1..CLEAN_RUNS {
        let again = rows_that(RowOutcome::Passes, &bench.try_once(listed, &without)?);
        steady.retain(|row| again.contains(row));
    }
    Ok(steady)
}

fn rows_that(outcome: RowOutcome, trial: &Trial) -> BTreeSet<usize> {
    trial
        .outcomes
        .iter()
        .filter(|(_, own)| **own == outcome)
        .map(|(row, _)| *row)
        .collect()
}

/// Returns the files of a mirror that has no other candidates than these.
fn with_only(
    judged: &BTreeSet<usize>,
    material: &Material<'_>,
    made: &Candidates,
    dropped: &Dropped,
) -> Vec<MirrorFile> {
    let mut dropped = dropped.clone();
    dropped
        .unfit
        .extend((0..made.all.len()).filter(|candidate| !judged.contains(candidate)));
    let tables: BTreeSet<usize> = judged
        .iter()
        .map(|candidate| made.targets[made.all[*candidate].target].table)
        .collect();
    let others = (0..made.tables.len()).filter(|table| !tables.contains(table));
    dropped
        .tables
        .extend(others.map(|table| (table, String::new())));
    let noted = Writing {
        material,
        made,
        dropped: &dropped,
    }
    .noted()
    .len();
    dropped.noted.extend(0..noted);
    Writing {
        material,
        made,
        dropped: &dropped,
    }
    .files()
}

/// Returns a limited number of mutants, of as many operators as possible, from all over the
/// function.
fn spread(mutants: Vec<&Mutant>) -> Vec<u32> {
    let mut by_operator: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| !mutant.is_copy) {
        by_operator
            .entry(&mutant.operator)
            .or_default()
            .push(mutant.id);
    }
    let mut chosen = Vec::new();
    let mut queues: Vec<std::vec::IntoIter<u32>> =
        by_operator.into_values().map(Vec::into_iter).collect();
    while chosen.len() < MAX_MUTANTS && queues.iter().any(|queue| queue.len() > 0) {
        chosen.extend(queues.iter_mut().filter_map(Iterator::next));
    }
    chosen.truncate(MAX_MUTANTS);
    chosen
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::programs::shell_program::shell_program;

    /// Returns whether a trial with one row, whose assertion is this, fails with the seventh
    /// mutant.
    fn is_general(assertion: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let say = |kind: &str| format!("echo '{kind} 0' >> \"$SITU_TRIAL_JOURNAL\"");
        let (begun, reached, passed, failed) = (say("b"), say("r"), say("p"), say("f"));
        let body = format!("{begun}; {reached}; if {assertion}; then {passed}; else {failed}; fi");
        let program = shell_program(folder.path(), &[("trial", &body)]);
        let listed = Listed {
            program: &program,
            test: "trial".to_owned(),
            number: 0,
        };
        fails_with_any(&Bench::new(folder.path(), 0).unwrap(), &listed, &[6, 7, 8]).unwrap()
    }

    #[test]
    fn only_what_passes_without_a_mutant_each_time_fails_because_of_one() {
        assert!(is_general("[ $mutant != 7 ]"));
        assert!(!is_general("true"));
        assert!(!is_general("false"), "it fails without a mutant too");
        let runs = "$(echo >> \"$folder/runs\"; wc -l < \"$folder/runs\")";
        assert!(
            !is_general(&format!("[ {runs} != 3 ]")),
            "it fails once, with the last mutant"
        );
        assert!(
            !is_general(&format!("[ {runs} -lt 4 ] && [ $mutant != 7 ]")),
            "in some runs it fails without a mutant"
        );
    }
}
