//! The mutants of the statements that the crate's own tests kill, as far as that does not take much
//! longer than these tests do.

use super::matrix::TargetMutant;
use super::slow_tests;
use crate::mutate::baseline::{self, Baseline};
use crate::mutate::build::Built;
use crate::mutate::judge::{Case, Court, Status, Verdict};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The duration above which a test is only tried if all others kill nothing.
const SLOW: Duration = Duration::from_millis(100);

/// The time limit of slow tests: so many times the duration of all tests, and at least a minimum.
const MAX_TIMES: u32 = 3;
const ALWAYS: Duration = Duration::from_secs(10);

/// The kills of the crate's own tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Noticed {
    /// The mutants that they kill.
    pub killed: BTreeSet<u32>,
    /// The survivors of the fast tests that were not tried with slow ones.
    pub open: BTreeSet<u32>,
}

/// Judges these mutants of statements. `tests_took` is the time of all tests without mutants, if it
/// is known.
pub(crate) fn judge(
    built: &Built,
    mutants: &[Vec<TargetMutant>],
    folder: &Path,
    tests_took: Option<Duration>,
) -> Result<Noticed> {
    let places = folder.join("places");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let programs = slow_tests::left_out(&built.programs, &places, tests_took)?;
    let is_whole = programs.iter().all(|program| program.left_out.is_empty());
    let baseline = baseline::measure(&programs, &places, None, cores)?;
    let ids: BTreeSet<u32> = mutants.iter().flatten().map(|mutant| mutant.id).collect();
    let reached_by = baseline.reached_by(&built.choices, &ids);
    let cases: Vec<Case> = mutants
        .iter()
        .enumerate()
        .flat_map(|(neighbourhood, mutants)| {
            mutants.iter().map(move |mutant| (mutant.id, neighbourhood))
        })
        // Fragments are nested; a mutant is still judged once.
        .collect::<BTreeMap<_, _>>()
        .into_iter()
        .map(|(id, neighbourhood)| Case {
            id,
            neighbourhood,
            tests: reached_by.get(&id).cloned().unwrap_or_default(),
        })
        .collect();
    let court = Court::new(&programs, &baseline, &places, false);
    let is_slow = |test: &usize| baseline.tests[*test].time > SLOW;
    let mut killed = killed_in(&court, &with_tests(&cases, |test| !is_slow(test)))?;
    let left: Vec<Case> = with_tests(&cases, is_slow)
        .into_iter()
        .filter(|case| !killed.contains(&case.id) && !case.tests.is_empty())
        .collect();
    let (tried, open) = within_time(left, &baseline);
    killed.extend(killed_in(&court, &tried)?);
    let _ = fs::remove_dir_all(&places);
    let open = match is_whole {
        true => open.into_iter().map(|case| case.id).collect(),
        // The reach of a skipped test is unknown too.
        false => ids.difference(&killed).copied().collect(),
    };
    Ok(Noticed { killed, open })
}

fn with_tests(cases: &[Case], is_wanted: impl Fn(&usize) -> bool) -> Vec<Case> {
    let with = cases.iter().map(|case| {
        let tests = case.tests.iter().copied().filter(&is_wanted).collect();
        Case {
            tests,
            ..case.clone()
        }
    });
    with.collect()
}

fn killed_in(court: &Court<'_>, cases: &[Case]) -> Result<BTreeSet<u32>> {
    let verdicts = court.judge(cases, |_, _| {})?;
    let is_killed = |verdict: &Verdict| matches!(verdict.status, Status::Killed | Status::TimedOut);
    Ok(cases
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| is_killed(verdict))
        .map(|(case, _)| case.id)
        .collect())
}

/// Splits cases into those that can be tried and those for which there is no time. Every statement
/// gets its turn.
fn within_time(mut cases: Vec<Case>, baseline: &Baseline) -> (Vec<Case>, Vec<Case>) {
    let suite: Duration = baseline.tests.iter().map(|test| test.time).sum();
    let mut left =
        ALWAYS.max(suite * MAX_TIMES) * u32::try_from(baseline.workers.max(1)).unwrap_or(1);
    let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
    cases.sort_by_cached_key(|case| {
        let turn = turns.entry(case.neighbourhood).or_default();
        *turn += 1;
        (*turn, case.neighbourhood)
    });
    cases.into_iter().partition(|case| {
        let takes: Duration = case
            .tests
            .iter()
            .map(|test| baseline.tests[*test].time)
            .sum();
        let fits = takes <= left;
        left = left.saturating_sub(takes);
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::baseline::Test;

    fn baseline(seconds: u64) -> Baseline {
        let time = Duration::from_secs(seconds);
        let test = Test {
            time,
            ..Test::default()
        };
        Baseline {
            tests: vec![test],
            workers: 1,
        }
    }

    fn tried(cases: &[(u32, usize)], seconds: u64) -> Vec<u32> {
        let cases = cases.iter().map(|(id, neighbourhood)| Case {
            id: *id,
            neighbourhood: *neighbourhood,
            tests: vec![0],
        });
        within_time(cases.collect(), &baseline(seconds))
            .0
            .into_iter()
            .map(|case| case.id)
            .collect()
    }

    #[test]
    fn slow_tests_are_tried_with_as_many_mutants_as_there_is_time_for_and_of_every_statement() {
        assert_eq!(
            tried(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)], 20),
            [1, 5, 2],
            "three times the whole suite"
        );
        assert_eq!(
            tried(&[(1, 1), (2, 1), (3, 1)], 1),
            [1, 2, 3],
            "there is time for all"
        );
    }
}
