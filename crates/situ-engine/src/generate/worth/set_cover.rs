//! The fewest tests that together are worth as much as all of them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A proposed test, by what it would add.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// Mutants that it kills and nothing that is there does.
    pub kills: BTreeSet<u32>,
    /// What it reaches and nothing that is there does.
    pub reaches: BTreeSet<u32>,
    /// The new lines that it takes.
    pub lines: usize,
    /// What a reader pays for it beyond its lines; of equal offers the cheapest is taken.
    pub cost: usize,
}

/// Chooses offers, the best first, as places in the list: again and again the one that adds most kills, then most reach,
/// for the fewest lines, as long as lines are left.
pub(crate) fn choose(offers: &[Offer], max_lines: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let (mut killed, mut reached) = (BTreeSet::new(), BTreeSet::new());
    let mut left = max_lines;
    loop {
        let gain = |at: &usize| {
            let offer = &offers[*at];
            (
                offer.kills.difference(&killed).count(),
                offer.reaches.difference(&reached).count(),
            )
        };
        let best = (0..offers.len())
            .filter(|at| offers[*at].lines <= left && gain(at) > (0, 0))
            .max_by_key(|at| {
                let offer = &offers[*at];
                (gain(at), Reverse((offer.lines, offer.cost, *at)))
            });
        let Some(best) = best else {
            return without_superfluous(offers, chosen);
        };
        killed.extend(&offers[best].kills);
        reached.extend(&offers[best].reaches);
        left -= offers[best].lines;
        chosen.push(best);
    }
}

/// Leaves out what later choices have made superfluous, the longest first.
fn without_superfluous(offers: &[Offer], mut chosen: Vec<usize>) -> Vec<usize> {
    let mut by_length = chosen.clone();
    by_length.sort_by_key(|at| Reverse((offers[*at].lines, offers[*at].cost, *at)));
    for candidate in by_length {
        let others = || chosen.iter().filter(|at| **at != candidate);
        let is_killed = |id: &u32| others().any(|at| offers[*at].kills.contains(id));
        let is_reached = |place: &u32| others().any(|at| offers[*at].reaches.contains(place));
        let offer = &offers[candidate];
        if offer.kills.iter().all(is_killed) && offer.reaches.iter().all(is_reached) {
            chosen.retain(|at| *at != candidate);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(kills: &[u32], reaches: &[u32], lines: usize) -> Offer {
        Offer {
            kills: kills.iter().copied().collect(),
            reaches: reaches.iter().copied().collect(),
            lines,
            cost: 0,
        }
    }

    #[test]
    fn the_fewest_tests_that_kill_everything_come_best_first() {
        let offers = [
            offer(&[1], &[], 1),
            offer(&[1, 2, 3], &[], 4),
            offer(&[3, 4], &[], 2),
            offer(&[], &[], 1),
        ];
        assert_eq!(choose(&offers, 100), [1, 2]);
    }

    #[test]
    fn kills_come_before_reach_and_lines_are_counted() {
        let offers = [
            offer(&[], &[1, 2, 3], 1),
            offer(&[7], &[], 30),
            offer(&[8], &[], 30),
        ];
        assert_eq!(
            choose(&offers, 40),
            [1, 0],
            "there is no room for another 30"
        );
        assert_eq!(choose(&offers, 0), [0; 0]);
    }

    #[test]
    fn what_later_choices_make_up_for_is_left_out() {
        let offers = [
            offer(&[1, 2, 3, 4], &[], 9),
            offer(&[1, 2, 5], &[], 2),
            offer(&[3, 4, 6], &[], 2),
        ];
        assert_eq!(choose(&offers, 100), [1, 2]);
    }

    #[test]
    fn of_equal_tests_the_shortest_is_chosen() {
        let offers = [offer(&[1], &[], 5), offer(&[1], &[], 2)];
        assert_eq!(choose(&offers, 100), [1]);
    }
}
