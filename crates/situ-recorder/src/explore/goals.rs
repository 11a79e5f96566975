//! The state of every comparison in the code: its results, and the smallest distance between its
//! operands.

use super::compares::Compared;
use super::sites::{SiteMap, SiteSet};

/// The number of attempts to solve a comparison.
const MAX_TRIES: u32 = 24;
/// The number of unsuccessful repairs after which a comparison is ignored: a loop's end changes
/// with every mutation.
const MAX_MENDED_IN_VAIN: u32 = 24;

/// The state of one comparison.
#[derive(Clone, Copy, Debug, Default)]
struct Goal {
    less: bool,
    equal: bool,
    greater: bool,
    nearest: u64,
    tries: u32,
    mended_in_vain: u32,
}

/// The effect of an execution on the comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// No effect.
    #[default]
    None,
    /// Operands came much nearer to each other than before.
    Nearer,
    /// A comparison had a new result.
    Reached,
    /// Operands were equal for the first time.
    Equal,
}

/// The comparisons, by place.
#[derive(Debug, Default)]
pub struct Goals {
    by_site: SiteMap<Goal>,
}

impl Goals {
    /// Updates the state with the comparisons of an execution.
    pub fn note(&mut self, compared: &[Compared]) -> Progress {
        let mut progress = Progress::None;
        for one in compared {
            let goal = self.by_site.entry(one.site).or_insert(Goal {
                nearest: u64::MAX,
                ..Goal::default()
            });
            let seen = match one.left.cmp(&one.right) {
                std::cmp::Ordering::Less => &mut goal.less,
                std::cmp::Ordering::Equal => &mut goal.equal,
                std::cmp::Ordering::Greater => &mut goal.greater,
            };
            if !std::mem::replace(seen, true) {
                let is_equal = one.left == one.right;
                progress = progress.max(if is_equal {
                    Progress::Equal
                } else {
                    Progress::Reached
                });
            }
            let distance = distance(one);
            if !goal.equal
                && (distance < goal.nearest / 2 || (goal.nearest < 64 && distance < goal.nearest))
            {
                goal.nearest = distance;
                progress = progress.max(Progress::Nearer);
            }
        }
        progress
    }

    /// Returns whether to try to make the operands of this comparison equal.
    pub fn is_open(&self, compared: &Compared) -> bool {
        // A comparison that was equal once may be equal together with others.
        let most = |goal: &Goal| if goal.equal { 2 * MAX_TRIES } else { MAX_TRIES };
        self.by_site
            .get(&compared.site)
            .is_none_or(|goal| goal.tries < most(goal))
    }

    /// Returns whether to try to make the operands of this comparison equal again; occasionally
    /// true in any case.
    pub fn is_worth_mending(&self, compared: &Compared) -> bool {
        let in_vain = |goal: &Goal| {
            goal.mended_in_vain < MAX_MENDED_IN_VAIN || goal.mended_in_vain.is_multiple_of(8)
        };
        self.by_site.get(&compared.site).is_none_or(in_vain)
    }

    /// Notes an attempt to repair these comparisons, and whether it succeeded.
    pub fn note_mended(&mut self, spoilt: &[Compared], is_fruitful: bool) {
        let sites: SiteSet = spoilt.iter().map(|compared| compared.site).collect();
        for site in sites {
            let goal = self.by_site.entry(site).or_default();
            goal.mended_in_vain = if is_fruitful {
                0
            } else {
                goal.mended_in_vain + 1
            };
        }
    }

    /// Notes an attempt to solve this comparison.
    pub fn note_try(&mut self, compared: &Compared) {
        self.by_site.entry(compared.site).or_default().tries += 1;
    }
}

/// Returns the distance between the operands, also across the overflow.
fn distance(compared: &Compared) -> u64 {
    let mask = u64::MAX >> (64 - compared.bits);
    let apart = compared.left.wrapping_sub(compared.right) & mask;
    apart.min(apart.wrapping_neg() & mask)
}

#[cfg(test)]
mod tests {
    use super::{Goals, Progress};
    use crate::explore::compares::Compared;

    fn compared(left: u64, right: u64) -> Compared {
        Compared {
            site: 1,
            bits: 32,
            left,
            right,
        }
    }

    #[test]
    fn a_comparison_makes_progress_when_it_comes_nearer_or_out_otherwise() {
        let mut goals = Goals::default();
        assert_eq!(goals.note(&[compared(0, 1_000)]), Progress::Reached);
        assert_eq!(goals.note(&[compared(1, 1_000)]), Progress::None);
        assert_eq!(goals.note(&[compared(600, 1_000)]), Progress::Nearer);
        assert_eq!(
            goals.note(&[compared(2_000, 1_000)]),
            Progress::Reached,
            "greater for the first time"
        );
        assert_eq!(goals.note(&[compared(1_000, 1_000)]), Progress::Equal);
        assert_eq!(
            goals.note(&[compared(999, 1_000)]),
            Progress::None,
            "it was equal before"
        );
    }

    #[test]
    fn a_comparison_that_is_mended_in_vain_is_left_alone_until_something_comes_of_it() {
        let mut goals = Goals::default();
        (0..101).for_each(|_| goals.note_mended(&[compared(1, 2), compared(3, 4)], false));
        assert!(!goals.is_worth_mending(&compared(1, 2)));
        goals.note_mended(&[compared(1, 2)], true);
        assert!(goals.is_worth_mending(&compared(1, 2)));
    }
}
