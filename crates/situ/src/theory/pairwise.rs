//! Pairwise testing: a small set of assignments that contains every pair of values of every two
//! parameters.
//!
//! Parameters are added one after the other: each existing row gets the value that covers the most
//! new pairs, then rows are added for the remaining pairs.

/// Returns the rows, each with one index per parameter. `counts` are all positive, and there are at
/// least two of them.
pub(crate) fn covering_rows(counts: &[usize]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<Option<usize>>> = (0..counts[0])
        .flat_map(|first| (0..counts[1]).map(move |second| vec![Some(first), Some(second)]))
        .collect();
    for parameter in 2..counts.len() {
        extend(&mut rows, counts, parameter);
    }
    // A value that no pair needs is arbitrary; varying it keeps such rows distinct.
    let fill = |(at, row): (usize, Vec<Option<usize>>)| {
        row.into_iter()
            .zip(counts)
            .map(|(value, &count)| value.unwrap_or(at % count))
            .collect()
    };
    rows.into_iter().enumerate().map(fill).collect()
}

/// The covered pairs of the new parameter and the earlier ones.
struct Met {
    /// Per earlier parameter, per its value, per value of the new parameter.
    met: Vec<Vec<Vec<bool>>>,
}

impl Met {
    fn none(earlier: &[usize], count: usize) -> Self {
        Self {
            met: earlier
                .iter()
                .map(|&values| vec![vec![false; count]; values])
                .collect(),
        }
    }

    /// Returns the value that covers the most new pairs, or `None` if none does. Starting at
    /// another value in each row spreads the values if several cover equally many.
    fn best(&self, row: &[Option<usize>], start: usize) -> Option<usize> {
        let count = self.met[0][0].len();
        let mut best = (0, None);
        for value in (0..count).map(|step| (start + step) % count) {
            let gain = self.gain(row, value);
            if gain > best.0 {
                best = (gain, Some(value));
            }
        }
        best.1
    }

    fn gain(&self, row: &[Option<usize>], value: usize) -> usize {
        let unmet = |(met, other): (&Vec<Vec<bool>>, &Option<usize>)| {
            other.is_some_and(|other| !met[other][value])
        };
        self.met.iter().zip(row).filter(|&pair| unmet(pair)).count()
    }

    fn note(&mut self, row: &[Option<usize>], value: usize) {
        for (parameter, other) in row.iter().enumerate() {
            if let Some(other) = other {
                self.met[parameter][*other][value] = true;
            }
        }
    }
}

fn extend(rows: &mut Vec<Vec<Option<usize>>>, counts: &[usize], parameter: usize) {
    let count = counts[parameter];
    let mut met = Met::none(&counts[..parameter], count);
    for (at, row) in rows.iter_mut().enumerate() {
        let value = met.best(row, at);
        if let Some(value) = value {
            met.note(row, value);
        }
        row.push(value);
    }
    let grown = rows.len();
    for (earlier, values) in met.met.iter().enumerate() {
        for (other, met_by_other) in values.iter().enumerate() {
            for value in (0..count).filter(|&value| !met_by_other[value]) {
                if !found_room(&mut rows[grown..], parameter, (earlier, other), value) {
                    let mut row = vec![None; parameter + 1];
                    row[earlier] = Some(other);
                    row[parameter] = Some(value);
                    rows.push(row);
                }
            }
        }
    }
}

/// Adds the pair to one of the added rows, if one has the other value and is free here; returns
/// whether it did.
fn found_room(
    added: &mut [Vec<Option<usize>>],
    parameter: usize,
    (earlier, other): (usize, usize),
    value: usize,
) -> bool {
    let room = added
        .iter_mut()
        .find(|row| row[parameter] == Some(value) && row[earlier].is_none());
    room.map(|row| row[earlier] = Some(other)).is_some()
}

#[cfg(test)]
mod tests {
    use super::covering_rows;

    #[track_caller]
    fn check(counts: &[usize], at_most: usize) {
        let rows = covering_rows(counts);
        assert!(rows.len() <= at_most, "{} rows", rows.len());
        for first in 0..counts.len() {
            for second in first + 1..counts.len() {
                let mut pairs: Vec<_> = rows.iter().map(|row| (row[first], row[second])).collect();
                pairs.sort_unstable();
                pairs.dedup();
                assert_eq!(
                    pairs.len(),
                    counts[first] * counts[second],
                    "parameters {first} and {second}"
                );
            }
        }
    }

    #[test]
    fn every_two_values_of_every_two_parameters_meet() {
        check(&[2, 3], 6);
        check(&[5, 4, 3], 20);
        check(&[7, 7, 7, 7, 7, 7], 90);
        check(&[3, 1, 4, 1, 5, 9, 2, 6], 54 + 20);
        check(&[10, 2, 10], 100);
    }

    #[test]
    fn a_large_product_keeps_a_small_cover() {
        check(&[100, 100, 100], 10_000);
    }
}
