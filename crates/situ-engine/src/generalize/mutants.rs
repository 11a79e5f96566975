//! Candidates whose assertion no argument makes fail, on trial by mutants: does it fail when the function is wrong?

use super::candidate::{Candidates, Material};
use super::classify::Classified;
use super::copies::TRIAL;
use super::mirror_file::MirrorFile;
use super::trials::{Bench, Listed, RowOutcome, names_of, number};
use crate::mutate::build::Builder;
use crate::mutate::inventory::Inventory;
use crate::mutate::mutant::Mutant;
use crate::mutate::parallel::in_parallel;
use crate::mutate::suite::Switch;
use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::thread;

/// Mutants of one function that are tried.
const MOST_MUTANTS: usize = 24;
/// What a trial may use with a mutant.
const FUEL: u64 = 20_000_000;

/// Finds out which of them are general.
pub fn judge(
    material: &Material<'_>,
    made: &Candidates,
    classified: &mut [Classified],
    mirror: &Workspace,
    files: &[MirrorFile],
    program: &Path,
) -> Result<()> {
    // A wrong function is seen by other calls of it too: where nothing looks at this one, that says nothing.
    let is_judged = |one: &Classified| one.is_open() && !made.all[one.candidate].is_apart;
    let functions: BTreeSet<usize> = classified
        .iter()
        .filter(|one| is_judged(one))
        .map(|one| made.tables[made.targets[made.all[one.candidate].target].table].function)
        .collect();
    if functions.is_empty() {
        return Ok(());
    }
    let folder = mirror.situ_folder().join("mutants");
    fs::create_dir_all(&folder).context("making the mutants' folder")?;
    let mut inventory = Inventory::take(mirror, &folder.join("numbers.json"))?;
    let ranges: BTreeMap<usize, (&Path, Range<usize>)> = functions
        .iter()
        .map(|at| {
            let function = &material.functions[*at].function;
            let place = |byte: usize| {
                files.iter().find(|file| file.path == function.file).map_or(byte, |file| file.moved(byte))
            };
            (*at, (function.file.as_path(), place(function.start)..place(function.end)))
        })
        .collect();
    let is_inside = |mutant: &Mutant, range: &Range<usize>| range.start <= mutant.at && mutant.at < range.end;
    for file in &mut inventory.files {
        let own: Vec<&Range<usize>> =
            ranges.values().filter(|(path, _)| *path == file.path).map(|(_, range)| range).collect();
        file.mutants.retain(|mutant| own.iter().any(|range| is_inside(mutant, range)));
    }
    let mutants: BTreeMap<usize, Vec<u32>> = ranges
        .iter()
        .map(|(at, (path, range))| {
            let file = inventory.files.iter().find(|file| file.path == *path);
            let inside = file.into_iter().flat_map(|file| &file.mutants).filter(|mutant| is_inside(mutant, range));
            (*at, spread(inside.collect()))
        })
        .collect();
    let built = Builder::prepare(mirror, &inventory, program)?.without_doctests().build(mirror)?;
    let mut trials: BTreeMap<usize, Listed<'_>> = BTreeMap::new();
    for program in &built.programs {
        for test in names_of(program)? {
            if let Some(number) = number(&test, TRIAL) {
                trials.insert(number, Listed { program, test, number });
            }
        }
    }
    let jobs: Vec<(usize, &Listed<'_>, Vec<u32>)> = classified
        .iter()
        .enumerate()
        .filter(|(_, one)| is_judged(one))
        .filter_map(|(at, one)| {
            let function = made.tables[made.targets[made.all[one.candidate].target].table].function;
            let alive = mutants[&function].iter().copied().filter(|id| built.alive.contains(id)).collect();
            Some((at, trials.get(&one.candidate)?, alive))
        })
        .collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let places = folder.join("general");
    let general = in_parallel(cores, jobs.len(), |worker, at| {
        let (_, listed, mutants) = &jobs[at];
        let bench = Bench::new(&places, worker)?;
        for id in mutants {
            let trial = bench.try_once(listed, &Switch::Mutant { id: *id, fuel: FUEL })?;
            if trial.outcomes.values().any(|outcome| *outcome == RowOutcome::Fails) {
                return Ok(true);
            }
        }
        anyhow::Ok(false)
    });
    let found: Vec<(usize, Result<bool>)> = jobs.iter().map(|(at, ..)| *at).zip(general).collect();
    for (at, general) in found {
        classified[at].is_general = general?;
    }
    Ok(())
}

/// Not too many mutants, of as many operators as there are, and from all over the function.
fn spread(mutants: Vec<&Mutant>) -> Vec<u32> {
    let mut by_operator: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for mutant in mutants.iter().filter(|mutant| !mutant.is_copy) {
        by_operator.entry(&mutant.operator).or_default().push(mutant.id);
    }
    let mut chosen = Vec::new();
    let mut queues: Vec<std::vec::IntoIter<u32>> = by_operator.into_values().map(Vec::into_iter).collect();
    while chosen.len() < MOST_MUTANTS && queues.iter().any(|queue| queue.len() > 0) {
        chosen.extend(queues.iter_mut().filter_map(Iterator::next));
    }
    chosen.truncate(MOST_MUTANTS);
    chosen
}
