//! The assignments of a theory that run, their order, and the number of each.

use super::pairwise::covering_rows;

/// The number of assignments above which a subset runs, unless the user asks for all.
pub(crate) const BOUND: u128 = 100_000;

/// The assignments to run: each is one index per parameter.
pub(crate) struct Assignments {
    counts: Vec<usize>,
    choice: Choice,
}

enum Choice {
    All,
    One(Vec<usize>),
    Rows(Vec<Vec<usize>>),
    Spread(u64),
}

impl Assignments {
    /// Selects all assignments, or a subset if they exceed the bound.
    pub(crate) fn within_bound(counts: &[usize], full: bool) -> Self {
        let choice = if full || counts.len() < 2 || product(counts) <= BOUND {
            Choice::All
        } else {
            subset(counts)
        };
        Self {
            counts: counts.to_vec(),
            choice,
        }
    }

    /// Selects the one with that number, counted from one, or returns `None` if there are fewer.
    pub(crate) fn one(counts: &[usize], ordinal: u128) -> Option<Self> {
        if ordinal == 0 || ordinal > product(counts) {
            return None;
        }
        let mut left = ordinal - 1;
        let mut at = vec![0; counts.len()];
        for (index, &count) in at.iter_mut().zip(counts).rev() {
            *index = (left % count as u128) as usize;
            left /= count as u128;
        }
        Some(Self {
            counts: counts.to_vec(),
            choice: Choice::One(at),
        })
    }

    /// Describes what is omitted, or returns `None` if all run.
    pub(crate) fn left_out(&self) -> Option<String> {
        let product = product(&self.counts);
        let chosen = match &self.choice {
            Choice::All | Choice::One(_) => return None,
            Choice::Rows(rows) => {
                format!(
                    "{} in which every two values of every two parameters meet were run",
                    rows.len()
                )
            }
            Choice::Spread(rows) => format!("{rows} spread over all of them were run"),
        };
        Some(format!(
            "of {product} assignments, more than {BOUND}, {chosen}; `#[theory(full)]` runs all"
        ))
    }

    /// Calls `visit` with each assignment.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&[usize])) {
        match &self.choice {
            Choice::All => self.each_of_all(visit),
            Choice::One(at) => visit(at),
            Choice::Rows(rows) => rows.iter().for_each(|row| visit(row)),
            Choice::Spread(rows) => self.each_spread(*rows, visit),
        }
    }

    /// Returns the number of an assignment in the order of nested loops, counted from one.
    pub(crate) fn ordinal(&self, at: &[usize]) -> u128 {
        let loops = at.iter().zip(&self.counts);
        let rank = loops.fold(0_u128, |rank, (&index, &count)| {
            rank.saturating_mul(count as u128)
                .saturating_add(index as u128)
        });
        rank.saturating_add(1)
    }

    /// Visits all assignments along diagonals: every index moves at every step, so that values
    /// constructed together are also used together. The parameter with the most values is the
    /// fastest loop; during one turn of it, all others go round once or more.
    fn each_of_all(&self, visit: &mut dyn FnMut(&[usize])) {
        let mut slowest_first: Vec<usize> = (0..self.counts.len()).collect();
        slowest_first.sort_by_key(|&parameter| self.counts[parameter]);
        let Some(&fastest) = slowest_first.last() else {
            return visit(&[]);
        };
        if self.counts.contains(&0) {
            return;
        }
        let mut loops = vec![0; self.counts.len()];
        let mut at = loops.clone();
        loop {
            for _ in 0..self.counts[fastest] {
                visit(&at);
                for (index, &count) in at.iter_mut().zip(&self.counts) {
                    *index = if *index + 1 == count { 0 } else { *index + 1 };
                }
            }
            if !self.next_turn(&slowest_first, &mut loops) {
                return;
            }
            self.onto_diagonal(&slowest_first, &loops, &mut at);
        }
    }

    /// Advances all loops but the fastest; returns false after the last turn.
    fn next_turn(&self, slowest_first: &[usize], loops: &mut [usize]) -> bool {
        for &parameter in slowest_first.iter().rev().skip(1) {
            loops[parameter] += 1;
            if loops[parameter] < self.counts[parameter] {
                return true;
            }
            loops[parameter] = 0;
        }
        false
    }

    /// Computes the indices: each is its own loop's counter plus those of all faster loops, so no
    /// two assignments are equal.
    fn onto_diagonal(&self, slowest_first: &[usize], loops: &[usize], at: &mut [usize]) {
        let mut faster = 0;
        for &parameter in slowest_first.iter().rev() {
            faster += loops[parameter];
            at[parameter] = faster % self.counts[parameter];
        }
    }

    /// Visits evenly spread assignments. They are distinct because the step shares no factor with
    /// the product.
    fn each_spread(&self, rows: u64, visit: &mut dyn FnMut(&[usize])) {
        let product = product(&self.counts).min(u128::from(u64::MAX));
        let mut step = product * 618 / 1000;
        while gcd(step, product) != 1 {
            step += 1;
        }
        let mut at = vec![0; self.counts.len()];
        for row in 0..rows {
            let mut left = u128::from(row) * step % product;
            for (index, &count) in at.iter_mut().zip(&self.counts).rev() {
                *index = (left % count as u128) as usize;
                left /= count as u128;
            }
            visit(&at);
        }
    }
}

