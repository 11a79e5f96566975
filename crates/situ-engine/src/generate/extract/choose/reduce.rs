//! Reduction: the fewest rows that meet the same goals as all of them.

use std::collections::{BTreeMap, BTreeSet};

/// The set-cover algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Repeatedly the row that meets most of the remaining goals.
    #[default]
    Greedy,
    /// First the rows that alone meet a goal, then greedily.
    Ge,
    /// As `Ge`, removing rows in between whose goals another row meets.
    Gre,
    /// The goals that the fewest rows meet first.
    Hgs,
}

/// A row with its goals: mutants that it kills, or branches that it covers.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// What it meets.
    pub meets: BTreeSet<u32>,
    /// The cost for a reader; of equal rows the cheapest is chosen.
    pub cost: usize,
}

/// Returns rows that together meet every goal that any row meets, as indices in order.
pub(crate) fn reduce(algorithm: Algorithm, rows: &[Row]) -> Vec<usize> {
    let mut search = Search {
        rows,
        open: rows
            .iter()
            .flat_map(|row| row.meets.iter().copied())
            .collect(),
        usable: (0..rows.len()).collect(),
        kept: BTreeSet::new(),
    };
    match algorithm {
        Algorithm::Greedy => {}
        Algorithm::Ge => {
            search.take_essential();
        }
        Algorithm::Gre => while search.remove_redundant() | search.take_essential() {},
        Algorithm::Hgs => search.take_by_rarity(),
    }
    search.take_greedily();
    search.drop_superfluous();
    search.kept.into_iter().collect()
}

/// Returns rows that together meet every goal, or the cheapest row if there is no goal.
pub(crate) fn covering(algorithm: Algorithm, rows: &[Row]) -> Vec<usize> {
    let kept = reduce(algorithm, rows);
    if !kept.is_empty() {
        return kept;
    }
    (0..rows.len())
        .min_by_key(|at| (rows[*at].cost, *at))
        .into_iter()
        .collect()
}

struct Search<'r> {
    rows: &'r [Row],
    open: BTreeSet<u32>,
    usable: BTreeSet<usize>,
    kept: BTreeSet<usize>,
}

