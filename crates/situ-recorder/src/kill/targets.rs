//! The mutants that a process looks for calls for, from lines of its job.

use std::collections::HashMap;

/// After so many executions with a mutant and no difference, it is probably equivalent.
pub(super) const ENOUGH: u64 = 100_000;
/// A call that shows less than a difference of values may be replaced by a better one for so many executions more.
const BETTER: u64 = 3_000;

/// A mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Its number.
    pub mutant: u32,
    /// Whether it stands in the function that is called.
    pub is_own: bool,
    /// Executions with it on.
    pub executions: u64,
    /// How good the difference is that was found, and after how many executions.
    pub found: Option<(u8, u64)>,
}

impl Target {
    /// Whether nothing more is to be found out of it.
    pub(super) fn is_done(&self) -> bool {
        match self.found {
            Some((0, _)) => true,
            Some((_, at)) => self.executions > at + BETTER,
            None => self.executions >= ENOUGH,
        }
    }
}

/// The mutants, by the site that they are switched at.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    pub all: Vec<Target>,
    by_site: HashMap<u32, Vec<usize>>,
}

impl Targets {
    /// Reads lines `own SITE MUTANT…` and `target SITE MUTANT…`; `skip MUTANT` takes one out.
    pub(super) fn parse(text: &str) -> Targets {
        let mut targets = Targets::default();
        let numbers = |rest: &str| -> Vec<u32> {
            rest.split(' ')
                .filter_map(|word| word.parse().ok())
                .collect()
        };
        let skipped: Vec<u32> = text
            .lines()
            .filter_map(|line| line.strip_prefix("skip "))
            .flat_map(numbers)
            .collect();
        for line in text.lines() {
            let (is_own, rest) = match (line.strip_prefix("own "), line.strip_prefix("target ")) {
                (Some(rest), _) => (true, rest),
                (None, Some(rest)) => (false, rest),
                (None, None) => continue,
            };
            let numbers = numbers(rest);
            let Some((site, mutants)) = numbers.split_first() else {
                continue;
            };
            for mutant in mutants.iter().filter(|mutant| !skipped.contains(mutant)) {
                targets
                    .by_site
                    .entry(*site)
                    .or_default()
                    .push(targets.all.len());
                targets.all.push(Target {
                    mutant: *mutant,
                    is_own,
                    executions: 0,
                    found: None,
                });
            }
        }
        targets
    }

    /// The mutants at these sites of which something is to be found out: so many at most, those with the fewest executions.
    pub(super) fn open_at(&self, sites: &[u32], most: usize) -> Vec<usize> {
        let at_sites = sites.iter().filter_map(|site| self.by_site.get(site));
        let mut open: Vec<usize> = at_sites
            .flatten()
            .copied()
            .filter(|at| !self.all[*at].is_done())
            .collect();
        if open.len() > most {
            open.sort_by_key(|at| (!self.all[*at].is_own, self.all[*at].executions));
            open.truncate(most);
        }
        open
    }

    /// Whether nothing more is to be found out in this process.
    pub(super) fn are_done(&self) -> bool {
        self.all.iter().all(Target::is_done)
    }
}

#[cfg(test)]
mod tests {
    use super::{ENOUGH, Targets};

    #[test]
    fn mutants_are_found_by_their_site_until_they_are_done() {
        let mut targets = Targets::parse("seed 1\nown 4 4 5\ntarget 9 9\nskip 5\n");
        assert_eq!(targets.all.len(), 2);
        assert!(targets.all[0].is_own && !targets.all[1].is_own);
        assert_eq!(targets.open_at(&[9, 4, 7], 5), [1, 0]);
        targets.all[1].executions = 3;
        assert_eq!(targets.open_at(&[9, 4], 1), [0]);
        targets.all[0].found = Some((0, 1));
        targets.all[1].executions = ENOUGH;
        assert!(targets.open_at(&[9, 4], 5).is_empty() && targets.are_done());
    }
}