fn subset(counts: &[usize]) -> Choice {
    let mut largest: Vec<usize> = (0..counts.len()).collect();
    largest.sort_by_key(|&parameter| usize::MAX - counts[parameter]);
    let sorted: Vec<usize> = largest.iter().map(|&parameter| counts[parameter]).collect();
    // Every pair of values of the two largest parameters needs a row of its own.
    if product(&sorted[..2]) > BOUND {
        return Choice::Spread((BOUND as u64).max(sorted[0] as u64));
    }
    let back = |row: Vec<usize>| {
        let mut at = vec![0; row.len()];
        row.into_iter()
            .zip(&largest)
            .for_each(|(index, &parameter)| at[parameter] = index);
        at
    };
    Choice::Rows(covering_rows(&sorted).into_iter().map(back).collect())
}

pub(crate) fn product(counts: &[usize]) -> u128 {
    counts.iter().fold(1, |product: u128, &count| {
        product.saturating_mul(count as u128)
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Assignments;
    use std::collections::HashSet;

    fn visited(assignments: &Assignments) -> Vec<Vec<usize>> {
        let mut visited = Vec::new();
        assignments.each(&mut |at| visited.push(at.to_vec()));
        visited
    }

    #[test]
    fn all_assignments_run_exactly_once() {
        for counts in [&[3][..], &[2, 3], &[3, 2], &[4, 1, 3, 2], &[5, 5, 5]] {
            let all = Assignments::within_bound(counts, false);
            let visited = visited(&all);
            let ordinals: HashSet<u128> = visited.iter().map(|at| all.ordinal(at)).collect();
            let product: usize = counts.iter().product();
            assert_eq!(visited.len(), product);
            assert_eq!(ordinals, (1..=product as u128).collect());
            assert_eq!(all.left_out(), None);
        }
    }

    #[test]
    fn a_number_names_one_assignment() {
        let one = Assignments::one(&[2, 3], 5).unwrap();
        assert_eq!(visited(&one), [[1, 1]]);
        assert_eq!(one.ordinal(&[1, 1]), 5);
        assert!(Assignments::one(&[2, 3], 7).is_none());
        assert!(Assignments::one(&[2, 3], 0).is_none());
    }

    #[test]
    fn a_product_over_the_bound_runs_a_cover_unless_it_is_asked_for_whole() {
        let cover = Assignments::within_bound(&[20, 100, 60], false);
        assert_eq!(visited(&cover).len(), 6_000);
        assert!(
            visited(&cover)
                .iter()
                .all(|at| at[0] < 20 && at[1] < 100 && at[2] < 60)
        );
        assert!(
            cover
                .left_out()
                .unwrap()
                .starts_with("of 120000 assignments")
        );
        assert_eq!(
            visited(&Assignments::within_bound(&[20, 100, 60], true)).len(),
            120_000
        );
    }

    #[test]
    fn where_even_a_cover_is_too_large_distinct_assignments_are_spread() {
        let spread = Assignments::within_bound(&[400, 500], false);
        let distinct: HashSet<_> = visited(&spread).into_iter().collect();
        assert_eq!(distinct.len(), 100_000);
        assert_eq!(
            distinct
                .iter()
                .map(|at| at[0])
                .collect::<HashSet<_>>()
                .len(),
            400
        );
    }
}
