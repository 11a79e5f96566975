//! Long lists in which nearly all elements are equal, such as tables of flags and hardly used
//! buffers.

use super::is_copied;
use situ_recorder::value::{SeqKind, Value};

/// Minimum length of a list; a shorter one is readable as it is.
const SHORTEST: usize = 24;

/// Maximum number of runs of other elements.
const MAX_RUNS: usize = 8;

/// List in which nearly all elements are equal.
pub(super) struct Filled<'v> {
    /// Element at nearly all positions.
    pub common: &'v Value,
    /// Length of the whole list.
    pub length: usize,
    /// Runs of other elements: index of the first, and the elements.
    pub runs: Vec<(usize, &'v [Value])>,
}

impl Filled<'_> {
    /// Returns the list in this form, or `None` if that is not shorter.
    pub(super) fn of(kind: SeqKind, items: &[Value]) -> Option<Filled<'_>> {
        let is_list = matches!(kind, SeqKind::Array | SeqKind::Slice | SeqKind::Vec);
        if !is_list || items.len() < SHORTEST || !items.iter().all(is_copied) {
            return None;
        }
        let common = majority(items);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for at in (0..items.len()).filter(|at| items[*at] != *common) {
            match runs.last_mut() {
                Some((_, end)) if *end == at => *end += 1,
                _ => runs.push((at, at + 1)),
            }
        }
        let others: usize = runs.iter().map(|(start, end)| end - start).sum();
        let is_shorter = !runs.is_empty() && runs.len() <= MAX_RUNS && others * 4 <= items.len();
        let runs = runs
            .into_iter()
            .map(|(start, end)| (start, &items[start..end]))
            .collect();
        is_shorter.then_some(Filled {
            common,
            length: items.len(),
            runs,
        })
    }
}

/// Returns the majority element if there is one, otherwise any element (Boyer–Moore).
fn majority(items: &[Value]) -> &Value {
    let (mut found, mut lead) = (&items[0], 0_usize);
    for item in items {
        match (lead, item == found) {
            (0, _) => (found, lead) = (item, 1),
            (_, true) => lead += 1,
            (_, false) => lead -= 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(length: usize, set: &[usize]) -> Vec<Value> {
        (0..length)
            .map(|at| Value::Bool(set.contains(&at)))
            .collect()
    }

    #[test]
    fn a_table_with_few_flags_is_known_by_them() {
        let items = flags(256, &[10, 13, 14]);
        let filled = Filled::of(SeqKind::Array, &items).unwrap();
        assert_eq!((filled.common, filled.length), (&Value::Bool(false), 256));
        assert_eq!(
            filled
                .runs
                .iter()
                .map(|(start, run)| (*start, run.len()))
                .collect::<Vec<_>>(),
            [(10, 1), (13, 2)]
        );
    }

    #[test]
    fn what_is_short_all_the_same_or_mixed_is_written_as_it_is() {
        for items in [
            flags(20, &[3]),
            flags(256, &[]),
            flags(32, &(0..20).collect::<Vec<_>>()),
        ] {
            assert!(Filled::of(SeqKind::Vec, &items).is_none(), "{items:?}");
        }
        let texts = vec![Value::Str("a".to_owned()); 40];
        assert!(
            Filled::of(SeqKind::Vec, &texts).is_none(),
            "texts are not copied"
        );
    }
}
