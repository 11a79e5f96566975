//! Sampling of candidates if all of them would be too much to compile: fragments have large values
//! and many paths, and some statements have long values.

use super::Candidate;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of candidates of one fragment.
const MAX_CANDIDATES: usize = 48;

/// The maximum number of candidates of one fragment with mocks that match any arguments.
const MAX_OPEN: usize = 16;

/// The maximum total length of a statement's candidates, as [`Candidate::size`] counts.
const MAX_LETTERS: usize = 150_000;

/// Returns the candidates of a fragment to try. Those with mocks that match any arguments are only
/// for branches that no other one takes.
pub(crate) fn sample(candidates: Vec<Candidate>, branches: &BTreeSet<u32>) -> Vec<Candidate> {
    let (open, own): (Vec<Candidate>, Vec<Candidate>) = candidates
        .into_iter()
        .partition(|candidate| candidate.is_open_to_calls);
    let mut kept = own;
    if kept.len() > MAX_CANDIDATES {
        let (paths, in_turns) = by_turns(kept, branches);
        kept = in_turns;
        kept.truncate(MAX_CANDIDATES.max(paths));
    }
    let is_taken = |branch: &u32| {
        kept.iter()
            .any(|candidate| candidate.target.contains(branch))
    };
    if branches.iter().all(is_taken) {
        return kept;
    }
    let has_inputs = |of: &Candidate, other: &Candidate| {
        (&of.givens, &of.arguments) == (&other.givens, &other.arguments)
    };
    let open = open
        .into_iter()
        .filter(|open| kept.iter().any(|own| has_inputs(own, open)))
        .take(MAX_OPEN);
    let open: Vec<Candidate> = open.collect();
    kept.extend(open);
    kept
}

/// Returns the candidates of a statement to try: all, unless they are too long together.
pub(crate) fn of_bearable_length(
    candidates: Vec<Candidate>,
    branches: &BTreeSet<u32>,
) -> Vec<Candidate> {
    let sizes: usize = candidates.iter().map(Candidate::size).sum();
    if sizes <= MAX_LETTERS {
        return candidates;
    }
    let (paths, mut kept) = by_turns(candidates, branches);
    let mut letters = 0;
    let borne = kept.iter().take_while(|candidate| {
        letters += candidate.size();
        letters <= MAX_LETTERS
    });
    let borne = borne.count();
    kept.truncate(borne.max(paths));
    kept
}

/// Returns the number of paths, and the candidates in rounds: the shortest of every path, then the
/// next shortest of each, and so on.
fn by_turns(candidates: Vec<Candidate>, branches: &BTreeSet<u32>) -> (usize, Vec<Candidate>) {
    let mut paths: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        let path: Vec<&u32> = candidate
            .target
            .union(&candidate.context)
            .filter(|mark| branches.contains(mark))
            .collect();
        let claims: Vec<_> = candidate
            .claims
            .iter()
            .map(std::mem::discriminant)
            .collect();
        paths
            .entry(format!("{path:?}{claims:?}"))
            .or_default()
            .push(candidate);
    }
    let mut paths: Vec<std::vec::IntoIter<Candidate>> = paths
        .into_values()
        .map(|mut path| {
            path.sort_by_cached_key(Candidate::size);
            path.into_iter()
        })
        .collect();
    let mut kept = Vec::new();
    while paths.iter().any(|path| path.len() > 0) {
        kept.extend(paths.iter_mut().filter_map(Iterator::next));
    }
    (paths.len(), kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::extract::candidate::Claim;
    use situ_recorder::value::Value;

    fn candidate(branch: u32, text: &str) -> Candidate {
        Candidate {
            givens: vec![("s".to_owned(), Value::Str(text.to_owned()))],
            claims: vec![Claim::Condition(true)],
            target: BTreeSet::from([branch]),
            ..Candidate::default()
        }
    }

    #[test]
    fn every_path_stays_with_its_shortest_candidates() {
        let many = (0..200).map(|number| candidate(1, &"x".repeat(number)));
        let all: Vec<Candidate> = many.chain([candidate(2, &"y".repeat(900))]).collect();
        let kept = sample(all, &BTreeSet::from([1, 2]));
        assert_eq!(kept.len(), MAX_CANDIDATES);
        assert!(kept.iter().any(|candidate| candidate.target.contains(&2)));
        let longest = kept
            .iter()
            .filter(|candidate| candidate.target.contains(&1))
            .map(Candidate::size)
            .max();
        assert!(longest < Some(candidate(1, &"x".repeat(100)).size()));
    }

    #[test]
    fn a_statement_with_long_values_is_tried_with_the_shortest_of_every_path() {
        let short = (0..100).map(|number| candidate(1, &"x".repeat(number)));
        let long = (0..100).map(|number| candidate(1, &"x".repeat(10_000 + number)));
        let other = candidate(2, &"y".repeat(200_000));
        let few: Vec<Candidate> = short.collect();
        let branches = BTreeSet::from([1, 2]);
        assert_eq!(
            of_bearable_length(few.clone(), &branches).len(),
            100,
            "nothing is left out where all is short"
        );
        let all: Vec<Candidate> = few.into_iter().chain(long).chain([other.clone()]).collect();
        let kept = of_bearable_length(all.clone(), &branches);
        assert!(
            kept.iter().any(|candidate| candidate.target.contains(&2)),
            "each path has its shortest"
        );
        let all_short: Vec<Candidate> = all
            .into_iter()
            .filter(|candidate| !candidate.target.contains(&2))
            .collect();
        let kept = of_bearable_length(all_short, &branches);
        assert!((100..150).contains(&kept.len()), "{}", kept.len());
    }
}
