//! Finds by bisection which of many things make a build fail, so that none is dropped because of
//! another.

use anyhow::Result;

/// Returns the things that hold together, and those that do not, found by bisection. Each call of
/// `hold` costs a build.
pub(crate) fn that_hold<T: Clone>(
    all: &[T],
    hold: &mut dyn FnMut(&[T]) -> Result<bool>,
) -> Result<(Vec<T>, Vec<T>)> {
    if all.is_empty() || hold(all)? {
        return Ok((all.to_vec(), Vec::new()));
    }
    if let [only] = all {
        return Ok((Vec::new(), vec![only.clone()]));
    }
    let (first, second) = all.split_at(all.len() / 2);
    let (mut kept, mut rejected) = that_hold(first, hold)?;
    let (others, more) = that_hold(second, hold)?;
    let together: Vec<T> = kept.iter().chain(&others).cloned().collect();
    // If no single thing is to blame, one half is dropped for the other.
    let is_checked = rejected.is_empty() && more.is_empty();
    match others.is_empty() || kept.is_empty() || (!is_checked && hold(&together)?) {
        true => kept = together,
        false => rejected.extend(others),
    }
    rejected.extend(more);
    Ok((kept, rejected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bisects `all` things of which the sets in `bad` do not hold together. Returns what is kept,
    /// what is rejected, and the number of calls.
    fn holding(all: usize, bad: &[&[usize]]) -> (Vec<usize>, Vec<usize>, usize) {
        let all: Vec<usize> = (0..all).collect();
        let mut calls = 0;
        let mut hold = |some: &[usize]| {
            calls += 1;
            Ok(!bad
                .iter()
                .any(|bad| bad.iter().all(|one| some.contains(one))))
        };
        let (kept, rejected) = that_hold(&all, &mut hold).unwrap();
        (kept, rejected, calls)
    }

    #[test]
    fn only_what_is_to_blame_is_rejected() {
        assert_eq!(holding(8, &[]), ((0..8).collect(), vec![], 1));
        let (kept, rejected, calls) = holding(64, &[&[5]]);
        assert_eq!((kept.len(), rejected), (63, vec![5]));
        assert!(calls < 24, "{calls}");
        assert_eq!(holding(9, &[&[0], &[8]]).1, [0, 8]);
        assert_eq!(holding(3, &[&[0], &[1], &[2]]).0, [0; 0]);
    }

    #[test]
    fn of_things_that_do_not_go_together_some_are_left() {
        let (kept, rejected, _) = holding(4, &[&[0, 3]]);
        assert!(!kept.is_empty(), "one half is left");
        assert!(!(kept.contains(&0) && kept.contains(&3)), "{kept:?}");
        assert_eq!(kept.len() + rejected.len(), 4);
    }
}