impl Search<'_> {
    fn take(&mut self, row: usize) {
        self.kept.insert(row);
        self.usable.remove(&row);
        self.open
            .retain(|what| !self.rows[row].meets.contains(what));
    }

    fn gain(&self, row: usize) -> usize {
        self.rows[row].meets.intersection(&self.open).count()
    }

    fn best_of(&self, rows: impl Iterator<Item = usize>) -> Option<usize> {
        rows.max_by_key(|row| {
            (
                self.gain(*row),
                std::cmp::Reverse((self.rows[*row].cost, *row)),
            )
        })
    }

    fn take_greedily(&mut self) {
        while !self.open.is_empty() {
            let Some(best) = self.best_of(self.usable.iter().copied()) else {
                return;
            };
            self.take(best);
        }
    }

    /// Takes the rows that alone meet a goal; returns whether there are any.
    fn take_essential(&mut self) -> bool {
        let mut meeting: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for row in &self.usable {
            for what in self.rows[*row].meets.intersection(&self.open) {
                meeting.entry(*what).or_default().push(*row);
            }
        }
        let essential: BTreeSet<usize> = meeting
            .into_values()
            .filter_map(|rows| (rows.len() == 1).then(|| rows[0]))
            .collect();
        essential.iter().for_each(|row| self.take(*row));
        !essential.is_empty()
    }

    /// Removes rows whose goals another row meets; returns whether there are any.
    fn remove_redundant(&mut self) -> bool {
        let before = self.usable.len();
        let gains: BTreeMap<usize, BTreeSet<u32>> = self
            .usable
            .iter()
            .map(|row| {
                (
                    *row,
                    self.rows[*row]
                        .meets
                        .intersection(&self.open)
                        .copied()
                        .collect(),
                )
            })
            .collect();
        for (row, own) in &gains {
            let worth = |at: usize| {
                (
                    gains[&at].len(),
                    std::cmp::Reverse((self.rows[at].cost, at)),
                )
            };
            let covered = self.usable.iter().any(|other| {
                other != row && own.is_subset(&gains[other]) && worth(*other) > worth(*row)
            });
            if covered {
                self.usable.remove(row);
            }
        }
        self.usable.len() < before
    }

    /// Takes rows for the goals that one row meets first, then for those that two meet, and so on.
    fn take_by_rarity(&mut self) {
        while !self.open.is_empty() {
            let count = |what: &u32| {
                self.usable
                    .iter()
                    .filter(|row| self.rows[**row].meets.contains(what))
                    .count()
            };
            let Some(rarest) = self
                .open
                .iter()
                .copied()
                .min_by_key(|what| (count(what), *what))
            else {
                return;
            };
            let rows = self
                .usable
                .iter()
                .copied()
                .filter(|row| self.rows[*row].meets.contains(&rarest));
            let Some(best) = self.best_of(rows) else {
                return;
            };
            self.take(best);
        }
    }

    /// Drops rows that later ones made redundant, the most expensive first.
    fn drop_superfluous(&mut self) {
        let mut order: Vec<usize> = self.kept.iter().copied().collect();
        order.sort_by_key(|row| std::cmp::Reverse((self.rows[*row].cost, *row)));
        for row in order {
            let others: BTreeSet<u32> = self
                .kept
                .iter()
                .filter(|other| **other != row)
                .flat_map(|other| self.rows[*other].meets.iter().copied())
                .collect();
            if self.rows[row].meets.is_subset(&others) {
                self.kept.remove(&row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(&[u32], usize)]) -> Vec<Row> {
        of.iter()
            .map(|(meets, cost)| Row {
                meets: meets.iter().copied().collect(),
                cost: *cost,
            })
            .collect()
    }

    const ALL: [Algorithm; 4] = [
        Algorithm::Greedy,
        Algorithm::Ge,
        Algorithm::Gre,
        Algorithm::Hgs,
    ];

    #[test]
    fn nothing_that_any_row_meets_is_lost() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for _ in 0..200 {
            let made: Vec<Row> = (0..random() % 12)
                .map(|_| Row {
                    meets: (0..random() % 6).map(|_| random() % 10).collect(),
                    cost: random() as usize % 50,
                })
                .collect();
            let all: BTreeSet<u32> = made.iter().flat_map(|row| row.meets.clone()).collect();
            for algorithm in ALL {
                let kept = reduce(algorithm, &made);
                let met: BTreeSet<u32> = kept
                    .iter()
                    .flat_map(|row| made[*row].meets.clone())
                    .collect();
                assert_eq!(met, all, "{algorithm:?} of {made:?}");
                for without in &kept {
                    let rest: BTreeSet<u32> = kept
                        .iter()
                        .filter(|row| *row != without)
                        .flat_map(|row| made[*row].meets.clone())
                        .collect();
                    assert_ne!(
                        rest, all,
                        "{algorithm:?} keeps {without} for nothing in {made:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn of_equal_rows_the_cheapest_stays() {
        let made = rows(&[(&[1, 2], 90), (&[1, 2], 10), (&[2], 1)]);
        for algorithm in ALL {
            assert_eq!(reduce(algorithm, &made), [1], "{algorithm:?}");
        }
    }

    #[test]
    fn rows_that_add_a_branch_stay_and_one_stays_without_any() {
        assert_eq!(
            covering(
                Algorithm::Greedy,
                &rows(&[(&[1], 5), (&[1, 2], 9), (&[2], 7)])
            ),
            [1]
        );
        assert_eq!(
            covering(Algorithm::Greedy, &rows(&[(&[], 5), (&[], 2)])),
            [1]
        );
    }
}
