//! The branches of fragments: which of them tests cover, and where the others are.

use super::existing_branches::Existing;
use crate::generate::extract::candidate::statement::{StatementIdx, Statements};
use crate::generate::extract::compile::verify::ShownTest;
use crate::generate::extract::find::survey::Survey;
use crate::generate::extract::report::Summary;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Counts each branch once, and by the fragments that have tests; says which ones no test takes, as far as that is known: `existing`
/// tells of the tests that were there, given the branches that no new one takes.
pub(crate) fn count_branches(
    summary: &mut Summary,
    found: &Statements,
    survey: &Survey,
    tests: &[ShownTest],
    existing: &dyn Fn(&BTreeSet<u32>) -> Existing,
) {
    let mut taken_by_tests: BTreeMap<StatementIdx, BTreeSet<u32>> = BTreeMap::new();
    for test in tests {
        let statement = &found.all[test.statement];
        let taken = test
            .rows
            .iter()
            .flat_map(|row| &statement.candidates[row.candidate].target);
        let own = taken.filter(|mark| statement.branches.contains(mark));
        taken_by_tests
            .entry(test.statement)
            .or_default()
            .extend(own);
    }
    let taken: BTreeSet<u32> = taken_by_tests.values().flatten().copied().collect();
    summary.fragment_branches = found.branches.len();
    summary.fragment_branches_reached = found.branches_taken.len();
    summary.fragment_branches_covered = taken.len();
    let places = places(survey);
    let open: BTreeSet<u32> = found.branches.difference(&taken).copied().collect();
    let Existing {
        taken: taken_before,
        unknown,
    } = existing(&open);
    summary.fragment_branches_covered_before = taken_before.intersection(&found.branches).count();
    let is_untaken = |mark: &&u32| !taken_before.contains(mark) && !unknown.contains(mark);
    let untaken = open
        .iter()
        .filter(is_untaken)
        .filter_map(|mark| places.get(mark));
    let untaken: BTreeSet<&(&Path, usize)> = untaken.collect();
    summary.untaken_branches = untaken
        .iter()
        .map(|(file, line)| format!("{}:{line}", file.display()))
        .collect();
    for (at, covered) in &taken_by_tests {
        let statement = &found.all[*at];
        let (all, reached) = (statement.branches.len(), statement.taken.len());
        if all == 0 {
            continue;
        }
        summary.branching_fragments += 1;
        summary.branching_fragments_covered += usize::from(covered.len() == all);
        summary.branching_fragments_reached += usize::from(reached == all);
        summary.branch_coverage_sum += covered.len() as f64 / all as f64;
        summary.branch_reach_sum += reached as f64 / all as f64;
        let own = statement.branches.difference(covered).filter(is_untaken);
        let lines = own.filter_map(|mark| Some(places.get(mark)?.1));
        if let Some(of_statement) = summary.statements.get_mut(at.at()) {
            of_statement.branches = Some(all);
            of_statement.untaken_branches = lines.collect::<BTreeSet<_>>().into_iter().collect();
        }
    }
}

/// Returns the file and line of each mark.
fn places(survey: &Survey) -> BTreeMap<u32, (&Path, usize)> {
    let mut places = BTreeMap::new();
    for (file, branches) in &survey.branches {
        let Some(source) = survey.files.get(file) else {
            continue;
        };
        let starts: Vec<usize> = source.0.match_indices('\n').map(|(at, _)| at).collect();
        for branch in branches {
            let line = starts.partition_point(|newline| *newline < branch.at) + 1;
            places.insert(branch.mark, (file.as_path(), line));
        }
    }
    places
}
