//! Fewer candidates for a fragment: a fragment holds whole values and has many paths, so its rows are long and many.

use super::candidate::Candidate;
use std::collections::{BTreeMap, BTreeSet};

/// Candidates of one fragment that are compiled and judged.
const MOST_CANDIDATES: usize = 48;

/// The candidates to try: the shortest of every path through the fragment, then the next shortest of each, and so on.
pub fn sample(candidates: Vec<Candidate>, branches: &BTreeSet<u32>) -> Vec<Candidate> {
    if candidates.len() <= MOST_CANDIDATES {
        return candidates;
    }
    let mut paths: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        let path: Vec<&u32> = candidate.target.intersection(branches).collect();
        let claims: Vec<_> = candidate.claims.iter().map(std::mem::discriminant).collect();
        paths.entry(format!("{path:?}{claims:?}")).or_default().push(candidate);
    }
    let mut paths: Vec<std::vec::IntoIter<Candidate>> = paths
        .into_values()
        .map(|mut path| {
            path.sort_by_cached_key(Candidate::size);
            path.into_iter()
        })
        .collect();
    let mut kept = Vec::new();
    while kept.len() < MOST_CANDIDATES && paths.iter().any(|path| path.len() > 0) {
        kept.extend(paths.iter_mut().filter_map(Iterator::next));
    }
    kept.truncate(MOST_CANDIDATES.max(paths.len()));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::candidate::Claim;
    use situ_rt::value::Value;

    fn candidate(branch: u32, text: &str) -> Candidate {
        Candidate {
            givens: vec![("s".to_owned(), Value::Str(text.to_owned()))],
            arguments: Vec::new(),
            mocks: Vec::new(),
            claims: vec![Claim::Condition(true)],
            generics: Vec::new(),
            target: BTreeSet::from([branch]),
            context: BTreeSet::new(),
        }
    }

    #[test]
    fn every_path_stays_with_its_shortest_candidates() {
        let many = (0..200).map(|number| candidate(1, &"x".repeat(number)));
        let all: Vec<Candidate> = many.chain([candidate(2, &"y".repeat(900))]).collect();
        let kept = sample(all, &BTreeSet::from([1, 2]));
        assert_eq!(kept.len(), MOST_CANDIDATES);
        assert!(kept.iter().any(|candidate| candidate.target.contains(&2)));
        let longest = kept.iter().filter(|candidate| candidate.target.contains(&1)).map(Candidate::size).max();
        assert!(longest < Some(candidate(1, &"x".repeat(100)).size()));
    }
}
